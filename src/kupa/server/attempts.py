"""Counting attempts, so that nobody can try for ever: by a key such as a login or an address, in memory."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable
from typing import Final

MOST_KEYS: Final = 20_000
"""How many keys are remembered; beyond that, those that tried least recently are forgotten."""
MINUTE: Final = 60.0


class Attempts:
    """Allows a number of attempts within a time, for each key.

    Args:
        most: how many.
        within: the time in seconds; it slides.
        clock: seconds that never run backwards.
    """

    def __init__(self, most: int, within: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._within = within
        self._clock = clock
        self._made: dict[Hashable, deque[float]] = {}

    def allow(self, key: Hashable) -> bool:
        """Tell whether another attempt may be made, and count it if so."""
        now = self._clock()
        made = self._made.pop(key, None) or deque()
        while made and made[0] <= now - self._within:
            made.popleft()
        is_allowed = len(made) < self._most
        if is_allowed:
            made.append(now)
        # The one that tried last stands last.
        self._made[key] = made
        self.prune()
        if len(self._made) > MOST_KEYS:
            del self._made[next(iter(self._made))]
        return is_allowed

    def prune(self) -> None:
        """Forget the keys whose attempts are all too long ago to count."""
        earliest = self._clock() - self._within
        while self._made:
            key, made = next(iter(self._made.items()))
            if made and made[-1] > earliest:
                return
            del self._made[key]

    def forget(self, key: Hashable) -> None:
        """Count nothing against a key any more."""
        self._made.pop(key, None)


class Limit:
    """Allows a number of attempts a minute to one person, and to one address, by whomever.

    A new guest is quickly made, so that counting by persons alone would stop nobody.

    Args:
        of_one: how many one person may make.
        from_one: how many may be made from one address.
    """

    def __init__(self, of_one: int, from_one: int) -> None:
        self._of_one = Attempts(of_one, MINUTE)
        self._from_one = Attempts(from_one, MINUTE)

    def allow(self, person: str | None, address: str) -> bool:
        """Tell whether another attempt may be made, and count it, by who makes it, if known, and the address."""
        return (person is None or self._of_one.allow(person)) and self._from_one.allow(address)
