"""How a benchmark compares two loops and tells its result: a table for people, one JSON line for programs.

Every benchmark prints its JSON object as its last line, with its ``name`` first.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import platform
import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

REPETITIONS = 11
"""Slices that each side of a comparison is timed for."""


class Loop(Protocol):
    """Something that does a unit of work over and over."""

    def play(self, rounds: int) -> None:
        """Do ``rounds`` units of work."""


@dataclass(frozen=True)
class Comparison:
    """Rates of two loops that did the same number of units side by side, a pair for each repetition."""

    units: int
    """Units of work in every slice, the same on both sides."""
    ours: tuple[float, ...]
    """Units a second of CPU time."""
    peers: tuple[float, ...]

    @property
    def ratios(self) -> tuple[float, ...]:
        """Our rate as a share of the peer's, repetition by repetition, ascending."""
        return tuple(sorted(ours / peer for ours, peer in zip(self.ours, self.peers, strict=True)))

    @property
    def ratio(self) -> float:
        """The median of the ratios."""
        return statistics.median(self.ratios)


def timed(loop: Loop, units: int) -> float:
    """Return the CPU seconds that a loop takes for some units of work, garbage of others collected before.

    CPU time rather than the clock's: the loops only compute, and another process on the same core is none of
    their business.
    """
    gc.collect()
    start = time.process_time()
    loop.play(units)
    return time.process_time() - start


def warmed_up(loop: Loop, seconds: float) -> float:
    """Return a first estimate of a loop's rate, from a run of at least some CPU seconds."""
    units, took = 1, 0.0
    while took < seconds:
        units *= 2
        took = timed(loop, units)
    return units / took


def compared(ours: Loop, peer: Loop, seconds: float, repetitions: int = REPETITIONS) -> Comparison:
    """Time two loops in turns, for about ``seconds`` of CPU time altogether.

    Either side goes first in every other repetition, and a ratio is only ever taken within a repetition, so
    that a machine that drifts cancels out.
    """
    per_unit = 1 / warmed_up(ours, seconds / 50) + 1 / warmed_up(peer, seconds / 50)
    units = max(1, round(seconds / repetitions / per_unit))
    rates: dict[Loop, list[float]] = {ours: [], peer: []}
    for repetition in range(repetitions):
        for loop in (ours, peer) if repetition % 2 == 0 else (peer, ours):
            rates[loop].append(units / timed(loop, units))
    return Comparison(units, tuple(rates[ours]), tuple(rates[peer]))


def alone(loop: Loop, seconds: float, repetitions: int = REPETITIONS) -> tuple[float, ...]:
    """Return the rates of a loop that has nothing to be compared with."""
    units = max(1, round(seconds / repetitions * warmed_up(loop, seconds / 50)))
    return tuple(units / timed(loop, units) for _ in range(repetitions))


def keep_to_one_core() -> None:
    """Keep this process on one core, where the system can do so."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def machine() -> str:
    """Return what the numbers were measured with, in a few words."""
    return f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table: the first column to the left, the others to the right."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def last_line(name: str, numbers: Mapping[str, Any]) -> str:
    """Return a benchmark's result as one line of JSON; numbers are rounded to four significant digits."""
    return json.dumps({"name": name, **{key: _rounded(value) for key, value in numbers.items()}})


def _rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _rounded(each) for key, each in value.items()}
    return float(f"{value:.4g}") if isinstance(value, float) else value


def positive_seconds(text: str) -> float:
    """Read a number of seconds for argparse, more than 0.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return seconds
