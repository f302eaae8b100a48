"""What was read from the database a moment ago: a bounded number of values, each believed for a while."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

FRESH_FOR: Final = 60.0
"""Seconds for which what was read is believed without looking again: another process may have changed it."""

Value = TypeVar("Value")


class Remembered(Generic[Value]):
    """Values by key.

    Args:
        most: how many; beyond that, those kept first are forgotten.
        fresh_for: how long each is believed, in seconds.
        clock: seconds that never run backwards.
    """

    def __init__(self, most: int, fresh_for: float, clock: Callable[[], float]) -> None:
        self._most = most
        self._fresh_for = fresh_for
        self._clock = clock
        self._kept: dict[str, tuple[float, Value]] = {}
        self.epoch = 0
        """Goes up whenever something is forgotten."""

    def __contains__(self, key: str) -> bool:
        """Tell whether a value is remembered and still believed."""
        kept = self._kept.get(key)
        return kept is not None and self._clock() < kept[0] + self._fresh_for

    def get(self, key: str) -> Value | None:
        """Return the value of a key, or None."""
        return self._kept[key][1] if key in self else None

    def keep(self, key: str, value: Value, epoch: int) -> None:
        """Remember a value, unless something has been forgotten since it began to be read.

        Args:
            key: of the value.
            value: what was read.
            epoch: the epoch before it was read: what was read then may have been changed since.
        """
        if epoch != self.epoch:
            return
        self._kept.pop(key, None)
        self._kept[key] = (self._clock(), value)
        if len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]

    def forget(self, key: str) -> None:
        """Remember nothing of a key."""
        self.epoch += 1
        self._kept.pop(key, None)
