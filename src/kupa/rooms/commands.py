"""What can be asked of a room: by the people in it, and by the server itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from kupa.keys import INTEGER, TEXT, Kind, bad_request, check_keys
from kupa.refusal import Refusal
from kupa.rooms.state import Person, Settings


class OpenRoom(msgspec.Struct, frozen=True, kw_only=True):
    """Open a room; its host sits in seat 0."""

    host: Person
    settings: Settings
    secret: str
    """32 random bytes in hex, of which the commitment is shown at once."""
    levels: tuple[str | None, ...] = ()
    """The level of the bot in each seat from the first, None where a person shall sit."""


class Join(msgspec.Struct, frozen=True):
    """Come in, and sit down if a seat is open."""

    person: Person
    kept_from: frozenset[Person] = frozenset()
    """Whom the person does not want to meet, or who does not want to meet the person."""


class Sit(msgspec.Struct, frozen=True):
    """Sit down in an open seat, from another seat or none."""

    person: Person
    seat: int


class Stand(msgspec.Struct, frozen=True):
    """Get up, and stay in the room."""

    person: Person


class Leave(msgspec.Struct, frozen=True):
    """Go away; in the middle of a match that is conceding it."""

    person: Person


class Swap(msgspec.Struct, frozen=True):
    """Have two seats change places."""

    person: Person
    a: int
    b: int


class SeatBot(msgspec.Struct, frozen=True):
    """Put a bot into an open seat."""

    person: Person
    seat: int
    level: str


class FillSeats(msgspec.Struct, frozen=True):
    """Put bots into all open seats."""

    person: Person
    level: str


class OpenSeat(msgspec.Struct, frozen=True):
    """Send the bot of a seat away."""

    person: Person
    seat: int


class Remove(msgspec.Struct, frozen=True):
    """Send a person away."""

    person: Person
    whom: Person


class HandOver(msgspec.Struct, frozen=True):
    """Make somebody else the host."""

    person: Person
    to: Person


class Contribute(msgspec.Struct, frozen=True):
    """Add random bytes to the next deal."""

    person: Person
    given: str
    """16 bytes in hex."""


class StartPlay(msgspec.Struct, frozen=True):
    """Begin the match."""

    person: Person
    match: str
    """The id of the match to be; random, so it comes from the server."""


class Concede(msgspec.Struct, frozen=True):
    """Give the match up: a bot plays it to its end."""

    person: Person


class Back(msgspec.Struct, frozen=True):
    """Take the seat back from the bot that has played for one."""

    person: Person


class Rematch(msgspec.Struct, frozen=True):
    """Gather for another match, everybody in the seat they had."""

    person: Person


# The server's own


class TakeOver(msgspec.Struct, frozen=True):
    """Have a bot play for the person of a seat, who is away or has taken too long."""

    seat: int


class Finish(msgspec.Struct, frozen=True):
    """The match is over, or nobody plays it any more: show what its deals were made of, and seal another."""

    match: str
    secret: str
    """The secret of the next deal, 32 random bytes in hex."""


class MoveSeat(msgspec.Struct, frozen=True):
    """Give a person's place in the room to another, who has shown the link for it."""

    person: Person
    to: Person
    kept_from: frozenset[Person] = frozenset()
    """Whom the other does not want to meet, or who does not want to meet the other."""


class Become(msgspec.Struct, frozen=True):
    """Know a guest by the account that they have signed in to, wherever the room remembers them."""

    person: Person
    to: Person
    kept_from: frozenset[Person] = frozenset()
    """Whom the account does not want to meet, or who does not want to meet the account."""


class ReplaceHost(msgspec.Struct, frozen=True):
    """Make somebody else the host: who it was has gone."""

    to: Person


Command = (
    OpenRoom
    | Join
    | Sit
    | Stand
    | Leave
    | Swap
    | SeatBot
    | FillSeats
    | OpenSeat
    | Remove
    | HandOver
    | Contribute
    | StartPlay
    | Concede
    | Back
    | Rematch
    | TakeOver
    | Finish
    | MoveSeat
    | Become
    | ReplaceHost
)

Make = Callable[..., Command]

_READERS: Final[dict[str, tuple[Make, dict[str, Kind]]]] = {
    "sit": (Sit, {"seat": INTEGER}),
    "stand": (Stand, {}),
    "leave": (Leave, {}),
    "swap": (Swap, {"a": INTEGER, "b": INTEGER}),
    "bot": (SeatBot, {"seat": INTEGER, "level": TEXT}),
    "fill": (FillSeats, {"level": TEXT}),
    "open": (OpenSeat, {"seat": INTEGER}),
    "remove": (Remove, {"whom": TEXT}),
    "host": (HandOver, {"to": TEXT}),
    "contribute": (Contribute, {"given": TEXT}),
    "concede": (Concede, {}),
    "back": (Back, {}),
    "rematch": (Rematch, {}),
}
"""What a person may ask for, by its ``type``: the command, and the keys it is read from.

The server reads ``join`` and ``start`` itself: it adds whom one is kept from, and the id of the match.
"""


def read_command(data: Mapping[str, Any], person: Person) -> Command | Refusal:
    """Read what a person asks for; ``bad_request`` where it is nothing that a room knows."""
    kind = data.get("type")
    if not isinstance(kind, str):
        return bad_request("missing_key" if kind is None else "not_text", key="type")
    reader = _READERS.get(kind)
    if reader is None:
        return bad_request("unknown_type", type=kind)
    make, keys = reader
    refusal = check_keys(data, {"type": TEXT, **keys})
    return refusal if refusal is not None else make(person, **{key: data[key] for key in keys})
