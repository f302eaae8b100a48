"""Ways of playing that people have, as kernels: each sees what a player sees, and never the stock's order.

Every way pairs what it is willing to pair the moment it can, and draws otherwise. It gives up when a whole
pass brings nothing that it is willing to take.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from kupa.lab.compiling import kernel
from kupa.lab.couples import Position, draw_to, on_top
from kupa.lab.heart import BEFORE, SQUARE_AT, SQUARES, Masks, Ranks, free_cards
from kupa.lab.lines import SECOND
from kupa.lab.winnable import NUMBER_OF_RANKS, WON, Desk, new_desk, winning_plan
from kupa.sim.bits import count_bits, lowest_card
from kupa.sim.compiling import inlined, part

WAYS: Final = ("eager", "waste", "careful", "foresight")
"""The names of the ways.

eager
    Takes whatever fits, two cards of the heart before one with the waste.
waste
    Takes whatever fits, the waste first.
careful
    As eager, but never leaves two cards of the heart that have only each other while one lies over the other.
foresight
    As eager, but takes nothing after which the deal could not be won any more. All that this needs lies open:
    the heart, and how many cards of each rank are outside it.
"""
EAGER: Final = 0
WASTE: Final = 1
CAREFUL: Final = 2
FORESIGHT: Final = 3

_BUDGET: Final = 1 << 40
"""More choices than any decision needs: three ways for each of at most eight ranks."""
GIVEN_UP: Final = -1


class Room(NamedTuple):
    """Where a way of playing keeps its notes; made once by :func:`new_room`."""

    of_rank: Masks
    """By rank: the mask of its cards in the heart at the start."""
    on_tape: Masks
    """By rank: the mask of its places on the tape at the start."""
    rank_of: Masks
    """By square: the number of the rank there."""
    outside: Ranks
    """By rank: how many cards are outside the heart, for looking ahead."""
    desk: Desk


@inlined
def new_room() -> Room:
    """Return room for one game at a time."""
    return Room(
        np.zeros(NUMBER_OF_RANKS, np.int64),
        np.zeros(NUMBER_OF_RANKS, np.int64),
        np.zeros(SQUARES, np.int64),
        np.zeros(NUMBER_OF_RANKS, np.int8),
        new_desk(),
    )


@inlined
def _note_down(room: Room, ranks: Ranks, left: int, tape: Ranks, length: int) -> None:
    """Note down where the cards of each rank are."""
    for rank in range(NUMBER_OF_RANKS):
        room.of_rank[rank] = room.on_tape[rank] = 0
    for position in range(1, len(SQUARE_AT)):
        square = SQUARE_AT[position]
        room.rank_of[square] = ranks[position]
        room.of_rank[ranks[position]] |= left & 1 << square
    for place in range(length):
        room.on_tape[tape[place]] |= 1 << place


@part
def _can_still_be_won(room: Room, left: int, unused: int, rank: int, used: int) -> bool:
    """Tell whether a position can be won after some cards have gone.

    Args:
        room: knows where the cards are.
        left: the heart without those cards.
        unused: the tape as it is.
        rank: the rank of those cards.
        used: how many of them the tape gives.
    """
    for each in range(NUMBER_OF_RANKS):
        room.outside[each] = count_bits(room.on_tape[each] & unused) - (used if each == rank else 0)
        room.desk.of_rank[each] = room.of_rank[each] & left
    return winning_plan(room.outside, left, room.desk, _BUDGET) == WON


@inlined
def _is_willing(way: int, room: Room, at: Position, rank: int, gone: int) -> bool:
    """Tell whether a way is willing to take some cards of the heart, one of them with a card of the tape.

    Args:
        way: which.
        room: knows where the cards are.
        at: the position.
        rank: the rank of the cards.
        gone: the mask of one or two cards of the heart.
    """
    if way in (EAGER, WASTE):
        return True
    used = 1 if gone & (gone - 1) == 0 else 0
    left = at.left & ~gone
    if way == FORESIGHT:
        return _can_still_be_won(room, left, at.unused, rank, used)
    remain = room.of_rank[rank] & left
    have_only_each_other = count_bits(remain) == 2 and count_bits(room.on_tape[rank] & at.unused) == used
    return not (have_only_each_other and BEFORE[lowest_card(remain)] & remain)


@inlined
def _find(way: int, room: Room, at: Position) -> tuple[int, int, int]:
    """Look for a pair to take.

    Returns:
        The mask of the cards of the heart, 0 if there is no pair; the mask of the place on top of the waste
        if one goes with it; and the mask of all places that the way would take if they were on top.
    """
    free = free_cards(at.left)
    top = on_top(at.unused, at.mark)
    within_heart = with_waste = wanted = 0
    rest = free
    while rest:
        card = rest & -rest
        rest ^= card
        rank = room.rank_of[lowest_card(card)]
        places = room.on_tape[rank] & at.unused
        others = room.of_rank[rank] & rest
        while others and not within_heart:
            other = others & -others
            others ^= other
            if _is_willing(way, room, at, rank, card | other):
                within_heart = card | other
        if places and _is_willing(way, room, at, rank, card):
            wanted |= places
            if places & top and not with_waste:
                with_waste = card
    if with_waste and (way == WASTE or not within_heart):
        return with_waste, top, wanted
    return within_heart, 0, wanted


@kernel
def play_way(
    way: int, room: Room, ranks: Ranks, left: int, tape: Ranks, length: int, mark: int, line: Masks
) -> int:
    """Play a deal in one of the ways; return the moves, or GIVEN_UP.

    Args:
        way: which.
        room: is written to.
        ranks: by position, the number of the rank of the card there.
        left: the mask of the squares that hold a card.
        tape: by place, the number of the rank of the card there.
        length: how many cards the tape has.
        mark: how many of them lie in the waste.
        line: gets what was done (:mod:`lines`), up to the end or to giving up; of length LONGEST.
    """
    _note_down(room, ranks, left, tape, length)
    at = Position(left, (1 << length) - 1, mark, 0, 0)
    number = 0
    while at.left:
        cards, place, wanted = _find(way, room, at)
        if cards:
            second = cards & (cards - 1)
            line[number] = lowest_card(cards) | (lowest_card(second) << SECOND if second else 0)
            at = Position(at.left ^ cards, at.unused ^ place, at.mark, at.moves + 1, 0)
        else:
            after = draw_to(at, wanted)
            if after.moves < 0:
                break
            line[number] = at.moves - after.moves
            at = after
        number += 1
    line[number] = 0
    return GIVEN_UP if at.left else at.moves


@kernel
def play_deal(way: int, ranks: Ranks, left: int, tape: Ranks, length: int, mark: int, line: Masks) -> int:
    """Play one deal (:func:`play_way`)."""
    return play_way(way, new_room(), ranks, left, tape, length, mark, line)
