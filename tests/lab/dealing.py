"""Positions for the tests of the laboratory: random deals, shrunken ones, and positions in play."""

from __future__ import annotations

import os
from random import Random

from kupa.heart_to_heart.codes import RANKS
from kupa.heart_to_heart.layout import POSITIONS, WHOLE, free_positions
from kupa.heart_to_heart.state import State
from tests.lab.plain import state_of

PARTS = {"ci": 0.1, "full": 1.0}
"""By KUPA_SOAK: which part of the long checks is run."""


def soaked(whole: int, daily: int) -> int:
    """Return how many cases to try where a full soak tries ``whole``, and any other run ``daily``.

    Raises:
        KeyError: KUPA_SOAK is no size.
    """
    size = os.environ.get("KUPA_SOAK")
    return round(whole * PARTS[size]) if size else daily


def remaining_heart(chance: Random, size: int) -> tuple[int, ...]:
    """Return the positions that are left when random free cards have gone until so many are left."""
    left = WHOLE
    while left.bit_count() > size:
        left ^= 1 << chance.choice(free_positions(left))
    return tuple(position for position in POSITIONS if left >> position & 1)


def shrunken(chance: Random) -> State:
    """Return a position with few cards: part of the heart, a short tape, waste and stock of any length.

    Of each rank four cards or two are there, as always in play; so few that plain search is quick.
    """
    while True:
        heart = remaining_heart(chance, chance.randint(3, 14))
        ranks = chance.sample(RANKS, chance.randint(2, 7))
        cards = [rank for rank in ranks for _ in range(chance.choice((2, 4)))]
        if len(heart) <= len(cards):
            break
    chance.shuffle(cards)
    tape = "".join(cards[len(heart) :])
    mark = chance.randint(0, len(tape))
    return state_of(dict(zip(heart, cards, strict=False)), stock=tape[mark:], waste=tape[:mark])
