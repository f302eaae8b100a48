"""Chance inside kernels is exactly what it is said to be: bits are picked right, choices are uniform."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2

from kupa.cards import PACK, cards_in, mask_of
from kupa.sim import bits, chance
from kupa.sim.chance import below, stream_of
from kupa.sim.playing import play
from kupa.sim.policy import AT_RANDOM

from .compiled import compiled
from .rulebooks import TABLES, overridden

UNLIKELY = 1e-6
"""What is less likely than this is no chance. Seeds are fixed: a test passes always, or never."""


def p_value(met: NDArray[np.int64] | list[int], expected: Any, free: int) -> float:
    """Return how likely counts as far from the expected ones are by chance alone."""
    distance = float((((np.asarray(met) - expected) ** 2) / expected).sum())
    return float(chi2.sf(distance, free))


def test_bits_are_counted_and_picked_alike_in_kernels_and_in_python() -> None:
    """The two bodies of each function give the same answers, PDEP and the loop for lack of it too."""
    rng = Random(3)

    @compiled
    def all_of(mask: int, place: int) -> tuple[int, int, int, int]:
        return (
            bits.count_bits(mask),
            bits.lowest_card(mask),
            bits.highest_card(mask),
            bits.bit_at(mask, place),
        )

    loop = compiled(bits.bit_at)
    for _ in range(1000):
        cards = sorted(rng.sample(PACK, rng.randint(1, 52)))
        mask, place = mask_of(cards), rng.randrange(len(cards))
        expected = (len(cards), cards[0], cards[-1], 1 << cards[place])
        assert all_of(mask, place) == expected
        assert loop(mask, place) == bits.bit_at(mask, place) == expected[3]
        assert (bits.count_bits(mask), bits.lowest_card(mask), bits.highest_card(mask)) == expected[:3]


def test_the_generator_is_splitmix() -> None:
    """The mixing is that of SplitMix64: known words from the seed 1234567 in published implementations."""
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    with np.errstate(over="ignore"):
        words = [int(chance.mixed(np.uint64(1234567) + np.uint64(i) * chance.STEP)) for i in (1, 2, 3)]
    assert words == known


@pytest.mark.parametrize("end", [1, 2, 3, 7, 13, 52, 3 * 2**29])
def test_draws_are_uniform(end: int) -> None:
    """Every number below the end is as likely as the others; the last end would show a bias plainly."""

    @compiled
    def drawn(row: NDArray[np.int64], end: int, count: int) -> NDArray[np.int64]:
        numbers = np.empty(count, np.int64)
        for i in range(count):
            numbers[i] = below(row, 0, end)
        return numbers

    count = 200_000
    numbers = drawn(np.array([7], np.int64), end, count)
    assert numbers.min() >= 0
    assert numbers.max() < end
    cells = end if end < 100 else 24
    met = np.bincount(numbers * cells // end, minlength=cells)
    assert p_value(met, count / cells, max(1, cells - 1)) > UNLIKELY or end == 1


def test_streams_of_rounds_differ() -> None:
    """No two of the rounds of some seeds have the same stream."""

    @compiled
    def stream(seed: int, number: int) -> int:
        return stream_of(seed, number)

    assert len({stream(seed, number) for seed in range(-20, 20) for number in range(500)}) == 40 * 500


@pytest.mark.parametrize("table", ["cardems-4", "parlour-5", "parlour-7", "cancellation-6"])
def test_deals_and_passes_are_uniform(table: str) -> None:
    """Every card comes to each seat, and into the kitty, as often as their sizes say; each card of a hand is
    passed as often as the others.
    """
    book, rounds = TABLES[table], 40_000
    log = play(book, rounds, seed=8, keep=True).log
    deck = np.bincount(book.deck, minlength=64)
    parts = [(log.hands[:, :, seat], book.hand_size) for seat in range(book.players)]
    parts += [(log.kitty, book.kitty_size)] if book.kitty_size else []
    for masks, size in parts:
        met = np.array([((masks >> card) & 1).sum() for card in sorted(set(book.deck))])
        expected = rounds * size / book.deck_size * deck[sorted(set(book.deck))]
        # Cards drawn without return vary less than independent ones: the true distance is smaller.
        assert p_value(met, expected, len(met) - 1) > UNLIKELY
    if book.pass_count:
        places = [
            cards_in(int(hand)).index(card)
            for hand, passed in zip(log.hands[:, 0, 1], log.passed[:, 0, 1], strict=True)
            for card in cards_in(int(passed))
        ]
        met = np.bincount(places, minlength=book.hand_size)
        assert p_value(met, len(places) / book.hand_size, book.hand_size - 1) > UNLIKELY


@pytest.mark.parametrize("table", ["cardems-4", "omnibus-3", "cancellation-7"])
def test_every_legal_card_is_as_likely_as_the_others(table: str) -> None:
    """Among the cards that may be played, each place is chosen equally often, for every number of choices."""
    log = play(TABLES[table], 20_000, seed=9, policies=AT_RANDOM, keep=True).log
    choices, cards = log.legal.ravel(), log.cards.ravel().astype(np.int64)
    number = np.bitwise_count(choices)
    place = np.bitwise_count(choices & ((1 << cards) - 1))
    for many in range(2, 14):
        met = np.bincount(place[number == many], minlength=many)
        assert p_value(met, met.sum() / many, many - 1) > UNLIKELY


def test_a_round_is_the_same_in_every_batch() -> None:
    """Round 70 of a seed does not depend on where a batch begins, and another seed has another round 70."""
    book = overridden("cardems", 4)
    whole = play(book, 100, seed=4, keep=True)
    part = play(book, 5, seed=4, first=70, keep=True)
    assert (part.log.cards == whole.log.cards[70:75]).all()
    assert (part.points == whole.points[70:75]).all()
    assert (play(book, 100, seed=5, keep=True).log.cards[70] != whole.log.cards[70]).any()


@pytest.mark.parametrize(
    "wrong", [{"rounds": -1}, {"first": -1}, {"seed": 2**63}, {"policies": 7}, {"policies": (0, 0, 0)}]
)
def test_what_cannot_be_played_is_refused(wrong: dict[str, Any]) -> None:
    """A number out of its range is refused before a kernel sees it."""
    with pytest.raises(ValueError, match=r"rounds and first|need a policy"):
        play(TABLES["cardems-4"], **({"rounds": 1} | wrong))
