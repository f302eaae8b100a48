"""The bots of one table: whenever a seat of theirs is to act, they act until a person has to.

A bot is told what its seat is told, event by event, and shown its seat's view when it is to act; the rest of
the state never reaches it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Final

from kupa.bots.player import Player
from kupa.hearts.events import RoundDealt
from kupa.refusal import Refusal
from kupa.server.bots import PlayerMaker
from kupa.server.store import StoreError
from kupa.server.table import PERSON, Table

LOG = logging.getLogger(__name__)

RETRY_AFTER: Final = 1.0
"""Seconds after which a bot's move that could not be stored is tried again."""
TRIES: Final = 3
"""How often a bot is asked again when what it wants is refused; another draw may help a random one."""


class BotError(Exception):
    """A bot wants nothing but what the rules refuse; the text is the code of the last refusal."""


class BotSeats:
    """All seats of a table but the person's. Made before the table is loaded, so that it hears everything.

    Args:
        table: the table.
        maker: makes the player of each seat.
        luck: the table's secret text.
    """

    def __init__(self, table: Table, maker: PlayerMaker, luck: str) -> None:
        self._table = table
        self._maker = maker
        self._luck = luck
        self._players: dict[int, Player] = {}
        self._untold: list[Any] = []
        self._acting: asyncio.Task[None] | None = None
        table.hear(self._hear)

    @property
    def are_acting(self) -> bool:
        """Whether a bot is at work."""
        return self._acting is not None and not self._acting.done()

    def wake(self) -> None:
        """Have the bots act if one of them is to; returns at once."""
        if not self.are_acting and self._next_seat() is not None:
            self._acting = asyncio.create_task(self._act(), name="bots")

    async def rest(self) -> None:
        """Wait until no bot has anything to do."""
        if self._acting is not None:
            await asyncio.wait({self._acting})

    async def stop(self) -> None:
        """Stop acting; what has been stored stays, the rest is done when the table is next opened."""
        if self._acting is not None:
            self._acting.cancel()
            await asyncio.wait({self._acting})

    def _next_seat(self) -> int | None:
        return next((seat for seat in self._table.game.to_act(self._table.state) if seat != PERSON), None)

    def _hear(self, events: Sequence[Any]) -> None:
        """Keep what happened until a bot is asked next; a new round makes what came before it old."""
        for event in events:
            if isinstance(event, RoundDealt):
                self._untold.clear()
            self._untold.append(event)

    def _tell(self) -> None:
        """Tell every bot, as its seat may know it, what it has not been told yet."""
        game = self._table.game
        for seat in range(game.seats(self._table.state)):
            if seat == PERSON:
                continue
            if seat not in self._players:
                self._players[seat] = self._maker(f"{self._luck}/{seat}")
            for event in self._untold:
                told = game.event_view(event, seat)
                if told is not None:
                    self._players[seat].told(told)
        self._untold.clear()

    async def _act(self) -> None:
        """Make one move after the other; the event loop gets its turn between them."""
        try:
            while (seat := self._next_seat()) is not None:
                try:
                    await self._move(seat)
                    await asyncio.sleep(0)
                except StoreError as error:
                    # The table waits for the bots, so they try until the database takes it again.
                    LOG.error("bots of a table wait for the store: %s", error)
                    await asyncio.sleep(RETRY_AFTER)
        except Exception as error:  # a bot's fault must not end the server
            # Only the kind of a stranger's error, as its text may name cards.
            LOG.error("bots of a table stopped: %s", error if isinstance(error, BotError) else type(error))

    async def _move(self, seat: int) -> None:
        game = self._table.game
        code = ""
        for _ in range(TRIES):
            self._tell()
            view: Any = self._table.view(seat)
            command = game.read_command(self._players[seat].choose(view), seat)
            answer = command if isinstance(command, Refusal) else await self._table.do(command)
            # Refused because the table has moved on meanwhile is no fault: the seat is asked for anew.
            if not isinstance(answer, Refusal) or seat not in game.to_act(self._table.state):
                return
            code = answer.code
        raise BotError(code)
