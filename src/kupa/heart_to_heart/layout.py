"""Where the twenty-five cards of the heart lie, and which of them cover which.

Positions count from 1 to 25 in deal order, row by row from the top, left to right. Across, a card lies at
``x`` half card widths from the left edge of the heart. Everything else follows from the rows.

A set of positions is a mask: bit ``1 << position``; bit 0 is never used.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

Position = int
"""1 to 25, in deal order."""


class Spot(NamedTuple):
    """Where a card of the heart lies."""

    row: int
    """0 at the top, 6 at the tip."""
    x: int
    """Half card widths from the left edge: 0 to 10; a card is two wide."""


ROWS: Final[tuple[tuple[int, ...], ...]] = (
    (1, 3, 7, 9),  # two lobes
    *(tuple(range(row - 1, 12 - row, 2)) for row in range(1, 7)),  # each row half a card further in
)
"""The x of every card, row by row from the top."""

SPOTS: Final[dict[Position, Spot]] = dict(
    enumerate((Spot(row, x) for row, places in enumerate(ROWS) for x in places), start=1)
)
"""Where each position lies."""

SIZE: Final = len(SPOTS)
"""How many cards make the heart."""

POSITIONS: Final[tuple[Position, ...]] = tuple(SPOTS)
"""All positions, ascending."""

TIP: Final[Position] = SIZE
"""The card that nothing covers."""

WHOLE: Final = sum(1 << position for position in POSITIONS)
"""The mask of the whole heart."""

_AT: Final = {spot: position for position, spot in SPOTS.items()}


def _covering(spot: Spot) -> tuple[Position, ...]:
    """Return the positions of the next row that lie half a card to the left and to the right of a card."""
    next_row = (Spot(spot.row + 1, x) for x in (spot.x - 1, spot.x + 1))
    return tuple(_AT[below] for below in next_row if below in _AT)


COVERED_BY: Final[dict[Position, tuple[Position, ...]]] = {
    position: _covering(spot) for position, spot in SPOTS.items()
}
"""For each position those that cover it: two, one, or (at the tip) none."""

_COVER_MASKS: Final = tuple(
    (position, sum(1 << cover for cover in covers)) for position, covers in COVERED_BY.items()
)


@lru_cache(maxsize=4096)  # 623 sets can come about in play; the bound is for whoever asks about others
def free_positions(left: int) -> tuple[Position, ...]:
    """Return the positions, ascending, that hold a card and are covered by none.

    Args:
        left: the mask of the positions that still hold a card.
    """
    return tuple(position for position, covers in _COVER_MASKS if left >> position & 1 and not left & covers)
