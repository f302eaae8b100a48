"""Making a SQLite file ready: new, ours and whole, or a clear refusal to touch it."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Connection, NullPool, create_engine, inspect
from sqlalchemy.exc import DBAPIError

from kupa.server.migrations import migrate
from kupa.server.schema import METADATA, SCHEMA_VERSION
from kupa.server.store import StoreError

APPLICATION_ID: Final = 0x4B555041
"""What marks a SQLite file as ours: "KUPA" in ASCII."""

BUSY_MS: Final = 5_000
"""How long another process may keep the file locked before we give up, in milliseconds."""

_CODES: Final = {
    sqlite3.SQLITE_NOTADB: "database_damaged",
    sqlite3.SQLITE_CORRUPT: "database_damaged",
    sqlite3.SQLITE_BUSY: "database_busy",
    sqlite3.SQLITE_LOCKED: "database_busy",
    sqlite3.SQLITE_CANTOPEN: "database_unwritable",
    sqlite3.SQLITE_READONLY: "database_unwritable",
    sqlite3.SQLITE_PERM: "database_unwritable",
    sqlite3.SQLITE_FULL: "database_unwritable",
    sqlite3.SQLITE_IOERR: "database_unwritable",
}


def database_url(driver: str, path: Path) -> URL:
    """Return the address of a file for SQLAlchemy, with the driver ``sqlite`` or ``sqlite+aiosqlite``."""
    return URL.create(driver, database=str(path))


def prepare(path: Path) -> None:
    """Make a file ready to be used, creating it and its folder if need be.

    Args:
        path: where the file is or shall be, absolute.

    Raises:
        StoreError: ``database_newer`` (written by a later Kupa), ``database_foreign`` (another program's),
            ``database_damaged``, ``database_unwritable`` or ``database_busy``. The file is unchanged then.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError("database_unwritable", str(path)) from error
    if path.exists() and not os.access(path, os.W_OK):
        raise StoreError("database_unwritable", str(path))
    engine = create_engine(database_url("sqlite", path), poolclass=NullPool, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql(f"PRAGMA busy_timeout = {BUSY_MS}")
            settle_schema(connection, str(path))
            if connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one() != "ok":
                raise StoreError("database_damaged", str(path))
            use_write_ahead_log(connection)
    except DBAPIError as error:
        raise StoreError(code_of(error), str(path)) from error
    finally:
        engine.dispose()


def settle_schema(connection: Connection, path: str) -> None:
    """Create the tables in an empty file, or bring those of another up to date if they are ours.

    Raises:
        StoreError: ``database_newer`` or ``database_foreign``; nothing was changed.
    """
    # One transaction, begun for writing: of two processes that start on a new file, one creates the tables.
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    try:
        marked = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
        version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        if (marked, version) == (0, 0) and not inspect(connection).get_table_names():
            METADATA.create_all(connection)
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.exec_driver_sql(f"PRAGMA user_version = {SCHEMA_VERSION}")
        elif marked != APPLICATION_ID:
            raise StoreError("database_foreign", path)
        elif version > SCHEMA_VERSION:
            raise StoreError("database_newer", path)
        elif version < SCHEMA_VERSION:
            migrate(connection, version)
            connection.exec_driver_sql(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.exec_driver_sql("COMMIT")
    except BaseException:
        connection.exec_driver_sql("ROLLBACK")
        raise


def use_write_ahead_log(connection: Connection) -> None:
    """Have the file keep a write-ahead log, from now on and for all who open it.

    The change asks for the file alone, and SQLite does not wait for it as it waits for other locks; another
    process that begins at the same moment may be in the way for an instant.

    Raises:
        DBAPIError: the file stays busy, or cannot be written.
    """
    deadline = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        except DBAPIError as error:
            if code_of(error) != "database_busy" or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def code_of(error: DBAPIError) -> str:
    """Return the code for what SQLite says is wrong with a file."""
    number = getattr(error.orig, "sqlite_errorcode", None)
    # The low byte of an extended result code is its primary code.
    return _CODES.get(number & 0xFF, "database_damaged") if number is not None else "database_damaged"
