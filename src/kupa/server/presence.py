"""Who is connected to a room, who is away and since when, and how long decisions have been open.

Nothing of this is in the log: it is of the moment, and begins anew when the server does.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final, NamedTuple

GRACE: Final = 40.0
"""Seconds for which somebody whose connection broke keeps the seat before a bot plays for them."""


class _Open(NamedTuple):
    """A decision that is open."""

    name: Hashable
    """What names it among the seat's."""
    since: float
    """When it was opened, later by what has been given back."""
    given_back: float = 0.0
    """Seconds of the person's absence that do not count."""


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
        self._opened: dict[int, _Open] = {}

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
            self._opened[seat] = before if before and before.name == decision else _Open(decision, now)

    def open_for(self, seat: int) -> float | None:
        """Return for how long a seat's decision has been open, in seconds; None if none is."""
        found = self._opened.get(seat)
        return None if found is None else self._clock() - found.since

    def used_by(self, person: str, seat: int) -> float | None:
        """Return how much of the time for the seat's decision its person has used up, in seconds.

        An absence that goes on does not count as far as it would be given back; None if no decision is open.
        """
        found = self._opened.get(seat)
        if found is None:
            return None
        return self._clock() - found.since - self._still_given(found, self.away_for(person))

    def begin_anew(self, seat: int) -> None:
        """Give the person of a seat, who is back from a stand-in, all the time for the open decision."""
        found = self._opened.get(seat)
        if found is not None:
            self._opened[seat] = found._replace(since=self._clock())

    def give_back(self, seat: int, seconds: float) -> None:
        """Add to the time of a seat's decision what its person was away for.

        All absences during one decision give no more than ``GRACE``: who goes away again and again would
        hold up the others for ever otherwise.
        """
        found = self._opened.get(seat)
        if found is not None:
            back = self._still_given(found, seconds)
            self._opened[seat] = found._replace(since=found.since + back, given_back=found.given_back + back)

    def _still_given(self, found: _Open, seconds: float) -> float:
        """Return how much of an absence does not count for a decision."""
        return max(0.0, min(seconds, GRACE - found.given_back, self._clock() - found.since))
