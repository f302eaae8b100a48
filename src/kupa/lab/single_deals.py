"""``kupa lab solve``, ``deal``, ``find`` and ``play``: what is known of one deal, or of some."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Iterator
from typing import Any, Final

import msgspec
import numpy as np

from kupa.catalogue import text
from kupa.command_line import Parser, RefusedError, content_of
from kupa.game import replay
from kupa.heart_to_heart.codes import RANKS, code_of, read_code, read_deck
from kupa.heart_to_heart.game import HEART_TO_HEART
from kupa.heart_to_heart.state import State
from kupa.lab import solving
from kupa.lab.faults import LabError
from kupa.lab.features import features_of
from kupa.lab.keccak import LANES
from kupa.lab.sampling import first_code, solved_codes
from kupa.lab.ways import WAYS
from kupa.record import read_record
from kupa.refusal import Refusal

_BLOCKS_AT_ONCE: Final = 32
"""How many blocks of codes ``find`` looks through at a time."""
_SEEDS: Final = 1 << 32
_LARGEST: Final = 1 << 40
"""More than any number that makes sense on a command line here."""


def write(line: str) -> None:
    """Write a line of what was asked for."""
    sys.stdout.write(line + "\n")


def write_json(told: Any) -> None:
    """Write a line of JSON."""
    write(msgspec.json.encode(told).decode())


def number_in(value: int, flag: str, least: int, most: int = _LARGEST) -> int:
    """Return a number of the command line.

    Raises:
        LabError: ``bad_number``: it is out of bounds.
    """
    if not least <= value <= most:
        raise LabError("bad_number", flag=flag, given=value, least=least, most=most)
    return value


def _add_position(parser: Parser) -> None:
    parser.add_argument("code", nargs="?")
    parser.add_argument("--deck")


def _deal_of(given: argparse.Namespace) -> State:
    """Return the deal that is asked about, on the table."""
    if (given.code is None) == (given.deck is None):
        raise LabError("one_deal")
    read = read_code(given.code) if given.deck is None else read_deck(given.deck)
    if isinstance(read, Refusal):
        raise RefusedError(read)
    return solving.state_of_deal(read) if given.deck is None else solving.state_of_deal(None, read)


def _name_of(state: State) -> str:
    return state.code or state.deck


def _position_in(name: str, after: int | None) -> State:
    """Return a position of a record: after so many things that happened, or at its end."""
    record = read_record(content_of(name))
    if isinstance(record, Refusal):
        raise RefusedError(record)
    if record.game != HEART_TO_HEART.name:
        raise LabError("other_game", file=name)
    last = len(record.events) - 1
    happened = last if after is None else number_in(after, "--after", 0, last)
    position: State = replay(HEART_TO_HEART, record.events[: 1 + happened])
    return position


# ---------------------------------------------------------------- solve


def add_solve(parser: Parser) -> None:
    """Add what ``solve`` takes."""
    _add_position(parser)
    parser.add_argument("--record")
    parser.add_number("--after")
    parser.add_number("--budget", solving.BUDGET)
    parser.add_argument("--json", action="store_true")


def run_solve(given: argparse.Namespace, language: str) -> int:
    """Tell whether a position can be won, in how few moves, and how."""
    if given.record is None and given.after is not None:
        raise LabError("after_what")
    if given.record is not None and (given.code is not None or given.deck is not None):
        raise LabError("one_deal")
    state = _deal_of(given) if given.record is None else _position_in(given.record, given.after)
    solution = solving.solve(state, number_in(given.budget, "--budget", 0))
    if given.json:
        write_json(
            {
                "winnable": solution.winnable,
                "moves": solution.moves,
                "taps": solution.taps,
                "optimal": solution.optimal,
            }
        )
    else:
        write(_verdict(_name_of(state), solution, language))
        for line in line_text(state, solution.steps or (), language):
            write(line)
    return 0


def _verdict(name: str, solution: solving.Solution, language: str) -> str:
    if solution.winnable is None:
        return text(language, "lab.solve.unfinished", name=name)
    if solution.moves is None:
        return text(language, "lab.solve.lost", name=name)
    key = "lab.solve.fewest" if solution.optimal else "lab.solve.at_most"
    return text(language, key, name=name, n=solution.moves)


def line_text(state: State, steps: tuple[solving.Step, ...], language: str) -> Iterator[str]:
    """Return a line of play for people, a step a line, with the moves made so far in front."""
    moves = 0
    for step in steps:
        if isinstance(step, int):
            moves += step
            told = text(language, "lab.step.stock", n=step)
        else:
            moves += 1
            first, second = step
            params: dict[str, str | int] = {"rank": state.deck[first - 1], "first": first}
            if second is None:
                told = text(language, "lab.step.waste", **params)
            else:
                told = text(language, "lab.step.pair", **params, second=second)
        yield f"{moves:>4}  {told}"


# ---------------------------------------------------------------- deal


def add_deal(parser: Parser) -> None:
    """Add what ``deal`` takes."""
    _add_position(parser)
    parser.add_argument("--json", action="store_true")


def run_deal(given: argparse.Namespace, language: str) -> int:
    """Tell all that is known of a deal."""
    state = _deal_of(given)
    solution = solving.solve(state)
    features: dict[str, Any] = dict(features_of(solving.table_of(state).ranks))
    features["tip_rank"] = RANKS[features["tip_rank"]]
    played = {way: solving.play_as(way, state).moves for way in WAYS}
    if given.json:
        write_json(
            {
                "code": state.code,
                "deck": state.deck,
                "winnable": solution.winnable,
                "stuck": state.status == "stuck",
                "moves": solution.moves,
                "optimal": solution.optimal,
                "redeals": solution.redeals,
                "features": features,
                "ways": played,
            }
        )
        return 0
    write(_verdict(_name_of(state), solution, language))
    if state.status == "stuck":
        write(text(language, "lab.deal.stuck"))
    if solution.redeals is not None:
        write(text(language, "lab.deal.redeals", n=solution.redeals))
    for name in ("tip_copies", "fours", "threes", "over", "touching"):
        write(text(language, f"lab.feature.{name}") + f": {features[name]}")
    for way, moves in played.items():
        write(_fared(way, moves, language))
    return 0


def _fared(way: str, moves: int | None, language: str) -> str:
    name = text(language, f"lab.way.{way}")
    if moves is None:
        return text(language, "lab.play.given_up", way=name)
    return text(language, "lab.play.won", way=name, n=moves)


# ---------------------------------------------------------------- find


def add_find(parser: Parser) -> None:
    """Add what ``find`` takes."""
    parser.add_argument("--winnable", action="store_true")
    parser.add_argument("--lost", action="store_true")
    parser.add_argument("--moves")
    parser.add_number("-n", 10)
    parser.add_number("--seed")
    parser.add_number("--tries", 1_000_000)
    parser.add_argument("--json", action="store_true")


def run_find(given: argparse.Namespace, language: str) -> int:
    """Find codes of deals that are as wanted; the exit status is 1 if there were too few of them."""
    wanted = read_range(given.moves)
    if given.lost and (given.winnable or wanted is not None):
        raise LabError("lost_or_won")
    number = number_in(given.n, "-n", 1, 1_000_000)
    seed = secrets.randbelow(_SEEDS) if given.seed is None else number_in(given.seed, "--seed", 0, _SEEDS)
    tries = number_in(given.tries, "--tries", 1)
    found = 0
    for code, moves in _codes_found(seed, tries, lost=given.lost, wanted=wanted):
        if given.json:
            write_json({"code": code, "winnable": moves is not None, "moves": moves})
        elif moves is None:
            write(code)
        else:
            write(f"{code}  {moves}")
        found += 1
        if found == number:
            return 0
    sys.stderr.write(text(language, "lab.find.too_few", n=found, tries=tries) + "\n")
    return 1


def _codes_found(
    seed: int, tries: int, *, lost: bool, wanted: range | None
) -> Iterator[tuple[str, int | None]]:
    """Return codes of a seed's walk with their fewest moves, None for a deal that cannot be won."""
    for step in range(0, -(-tries // LANES), _BLOCKS_AT_ONCE):
        firsts = np.array([first_code(seed, step + block) for block in range(_BLOCKS_AT_ONCE)])
        solved = solved_codes(firsts, 0 if lost else solving.BUDGET, with_ways=False)
        moves_of = dict(zip(solved.numbers.tolist(), solved.moves.tolist(), strict=True))
        for first in firsts.tolist():
            for number in range(first, first + LANES):
                moves = moves_of.get(number)
                if lost and moves is None:
                    yield code_of(number), None
                elif not lost and moves and (wanted is None or moves in wanted):
                    yield code_of(number), moves


def read_range(typed: str | None) -> range | None:
    """Read how many moves are wanted: ``60..70``, or ``65``.

    Raises:
        LabError: ``bad_range``.
    """
    if typed is None:
        return None
    first, dots, last = typed.partition("..")
    last = last if dots else first
    if not (first.isascii() and first.isdigit() and last.isascii() and last.isdigit()):
        raise LabError("bad_range", given=typed)
    if len(first) > 6 or len(last) > 6 or int(first) > int(last):
        raise LabError("bad_range", given=typed)
    return range(int(first), int(last) + 1)


# ---------------------------------------------------------------- play


def add_play(parser: Parser) -> None:
    """Add what ``play`` takes."""
    _add_position(parser)
    parser.add_argument("--as", dest="way", default="careful")
    parser.add_argument("--json", action="store_true")


def run_play(given: argparse.Namespace, language: str) -> int:
    """Play a deal in one of the ways that people have."""
    if given.way not in WAYS:
        raise LabError("unknown_way", given=given.way, known=", ".join(WAYS))
    state = _deal_of(given)
    played = solving.play_as(given.way, state)
    solution = solving.solve(state)
    if given.json:
        write_json(
            {
                "way": given.way,
                "won": played.moves is not None,
                "moves": played.moves,
                "taps": solving.taps_of(state, played.steps),
                "winnable": solution.winnable,
                "fewest": solution.moves,
            }
        )
        return 0
    write(_fared(given.way, played.moves, language))
    write(_verdict(_name_of(state), solution, language))
    for line in line_text(state, played.steps, language):
        write(line)
    return 0
