"""Random deals and samples of codes: uniform, the same each time, and none twice."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import numpy as np

from kupa.heart_to_heart.codes import RANKS, code_of, deck_of
from kupa.heart_to_heart.layout import COVERED_BY, POSITIONS
from kupa.lab.compiling import kernel
from kupa.lab.features import FEATURES, VALUES, features_of
from kupa.lab.sampling import (
    BLOCKS,
    count_deals,
    decide_deals,
    draw_heart,
    first_code,
    solved_codes,
    unshuffled_copy,
)
from kupa.lab.solving import is_winnable, play_as, solve, state_of_deal, table_of, taps_of
from kupa.lab.survey import STUCK_SHARE, interval
from kupa.lab.ways import WAYS
from tests.heart_to_heart.playing import tapped
from tests.lab.plain import can_be_won, random_deck


@kernel
def _hearts(stream: int, number: int, first: np.ndarray) -> None:
    """Count which card lies where at the first places of a fresh deck, and which two lie first."""
    for _ in range(number):
        deck = unshuffled_copy()
        for place in range(len(deck)):
            deck[place] = place
        stream = draw_heart(stream, deck)
        for place in range(25):
            first[place, deck[place]] += 1


def test_every_card_is_as_likely_at_every_place() -> None:
    """A chi-square of cards by places stays near its mean, and no card is lost."""
    counts = np.zeros((25, 52), np.int64)
    number = 200_000
    _hearts(17, number, counts)
    assert (counts.sum(1) == number).all()
    expected = number / 52
    chi = ((counts - expected) ** 2 / expected).sum()
    freedom = 25 * 51
    assert abs(chi - freedom) < 5 * (2 * freedom) ** 0.5


def test_random_deals_come_out_as_is_known() -> None:
    """The share that is stuck at the start is 2024/20825, and 28.6 % can be won; the same deals each time."""
    counts = np.zeros((len(FEATURES), VALUES, 2), np.int64)
    number = 300_000
    winnable, stuck = count_deals(5, 9, number, counts)
    assert interval(stuck, number)[0] - 0.001 < STUCK_SHARE < interval(stuck, number)[1] + 0.001
    assert abs(winnable / number - 0.286035) < 0.004
    assert decide_deals(5, 9, number) == winnable
    assert decide_deals(5, 10, number) != winnable
    assert (counts.sum((1, 2)) == number).all()
    assert (counts[:, :, 1].sum(1) == winnable).all()
    copies = counts[FEATURES.index("tip_copies")]
    assert copies[4].tolist() == [stuck, 0]


def plain_features(deck: str) -> dict[str, int]:
    """Return the features of a deal, found card by card."""
    heart = {p: deck[p - 1] for p in POSITIONS}
    copies = Counter(heart.values())

    def lies_under(below: int, above: int) -> bool:
        return any(cover == above or lies_under(cover, above) for cover in COVERED_BY[below])

    needy = [p for p in POSITIONS if copies[heart[p]] >= 3]
    fours, threes = (sum(n == count for n in copies.values()) for count in (4, 3))
    return {
        "tip_rank": RANKS.index(heart[25]),
        "tip_copies": copies[heart[25]],
        "fours": fours,
        "threes": threes,
        "fours_and_threes": 10 * fours + threes,
        "over": sum(heart[p] == heart[q] and lies_under(p, q) for p, q in permutations(needy, 2)),
        "touching": sum(heart[p] == heart[q] for p in POSITIONS for q in COVERED_BY[p]),
    }


def test_features_are_what_they_say() -> None:
    """Found by the kernel and card by card."""
    chance = Random(50)
    for _ in range(100):
        deck = random_deck(chance)
        assert features_of(table_of(state_of_deal(None, deck)).ranks) == plain_features(deck)


def test_the_walk_through_the_codes_comes_by_none_twice() -> None:
    """Blocks of a walk differ, its stride has no divisor in common with their number, seeds begin apart."""
    firsts = [first_code(3, step) for step in range(50_000)]
    assert len(set(firsts)) == len(firsts)
    assert max(firsts) < 8 * BLOCKS
    assert np.gcd(first_code(0, 1) // 8, BLOCKS) == 1
    assert first_code(0, 0) != first_code(1, 0)
    assert first_code(0, BLOCKS) == first_code(0, 0)


def test_codes_are_solved_and_played_as_one_by_one() -> None:
    """A sample holds exactly the codes that can be won, with the moves that the single tools tell."""
    firsts = np.array([first_code(7, step) for step in range(6)])
    solved = solved_codes(firsts, 10**7)
    codes = [first + n for first in firsts.tolist() for n in range(8)]
    assert solved.numbers.tolist() == [n for n in codes if can_be_won(state_of_deal(code_of(n)))]
    for n, number in enumerate(solved.numbers.tolist()):
        state = state_of_deal(code_of(number))
        solution = solve(state)
        assert (solution.moves, solution.redeals) == (solved.moves[n], solved.redeals[n])
        played = [play_as(way, state).moves for way in WAYS]
        assert [-1 if moves is None else moves for moves in played] == solved.ways[n].tolist()


def test_ways_play_by_the_rules_and_as_they_say() -> None:
    """What a way does, the engine takes tap by tap; nobody beats the optimum, and foresight loses none."""
    chance = Random(51)
    won: Counter[str] = Counter()
    deals = 0
    while deals < 60:
        state = state_of_deal(None, random_deck(chance))
        if not is_winnable(state):
            continue
        deals += 1
        fewest = solve(state).moves
        assert fewest is not None
        for way in WAYS:
            played = play_as(way, state)
            end = tapped(state, *taps_of(state, played.steps))
            assert (end.status == "won") == (played.moves is not None)
            if played.moves is not None:
                won[way] += 1
                assert end.board.moves == played.moves >= fewest
    assert won["foresight"] == deals > won["careful"] > won["eager"] > 0


def test_a_way_gives_up_what_cannot_be_won() -> None:
    """No way wins a deal that cannot be won; each ends."""
    chance = Random(52)
    lost = [state for _ in range(40) if not is_winnable(state := state_of_deal(None, random_deck(chance)))]
    assert lost
    assert all(play_as(way, state).moves is None for way in WAYS for state in lost)


def test_the_deck_of_a_code_is_the_one_that_is_played() -> None:
    """The state of a code holds the deck of the plain shuffle."""
    assert state_of_deal("HH1-N-AAAAAAM").deck == deck_of("HH1-N-AAAAAAM")
