"""A live room: its log, who is there, and what everybody in it is told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final

from kupa.game import Json
from kupa.refusal import Refusal
from kupa.rooms.events import CameBack, Joined, SeatMoved
from kupa.rooms.room import ROOMS
from kupa.rooms.state import PLAYING, Room, Seat, seat_in
from kupa.server.bots import DEFAULT_LEVEL, names_for
from kupa.server.frames import written
from kupa.server.live_log import LiveLog
from kupa.server.names import told_apart
from kupa.server.outbox import Outbox
from kupa.server.people import People
from kupa.server.presence import GRACE, Presence
from kupa.server.store import Store
from kupa.server.table import Table, Viewer
from kupa.server.talk import Message, Talk


class Nobody:
    """Somebody to whom nothing is told."""


NOBODY: Final = Nobody()


Ask = Callable[["LiveRoom", str, str, Json], Awaitable[int | Refusal]]
"""Does what a person asks for in a room: the person, the command's name, the command."""


class MatchSeating:
    """Who holds the seats of one match of a room. When the room has ended it, its bots play no more.

    Args:
        room: the room.
        match: the match.
    """

    def __init__(self, room: LiveRoom, match: str) -> None:
        self._room = room
        self._match = match

    def level_at(self, seat: int) -> str | None:
        """Return the level of the bot that plays in a seat now, or stands in; None where a person plays."""
        return self._room.level_at(seat)

    @property
    def is_paused(self) -> bool:
        """Whether the match waits, for good if the room has ended it."""
        return not self._room.room.plays(self._match) or self._room.is_paused


def bot_names(seats: Iterable[Seat], taken: Iterable[str]) -> dict[str, str]:
    """Return the names of bots, by seat: of those that sit there, and of those that stand in.

    Args:
        seats: who sits where.
        taken: what people in the room are called; no bot is called so.
    """
    of_bots = [number for number, seat in enumerate(seats) if seat.level is not None or seat.bot_plays]
    return {str(seat): name for seat, name in names_for(of_bots, taken).items()}


class LiveRoom:
    """One room in memory. Made by :class:`kupa.server.rooms.RoomHost`.

    Args:
        room_id: its id.
        code: its code.
        store: where its log is.
        people: says what people are called.
        talk: keeps what is said.
        clock: seconds that never run backwards.
        ask: does what people ask for.
    """

    def __init__(
        self,
        room_id: str,
        code: str,
        store: Store,
        people: People,
        talk: Talk,
        clock: Callable[[], float],
        ask: Ask,
    ) -> None:
        self.log = LiveLog(room_id, ROOMS, store)
        self.log.hear(self._hear)
        self.id = room_id
        self.code = code
        self.presence = Presence(clock)
        self.table: Table | None = None
        """The match that is played, or the last one; not one that has begun and is still being made."""
        self.noted = (0, 0)
        """The event, and the day, up to which the room has been entered where it is found."""
        self._people = people
        self._talk = talk
        self._ask = ask
        self._listeners: dict[Outbox, str] = {}

    @property
    def room(self) -> Room:
        """The room as it is."""
        room: Room = self.log.state
        return room

    @property
    def last_match(self) -> str:
        """The id of the match that is played, or was last; "" before the first."""
        room = self.room
        return room.deal.match or (room.revealed.match if room.revealed else "")

    async def do(self, person: str, command_id: str, data: Json) -> int | Refusal:
        """Do what a person asks for, once.

        Args:
            person: who asks.
            command_id: the client's name for it: what has been done is not done again.
            data: what is asked for, with its ``type``.

        Returns:
            The number of the last event when it is done, now or before; or why it is not.

        Raises:
            StoreError: the log cannot be written.
        """
        return await self._ask(self, person, command_id, data)

    # Who sits where

    def level_at(self, seat: int) -> str | None:
        """Return the level of the bot that plays in a seat now, or stands in; None where a person plays."""
        held = self.room.seats[seat]
        if held.person is None:
            return held.level
        return DEFAULT_LEVEL if held.bot_plays else None

    @property
    def is_paused(self) -> bool:
        """Whether the match waits, since nobody who plays it is there.

        When all who sit have given it up, whoever is in the room may see its end.
        """
        room = self.room
        players = {seat.person for seat in room.seats if seat.person is not None and not seat.conceded}
        return not self.presence.here & ((players & set(room.people)) or set(room.people))

    def viewer_at(self, match: str, person: str | None) -> Viewer | Nobody:
        """Return what somebody sees a match of the room as: the own seat, None for a watcher, or nobody.

        Seats are changed between matches; at a match that is over they stay as they were.
        """
        room = self.room
        company = room.companies.get(match)
        if company is None:
            return self._viewer(person)
        if person is not None and (seat := seat_in(company, person)) is not None:
            return seat
        return None if person in room.people else NOBODY

    def _viewer(self, person: str | None) -> Viewer | Nobody:
        room = self.room
        if person is None or person not in room.people:
            return NOBODY
        seat = room.seat_of(person)
        if seat is None and not room.settings.watch and room.phase == PLAYING:
            return NOBODY
        return seat

    # What is told

    async def frame(self, person: str) -> Json:
        """Return what a person is told of the room; a person need not be in it."""
        names = told_apart(await self._people.names(self._named()))
        return {
            "type": "room",
            "id": self.id,
            "code": self.code,
            "seq": self.log.seq,
            "view": ROOMS.view(self.room, person),
            "names": names,
            "bots": bot_names(self.room.seats, names.values()),
            "presence": {one: "here" if self.presence.is_here(one) else "away" for one in self.room.people},
            "deadlines": self.deadlines(),
            "grace_ms": int(GRACE * 1000),
        }

    def deadlines(self) -> dict[str, int]:
        """Return how long those on turn still have, in milliseconds, by seat; empty without a think time."""
        think = self.room.settings.think
        if think is None or self.room.phase != PLAYING:
            return {}
        left = {}
        for number, seat in enumerate(self.room.seats):
            passed = self.presence.open_for(number)
            if passed is not None and seat.person is not None and not seat.bot_plays:
                left[str(number)] = max(0, int((think - passed) * 1000))
        return left

    async def frame_text(self, person: str) -> str:
        """Return the frame that tells a person how the room is."""
        return written(await self.frame(person))

    async def messages_text(self, person: str) -> str:
        """Return the frame with the last messages, without those of people whom a person does not read.

        What is said in the room is for those in it: who looks on from outside gets none.
        """
        is_in = person in self.room.people
        found = await self._talk.last(self.id, await self._people.muted_by(person)) if is_in else []
        # Who has left is still called what they are called.
        names = await self._people.names(sorted({message.person for message in found}))
        return written({"type": "messages", "messages": found, "names": names})

    def _named(self) -> list[str]:
        """Return everybody whose name the room tells, those with a seat first, gone or not.

        That is the order at a match that is over, too: of two people of one name the same stays the second.
        """
        seated = self.room.seated
        return [*seated, *(one for one in self.room.people if one not in seated)]

    async def names_at(self, company: Sequence[Seat]) -> list[str | None]:
        """Return the names of the seats of a match, None for who has none.

        Args:
            company: who sits in them (:meth:`kupa.rooms.state.Room.company_of`).
        """
        is_played = company is self.room.seats
        called = self._named() if is_played else [seat.person for seat in company if seat.person is not None]
        names = told_apart(await self._people.names(called))
        bots = bot_names(company, names.values())
        return [
            names.get(seat.person) if seat.person is not None else bots.get(str(number))
            for number, seat in enumerate(company)
        ]

    def listen(self, outbox: Outbox, person: str) -> None:
        """Tell an outbox how the room is and what is said, now and from now on."""
        self._listeners[outbox] = person
        if self.presence.come(person, outbox) and person in self.room.people:
            self._came_back(person)
            self.tell_all()
        self.show_to(outbox)
        outbox.show_messages()

    def leave(self, outbox: Outbox) -> None:
        """Tell an outbox nothing more."""
        person = self._listeners.pop(outbox, None)
        if person is not None and self.presence.go(person, outbox):
            self.tell_all()

    def _came_back(self, person: str) -> None:
        """Give somebody the time back for which the connection was broken."""
        seat = self.room.seat_of(person)
        if seat is not None:
            self.presence.give_back(seat, self.presence.was_away.pop(person, 0.0))

    def _hear(self, happened: Sequence[Any]) -> None:
        """Take in what has happened in the room, and tell everybody."""
        for event in happened:
            if isinstance(event, CameBack):
                self.presence.begin_anew(event.seat)
            elif isinstance(event, Joined):
                self._show_messages(event.person)
            elif isinstance(event, SeatMoved):
                self._show_messages(event.to)
        self.tell_all()

    def _show_messages(self, person: str) -> None:
        """Have somebody who has come in told what was said last."""
        for outbox, listener in self._listeners.items():
            if listener == person:
                outbox.show_messages()

    def tell_all(self) -> None:
        """Have everybody told how the room is."""
        for outbox in self._listeners:
            self.show_to(outbox)

    def show_to(self, outbox: Outbox) -> None:
        """Have an outbox told how the room is; that a match is played not before there is one to go to."""
        match = self.room.deal.match
        if self.room.phase != PLAYING or (self.table is not None and self.table.id == match):
            outbox.show_room()

    def take_table(self, table: Table) -> None:
        """Take up the match that is played, and tell everybody of it."""
        self.table = table
        self.note_table(table)
        self.tell_all()

    @property
    def is_watched(self) -> bool:
        """Whether anybody listens."""
        return bool(self._listeners)

    async def say(self, person: str, kind: str, text: str) -> Message | Refusal:
        """Say something to everybody in the room who reads the person."""
        if person not in self.room.people:
            return Refusal("not_in_room")
        message = await self._talk.add(self.id, person, kind, text)
        if isinstance(message, Refusal):
            return message
        frame = written({"type": "said", "message": message})
        for outbox, listener in list(self._listeners.items()):
            muted = await self._people.muted_by(listener)
            if listener in self.room.people and person not in muted:
                outbox.say(frame)
        return message

    # Decisions

    def note_table(self, table: Table) -> None:
        """Note whose decisions are open at the table of the room's match."""
        view: Any = table.state
        decision = (view.round, view.phase, len(view.tricks), len(view.trick))
        passing = (view.round, view.phase)
        self.presence.note_decisions(
            (seat, passing if view.phase == "pass" else decision) for seat in table.game.to_act(table.state)
        )
        if self.room.settings.think is not None:
            self.tell_all()
