"""Who is connected to a room, who is away and since when, and how long decisions have been open.

Nothing of this is in the log: it is of the moment, and begins anew when the server does.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final

GRACE: Final = 40.0
"""Seconds for which somebody whose connection broke keeps the seat before a bot plays for them."""


class Presence:
    """The people of one room.

    Args:
        clock: seconds that never run backwards.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._sockets: dict[str, set[Any]] = {}
        self._left_at: dict[str, float] = {}
        self.was_away: dict[str, float] = {}
        """For how long people who have come back were away, in seconds."""
        self._opened: dict[int, tuple[Hashable, float]] = {}

    def come(self, person: str, socket: Any) -> bool:
        """Note a connection of somebody; returns whether they were away."""
        was_away = not self.is_here(person)
        if was_away and person in self._left_at:
            self.was_away[person] = self._clock() - self._left_at[person]
        self._sockets.setdefault(person, set()).add(socket)
        return was_away

    def go(self, person: str, socket: Any) -> bool:
        """Note that a connection of somebody has ended; returns whether they are away now."""
        open_ones = self._sockets.get(person, set())
        open_ones.discard(socket)
        if open_ones or person not in self._sockets:
            return False
        del self._sockets[person]
        self._left_at[person] = self._clock()
        return True

    def is_here(self, person: str) -> bool:
        """Tell whether somebody has a connection."""
        return person in self._sockets

    @property
    def here(self) -> frozenset[str]:
        """Everybody who has a connection."""
        return frozenset(self._sockets)

    def away_for(self, person: str) -> float:
        """Return for how long somebody has had no connection, in seconds; 0 if they have one.

        Who has not been here since the server began is away since the first time that it was asked for.
        """
        if self.is_here(person):
            return 0.0
        return self._clock() - self._left_at.setdefault(person, self._clock())

    # Decisions

    def note_decisions(self, open_now: Iterable[tuple[int, Hashable]]) -> None:
        """Note which decisions are open now: a seat, and what names the decision among the seat's."""
        now = self._clock()
        known = self._opened
        self._opened = {}
        for seat, decision in open_now:
            before = known.get(seat)
            self._opened[seat] = before if before and before[0] == decision else (decision, now)

    def open_for(self, seat: int) -> float | None:
        """Return for how long a seat's decision has been open, in seconds; None if none is."""
        found = self._opened.get(seat)
        return None if found is None else self._clock() - found[1]

    def begin_anew(self, seat: int) -> None:
        """Give the person of a seat, who is back from a stand-in, all the time for the open decision."""
        found = self._opened.get(seat)
        if found is not None:
            self._opened[seat] = (found[0], self._clock())

    def give_back(self, seat: int, seconds: float) -> None:
        """Add to the time of a seat's decision what its person was away for."""
        found = self._opened.get(seat)
        if found is not None:
            self._opened[seat] = (found[0], min(self._clock(), found[1] + seconds))
