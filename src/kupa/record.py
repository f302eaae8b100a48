"""A match as a text that people can read: written, read back, and replayed through the engine.

A record begins with two lines, its version and its game; the rest is the game's own transcript
(:mod:`kupa.hearts.transcript`, :mod:`kupa.heart_to_heart.transcript`)::

    Kupa record 1
    game hearts
    …

Blank lines, space at either end of a line, and lines that begin with ``#`` mean nothing. A record holds the
events themselves, so it replays to the same state in every later release; :func:`verified` asks today's rules
besides, and is what a record from a stranger has to pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

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
    lines = [f"Kupa record {VERSION}", f"game {record.game}", *_transcript(record.game).write(record.events)]
    return "\n".join(lines) + "\n"


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
        record = Record(game, tuple(_transcript(game).read(lines[2:])))
    except TranscriptError as error:
        return _bad(error.line, error.reason)
    return record if record.events else _bad(lines[-1].number, "ends_early")


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
