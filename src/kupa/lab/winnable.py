"""Can a position be won? An exact answer, with a plan of how, in well under a microsecond.

What counts
    Redeals are unlimited, so every card of stock and waste comes to the top of the waste as often as one
    likes: while cards of the heart stay where they are, one draws until it does. Whether a position can be
    won therefore depends on the heart, and on how many cards of each rank lie outside it; not on their order.

    Let a rank have ``h`` cards in the heart and ``o`` outside. A pair takes two cards of one rank, at least
    one of them from the heart, so ``h + o`` stays even: 4, 2 or 0.

When a rank decides itself
    *h ≤ o*: every card of the rank goes singly, with a card from outside, as soon as it is free. Nothing is
    lost by it: for each card in the heart there is one outside, so whatever else is done, none will be short.
    And a plan for winning stays a plan when more cards have gone than it reckoned with: leave out its steps
    whose cards have gone already (and let a card whose partner has gone take one from outside; there is one).
    What was free at a step stays free, since cards only uncover others by going.

    *h > o* leaves (3, 1), (4, 0) and (2, 0). Of (3, 1), one card goes singly and the other two as a pair:
    three ways. Of (4, 0), two pairs: three ways. Of (2, 0), one pair. A way is impossible if it pairs two
    cards one of which has to go before the other.

    Once a way is fixed for each of these ranks, taking whatever can go is exact, by the same argument: each
    card has its partner, and a step made early never hinders a later one.

A way that is never worse
    Of (3, 1), let two cards, *a* and *b*, be free at once. Then pairing them, with *c* going singly as soon
    as it is free, is never worse: whatever way a winning plan has, take *a* and *b* now and *c* at the
    moment it becomes free; at each step at least as many cards have gone as in the plan.

Why the search is complete
    It takes all that can go. When nothing can and cards are left, every free card waits for its partner or
    belongs to a rank whose way is not fixed yet. If there is none of the second kind, no way of the other
    ranks helps, since their cards are all covered: the position is lost. Else one rank with a free card is
    chosen and all its possible ways are tried. Sound is what the plan shows: it replays in the engine.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kupa.heart_to_heart.codes import RANKS
from kupa.lab.compiling import kernel
from kupa.lab.heart import BEFORE, NOWHERE, SQUARE_AT, SQUARES, Masks, Ranks, free_cards
from kupa.sim.bits import count_bits, lowest_card
from kupa.sim.compiling import inlined, part

NUMBER_OF_RANKS: Final = len(RANKS)

LOST: Final = 0
WON: Final = 1
UNFINISHED: Final = 2

PAIR: Final = 1 << 62
"""Marks a step of a plan whose two cards go as a pair; without it, each card of a step goes singly."""

NEVER: Final = -1
"""Stands for a number of ranks when one of them has no way."""

_AT_ONCE: Final = 3
"""How often single cards are taken before anything else is looked at. A processor guesses badly here: once
too often costs less than a wrong guess, and so it is with what is chosen without a branch below."""

_LEFT: Final = 0
_SINGLES: Final = 1
_SEEKING: Final = 2
_PAIRS: Final = 3
_STEPS: Final = 4
_SLOT: Final = 5
_WAYS: Final = 6
_FIELDS: Final = 7
"""What a level of the search remembers: the position as it was, a rank, and its ways not tried yet."""

_CARDS: Final = 0
_POSSIBLE: Final = 4
_SEEKER_FIELDS: Final = 5
"""What is known of a rank that seeks its way: its cards; for each of three ways, the card or cards that go
with the lowest one; and the mask of the ways that are possible."""


class Desk(NamedTuple):
    """Where the search writes; made once by :func:`new_desk`, used for as many positions as one likes."""

    of_rank: Masks
    """By rank: the mask of its cards in the heart at the start."""
    seekers: NDArray[np.int64]
    """The ranks that have more than one way."""
    pairs: Masks
    """The masks of two cards that are to go as a pair."""
    levels: NDArray[np.int64]
    """The levels of the search."""
    steps: Masks
    """The plan: masks of cards that go, see :data:`PAIR`; 0 ends it."""


@inlined
def new_desk() -> Desk:
    """Return a desk for one search at a time."""
    return Desk(
        np.zeros(NUMBER_OF_RANKS, np.int64),
        np.zeros((NUMBER_OF_RANKS + 1, _SEEKER_FIELDS), np.int64),
        np.zeros(2 * NUMBER_OF_RANKS, np.int64),
        np.zeros((NUMBER_OF_RANKS + 1, _FIELDS), np.int64),
        np.zeros(SQUARES, np.int64),
    )


@inlined
def lay_out(ranks: Ranks, left: int, desk: Desk) -> None:
    """Note down which cards are of which rank.

    Args:
        ranks: by position, the number of the rank of the card there.
        left: the mask of the cards of the heart that are left.
        desk: gets the masks by rank.
    """
    for rank in range(NUMBER_OF_RANKS):
        desk.of_rank[rank] = 0
    for position in range(1, len(SQUARE_AT)):
        desk.of_rank[ranks[position]] |= left & 1 << SQUARE_AT[position]


@inlined
def _seekers(outside: Ranks, desk: Desk) -> tuple[int, int]:
    """Note down the ranks that cannot go singly; return their number, and the cards that do go singly."""
    number, singles = 0, 0
    for rank in range(NUMBER_OF_RANKS):
        cards = desk.of_rank[rank]
        seeks = count_bits(cards) > outside[rank]
        desk.seekers[number, _CARDS] = cards
        singles |= 0 if seeks else cards
        number += seeks
    return number, singles


@inlined
def _find_ways(desk: Desk, slot: int) -> int:
    """Work out the three ways of a rank; return the mask of those that are possible.

    A rank is looked at as four cards: *a*, *b* and so on from the top of the heart, and what is missing lies
    outside. The ways are the three in which four things make two pairs: *ab cd*, *ac bd*, *ad bc*. Whoever
    goes with one that is missing goes singly.
    """
    seeker = desk.seekers[slot]
    cards = seeker[_CARDS]
    a = cards & -cards
    rest = cards ^ a
    b = rest & -rest
    rest ^= b
    c = rest & -rest
    d = rest ^ c
    seeker[1], seeker[2], seeker[3] = a | b, a | c, a | d
    with_a = BEFORE[lowest_card(a)]
    with_b = BEFORE[lowest_card(b)]
    with_c = BEFORE[lowest_card(c | NOWHERE)]
    possible = 0
    possible |= 1 if not (with_a & b | with_c & d) else 0
    possible |= 2 if c and not (with_a & c | with_b & d) else 0
    possible |= 4 if c and not (with_a & d | with_b & c) else 0
    seeker[_POSSIBLE] = possible
    return possible


@inlined
def _go_as(desk: Desk, cards: int, singles: int, pairs: int) -> tuple[int, int]:
    """Note down that one card goes singly, or that two go as a pair; nothing for no card."""
    desk.pairs[pairs] = cards
    is_pair = cards & (cards - 1) != 0
    return singles | (0 if is_pair else cards), pairs + is_pair


@inlined
def _fix(desk: Desk, slot: int, way: int, singles: int, pairs: int) -> tuple[int, int]:
    """Give a rank one of its ways: 1, 2 or 4. Return the cards that go singly, and the number of pairs."""
    seeker = desk.seekers[slot]
    first = seeker[1 + (way >> 1)]
    singles, pairs = _go_as(desk, first, singles, pairs)
    return _go_as(desk, seeker[_CARDS] ^ first, singles, pairs)


@inlined
def _set_up(outside: Ranks, desk: Desk) -> tuple[int, int, int]:
    """Give every rank its way that has only one; return how many have more, the singles, the pairs.

    The number is NEVER if a rank has no way.
    """
    found, singles = _seekers(outside, desk)
    number = pairs = 0
    for slot in range(found):
        ways = _find_ways(desk, slot)
        if ways == 0:
            return NEVER, 0, 0
        only = ways & (ways - 1) == 0
        seeker = desk.seekers[slot]
        first = seeker[1 + (ways >> 1 & 3)] if only else 0
        singles, pairs = _go_as(desk, first, singles, pairs)
        singles, pairs = _go_as(desk, seeker[_CARDS] ^ first if only else 0, singles, pairs)
        for field in range(_SEEKER_FIELDS):
            desk.seekers[number, field] = seeker[field]
        number += not only
    return number, singles, pairs


@inlined
def _take_pairs(desk: Desk, free: int, pairs: int, steps: int) -> tuple[int, int]:
    """Take the pairs that are to go and whose cards are free; return their mask and the number of steps."""
    gone = 0
    for number in range(pairs):
        pair = desk.pairs[number]
        goes = pair & ~free == 0
        desk.steps[steps] = pair | PAIR
        steps += goes
        gone |= pair if goes else 0
    return gone, steps


@inlined
def _choice(desk: Desk, number: int, free: int, seeking: int) -> tuple[int, int]:
    """Return a rank that seeks its way and has a free card, and its ways; no ways if there is none.

    If two of three cards are free, that they are a pair is the only way needed.
    """
    chosen, ways, at_once = 0, 0, 0
    for slot in range(number):
        seeker = desk.seekers[slot]
        cards = seeker[_CARDS]
        at_hand = cards & free
        is_pair = (at_hand & (at_hand - 1) != 0) & (count_bits(cards) == 3)
        pair_way = 1 << (at_hand != seeker[1]) + (at_hand == cards ^ seeker[3])
        takes = (at_hand != 0) & (seeking >> slot & 1 != 0) & (at_once <= is_pair)
        chosen = slot if takes else chosen
        ways = (pair_way if is_pair else seeker[_POSSIBLE]) if takes else ways
        at_once = is_pair if takes else at_once
    return chosen, ways


@part
def winning_plan(outside: Ranks, left: int, desk: Desk, budget: int) -> int:
    """Decide whether a position can be won.

    Args:
        outside: by rank, how many cards lie in stock and waste; with those of the heart four, two or none.
        left: the mask of the cards of the heart that are left.
        desk: knows them by rank already (:func:`lay_out`); its steps are a plan if the position can be won.
        budget: how many choices may be tried.

    Returns:
        WON, LOST, or UNFINISHED if the budget did not last.
    """
    number, singles, pairs = _set_up(outside, desk)
    if number == NEVER:
        return LOST
    seeking = (1 << number) - 1
    steps = depth = 0
    while True:
        before = left
        for _ in range(_AT_ONCE):
            gone = free_cards(left) & singles
            left ^= gone
            desk.steps[steps] = gone
            steps += gone != 0
        gone, steps = _take_pairs(desk, free_cards(left), pairs, steps)
        left ^= gone
        if left != before:
            continue
        free = free_cards(left)
        if left == 0:
            desk.steps[steps] = 0
            return WON
        slot, ways = _choice(desk, number, free, seeking)
        if ways == 0:
            if depth == 0:
                return LOST
            level = desk.levels[depth - 1]
            left, singles, seeking = level[_LEFT], level[_SINGLES], level[_SEEKING]
            pairs, steps, slot, ways = level[_PAIRS], level[_STEPS], level[_SLOT], level[_WAYS]
            depth -= 1
        if budget == 0:
            return UNFINISHED
        budget -= 1
        way = ways & -ways
        if ways != way:
            level = desk.levels[depth]
            level[_LEFT], level[_SINGLES], level[_SEEKING] = left, singles, seeking
            level[_PAIRS], level[_STEPS], level[_SLOT], level[_WAYS] = pairs, steps, slot, ways ^ way
            depth += 1
        singles, pairs = _fix(desk, slot, way, singles, pairs)
        seeking &= ~(1 << slot)


@kernel
def decide(ranks: Ranks, left: int, outside: Ranks, desk: Desk, budget: int) -> int:
    """Decide one position (:func:`winning_plan`)."""
    lay_out(ranks, left, desk)
    return winning_plan(outside, left, desk, budget)
