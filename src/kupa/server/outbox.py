"""What one socket has still to be sent, kept within bounds however slowly its reader reads.

Answers to the client's own frames are never dropped; they are few, since the next frame is read only when
there is room for its answer. Events that pile up are dropped and the whole view is due in their place.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, NamedTuple

MOST_EVENTS: Final = 32
"""How many frames of events may wait; one more, and the view is sent in place of all."""
MOST_ANSWERS: Final = 8
"""How many answers may wait before no more frames are read."""


class _Waiting(NamedTuple):
    frame: str | None
    """A frame as it is sent; None where the view is due, which is made when its turn comes."""
    is_answer: bool


class Outbox:
    """A queue of frames with one reader."""

    def __init__(self) -> None:
        self._waiting: deque[_Waiting] = deque()
        self._filled = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._view_is_due = False

    def tell(self, frame: str) -> None:
        """Add a frame of events; if too many wait already, the view will be sent in place of all of them."""
        if self._view_is_due:
            return  # the view that is yet to be made will tell of these events too
        self._add(_Waiting(frame, is_answer=False))
        if sum(not waiting.is_answer for waiting in self._waiting) > MOST_EVENTS:
            self.resync()

    def answer(self, frame: str) -> None:
        """Add an answer to a frame of the client."""
        self._add(_Waiting(frame, is_answer=True))

    def resync(self) -> None:
        """Have the whole view sent, in place of the events that wait."""
        if not self._view_is_due:
            self._waiting = deque(waiting for waiting in self._waiting if waiting.is_answer)
            self._add(_Waiting(None, is_answer=False))
            self._view_is_due = True

    async def next(self) -> str | None:
        """Wait for the next frame and take it out; None says that the view is to be made now and sent."""
        while not self._waiting:
            self._filled.clear()
            await self._filled.wait()
        waiting = self._waiting.popleft()
        if waiting.frame is None:
            self._view_is_due = False
        self._note_room()
        return waiting.frame

    async def room(self) -> None:
        """Wait until there is room for another answer."""
        await self._room.wait()

    def _add(self, waiting: _Waiting) -> None:
        self._waiting.append(waiting)
        self._filled.set()
        self._note_room()

    def _note_room(self) -> None:
        if sum(waiting.is_answer for waiting in self._waiting) < MOST_ANSWERS:
            self._room.set()
        else:
            self._room.clear()

    def __len__(self) -> int:
        return len(self._waiting)
