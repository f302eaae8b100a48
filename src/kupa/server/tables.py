"""All live matches: made, found by id, replayed from the log when asked for, let go when nobody plays."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from kupa.game import Game, Json, replay
from kupa.games import registry
from kupa.keys import bad_request
from kupa.refusal import Refusal
from kupa.rooms.room import ROOMS
from kupa.server.bot_seats import BotSeats
from kupa.server.bots import DEFAULT_LEVEL, PLAYERS, PlayerMaker, names_at, new_luck
from kupa.server.people import Change, Gone
from kupa.server.seating import OwnSeating, Seating
from kupa.server.starts import FACTS, facts_of, options_told_by, with_chance
from kupa.server.store import (
    MatchRecord,
    Outcome,
    Store,
    StoreError,
    UnreadableMatchError,
    milliseconds_now,
)
from kupa.server.table import PERSON, Table, new_events

ID_BYTES: Final = 16
"""How much randomness an id holds, in bytes: whoever knows it holds the person's seat."""
_ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")

SEAT_BOTS: Final = frozenset({"hearts"})
"""The games that bots play, and whose start may therefore name their level."""

IDLE_AFTER: Final = 600.0
"""Seconds after which a table that nobody watches is let go from memory."""
LOOKS_EVERY: Final = 60.0
"""Seconds between two looks for such tables."""


SeatingOf = Callable[[str, str], Awaitable[Seating | None]]
"""Returns who holds the seats of a room's match, by the ids of both; None if there is no such room."""


def new_id() -> str:
    """Return an id that nobody can guess."""
    return secrets.token_urlsafe(ID_BYTES)


class Planned(NamedTuple):
    """A match that could be made."""

    game: Game
    events: Sequence[Any]
    """Its first events."""
    options: Json
    """What it was planned from, the deal among it."""
    level: str
    """The level of the bots."""


def with_facts(record: MatchRecord, **facts: Any) -> MatchRecord:
    """Return what is kept of a match with more facts."""
    return msgspec.structs.replace(record, facts={**record.facts, **facts})


class _Seated:
    """A table in memory, with its bots, and when it was last asked for."""

    def __init__(self, table: Table, seating: Seating, bots: BotSeats, now: float) -> None:
        self.table = table
        self.seating = seating
        self.bots = bots
        self.used_at = now


class Tables:
    """The matches of one store.

    Args:
        store: the log; open it before anything is asked for here, and close it after ``close``.
        games: the games by name; all of Kupa if left out.
        bots: the bots by level.
        clock: seconds that never run backwards.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game] | None = None,
        bots: Mapping[str, PlayerMaker] = PLAYERS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._games = registry() if games is None else games
        self._bots = bots
        self._clock = clock
        self.seating_of: SeatingOf | None = None
        """Who holds the seats of the matches of rooms; set by the rooms themselves."""
        self._seated: dict[str, _Seated] = {}
        self._loading: dict[str, asyncio.Task[_Seated | None]] = {}

    async def create(self, game_name: str, options: Mapping[str, Any], owner: str | None) -> str | Refusal:
        """Make a new match; the person sits in seat 0, bots in all others.

        Args:
            game_name: the permanent name of a game.
            options: what the game's ``read_start`` takes; a deal that is not given is drawn. For games of
                several seats also ``bots``: the level of the bots.
            owner: the hash of a guest's token, or None.

        Returns:
            The id of the match, or why it cannot be: ``bad_request`` or what the game refuses.

        Raises:
            StoreError: the log cannot be written.
        """
        planned = self.plan(game_name, options)
        return planned if isinstance(planned, Refusal) else await self.make(planned, owner)

    def plan(self, game_name: str, options: Mapping[str, Any]) -> Planned | Refusal:
        """Return the match that :meth:`create` would make, not yet made, or why it cannot be."""
        game = self._games.get(game_name)
        if game is None:
            return bad_request("unknown_game", game=game_name)
        started = with_chance(game_name, dict(options))
        level = self._level(started.pop("bots", None) if game_name in SEAT_BOTS else None)
        if isinstance(level, Refusal):
            return level
        command = game.read_start(started)
        events = command if isinstance(command, Refusal) else game.decide(None, command)
        return events if isinstance(events, Refusal) else Planned(game, events, started, level)

    async def make(self, planned: Planned, owner: str | None) -> str:
        """Make a match that was planned; returns its id.

        Raises:
            StoreError: the log cannot be written.
        """
        return await self._keep(self._record(*planned, owner, new_id()), planned.game, planned.events)

    def _level(self, asked: Any) -> str | Refusal:
        """Return the level that was asked for, or the usual one."""
        if asked is None:
            return DEFAULT_LEVEL if DEFAULT_LEVEL in self._bots else next(iter(self._bots))
        return asked if asked in self._bots else bad_request("unknown_level", level=str(asked))

    async def adopt(self, game_name: str, events: Sequence[Any], owner: str | None) -> str:
        """Make a match of events that have happened elsewhere; the person sits in seat 0, bots in the others.

        Args:
            game_name: the permanent name of a game.
            events: the match so far, from its first event on; they have to hold by the rules.
            owner: the hash of a guest's token, or None.

        Returns:
            The id of the match.

        Raises:
            StoreError: the log cannot be written.
        """
        game = self._games[game_name]
        record = self._record(
            game, events, options_told_by(events[0]), str(self._level(None)), owner, new_id()
        )
        return await self._keep(with_facts(record, taken_in=True), game, events)

    async def begin(self, match_id: str, room_id: str, options: Json) -> None:
        """Make the match of a room, unless it is there already.

        Args:
            match_id: the id that the room has given it.
            room_id: the room.
            options: what Hearts' ``read_start`` takes, the seed among them.

        Raises:
            StoreError: the log cannot be written.
            ValueError: there can be no such match; rooms are opened with rules that can be.
        """
        game = self._games["hearts"]
        command = game.read_start(options)
        events = command if isinstance(command, Refusal) else game.decide(None, command)
        if isinstance(events, Refusal):
            raise ValueError(events.code)
        record = self._record(game, events, options, str(self._level(None)), None, match_id)
        await self._store.create(with_facts(record, room=room_id), new_events(game, events))

    async def _keep(self, record: MatchRecord, game: Game, events: Sequence[Any]) -> str:
        """Store a new match with its first events, and open it; returns its id."""
        if await self._store.create(record, new_events(game, events)) is not Outcome.STORED:
            raise StoreError("store_failed")
        await self.open(record.id)
        return record.id

    def _record(
        self, game: Game, events: Sequence[Any], options: Json, level: str, owner: str | None, match_id: str
    ) -> MatchRecord:
        """Return what is kept of a new match beside its events."""
        state = replay(game, events)
        players = game.seats(state)
        now = milliseconds_now()
        return MatchRecord(
            id=match_id,
            game=game.name,
            owner=owner,
            facts=facts_of(options, players, names_at(players), level, new_luck()),
            created_at=now,
            updated_at=now,
            over=game.is_over(state),
        )

    async def open(self, match_id: str) -> Table | None:
        """Return a match, live, or None if there is none of this id.

        Raises:
            UnreadableMatchError: its log cannot be replayed.
            StoreError: the log cannot be read.
        """
        seated = await self._find(match_id)
        return None if seated is None else seated.table

    async def command(
        self, match_id: str, command_id: str, data: Json, seat: int = PERSON
    ) -> int | Refusal | None:
        """Do what a person asks for in a match; then the bots act, without being waited for.

        Args:
            match_id: the match.
            command_id: the client's name for the command: one that has been done is not done again.
            data: the command, as the game's ``read_command`` takes it.
            seat: the person's seat.

        Returns:
            The number of the last event when it is done; why it is refused; None if there is no such match.

        Raises:
            UnreadableMatchError, StoreError: as for ``open``, and if the log cannot be written.
        """
        seated = await self._find(match_id)
        if seated is None:
            return None
        command = seated.table.game.read_command(data, seat)
        if isinstance(command, Refusal):
            return command
        # The seat is part of the name, so that no seat can use up another's.
        answer = await seated.table.do(command, f"{seat}:{command_id}")
        seated.bots.wake()
        return answer

    def live(self, match_id: str) -> Table | None:
        """Return a match if it is in memory."""
        seated = self._seated.get(match_id)
        return None if seated is None else seated.table

    def wake(self, match_id: str) -> None:
        """Have the bots of a match act, if it is in memory and one of them is to."""
        seated = self._seated.get(match_id)
        if seated is not None:
            seated.bots.wake()

    async def people_changed(self, change: Change) -> None:
        """Let go of the matches that went with a person who has been taken out of the house."""
        for match_id in change.matches if isinstance(change, Gone) else ():
            seated = self._seated.pop(match_id, None)
            if seated is not None:
                await seated.bots.stop()

    async def bots_rest(self, match_id: str) -> None:
        """Wait until no bot of a match has anything to do; for tests and for clients without a socket."""
        seated = await self._find(match_id)
        if seated is not None:
            await seated.bots.rest()

    async def list_for(self, owner: str) -> list[MatchRecord]:
        """Return an owner's matches, the one played last first."""
        return [record for record in await self._store.matches_of(owner) if record.facts.keys() >= FACTS]

    async def _find(self, match_id: str) -> _Seated | None:
        if _ID.fullmatch(match_id) is None:
            return None
        seated = self._seated.get(match_id)
        if seated is None:
            seated = await self._load_once(match_id)
        if seated is not None:
            seated.used_at = self._clock()
            await seated.table.load()
            seated.bots.wake()
        return seated

    async def _load_once(self, match_id: str) -> _Seated | None:
        """Load a match; those who ask meanwhile wait for the same load, even if the first goes away."""
        loading = self._loading.get(match_id)
        if loading is None:
            loading = asyncio.create_task(self._load(match_id), name="load a match")
            self._loading[match_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(match_id, None))
        return await asyncio.shield(loading)

    async def _load(self, match_id: str) -> _Seated | None:
        record = await self._store.match(match_id)
        if record is None or record.game == ROOMS.name:
            return None
        game = self._games.get(record.game)
        if game is None or not record.facts.keys() >= FACTS:
            raise UnreadableMatchError("unknown game, or what is kept of the match is damaged")
        table = Table(record, game, self._store)
        seating = await self._seating(table)
        bots = BotSeats(table, seating, self._maker, record.facts.get("luck") or new_luck())
        await table.load()
        seated = _Seated(table, seating, bots, self._clock())
        self._seated[match_id] = seated
        return seated

    async def _seating(self, table: Table) -> Seating:
        if table.room is None:
            return OwnSeating(table.facts["bots"])
        seating = None if self.seating_of is None else await self.seating_of(table.room, table.id)
        if seating is None:
            raise UnreadableMatchError("the room of the match is gone")
        return seating

    def _maker(self, level: str) -> PlayerMaker:
        """Return what makes the players of a level; one that is no longer there plays as the usual one."""
        return self._bots.get(level) or self._bots[str(self._level(None))]

    # Keeping memory small

    def __len__(self) -> int:
        """Return how many matches are in memory."""
        return len(self._seated)

    def let_go_of_idle(self) -> None:
        """Forget the tables that nobody watches and nobody has asked for in a while; the log has them."""
        latest = self._clock() - IDLE_AFTER
        for match_id, seated in list(self._seated.items()):
            if not seated.table.is_watched and not seated.bots.are_acting and seated.used_at <= latest:
                del self._seated[match_id]

    async def keep_small(self) -> None:
        """Look for idle tables for ever; to be run as a task."""
        while True:
            await asyncio.sleep(LOOKS_EVERY)
            self.let_go_of_idle()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Tables]:
        """Open the store and keep memory small during the context; then stop the bots and close the store."""
        await self._store.open()
        keeper = asyncio.create_task(self.keep_small(), name="let go of idle tables")
        try:
            yield self
        finally:
            keeper.cancel()
            await asyncio.wait({keeper})
            for seated in list(self._seated.values()):
                await seated.bots.stop()
            await self._store.close()
