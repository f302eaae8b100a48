"""A live match: commands come in one after the other, events are stored, then told.

The state in memory is only ever what replaying the log gives. Where it may differ (an append whose outcome is
not known, another process that was quicker) it is read again from the log before anything else happens.
"""

from __future__ import annotations

import asyncio
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from kupa.game import EVENT_VERSION, Game, Json
from kupa.refusal import Refusal
from kupa.server.frames import events_frame, view_frame
from kupa.server.outbox import Outbox
from kupa.server.store import MatchRecord, NewEvent, Outcome, Store, StoreError, UnreadableMatchError

PERSON: Final = 0
"""The seat of the person; all others are held by bots."""
ATTEMPTS: Final = 8
"""How often a command is decided anew because another process was quicker, before the store is blamed."""
REMEMBERED: Final = 256
"""How many commands that led to no event are remembered, so that a retry does not do more than they did."""


def new_events(game: Game, events: Sequence[Any]) -> list[NewEvent]:
    """Return a game's events as the log takes them."""
    return [NewEvent(EVENT_VERSION, game.write_event(event)) for event in events]


def states_after(game: Game, state: Any, events: Sequence[Any]) -> list[Any]:
    """Return the state after each of some events, beginning from a state (None for the first event)."""
    states = []
    for event in events:
        state = game.evolve(state, event)
        states.append(state)
    return states


class Table:
    """One match in memory. Made by :class:`kupa.server.tables.Tables`.

    Args:
        record: what the store keeps of the match.
        game: its game.
        store: where its log is.
    """

    def __init__(self, record: MatchRecord, game: Game, store: Store) -> None:
        self.id = record.id
        self.game = game
        self.facts = record.facts
        self.state: Any = None
        self.seq = 0
        """The number of the last event."""
        self._store = store
        self._lock = asyncio.Lock()
        self._is_stale = True
        self._stored_commands: set[str] = set()
        self._idle_commands: deque[str] = deque(maxlen=REMEMBERED)
        self._listeners: dict[Outbox, int] = {}
        self._hearers: list[Callable[[Sequence[Any]], None]] = []

    # What a seat is told

    def view(self, seat: int) -> msgspec.Struct:
        """Return all that a seat may know now."""
        return self.game.view(self.state, seat)

    def info(self, seat: int) -> Json:
        """Return what a seat is told of the match itself.

        Returns:
            ``id``, ``game``, ``preset`` (a rulebook's name or None), ``changed`` (the fields that house rules
            have set), ``end_early``, ``names`` (a name a seat, None for the person), ``bots`` (their level)
            and ``seat``.
        """
        return {
            "id": self.id,
            "game": self.game.name,
            "preset": self.facts["preset"],
            "changed": self.facts["changed"],
            "end_early": self.facts.get("end_early", False),
            "names": self.facts["names"],
            "bots": self.facts["bots"],
            "seat": seat,
        }

    def view_frame(self, seat: int) -> str:
        """Return the frame that tells a seat everything."""
        return view_frame(self.seq, self.view(seat), self.info(seat))

    def listen(self, outbox: Outbox, seat: int) -> None:
        """Tell an outbox all that its seat may know, now and from now on."""
        self._listeners[outbox] = seat
        outbox.resync()

    def leave(self, outbox: Outbox) -> None:
        """Tell an outbox nothing more."""
        self._listeners.pop(outbox, None)

    def hear(self, hearer: Callable[[Sequence[Any]], None]) -> None:
        """Have somebody on the server's own side called with all events as they happen, or are replayed."""
        self._hearers.append(hearer)

    @property
    def is_watched(self) -> bool:
        """Whether anybody listens."""
        return bool(self._listeners)

    # What is done

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
        for seat in sorted(set(self._listeners.values())):
            frame = events_frame(
                [
                    {
                        "seq": seq,
                        "event": self.game.event_view(event, seat),
                        "view": self.game.view(state, seat),
                    }
                    for seq, event, state in zip(range(first, self.seq + 1), events, states, strict=True)
                ]
            )
            for outbox, listening in self._listeners.items():
                if listening == seat:
                    outbox.tell(frame)
