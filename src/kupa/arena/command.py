"""``kupa arena``: what is asked is read and checked, the boards are played, and what they came to is told."""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from kupa.arena.contestants import Contestant, read_seats
from kupa.arena.plan import Plan, play_units
from kupa.arena.plot import as_svg
from kupa.arena.standings import Standing, as_json, as_table, standings
from kupa.bots.levels import LONGEST_TIME_MS
from kupa.catalogue import text
from kupa.command_line import CommandError, RefusedError
from kupa.hearts.presets import chosen_rulebook
from kupa.hearts.rulebook import Rulebook
from kupa.keys import shown
from kupa.long_work.crews import crew
from kupa.long_work.journal import Journal
from kupa.long_work.portions import work_through
from kupa.long_work.progress import Progress
from kupa.programs.program import end_programs_when_terminated
from kupa.programs.seat import Limits
from kupa.refusal import Refusal
from kupa.shuffle import is_seed_text

DEFAULT_DEALS: Final = 100
MOST_UNITS: Final = 10_000_000
INTERRUPTED: Final = 130
STANDARD_OUTPUT: Final = "-"


def run(given: argparse.Namespace, language: str) -> int:
    """Do what the command line asks; returns the exit status.

    Raises:
        CommandError: it cannot be done.
    """
    plan, units = plan_of(given), _units(given)
    for path in (given.json, given.plot):
        _check_target(path)
    if given.plot is not None and not given.plot.lower().endswith(".svg"):
        raise CommandError("bad_plot", file=given.plot)
    with Journal(given.out, plan.work()) as journal:
        done = _play(plan, units, journal, given, language)
        results = journal.results
    played = sum(unit.name in results for unit in plan.units(units))
    _tell(plan, played, standings(plan, results, units), given, language)
    if done:
        return 0
    key = "arena.interrupted" if given.out is None else "arena.interrupted_kept"
    told = text(language, key, done=played, whole=units, file=str(given.out))
    sys.stderr.write(told + "\n")
    return INTERRUPTED


# ---------------------------------------------------------------- what is asked


def plan_of(given: argparse.Namespace) -> Plan:
    """Return the plan that a command line describes."""
    if given.seats is None:
        raise CommandError("no_seats")
    seats = read_seats(given.seats)
    if isinstance(seats, Refusal):
        raise RefusedError(seats)
    if given.dask is None:
        _check_commands(seats)
    rulebook = _rulebook(given, len(seats))
    if len(seats) != rulebook.players:
        raise RefusedError(Refusal("bad_seats", "count", params={"n": rulebook.players, "given": len(seats)}))
    if not is_seed_text(given.seed):
        raise RefusedError(Refusal("bad_seed"))
    limits = Limits(
        _number(given.time_ms, "--time-ms", 1, LONGEST_TIME_MS),
        _number(given.grace_ms, "--grace-ms", 0, LONGEST_TIME_MS),
        _number(given.start_ms, "--start-ms", 1, LONGEST_TIME_MS),
    )
    return Plan(seats, given.rules, rulebook, given.seed, limits, whole_matches=given.matches is not None)


def _check_commands(seats: Sequence[Contestant]) -> None:
    """Refuse a command that this computer cannot run; what the workers of a cluster can, it does not know."""
    for contestant in seats:
        if contestant.is_program:
            try:
                name = shlex.split(contestant.command)[0]
            except (ValueError, IndexError):
                name = ""
            if shutil.which(name) is None:
                raise CommandError("no_such_program", command=str(shown(contestant.command)))


def _rulebook(given: argparse.Namespace, seats: int) -> Rulebook:
    fields: dict[str, Any] = {}
    for written in given.set:
        name, sign, value = written.partition("=")
        if not (name and sign):
            raise CommandError("bad_set", given=written)
        try:
            fields[name] = json.loads(value)
        except (ValueError, RecursionError):
            fields[name] = value
    players = seats if given.players is None and "players" not in fields else given.players
    rulebook = chosen_rulebook(given.rules, players, fields)
    if isinstance(rulebook, Refusal):
        raise RefusedError(rulebook)
    return rulebook


def _number(value: int, flag: str, least: int, most: int) -> int:
    if not least <= value <= most:
        raise CommandError("out_of_range", flag=flag, least=least, most=most, given=value)
    return value


def _units(given: argparse.Namespace) -> int:
    if given.matches is None:
        asked = DEFAULT_DEALS if given.deals is None else given.deals
        return _number(asked, "--deals", 1, MOST_UNITS)
    if given.deals is not None:
        raise CommandError("deals_or_matches")
    return _number(given.matches, "--matches", 1, MOST_UNITS)


def _check_target(path: str | None) -> None:
    """Refuse a file that cannot be written later, before hours have been played."""
    if path is not None and path != STANDARD_OUTPUT:
        try:
            is_fit = Path(path).parent.is_dir() and not Path(path).is_dir()
        except ValueError:  # a null byte
            is_fit = False
        if not is_fit:
            raise CommandError("unwritable", file=path)


# ---------------------------------------------------------------- playing


@contextmanager
def _interrupted_when_terminated() -> Iterator[None]:
    """Let SIGTERM do what the keyboard's interrupt does: keep what there is, and end every program."""

    def interrupt(number: int, frame: object) -> None:  # noqa: ARG001
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _play(plan: Plan, units: int, journal: Journal, given: argparse.Namespace, language: str) -> bool:
    """Play what the journal does not hold yet; returns False where somebody broke it off."""
    todo = sum(unit.name not in journal.results for unit in plan.units(units))
    if not todo:
        return True
    progress = Progress(units, units - todo, language, quiet=given.quiet)
    try:
        with (
            _interrupted_when_terminated(),
            crew(given.jobs, given.dask, end_programs_when_terminated) as workers,
        ):
            portions = plan.portions(units, frozenset(journal.results))
            work_through(portions, play_units, workers, journal, progress.note)
    except KeyboardInterrupt:
        return False
    finally:
        progress.close()
    return True


# ---------------------------------------------------------------- telling


def _tell(
    plan: Plan, units: int, found: Sequence[Standing], given: argparse.Namespace, language: str
) -> None:
    told = json.dumps(as_json(plan, units, found), indent=2, allow_nan=False) + "\n"
    if given.json == STANDARD_OUTPUT:
        sys.stdout.write(told)
    elif units:
        sys.stdout.write(as_table(plan, found, language) + "\n")
    if given.json is not None and given.json != STANDARD_OUTPUT:
        _write(given.json, told)
    if given.plot is not None:
        _write(given.plot, as_svg(plan, units, found, language))


def _write(name: str, content: str) -> None:
    try:
        Path(name).write_text(content, encoding="utf-8")
    except OSError as error:
        raise CommandError("unwritable", file=name) from error
