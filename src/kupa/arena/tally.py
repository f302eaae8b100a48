"""What is noted of a contestant, and how notes become figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

STEP: Final = 1.02
"""Times of decisions are counted in steps of two per cent, so that a percentile is right within one."""
_SHORTEST_MS: Final = 0.001


class Tally(msgspec.Struct, omit_defaults=True):
    """What one contestant did and met with; adds up over rounds."""

    rounds: int = 0
    points: int = 0
    others: float = 0.0
    """The mean points of the other seats, summed over rounds."""
    rounds_won: float = 0.0
    """Rounds in which it had the lowest points; a tie is shared."""
    matches: int = 0
    matches_won: float = 0.0
    moons: int = 0
    """Moons that it made."""
    against: int = 0
    """Moons that another seat made."""
    stopped: int = 0
    """Moons of others that it stopped: see :mod:`kupa.arena.moons`."""
    failed: int = 0
    """Moons of its own that somebody stopped."""
    decisions: int = 0
    ms: float = 0.0
    """Milliseconds of all decisions together."""
    spread: dict[int, int] = {}
    """How many decisions took about ``STEP ** key`` milliseconds."""
    faults: dict[str, int] = {}
    """Decisions that the host made in its place, by the code of the fault."""
    detail: str = ""
    """What there is to say of its first fault."""

    def decided(self, ms: float) -> None:
        """Note how long a decision took."""
        self.decisions += 1
        self.ms += ms
        step = round(math.log(max(ms, _SHORTEST_MS), STEP))
        self.spread[step] = self.spread.get(step, 0) + 1

    def charged(self, code: str, detail: str) -> None:
        """Note a fault."""
        if not self.faults:
            self.detail = detail
        self.faults[code] = self.faults.get(code, 0) + 1

    def scored(self, points: Sequence[int], seat: int, shooter: int | None) -> None:
        """Note a round in which the contestant had a seat."""
        self.rounds += 1
        self.points += points[seat]
        self.others += (sum(points) - points[seat]) / (len(points) - 1)
        self.rounds_won += share_of_win(points, seat)
        if shooter is not None:
            self.moons += shooter == seat
            self.against += shooter != seat

    def add(self, other: Tally) -> None:
        """Add another tally of the same contestant."""
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for own, more in ((self.spread, other.spread), (self.faults, other.faults)):
            counts: dict[Any, int] = own
            for key, number in more.items():
                counts[key] = counts.get(key, 0) + number
        self.detail = self.detail or other.detail

    @property
    def fault_count(self) -> int:
        """How many faults there were altogether."""
        return sum(self.faults.values())

    @property
    def ms_mean(self) -> float | None:
        """Milliseconds a decision; None where there was none."""
        return self.ms / self.decisions if self.decisions else None

    def ms_within(self, share: float) -> float | None:
        """Return the milliseconds within which a share of the decisions was made, within one per cent."""
        left = math.ceil(share * self.decisions)
        for step in sorted(self.spread):
            left -= self.spread[step]
            if left <= 0:
                return float(STEP**step)
        return None

    def write(self) -> dict[str, Any]:
        """Write as JSON built-ins."""
        written: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        return written


_SUMS: Final = tuple(name for name in Tally.__struct_fields__ if name not in {"spread", "faults", "detail"})


def read_tally(written: Any) -> Tally:
    """Read what :meth:`Tally.write` wrote.

    Raises:
        ValueError: it is none.
    """
    return msgspec.convert(written, Tally, str_keys=True)  # a ValidationError is a ValueError


def share_of_win(points: Sequence[int], seat: int) -> float:
    """Return a seat's share of a win: it has the lowest points, with how many others."""
    lowest = min(points)
    return 1 / points.count(lowest) if points[seat] == lowest else 0.0


class Figure(NamedTuple):
    """A mean and its standard error, which is not a number where there is too little to tell."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: Iterable[tuple[float, float]]) -> Figure:
        """Return the mean of what boards came to, with its error over boards.

        Args:
            values: of each board the sum, and of how many rounds (or matches) it is the sum. Where all have
                as many, this is the mean of the boards' means with the usual standard error; else the ratio
                of the sums, and its error in the first order.
        """
        pairs = [(total, weight) for total, weight in values if weight]
        whole = sum(weight for _, weight in pairs)
        if not whole:
            return cls(math.nan, math.nan)
        mean = sum(total for total, _ in pairs) / whole
        if len(pairs) < 2:
            return cls(mean, math.nan)
        squares = sum((total - mean * weight) ** 2 for total, weight in pairs)
        return cls(mean, math.sqrt(squares * len(pairs) / (len(pairs) - 1)) / whole)
