"""Programs in seats: whatever one does, the match goes on by the rules, and the fault is counted."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kupa.arena.contestants import Contestant
from kupa.arena.plan import Plan, Unit, play_units
from kupa.arena.tally import Tally, read_tally
from kupa.hearts.presets import PRESETS
from kupa.programs import seat as program_seat
from kupa.programs.faults import ENDED, ILLEGAL, NO_START, NONSENSE, TOO_LATE
from kupa.programs.seat import Limits

SCRIPT = Path(__file__).with_name("misbehaving.py")
QUICK = Limits(time_ms=20, grace_ms=60, start_ms=20_000)
PATIENT = Limits(time_ms=5_000, grace_ms=15_000, start_ms=20_000)


def command(way: str) -> str:
    """Return the command of a way of misbehaving; it tells which process of tests it belongs to."""
    return f"{shlex.quote(sys.executable)} -I -S {shlex.quote(str(SCRIPT))} {way} {os.getpid()}"


def played(way: str, limits: Limits, units: int = 1) -> list[Tally]:
    """Play a deal or more with a program in seat 2; return the tallies, the program's at place 2."""
    names = ("club", "ducker", f"exec:{command(way)}", "beginner")
    plan = Plan(
        tuple(map(Contestant, names)), "cardems", PRESETS["cardems"].rulebook(), "faults", limits, False
    )
    asked = [Unit(board, (0,), str(board)) for board in range(units)]
    results = play_units(plan, asked)
    tallies = [Tally() for _ in names]
    for result in results:
        for tally, written in zip(tallies, result["contestants"], strict=True):
            tally.add(read_tally(written))
    return tallies


def is_running(way: str) -> bool:
    """Tell whether any process of this test still runs a way of misbehaving."""
    listed = subprocess.run(["ps", "-wweo", "pid,args"], capture_output=True, text=True, check=True).stdout
    mark = f"{SCRIPT} {way} {os.getpid()}"
    return any(line.rstrip().endswith(mark) for line in listed.splitlines())


def test_the_look_at_processes_sees_one_that_runs() -> None:
    """And not when it has ended."""
    process = subprocess.Popen(shlex.split(command("never_ready")))
    assert is_running("never_ready")
    process.kill()
    process.wait()
    assert not is_running("never_ready")


DECISIONS = 14
"""A pass and thirteen cards."""


@pytest.mark.parametrize("way", ["plays", "complains", "stays"])
def test_a_program_that_keeps_the_rules_has_no_fault(way: str) -> None:
    """Nor has one that talks a lot on standard error, or that has to be ended at the end."""
    tally = played(way, PATIENT, units=2)[2]
    assert tally.faults == {}
    assert tally.decisions == 2 * DECISIONS
    assert tally.rounds == 2
    assert not is_running(way)


@pytest.mark.parametrize(
    ("way", "code", "least"),
    [
        ("rubbish", NONSENSE, DECISIONS),
        ("not_an_object", NONSENSE, DECISIONS),
        ("no_id", NONSENSE, DECISIONS),
        ("wrong_key", NONSENSE, DECISIONS),
        ("no_card", NONSENSE, DECISIONS),
        ("not_a_text", NONSENSE, DECISIONS),
        ("long_line", NONSENSE, DECISIONS),
        ("illegal", ILLEGAL, DECISIONS - 1),
        ("dies", ENDED, DECISIONS),
        ("closes", ENDED, DECISIONS),
    ],
)
def test_what_a_program_does_wrong_at_once_is_charged_to_it(way: str, code: str, least: int) -> None:
    """The fault has its code, is counted for each decision, and nobody else is charged."""
    tallies = played(way, PATIENT)
    assert list(tallies[2].faults) == [code]
    assert least <= tallies[2].faults[code] <= DECISIONS
    assert [tally.fault_count for place, tally in enumerate(tallies) if place != 2] == [0, 0, 0]
    assert sum(tally.points for tally in tallies) in {26, 78}
    assert not is_running(way)


@pytest.mark.parametrize("way", ["silent", "other_id", "child", "runaway", "flood", "deaf"])
def test_a_program_that_hangs_is_killed_with_its_children(way: str) -> None:
    """After some questions without an answer; from then on it has ended. Nothing of it runs on."""
    began = time.monotonic()
    tally = played(way, QUICK)[2]
    assert tally.faults == {TOO_LATE: program_seat.HANGS_AFTER, ENDED: DECISIONS - program_seat.HANGS_AFTER}
    assert tally.decisions == 0
    assert time.monotonic() - began < 15
    assert not is_running(way)


def test_a_child_that_outlives_its_program_is_killed_too() -> None:
    """The program has ended, its child has not."""
    assert played("orphan", QUICK)[2].fault_count == DECISIONS
    assert not is_running("orphan")


def test_a_late_answer_is_a_fault_and_is_not_taken_for_the_next_one() -> None:
    """An answer with the id of an earlier question is dropped."""
    tally = played("late", Limits(time_ms=20, grace_ms=60, start_ms=20_000))[2]
    assert tally.faults[TOO_LATE] >= program_seat.HANGS_AFTER
    assert set(tally.faults) <= {TOO_LATE, ENDED}


@pytest.mark.parametrize("way", ["never_ready", "not_ready"])
def test_a_program_that_does_not_get_ready_cannot_play(way: str) -> None:
    """Its seat is played to the end for it."""
    tally = played(way, Limits(time_ms=20, grace_ms=60, start_ms=1_000))[2]
    assert tally.faults == {NO_START: DECISIONS}
    assert not is_running(way)


@pytest.mark.parametrize("wrong", ["no-such-program-at-all", "'unfinished", "/", ""])
def test_a_command_that_cannot_be_run_is_a_fault(wrong: str) -> None:
    """Whatever the reason is."""
    seated = program_seat.ProgramSeat(wrong, 0, PRESETS["cardems"].rulebook(), QUICK)
    seated.told({"type": "match_started", "totals": [0] * 4})
    seated.close()
    assert seated.fault is not None
    assert seated.fault.code == NO_START


def test_what_a_program_complained_of_is_kept_without_what_moves_a_cursor() -> None:
    """The last line of its standard error tells whoever looks for the reason."""
    detail = played("dies", PATIENT)[2].detail
    assert detail.startswith("good-bye")
    assert detail.isprintable()


def test_a_program_is_started_once_for_the_deals_of_a_portion(tmp_path: Path) -> None:
    """And not once for each deal."""
    log = tmp_path / "starts"
    script = tmp_path / "counting.py"
    counting = f"open({str(log)!r}, 'a').write('x'); main('plays')"
    source = SCRIPT.read_text(encoding="utf-8")
    script.write_text(source.replace("main(sys.argv[1])", counting), encoding="utf-8")
    names = ("club", f"exec:{sys.executable} -I -S {script}", "ducker", "ducker")
    plan = Plan(
        tuple(map(Contestant, names)), "cardems", PRESETS["cardems"].rulebook(), "once", PATIENT, False
    )
    play_units(plan, [Unit(board, (0, 1), str(board)) for board in range(3)])
    assert log.read_text(encoding="utf-8") == "xx"
