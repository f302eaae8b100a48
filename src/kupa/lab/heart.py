"""The heart for kernels: masks on a grid, so that three operations tell which cards are free.

In :mod:`kupa.heart_to_heart.layout` a card has a position, 1 to 25, and lies in a row at some ``x``. Here it
has a *square* of a grid that is eight squares wide: ``8 * row + (x - row + 1) / 2``. The two cards that may
cover it, half a card to the left and to the right in the next row, then lie seven and eight squares further
on, for every card of the heart; no square is used by chance, since no row has more than six. A set of cards
is a mask of squares, ``1 << square``; the last square is 48.

All of it is made of the layout, and a test compares :func:`free_cards` with the layout's own answer for each
of the 623 sets of cards that can be left in play.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kupa.heart_to_heart import layout
from kupa.sim.compiling import inlined

Masks = NDArray[np.int64]
"""A one-dimensional array of masks or of other whole numbers."""
Ranks = NDArray[np.int8]
"""A one-dimensional array of ranks by number, or of small counts."""

WIDTH: Final = 8
SQUARE: Final[dict[int, int]] = {
    position: WIDTH * spot.row + (spot.x - spot.row + 1) // 2 for position, spot in layout.SPOTS.items()
}
"""The square of each position."""
POSITION: Final[dict[int, int]] = {square: position for position, square in SQUARE.items()}
"""The position of each square in use."""
SQUARES: Final = max(POSITION) + 1
"""Length of a table by square."""


def grid_mask(left: int) -> int:
    """Return the mask of squares for a mask of positions as the layout has it."""
    return sum(1 << square for position, square in SQUARE.items() if left >> position & 1)


WHOLE: Final = grid_mask(layout.WHOLE)
"""The mask of the whole heart."""
SQUARE_AT: Final[Masks] = np.array([0, *(SQUARE[position] for position in layout.POSITIONS)])
"""By position: its square; the first entry means nothing."""

NOWHERE: Final = 1 << 62
"""A mask of no card, for when a lowest card is asked of what may be empty."""

BEFORE: Final[Masks] = np.zeros(63, np.int64)
"""By square: the mask of all cards that have to go before the one there: those on it, those on them, …"""

for _position in reversed(layout.POSITIONS):
    for _cover in layout.COVERED_BY[_position]:
        BEFORE[SQUARE[_position]] |= 1 << SQUARE[_cover] | BEFORE[SQUARE[_cover]]


@inlined
def free_cards(left: int) -> int:
    """Return the mask of the cards that are left and that no card covers."""
    return left & ~(left >> WIDTH | left >> (WIDTH - 1))
