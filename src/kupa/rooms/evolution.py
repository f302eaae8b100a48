"""How a room changes with each event. Asks no rule, so that a log of any release replays."""

from __future__ import annotations

from functools import singledispatch

from msgspec.structs import replace

from kupa.rooms import events
from kupa.rooms.state import GATHERING, OVER, PLAYING, Deal, Person, Room, Seat


def evolve(room: Room | None, event: events.Event) -> Room:
    """Return the room after an event.

    Raises:
        ValueError: the event cannot happen here; no log of ours holds it.
    """
    if isinstance(event, events.Opened):
        if room is not None:
            raise ValueError("a room is opened once")
        seats = tuple(Seat(level=level) for level in event.levels)
        seats += (Seat(),) * (event.settings.players - len(seats))
        return Room(
            settings=event.settings,
            host=event.host,
            seats=(Seat(person=event.host), *seats[1:]),
            people=(event.host,),
            deal=Deal(event.commitment, event.secret),
        )
    if room is None:
        raise ValueError("nothing happens in a room that is not open")
    return _after(event, room)


@singledispatch
def _after(event: object, room: Room) -> Room:  # noqa: ARG001 (for those below)
    raise ValueError(f"{type(event).__name__} is no event of a room")


@_after.register
def _(event: events.Joined, room: Room) -> Room:
    return replace(room, people=(*room.people, event.person))


@_after.register
def _(event: events.Left, room: Room) -> Room:
    return _without(room, event.person)


@_after.register
def _(event: events.Removed, room: Room) -> Room:
    return replace(_without(room, event.person), removed=room.removed | {event.person})


@_after.register
def _(event: events.Sat, room: Room) -> Room:
    return _seated(_emptied(room, event.person), event.seat, Seat(person=event.person))


@_after.register
def _(event: events.Stood, room: Room) -> Room:
    return _emptied(room, event.person)


@_after.register
def _(event: events.Swapped, room: Room) -> Room:
    a, b = room.seats[event.a], room.seats[event.b]
    return _seated(_seated(room, event.a, b), event.b, a)


@_after.register
def _(event: events.BotSat, room: Room) -> Room:
    return _seated(room, event.seat, Seat(level=event.level))


@_after.register
def _(event: events.SeatOpened, room: Room) -> Room:
    return _seated(room, event.seat, Seat())


@_after.register
def _(event: events.HostChanged, room: Room) -> Room:
    return replace(room, host=event.person)


@_after.register
def _(event: events.Contributed, room: Room) -> Room:
    return replace(room, given={**room.given, event.person: event.given})


@_after.register
def _(event: events.Started, room: Room) -> Room:
    deal = replace(room.deal, match=event.match, contributions=event.contributions, seed=event.seed)
    return replace(room, phase=PLAYING, deal=deal, given={}, revealed=None, matches=room.matches + 1)


@_after.register
def _(event: events.TakenOver, room: Room) -> Room:
    return _seated(room, event.seat, replace(room.seats[event.seat], bot_plays=True))


@_after.register
def _(event: events.CameBack, room: Room) -> Room:
    return _seated(room, event.seat, replace(room.seats[event.seat], bot_plays=False))


@_after.register
def _(event: events.Conceded, room: Room) -> Room:
    return _seated(room, event.seat, replace(room.seats[event.seat], conceded=True, bot_plays=True))


@_after.register
def _(event: events.SeatMoved, room: Room) -> Room:
    def moved(person: Person | None) -> Person | None:
        return event.to if person == event.person else person

    kept = [person for person in room.people if person != event.to]
    return replace(
        room,
        host=moved(room.host),
        people=tuple(event.to if person == event.person else person for person in kept),
        seats=_renamed(room.seats, event.person, event.to),
        given={event.to if person == event.person else person: given for person, given in room.given.items()},
    )


@_after.register
def _(event: events.Recognised, room: Room) -> Room:
    removed = room.removed | {event.to} if event.person in room.removed else room.removed
    companies = {match: _renamed(seats, event.person, event.to) for match, seats in room.companies.items()}
    return replace(room, removed=removed, companies=companies)


@_after.register
def _(event: events.Revealed, room: Room) -> Room:
    seats = tuple(Seat(seat.person, seat.level) for seat in room.seats)
    return replace(
        room,
        phase=OVER,
        # Who left in the middle of the match has kept the seat up to here.
        seats=tuple(Seat() if seat.person and seat.person not in room.people else seat for seat in seats),
        companies={**room.companies, room.deal.match: room.seats},
        revealed=room.deal,
        deal=Deal(event.commitment, event.secret),
    )


@_after.register
def _(_event: events.Gathered, room: Room) -> Room:
    return replace(room, phase=GATHERING)


def _seated(room: Room, number: int, seat: Seat) -> Room:
    if not 0 <= number < len(room.seats):
        raise ValueError(f"there is no seat {number}")
    return replace(room, seats=(*room.seats[:number], seat, *room.seats[number + 1 :]))


def _renamed(seats: tuple[Seat, ...], person: Person, to: Person) -> tuple[Seat, ...]:
    return tuple(replace(seat, person=to) if seat.person == person else seat for seat in seats)


def _emptied(room: Room, person: Person) -> Room:
    """Return the room with the person's seat open, and what the person gave to the deal taken back."""
    seats = tuple(Seat() if seat.person == person else seat for seat in room.seats)
    return replace(room, seats=seats, given={who: it for who, it in room.given.items() if who != person})


def _without(room: Room, person: Person) -> Room:
    """Return the room without a person; in the middle of a match the seat goes on, played by a bot."""
    stays = room if room.phase == PLAYING else _emptied(room, person)
    return replace(stays, people=tuple(other for other in room.people if other != person))
