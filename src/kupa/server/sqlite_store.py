"""The log in a SQLite file.

SQLite has one writer at a time and each commit waits for the disk, so appends that wait together share one
transaction: a task takes all that are waiting, judges them one after the other against what the database
holds, adds the events of those that are in order, and commits once. Readers have connections of their own and
wait for nobody (write-ahead log).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import Row, bindparam, delete, event, func, insert, select, tuple_, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from kupa.server.appends import Append, WrittenEvent, judge
from kupa.server.database import Database
from kupa.server.database_file import BUSY_MS, database_url, prepare
from kupa.server.schema import EVENTS, MATCHES
from kupa.server.store import (
    LISTED,
    MatchRecord,
    NewEvent,
    Outcome,
    StoredEvent,
    StoreError,
    UnreadableMatchError,
    milliseconds_now,
)

LARGEST_BATCH: Final = 256
"""How many appends share a transaction at most; SQLite takes far more parameters than that needs."""

Rows = list[dict[str, Any]]
"""Rows for one statement: values by the names of its parameters."""


class SqliteStore:
    """A :class:`kupa.server.store.Store` in one SQLite file.

    Args:
        path: the file; created, with its folder, if it is not there.
        now: the clock, in milliseconds since 1970, UTC.
    """

    def __init__(self, path: Path, now: Callable[[], int] = milliseconds_now) -> None:
        self.path = path.absolute()
        self._now = now
        self._file: tuple[int, int] | None = None
        self._engine: AsyncEngine | None = None
        self._database: Database | None = None
        self._waiting: asyncio.Queue[Append | None] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Make the file ready; see :func:`kupa.server.database_file.prepare` for the errors."""
        if self._engine is not None:
            return
        await asyncio.to_thread(prepare, self.path)
        self._file = self._file_there()
        engine = create_async_engine(
            database_url("sqlite+aiosqlite", self.path), isolation_level="AUTOCOMMIT"
        )
        event.listen(engine.sync_engine, "connect", _set_up)
        self._engine = engine
        self._database = Database(engine, str(self.path), self._check_file)
        self._waiting = asyncio.Queue()
        self._writer = asyncio.create_task(self._write(engine), name="store writer")

    async def close(self) -> None:
        """Store what is waiting, then close every connection."""
        engine, writer = self._engine, self._writer
        if engine is None or writer is None:
            return
        self._engine = self._writer = self._database = None
        self._waiting.put_nowait(None)
        await writer
        await engine.dispose()

    async def create(self, match: MatchRecord, events: Sequence[NewEvent]) -> Outcome:
        """Add a match with its first events."""
        written = tuple(map(WrittenEvent.of, events))
        return await self._add(Append(match.id, 0, written, match.over, None, match, self._now()))

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
        written = tuple(map(WrittenEvent.of, events))
        return await self._add(Append(match_id, expected_seq, written, over, command_id, None, self._now()))

    async def _add(self, append: Append) -> Outcome:
        if self._engine is None:
            raise StoreError("store_failed", str(self.path))
        self._waiting.put_nowait(append)
        return await append.outcome

    async def _write(self, engine: AsyncEngine) -> None:
        """Store whatever waits, batch by batch, until a None says that no more will come."""
        async with engine.connect() as connection:
            while (first := await self._waiting.get()) is not None:
                batch = [first]
                while len(batch) < LARGEST_BATCH and not self._waiting.empty():
                    append = self._waiting.get_nowait()
                    if append is None:
                        self._waiting.put_nowait(None)
                        break
                    batch.append(append)
                await self._settle(connection, batch)

    async def _settle(self, connection: AsyncConnection, batch: Sequence[Append]) -> None:
        """Store a batch and answer those who wait for it."""
        try:
            self._check_file()
            outcomes = await _store(connection, batch)
        except Exception as error:  # whatever it is, nobody may be left waiting
            code = error.code if isinstance(error, StoreError) else "store_failed"
            for append in batch:
                if not append.outcome.done():
                    failure = StoreError(code, str(self.path))
                    failure.__cause__ = error
                    append.outcome.set_exception(failure)
            return
        for append, outcome in zip(batch, outcomes, strict=True):
            # Who waited may have gone away; what was stored stays stored.
            if not append.outcome.done():
                append.outcome.set_result(outcome)

    def _check_file(self) -> None:
        """Raise an error if the file is gone: SQLite would go on writing where nobody finds it any more."""
        if self._file_there() != self._file:
            raise StoreError("database_gone", str(self.path))

    def _file_there(self) -> tuple[int, int] | None:
        """Return which file is at our path, by its device and number; None if there is none."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    async def events(self, match_id: str, after: int = 0) -> list[StoredEvent]:
        """Return the events of a match with a number above ``after``, in order."""
        rows = await self._rows(
            select(EVENTS.c.seq, EVENTS.c.version, EVENTS.c.data, EVENTS.c.command_id)
            .where(EVENTS.c.match_id == match_id, EVENTS.c.seq > after)
            .order_by(EVENTS.c.seq)
        )
        return [_stored(row) for row in rows]

    async def match(self, match_id: str) -> MatchRecord | None:
        """Return what is kept of a match, or None."""
        rows = await self._rows(select(MATCHES).where(MATCHES.c.id == match_id))
        if not rows:
            return None
        record = _record(rows[0])
        if record is None:
            raise UnreadableMatchError("what is kept of the match is damaged")
        return record

    async def matches_of(self, owner: str, limit: int | None = LISTED) -> list[MatchRecord]:
        """Return an owner's matches, unfinished ones first, then the one played last."""
        rows = await self._rows(
            select(MATCHES)
            .where(MATCHES.c.owner == owner)
            .order_by(MATCHES.c.over, MATCHES.c.updated_at.desc(), MATCHES.c.id.desc())
            .limit(limit)
        )
        return [record for row in rows if (record := _record(row)) is not None]

    async def hand_over(self, owner: str, to: str | None) -> None:
        """Let all matches of an owner be another's, or nobody's."""
        async with self.database.writing() as connection:
            await connection.execute(update(MATCHES).where(MATCHES.c.owner == owner).values(owner=to))

    async def left_off(self, before: int) -> list[MatchRecord]:
        """Return the unfinished matches of any owner that were last played before a time."""
        rows = await self._rows(
            select(MATCHES).where(
                MATCHES.c.owner.is_not(None), MATCHES.c.over.is_(False), MATCHES.c.updated_at < before
            )
        )
        return [record for row in rows if (record := _record(row)) is not None]

    async def drop(self, match_ids: Sequence[str]) -> None:
        """Take matches out of the log, whole."""
        async with self.database.writing() as connection:
            for first in range(0, len(match_ids), LARGEST_BATCH):
                ids = match_ids[first : first + LARGEST_BATCH]
                await connection.execute(delete(EVENTS).where(EVENTS.c.match_id.in_(ids)))
                await connection.execute(delete(MATCHES).where(MATCHES.c.id.in_(ids)))

    @property
    def database(self) -> Database:
        """The connections of the open file."""
        if self._database is None:
            raise StoreError("store_failed", str(self.path))
        return self._database

    @property
    def engine(self) -> AsyncEngine:
        """The engine of the open file."""
        return self.database.engine

    async def _rows(self, query: Any) -> Sequence[Row[Any]]:
        if self._engine is None:
            raise StoreError("store_failed", str(self.path))
        try:
            async with self._engine.connect() as connection:
                return (await connection.execute(query)).all()
        except SQLAlchemyError as error:
            raise StoreError("store_failed", str(self.path)) from error


def _set_up(connection: Any, _record: Any) -> None:
    """Set up a new connection: durable commits, patience with a lock, and no event without a match."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


async def _store(connection: AsyncConnection, batch: Sequence[Append]) -> list[Outcome]:
    """Judge and store a batch in one transaction; on any error nothing of it is stored."""
    # Begun for writing, so that what is read cannot change before it is acted on.
    await connection.exec_driver_sql("BEGIN IMMEDIATE")
    try:
        seqs = await _known_seqs(connection, batch)
        outcomes = judge(batch, seqs, await _known_commands(connection, batch))
        for statement, rows in _statements(batch, outcomes):
            await connection.execute(statement, rows)
        await connection.exec_driver_sql("COMMIT")
    except BaseException:
        await connection.exec_driver_sql("ROLLBACK")
        raise
    return outcomes


async def _known_seqs(connection: AsyncConnection, batch: Sequence[Append]) -> dict[str, int]:
    """Return how many events each match of a batch has; a match that does not exist is left out."""
    last = select(func.max(EVENTS.c.seq)).where(EVENTS.c.match_id == MATCHES.c.id).scalar_subquery()
    ids = {append.match_id for append in batch}
    rows = await connection.execute(select(MATCHES.c.id, last).where(MATCHES.c.id.in_(ids)))
    return {match_id: seq or 0 for match_id, seq in rows}


async def _known_commands(connection: AsyncConnection, batch: Sequence[Append]) -> set[tuple[str, str]]:
    """Return the commands of a batch that the log has already, as (match, command id)."""
    commands = {(append.match_id, append.command_id) for append in batch if append.command_id is not None}
    if not commands:
        return set()
    key = tuple_(EVENTS.c.match_id, EVENTS.c.command_id)
    rows = await connection.execute(select(EVENTS.c.match_id, EVENTS.c.command_id).where(key.in_(commands)))
    return {(match_id, command_id) for match_id, command_id in rows}


_TOUCH: Final = (
    update(MATCHES)
    .where(MATCHES.c.id == bindparam("match_id"))
    .values(updated_at=bindparam("at"), over=bindparam("is_over"))
)


def _statements(batch: Sequence[Append], outcomes: Sequence[Outcome]) -> list[tuple[Any, Rows]]:
    """Return the statements that store what is in order in a batch, each with its rows."""
    stored = [append for append, outcome in zip(batch, outcomes, strict=True) if outcome is Outcome.STORED]
    statements: list[tuple[Any, Rows]] = [
        (insert(MATCHES), [_match_row(append.match) for append in stored if append.match is not None]),
        (insert(EVENTS), [row for append in stored for row in _event_rows(append)]),
        (_TOUCH, [_touch_row(append) for append in stored if append.match is None]),
    ]
    return [(statement, rows) for statement, rows in statements if rows]


def _touch_row(append: Append) -> dict[str, Any]:
    return {"match_id": append.match_id, "at": append.at, "is_over": append.over}


def _match_row(match: MatchRecord) -> dict[str, Any]:
    row = msgspec.structs.asdict(match)
    row["facts"] = msgspec.json.encode(match.facts).decode()
    return row


def _event_rows(append: Append) -> Rows:
    return [
        {
            "match_id": append.match_id,
            "seq": append.expected_seq + place,
            "version": written.version,
            "type": written.type,
            "data": written.data,
            "command_id": append.command_id if place == 1 else None,
            "at": append.at,
        }
        for place, written in enumerate(append.events, start=1)
    ]


def _stored(row: Row[Any]) -> StoredEvent:
    """Return an event of the log.

    Raises:
        UnreadableMatchError: its data is damaged.
    """
    try:
        data = msgspec.json.decode(row.data, type=dict[str, Any])
    except (msgspec.MsgspecError, TypeError, UnicodeError, RecursionError) as error:
        raise UnreadableMatchError("the data of an event is damaged") from error
    return StoredEvent(row.seq, row.version, data, row.command_id)


def _record(row: Row[Any]) -> MatchRecord | None:
    """Return what is kept of a match; None if it is damaged."""
    fields = dict(row._mapping)
    try:
        facts = msgspec.json.decode(fields["facts"], type=dict[str, Any])
    except (msgspec.MsgspecError, TypeError, UnicodeError, RecursionError):
        return None
    return MatchRecord(**{**fields, "facts": facts})
