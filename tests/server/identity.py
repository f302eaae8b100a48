"""People for tests: over either store, with clocks that are set by hand and hashes that take no time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from argon2 import PasswordHasher

from kupa.server.memory_store import MemoryStore
from kupa.server.passphrases import Passphrases
from kupa.server.people import Change, People
from kupa.server.sqlite_store import SqliteStore
from kupa.server.store import Store

DAY = 24 * 3600
PASSPHRASE = "dört sözcük yeter"


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
