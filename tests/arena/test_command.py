"""``kupa arena``: what it tells, that it follows from the seed, and that nothing is lost or counted twice."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from kupa.catalogue import LANGUAGES
from kupa.cli import main
from tests.programs.test_program import SCRIPT, command, is_running

KEYS = [
    *("name", "rounds", "points_mean", "points_se", "difference_mean", "difference_se"),
    *("wins", "moons", "ms_mean", "ms_p99", "faults"),
]
TIMES = {"ms_mean", "ms_p99"}
PAIR = ["--seats", "club,beginner,random,ducker", "--quiet"]


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUPA_LANG", "en")


def figures(tmp_path: Path, *arguments: str, status: int = 0) -> dict[str, Any]:
    """Run the arena, and return its JSON."""
    path = tmp_path / "figures.json"
    assert main(["arena", *arguments, "--json", str(path)]) == status
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def untimed(found: dict[str, Any]) -> dict[str, Any]:
    """Leave out what differs from one run to the next: times."""
    rows = [{key: row[key] for key in row if key not in TIMES} for row in found["contestants"]]
    return {**found, "contestants": rows}


def test_the_json_has_the_shape_that_is_promised(tmp_path: Path) -> None:
    """Every deal once for each seat; the shares of wins are one; the differences cancel out."""
    found = figures(tmp_path, *PAIR, "--deals", "6", "--seed", "x")
    assert list(found) == ["deals", "rules", "seed", "contestants"]
    assert (found["deals"], found["rules"], found["seed"]) == (6, "cardems", "x")
    rows = found["contestants"]
    assert [row["name"] for row in rows] == ["club", "beginner", "random", "ducker"]
    assert all(list(row) == KEYS for row in rows)
    assert all(row["rounds"] == 24 and row["faults"] == 0 for row in rows)
    assert sum(row["wins"] for row in rows) == pytest.approx(1)
    assert sum(row["difference_mean"] for row in rows) == pytest.approx(0)
    assert all(row["points_se"] > 0 and row["difference_se"] > 0 for row in rows)
    assert all(row[key] > 0 for row in rows for key in TIMES)
    assert sum(row["points_mean"] for row in rows) >= 26


def test_figures_follow_from_the_seed_alone(tmp_path: Path) -> None:
    """In one process or two; another seed gives others."""
    one, two, other = (
        untimed(figures(tmp_path, *PAIR, "--deals", "4", "--seed", seed, "--jobs", jobs))
        for seed, jobs in (("a", "1"), ("a", "2"), ("b", "1"))
    )
    assert one == two
    assert one["contestants"] != other["contestants"]


def test_what_the_points_are_is_what_the_rounds_came_to(tmp_path: Path) -> None:
    """With one player in all seats each gets the same, and a single deal tells no error."""
    found = figures(tmp_path, "--seats", "ducker,ducker,ducker,ducker", "--deals", "1", "--quiet")
    for row in found["contestants"]:
        assert row["difference_mean"] == pytest.approx(0)
        assert row["points_mean"] in {6.5, 19.5}
        assert row["points_se"] is None


def test_whole_matches_are_counted_as_matches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Six of them, four on one board and two on the next; wins are shares of matches."""
    arguments = ["--seats", "club,random,random", "--rules", "parlour", "--set", "target=30", "--quiet"]
    found = figures(tmp_path, *arguments, "--matches", "5")
    assert found["deals"] == 5
    assert sum(row["wins"] for row in found["contestants"]) == pytest.approx(1)
    rounds = {row["rounds"] for row in found["contestants"]}
    assert len(rounds) == 1
    assert rounds.pop() >= 5
    assert found["contestants"][0]["wins"] * 5 == pytest.approx(
        round(found["contestants"][0]["wins"] * 30) / 6
    )
    assert "matches won" in capsys.readouterr().out


# ---------------------------------------------------------------- interrupted and resumed


def names(journal: Path) -> list[str]:
    """Return the names of the deals in a journal, in the order in which they were written."""
    whole_lines = journal.read_text().rpartition("\n")[0].splitlines()
    return [json.loads(line)["portion"] for line in whole_lines[1:]]


def test_a_longer_run_plays_only_what_is_missing(tmp_path: Path) -> None:
    """And comes to the same as one that was never broken off."""
    journal = tmp_path / "journal"
    kept = [*PAIR, "--seed", "long", "--out", str(journal)]
    figures(tmp_path, *kept, "--deals", "3")
    before = journal.read_bytes()
    resumed = figures(tmp_path, *kept, "--deals", "7")
    assert journal.read_bytes().startswith(before)
    assert names(journal) == [str(deal) for deal in range(7)]
    assert untimed(resumed) == untimed(figures(tmp_path, *PAIR, "--seed", "long", "--deals", "7"))
    again = figures(tmp_path, *kept, "--deals", "7")
    assert again == resumed
    fewer = figures(tmp_path, *kept, "--deals", "3")
    assert fewer["contestants"][0]["rounds"] == 12


def test_matches_are_resumed_too(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    arguments = ["--seats", "club,random,ducker,club", "--set", "target=30", "--quiet", "--seed", "m"]
    figures(tmp_path, *arguments, "--matches", "3", "--out", str(journal))
    resumed = figures(tmp_path, *arguments, "--matches", "6", "--out", str(journal))
    assert untimed(resumed) == untimed(figures(tmp_path, *arguments, "--matches", "6"))
    assert names(journal) == ["0.0", "0.1", "0.2", "0.3", "1.0", "1.1"]


def started(*arguments: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "kupa.cli", "arena", *arguments]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_deals(journal: Path, number: int) -> None:
    """Wait until so many deals are in a journal."""
    deadline = time.monotonic() + 120
    while not journal.exists() or journal.read_bytes().count(b"\n") <= number:
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize(("jobs", "how"), [("1", signal.SIGINT), ("2", signal.SIGINT), ("2", signal.SIGTERM)])
def test_interrupted_it_keeps_what_it_has_and_goes_on(tmp_path: Path, jobs: str, how: signal.Signals) -> None:
    """By the keyboard or by a signal; the table of what was played is told, and no traceback."""
    journal = tmp_path / "journal"
    arguments = [*PAIR, "--seed", "stop", "--out", str(journal)]
    running = started(*arguments, "--deals", "100000", "--jobs", jobs)
    wait_for_deals(journal, 3)
    running.send_signal(how)
    out, err = running.communicate(timeout=120)
    assert running.returncode == 130
    assert "| club" in out
    assert re.fullmatch(r"Interrupted after \d+ of 100000, which are kept in .+\n", err)
    kept = names(journal)
    assert len(kept) == len(set(kept)) >= 3
    number = len(kept) + 2
    resumed = figures(tmp_path, *arguments, "--deals", str(number))
    assert untimed(resumed) == untimed(
        figures(tmp_path, *PAIR, "--seed", "stop", "--deals", str(number), "--jobs", jobs)
    )
    assert len(set(names(journal))) == len(names(journal))


def children_of(pid: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-wweo", "pid,ppid,args"], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()[1:]]
    return [int(row[0]) for row in rows if int(row[1]) == pid and "spawn_main" in row[2]]


def test_workers_do_not_outlive_an_arena_that_is_killed(tmp_path: Path) -> None:
    """Nor do their programs; what had been played is there."""
    journal = tmp_path / "journal"
    seats = f"exec:{command('plays')},random,random,ducker"
    running = started("--seats", seats, "--deals", "100000", "--jobs", "2", "--out", str(journal))
    wait_for_deals(journal, 1)
    workers = children_of(running.pid)
    running.kill()
    running.communicate(timeout=60)
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{worker}").exists() for worker in workers) or is_running("plays"):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert len(workers) == 2
    assert names(journal)


KILLED_DEALS = 60
"""Enough to be in the middle of them when a worker is killed."""


@pytest.fixture(scope="module")
def unharmed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The figures of a run in one process, of which nobody is killed."""
    folder = tmp_path_factory.mktemp("unharmed")
    return untimed(figures(folder, *PAIR, "--seed", "kill", "--deals", str(KILLED_DEALS)))


def test_a_worker_that_is_killed_loses_no_deal(tmp_path: Path, unharmed: dict[str, Any]) -> None:
    """The others go on, and the figures are those of a run in which nobody was killed."""
    journal = tmp_path / "journal"
    arguments = [*PAIR, "--seed", "kill", "--deals", str(KILLED_DEALS)]
    running = started(*arguments, "--out", str(journal), "--jobs", "2", "--json", str(tmp_path / "killed"))
    deadline = time.monotonic() + 120
    while not (workers := children_of(running.pid)):
        assert time.monotonic() < deadline
    wait_for_deals(journal, 3)
    os.kill(workers[0], signal.SIGKILL)
    assert len(names(journal)) < KILLED_DEALS
    _, err = running.communicate(timeout=240)
    assert (running.returncode, err) == (0, "")
    assert sorted(names(journal), key=int) == [str(deal) for deal in range(KILLED_DEALS)]
    killed = json.loads((tmp_path / "killed").read_text())
    assert untimed(killed) == unharmed


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Run a Dask cluster on this computer; yield the scheduler's address and its two workers."""
    file = folder / "scheduler.json"
    told = (folder / "cluster.log").open("wb")
    with told, ExitStack() as processes:

        def run(*words: str) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(
                [sys.executable, "-m", *words], stdout=told, stderr=told, cwd=folder, env=os.environ
            )
            processes.callback(process.wait)
            processes.callback(process.kill)
            return process

        local = ("--host", "127.0.0.1", "--no-dashboard")
        run("distributed.cli.dask_scheduler", *local, "--port", "0", "--scheduler-file", str(file))
        one = ("--nthreads", "1", "--no-nanny", "--scheduler-file", str(file))
        workers = [run("distributed.cli.dask_worker", *local, *one) for _ in range(2)]
        deadline = time.monotonic() + 120
        while (folder / "cluster.log").read_text().count("Register worker addr") < 2:
            assert time.monotonic() < deadline, (folder / "cluster.log").read_text()
            time.sleep(0.05)
        yield json.loads(file.read_text())["address"], workers


def test_a_cluster_of_which_a_worker_is_killed_loses_no_deal(
    tmp_path: Path, unharmed: dict[str, Any]
) -> None:
    """The figures are those of a run in this process, to the last deal."""
    journal, told = tmp_path / "journal", tmp_path / "clustered"
    arguments = [*PAIR, "--seed", "kill", "--deals", str(KILLED_DEALS)]
    with cluster(tmp_path) as (address, workers):
        running = started(*arguments, "--out", str(journal), "--dask", address, "--json", str(told))
        wait_for_deals(journal, 3)
        workers[0].kill()
        assert len(names(journal)) < KILLED_DEALS
        _, err = running.communicate(timeout=240)
    assert (running.returncode, err) == (0, "")
    assert sorted(names(journal), key=int) == [str(deal) for deal in range(KILLED_DEALS)]
    assert untimed(json.loads(told.read_text())) == unharmed


# ---------------------------------------------------------------- what people see


def test_the_table_and_the_faults_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A program that plays nonsense is charged for every decision; what it said is shown."""
    assert main(["arena", "--seats", f"club,ducker,exec:{command('rubbish')},club", "--deals", "1"]) == 0
    out = capsys.readouterr().out
    assert out.count("club (") == 2
    assert re.search(r"misbehaving\.py rubbish \d+ \|.*\| +- \| +- \| +56 \|", out)
    assert re.search(r"Faults of exec:.*: nonsense 56\. The first: what\? ☃", out)


def test_turkish_numbers_are_written_the_turkish_way(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A comma, and the sign of per cent in front."""
    monkeypatch.setenv("KUPA_LANG", "tr")
    assert main(["arena", *PAIR, "--deals", "2"]) == 0
    out = capsys.readouterr().out
    assert "yarışmacı" in out
    assert re.search(r"%\d+,\d", out)
    assert not re.search(r"\d\.\d", out)


def test_json_can_go_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    """In place of the table."""
    assert main(["arena", *PAIR, "--deals", "1", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["deals"] == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_shows_every_contestant_within_its_bounds(
    tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name for each, its mean on its bar, nothing outside; in either language."""
    monkeypatch.setenv("KUPA_LANG", language)
    path = tmp_path / "plot.svg"
    seats = f"club,random,exec:{shlex.quote(sys.executable)} -I -S {SCRIPT} plays,ducker"
    assert main(["arena", "--seats", seats, "--deals", "3", "--quiet", "--plot", str(path)]) == 0
    root = ET.fromstring(path.read_text(encoding="utf-8"))
    space = "{http://www.w3.org/2000/svg}"
    assert root.get("lang") == language
    dots = root.findall(f"{space}circle")
    bars = [line for line in root.findall(f"{space}line") if line.get("class") == "bar"]
    assert len(dots) == len(bars) == 4
    for dot, bar in zip(dots, bars, strict=True):
        x1, x2, middle = (float(one.get(key) or "") for one, key in ((bar, "x1"), (bar, "x2"), (dot, "cx")))
        assert 0 < x1 < middle < x2 < float(root.get("width") or 0)
        assert middle == pytest.approx((x1 + x2) / 2, abs=0.2)
    texts = [found.text or "" for found in root.iter(f"{space}text")]
    assert sum(text in {"club", "random", "ducker"} for text in texts) == 3
    assert any(text.startswith("exec:") and text.endswith("…") for text in texts)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], "no_seats"),
        (["--seats", "club,club"], "bad_rules"),
        (["--seats", "club,club,club"], "bad_rules"),
        (["--seats", "club,club,club", "--players", "4"], "bad_seats"),
        (["--seats", "club,club,kasparov,club"], "bad_level"),
        (["--seats", "club,club,,club"], "bad_seats"),
        (["--seats", "club,club,club,exec:no-such-program-at-all"], "no_such_program"),
        (["--seats", "club,club,club,exec:'"], "no_such_program"),
        ([*PAIR, "--rules", "bridge"], "unknown_rules"),
        ([*PAIR, "--set", "target"], "bad_set"),
        ([*PAIR, "--set", "target=0"], "bad_rules"),
        ([*PAIR, "--set", "colour=red"], "bad_rules"),
        ([*PAIR, "--deals", "0"], "out_of_range"),
        ([*PAIR, "--matches", "-1"], "out_of_range"),
        ([*PAIR, "--time-ms", "0"], "out_of_range"),
        ([*PAIR, "--grace-ms", "-1"], "out_of_range"),
        ([*PAIR, "--start-ms", "0"], "out_of_range"),
        ([*PAIR, "--deals", "2", "--matches", "2"], "deals_or_matches"),
        ([*PAIR, "--deals", "many"], "bad_arguments"),
        ([*PAIR, "--seed", "\udc80"], "bad_seed"),
        ([*PAIR, "--jobs", "0"], "bad_jobs"),
        ([*PAIR, "--plot", "plot.gif"], "bad_plot"),
        ([*PAIR, "--plot", "/nowhere/at/all.svg"], "unwritable"),
        ([*PAIR, "--json", "/nowhere/at/all"], "unwritable"),
        ([*PAIR, "--out", "/dev/null/x"], "journal_unwritable"),
        ([*PAIR, "--dask", "nonsense"], "no_scheduler"),
        ([*PAIR, "--colour", "red"], "bad_arguments"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_cannot_be_done_is_one_line_with_a_code(
    arguments: list[str],
    code: str,
    language: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And nothing is played or written."""
    monkeypatch.setenv("KUPA_LANG", language)
    assert main(["arena", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert re.fullmatch(rf"kupa: {code}: .+\n", told.err)


def test_a_journal_that_somebody_changed_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line that is no tally of these contestants."""
    journal = tmp_path / "journal"
    arguments = ["arena", *PAIR, "--deals", "1", "--out", str(journal)]
    assert main(arguments) == 0
    first, second = journal.read_text().splitlines()
    for wrong in (
        '{"portion":"0"}',
        '{"portion":"0","contestants":[{}]}',
        second.replace('"rounds":4', '"rounds":"x"'),
    ):
        journal.write_text(f"{first}\n{wrong}\n")
        capsys.readouterr()
        assert main(arguments) == 2
        assert capsys.readouterr().err.startswith("kupa: journal_unreadable: ")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], "no_level"),
        (["kasparov"], "bad_level"),
        (["club:depth=1"], "bad_level"),
        (["club", "--time-ms", "0"], "out_of_range"),
        (["club", "--seed", "\udc80"], "bad_seed"),
        (["club", "beginner"], "bad_arguments"),
    ],
)
def test_a_bot_that_there_is_not_is_refused(
    arguments: list[str], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bot", *arguments]) == 2
    assert re.fullmatch(rf"kupa: {code}: .+\n", capsys.readouterr().err)


def test_kupa_bot_plays_in_the_arena_as_the_level_itself_does(tmp_path: Path) -> None:
    """The club bot in a seat of its own process takes the same cards as in ours."""
    kupa = f"{shlex.quote(sys.executable)} -m kupa.cli bot club --seed 1"
    patient = ["--deals", "2", "--seed", "same", "--grace-ms", "60000", "--quiet"]
    inside = figures(tmp_path, "--seats", "club,ducker,ducker,ducker", *patient)
    outside = figures(tmp_path, "--seats", f"exec:{kupa},ducker,ducker,ducker", *patient)
    assert outside["contestants"][0]["faults"] == 0
    inside["contestants"][0]["name"] = outside["contestants"][0]["name"]
    assert untimed(inside) == untimed(outside)
