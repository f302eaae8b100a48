"""All live rooms of a server: opened, found, asked, looked after.

A room's match is made, and ended, by what the room's own log says: after a crash the next who opens the room
finds it as it should be.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final

from kupa.bots.levels import LEVELS
from kupa.game import Json
from kupa.hearts.commands import read_start
from kupa.keys import TEXT, bad_request, check_keys
from kupa.refusal import Refusal
from kupa.rooms.commands import (
    Back,
    Become,
    Command,
    Concede,
    Finish,
    Join,
    Leave,
    MoveSeat,
    OpenRoom,
    ReplaceHost,
    StartPlay,
    TakeOver,
)
from kupa.rooms.room import ROOMS
from kupa.rooms.state import PLAYING, Settings
from kupa.server.attempts import MINUTE, Attempts
from kupa.server.errors import note
from kupa.server.live_log import new_events, states_after
from kupa.server.live_room import LiveRoom, MatchSeating
from kupa.server.people import DAY, Change, Gone, Moved, People, Renamed
from kupa.server.presence import GRACE
from kupa.server.results import Results
from kupa.server.room_index import RoomIndex
from kupa.server.store import MatchRecord, Outcome, Store, StoreError, UnreadableMatchError, milliseconds_now
from kupa.server.table import Table
from kupa.server.tables import Tables, new_id
from kupa.server.talk import Talk
from kupa.shuffle import SECRET_BYTES

LOOKS_EVERY: Final = 0.25
"""Seconds between two looks for time that has run out."""
HOST_MISSED_AFTER: Final = 60.0
"""Seconds after which the company gets another host while its own is away."""
IDLE_AFTER: Final = 600.0
"""Seconds after which a room that nobody is in touch with is let go from memory."""
LISTED: Final = 60
"""How many rooms the lobby shows at most."""
STARTS: Final = 20
"""How many matches somebody may begin in a minute, in whatever rooms."""
THINK: Final = range(5, 3601)
"""The seconds that a decision may be given."""

_ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_START: Final = {"type": TEXT}


class RoomHost:
    """The rooms of one server.

    Args:
        store: the log, open.
        people: who is who.
        tables: the live matches; they ask here who sits at those of rooms.
        clock: seconds that never run backwards.
    """

    def __init__(
        self, store: Store, people: People, tables: Tables, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.people = people
        self._store = store
        self._tables = tables
        self._clock = clock
        self._talk = Talk(lambda: store.database, milliseconds_now, clock)
        self.results = Results(store)
        self._index = RoomIndex(lambda: store.database, milliseconds_now)
        self._rooms: dict[str, LiveRoom] = {}
        self._used_at: dict[str, float] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._starts = Attempts(STARTS, MINUTE, clock)
        self._chores: set[asyncio.Task[None]] = set()
        tables.seating_of = self._seating_of
        people.watch(self._people_changed)

    # Found and opened

    async def create(self, person: str, settings: Settings) -> str | Refusal:
        """Open a room whose host is a person.

        Args:
            person: the host, who sits in seat 0.
            settings: how the room's matches are played.

        Returns:
            The id of the room, or why there can be none: ``bad_request`` or what the rules refuse.

        Raises:
            StoreError: the log cannot be written.
        """
        refusal = _impossible(settings)
        if refusal is not None:
            return refusal
        events = ROOMS.decide(None, OpenRoom(host=person, settings=settings, secret=new_secret()))
        assert not isinstance(events, Refusal)
        room = states_after(ROOMS, None, events)[-1]
        now = milliseconds_now()
        record = MatchRecord(new_id(), ROOMS.name, None, {}, now, now, False)
        # Entered first: what a crash leaves without a log is found, and taken out, when its time has come.
        await self._index.add(record.id, room)
        if await self._store.create(record, new_events(ROOMS, events)) is not Outcome.STORED:
            raise StoreError("store_failed")
        return record.id

    async def open(self, room_id: str) -> LiveRoom | None:
        """Return a room, live, its match made and ended as its log says; None if there is none of this id.

        Raises:
            UnreadableMatchError: its log cannot be replayed.
            StoreError: the log cannot be used.
        """
        room = await self._find(room_id)
        if room is not None and room.room.phase == PLAYING:
            await self._match_of(room)
        return room

    async def _find(self, room_id: str) -> LiveRoom | None:
        """Return a room, live, as its log is."""
        if _ID.fullmatch(room_id) is None:
            return None
        async with self._opening.setdefault(room_id, asyncio.Lock()):
            room = self._rooms.get(room_id) or await self._load(room_id)
        if room is None:
            self._opening.pop(room_id, None)
            return None
        self._used_at[room_id] = self._clock()
        await room.log.load()
        return room

    async def _seating_of(self, room_id: str, match: str) -> MatchSeating | None:
        room = await self._find(room_id)
        return None if room is None else MatchSeating(room, match)

    async def _load(self, room_id: str) -> LiveRoom | None:
        code = await self._index.code_of(room_id)
        if code is None:
            return None
        room = LiveRoom(room_id, code, self._store, self.people, self._talk, self._clock, self._asked)
        await room.log.load()
        self._rooms[room_id] = room
        return room

    async def by_code(self, code: str) -> str | None:
        """Return the id of the room that a code leads to, or None."""
        return await self._index.by_code(code)

    async def of(self, person: str) -> list[str]:
        """Return the ids of the rooms that somebody is in, the one in which something happened last first."""
        return await self._index.of(person)

    async def listed(self, person: str | None) -> Sequence[Json]:
        """Return the frames of the rooms that the lobby shows somebody.

        A room is shown while somebody is in touch with it, unless the person and somebody there keep apart.
        """
        kept_from = await self.people.kept_from(person) if person else frozenset()
        found = []
        for room in list(self._rooms.values()):
            told = room.room
            if not told.settings.listed or not room.presence.here & set(told.people):
                continue
            if kept_from & set(told.people) or person in told.removed:
                continue
            if told.phase == PLAYING and not told.settings.watch:
                continue
            found.append(await room.frame(person or ""))
        found.sort(key=lambda frame: (frame["view"].phase == PLAYING, frame["id"]))
        return found[:LISTED]

    # Asked

    async def _asked(self, room: LiveRoom, person: str, command_id: str, data: Json) -> int | Refusal:
        command = await self._read(person, data)
        if isinstance(command, Refusal):
            return command
        if isinstance(command, Concede | Leave):
            await self.settle(room)  # a match that is over cannot be given up any more
        answer = await room.log.do(command, f"{person}:{command_id}")
        await self.settle(room)
        return answer

    async def _read(self, person: str, data: Json) -> Command | Refusal:
        """Read what a person asks for, with what the server knows of it."""
        kind = data.get("type")
        if kind in ("join", "start"):  # whatever it is: a key of a set it need not be
            refusal = check_keys(data, _START)
            if refusal is not None:
                return refusal
            if kind == "join":
                return Join(person, await self.people.kept_from(person))
            if not self._starts.allow(person):
                return Refusal("too_fast", "matches")
            return StartPlay(person, new_id())
        level = data.get("level")
        if isinstance(level, str) and level not in LEVELS:
            return bad_request("unknown_level", level=level)
        return ROOMS.read_command(data, person)

    async def come_back(self, room: LiveRoom, person: str) -> None:
        """Give somebody the seat back that a bot has played for them, if one has."""
        if room.room.phase == PLAYING and room.room.seat_of(person) is not None:
            await room.log.do(Back(person))

    async def move_seat(
        self, room: LiveRoom, person: str, to: str, kept_from: frozenset[str] = frozenset()
    ) -> Refusal | None:
        """Give a person's place in a room to another, unless that one is to be kept from somebody there."""
        answer = await room.log.do(MoveSeat(person, to, kept_from))
        await self.settle(room)
        return answer if isinstance(answer, Refusal) else None

    # Looked after

    async def settle(self, room: LiveRoom) -> None:
        """Bring about what follows from how a room is: its match, the end of it, and where it is found."""
        state = room.room
        if state.phase == PLAYING:
            table = await self._match_of(room)
            is_over = table.game.is_over(table.state)
            if is_over:
                # First, so that a crash in between loses nothing: what is noted already stays as it is.
                await self.results.note(table.id, state.seats)
            if is_over or not state.people:
                await room.log.do(Finish(table.id, new_secret()))
        noted = room.log.seq, milliseconds_now() // DAY
        if room.noted != noted:
            await self._index.note(room.id, room.room)
            room.noted = noted
        self._tables.wake(room.room.deal.match)

    async def _match_of(self, room: LiveRoom) -> Table:
        """Return the match of a room that is playing; it is made if a crash came between."""
        deal, settings = room.room.deal, room.room.settings
        table = await self._tables.open(deal.match)
        if table is None:
            await self._tables.begin(deal.match, room.id, {**start_options(settings), "seed": deal.seed})
            table = await self._tables.open(deal.match)
        if table is None:
            raise UnreadableMatchError("the match of a room is gone")
        if room.table is not table:
            table.hear(lambda _, table=table: self._table_moved(room, table))  # type: ignore[misc]
            room.take_table(table)
        return table

    def table_of(self, room: LiveRoom) -> Table | None:
        """Return the match that a room plays, or None; the room has been opened."""
        return self._tables.live(room.room.deal.match) if room.room.phase == PLAYING else None

    def _table_moved(self, room: LiveRoom, table: Table) -> None:
        """Note what has happened at a room's table; called by the table while it is still busy."""
        if not room.room.plays(table.id):
            return
        room.note_table(table)
        if table.game.is_over(table.state):
            self._do_soon(room)

    def _do_soon(self, room: LiveRoom) -> None:
        task = asyncio.create_task(self._settled(room), name="settle a room")
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    async def _settled(self, room: LiveRoom) -> None:
        try:
            await self.settle(room)
        except (StoreError, UnreadableMatchError) as error:
            note(error)  # whoever opens the room next brings it about

    async def _people_changed(self, change: Change) -> None:
        """Take in that somebody is called otherwise, has signed in, or has been taken out of the house."""
        room_ids = await self.of(change.person)
        if isinstance(change, Moved):
            room_ids += sorted(await self.results.rooms_of(change.person) - set(room_ids))
        for room_id in room_ids:
            try:
                room = await self.open(room_id)
                if room is not None:
                    await self._person_changed(room, change)
            except (StoreError, UnreadableMatchError) as error:
                note(error)  # the others have to hear of it all the same

    async def _person_changed(self, room: LiveRoom, change: Change) -> None:
        if isinstance(change, Renamed):
            room.tell_all()
        elif isinstance(change, Moved):
            # Who sits together in a match plays it to the end; at a table without one they are kept apart.
            is_apart = room.room.phase != PLAYING
            kept_from = await self.people.kept_from(change.to) if is_apart else frozenset()
            await room.log.do(Become(change.person, change.to, kept_from))
            await self.settle(room)
        elif isinstance(change, Gone):
            await self.settle(room)
            await room.log.do(Leave(change.person))
            await self.settle(room)

    async def tick(self) -> None:
        """Look at every room for time that has run out."""
        for room in list(self._rooms.values()):
            if not room.is_watched:
                continue
            try:
                await self._look_for_host(room)
                if room.room.phase == PLAYING:
                    await self._look_at_seats(room)
            except Exception as error:  # a room that cannot be looked after must not be the end of the others
                note(error)

    async def _look_for_host(self, room: LiveRoom) -> None:
        state = room.room
        if room.presence.away_for(state.host) < HOST_MISSED_AFTER:
            return
        # Who has left in the middle of a match keeps the seat, and may look on from outside.
        heirs = (one for one in (*state.seated, *state.people) if one in state.people)
        there = [one for one in heirs if room.presence.is_here(one)]
        if there:
            await room.log.do(ReplaceHost(there[0]))
            await self.settle(room)

    async def _look_at_seats(self, room: LiveRoom) -> None:
        """Have bots play for those who are away or have taken too long, if anybody is there to play with."""
        if room.is_paused:
            return
        think = room.room.settings.think
        for number, seat in enumerate(room.room.seats):
            if seat.person is None or seat.bot_plays:
                continue
            used = room.presence.used_by(seat.person, number)
            is_late = think is not None and used is not None and used >= think
            if is_late or room.presence.away_for(seat.person) >= GRACE:
                await room.log.do(TakeOver(number))
                self._tables.wake(room.room.deal.match)

    def let_go_of_idle(self) -> None:
        """Forget the rooms that nobody is in touch with; the log has them.

        A room whose match is in memory stays: the bots of that table ask this very room who sits there.
        """
        latest = self._clock() - IDLE_AFTER
        for room_id, room in list(self._rooms.items()):
            if self._tables.live(room.room.deal.match) is not None:
                continue
            if not room.is_watched and self._used_at.get(room_id, 0.0) <= latest:
                del self._rooms[room_id]
                self._used_at.pop(room_id, None)
                self._opening.pop(room_id, None)

    async def _look_for_ever(self) -> None:
        while True:
            await asyncio.sleep(LOOKS_EVERY)
            await self.tick()
            self.let_go_of_idle()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[RoomHost]:
        """Look after the rooms during the context."""
        keeper = asyncio.create_task(self._look_for_ever(), name="look after rooms")
        try:
            yield self
        finally:
            keeper.cancel()
            await asyncio.wait({keeper, *self._chores})


def new_secret() -> str:
    """Return the secret of a deal, in hex."""
    return secrets.token_hex(SECRET_BYTES)


def start_options(settings: Settings) -> Json:
    """Return the options of a room's match, all but its seed."""
    return {
        "rules": settings.rules,
        "players": settings.players,
        "set": settings.set,
        "end_early": settings.end_early,
    }


def _impossible(settings: Settings) -> Refusal | None:
    """Return why a room cannot be opened, or None."""
    if settings.think is not None and settings.think not in THINK:
        return bad_request("bad_think", least=THINK.start, most=THINK.stop - 1)
    start: Any = read_start({**start_options(settings), "seed": ""})
    return start if isinstance(start, Refusal) else None
