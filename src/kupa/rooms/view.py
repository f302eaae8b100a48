"""What one person may know of a room, built up from nothing.

The secret of a deal and the seed that follows from it are nobody's before the match is over. Everything else
that happens in a room is told to everybody in it.
"""

from __future__ import annotations

import msgspec

from kupa.rooms.state import Deal, Person, Room, Seat, Settings


class SeatView(msgspec.Struct, frozen=True):
    """Who sits in a seat; both None where it is open."""

    person: Person | None
    level: str | None
    """The level of a bot."""
    bot_plays: bool
    """Whether a bot plays for the person for the time being."""
    conceded: bool
    """Whether the person has given the match up."""


class Revealed(msgspec.Struct, frozen=True):
    """What the deals of the last match were made of."""

    match: str
    commitment: str
    secret: str
    contributions: tuple[str, ...]
    seed: str


class RoomView(msgspec.Struct, frozen=True, kw_only=True):
    """All that a person may know of a room."""

    phase: str
    """``gathering``, ``playing`` or ``over``."""
    host: Person
    me: Person
    my_seat: int | None
    settings: Settings
    seats: tuple[SeatView, ...]
    people: tuple[Person, ...]
    """Everybody in the room, in the order in which they came."""
    commitment: str
    """What the deals of the match in play, or of the next, are sealed with."""
    contributed: tuple[Person, ...]
    """Who has added to the next deal."""
    match: str | None
    """The match in play, or the last one."""
    revealed: Revealed | None


def view(room: Room, person: Person) -> RoomView:
    """Return what a person may know of a room."""
    return RoomView(
        phase=room.phase,
        host=room.host,
        me=person,
        my_seat=room.seat_of(person),
        settings=room.settings,
        seats=tuple(map(_seat_view, room.seats)),
        people=room.people,
        commitment=room.deal.commitment,
        contributed=tuple(room.given),
        match=room.deal.match or (room.revealed.match if room.revealed else None),
        revealed=_revealed(room.revealed),
    )


def _seat_view(seat: Seat) -> SeatView:
    return SeatView(seat.person, seat.level, seat.bot_plays, seat.conceded)


def _revealed(deal: Deal | None) -> Revealed | None:
    if deal is None:
        return None
    return Revealed(deal.match, deal.commitment, deal.secret, deal.contributions, deal.seed)
