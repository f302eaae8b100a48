"""A database file is ours and whole, or it is refused with a code and left as it was."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
import threading
from contextlib import closing
from pathlib import Path

import pytest

from kupa.server import database_file
from kupa.server.database_file import APPLICATION_ID, prepare
from kupa.server.schema import SCHEMA_VERSION
from kupa.server.sqlite_store import SqliteStore
from kupa.server.store import MatchRecord, NewEvent, StoreError
from tests.server.playing import in_a_loop

NOBODY = 65_534
"""A user who owns nothing."""


def code_for(path: Path) -> str:
    with pytest.raises(StoreError) as caught:
        prepare(path)
    assert caught.value.path == str(path)
    return caught.value.code


def test_a_new_file_is_marked_as_ours_and_can_be_prepared_again(tmp_path: Path) -> None:
    """Folder and file are made; the mark, the version and the journal are what they should be."""
    path = tmp_path / "a" / "b" / "kupa.sqlite3"
    prepare(path)
    prepare(path)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert database.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@in_a_loop
async def test_commits_wait_for_the_disk(tmp_path: Path) -> None:
    """The connections of a store run with synchronous = FULL (2) and keep events to matches that exist."""
    store = SqliteStore(tmp_path / "k.sqlite3")
    await store.open()
    assert store._engine is not None
    async with store._engine.connect() as connection:
        assert (await connection.exec_driver_sql("PRAGMA synchronous")).scalar_one() == 2
        assert (await connection.exec_driver_sql("PRAGMA foreign_keys")).scalar_one() == 1
    await store.close()


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    """What a later Kupa wrote is not touched by an earlier one."""
    path = tmp_path / "k.sqlite3"
    prepare(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        database.execute("PRAGMA journal_mode = DELETE")
    before = path.read_bytes()
    assert code_for(path) == "database_newer"
    assert path.read_bytes() == before


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    """A SQLite file without our mark is refused, also one without any mark."""
    for mark in (0, 12345):
        path = tmp_path / f"{mark}.sqlite3"
        with closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE theirs (x)")
            database.execute(f"PRAGMA application_id = {mark}")
        before = path.read_bytes()
        assert code_for(path) == "database_foreign"
        assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    """A text is not a database."""
    path = tmp_path / "notes.txt"
    path.write_text("buy milk\n" * 500)
    assert code_for(path) == "database_damaged"
    assert path.read_text().startswith("buy milk")


def test_a_damaged_database_is_noticed_at_the_start(tmp_path: Path) -> None:
    """Pages overwritten in the middle of the file are found before anything is served."""

    async def fill() -> None:
        store = SqliteStore(path)
        await store.open()
        for number in range(40):
            match = MatchRecord(f"m{number}", "toy", None, {"preset": None}, 1, 1, False)
            await store.create(match, [NewEvent(1, {"type": "x", "padding": "p" * 900})])
        await store.close()

    path = tmp_path / "k.sqlite3"
    asyncio.run(fill())
    content = bytearray(path.read_bytes())
    assert len(content) > 40_000
    content[8192:24576] = b"\x5a" * 16384
    path.write_bytes(content)
    assert code_for(path) == "database_damaged"


def test_a_truncated_database_is_noticed_at_the_start(tmp_path: Path) -> None:
    """Half a file is not taken for a new one."""
    path = tmp_path / "k.sqlite3"
    prepare(path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    assert code_for(path) == "database_damaged"


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """A folder in place of the file, and a file in place of a folder."""
    (tmp_path / "file").write_text("")
    assert code_for(tmp_path) == "database_unwritable"
    assert code_for(tmp_path / "file" / "k.sqlite3") == "database_unwritable"
    assert code_for(tmp_path / "file" / "folder" / "k.sqlite3") == "database_unwritable"


def test_a_folder_without_permission_is_refused() -> None:
    """Permissions of the system are told as such; root, who may write everywhere, puts them on for it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        was = os.geteuid()
        try:
            if was == 0:
                os.seteuid(NOBODY)
            assert code_for(folder / "k.sqlite3") == "database_unwritable"
        finally:
            os.seteuid(was)
            folder.chmod(0o755)
        prepare(folder / "k.sqlite3")


def test_a_file_that_somebody_else_keeps_locked_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """We wait for a lock for a while, then give up with a code."""
    monkeypatch.setattr(database_file, "BUSY_MS", 50)
    path = tmp_path / "k.sqlite3"
    prepare(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert code_for(path) == "database_busy"
    prepare(path)


def test_many_that_begin_on_a_new_file_at_once_all_succeed(tmp_path: Path) -> None:
    """The tables are made once, whoever comes first."""
    path = tmp_path / "k.sqlite3"
    failures: list[BaseException] = []

    def begin() -> None:
        try:
            prepare(path)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
