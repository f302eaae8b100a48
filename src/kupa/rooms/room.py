"""Rooms as the store and the server know them: the one object that fulfils :class:`kupa.game.Game`.

Where a game has seats, a room has people: they are who commands come from, and whom views are for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kupa.game import Json
from kupa.refusal import Refusal
from kupa.rooms import commands, engine, events, evolution
from kupa.rooms.state import Person, Room
from kupa.rooms.view import RoomView, view


class Rooms:
    """All rooms are of this kind; see :class:`kupa.game.Game` for what each method does."""

    name = "room"

    def read_command(self, data: Mapping[str, Any], person: Person) -> commands.Command | Refusal:
        """Read what a person asks for."""
        return commands.read_command(data, person)

    def decide(self, room: Room | None, command: commands.Command) -> tuple[events.Event, ...] | Refusal:
        """Return the events that a command leads to, or a refusal."""
        return engine.decide(room, command)

    def evolve(self, room: Room | None, event: events.Event) -> Room:
        """Return the room after an event."""
        return evolution.evolve(room, event)

    def is_over(self, room: Room) -> bool:
        """Tell whether nobody is left in the room."""
        return not room.people

    def view(self, room: Room, person: Person) -> RoomView:
        """Return what a person may know."""
        return view(room, person)

    def write_event(self, event: events.Event) -> Json:
        """Write an event for the log."""
        return events.write_event(event)

    def read_event(self, data: Json, version: int) -> events.Event:
        """Read an event of a log."""
        return events.read_event(data, version)


ROOMS: Final = Rooms()
