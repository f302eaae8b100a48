"""Worlds by weight: a deal of unseen cards is as likely as the product of what each weighs where it is.

A weight says how much likelier a card makes a deal by being with a holder: what a pass or a play tells, where
it rules nothing out. A dynamic programme over the cards of the pool, one after the other, adds up the weights
of all ways to deal the rest, for every number of cards that each holder may still take; a world is then drawn
card by card, so that nothing is ever drawn in vain. Sums are floating-point numbers of 53 bits: that far the
draw is exact.

Where all deals are equally likely, :mod:`kupa.sim.worlds` does the same faster, and for any number of seats:
this table grows with every holder, and with two packs it is refused (``ValueError``) until later in a round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kupa.sim.chance import Words, fraction, stream_of
from kupa.sim.compiling import kernel
from kupa.sim.knowledge import Knowledge
from kupa.sim.worlds import Masks, drawn_from, write_fixed

Weights = NDArray[np.float64]

MOST_SUMS: Final = 1 << 22
"""A table of more sums than this is refused: it would take 32 MB."""
CARD_NUMBERS: Final = 64
"""Cards are numbers below this."""


@kernel
def sums_of(weights: Weights, room: Words, strides: Words, sums: Weights) -> float:
    """Add up the weights of all ways to deal the rest of the pool, from its last card back to its first.

    Args:
        weights: shape (cards, holders), by card of the pool.
        room: how many cards each holder takes; together, all.
        strides: by holder, what one more card of room adds to the number of a state; 0 for the last holder,
            whose room follows from the others'.
        sums: shape (cards + 1, states), of zeros; entry [i, s] becomes the sum over all ways to deal the
            cards from i on in state s, each row divided by its greatest entry.

    Returns:
        The logarithm of the weight of all deals together; minus infinity where none has any.
    """
    cards, holders = weights.shape
    left = np.zeros(holders, np.int64)
    sums[cards, 0], scale = 1.0, 0.0
    for card in range(cards - 1, -1, -1):
        greatest = 0.0
        for state in range(sums.shape[1]):
            left[holders - 1] = cards - card
            for holder in range(holders - 1):
                left[holder] = state // strides[holder] % (room[holder] + 1)
                left[holders - 1] -= left[holder]
            if not 0 <= left[holders - 1] <= room[holders - 1]:
                continue
            total = 0.0
            for holder in range(holders):
                if left[holder]:
                    total += weights[card, holder] * sums[card + 1, state - strides[holder]]
            sums[card, state] = total
            greatest = max(greatest, total)
        if greatest == 0.0:
            return -np.inf
        sums[card] /= greatest
        scale += np.log(greatest)
    whole: float = scale + np.log(sums[0, sums.shape[1] - 1])
    return whole


@kernel
def draw_weighted(
    cards: Words,
    holders: Words,
    weights: Weights,
    room: Words,
    strides: Words,
    sums: Weights,
    seed: int,
    worlds: Masks,
) -> None:
    """Draw as many worlds as ``worlds`` has rows.

    Args:
        cards: the pool.
        holders: the holders that have room.
        weights: as in :func:`sums_of`, and so are room, strides and sums.
        room: by holder.
        strides: by holder.
        sums: of the table.
        seed: what chance hangs on.
        worlds: shape (worlds, 2, holders), with what is fixed already in it; the pool's cards are added.
    """
    row = np.zeros(1, np.int64)
    row[0] = stream_of(seed, 0)
    left = np.zeros(len(holders), np.int64)
    for world in range(len(worlds)):
        left[:] = room
        state = sums.shape[1] - 1
        for place in range(len(cards)):
            total = 0.0
            for holder in range(len(holders)):
                if left[holder]:
                    total += weights[place, holder] * sums[place + 1, state - strides[holder]]
            point, chosen = fraction(row) * total, -1
            for holder in range(len(holders)):
                if left[holder] and point >= 0.0:
                    part = weights[place, holder] * sums[place + 1, state - strides[holder]]
                    # A point that rounding has put at the very end goes to the last that has any weight.
                    chosen = holder if part > 0.0 else chosen
                    point -= part
            left[chosen] -= 1
            state -= strides[chosen]
            masks, bit = worlds[world, :, holders[chosen]], 1 << cards[place]
            masks[1] |= masks[0] & bit
            masks[0] |= bit


class WeightedTable:
    """The worlds that agree with one :class:`Knowledge`, by weight; there may be none.

    Raises:
        ValueError: the table would be too large.
    """

    def __init__(self, knowledge: Knowledge, weights: Weights) -> None:
        self.knowledge = knowledge
        having = [holder for holder, room in enumerate(knowledge.room) if room]
        # The room of the last holder is in no state: let it be the largest.
        having.sort(key=lambda holder: (knowledge.room[holder], holder))
        self.holders = np.array(having, np.int64)
        self.cards = np.array(knowledge.pool, np.int64)
        self.room = np.array([knowledge.room[holder] for holder in having], np.int64)
        ruled_out = np.array([knowledge.ruled_out[holder] for holder in having], np.int64)
        allowed = (ruled_out[None, :] >> self.cards[:, None] & 1) == 0
        self.weights = np.where(allowed, weights[self.cards][:, self.holders], 0.0)
        sizes = [1, *(int(room) + 1 for room in self.room[:-1])]
        self.strides = np.cumprod(sizes)[: len(having)] if having else np.zeros(0, np.int64)
        states = int(np.prod(np.array(sizes, np.float64)))
        if states * (len(self.cards) + 1) > MOST_SUMS:
            raise ValueError(f"the table would have more than {MOST_SUMS} sums")
        if having:
            self.strides[-1] = 0
        self.sums = np.zeros((len(self.cards) + 1, states))
        self.logarithm = 0.0
        if having:
            self.logarithm = sums_of(self.weights, self.room, self.strides, self.sums)

    def fill(self, worlds: Masks, seed: int) -> None:
        """Draw worlds into an array of shape (worlds, 2, holders)."""
        write_fixed(self.knowledge, worlds)
        draw_weighted(
            self.cards, self.holders, self.weights, self.room, self.strides, self.sums, seed, worlds
        )


class WeightedWorlds:
    """The worlds that agree with what a seat knows, to be drawn from by weight.

    Args:
        cases: what the seat knows; see :func:`kupa.sim.knowledge.known`.
        weights: shape (64, players + 1), from 0 on: entry [c, h] is the factor by which card c with holder h
            makes a deal likelier; the kitty is the last holder. A deal's weight is the product over its cards
            that are not certain. Of a card held twice both copies count.

    Raises:
        ValueError: weights have another shape or are not finite numbers from 0 on, no world that agrees has
            any weight, or a table would be too large.
    """

    def __init__(self, cases: Sequence[Knowledge], weights: Weights) -> None:
        shape = (CARD_NUMBERS, cases[0].players + 1)
        weights = np.asarray(weights, np.float64)
        if weights.shape != shape or not np.isfinite(weights).all() or (weights < 0).any():
            raise ValueError(f"weights are finite numbers from 0 on, of shape {shape}")
        unsure = {card for case in cases for card in case.pool}
        logarithms, self.tables = [], []
        for case in cases:
            table = WeightedTable(case, weights)
            # A card that is fixed in this case and in the pool of another counts as it does there.
            told = [
                weights[card, holder]
                for holder, held in enumerate(case.fixed)
                for card in held
                if card in unsure and len(cases) > 1
            ]
            if table.logarithm > -np.inf and all(told):
                self.tables.append(table)
                logarithms.append(table.logarithm + float(np.log(told).sum()))
        if not self.tables:
            raise ValueError("no deal that agrees with what is known has any weight")
        each = np.array(logarithms)
        self.logarithm = float(np.logaddexp.reduce(each))
        """Of the weight of all deals together; a copy of a card counts as a card of its own."""
        self.chances = np.exp(each - self.logarithm)
        self.chances /= self.chances.sum()

    def draw(self, count: int, seed: int) -> Masks:
        """Draw worlds, independently of each other; as :meth:`kupa.sim.worlds.Worlds.draw`."""
        return drawn_from(self.tables, self.chances, count, seed)
