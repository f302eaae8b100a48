"""Which cards may go together: the couples of a position, and eager play once some are settled.

Where the cards are
    The heart is a mask of squares (:mod:`heart`). Waste and stock together are the *tape*: the waste from its
    bottom, then the stock in drawing order. Dealing again puts the waste back in the order it was drawn, so
    the tape keeps its order for good; cards only vanish from it. A *place* counts along the tape from 0. All
    that changes is which places are used, and how many places lie in the waste: the *mark*. The top of the
    waste is the last unused place before the mark; drawing moves the mark behind the next unused one.

Couples
    Every rank is looked at as four cards: those of the heart, then those of the tape, then nothing for what
    has gone. Four things can be made into two couples in three ways, and every couple belongs to exactly one
    of them. Two cards of the tape are a couple that is never played. So "which partner has each card of the
    heart" is one of at most three *matchings* for each rank; the matchings still considered are the bits
    ``3 * rank`` to ``3 * rank + 2`` of one integer, the *options*.

The eager lemma
    Let one matching be settled for every rank. Then playing each couple the first moment that both of its
    cards are within reach is as short as can be.

    Take any line with those couples, and let eager play go through the same stops: the same redeals, and
    the same marks between them. At each stop, eager play has played at least the couples that the line has
    played. For let the line play a couple at a stop, and eager play not have played it before. Its cards of
    the heart are free, since at least as many cards have gone as in the line. If one lies on the tape, it
    was the last unused place before the mark in the line; eager play has used all the places between that
    the line had used, so it is on top there too. So eager play plays the couple at that stop at the latest.
    It ends with the line or before it, and draws no more cards: a place that the line draws and eager play
    has used already is one draw less.

    The order of couples that are within reach at one stop means nothing: they have no card in common, and
    taking cards covers none.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kupa.heart_to_heart.codes import COPIES, DECK_SIZE
from kupa.heart_to_heart.layout import SIZE
from kupa.lab.heart import BEFORE, SQUARE_AT, SQUARES, Masks, Ranks, free_cards
from kupa.lab.winnable import NUMBER_OF_RANKS
from kupa.sim.bits import count_bits, highest_card, lowest_card
from kupa.sim.compiling import inlined, part

TAPE: Final = DECK_SIZE - SIZE
"""The most cards that a tape has."""
MATCHINGS: Final = COPIES - 1
ALL_MATCHINGS: Final = (1 << MATCHINGS) - 1


class Couples(NamedTuple):
    """The couples of a position; made once by :func:`new_couples`, filled by :func:`match`."""

    rank_of: Masks
    """By square: the number of the rank of the card there."""
    in_heart: NDArray[np.int64]
    """By square and matching: the mask of its partner, if that lies in the heart."""
    on_tape: NDArray[np.int64]
    """By square and matching: the mask of the place of its partner, if that lies on the tape."""
    of_rank: Masks
    """By rank: the mask of its cards in the heart."""
    tape_of: NDArray[np.int64]
    """By rank and matching: the mask of the places that the matching uses."""
    things: Masks
    """Four things of one rank, while they are matched."""


@inlined
def new_couples() -> Couples:
    """Return couples to be filled, again and again."""
    return Couples(
        np.zeros(SQUARES, np.int64),
        np.zeros((SQUARES, MATCHINGS), np.int64),
        np.zeros((SQUARES, MATCHINGS), np.int64),
        np.zeros(NUMBER_OF_RANKS, np.int64),
        np.zeros((NUMBER_OF_RANKS, MATCHINGS), np.int64),
        np.zeros(COPIES, np.int64),
    )


@part
def match(couples: Couples, ranks: Ranks, left: int, tape: Ranks, length: int) -> int:
    """Find the couples of a position; return its options.

    A matching with a couple of the heart one card of which has to go before the other is left out.

    Args:
        couples: is filled.
        ranks: by position, the number of the rank of the card there.
        left: the mask of the squares that hold a card.
        tape: by place, the number of the rank of the card there.
        length: how many cards the tape has.
    """
    for rank in range(NUMBER_OF_RANKS):
        couples.of_rank[rank] = 0
    for position in range(1, len(SQUARE_AT)):
        square = SQUARE_AT[position]
        if left >> square & 1:
            couples.of_rank[ranks[position]] |= 1 << square
            couples.rank_of[square] = ranks[position]
    options = 0
    for rank in range(NUMBER_OF_RANKS):
        options |= _match_rank(couples, rank, tape, length) << MATCHINGS * rank
    return options


@inlined
def _match_rank(couples: Couples, rank: int, tape: Ranks, length: int) -> int:
    """Match the four things of a rank in every way; return the mask of the matchings that are possible."""
    things = couples.things
    number = 0
    rest = couples.of_rank[rank]
    while rest:
        things[number] = rest & -rest
        rest &= rest - 1
        number += 1
    in_heart = number
    for place in range(length):
        if tape[place] == rank:
            things[number] = 1 << place
            number += 1
    possible = 0
    for matching in range(MATCHINGS):
        used = 0
        is_possible = number == COPIES or matching == 0
        for one in range(in_heart):
            square = lowest_card(things[one])
            other = one ^ (matching + 1)
            partner = things[other] if other < number else 0
            couples.in_heart[square, matching] = partner if other < in_heart else 0
            couples.on_tape[square, matching] = partner if other >= in_heart else 0
            if other < in_heart:
                is_possible = is_possible and not BEFORE[square] & partner
            else:
                used |= partner
        couples.tape_of[rank, matching] = used
        possible |= is_possible << matching
    return possible


@inlined
def on_top(unused: int, mark: int) -> int:
    """Return the mask of the place on top of the waste, 0 if the waste is empty."""
    waste = unused & (1 << mark) - 1
    return 1 << highest_card(waste) if waste else 0


class Position(NamedTuple):
    """A position in the course of a search."""

    left: int
    """The mask of the squares that hold a card."""
    unused: int
    """The mask of the places that hold a card."""
    mark: int
    """How many places lie in the waste, used ones among them."""
    moves: int
    """How many moves have been made."""
    options: int
    """The matchings that are still considered."""


@inlined
def matchings_of(options: int, rank: int) -> int:
    """Return the mask of the matchings of a rank that are still considered."""
    return options >> MATCHINGS * rank & ALL_MATCHINGS


@inlined
def settled(options: int, rank: int, matching: int) -> int:
    """Return the options with a matching settled for a rank."""
    return options & ~(ALL_MATCHINGS << MATCHINGS * rank) | 1 << MATCHINGS * rank + matching


@inlined
def _within_reach(couples: Couples, at: Position, free: int, top: int) -> tuple[int, int, int]:
    """Look for a couple that can be played now, first for one of a rank that is settled.

    Returns:
        One of its cards, the matching it belongs to (-1 if there is no couple), and the mask of the places
        that are wanted by a free card.
    """
    open_square, open_matching = 0, -1
    wanted = 0
    rest = free
    while rest:
        square = lowest_card(rest)
        rest &= rest - 1
        matchings = matchings_of(at.options, couples.rank_of[square])
        for matching in range(MATCHINGS):
            if matchings >> matching & 1:
                place = couples.on_tape[square, matching]
                wanted |= place
                if place & top or couples.in_heart[square, matching] & free:
                    if matchings & (matchings - 1) == 0:
                        return square, matching, wanted
                    open_square, open_matching = square, matching
    return open_square, open_matching, wanted


@inlined
def play_couple(couples: Couples, at: Position, square: int, matching: int) -> Position:
    """Return the position after a couple has gone; the matching is settled by it."""
    return Position(
        at.left ^ (1 << square | couples.in_heart[square, matching]),
        at.unused & ~couples.on_tape[square, matching],
        at.mark,
        at.moves + 1,
        settled(at.options, couples.rank_of[square], matching),
    )


@inlined
def draw_to(at: Position, wanted: int) -> Position:
    """Draw, and deal again if need be, until a wanted place is on top; no moves are -1: there is none."""
    wanted &= at.unused
    behind = (1 << at.mark) - 1
    ahead = wanted & ~behind
    if ahead:
        target = ahead & -ahead
        drawn = count_bits(at.unused & ~behind & (target | target - 1))
    elif wanted:
        target = wanted & -wanted
        drawn = count_bits(at.unused & ~behind) + 1 + count_bits(at.unused & (target | target - 1))
    else:
        return Position(at.left, at.unused, at.mark, -1, at.options)
    return Position(at.left, at.unused, lowest_card(target) + 1, at.moves + drawn, at.options)


@inlined
def next_step(couples: Couples, at: Position) -> tuple[Position, int, int]:
    """Take one step of eager play, unless a couple of a rank that is not settled is within reach.

    Args:
        couples: those of the position.
        at: the position; cards are left.

    Returns:
        The position after the step, a card of the couple that has gone or is within reach, and its matching;
        -1 if the step was to draw. No moves are -1: there is nothing left to do.
    """
    square, matching, wanted = _within_reach(couples, at, free_cards(at.left), on_top(at.unused, at.mark))
    if matching < 0:
        return draw_to(at, wanted), 0, -1
    matchings = matchings_of(at.options, couples.rank_of[square])
    if matchings & (matchings - 1) == 0:
        at = play_couple(couples, at, square, matching)
    return at, square, matching


@part
def play_on(couples: Couples, at: Position) -> tuple[Position, int, int]:
    """Play eagerly until the game is won, nothing is left to do, or a couple of a rank not settled appears.

    Returns:
        The position, a card of that couple, and its matching. The matching is -1 if the game is won, or if
        it cannot be won: then no moves are told, -1.
    """
    while at.left:
        after, square, matching = next_step(couples, at)
        if matching >= 0 and after.left == at.left:
            return at, square, matching
        at = after
        if at.moves < 0:
            break
    return at, 0, -1
