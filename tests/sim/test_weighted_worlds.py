"""Worlds by weight are drawn exactly as likely as their weights say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2

from kupa.cards import BY_TEXT, CardSet
from kupa.hearts.state import PLAY
from kupa.sim.knowledge import Knowledge, known, opened_with, seen_in
from kupa.sim.weighted_worlds import WeightedWorlds
from kupa.sim.worlds import Worlds

from .endgames import World, enumerated, points_of_rounds, worlds_of
from .rulebooks import ALL

UNLIKELY = 1e-6
Weights = NDArray[np.float64]


def weight_of(world: World, unsure: set[int], weights: Weights) -> float:
    """Multiply the weights of the cards that are not certain, each copy of its own."""
    lying = ((card, holder) for holder, masks in enumerate(world) for card in CardSet(*masks))
    return prod(float(weights[card, holder]) for card, holder in lying if card in unsure)


def distribution(cases: Sequence[Knowledge], weights: Weights) -> dict[World, float]:
    """Return the weight of every deal that has any, by enumeration of all."""
    unsure = {card for case in cases for card in case.pool}
    found: dict[World, float] = {}
    for world in enumerated(cases):
        found[world] = found.get(world, 0.0) + weight_of(world, unsure, weights)
    return {world: weight for world, weight in found.items() if weight}


def compare(cases: Sequence[Knowledge], weights: Weights, seed: int) -> int:
    """Draw worlds and compare them with all that there are; return how many there are."""
    expected = distribution(cases, weights)
    total, sampler = sum(expected.values()), WeightedWorlds(cases, weights)
    assert sampler.logarithm == pytest.approx(np.log(total))
    count = 15 * len(expected) + 500
    met = Counter(worlds_of(sampler.draw(count, seed)))
    assert met.keys() <= expected.keys()
    # Rare worlds are put together, so that chi-squared holds.
    shares = {world: count * weight / total for world, weight in expected.items()}
    often = {world: share for world, share in shares.items() if share >= 5}
    cells = [(met[world], each) for world, each in often.items()]
    if len(often) < len(expected):
        cells.append((count - sum(many for many, _ in cells), count - sum(often.values())))
    distance = sum((many - each) ** 2 / each for many, each in cells if each > 1e-6)
    if len(cells) > 1:
        assert chi2.sf(distance, len(cells) - 1) > UNLIKELY, (distance, len(cells))
    return len(expected)


def test_endgames_are_drawn_by_weight() -> None:
    """Chi-squared against full enumeration, with weights of all sizes and some of nothing."""
    rng, tried = np.random.default_rng(4), 0
    for name in ("cardems-4", "parlour-3", "parlour-6", "kitty and four passed"):
        for state, seat in points_of_rounds(ALL[name], 160, seed=12):
            cases = known(seen_in(state, seat))
            if state.phase != PLAY or not 4 <= len(cases[0].pool) <= 7:
                continue
            weights = rng.choice([0.0, 0.25, 1.0, 3.5], (64, state.players + 1), p=[0.05, 0.3, 0.35, 0.3])
            if sum(distribution(cases, weights).values()) == 0:
                with pytest.raises(ValueError, match="any weight"):
                    WeightedWorlds(cases, weights)
            else:
                tried += compare(cases, weights, tried) > 3
    assert tried > 30


def test_both_copies_of_a_card_weigh() -> None:
    """With two packs, who may get both copies of a card is weighed twice for it."""
    pool = (BY_TEXT["2C"], BY_TEXT["2C"], BY_TEXT["3D"], BY_TEXT["3D"], BY_TEXT["4S"], BY_TEXT["5S"])
    empty = CardSet()
    case = Knowledge(3, pool, (0, 2, 3, 1), (0, 0, 1 << BY_TEXT["4S"], 0), (empty,) * 4)
    weights = np.random.default_rng(5).uniform(0.2, 2.0, (64, 4))
    assert compare([case], weights, 6) > 10


def test_an_opening_that_is_one_of_several_clubs_weighs_too() -> None:
    """Where a seat knows only that somebody opens, each club that may is as likely as its deals weigh."""
    pool = tuple(BY_TEXT[text] for text in ["2C", "3C", "4C", "2D", "3D", "2S"])
    fixed = (CardSet.of([BY_TEXT["9C"]]), CardSet(), CardSet(), CardSet())
    seen = Knowledge(3, pool, (0, 2, 2, 2), (0, 0, 0, 0), fixed)
    cases = [case for club in range(13) if (case := opened_with(seen, 1, club)) is not None]
    assert len(cases) > 1
    weights = np.random.default_rng(6).uniform(0.2, 2.0, (64, 4))
    assert compare(cases, weights, 7) > 10
    weights[BY_TEXT["2C"], 1] = 0.0
    assert all(not world[1][0] >> BY_TEXT["2C"] & 1 for world in distribution(cases, weights))
    assert compare(cases, weights, 8) > 3


@pytest.mark.parametrize("name", ["cardems-4", "parlour-5", "parlour-7"])
def test_equal_weights_leave_all_deals_equally_likely(name: str) -> None:
    """The weight of all deals is then their number, from the first card of a round on, and worlds agree."""
    compared = 0
    for number, (state, seat) in enumerate(points_of_rounds(ALL[name], 6, seed=14)):
        cases = known(seen_in(state, seat))
        sampler = WeightedWorlds(cases, np.ones((64, state.players + 1)))
        assert sampler.logarithm == pytest.approx(np.log(Worlds(cases).number))
        for world in worlds_of(sampler.draw(20, number)):
            assert CardSet(*world[seat]) == state.hands[seat]
            assert all(
                not CardSet(*masks).held & out for masks, out in zip(world, cases[0].ruled_out, strict=True)
            )
            gone = [card for trick in state.tricks for card in trick.cards] + list(state.trick)
            assert sorted([card for masks in world for card in CardSet(*masks)] + gone) == sorted(
                state.rulebook.deck
            )
            compared += 1
    assert compared == 120


@pytest.mark.parametrize("wrong", [np.ones((52, 5)), np.full((64, 5), -1.0), np.full((64, 5), np.nan)])
def test_weights_that_are_none_are_refused(wrong: Weights) -> None:
    """Another shape, a number below 0 and what is no number are errors."""
    state, seat = next(iter(points_of_rounds(ALL["cardems-4"], 1, seed=1)))
    with pytest.raises(ValueError, match="finite numbers from 0 on"):
        WeightedWorlds(known(seen_in(state, seat)), wrong)


def test_a_table_that_would_be_too_large_is_refused() -> None:
    """Two packs at the first trick have too many sums for a table; the error says so at once."""
    state, seat = next(iter(points_of_rounds(ALL["cancellation-6"], 1, seed=1)))
    with pytest.raises(ValueError, match="more than 4194304 sums"):
        WeightedWorlds(known(seen_in(state, seat)), np.ones((64, 7)))
