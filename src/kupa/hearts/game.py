"""Hearts as the rest of Kupa knows it: the one object that fulfils :class:`kupa.game.Game`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kupa.game import Json
from kupa.hearts import commands, engine, events, evolution
from kupa.hearts.state import OVER, State
from kupa.hearts.view import View, view
from kupa.refusal import Refusal


class Hearts:
    """The game of Hearts; see :class:`kupa.game.Game` for what each method does."""

    name = "hearts"

    def read_command(self, data: Mapping[str, Any], seat: int) -> commands.Command | Refusal:
        """Read ``pass``, ``play``, ``moon`` or ``claim``."""
        return commands.read_command(data, seat)

    def read_start(self, data: Mapping[str, Any]) -> commands.StartMatch | Refusal:
        """Read ``rules``, ``seed`` and, optional, ``players``, ``set`` and ``end_early``."""
        return commands.read_start(data)

    def decide(self, state: State | None, command: commands.Command) -> tuple[events.Event, ...] | Refusal:
        """Return the events that a command leads to, or a refusal."""
        return engine.decide(state, command)

    def evolve(self, state: State | None, event: events.Event) -> State:
        """Return the state after an event."""
        return evolution.evolve(state, event)

    def seats(self, state: State) -> int:
        """Return the number of seats."""
        return state.players

    def to_act(self, state: State) -> tuple[int, ...]:
        """Return the seats that have a decision open."""
        return engine.to_act(state)

    def is_over(self, state: State) -> bool:
        """Tell whether the match is over."""
        return state.phase == OVER

    def view(self, state: State, seat: int | None) -> View:
        """Return what a seat, or a watcher (None), may know."""
        return view(state, seat)

    def event_view(self, event: events.Event, seat: int | None) -> Json | None:
        """Return what a seat, or a watcher (None), is told of an event."""
        return event.for_seat(seat)

    def write_event(self, event: events.Event) -> Json:
        """Write an event for the log."""
        return events.write_event(event)

    def read_event(self, data: Json, version: int) -> events.Event:
        """Read an event of a log."""
        return events.read_event(data, version)


HEARTS: Final = Hearts()
