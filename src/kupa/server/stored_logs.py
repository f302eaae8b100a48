"""Reading the logs of a database file from outside, while a server may be writing it; nothing is changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from kupa.server.database_file import APPLICATION_ID, BUSY_MS
from kupa.server.schema import SCHEMA_VERSION
from kupa.server.store import StoreError, UnreadableMatchError

LATEST: Final = 253_402_300_799_999
"""The last moment that calendars of four digits a year know, in milliseconds since 1970."""


class StoredMatch(NamedTuple):
    """A match, or a room, of the database."""

    id: str
    game: str
    """The permanent name of the game; ``"room"`` for a room."""


class StoredReport(NamedTuple):
    """A message that somebody wants to be looked at."""

    at: Annotated[int, msgspec.Meta(ge=0, le=LATEST)]
    """Milliseconds since 1970, UTC."""
    room: str
    text: str
    person: str | None
    """Who said it, by id; None once the message is gone."""
    name: str | None
    """What they are called."""
    reporter: str | None
    """What the one is called who reported it."""


class StoredLogs:
    """The logs of an open file; made by :func:`stored_logs`."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection = connection
        self._path = path

    def matches(self) -> list[StoredMatch]:
        """Return all matches and rooms, the oldest first.

        Raises:
            StoreError: the file cannot be read.
        """
        rows = self._rows("SELECT id, game FROM matches ORDER BY created_at, id")
        return [StoredMatch(str(match_id), str(game)) for match_id, game in rows]

    def events(self, match_id: str, game: Any) -> list[Any]:
        """Return the events of a match or a room.

        Args:
            match_id: its id.
            game: what reads them, a :class:`kupa.game.Game` or the rooms.

        Raises:
            StoreError: the file cannot be read.
            UnreadableMatchError: an event is missing, damaged or none of the game's.
        """
        rows = self._rows("SELECT seq, version, data FROM events WHERE match_id = ? ORDER BY seq", match_id)
        if [seq for seq, _, _ in rows] != list(range(1, len(rows) + 1)):
            raise UnreadableMatchError("an event is missing")
        try:
            return [
                game.read_event(msgspec.json.decode(data, type=dict[str, Any]), version)
                for _, version, data in rows
            ]
        except (ValueError, TypeError, RecursionError) as error:
            raise UnreadableMatchError("an event is damaged") from error

    def reports(self) -> list[StoredReport]:
        """Return the messages that somebody has reported, the oldest first; none from before there were any.

        Raises:
            StoreError: ``database_damaged``.
        """
        if not self._rows("SELECT name FROM sqlite_master WHERE name = 'reports'"):
            return []
        rows = self._rows(
            "SELECT r.at, r.room, r.text, said.person, said_by.name, told.name FROM reports r"
            " LEFT JOIN messages said ON said.id = r.message_id"
            " LEFT JOIN people said_by ON said_by.id = said.person"
            " LEFT JOIN people told ON told.id = r.reporter ORDER BY r.id"
        )
        try:
            # A column of SQLite holds values of any type.
            return [msgspec.convert(row, StoredReport) for row in rows]
        except msgspec.ValidationError as error:
            raise StoreError("database_damaged", self._path) from error

    def _rows(self, query: str, *params: str) -> list[Any]:
        try:
            return self._connection.execute(query, params).fetchall()
        except sqlite3.Error as error:
            raise StoreError("database_damaged", self._path) from error


@contextmanager
def stored_logs(path: Path) -> Iterator[StoredLogs]:
    """Open a database file for reading alone; all that is read is of one moment.

    Raises:
        FileNotFoundError: there is no such file.
        StoreError: ``database_foreign``, ``database_newer`` or ``database_damaged``.
    """
    if not path.is_file():
        raise FileNotFoundError(path)
    with closing(_opened(path)) as connection:
        try:
            marked = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            connection.execute("BEGIN")
        except sqlite3.Error as error:
            raise StoreError("database_damaged", str(path)) from error
        if marked != APPLICATION_ID:
            raise StoreError("database_foreign", str(path))
        if version > SCHEMA_VERSION:
            raise StoreError("database_newer", str(path))
        yield StoredLogs(connection, str(path))


def _opened(path: Path) -> sqlite3.Connection:
    """Return a connection that cannot write.

    A file with a write-ahead log can be read beside a server; one on a medium that takes no writes, only as
    it lies there, which is whole if no such log lies beside it.
    """
    address = path.absolute().as_uri()
    has_log = path.with_name(f"{path.name}-wal").exists()
    try:
        connection = sqlite3.connect(f"{address}?mode=ro", uri=True, isolation_level=None)
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            if has_log:
                raise
            connection.close()
            connection = sqlite3.connect(f"{address}?mode=ro&immutable=1", uri=True, isolation_level=None)
    except sqlite3.Error as error:
        raise StoreError("database_damaged", str(path)) from error
    return connection
