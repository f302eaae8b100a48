"""A log that is alive: commands come in one after the other, events are stored, then told.

The state in memory is only ever what replaying the log gives. Where it may differ (an append whose outcome is
not known, another process that was quicker) it is read again from the log before anything else happens.
"""

from __future__ import annotations

import asyncio
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from kupa.game import EVENT_VERSION, Json
from kupa.refusal import Refusal
from kupa.server.store import NewEvent, Outcome, Store, StoreError, UnreadableMatchError

ATTEMPTS: Final = 8
"""How often a command is decided anew because another process was quicker, before the store is blamed."""
REMEMBERED: Final = 256
"""How many commands that led to no event are remembered, so that a retry does not do more than they did."""


class Rules(Protocol):
    """What a live log asks of the game, or of the kind of room, that it is a log of."""

    def decide(self, state: Any, command: Any) -> Sequence[Any] | Refusal:
        """Return the events that a command leads to, or a refusal."""
        ...

    def evolve(self, state: Any, event: Any) -> Any:
        """Return the state after an event."""
        ...

    def is_over(self, state: Any) -> bool:
        """Tell whether nothing more will happen."""
        ...

    def write_event(self, event: Any) -> Json:
        """Write an event as built-ins."""
        ...

    def read_event(self, data: Json, version: int) -> Any:
        """Read an event of a log."""
        ...


def new_events(game: Rules, events: Sequence[Any]) -> list[NewEvent]:
    """Return a game's events as the log takes them."""
    return [NewEvent(EVENT_VERSION, game.write_event(event)) for event in events]


def states_after(game: Rules, state: Any, events: Sequence[Any]) -> list[Any]:
    """Return the state after each of some events, beginning from a state (None for the first event)."""
    states = []
    for event in events:
        state = game.evolve(state, event)
        states.append(state)
    return states


class LiveLog:
    """One log in memory.

    Args:
        log_id: its name in the store: of a match, or of a room.
        game: what it is a log of.
        store: where it is kept.
    """

    def __init__(self, log_id: str, game: Any, store: Store) -> None:
        self.id = log_id
        self.game = game
        self.state: Any = None
        self.seq = 0
        """The number of the last event."""
        self._store = store
        self._lock = asyncio.Lock()
        self._is_stale = True
        self._stored_commands: set[str] = set()
        self._idle_commands: deque[str] = deque(maxlen=REMEMBERED)
        self._hearers: list[Callable[[Sequence[Any]], None]] = []

    def hear(self, hearer: Callable[[Sequence[Any]], None]) -> None:
        """Have somebody on the server's own side called with all events as they happen, or are replayed."""
        self._hearers.append(hearer)

    async def load(self) -> None:
        """Bring the state up to the log.

        Raises:
            UnreadableMatchError: the log cannot be replayed.
            StoreError: the log cannot be read.
        """
        async with self._lock:
            # Another process may have added to the log, and whoever asks shall see what is true.
            self._is_stale = True
            await self._catch_up()

    async def do(self, command: Any, command_id: str | None = None) -> int | Refusal:
        """Do a command that the game has read, once.

        Args:
            command: as ``game.read_command`` returned it.
            command_id: its name, unique in the match; None for a bot's, which is never sent twice.

        Returns:
            The number of the last event when it is done, now or before; or why it is not.

        Raises:
            StoreError: the log cannot be written; whether the command was stored is read from it next time.
        """
        async with self._lock:
            return await self._do(command, command_id)

    async def _do(self, command: Any, command_id: str | None) -> int | Refusal:
        for _ in range(ATTEMPTS):
            await self._catch_up()
            if command_id in self._stored_commands or command_id in self._idle_commands:
                return self.seq
            events = self.game.decide(self.state, command)
            if isinstance(events, Refusal):
                return events
            if not events:
                if command_id is not None:
                    self._idle_commands.append(command_id)
                return self.seq
            if await self._append(events, command_id):
                return self.seq
        raise StoreError("store_failed")

    async def _append(self, events: Sequence[Any], command_id: str | None) -> bool:
        """Store events, then move on and tell; False if the log has moved on without us."""
        states = states_after(self.game, self.state, events)
        # Until the outcome is known, memory may be behind the log, even if this task is cancelled here.
        self._is_stale = True
        outcome = await self._store.append(
            self.id,
            self.seq,
            new_events(self.game, events),
            over=self.game.is_over(states[-1]),
            command_id=command_id,
        )
        if outcome is not Outcome.STORED:
            return False
        self._is_stale = False
        if command_id is not None:
            self._stored_commands.add(command_id)
        self._move_on(events, states)
        return True

    async def _catch_up(self) -> None:
        """Replay what the log has beyond the state in memory, if it may have more."""
        if not self._is_stale:
            return
        stored = await self._store.events(self.id, self.seq)
        if [entry.seq for entry in stored] != list(range(self.seq + 1, self.seq + 1 + len(stored))):
            raise UnreadableMatchError("an event is missing")
        if not stored and self.state is None:
            raise UnreadableMatchError("no event is left")
        try:
            events = [self.game.read_event(entry.data, entry.version) for entry in stored]
            states = states_after(self.game, self.state, events)
        except Exception as error:
            # The text of the error may name cards; its kind and place may be told.
            place = traceback.extract_tb(error.__traceback__)[-1]
            raise UnreadableMatchError(
                f"{type(error).__name__} in {place.name}, line {place.lineno}"
            ) from None
        self._is_stale = False
        self._stored_commands.update(entry.command_id for entry in stored if entry.command_id is not None)
        if events:
            self._move_on(events, states)

    def _move_on(self, events: Sequence[Any], states: Sequence[Any]) -> None:
        """Take up events that are in the log, each with the state after it, and tell everybody."""
        first = self.seq + 1
        self.seq += len(events)
        self.state = states[-1]
        for hearer in self._hearers:
            hearer(events)
        self._tell(first, events, states)

    def _tell(self, first: int, events: Sequence[Any], states: Sequence[Any]) -> None:
        """Tell whoever listens of events, numbered from ``first``, each with the state after it."""
