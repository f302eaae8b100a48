"""A match as a text that people can read: written, read back, and replayed through the engine.

A record begins with two lines, its version and its game; the rest is the game's own transcript
(:mod:`kupa.hearts.transcript`, :mod:`kupa.heart_to_heart.transcript`)::

    Kupa record 1
    game hearts
    …

A match of Hearts that was dealt fairly tells between them what its deal was made of, in hex (``-`` for the
contribution of a bot)::

    fair commitment 66687aad…
    fair secret 00000000…
    fair contribution 0 101112…
    fair contribution 1 -

Blank lines, space at either end of a line, and lines that begin with ``#`` mean nothing. A record holds the
events themselves, so it replays to the same state in every later release; :func:`verified` asks today's rules
besides, and is what a record from a stranger has to pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, Final, NamedTuple

import msgspec

from kupa.fairness import FairDeal
from kupa.game import Game, replay
from kupa.games import game_named, registry
from kupa.refusal import Refusal
from kupa.transcript import Line, TranscriptError

VERSION: Final = 1
LONGEST: Final = 4 * 2**20
"""The longest record that is read, in characters."""


class Record(msgspec.Struct, frozen=True):
    """A match: its game's permanent name, and everything that happened."""

    game: str
    events: tuple[Any, ...]
    fair: FairDeal | None = None
    """What the deals were made of, if they were sealed; Hearts alone."""

    def state(self) -> Any:
        """Return the state after everything that happened."""
        return replay(game_named(self.game), self.events)


class _Transcript(NamedTuple):
    """How one game writes and reads its events, and which command each answers."""

    write: Callable[[Sequence[Any]], list[str]]
    read: Callable[[Sequence[Line]], list[Any]]
    command_of: Callable[[Any], Any]


def _transcript(game: str) -> _Transcript:
    if game == "hearts":
        from kupa.hearts import transcript as hearts

        return _Transcript(hearts.write_lines, hearts.read_lines, hearts.command_of)
    from kupa.heart_to_heart import transcript as heart_to_heart

    return _Transcript(heart_to_heart.write_lines, heart_to_heart.read_lines, heart_to_heart.command_of)


def write_record(record: Record) -> str:
    """Write a match as a text; :func:`read_record` reads it back to an equal record."""
    head = [f"Kupa record {VERSION}", f"game {record.game}", *_fair_lines(record.fair)]
    return "\n".join([*head, *_transcript(record.game).write(record.events)]) + "\n"


def _fair_lines(fair: FairDeal | None) -> list[str]:
    if fair is None:
        return []
    lines = [f"fair commitment {fair.commitment}"]
    if fair.secret is not None:
        lines.append(f"fair secret {fair.secret}")
    return lines + [
        f"fair contribution {seat} {given or '-'}" for seat, given in enumerate(fair.contributions)
    ]


def read_record(text: str) -> Record | Refusal:
    """Read a record, or refuse it with ``bad_record`` and the number of the line at fault.

    What it says is taken as it stands, as long as it can have happened one event after the other;
    :func:`verified` asks the rules.
    """
    if len(text) > LONGEST:
        return Refusal("bad_record", "too_long", params={"line": 1, "limit": LONGEST})
    lines = [Line(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    lines = [line for line in lines if line.text and not line.text.startswith("#")]
    if not lines or not lines[0].text.startswith("Kupa record "):
        return _bad(lines[0].number if lines else 1, "no_record")
    if lines[0].text != f"Kupa record {VERSION}":
        return _bad(lines[0].number, "unknown_version")
    games = {f"game {name}": name for name in registry()}
    if len(lines) < 2 or lines[1].text not in games:
        return _bad(lines[min(1, len(lines) - 1)].number, "unknown_game")
    game = games[lines[1].text]
    try:
        fair, rest = _read_fair(lines[2:]) if game == "hearts" else (None, lines[2:])
        record = Record(game, tuple(_transcript(game).read(rest)), fair)
    except TranscriptError as error:
        return _bad(error.line, error.reason)
    return record if record.events else _bad(lines[-1].number, "ends_early")


_COMMITMENT_LINE: Final = re.compile(r"fair commitment ([0-9a-f]{64})")
_SECRET_LINE: Final = re.compile(r"fair secret ([0-9a-f]{64})")
_CONTRIBUTION_LINE: Final = re.compile(r"fair contribution (\d{1,2}) ([0-9a-f]{32}|-)")


def _read_fair(lines: Sequence[Line]) -> tuple[FairDeal | None, Sequence[Line]]:
    """Read the lines of a fair deal, if there are any; return the lines after them, too.

    Raises:
        TranscriptError: a line is none of them, or out of its order.
    """
    fair = list(takewhile(lambda line: line.text.startswith("fair "), lines))
    if not fair:
        return None, lines
    waiting = list(fair)

    def taken(pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.fullmatch(waiting[0].text) if waiting else None
        if found:
            waiting.pop(0)
        return found

    committed, secret = taken(_COMMITMENT_LINE), taken(_SECRET_LINE)
    contributions: list[str] = []
    while (given := taken(_CONTRIBUTION_LINE)) is not None:
        if int(given[1]) != len(contributions):
            raise TranscriptError(fair[-len(waiting) - 1].number, "bad_line")
        contributions.append("" if given[2] == "-" else given[2])
    if waiting or committed is None:
        raise TranscriptError((waiting or fair)[0].number, "bad_line")
    deal = FairDeal(
        commitment=committed[1],
        secret=None if secret is None else secret[1],
        contributions=tuple(contributions),
    )
    return deal, lines[len(fair) :]


def verified(record: Record) -> Refusal | None:
    """Ask today's rules whether a match can have gone as its record says; None if it can.

    Every command that the record implies is decided again, and has to lead to the very events recorded.
    A record may end at any command.
    """
    game: Game = game_named(record.game)
    command_of = _transcript(record.game).command_of
    state, done = None, 0
    while done < len(record.events):
        command = command_of(record.events[done])
        expected = Refusal("no_command") if command is None else game.decide(state, command)
        if isinstance(expected, Refusal) or not expected:
            return Refusal("bad_record", "against_the_rules", params={"event": done + 1})
        if tuple(record.events[done : done + len(expected)]) != tuple(expected):
            return Refusal("bad_record", "other_result", params={"event": done + 1})
        for event in expected:
            state = game.evolve(state, event)
        done += len(expected)
    return None


def _bad(line: int, reason: str) -> Refusal:
    return Refusal("bad_record", reason, params={"line": line})
