"""Plain programs that know nothing but the rules: what the kernels of the laboratory are held against.

They try every move. A position is a heart (its ranks by position, and the mask of what is left), a waste from
its bottom to its top, and a stock in drawing order, as on the :class:`~kupa.heart_to_heart.state.Board`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from kupa.heart_to_heart.codes import RANKS
from kupa.heart_to_heart.layout import POSITIONS, SIZE, WHOLE, free_positions
from kupa.heart_to_heart.state import Board, State

Bag = tuple[int, tuple[int, ...]]
"""What is left of the heart, and how many of each rank lie outside it."""


def state_of(heart: dict[int, str], stock: str, waste: str) -> State:
    """Return a position of one's own; the deck is filled up with any ranks where cards are gone."""
    deck = "".join(heart.get(position, "A") for position in POSITIONS) + stock + waste
    left = sum(1 << position for position in heart)
    return State(code=None, deck=deck.ljust(52, "A"), board=Board(left, stock, waste))


def dealt(deck: str) -> State:
    """Return the state in which a deck lies on the table."""
    return State(code=None, deck=deck, board=Board(WHOLE, deck[SIZE:-1], deck[-1]))


def random_deck(chance: Random) -> str:
    """Return a random deal."""
    deck = list(RANKS * 4)
    chance.shuffle(deck)
    return "".join(deck)


def can_be_won(state: State) -> bool:
    """Search every order in which cards can leave the heart, as if all of stock and waste lay open.

    Any of those cards comes to the top of the waste by drawing and dealing again.
    """
    deck = state.deck
    outside = Counter(state.board.stock + state.board.waste)
    seen: set[Bag] = set()
    waiting: list[Bag] = [(state.board.left, tuple(outside[rank] for rank in RANKS))]
    while waiting:
        left, bag = waiting.pop()
        if not left:
            return True
        free = free_positions(left)
        for n, first in enumerate(free):
            rank = deck[first - 1]
            place = RANKS.index(rank)
            if bag[place]:
                fewer = (*bag[:place], bag[place] - 1, *bag[place + 1 :])
                _visit((left ^ 1 << first, fewer), seen, waiting)
            for second in free[n + 1 :]:
                if deck[second - 1] == rank:
                    _visit((left ^ 1 << first ^ 1 << second, bag), seen, waiting)
    return False


def _visit(node: Bag, seen: set[Bag], waiting: list[Bag]) -> None:
    if node not in seen:
        seen.add(node)
        waiting.append(node)


Node = tuple[int, str, str]
"""What is left of the heart, the stock, the waste."""


def successors(deck: str, node: Node) -> Iterator[Node]:
    """Return every position that one move leads to."""
    left, stock, waste = node
    if stock:
        yield left, stock[1:], waste + stock[0]
    elif waste:
        yield left, waste, ""
    free = free_positions(left)
    for n, first in enumerate(free):
        if waste and deck[first - 1] == waste[-1]:
            yield left ^ 1 << first, stock, waste[:-1]
        for second in free[n + 1 :]:
            if deck[first - 1] == deck[second - 1]:
                yield left ^ 1 << first ^ 1 << second, stock, waste


def fewest_moves(state: State, limit: int = 10_000_000) -> int | None:
    """Search the whole game breadth first; None if it cannot be won.

    Raises:
        MemoryError: there are more positions than the limit.
    """
    board = state.board
    start = (board.left, board.stock, board.waste)
    level, seen, moves = [start], {start}, 0
    while level:
        following = []
        for node in level:
            if not node[0]:
                return moves
            for successor in successors(state.deck, node):
                if successor not in seen:
                    seen.add(successor)
                    following.append(successor)
        if len(seen) > limit:
            raise MemoryError(f"more than {limit} positions")
        level, moves = following, moves + 1
    return None
