"""The small interface that every game fulfils, and what all games share.

A game is a pure state machine: ``decide`` turns a command into events or a refusal, ``evolve`` applies one
event, ``view`` tells what one seat may know. Store, server, record, terminal and bots know games only by this
interface.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import msgspec

from kupa.refusal import Refusal

EVENT_VERSION: Final = 1
"""The version that events are written in today. Readers accept every version ever written."""

Json = dict[str, Any]
"""A JSON object of built-in types."""


class Game(Protocol):
    """What a game answers; states, commands and events are immutable values of its own."""

    name: str
    """The permanent name: ``"hearts"``, ``"heart-to-heart"``."""

    def read_command(self, data: Mapping[str, Any], seat: int) -> Any:
        """Read a command of a seat from JSON built-ins, such as ``{"type": "play", "card": "2C"}``.

        Returns the command, or a :class:`Refusal` with the code ``bad_request``. The seat comes from the
        caller and never from ``data``.
        """
        ...

    def read_start(self, data: Mapping[str, Any]) -> Any:
        """Read what a new match is to be like; returns the start command, or a :class:`Refusal`.

        Randomness is data: the caller puts a seed (Hearts) or a code (Heart to Heart) into ``data``.
        """
        ...

    def decide(self, state: Any, command: Any) -> Sequence[Any] | Refusal:
        """Return the events that a command leads to (none when nothing happens), or a refusal. Pure.

        ``state`` is None exactly for the start command.
        """
        ...

    def evolve(self, state: Any, event: Any) -> Any:
        """Return the state after an event. Pure; ``state`` is None for the first event."""
        ...

    def seats(self, state: Any) -> int:
        """Return the number of seats."""
        ...

    def to_act(self, state: Any) -> tuple[int, ...]:
        """Return the seats that have a decision open (several while passing), ascending; empty when over."""
        ...

    def is_over(self, state: Any) -> bool:
        """Tell whether no command can change the match any more, save an undo."""
        ...

    def view(self, state: Any, seat: int | None) -> msgspec.Struct:
        """Return all that a seat may know, built up from nothing; None is a watcher, who has no seat."""
        ...

    def event_view(self, event: Any, seat: int | None) -> Json | None:
        """Return what a seat, or a watcher (None), may see of an event; or None: a numbered blank."""
        ...

    def write_event(self, event: Any) -> Json:
        """Write an event as built-ins, for the log: ``{"type": …, …}``."""
        ...

    def read_event(self, data: Json, version: int) -> Any:
        """Read an event of a log of any version.

        Raises:
            ValueError: the data is no event of that version.
        """
        ...


def replay(game: Game, events: Sequence[Any]) -> Any:
    """Return the state after all the events, None for none."""
    state = None
    for event in events:
        state = game.evolve(state, event)
    return state
