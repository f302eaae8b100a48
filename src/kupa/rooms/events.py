"""What may happen in a room.

The log keeps events for ever, so fields are only ever added, with a default that means what was meant before.
People are named by their ids alone: a name can be taken out of the house without touching a log.
"""

from __future__ import annotations

from typing import Any

import msgspec

from kupa.game import Json
from kupa.rooms.state import Person, Settings


class _Event(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """An event; written as a JSON object whose ``type`` is the tag."""


class Opened(_Event, frozen=True, tag="opened"):
    """The room was opened, and its first deal sealed."""

    host: Person
    settings: Settings
    levels: tuple[str | None, ...]
    commitment: str
    secret: str


class Joined(_Event, frozen=True, tag="joined"):
    """Somebody came in."""

    person: Person


class Left(_Event, frozen=True, tag="left"):
    """Somebody went away, and the seat, if there was one, is open, or in a match a bot's."""

    person: Person


class Sat(_Event, frozen=True, tag="sat"):
    """Somebody sat down; the seat they had is open."""

    person: Person
    seat: int


class Stood(_Event, frozen=True, tag="stood"):
    """Somebody got up."""

    person: Person


class Swapped(_Event, frozen=True, tag="swapped"):
    """Two seats changed places."""

    a: int
    b: int


class BotSat(_Event, frozen=True, tag="bot_sat"):
    """A bot was put into a seat."""

    seat: int
    level: str


class SeatOpened(_Event, frozen=True, tag="seat_opened"):
    """The bot of a seat was sent away."""

    seat: int


class Removed(_Event, frozen=True, tag="removed"):
    """Somebody was sent away for good."""

    person: Person


class HostChanged(_Event, frozen=True, tag="host_changed"):
    """Somebody else is the host."""

    person: Person


class Contributed(_Event, frozen=True, tag="contributed"):
    """Somebody added to the next deal."""

    person: Person
    given: str


class Started(_Event, frozen=True, tag="started"):
    """The match began, dealt from a seed that nobody alone could choose."""

    match: str
    contributions: tuple[str, ...]
    seed: str


class TakenOver(_Event, frozen=True, tag="taken_over"):
    """A bot plays for the person of a seat."""

    seat: int


class CameBack(_Event, frozen=True, tag="came_back"):
    """The person of a seat plays again."""

    seat: int


class Conceded(_Event, frozen=True, tag="conceded"):
    """The person of a seat gave the match up."""

    seat: int


class SeatMoved(_Event, frozen=True, tag="seat_moved"):
    """A person's place in the room is another's now."""

    person: Person
    to: Person


class Recognised(_Event, frozen=True, tag="recognised"):
    """A guest is known as somebody else from now on, in what has been as well."""

    person: Person
    to: Person


class Revealed(_Event, frozen=True, tag="revealed"):
    """The match is over, or given up by all: its secret may be known. Another deal is sealed."""

    commitment: str
    secret: str


class Gathered(_Event, frozen=True, tag="gathered"):
    """The company gathers for another match."""


Event = (
    Opened
    | Joined
    | Left
    | Sat
    | Stood
    | Swapped
    | BotSat
    | SeatOpened
    | Removed
    | HostChanged
    | Contributed
    | Started
    | TakenOver
    | CameBack
    | Conceded
    | SeatMoved
    | Recognised
    | Revealed
    | Gathered
)


def write_event(event: Event) -> Json:
    """Write an event as built-ins."""
    data: Any = msgspec.to_builtins(event)
    return dict(data)


def read_event(data: Json, version: int) -> Event:
    """Read an event of a log.

    Raises:
        ValueError: the data is no event of that version.
    """
    if version != 1:
        raise ValueError(f"events of version {version} are not known")
    event: Event = msgspec.convert(data, Event)
    return event
