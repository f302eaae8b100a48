"""The bots of one table: whenever a seat of theirs is to act, they act until a person has to."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from kupa.refusal import Refusal
from kupa.server.bots import Chooser, new_chance
from kupa.server.table import PERSON, Table

LOG = logging.getLogger(__name__)

TRIES: Final = 3
"""How often a bot is asked again when what it wants is refused; another draw may help a random one."""


class BotError(Exception):
    """A bot wants nothing but what the rules refuse; the text is the code of the last refusal."""


class BotSeats:
    """All seats of a table but the person's.

    Args:
        table: the table, loaded.
        chooser: the bot that holds the seats.
    """

    def __init__(self, table: Table, chooser: Chooser) -> None:
        self._table = table
        self._chooser = chooser
        self._chance = new_chance()
        self._acting: asyncio.Task[None] | None = None

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

    async def _act(self) -> None:
        """Make one move after the other; the event loop gets its turn between them."""
        try:
            while (seat := self._next_seat()) is not None:
                await self._move(seat)
                await asyncio.sleep(0)
        except Exception as error:  # a bot's fault must not end the server
            # Only the kind of a stranger's error, as its text may name cards.
            LOG.error("bots of a table stopped: %s", error if isinstance(error, BotError) else type(error))

    async def _move(self, seat: int) -> None:
        game = self._table.game
        code = ""
        for _ in range(TRIES):
            data = self._chooser(self._table.view(seat), self._chance)
            command = game.read_command(data, seat)
            answer = command if isinstance(command, Refusal) else await self._table.do(command)
            # Refused because the table has moved on meanwhile is no fault: the seat is asked for anew.
            if not isinstance(answer, Refusal) or seat not in game.to_act(self._table.state):
                return
            code = answer.code
        raise BotError(code)
