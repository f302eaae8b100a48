"""Database files whose rows hold what Kupa never writes: they are told of, not stumbled over."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from kupa import reports_command, verify_command
from kupa.server.sqlite_store import SqliteStore
from kupa.server.tables import Tables

VALUES: list[Any] = [
    None,
    "",
    "x",
    b"\xff\x00",
    -1,
    2**63 - 1,
    1e300,
    1.5,
    "{}",
    "[]",
    '"\\ud800"',
    "[" * 100_000,
    '{"a":' * 100_000,
    '{"type":"match_started"}',
]
COLUMNS = [
    ("events", "seq"),
    ("events", "version"),
    ("events", "data"),
    ("matches", "id"),
    ("matches", "game"),
    ("reports", "at"),
    ("reports", "room"),
    ("reports", "text"),
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database with a match and a report."""
    path = tmp_path_factory.mktemp("hostile") / "kupa.sqlite3"

    async def fill() -> None:
        store = SqliteStore(path)
        await store.open()
        assert isinstance(await Tables(store).create("heart-to-heart", {}, None), str)
        await store.close()

    asyncio.run(fill())
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO reports VALUES (1, 1, 'r', NULL, 'said', 0)")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path.read_bytes()


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_no_value_in_a_row_is_too_much_for_those_who_read_it(
    whole: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str], table: str, column: str
) -> None:
    """Whatever stands there, ``verify`` and ``reports`` end with a status of theirs and say something."""
    path = tmp_path / "kupa.sqlite3"
    for value in VALUES:
        path.write_bytes(whole)
        connection = sqlite3.connect(path)
        # A few columns take no NULL and no other type: the file is as it was then.
        with connection:
            connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))
        connection.close()
        for as_json in (False, True):
            tell = verify_command.Telling("en", as_json=as_json)
            verify_command.verify_database(path, (), tell)
            assert tell.status in {0, 1, 2}
            assert capsys.readouterr().out
            assert reports_command.tell(path, "en", as_json=as_json) in {0, 2}
            assert any(capsys.readouterr())
