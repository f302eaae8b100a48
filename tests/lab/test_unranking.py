"""The deals of codes from the kernel are those of the plain shuffle."""

from __future__ import annotations

import hashlib
from random import Random

import numpy as np
import pytest

from kupa.heart_to_heart.codes import DEALS, DECK_SIZE, RANKS, code_of, deck_of
from kupa.lab.census import count_range
from kupa.lab.compiling import kernel
from kupa.lab.keccak import LANES, STATE, permute
from kupa.lab.solving import is_winnable, state_of_deal
from kupa.lab.unranking import decks_of
from tests.lab.dealing import soaked


def decks(first: int, number: int) -> list[str]:
    """Return decks of codes that follow one another, by the kernel."""
    found = np.zeros((number, DECK_SIZE), np.int8)
    decks_of(first, found)
    return ["".join(RANKS[rank] for rank in deck) for deck in found]


def test_the_first_and_the_last_codes_are_dealt_right() -> None:
    """At both ends of all codes, and where letters carry over; numbers of codes that fill no whole step."""
    for first, number in ((0, 30), (DEALS - 11, 11), (26**6 - 5, 10), (26**3 - 1, 2), (7, 1)):
        assert decks(first, number) == [deck_of(code_of(first + n)) for n in range(number)]


@pytest.mark.soak
def test_random_codes_are_dealt_right() -> None:
    """Codes from everywhere: 200,000 in a full soak."""
    chance = Random(40)
    for _ in range(soaked(200_000, 2000) // 10):
        first = chance.randrange(DEALS - 10)
        assert decks(first, 10) == [deck_of(code_of(first + n)) for n in range(10)]


@kernel
def _permute_lanes(state: np.ndarray) -> None:
    permute(state)


def test_the_permutation_is_that_of_shake_256() -> None:
    """Blocks of random bytes, another in each lane, are hashed as hashlib hashes them."""
    chance = Random(41)
    messages = [chance.randbytes(chance.randrange(136)) for _ in range(LANES)]
    state = np.zeros((STATE, LANES), np.uint64)
    for lane, message in enumerate(messages):
        block = bytearray(message.ljust(136, b"\0"))
        block[len(message)] ^= 0x1F
        block[135] ^= 0x80
        state[:17, lane] = np.frombuffer(bytes(block), "<u8")
    _permute_lanes(state)
    for lane, message in enumerate(messages):
        told = np.ascontiguousarray(state[:17, lane]).astype("<u8").tobytes()
        assert told == hashlib.shake_256(message).digest(136)


def test_a_range_of_codes_is_counted_code_by_code() -> None:
    """Winnable and stuck deals, and the digest of a bit for each code, as one finds them one at a time."""
    first, number = 26**5 * 3 - 50, 101
    bits, winnable, stuck = 0, 0, 0
    for n in range(number):
        state = state_of_deal(code_of(first + n))
        won = is_winnable(state)
        bits = bits << 1 | won
        winnable += won
        stuck += state.status == "stuck"
    packed = (bits << -number % 8).to_bytes((number + 7) // 8, "big")
    counted = count_range(first, number)
    assert (counted.first, counted.codes) == (code_of(first), number)
    assert (counted.winnable, counted.stuck) == (winnable, stuck)
    assert counted.sha256 == hashlib.sha256(packed).hexdigest()
    assert stuck
