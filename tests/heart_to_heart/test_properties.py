"""What holds in every game of Heart to Heart, however it is played."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kupa.game import replay
from kupa.heart_to_heart.codes import DEALS, RANKS, code_of
from kupa.heart_to_heart.commands import Start
from kupa.heart_to_heart.engine import evolve
from kupa.heart_to_heart.events import Drawn, Paired, Redealt, Undone
from kupa.heart_to_heart.game import HEART_TO_HEART
from kupa.heart_to_heart.state import State
from kupa.heart_to_heart.view import view

from .playing import begin, events_of, random_play

codes = st.integers(0, DEALS - 1).map(code_of)
seeds = st.integers(0, 2**32)


def remaining(state: State) -> Counter[str]:
    """Return how many cards of each rank are still in the game."""
    heart = [state.deck[place - 1] for place in range(1, 26) if state.board.left >> place & 1]
    return Counter(heart) + Counter(state.board.stock) + Counter(state.board.waste)


@given(codes, seeds)
def test_cards_leave_in_pairs_and_come_back_as_they_left(code: str, seed: int) -> None:
    """At every moment what is in the game and what has left it make four of each rank, gone by twos."""
    state = begin(code)
    pairs = 0
    for before, event in random_play(state, seed, 120):
        state = evolve(before, event)
        if isinstance(event, Paired):
            pairs += 1
        elif isinstance(event, Undone):
            pairs -= remaining(state).total() - remaining(before).total() == 2
        assert remaining(state).total() + 2 * pairs == 52
        assert all((4 - remaining(state)[rank]) % 2 == 0 for rank in RANKS)
        assert state.board.score == 10 * (25 - state.board.left.bit_count())


@given(codes, seeds)
def test_undo_restores_the_state_before_the_move(code: str, seed: int) -> None:
    """After every move an undo gives the exact state before it, but for the selection and the clock."""
    for before, event in random_play(begin(code), seed, 160, undo=0.02):
        if not isinstance(event, Drawn | Redealt | Paired):
            continue
        moved = evolve(before, event)
        undone = evolve(moved, Undone())
        expected = replace(before, selected=None, mismatch=False, elapsed_ms=moved.elapsed_ms)
        assert undone == replace(expected, past=before.past[-99:])
        assert moved.board.moves == before.board.moves + 1


ROWS = [(1, 3, 7, 9), range(0, 11, 2), range(1, 10, 2), range(2, 9, 2), range(3, 8, 2), (4, 6), (5,)]


def free_ranks(state: State) -> list[str]:
    """Return the ranks of the free cards of the heart, found by looking at the table row by row."""
    cards = {}
    place = 0
    for row, xs in enumerate(ROWS):
        for x in xs:
            place += 1
            if state.board.left >> place & 1:
                cards[row, x] = state.deck[place - 1]
    return [
        rank
        for (row, x), rank in cards.items()
        if (row + 1, x - 1) not in cards and (row + 1, x + 1) not in cards
    ]


def some_pair_can_be_had(state: State) -> bool:
    """Search all that drawing and dealing again lead to for a pair; knows nothing of any shortcut."""
    free = free_ranks(state)
    if any(count > 1 for count in Counter(free).values()):
        return True
    stock, waste = list(state.board.stock), list(state.board.waste)
    seen = set()
    while (key := (tuple(stock), tuple(waste))) not in seen:
        seen.add(key)
        if waste and waste[-1] in free:
            return True
        if stock:
            waste.append(stock.pop(0))
        else:
            stock, waste = waste, []
    return False


@settings(max_examples=300)
@given(codes, seeds, st.integers(0, 200))
def test_stuck_is_told_exactly_when_no_pair_can_be_had(code: str, seed: int, length: int) -> None:
    """Not earlier and not later: an exhaustive search over draws and redeals says the same."""
    state = begin(code)
    assert (state.status == "playing") == some_pair_can_be_had(state)
    for before, event in random_play(state, seed, length, undo=0):
        state = evolve(before, event)
        expected = "won" if not state.board.left else "playing" if some_pair_can_be_had(state) else "stuck"
        assert state.status == expected


def test_about_one_deal_in_ten_is_stuck_before_the_first_move() -> None:
    """Among 4,000 deals in a row between 8 and 12 in a hundred begin stuck, and the search agrees on all."""
    stuck = 0
    for number in range(4000):
        state = begin(code_of(number * 2_000_003 % DEALS))
        assert (state.status == "stuck") != some_pair_can_be_had(state)
        stuck += state.status == "stuck"
    assert 320 <= stuck <= 480


@given(codes, seeds, st.integers(0, 150))
def test_the_view_does_not_depend_on_the_order_of_the_stock(code: str, seed: int, length: int) -> None:
    """Two states that differ in nothing but the order of the stock give the same bytes."""
    state = begin(code)
    for before, event in random_play(state, seed, length):
        state = evolve(before, event)
    stock = list(state.board.stock)
    random.Random(seed).shuffle(stock)
    other = replace(state, board=replace(state.board, stock="".join(stock)))
    assert msgspec.json.encode(view(state)) == msgspec.json.encode(view(other))


@given(codes, seeds, st.integers(0, 200), st.booleans(), st.booleans())
def test_replaying_the_written_events_gives_the_same_state(
    code: str, seed: int, length: int, own_deck: bool, move_errors: bool
) -> None:
    """The log is the game: written, read and applied again it leads to the very same state."""
    start = Start(None, begin(code).deck, move_errors) if own_deck else Start(code, "", move_errors)
    (started,) = events_of(None, start)
    state = evolve(None, started)
    log = [started]
    for before, event in random_play(state, seed, length):
        log.append(event)
        state = evolve(before, event)
    written = [msgspec.json.encode(HEART_TO_HEART.write_event(event)) for event in log]
    read = [HEART_TO_HEART.read_event(msgspec.json.decode(line), 1) for line in written]
    assert read == log
    assert replay(HEART_TO_HEART, read) == state
