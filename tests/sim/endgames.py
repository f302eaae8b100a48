"""Moments of random rounds, and every deal that agrees with what a seat knows, found by trying all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import numpy as np
from numpy.typing import NDArray

from kupa.cards import CardSet, mask_of
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import PASS, PLAY, State
from kupa.sim.knowledge import Knowledge
from tests.hearts.random_play import played

World = tuple[tuple[int, int], ...]
"""By holder, the two masks of what it has."""


def worlds_of(drawn: NDArray[np.int64]) -> Iterator[World]:
    for masks in drawn:
        yield tuple((int(held), int(twice)) for held, twice in masks.T)


def points_of_rounds(book: Rulebook, count: int, seed: int) -> Iterator[tuple[State, int]]:
    """Return states of random rounds at rest, and a seat that asks."""
    rng = Random(seed)
    match = 0
    while count:
        match += 1
        for state, _ in played(book, f"{seed}/{match}", rng):
            if state.phase in {PASS, PLAY} and rng.random() < 0.2:
                yield state, rng.randrange(book.players)
                count -= 1
                if not count:
                    return


def enumerated(cases: Sequence[Knowledge]) -> list[World]:
    """Return every deal of the pool that agrees, by trying all; copies of a card are told apart."""
    found: list[World] = []
    for knowledge in cases:
        found += deals_of(knowledge)
    return found


def deals_of(knowledge: Knowledge) -> list[World]:
    found: list[World] = []

    def deal(holder: int, left: tuple[int, ...], dealt: list[CardSet]) -> None:
        if holder == len(knowledge.room):
            found.append(tuple((cards.held, cards.twice) for cards in dealt))
            return
        for places in combinations(range(len(left)), knowledge.room[holder]):
            cards = [knowledge.pool[left[place]] for place in places]
            if mask_of(cards) & knowledge.ruled_out[holder]:
                continue
            rest = tuple(card for place, card in enumerate(left) if place not in places)
            deal(holder + 1, rest, [*dealt, knowledge.fixed[holder].with_cards(cards)])

    deal(0, tuple(range(len(knowledge.pool))), [])
    return found
