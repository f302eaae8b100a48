"""A server on which nothing happens by itself: its bots wait for ever, and any moment can be looked at."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
import uvicorn

from kupa.game import replay
from kupa.games import registry
from kupa.hearts.game import HEARTS, Hearts
from kupa.hearts.state import State
from kupa.server.app import create_app
from kupa.server.live_log import new_events
from kupa.server.memory_store import MemoryStore
from kupa.server.store import MatchRecord, NewEvent
from kupa.server.table import PERSON
from tests.server.process import Server


def replay_from(state: State, events: Sequence[Any]) -> State:
    """Return the state after some events."""
    for event in events:
        state = HEARTS.evolve(state, event)
    return state


class StillHearts(Hearts):
    """Hearts in which only the person's seat ever has anything to do."""

    def to_act(self, state: State) -> tuple[int, ...]:
        """Return the person's seat, if it has a decision open."""
        return tuple(seat for seat in super().to_act(state) if seat == PERSON)


class StillServer(Server):
    """The server in a thread of this process, over a store in memory, for the time of a ``with``."""

    def __init__(self) -> None:
        super().__init__(Path())
        self._store = MemoryStore()
        games = {**registry(), "hearts": StillHearts()}
        app = create_app(self._store, games=games)
        config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="on", ws="websockets-sansio")
        self._server = uvicorn.Server(config)

    def __enter__(self) -> Self:
        # The page that tells of an error of ours is a screen like any other: nothing to print for it.
        logging.getLogger("kupa").setLevel(logging.CRITICAL)
        taken = socket.create_server(("127.0.0.1", 0))
        self.port = taken.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [taken]}, daemon=True)
        self._thread.start()
        self.client = httpx.Client(
            base_url=self.url, trust_env=False, timeout=30, transport=httpx.HTTPTransport(retries=3)
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, places: TracebackType | None
    ) -> None:
        logging.getLogger("kupa").setLevel(logging.NOTSET)
        self.client.close()
        self._server.should_exit = True
        self._thread.join()

    def keep(self, record: MatchRecord, events: Sequence[NewEvent]) -> None:
        """Put a match into the store."""
        # Playwright's own loop runs in this thread.
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, self._create(record, events)).result()

    def played_on(self, match_id: str, play: Callable[[State], list[Any]]) -> None:
        """Have a match of Hearts go on behind everybody's back.

        Args:
            match_id: the match.
            play: returns what happens after its state as it is.
        """
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, self._play_on(match_id, play)).result()

    async def _play_on(self, match_id: str, play: Callable[[State], list[Any]]) -> None:
        stored = await self._store.events(match_id)
        state = replay(HEARTS, [HEARTS.read_event(entry.data, entry.version) for entry in stored])
        events = play(state)
        over = HEARTS.is_over(replay_from(state, events))
        await self._store.append(match_id, len(stored), new_events(HEARTS, events), over=over)

    async def _create(self, record: MatchRecord, events: Sequence[NewEvent]) -> Any:
        return await self._store.create(record, events)
