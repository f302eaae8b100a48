"""The bots of one table: whenever a seat of theirs is to act, they act until a person has to.

A bot is told what its seat is told, event by event, and shown its seat's view when it is to act; the rest of
the state never reaches it. One that takes over in the middle of a round is first told what its seat has been
told in that round.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

from kupa.bots.player import Player
from kupa.hearts.events import RoundDealt
from kupa.refusal import Refusal
from kupa.server.bots import PlayerMaker
from kupa.server.seating import Seating
from kupa.server.store import StoreError
from kupa.server.table import Table

LOG = logging.getLogger(__name__)

RETRY_AFTER: Final = 1.0
"""Seconds after which a bot's move that could not be stored is tried again."""
TRIES: Final = 3
"""How often a bot is asked again when what it wants is refused; another draw may help a random one."""


class BotError(Exception):
    """A bot wants nothing but what the rules refuse; the text is the code of the last refusal."""


class _Seated:
    """A bot in a seat, and how many events of the round it has been told."""

    def __init__(self, player: Player, level: str) -> None:
        self.player = player
        self.level = level
        self.told = 0


class BotSeats:
    """All seats of a table that bots play in. Made before the table is loaded, so that it hears everything.

    Args:
        table: the table.
        seating: says which seats these are.
        maker: returns what makes the players of a level.
        luck: the table's secret text.
    """

    def __init__(
        self, table: Table, seating: Seating, maker: Callable[[str], PlayerMaker], luck: str
    ) -> None:
        self._table = table
        self._seating = seating
        self._maker = maker
        self._luck = luck
        self._bots: dict[int, _Seated] = {}
        self._round: list[Any] = []
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
        if self._seating.is_paused:
            return None
        seats = self._table.game.to_act(self._table.state)
        return next((seat for seat in seats if self._seating.level_at(seat) is not None), None)

    def _hear(self, events: Sequence[Any]) -> None:
        """Keep what happens in a round until a bot is asked; a new round makes what came before it old."""
        for event in events:
            if isinstance(event, RoundDealt):
                self._round.clear()
                for bot in self._bots.values():
                    bot.told = 0
            self._round.append(event)

    def _bot_at(self, seat: int, level: str) -> Player:
        """Return the bot of a seat, told all that its seat has been told."""
        bot = self._bots.get(seat)
        if bot is None or bot.level != level:
            bot = _Seated(self._maker(level)(f"{self._luck}/{seat}"), level)
            self._bots[seat] = bot
        for event in self._round[bot.told :]:
            told = self._table.game.event_view(event, seat)
            if told is not None:
                bot.player.told(told)
        bot.told = len(self._round)
        return bot.player

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
            level = self._seating.level_at(seat)
            if level is None:
                return  # the person of the seat is back
            player = self._bot_at(seat, level)
            view: Any = self._table.view(seat)
            command = game.read_command(player.choose(view), seat)
            answer = command if isinstance(command, Refusal) else await self._table.do(command)
            # Refused because the table has moved on meanwhile is no fault: the seat is asked for anew.
            if not isinstance(answer, Refusal) or seat not in game.to_act(self._table.state):
                return
            code = answer.code
        raise BotError(code)
