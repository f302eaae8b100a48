"""What one socket has still to be sent, kept within bounds however slowly its reader reads.

Answers to the client's own frames are never dropped; they are few, since the next frame is read only when
there is room for its answer. Events that pile up are dropped and the whole view is due in their place. Of a
room only how it is now is ever sent; of what is said, what piles up is dropped and the last messages are due.
"""

from __future__ import annotations

import asyncio
from collections import deque
from enum import Enum
from typing import Final, NamedTuple

MOST_EVENTS: Final = 32
"""How many frames of events may wait; one more, and the view is sent in place of all."""
MOST_ANSWERS: Final = 8
"""How many answers may wait before no more frames are read."""


MOST_SAID: Final = 16
"""How many messages may wait; one more, and the last messages are sent in place of all."""


class Due(Enum):
    """What is made at the moment when it is sent."""

    ROOM = "room"
    """How the room is."""
    MESSAGES = "messages"
    """What was said last."""
    VIEW = "view"
    """All that may be known of the match."""


class Kind(Enum):
    """What waits: frames of one kind can stand for each other."""

    ANSWER = "answer"
    EVENTS = "events"
    SAID = "said"
    DUE = "due"


class _Waiting(NamedTuple):
    frame: str | Due
    kind: Kind


class Outbox:
    """A queue of frames with one reader."""

    def __init__(self) -> None:
        self._waiting: deque[_Waiting] = deque()
        self._filled = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    def tell(self, frame: str) -> None:
        """Add a frame of events; if too many wait already, the view will be sent in place of all of them."""
        if self._is_due(Due.VIEW):
            return  # the view that is yet to be made will tell of these events too
        self._add(frame, Kind.EVENTS)
        if self._count(Kind.EVENTS) > MOST_EVENTS:
            self.resync()

    def say(self, frame: str) -> None:
        """Add a message; if too many wait already, the last ones will be sent in place of all of them."""
        if self._is_due(Due.MESSAGES):
            return
        self._add(frame, Kind.SAID)
        if self._count(Kind.SAID) > MOST_SAID:
            self.show_messages()

    def answer(self, frame: str) -> None:
        """Add an answer to a frame of the client."""
        self._add(frame, Kind.ANSWER)

    def resync(self) -> None:
        """Have the whole view sent, in place of the events that wait."""
        self._replace(Kind.EVENTS, Due.VIEW)

    def show_room(self) -> None:
        """Have the room sent as it is when it is sent."""
        self._replace(None, Due.ROOM)

    def show_messages(self) -> None:
        """Have the last messages sent, in place of those that wait."""
        self._replace(Kind.SAID, Due.MESSAGES)

    async def next(self) -> str | Due:
        """Wait for the next frame and take it out; what is due is to be made now and sent."""
        while not self._waiting:
            self._filled.clear()
            await self._filled.wait()
        waiting = self._waiting.popleft()
        self._note_room()
        return waiting.frame

    async def room(self) -> None:
        """Wait until there is room for another answer."""
        await self._room.wait()

    def _replace(self, kind: Kind | None, due: Due) -> None:
        if not self._is_due(due):
            self._waiting = deque(waiting for waiting in self._waiting if waiting.kind is not kind)
            self._add(due, Kind.DUE)

    def _is_due(self, due: Due) -> bool:
        return any(waiting.frame is due for waiting in self._waiting)

    def _count(self, kind: Kind) -> int:
        return sum(waiting.kind is kind for waiting in self._waiting)

    def _add(self, frame: str | Due, kind: Kind) -> None:
        self._waiting.append(_Waiting(frame, kind))
        self._filled.set()
        self._note_room()

    def _note_room(self) -> None:
        if self._count(Kind.ANSWER) < MOST_ANSWERS:
            self._room.set()
        else:
            self._room.clear()

    def __len__(self) -> int:
        return len(self._waiting)
