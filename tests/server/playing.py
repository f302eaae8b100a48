"""Tables for tests: made over a store, listened to, and played."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, Final, ParamSpec

import msgspec

from kupa.game import Game
from kupa.refusal import Refusal
from kupa.server.attempts import Limit
from kupa.server.memory_store import MemoryStore
from kupa.server.outbox import Due, Outbox
from kupa.server.store import Store
from kupa.server.table import Table
from kupa.server.tables import Tables
from tests.server.toy import BOTS, GAMES

P = ParamSpec("P")

UNLIMITED: Final = Limit(1_000_000, 1_000_000)
"""Lets a test make more matches than people do."""
HANDS = ((0, 2, 4, 6), (1, 3, 5, 7))
"""Hands of the toy game whose bot always lays down the lowest."""


def in_a_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Make a test that runs a coroutine to its end, in a loop of its own."""

    @wraps(test)
    def whole(*args: P.args, **more: P.kwargs) -> None:
        asyncio.run(test(*args, **more))

    return whole


@asynccontextmanager
async def toy_tables(
    store: Store | None = None, bots: Mapping[str, Any] = BOTS, games: Mapping[str, Game] = GAMES, **more: Any
) -> AsyncIterator[Tables]:
    async with Tables(store or MemoryStore(), games, bots, **more).running() as tables:
        yield tables


async def new_match(tables: Tables, hands: Any = HANDS, owner: str | None = None) -> str:
    made = await tables.create("toy", {"hands": hands, "seed": ""}, owner)
    assert isinstance(made, str)
    return made


async def opened(tables: Tables, match_id: str) -> Table:
    table = await tables.open(match_id)
    assert table is not None
    return table


@asynccontextmanager
async def one_match(*settings: Any, **more: Any) -> AsyncIterator[tuple[Tables, str, Table]]:
    """Make tables as `toy_tables` does, and one match at them: the tables, its id and its own table."""
    async with toy_tables(*settings, **more) as tables:
        match_id = await new_match(tables)
        yield tables, match_id, await opened(tables, match_id)


async def listening(table: Table, seat: int) -> Outbox:
    """Return the outbox of one who has read the first view of a seat."""
    outbox = Outbox()
    table.listen(outbox, seat)
    await frames(outbox, table, seat)
    return outbox


async def play(tables: Tables, match_id: str, card: int, command_id: str | None = None) -> int | Refusal:
    """Lay down a card in the person's seat and let the bots finish."""
    answer = await tables.command(match_id, command_id or f"c{card}", {"type": "play", "card": card})
    await tables.bots_rest(match_id)
    assert answer is not None
    return answer


async def frames(outbox: Outbox, table: Table, seat: int) -> list[Any]:
    """Return what an outbox holds, as its reader would get it."""
    texts = []
    while len(outbox):
        frame = await outbox.next()
        texts.append(table.view_frame(seat) if isinstance(frame, Due) else frame)
    return [msgspec.json.decode(text) for text in texts]
