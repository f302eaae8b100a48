"""What is seen of a deal at the start: the features by which a survey sorts deals.

All of them lie open before the first move, and none depends on the order of the stock.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kupa.heart_to_heart.layout import TIP
from kupa.lab.compiling import kernel
from kupa.lab.heart import BEFORE, SQUARE, WHOLE, WIDTH, Masks, Ranks
from kupa.lab.winnable import NUMBER_OF_RANKS, lay_out, new_desk
from kupa.sim.bits import count_bits, lowest_card
from kupa.sim.compiling import part

FEATURES: Final = ("tip_rank", "tip_copies", "fours", "threes", "fours_and_threes", "over", "touching")
"""The names of the features.

tip_rank
    The number of the rank of the tip, 0 for the ace.
tip_copies
    How many of the four cards of the tip's rank lie in the heart.
fours, threes
    How many ranks have all four, or three, of their cards in the heart.
fours_and_threes
    Both at once: 10 times the fours plus the threes.
over
    How many pairs of equal cards lie so that one has to go before the other, among the ranks that have three
    or four cards in the heart and so need a pair within it.
touching
    How many cards lie right on a card of their own rank.
"""
VALUES: Final = 72
"""More than any feature can have; what an array by value is long."""

_TIP: Final = SQUARE[TIP]
_FOURS: Final = 10


@part
def find_features(of_rank: Masks, tip_rank: int, found: Masks) -> None:
    """Write the features of a whole heart, in the order of :data:`FEATURES`.

    Args:
        of_rank: by rank, the mask of its cards in the heart.
        tip_rank: the number of the rank of the tip.
        found: is written to.
    """
    fours = threes = over = touching = 0
    for rank in range(NUMBER_OF_RANKS):
        cards = of_rank[rank]
        count = count_bits(cards)
        fours += count == 4
        threes += count == 3
        touching += count_bits(cards & cards >> WIDTH) + count_bits(cards & cards >> (WIDTH - 1))
        rest = cards if count >= 3 else 0
        while rest:
            over += count_bits(BEFORE[lowest_card(rest)] & cards)
            rest &= rest - 1
    found[0], found[1] = tip_rank, count_bits(of_rank[tip_rank])
    found[2], found[3], found[4] = fours, threes, _FOURS * fours + threes
    found[5], found[6] = over, touching


@kernel
def _features(ranks: Ranks, found: Masks) -> None:
    desk = new_desk()
    lay_out(ranks, WHOLE, desk)
    find_features(desk.of_rank, ranks[TIP], found)


def features_of(ranks: Ranks) -> dict[str, int]:
    """Return the features of a whole heart by name.

    Args:
        ranks: by position, the number of the rank of the card there.
    """
    found: NDArray[np.int64] = np.zeros(len(FEATURES), np.int64)
    _features(ranks, found)
    return dict(zip(FEATURES, found.tolist(), strict=True))
