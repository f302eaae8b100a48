"""Who sits in the arena: levels, fixed yardsticks, and programs; and how a command line names them.

``club`` is a level, ``master:time_ms=400`` one with an option, ``ducker`` and ``random`` are yardsticks that
never change, and ``exec:COMMAND`` is a program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

from kupa.arena.yardsticks import Ducker, RandomPlayer
from kupa.bots.levels import LEVELS, Level, chosen_level
from kupa.bots.player import Player
from kupa.game import Json
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.view import View
from kupa.programs.faults import CRASHED, FaultError
from kupa.programs.seat import Limits, ProgramSeat
from kupa.refusal import Refusal

EXEC: Final = "exec:"

SEATABLE: Final[Mapping[str, Level]] = {
    **LEVELS,
    "ducker": Level(lambda setup: Ducker(setup.luck)),
    "random": Level(lambda setup: RandomPlayer(setup.luck)),
}
"""Everybody of ours that may sit in the arena: every level, and the yardsticks."""

_PARTS: Final = re.compile(r"""("[^"]*"|'[^']*')|(,)|(.)""", re.DOTALL)
"""A comma in quotation marks, as a command may have it, separates nothing."""


class Seated(Protocol):
    """A bot in a seat, from when it sits down to when it gets up."""

    def told(self, event: Json) -> None:
        """Take in an event as the seat is told it."""
        ...

    def choose(self, view: View) -> Json:
        """Return the command of the seat, which the rules may refuse.

        Raises:
            FaultError: there is none.
        """
        ...

    def close(self) -> None:
        """Get up."""
        ...


class _Own:
    """One of our own players, in this process. What it raises is its fault, and no end of the match."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._fault: FaultError | None = None

    def told(self, event: Json) -> None:
        try:
            self._player.told(event)
        except Exception as error:
            self._fault = _crash(error)

    def choose(self, view: View) -> Json:
        if self._fault is not None:
            raise self._fault
        try:
            return self._player.choose(view)
        except Exception as error:
            raise _crash(error) from error

    def close(self) -> None:
        """It is not kept."""


def _crash(error: Exception) -> FaultError:
    return FaultError(CRASHED, f"{type(error).__name__}: {error}")


class Contestant(NamedTuple):
    """Somebody who competes, whatever seat it has at the moment."""

    name: str
    """As it was written."""

    @property
    def is_program(self) -> bool:
        """Whether it runs beside us."""
        return self.name.startswith(EXEC)

    @property
    def command(self) -> str:
        """What to run, for a program."""
        return self.name.removeprefix(EXEC).strip()

    def sit_down(self, seat: int, rulebook: Rulebook, luck: str, limits: Limits) -> Seated:
        """Take a seat.

        Args:
            seat: which.
            rulebook: of the match.
            luck: from which the dice of our own players follow; a program rolls its own.
            limits: the time for decisions.

        Raises:
            ValueError: nobody has this name.
        """
        if self.is_program:
            return ProgramSeat(self.command, seat, rulebook, limits)
        chosen = chosen_level(self.name, SEATABLE)
        if isinstance(chosen, Refusal):
            raise ValueError(self.name)
        return _Own(chosen.player(luck, limits.time_ms))


def read_seats(written: str) -> tuple[Contestant, ...] | Refusal:
    """Read contestants, a comma between each two; or refuse with ``bad_seats`` or ``bad_level``."""
    names = [""]
    for quoted, separator, other in _PARTS.findall(written):
        if separator:
            names.append("")
        else:
            names[-1] += quoted or other
    found = []
    for name in map(str.strip, names):
        if not name:
            return Refusal("bad_seats", "empty")
        if name.startswith(EXEC):
            if not name.removeprefix(EXEC).strip():
                return Refusal("bad_seats", "no_command")
        elif isinstance(chosen := chosen_level(name, SEATABLE), Refusal):
            return chosen
        found.append(Contestant(name))
    return tuple(found)
