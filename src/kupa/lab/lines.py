"""Lines of play inside kernels: what is done, one entry after the other, and eager play written down.

A line is an array of whole numbers. A negative one says how often the stock is tapped, draws and redeals
alike; another one is a couple: the square of its card of the heart, and 64 times the square of the other
card, 0 for the top of the waste. A zero ends the line; square 0 holds no card.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from kupa.lab.compiling import kernel
from kupa.lab.couples import Couples, Position, match, new_couples, next_step
from kupa.lab.heart import Masks, Ranks
from kupa.sim.bits import lowest_card
from kupa.sim.compiling import inlined

LONGEST: Final = 64
"""Entries: at most 25 couples with draws before each, and the end."""
SECOND: Final = 6
"""By how many bits the second square of a couple is moved up."""


class Counted(NamedTuple):
    """What a line consists of."""

    pairs: int
    draws: int
    redeals: int


@inlined
def draws_between(before: Position, after: Position) -> tuple[int, int]:
    """Return the draws and the redeals with which one position follows from another."""
    redeals = 1 if after.mark <= before.mark else 0
    return after.moves - before.moves - redeals, redeals


@kernel
def write_eager(couples: Couples, at: Position, line: Masks) -> Counted:
    """Write eager play down, with one matching settled for every rank that matters.

    Args:
        couples: those of the position.
        at: the position; with its options the game can be won.
        line: is written to; of length LONGEST.
    """
    length = pairs = draws = redeals = 0
    while at.left:
        after, square, matching = next_step(couples, at)
        if matching < 0:
            drawn, dealt = draws_between(at, after)
            draws += drawn
            redeals += dealt
            line[length] = at.moves - after.moves
        else:
            partner = couples.in_heart[square, matching]
            line[length] = square | (lowest_card(partner) << SECOND if partner else 0)
            pairs += 1
        length += 1
        at = after
    line[length] = 0
    return Counted(pairs, draws, redeals)


@kernel
def eager_line(
    ranks: Ranks, left: int, tape: Ranks, length: int, mark: int, options: int, line: Masks
) -> Counted:
    """Write down the eager play of some options from a position (:func:`write_eager`)."""
    couples = new_couples()
    match(couples, ranks, left, tape, length)
    return write_eager(couples, Position(left, (1 << length) - 1, mark, 0, options), line)
