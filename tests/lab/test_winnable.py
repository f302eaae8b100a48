"""Whether a position can be won, against plain searches that know nothing but the rules."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from kupa.heart_to_heart.codes import RANKS
from kupa.heart_to_heart.layout import POSITIONS, WHOLE, free_positions
from kupa.lab import winnable
from kupa.lab.heart import POSITION, SQUARE, free_cards, grid_mask
from kupa.lab.solving import is_winnable, planned, solve, state_of_deal, table_of, taps_of
from tests.heart_to_heart.playing import random_play, tapped
from tests.lab.dealing import shrunken, soaked
from tests.lab.plain import can_be_won, dealt, fewest_moves, random_deck, state_of


def reachable_hearts() -> set[int]:
    """Return every set of cards that can be left in play."""
    found, waiting = {WHOLE}, [WHOLE]
    while waiting:
        left = waiting.pop()
        for position in free_positions(left):
            if left ^ 1 << position not in found:
                found.add(left ^ 1 << position)
                waiting.append(left ^ 1 << position)
    return found


def test_the_grid_tells_the_free_cards_as_the_layout_does() -> None:
    """For each of the 623 sets of cards that can be left, and every square is one position's own."""
    hearts = reachable_hearts()
    assert len(hearts) == 623
    assert len(POSITION) == len(SQUARE) == len(POSITIONS)
    for left in hearts:
        assert free_cards(grid_mask(left)) == grid_mask(sum(1 << p for p in free_positions(left)))


@pytest.mark.soak
def test_a_plain_search_agrees_on_random_deals() -> None:
    """Winnable or not, and a plan that the engine plays to the win: 20,000 deals in a full soak."""
    chance = Random(20)
    wins = 0
    for _ in range(soaked(20_000, 500)):
        deck = random_deck(chance)
        state = state_of_deal(None, deck)
        assert is_winnable(state) == can_be_won(dealt(deck)), deck
        table = table_of(state)
        desk = winnable.new_desk()
        if winnable.decide(table.ranks, table.left, table.outside, desk, 10**6) == winnable.WON:
            wins += 1
            assert tapped(state, *taps_of(state, planned(state, desk))).status == "won", deck
    assert wins


@pytest.mark.soak
def test_the_whole_game_agrees_on_shrunken_positions() -> None:
    """The search of the whole game, stock and all, says the same as the kernel: order does not matter."""
    chance = Random(21)
    answers: Counter[bool] = Counter()
    for _ in range(soaked(20_000, 200)):
        state = shrunken(chance)
        by_kernel = is_winnable(state)
        assert by_kernel == (fewest_moves(state) is not None) == can_be_won(state), state.board
        answers[by_kernel] += 1
    assert min(answers[True], answers[False]) > sum(answers.values()) / 20


def test_positions_in_play_are_decided() -> None:
    """Wherever random play through the engine leads, the kernel and plain search say the same."""
    answers: Counter[bool] = Counter()
    for seed in range(8):
        state = state_of_deal(None, random_deck(Random(seed)))
        for n, (at, _) in enumerate(random_play(state, seed, 400)):
            if n % 20 == 0:
                answers[is_winnable(at)] += 1
                assert is_winnable(at) == can_be_won(at)
    assert answers[False]
    assert answers[True]


def test_a_won_game_can_be_won_and_a_lonely_clash_cannot() -> None:
    """No card left is a win; two equal cards, one on the other and none outside, are none."""
    assert is_winnable(state_of({}, "", "AA"))
    above, below = 1, 5
    assert below in (5, 6)
    assert not is_winnable(state_of({above: "K", below: "K"}, "", ""))
    assert is_winnable(state_of({1: "K", 2: "K"}, "", ""))
    assert is_winnable(state_of({above: "K", below: "K"}, "KK", ""))


def test_a_budget_that_does_not_last_is_said() -> None:
    """Without a single choice allowed, some deals are not finished; every other answer is right."""
    chance = Random(22)
    answers: Counter[bool | None] = Counter()
    for _ in range(300):
        deck = random_deck(chance)
        state = state_of_deal(None, deck)
        answer = solve(state, 0).winnable
        answers[answer] += 1
        assert answer in (None, can_be_won(dealt(deck)))
    assert all(answers[answer] for answer in (None, True, False))


def test_other_names_for_the_ranks_and_a_mirror_change_nothing() -> None:
    """Ranks are only names, and the heart is the same from the left and from the right."""
    chance = Random(23)
    mirror = dict(zip(POSITIONS, _mirrored(), strict=True))
    for _ in range(200):
        deck = random_deck(chance)
        names = list(RANKS)
        chance.shuffle(names)
        renamed = "".join(names[RANKS.index(rank)] for rank in deck)
        turned = "".join(deck[mirror[p] - 1] for p in POSITIONS) + deck[25:]
        answer = is_winnable(state_of_deal(None, deck))
        assert answer == is_winnable(state_of_deal(None, renamed)) == is_winnable(state_of_deal(None, turned))


def _mirrored() -> list[int]:
    rows = [(1, 4), (5, 10), (11, 15), (16, 19), (20, 22), (23, 24), (25, 25)]
    return [first + last - p for first, last in rows for p in range(first, last + 1)]


def test_what_cannot_be_in_play_is_refused() -> None:
    """Three cards of a rank, or a card that has gone from under another one."""
    with pytest.raises(ValueError, match="so many cards of rank A"):
        is_winnable(state_of({1: "A"}, "AA", ""))
    with pytest.raises(ValueError, match="one on it is left"):
        is_winnable(state_of({25: "A"}, "A", ""))


def test_tables_are_plain_numbers() -> None:
    """The kernels get the ranks by position and the tape from the bottom of the waste."""
    table = table_of(state_of({1: "K", 2: "K"}, stock="A2", waste="2A"))
    assert table.ranks[1:3].tolist() == [RANKS.index("K")] * 2
    assert [RANKS[n] for n in table.tape] == list("2AA2")
    assert table.mark == 2
    assert table.outside.dtype == np.int8
