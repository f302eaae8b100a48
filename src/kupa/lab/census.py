"""The census: not a sample, but every code, shard by shard.

A shard is all codes that begin with the same two letters, 26⁵ of them, and is named by these letters. What is
kept of it can be checked without the others: how many of its codes can be won, how many are stuck before the
first move, and the SHA-256 of one bit for each code in order, set if it can be won.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import product
from typing import Final

import msgspec
import numpy as np

from kupa.heart_to_heart.codes import DEALS, EDITION, LETTERS, PLACES, PREFIX, code_of, number_of
from kupa.lab.faults import LabError
from kupa.long_work.journal import Result
from kupa.long_work.portions import Portion

NAMED_BY: Final = 2
"""How many letters name a shard."""
SHARD: Final[int] = len(LETTERS) ** (PLACES - NAMED_BY)
"""How many codes a shard has."""
SHARDS: Final = tuple("".join(letters) for letters in product(LETTERS, repeat=NAMED_BY))
"""The names of all shards, in the order of their codes."""
WORK: Final = {"kupa": "census", "version": 1, "edition": EDITION, "shard": SHARD}
"""What tells a journal of the census from any other."""


class Shard(msgspec.Struct, frozen=True):
    """What a shard came to."""

    first: str
    """Its first code."""
    codes: int
    winnable: int
    stuck: int
    """Codes that are stuck before the first move; none of them can be won."""
    sha256: str
    """Of a bit for each code, set if it can be won; the first code is the most significant bit of a byte."""


def first_of(name: str) -> int:
    """Return the number of the first code of a shard."""
    return number_of(PREFIX + name + LETTERS[0] * (PLACES - NAMED_BY))


def count_range(first: int, number: int) -> Shard:
    """Decide codes that follow one another, a shard or any others."""
    from kupa.lab.sampling import count_codes

    bits = np.zeros((number + 7) // 8, np.uint8)
    winnable, stuck = count_codes(first, number, bits)
    return Shard(
        code_of(first), number, int(winnable), int(stuck), hashlib.sha256(bits.tobytes()).hexdigest()
    )


def count_shard(name: str) -> Shard:
    """Decide every code of a shard."""
    return count_range(first_of(name), SHARD)


def work_out(name: str) -> list[Result]:
    """Work out a portion, which is a shard; returns it as JSON."""
    return [msgspec.to_builtins(count_shard(name))]


def portions(names: Sequence[str]) -> list[Portion]:
    """Return some shards as portions."""
    return [Portion((name,), (name,)) for name in names]


def read_shards(text: str | None) -> tuple[str, ...]:
    """Read which shards are meant: ``AB``, ``AA..AZ``, or all if nothing is said.

    Raises:
        LabError: ``bad_shards``.
    """
    if text is None:
        return SHARDS
    first, dots, last = text.partition("..")
    last = last if dots else first
    if first not in SHARDS or last not in SHARDS or first > last:
        raise LabError("bad_shards", given=text)
    return SHARDS[SHARDS.index(first) : SHARDS.index(last) + 1]


class Census(msgspec.Struct, frozen=True):
    """What some shards come to together."""

    shards: int
    codes: int
    winnable: int
    stuck: int

    @property
    def is_whole(self) -> bool:
        """Whether these are all codes there are."""
        return self.codes == DEALS


def total(results: Sequence[Result]) -> Census:
    """Sum up shards."""
    shards = [msgspec.convert(result, Shard) for result in results]
    return Census(
        len(shards),
        sum(shard.codes for shard in shards),
        sum(shard.winnable for shard in shards),
        sum(shard.stuck for shard in shards),
    )
