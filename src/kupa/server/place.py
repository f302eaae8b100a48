"""Where somebody is: at a match, in a seat or watching, and in the room that the match belongs to.

All that a socket, or a request without one, may see and do goes through a place. It is asked again before
each frame whether the place is still the person's.
"""

from __future__ import annotations

from typing import Any

from kupa.game import Json
from kupa.refusal import Refusal
from kupa.server.errors import Problem
from kupa.server.frames import ReactFrame, RoomFrame, SayFrame, view_frame
from kupa.server.live_room import LiveRoom, Nobody
from kupa.server.outbox import Due, Outbox
from kupa.server.rooms import RoomHost
from kupa.server.table import PERSON, Table, Viewer
from kupa.server.tables import Tables
from kupa.server.talk import REACT, SAY


class RefusedPlaceError(Exception):
    """There is no such place, or it is not the person's (any more)."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


class Place:
    """Where one person is.

    Args:
        tables: the live matches.
        rooms: the live rooms.
        person: who it is; None for somebody we do not know, at a match that needs no room.
        table: the match, or None in a room that waits for one.
        room: the room that is followed, or None at a match of one person's own, and at an earlier one of
            a room.
        viewer: as which seat, or None as a watcher, the match is seen.
        host_room: the room that has played the match, or None.
    """

    def __init__(
        self,
        tables: Tables,
        rooms: RoomHost | None,
        person: str | None,
        table: Table | None,
        room: LiveRoom | None,
        viewer: Viewer,
        host_room: LiveRoom | None = None,
    ) -> None:
        self._tables = tables
        self._rooms = rooms
        self.person = person
        self.table = table
        self.room = room
        self.viewer = viewer
        self._host_room = host_room or room

    async def listen(self, outbox: Outbox) -> None:
        """Tell an outbox all that may be seen here, now and from now on."""
        if self.room is not None and self._rooms is not None and self.person is not None:
            self.room.listen(outbox, self.person)
            await self._rooms.come_back(self.room, self.person)
            await self._rooms.settle(self.room)
        if self.table is not None:
            self.table.listen(outbox, self.viewer)

    def leave(self, outbox: Outbox) -> None:
        """Tell an outbox nothing more."""
        if self.table is not None:
            self.table.leave(outbox)
        if self.room is not None:
            self.room.leave(outbox)

    def sync(self, outbox: Outbox) -> None:
        """Have everything sent again."""
        if self.table is not None:
            outbox.resync()
        if self.room is not None:
            self.room.show_to(outbox)

    def check(self) -> None:
        """See that the place is still the person's.

        Raises:
            RefusedPlaceError: ``no_place``: somebody else's now, given up, or sent away.
        """
        if self.room is None or self.person is None:
            return
        if self.person in self.room.room.removed:
            raise RefusedPlaceError(Problem(410, "removed_from_room"))
        if self.table is not None and self.room.viewer_at(self.table.id, self.person) != self.viewer:
            raise RefusedPlaceError(Problem(410, "no_place"))

    async def made(self, due: Due) -> str:
        """Return the frame that is due, as it is now."""
        if due is Due.VIEW and self.table is not None:
            return view_frame(self.table.seq, self.table.view(self.viewer), await self.info())
        assert self.room is not None
        assert self.person is not None
        if due is Due.ROOM:
            return await self.room.frame_text(self.person)
        return await self.room.messages_text(self.person)

    async def info(self) -> Json:
        """Return what is told of the match itself, with the names of those who sit at it."""
        assert self.table is not None
        info = self.table.info(self.viewer)
        room = self._host_room
        if room is None:
            return info
        company = room.room.company_of(self.table.id) or room.room.seats
        info["names"] = await room.names_at(company)
        info["gave_up"] = [number for number, seat in enumerate(company) if seat.conceded]
        if self.room is None:
            info |= {"room": None, "past_room": room.id}
        return info

    async def command(self, command_id: str, data: Json) -> int | Refusal:
        """Do what the person asks for in the match."""
        if self.table is None:
            return Refusal("wrong_phase", "not_in_play")
        if self.viewer is None:
            return Refusal("not_seated")
        if self._host_room is not None:
            room = self._host_room.room
            is_played = room.plays(self.table.id)
            if not is_played and not self.table.game.is_over(self.table.state):
                # All have left it, and it has been revealed; seats of now are no seats of then.
                return Refusal("wrong_phase", "not_in_play")
            if is_played and room.seats[self.viewer].conceded:
                return Refusal("seat_given_up")
        if self.room is not None and self._rooms is not None and self.person is not None:
            await self._rooms.come_back(self.room, self.person)
        answer = await self._tables.command(self.table.id, command_id, data, self.viewer)
        if answer is None:
            raise RefusedPlaceError(Problem(404, "no_such_match"))
        return answer

    async def ask_room(self, frame: RoomFrame | SayFrame | ReactFrame) -> int | Refusal:
        """Do what the person asks for in the room."""
        if self.room is None or self.person is None:
            return Refusal("not_in_room")
        if isinstance(frame, RoomFrame):
            return await self.room.do(self.person, frame.id, frame.command)
        kind = SAY if isinstance(frame, SayFrame) else REACT
        said = await self.room.say(self.person, kind, frame.text)
        return said if isinstance(said, Refusal) else said.id


async def place_at_match(state: Any, match_id: str, person: str | None) -> Place:
    """Return somebody's place at a match.

    A match of one person's own is theirs who know its id; at a room's match sit those who sit in the room,
    and others of the room watch. Who has sat at a match sees it again when it is over, gone or not.

    Raises:
        RefusedPlaceError: ``no_such_match``; that there is one is nobody else's business.
        UnreadableMatchError, StoreError: the match cannot be read.
    """
    tables: Tables = state.tables
    table = await tables.open(match_id)
    if table is None:
        raise RefusedPlaceError(Problem(404, "no_such_match"))
    if table.room is None:
        return Place(tables, None, person, table, None, PERSON)
    rooms: RoomHost = state.rooms
    room = await rooms.open(table.room)
    if room is None:
        raise RefusedPlaceError(Problem(404, "no_such_match"))
    await rooms.settle(room)
    viewer = room.viewer_at(match_id, person)
    if isinstance(viewer, Nobody):
        raise RefusedPlaceError(Problem(404, "no_such_match"))
    followed = room if match_id == room.last_match and person in room.room.people else None
    return Place(tables, rooms, person, table, followed, viewer, room)


async def place_in_room(state: Any, room_id: str, person: str | None) -> Place:
    """Return somebody's place in a room; whoever knows its address may look at it.

    Raises:
        RefusedPlaceError: ``no_such_room``, ``removed_from_room``, or ``signed_out`` for somebody unknown.
        UnreadableMatchError, StoreError: the room cannot be read.
    """
    rooms: RoomHost = state.rooms
    room = await rooms.open(room_id)
    if room is None:
        raise RefusedPlaceError(Problem(404, "no_such_room"))
    if person is None:
        raise RefusedPlaceError(Problem(401, "signed_out"))
    place = Place(state.tables, rooms, person, None, room, None)
    place.check()
    return place
