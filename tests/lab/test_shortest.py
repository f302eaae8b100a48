"""The fewest moves, against a breadth-first search of the whole game."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from kupa.heart_to_heart.codes import RANKS
from kupa.heart_to_heart.layout import POSITIONS
from kupa.heart_to_heart.state import State
from kupa.lab.solving import solve, state_of_deal
from tests.heart_to_heart.playing import random_play, tapped
from tests.lab.dealing import shrunken, soaked
from tests.lab.plain import can_be_won, fewest_moves, random_deck

KNOWN = json.loads((Path(__file__).parents[1] / "vectors" / "heart-win.json").read_text())


def assert_holds(state: State) -> None:
    """Check that a solution is optimal and that its taps win with the moves promised."""
    solution = solve(state)
    assert solution.optimal
    assert solution.taps is not None
    assert solution.moves is not None
    end = tapped(state, *solution.taps)
    assert end.status == "won"
    assert end.board.moves - state.board.moves == solution.moves


def test_the_known_deal_takes_as_many_moves_as_is_known() -> None:
    """HH1-N-AAAAAAM in 73 moves, the first pair on the tenth."""
    state = state_of_deal(KNOWN["code"])
    solution = solve(state)
    assert (solution.winnable, solution.moves, solution.optimal) == (True, KNOWN["moves"], True)
    assert solution.steps is not None
    assert solution.steps[:2] == (9, (25, None))
    assert_holds(state)


@pytest.mark.soak
def test_breadth_first_search_agrees_on_full_deals() -> None:
    """Of deals of full size that can be won, the fewest moves: 2,000 in a full soak."""
    chance = Random(30)
    for _ in range(soaked(2000, 4)):
        deck = random_deck(chance)
        state = state_of_deal(None, deck)
        while not can_be_won(state):
            deck = random_deck(chance)
            state = state_of_deal(None, deck)
        assert solve(state).moves == fewest_moves(state), deck
        assert_holds(state)


@pytest.mark.soak
def test_breadth_first_search_agrees_on_shrunken_positions() -> None:
    """Positions of any shape, the waste of any height: 20,000 in a full soak, won and lost."""
    chance = Random(31)
    for _ in range(soaked(20_000, 200)):
        state = shrunken(chance)
        solution = solve(state)
        assert solution.moves == fewest_moves(state), state
        if solution.winnable:
            assert_holds(state)


def test_every_line_wins_with_the_moves_promised() -> None:
    """Taps of full deals, replayed by the engine."""
    chance = Random(32)
    won = 0
    while won < 40:
        state = state_of_deal(None, random_deck(chance))
        if solve(state).winnable:
            assert_holds(state)
            won += 1


def test_lines_begin_where_a_game_stands() -> None:
    """From positions in play, a card selected or not, the taps lead to the win."""
    won = 0
    for seed in range(6):
        for n, (state, _) in enumerate(random_play(state_of_deal("HH1-N-AAAAAAM"), seed, 200)):
            if n % 10 == 0 and state.board.left and solve(state).winnable:
                assert_holds(state)
                won += state.selected is not None
    assert won


def test_every_move_of_a_shortest_line_brings_the_end_one_move_nearer() -> None:
    """After each move of an optimal line, the fewest moves are one less."""
    state = state_of_deal("HH1-N-AAAAAAM")
    taps = solve(state).taps
    assert taps is not None
    for tap in taps:
        before, state = state, tapped(state, tap)
        made = state.board.moves - before.board.moves
        if made:
            assert solve(state).moves == KNOWN["moves"] - state.board.moves


def test_a_short_budget_gives_a_line_that_wins_and_says_that_it_may_not_be_the_shortest() -> None:
    """With a budget that lasts for the decision alone, there is a line, and no claim."""
    chance = Random(33)
    kinds = set()
    for _ in range(200):
        state = state_of_deal(None, random_deck(chance))
        solution = solve(state, 9)
        if solution.winnable:
            assert solution.taps is not None
            end = tapped(state, *solution.taps)
            assert end.status == "won"
            assert end.board.moves == solution.moves
            best = solve(state)
            assert best.moves is not None
            assert solution.moves is not None
            assert solution.moves == best.moves if solution.optimal else solution.moves >= best.moves
            kinds.add((solution.optimal, solution.moves == best.moves))
    assert (False, False) in kinds


def test_other_names_and_a_mirror_change_no_number() -> None:
    """Permuting the ranks, or turning the heart over, leaves the fewest moves as they are."""
    chance = Random(34)
    rows = [(1, 4), (5, 10), (11, 15), (16, 19), (20, 22), (23, 24), (25, 25)]
    mirror = [first + last - p for first, last in rows for p in range(first, last + 1)]
    for _ in range(60):
        deck = random_deck(chance)
        names = list(RANKS)
        chance.shuffle(names)
        renamed = "".join(names[RANKS.index(rank)] for rank in deck)
        turned = "".join(deck[p - 1] for p in mirror) + deck[len(POSITIONS) :]
        moves = {solve(state_of_deal(None, each)).moves for each in (deck, renamed, turned)}
        assert len(moves) == 1, deck
