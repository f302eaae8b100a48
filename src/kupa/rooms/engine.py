"""Deciding: what a command leads to in a room, or why it cannot be."""

from __future__ import annotations

import re
from functools import singledispatch
from typing import Final

from kupa.refusal import Refusal
from kupa.rooms import commands, events
from kupa.rooms.state import GATHERING, PLAYING, Person, Room, seat_in
from kupa.shuffle import CONTRIBUTION_BYTES, commitment, fair_seed

Events = tuple[events.Event, ...]

_CONTRIBUTION: Final = re.compile(rf"[0-9a-f]{{{2 * CONTRIBUTION_BYTES}}}")
NOTHING: Final[Events] = ()
MOST_PEOPLE: Final = 60
"""How many people a room holds: everybody is told of everybody else, at every change."""


def decide(room: Room | None, command: commands.Command) -> Events | Refusal:
    """Return the events that a command leads to, none if all is so already, or a refusal. Pure."""
    if isinstance(command, commands.OpenRoom):
        if room is not None:
            return Refusal("wrong_phase", "room_open")
        levels = command.levels or (None,) * command.settings.players
        sealed = commitment(bytes.fromhex(command.secret))
        return (events.Opened(command.host, command.settings, levels, sealed, command.secret),)
    if room is None:
        return Refusal("wrong_phase", "no_room")
    return _decided(command, room)


@singledispatch
def _decided(command: object, room: Room) -> Events | Refusal:  # noqa: ARG001 (for those below)
    raise TypeError(f"{type(command).__name__} is no command of a room")


# Coming and going


@_decided.register
def _(command: commands.Join, room: Room) -> Events | Refusal:
    person = command.person
    if person in room.people:
        return NOTHING
    if person in room.removed:
        return Refusal("removed_from_room")
    if room.settings.listed and command.kept_from & set(room.people):
        return Refusal("kept_apart")
    # Whoever comes into a room that all have left is its host.
    heir: Events = () if room.host in room.people else (events.HostChanged(person),)
    if room.seat_of(person) is not None:
        # Who left in the middle of a match and comes back finds a bot in the seat, for good.
        return (events.Joined(person), *heir)
    if len(room.people) >= MOST_PEOPLE:
        return Refusal("room_full", "crowded")
    if room.phase == GATHERING and room.open_seats:
        return (events.Joined(person), events.Sat(person, room.open_seats[0]), *heir)
    if not room.settings.watch and not heir:
        return Refusal("room_full")
    return (events.Joined(person), *heir)


@_decided.register
def _(command: commands.Leave, room: Room) -> Events | Refusal:
    person = command.person
    if person not in room.people:
        return NOTHING
    return (*_giving_up(room, person), events.Left(person), *_new_host(room, person))


@_decided.register
def _(command: commands.Remove, room: Room) -> Events | Refusal:
    refusal = _host_only(room, command.person) or _between_matches(room)
    if refusal is not None:
        return refusal
    if command.whom not in room.people or command.whom == room.host:
        return Refusal("no_such_person")
    return (events.Removed(command.whom),)


@_decided.register
def _(command: commands.HandOver, room: Room) -> Events | Refusal:
    refusal = _host_only(room, command.person)
    if refusal is not None:
        return refusal
    if command.to not in room.people:
        return Refusal("no_such_person")
    return NOTHING if command.to == room.host else (events.HostChanged(command.to),)


@_decided.register
def _(command: commands.ReplaceHost, room: Room) -> Events | Refusal:
    if command.to not in room.people:
        return Refusal("no_such_person")
    return NOTHING if command.to == room.host else (events.HostChanged(command.to),)


@_decided.register
def _(command: commands.MoveSeat, room: Room) -> Events | Refusal:
    if command.person not in room.people or command.to in room.removed:
        return Refusal("no_such_person")
    if command.to == command.person:
        return NOTHING
    if room.seat_of(command.to) is not None:
        return Refusal("already_seated")
    if room.settings.listed and command.kept_from & (set(room.people) - {command.person}):
        return Refusal("kept_apart")
    return (events.SeatMoved(command.person, command.to),)


@_decided.register
def _(command: commands.Become, room: Room) -> Events | Refusal:
    person, to = command.person, command.to
    moved = _decided(commands.MoveSeat(person, to, command.kept_from), room)
    here: Events = () if isinstance(moved, Refusal) else moved
    is_remembered = person in room.removed or any(
        seat_in(seats, person) is not None for seats in room.companies.values()
    )
    return (*here, events.Recognised(person, to)) if is_remembered else here


# Seats, before a match


@_decided.register
def _(command: commands.Sit, room: Room) -> Events | Refusal:
    refusal = _between_matches(room) or _present(room, command.person) or _seat_exists(room, command.seat)
    if refusal is not None:
        return refusal
    if room.seat_of(command.person) == command.seat:
        return NOTHING
    if not room.seats[command.seat].is_open:
        return Refusal("seat_taken")
    return (events.Sat(command.person, command.seat),)


@_decided.register
def _(command: commands.Stand, room: Room) -> Events | Refusal:
    refusal = _between_matches(room) or _present(room, command.person)
    if refusal is not None:
        return refusal
    if not room.settings.watch and command.person != room.host:
        return Refusal("no_watchers")
    return NOTHING if room.seat_of(command.person) is None else (events.Stood(command.person),)


@_decided.register
def _(command: commands.Swap, room: Room) -> Events | Refusal:
    refusal = (
        _host_only(room, command.person)
        or _between_matches(room)
        or _seat_exists(room, command.a)
        or _seat_exists(room, command.b)
    )
    if refusal is not None:
        return refusal
    return NOTHING if command.a == command.b else (events.Swapped(command.a, command.b),)


@_decided.register
def _(command: commands.SeatBot, room: Room) -> Events | Refusal:
    refusal = _host_only(room, command.person) or _between_matches(room) or _seat_exists(room, command.seat)
    if refusal is not None:
        return refusal
    if room.seats[command.seat].person is not None:
        return Refusal("seat_taken")
    if room.seats[command.seat].level == command.level:
        return NOTHING
    return (events.BotSat(command.seat, command.level),)


@_decided.register
def _(command: commands.FillSeats, room: Room) -> Events | Refusal:
    refusal = _host_only(room, command.person) or _between_matches(room)
    if refusal is not None:
        return refusal
    return tuple(events.BotSat(seat, command.level) for seat in room.open_seats)


@_decided.register
def _(command: commands.OpenSeat, room: Room) -> Events | Refusal:
    refusal = _host_only(room, command.person) or _between_matches(room) or _seat_exists(room, command.seat)
    if refusal is not None:
        return refusal
    if room.seats[command.seat].person is not None:
        return Refusal("seat_taken")
    return NOTHING if room.seats[command.seat].is_open else (events.SeatOpened(command.seat),)


# The deal, and the match


@_decided.register
def _(command: commands.Contribute, room: Room) -> Events | Refusal:
    refusal = _between_matches(room) or _sits(room, command.person)
    if refusal is not None:
        return refusal
    if _CONTRIBUTION.fullmatch(command.given) is None:
        return Refusal("bad_request", "not_a_contribution", params={"digits": 2 * CONTRIBUTION_BYTES})
    if command.person in room.given:
        return NOTHING  # the first counts: another tab of the same person adds nothing
    return (events.Contributed(command.person, command.given),)


@_decided.register
def _(command: commands.StartPlay, room: Room) -> Events | Refusal:
    refusal = _host_only(room, command.person) or _between_matches(room)
    if refusal is not None:
        return refusal
    if room.open_seats:
        return Refusal("seats_open", params={"n": len(room.open_seats)})
    if not room.seated:
        return Refusal("nobody_sits")
    if any(person not in room.given for person in room.seated):
        return Refusal("not_sealed")
    given = tuple(room.given[seat.person] if seat.person else "" for seat in room.seats)
    seed = fair_seed(bytes.fromhex(room.deal.secret), tuple(map(bytes.fromhex, given)))
    gathered: Events = () if room.phase == GATHERING else (events.Gathered(),)
    return (*gathered, events.Started(command.match, given, seed))


@_decided.register
def _(command: commands.Concede, room: Room) -> Events | Refusal:
    refusal = _in_play(room) or _sits(room, command.person)
    return refusal if refusal is not None else _giving_up(room, command.person)


@_decided.register
def _(command: commands.TakeOver, room: Room) -> Events | Refusal:
    refusal = _in_play(room) or _seat_exists(room, command.seat)
    if refusal is not None:
        return refusal
    seat = room.seats[command.seat]
    return NOTHING if seat.person is None or seat.bot_plays else (events.TakenOver(command.seat),)


@_decided.register
def _(command: commands.Back, room: Room) -> Events | Refusal:
    refusal = _in_play(room) or _sits(room, command.person)
    if refusal is not None:
        return refusal
    number = room.seat_of(command.person)
    assert number is not None
    if room.seats[number].conceded:
        return Refusal("seat_given_up")
    return (events.CameBack(number),) if room.seats[number].bot_plays else NOTHING


@_decided.register
def _(command: commands.Finish, room: Room) -> Events | Refusal:
    if room.phase != PLAYING or room.deal.match != command.match:
        return NOTHING
    return (events.Revealed(commitment(bytes.fromhex(command.secret)), command.secret),)


@_decided.register
def _(command: commands.Rematch, room: Room) -> Events | Refusal:
    if room.phase == GATHERING:
        return NOTHING
    if room.phase == PLAYING:
        return Refusal("wrong_phase", "in_play")
    refusal = _present(room, command.person)
    return refusal if refusal is not None else (events.Gathered(),)


# What is asked again and again


def _giving_up(room: Room, person: Person) -> Events:
    """Return what it means for a match that a person gives it up; nothing if there is none."""
    number = room.seat_of(person)
    if room.phase != PLAYING or number is None or room.seats[number].conceded:
        return NOTHING
    return (events.Conceded(number),)


def _new_host(room: Room, leaving: Person) -> Events:
    """Return who is the host when somebody leaves: who sits first, else who came first."""
    if room.host != leaving:
        return NOTHING
    heirs = [person for person in (*room.seated, *room.people) if person != leaving and person in room.people]
    return (events.HostChanged(heirs[0]),) if heirs else NOTHING


def _host_only(room: Room, person: Person) -> Refusal | None:
    return None if person == room.host and person in room.people else Refusal("not_host")


def _between_matches(room: Room) -> Refusal | None:
    return Refusal("wrong_phase", "in_play") if room.phase == PLAYING else None


def _in_play(room: Room) -> Refusal | None:
    return None if room.phase == PLAYING else Refusal("wrong_phase", "not_in_play")


def _present(room: Room, person: Person) -> Refusal | None:
    return None if person in room.people else Refusal("not_in_room")


def _sits(room: Room, person: Person) -> Refusal | None:
    return None if room.seat_of(person) is not None and person in room.people else Refusal("not_seated")


def _seat_exists(room: Room, seat: int) -> Refusal | None:
    return None if 0 <= seat < len(room.seats) else Refusal("no_such_seat", params={"seat": seat})
