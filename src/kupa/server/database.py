"""The connections of a store, for all that is kept beside the event log: people, rooms, messages.

Reading waits for nobody. Writing is one transaction at a time, begun for writing, so that what is read in it
cannot change before it is acted on.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sqlite3
from collections.abc import AsyncIterator, Callable
from typing import Final

from sqlalchemy import StaticPool
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from kupa.server.schema import METADATA
from kupa.server.store_errors import StoreError

CLOSED_WITHIN: Final = 5.0
"""Seconds that the connections are given to close."""


class Database:
    """The connections of one database.

    Args:
        engine: makes them; each statement outside a transaction is one of its own (AUTOCOMMIT).
        path: how errors name the database.
        check: called before anything is written; raises a StoreError if that would be lost.
        in_memory: whether all share one connection, and the tables are still to be made. Who reads waits for
            who writes then, since a half of a transaction would be seen otherwise.
        keeper: a connection that is only held, and closed with the others.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        path: str = "",
        check: Callable[[], None] = lambda: None,
        *,
        in_memory: bool = False,
        keeper: sqlite3.Connection | None = None,
    ) -> None:
        self.engine = engine
        self._path = path
        self._keeper = keeper
        self._check = check
        self._is_new = self._is_shared = in_memory
        self._turn = asyncio.Lock()
        self._holder: asyncio.Task[object] | None = None

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection to read with.

        Raises:
            StoreError: ``store_failed``.
        """
        async with self._own_turn() if self._is_shared else contextlib.nullcontext():
            try:
                async with self.engine.connect() as connection:
                    await self._make_tables(connection)
                    yield connection
            except SQLAlchemyError as error:
                raise StoreError("store_failed", self._path) from error

    @contextlib.asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection whose statements are stored at the end, all or none; not to be nested.

        Raises:
            StoreError: ``store_failed`` or ``database_gone``: nothing was stored.
        """
        async with self._own_turn():
            self._check()
            try:
                async with self.engine.connect() as connection:
                    await self._make_tables(connection)
                    async with _transaction(connection):
                        yield connection
            except SQLAlchemyError as error:
                raise StoreError("store_failed", self._path) from error

    @contextlib.asynccontextmanager
    async def _own_turn(self) -> AsyncIterator[None]:
        """Wait until nobody else has the turn; who has it already may read within it."""
        if self._holder is asyncio.current_task():
            yield
            return
        async with self._turn:
            self._holder = asyncio.current_task()
            try:
                yield
            finally:
                self._holder = None

    async def _make_tables(self, connection: AsyncConnection) -> None:
        if self._is_new:
            await connection.run_sync(METADATA.create_all)
            self._is_new = False

    async def close(self) -> None:
        """Close every connection.

        One whose thread has ended, since somebody was called off in the middle of a statement, never answers.
        """
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.engine.dispose(), CLOSED_WITHIN)
        if self._keeper is not None:
            self._keeper.close()


@contextlib.asynccontextmanager
async def _transaction(connection: AsyncConnection) -> AsyncIterator[None]:
    try:
        # Within the try: who is called off while it is being begun leaves no transaction open.
        await connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield
        await connection.exec_driver_sql("COMMIT")
    except BaseException:
        with contextlib.suppress(
            SQLAlchemyError
        ):  # there may be none, and the first error is the one to tell
            await connection.exec_driver_sql("ROLLBACK")
        raise


def database_in_memory() -> Database:
    """Return a database that ends when it is closed.

    Who is called off in the middle of a statement takes the connection along, so another one, which nobody
    uses, keeps the database in memory meanwhile.
    """
    address = f"file:kupa-{secrets.token_hex(8)}?mode=memory&cache=shared"
    keeper = sqlite3.connect(address, uri=True, check_same_thread=False)
    engine = create_async_engine(
        f"sqlite+aiosqlite:///{address}&uri=true",
        isolation_level="AUTOCOMMIT",
        poolclass=StaticPool,
        # Everybody has the same connection: who gives it back must not end the transaction of another.
        pool_reset_on_return=None,
        skip_autocommit_rollback=True,
    )
    return Database(engine, in_memory=True, keeper=keeper)
