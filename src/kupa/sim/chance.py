"""Chance inside kernels: a stream of random numbers that is one integer, and exactly uniform choices from it.

The generator is SplitMix64 (Steele, Lea and Flood, 2014): a counter in steps of an odd constant, mixed. Every
round has a stream of its own, made of a seed and the round's number, so that a round is the same whatever
else is played in the same batch. The stream is kept as a signed integer, as everything that kernels hold.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kupa.sim.compiling import inlined

Words = NDArray[np.int64]

STEP: Final = np.uint64(0x9E3779B97F4A7C15)
STREAM_STEP: Final = np.uint64(0xD1B54A32D192ED03)
"""What lies between the streams of two neighbouring rounds before they are mixed; odd, and not STEP."""
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_30: Final = np.uint64(30)
_27: Final = np.uint64(27)
_31: Final = np.uint64(31)
_32: Final = np.uint64(32)
_11: Final = np.uint64(11)
_LOW: Final = np.uint64(0xFFFFFFFF)
_UNIT: Final = 2.0**-53


@inlined
def mixed(word: np.uint64) -> np.uint64:
    """Return a word with every bit depending on every other: the mixing of SplitMix64."""
    word = (word ^ (word >> _30)) * _FIRST
    word = (word ^ (word >> _27)) * _SECOND
    return word ^ (word >> _31)


@inlined
def stream_of(seed: int, number: int) -> int:
    """Return the start of the stream of one of the rounds that belong to a seed."""
    return np.int64(mixed(mixed(np.uint64(seed) + STEP) + np.uint64(number) * STREAM_STEP))  # type: ignore[return-value]


@inlined
def below(row: Words, place: int, end: int) -> int:
    """Draw a whole number from 0 to ``end`` - 1, each exactly as likely as the others.

    A product of 32 random bits and ``end`` is cut off; the few products that would favour a number are drawn
    again (Lemire, 2019).

    Args:
        row: words, one of which is a stream; that one is moved on.
        place: which.
        end: 1 to 2**31.
    """
    bound = np.uint64(end)
    word = np.uint64(row[place]) + STEP
    product = (mixed(word) >> _32) * bound
    if product & _LOW < bound:
        threshold = (_LOW + np.uint64(1) - bound) % bound
        while product & _LOW < threshold:
            word += STEP
            product = (mixed(word) >> _32) * bound
    row[place] = np.int64(word)
    return np.int64(product >> _32)  # type: ignore[return-value]


@inlined
def fraction(row: Words) -> float:
    """Draw a number from 0 to 1, 1 excluded, of 53 random bits; word 0 of the row is the stream."""
    word = np.uint64(row[0]) + STEP
    row[0] = np.int64(word)
    return np.float64(np.int64(mixed(word) >> _11)) * _UNIT
