"""Whom people keep away: who is muted is not read, who is blocked is not met."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from sqlalchemy import delete, func, or_, select
from sqlalchemy.dialects.sqlite import insert as insert_new
from sqlalchemy.ext.asyncio import AsyncConnection

from kupa.refusal import Refusal
from kupa.server.remembered import FRESH_FOR, Remembered
from kupa.server.schema import BLOCKS, PEOPLE
from kupa.server.store import Store

MOST_BLOCKS: Final = 500
"""How many people somebody may mute or block."""
REMEMBERED: Final = 20_000
"""Of how many people it is remembered whom they keep away."""

MUTE: Final = "mute"
BLOCK: Final = "block"


class _Circle(NamedTuple):
    """Whom a person keeps away, and by whom they are."""

    unread: frozenset[str]
    unmet: frozenset[str]


class Circles:
    """Who keeps whom away.

    Args:
        store: the store, open.
        clock: seconds that never run backwards.
    """

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.store = store
        self._circles: Remembered[_Circle] = Remembered(REMEMBERED, FRESH_FOR, clock)

    async def block(self, person: str, other: str) -> Refusal | None:
        """Keep somebody away: neither comes where the other is.

        Refuses: ``bad_person``, ``too_many_blocks``.
        """
        return await self._keep_away(person, other, BLOCK)

    async def mute(self, person: str, other: str) -> Refusal | None:
        """Read no more of somebody. Refuses: ``bad_person``, ``too_many_blocks``."""
        return await self._keep_away(person, other, MUTE)

    async def _keep_away(self, person: str, other: str, kind: str) -> Refusal | None:
        async with self.store.database.writing() as connection:
            known = await connection.execute(select(PEOPLE.c.id).where(PEOPLE.c.id == other))
            if other == person or known.first() is None:
                return Refusal("bad_person")
            count = await connection.execute(
                select(func.count()).select_from(BLOCKS).where(BLOCKS.c.person == person)
            )
            if count.scalar_one() >= MOST_BLOCKS:
                return Refusal("too_many_blocks", params={"n": MOST_BLOCKS})
            row = {"person": person, "other": other, "kind": kind}
            await connection.execute(insert_new(BLOCKS).values(row).on_conflict_do_nothing())
        self._forget(person, other)
        return None

    async def unblock(self, person: str, other: str) -> None:
        """Take back a block; a mute stays."""
        await self._let_near(person, other, BLOCK)

    async def unmute(self, person: str, other: str) -> None:
        """Take back a mute; a block stays."""
        await self._let_near(person, other, MUTE)

    async def _let_near(self, person: str, other: str, kind: str) -> None:
        async with self.store.database.writing() as connection:
            await connection.execute(
                delete(BLOCKS).where(
                    BLOCKS.c.person == person, BLOCKS.c.other == other, BLOCKS.c.kind == kind
                )
            )
        self._forget(person, other)

    async def keeps_away(self, person: str) -> list[tuple[str, str]]:
        """Return whom a person keeps away, each with how: ``mute`` or ``block``."""
        query = select(BLOCKS.c.other, BLOCKS.c.kind).where(BLOCKS.c.person == person)
        async with self.store.database.reading() as connection:
            rows = await connection.execute(query.order_by(BLOCKS.c.kind, BLOCKS.c.other))
            return [(other, kind) for other, kind in rows.all()]

    async def kept_from(self, person: str) -> frozenset[str]:
        """Return whom a person shall not meet: who is blocked by them, and who has blocked them."""
        return (await self._circle(person)).unmet

    async def muted_by(self, person: str) -> frozenset[str]:
        """Return whose messages a person does not read: who is muted or blocked by them."""
        return (await self._circle(person)).unread

    async def _circle(self, person: str) -> _Circle:
        known = self._circles.get(person)
        if known is None:
            epoch = self._circles.epoch
            known = await self._read_circle(person)
            self._circles.keep(person, known, epoch)
        return known

    async def _read_circle(self, person: str) -> _Circle:
        async with self.store.database.reading() as connection:
            rows = await connection.execute(
                select(BLOCKS).where(or_(BLOCKS.c.person == person, BLOCKS.c.other == person))
            )
            entries = rows.all()
        return _Circle(
            frozenset(row.other for row in entries if row.person == person),
            frozenset(
                row.other if row.person == person else row.person for row in entries if row.kind == BLOCK
            ),
        )

    def _forget(self, *persons: str) -> None:
        for person in persons:
            self._circles.forget(person)

    async def _move_circle(self, connection: AsyncConnection, person: str, to: str) -> None:
        """Let a person's mutes and blocks, either way, be another's, too."""
        for mine, theirs in ((BLOCKS.c.person, BLOCKS.c.other), (BLOCKS.c.other, BLOCKS.c.person)):
            rows = await connection.execute(select(theirs, BLOCKS.c.kind).where(mine == person, theirs != to))
            for other, kind in rows.all():
                row = {mine.name: to, theirs.name: other, "kind": kind}
                await connection.execute(insert_new(BLOCKS).values(row).on_conflict_do_nothing())
                self._forget(other)
        self._forget(to)

    async def _leave_circles(self, connection: AsyncConnection, person: str) -> None:
        """Take a person out of everybody's mutes and blocks, and theirs with them."""
        rows = await connection.execute(select(BLOCKS.c.person).where(BLOCKS.c.other == person))
        others = list(rows.scalars())
        await connection.execute(
            delete(BLOCKS).where(or_(BLOCKS.c.person == person, BLOCKS.c.other == person))
        )
        self._forget(person, *others)
