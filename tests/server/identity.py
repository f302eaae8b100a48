"""People for tests: over either store, with clocks that are set by hand and hashes that take no time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from argon2 import PasswordHasher
from sqlalchemy import func, select

from kupa.refusal import Refusal
from kupa.server.database import Database
from kupa.server.memory_store import MemoryStore
from kupa.server.passphrases import Passphrases
from kupa.server.people import Change, People
from kupa.server.schema import METADATA
from kupa.server.sqlite_store import SqliteStore
from kupa.server.store import MatchRecord, NewEvent, Store

DAY = 24 * 3600
PASSPHRASE = "dört sözcük yeter"


Opened = Callable[..., AbstractAsyncContextManager[People]]


class Time:
    """Both clocks of people, set by hand."""

    def __init__(self) -> None:
        self.seconds = 1_800_000_000.0

    def now(self) -> int:
        return int(self.seconds * 1000)

    def clock(self) -> float:
        return self.seconds


def quick_hasher(time_cost: int = 1) -> PasswordHasher:
    return PasswordHasher(time_cost=time_cost, memory_cost=8, parallelism=1)


async def people_over(store: Store, time: Time, time_cost: int = 1) -> People:
    return await People.opened(
        store, now=time.now, clock=time.clock, passphrases=Passphrases(quick_hasher(time_cost))
    )


@asynccontextmanager
async def some_people(path: Path | None, time: Time | None = None) -> AsyncIterator[People]:
    """Give people over a file, or over memory without one; the store is closed at the end."""
    time = time or Time()
    store: Store = MemoryStore(time.now) if path is None else SqliteStore(path, time.now)
    await store.open()
    try:
        yield await people_over(store, time)
    finally:
        await store.close()


def heard(people: People) -> list[Change]:
    """Return a list that all changes are put into from now on."""
    changes: list[Change] = []

    async def hear(change: Change) -> None:
        changes.append(change)

    people.watch(hear)
    return changes


def code(answer: object) -> str:
    assert isinstance(answer, Refusal), answer
    return f"{answer.code}.{answer.reason}" if answer.reason else answer.code


async def guest_named(people: People, name: str) -> str:
    person, _ = await people.new_guest()
    assert await people.rename(person, name) == name
    return person


async def account(people: People, login: str) -> str:
    person, _ = await people.new_guest()
    assert await people.sign_up(person, login, PASSPHRASE) is None
    return person


async def keep_match(people: People, name: str, owner: str | None, over: bool, **facts: object) -> None:
    record = MatchRecord(name, "toy", owner, {"luck": "secret", **facts}, 1, 1, over)
    await people.store.create(record, [NewEvent(1, {"type": "first"})])


async def count(database: Database, table: str) -> int:
    async with database.reading() as connection:
        rows = await connection.execute(select(func.count()).select_from(METADATA.tables[table]))
        return int(rows.scalar_one())
