"""What can be said of a position of Heart to Heart: whether it can be won, in how few moves, and how.

The friendly face of the kernels: it takes the engine's states and gives taps that the engine understands.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import msgspec
import numpy as np

from kupa.heart_to_heart.codes import COPIES, RANKS
from kupa.heart_to_heart.commands import Start
from kupa.heart_to_heart.engine import decide as decided
from kupa.heart_to_heart.engine import evolve
from kupa.heart_to_heart.layout import COVERED_BY, POSITIONS
from kupa.heart_to_heart.state import Board, Place, State
from kupa.lab import shortest, ways, winnable
from kupa.lab.bound import HOPELESS
from kupa.lab.heart import POSITION, SQUARE, Masks, Ranks, grid_mask
from kupa.lab.lines import LONGEST, SECOND, Counted, eager_line
from kupa.refusal import Refusal

BUDGET: Final = 20_000_000
"""Decisions that a search may take if nobody says otherwise: some thousand times what a deal needs."""

At = Place | Literal["stock"]
"""Where one taps."""
Couple = tuple[int, int | None]
"""Positions of two cards that go; None for the top of the waste."""
Step = int | Couple
"""How often the stock is tapped, or a couple."""


class Table(NamedTuple):
    """A position as the kernels take it."""

    ranks: Ranks
    """By position, the number of the rank of the card there; the first entry means nothing."""
    left: int
    """The mask of the squares that hold a card."""
    tape: Ranks
    """The numbers of the ranks of the waste from its bottom, then of the stock in drawing order."""
    mark: int
    """How many of them lie in the waste."""

    @property
    def outside(self) -> Ranks:
        """By rank, how many cards lie in stock and waste."""
        return np.bincount(self.tape, minlength=len(RANKS)).astype(np.int8)


def table_of(state: State) -> Table:
    """Return a position as the kernels take it.

    Raises:
        ValueError: no play can lead to it: a card has gone while one on it is left, or the cards of a rank
            are neither four, two nor none.
    """
    board = state.board
    if any(board.left & 1 << cover for p in POSITIONS if not board.left >> p & 1 for cover in COVERED_BY[p]):
        raise ValueError("a card has gone while one on it is left")
    tape = board.waste + board.stock
    heart = [state.deck[position - 1] for position in POSITIONS if board.left >> position & 1]
    for rank in RANKS:
        if (heart + list(tape)).count(rank) not in {0, COPIES - 2, COPIES}:
            raise ValueError(f"no play leads to so many cards of rank {rank}")
    return Table(
        np.array([0, *(RANKS.index(state.deck[position - 1]) for position in POSITIONS)], np.int8),
        grid_mask(board.left),
        np.array([RANKS.index(rank) for rank in tape], np.int8),
        len(board.waste),
    )


def state_of_deal(code: str | None, deck: str = "") -> State:
    """Return the state in which a deal lies on the table: that of a canonical code, or one's own deck."""
    events = decided(None, Start(code, deck))
    if isinstance(events, Refusal):
        raise TypeError("a deal that was read is not refused")
    return evolve(None, events[0])


class Solution(msgspec.Struct, frozen=True):
    """What was found out about a position."""

    winnable: bool | None
    """None if the budget did not last for saying so."""
    moves: int | None
    """Of the shortest line known; None if there is none."""
    taps: tuple[At, ...] | None
    """That line, from the position as it is."""
    optimal: bool
    """Whether the moves are proved to be the fewest."""
    steps: tuple[Step, ...] | None = None
    """The line once more, for people."""
    redeals: int | None = None
    """How many redeals are among the moves."""


def solve(state: State, budget: int = BUDGET) -> Solution:
    """Decide whether a position can be won, and find the fewest moves.

    Args:
        state: any position in play.
        budget: how many choices the decision may take, and how many the search for the fewest moves.

    Raises:
        ValueError: no play can lead to the position.
    """
    table = table_of(state)
    desk = winnable.new_desk()
    answer = winnable.decide(table.ranks, table.left, table.outside, desk, budget)
    if answer != winnable.WON:
        return Solution(None if answer == winnable.UNFINISHED else False, None, None, optimal=False)
    length = len(table.tape)
    found = shortest.fewest(table.ranks, table.left, table.tape, length, table.mark, budget)
    if found.moves == HOPELESS:
        steps = planned(state, desk)
        counted = counted_of(state, steps)
    else:
        line = np.zeros(LONGEST, np.int64)
        counted = eager_line(table.ranks, table.left, table.tape, length, table.mark, found.options, line)
        steps = steps_of(line)
    return Solution(
        winnable=True,
        moves=sum(counted),
        taps=taps_of(state, steps),
        optimal=found.answer == winnable.WON,
        steps=steps,
        redeals=counted.redeals,
    )


def is_winnable(state: State) -> bool:
    """Decide whether a position can be won.

    Raises:
        ValueError: no play can lead to the position.
    """
    table = table_of(state)
    desk = winnable.new_desk()
    answer = winnable.decide(table.ranks, table.left, table.outside, desk, 1 << 40)
    return answer == winnable.WON


class Played(NamedTuple):
    """How one way of playing fares with a position."""

    moves: int | None
    """Until the win; None if it gave up."""
    steps: tuple[Step, ...]
    """All that it did."""


def play_as(way: str, state: State) -> Played:
    """Play a position in one of the ways of :data:`kupa.lab.ways.WAYS`.

    Raises:
        ValueError: there is no such way, or no play can lead to the position.
    """
    table = table_of(state)
    line = np.zeros(LONGEST, np.int64)
    moves = ways.play_deal(
        ways.WAYS.index(way), table.ranks, table.left, table.tape, len(table.tape), table.mark, line
    )
    return Played(None if moves == ways.GIVEN_UP else int(moves), steps_of(line))


# ---------------------------------------------------------------- lines


def steps_of(line: Masks) -> tuple[Step, ...]:
    """Return a line of a kernel as steps."""
    steps: list[Step] = []
    for entry in line.tolist():
        if entry == 0:
            break
        if entry < 0:
            steps.append(-entry)
        else:
            second = entry >> SECOND
            steps.append((POSITION[entry & (1 << SECOND) - 1], POSITION[second] if second else None))
    return tuple(steps)


def taps_of(state: State, steps: tuple[Step, ...]) -> tuple[At, ...]:
    """Return the taps that make some steps; a card that is selected already is let go first."""
    taps: list[At] = [] if state.selected is None else [state.selected]
    for step in steps:
        if isinstance(step, int):
            taps += ["stock"] * step
        else:
            taps += [step[0], "waste" if step[1] is None else step[1]]
    return tuple(taps)


def planned(state: State, desk: winnable.Desk) -> tuple[Step, ...]:
    """Return a line that follows a plan of :func:`kupa.lab.winnable.winning_plan`, drawing as needed.

    It is a line, and no short one.
    """
    walk = _Walk(state)
    for mask in desk.steps.tolist():
        if mask == 0:
            break
        cards = {position for position, square in SQUARE.items() if mask >> square & 1}
        if mask & winnable.PAIR:
            first, second = sorted(cards)
            walk.take(first, second)
        while cards and not mask & winnable.PAIR:
            cards -= walk.take_with_waste(cards)
    return tuple(walk.steps)


class _Walk:
    """Goes through a game by the rules, and notes down each step."""

    def __init__(self, state: State) -> None:
        self.deck = state.deck
        self.board = state.board
        self.steps: list[Step] = []

    def take(self, first: int, second: int | None) -> None:
        """Take a couple."""
        gone = 1 << first | (0 if second is None else 1 << second)
        waste = self.board.waste[:-1] if second is None else self.board.waste
        self.board = Board(self.board.left ^ gone, self.board.stock, waste)
        self.steps.append((first, second))

    def take_with_waste(self, cards: set[int]) -> set[int]:
        """Take one of some free cards with the next card of the tape that fits; return it."""
        drawn = 0
        while True:
            for card in sorted(cards):
                if self.board.waste and self.deck[card - 1] == self.board.waste[-1]:
                    if drawn:
                        self.steps.append(drawn)
                    self.take(card, None)
                    return {card}
            board = self.board
            if board.stock:
                self.board = Board(board.left, board.stock[1:], board.waste + board.stock[0])
            else:
                self.board = Board(board.left, board.waste, "")
            drawn += 1


def counted_of(state: State, steps: tuple[Step, ...]) -> Counted:
    """Return what some steps consist of."""
    stock, waste = len(state.board.stock), len(state.board.waste)
    pairs = draws = redeals = 0
    for step in steps:
        if not isinstance(step, int):
            pairs += 1
            waste -= step[1] is None
            continue
        for _ in range(step):
            if stock:
                stock, waste, draws = stock - 1, waste + 1, draws + 1
            else:
                stock, waste, redeals = waste, 0, redeals + 1
    return Counted(pairs, draws, redeals)
