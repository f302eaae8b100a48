"""Transactions beside the event log: all or nothing, one after the other, over either store."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from kupa.server.schema import PEOPLE, SESSIONS
from kupa.server.sqlite_store import SqliteStore
from kupa.server.store import StoreError
from kupa.server.tokens import hash_of
from tests.server.identity import (
    Opened,
    count,
    keep_match,
)
from tests.server.playing import in_a_loop


@in_a_loop
async def test_many_guests_at_once_are_all_made(opened: Opened) -> None:
    """Writers wait for each other, beside the writer of the event log and those who read."""
    async with opened() as people:
        made = await asyncio.gather(
            *(people.new_guest() for _ in range(40)),
            *(people.names([f"{number}"]) for number in range(40)),
            *(keep_match(people, f"m{number}", None, over=False) for number in range(40)),
        )
        guests = [entry for entry in made if isinstance(entry, tuple)]
        assert len({person for person, _ in guests}) == 40
        for person, token in guests:
            assert await people.person_of(hash_of(token)) == person
        assert await count(people.store.database, SESSIONS.name) == 40


@in_a_loop
async def test_what_fails_in_a_transaction_is_not_stored(opened: Opened) -> None:
    """All of it or nothing, also when the task is called off, and the next one is not hindered."""
    async with opened() as people:
        database = people.store.database
        started = asyncio.Event()

        async def half() -> None:
            async with database.writing() as connection:
                await connection.execute(insert(PEOPLE).values(id="x", created_at=1, seen_at=1))
                started.set()
                await asyncio.sleep(60)

        task = asyncio.create_task(half())
        await started.wait()
        task.cancel()
        await asyncio.wait({task})
        assert await count(database, "people") == 0

        async def broken() -> None:
            async with database.writing() as connection:
                await connection.execute(insert(PEOPLE).values(id="x", created_at=1, seen_at=1))
                await connection.exec_driver_sql("SELECT no_such_column FROM people")

        with pytest.raises(StoreError) as caught:
            await broken()
        assert caught.value.code == "store_failed"
        await people.new_guest()
        assert await count(database, "people") == 1


@in_a_loop
async def test_who_is_called_off_in_the_middle_of_a_question_takes_nothing_along(opened: Opened) -> None:
    """A socket that closes cancels what it waits for, and with it the connection; people are still there."""
    async with opened() as people:
        person, token = await people.new_guest()

        async def ask() -> None:
            async with people.store.database.reading() as connection:
                while True:
                    await connection.execute(select(PEOPLE))

        for pause in (0.0, 0.001, 0.003, 0.01):
            asking = asyncio.create_task(ask())
            await asyncio.sleep(pause)
            asking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asking
        assert await count(people.store.database, PEOPLE.name) == 1
        assert await people.person_of(hash_of(token)) == person


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    """Nothing of people is asked of a file that is not open."""
    with pytest.raises(StoreError):
        _ = SqliteStore(tmp_path / "k.sqlite3").database
