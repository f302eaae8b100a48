"""A store that lives in memory and ends with the process: for trying things out, and for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from sqlalchemy.ext.asyncio import AsyncEngine

from kupa.server.database import Database, database_in_memory
from kupa.server.store import LISTED, MatchRecord, NewEvent, Outcome, StoredEvent, milliseconds_now


class MemoryStore:
    """A :class:`kupa.server.store.Store` in two dictionaries.

    What is kept beside the matches is in a database in memory, which ends when the store is closed.
    """

    def __init__(self, now: Callable[[], int] = milliseconds_now) -> None:
        self._now = now
        self._matches: dict[str, MatchRecord] = {}
        self._events: dict[str, list[StoredEvent]] = {}
        self._database: Database | None = None

    async def open(self) -> None:
        """Do nothing: memory is always ready."""

    async def close(self) -> None:
        """Let go of the database; the matches that were stored can be read again after ``open``."""
        database, self._database = self._database, None
        if database is not None:
            await database.close()

    async def create(self, match: MatchRecord, events: Sequence[NewEvent]) -> Outcome:
        """Add a match with its first events."""
        if match.id in self._matches:
            return Outcome.CONFLICT
        self._matches[match.id] = match
        self._events[match.id] = []
        self._add(match.id, events, None)
        return Outcome.STORED

    async def append(
        self,
        match_id: str,
        expected_seq: int,
        events: Sequence[NewEvent],
        *,
        over: bool,
        command_id: str | None = None,
    ) -> Outcome:
        """Add events to a match, all or none."""
        log = self._events.get(match_id)
        if log is None:
            return Outcome.CONFLICT
        if command_id is not None and any(event.command_id == command_id for event in log):
            return Outcome.DUPLICATE
        if len(log) != expected_seq:
            return Outcome.CONFLICT
        self._add(match_id, events, command_id)
        self._matches[match_id] = msgspec.structs.replace(
            self._matches[match_id], updated_at=self._now(), over=over
        )
        return Outcome.STORED

    def _add(self, match_id: str, events: Sequence[NewEvent], command_id: str | None) -> None:
        log = self._events[match_id]
        for event in events:
            # Written and read as any database does it: what comes back is what JSON makes of it.
            data = msgspec.json.decode(msgspec.json.encode(event.data))
            log.append(StoredEvent(len(log) + 1, event.version, data, command_id))
            command_id = None

    async def events(self, match_id: str, after: int = 0) -> list[StoredEvent]:
        """Return the events of a match with a number above ``after``, in order."""
        return self._events.get(match_id, [])[after:]

    async def match(self, match_id: str) -> MatchRecord | None:
        """Return what is kept of a match, or None."""
        return self._matches.get(match_id)

    async def matches_of(self, owner: str, limit: int | None = LISTED) -> list[MatchRecord]:
        """Return an owner's matches, unfinished ones first, then the one played last."""
        own = [match for match in self._matches.values() if match.owner == owner]
        own.sort(key=lambda match: (not match.over, match.updated_at, match.id), reverse=True)
        return own[:limit]

    async def hand_over(self, owner: str, to: str | None) -> None:
        """Let all matches of an owner be another's, or nobody's."""
        for match in list(self._matches.values()):
            if match.owner == owner:
                self._matches[match.id] = msgspec.structs.replace(match, owner=to)

    async def left_off(self, before: int) -> list[MatchRecord]:
        """Return the unfinished matches of any owner that were last played before a time."""
        return [
            match
            for match in self._matches.values()
            if match.owner is not None and not match.over and match.updated_at < before
        ]

    async def drop(self, match_ids: Sequence[str]) -> None:
        """Take matches out of the log, whole."""
        for match_id in match_ids:
            self._matches.pop(match_id, None)
            self._events.pop(match_id, None)

    @property
    def database(self) -> Database:
        """The connections of a database in memory, made when it is first asked for."""
        if self._database is None:
            self._database = database_in_memory()
        return self._database

    @property
    def engine(self) -> AsyncEngine:
        """The engine of that database."""
        return self.database.engine
