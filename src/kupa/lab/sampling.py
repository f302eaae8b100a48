"""Many deals in one call: random ones to be counted, and codes to be solved and played.

A portion is the same wherever and whenever it is worked out: random deals come from the stream of a seed and
the portion's number, and codes from a walk through all codes that comes by each exactly once.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kupa.heart_to_heart.codes import COPIES, DEALS, DECK_SIZE
from kupa.heart_to_heart.layout import SIZE, TIP
from kupa.lab.bound import HOPELESS
from kupa.lab.compiling import kernel
from kupa.lab.couples import TAPE, Position, match
from kupa.lab.features import FEATURES, find_features
from kupa.lab.heart import WHOLE, Masks, Ranks
from kupa.lab.keccak import LANES
from kupa.lab.lines import LONGEST, write_eager
from kupa.lab.shortest import new_search, shortest_line
from kupa.lab.unranking import deal_codes, new_shuffler, unshuffled
from kupa.lab.ways import WAYS, new_room, play_way
from kupa.lab.winnable import NUMBER_OF_RANKS, WON, lay_out, new_desk, winning_plan
from kupa.sim.chance import STEP, mixed, stream_of
from kupa.sim.compiling import inlined, part

_BUDGET: Final = 1 << 40
"""More choices than any decision needs: at most three ways for each of eight ranks."""

_TOGETHER: Final = 5
"""How many choices are taken from the same random bits."""
_32: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)
_SPAN: Final = np.uint64(1 << 32)


@inlined
def draw_heart(stream: int, deck: Ranks) -> int:
    """Put a random card on each of the first places of a deck, each order exactly as likely as the others.

    Several choices are taken from 32 random bits: the fraction that one leaves over makes the next. Bits that
    would favour some are drawn again (Brackett-Rozinsky and Lemire, 2024).

    Args:
        stream: the state of a SplitMix64 stream (:mod:`kupa.sim.chance`).
        deck: any order of all cards.

    Returns:
        The stream, moved on.
    """
    word = np.uint64(stream)
    for start in range(0, SIZE, _TOGETHER):
        product = np.uint64(1)
        for place in range(start, start + _TOGETHER):
            product *= np.uint64(DECK_SIZE - place)
        word += STEP
        rest = mixed(word) >> _32
        for place in range(start, start + _TOGETHER):
            rest *= np.uint64(DECK_SIZE - place)
            _swap(deck, place, place + np.int64(rest >> _32))
            rest &= _LOW
        if rest < product:
            # What was swapped is random already; swapping again by other bits keeps every order as likely.
            threshold = _SPAN % product
            while rest < threshold:
                word += STEP
                rest = mixed(word) >> _32
                for place in range(start, start + _TOGETHER):
                    rest *= np.uint64(DECK_SIZE - place)
                    _swap(deck, place, place + np.int64(rest >> _32))
                    rest &= _LOW
    return np.int64(word)  # type: ignore[return-value]


@inlined
def _swap(deck: Ranks, first: int, second: int | np.int64) -> None:
    card = deck[first]
    deck[first] = deck[second]
    deck[second] = card


@inlined
def read_heart(deck: Ranks, ranks: Ranks, outside: Ranks) -> None:
    """Lay out the heart of a deck, and count what lies outside it."""
    for rank in range(NUMBER_OF_RANKS):
        outside[rank] = COPIES
    for place in range(SIZE):
        rank = deck[place]
        ranks[place + 1] = rank
        outside[rank] -= 1


@kernel
def count_deals(seed: int, portion: int, number: int, by_feature: NDArray[np.int64]) -> tuple[int, int]:
    """Decide random deals, and count them by their features.

    Args:
        seed: of the survey.
        portion: number of the portion.
        number: how many deals.
        by_feature: by feature, its value, and whether the deal can be won: the deals, added to what is there.

    Returns:
        How many can be won, and how many are stuck before the first move.
    """
    deck = unshuffled_copy()
    ranks, outside = np.zeros(SIZE + 1, np.int8), np.zeros(NUMBER_OF_RANKS, np.int8)
    desk = new_desk()
    found = np.zeros(len(FEATURES), np.int64)
    stream = stream_of(seed, portion)
    winnable = stuck = 0
    for _ in range(number):
        stream = draw_heart(stream, deck)
        read_heart(deck, ranks, outside)
        lay_out(ranks, WHOLE, desk)
        find_features(desk.of_rank, ranks[TIP], found)
        won = 1 if winning_plan(outside, WHOLE, desk, _BUDGET) == WON else 0
        winnable += won
        stuck += outside[ranks[TIP]] == 0
        for feature in range(len(FEATURES)):
            by_feature[feature, found[feature], won] += 1
    return winnable, stuck


@kernel
def decide_deals(seed: int, portion: int, number: int) -> int:
    """Decide random deals, and do nothing else; return how many can be won. For measuring."""
    deck = unshuffled_copy()
    ranks, outside = np.zeros(SIZE + 1, np.int8), np.zeros(NUMBER_OF_RANKS, np.int8)
    desk = new_desk()
    stream = stream_of(seed, portion)
    winnable = 0
    for _ in range(number):
        stream = draw_heart(stream, deck)
        read_heart(deck, ranks, outside)
        lay_out(ranks, WHOLE, desk)
        winnable += winning_plan(outside, WHOLE, desk, _BUDGET) == WON
    return winnable


_UNSHUFFLED: Final = unshuffled()


@inlined
def unshuffled_copy() -> Ranks:
    """Return a deck of one's own before a shuffle."""
    return _UNSHUFFLED.copy()


# ---------------------------------------------------------------- codes

BLOCKS: Final = DEALS // LANES
"""All codes, a few that follow one another at a time."""
_STRIDE: Final = 620_470_457
"""How far the walk through the blocks goes at a time: about 0.618 of them, and no divisor in common."""


def first_code(seed: int, step: int) -> int:
    """Return the number of the first code of a block: a seed's walk comes by every block exactly once."""
    return (seed * 1_000_003 + step) % BLOCKS * _STRIDE % BLOCKS * LANES


class SolvedCodes(NamedTuple):
    """What was found out about some codes that can be won; arrays of one length."""

    numbers: Masks
    """The numbers of the codes."""
    moves: Masks
    """The fewest moves."""
    redeals: Masks
    """The redeals among them, in the line found."""
    steps: Masks
    """What the search took."""
    ways: NDArray[np.int64]
    """By code and way of playing: its moves, or -1 if it gave up."""


@part
def read_tape(deck: Ranks, tape: Ranks) -> None:
    """Lay out the tape of a deck: the first waste card, then the stock."""
    tape[0] = deck[DECK_SIZE - 1]
    for place in range(1, TAPE):
        tape[place] = deck[SIZE + place - 1]


@kernel
def solve_blocks(firsts: Masks, budget: int, rows: NDArray[np.int64], with_ways: bool) -> int:
    """Decide blocks of codes; solve and play those that can be won.

    Args:
        firsts: the number of the first code of each block.
        budget: what a search for the fewest moves may take.
        rows: for each code that can be won: its number, moves, redeals, steps of the search, and the moves
            of each way of playing. Long enough for every code. Moves are 0 if the budget did not last.
        with_ways: whether the ways of playing are played.

    Returns:
        How many rows were written.
    """
    room, search, desk, player = new_shuffler(), new_search(), new_desk(), new_room()
    ranks, outside = np.zeros(SIZE + 1, np.int8), np.zeros(NUMBER_OF_RANKS, np.int8)
    tape, line = np.zeros(TAPE, np.int8), np.zeros(LONGEST, np.int64)
    number = 0
    for block in range(len(firsts)):
        deal_codes(room, firsts[block])
        for lane in range(LANES):
            deck = room.decks[lane]
            read_heart(deck, ranks, outside)
            lay_out(ranks, WHOLE, desk)
            if winning_plan(outside, WHOLE, desk, _BUDGET) != WON:
                continue
            read_tape(deck, tape)
            found = shortest_line(search, ranks, WHOLE, tape, TAPE, 1, budget, HOPELESS)
            row = rows[number]
            row[0], row[1], row[2], row[3] = firsts[block] + lane, 0, 0, found.steps
            if found.answer == WON:
                match(search.couples, ranks, WHOLE, tape, TAPE)
                start = Position(WHOLE, (1 << TAPE) - 1, 1, 0, found.options)
                row[1] = found.moves
                row[2] = write_eager(search.couples, start, line).redeals
            for way in range(len(WAYS) if with_ways else 0):
                row[4 + way] = play_way(way, player, ranks, WHOLE, tape, TAPE, 1, line)
            number += 1
    return number


def solved_codes(firsts: Masks, budget: int, *, with_ways: bool = True) -> SolvedCodes:
    """Solve and play the codes of some blocks that can be won (:func:`solve_blocks`)."""
    rows = np.zeros((len(firsts) * LANES, 4 + len(WAYS)), np.int64)
    rows = rows[: solve_blocks(firsts, budget, rows, with_ways)]
    return SolvedCodes(rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3], rows[:, 4:])


# ---------------------------------------------------------------- every code


@kernel
def count_codes(first: int, number: int, bits: NDArray[np.uint8]) -> tuple[int, int]:
    """Decide codes that follow one another.

    Args:
        first: the number of the first.
        number: how many.
        bits: a bit for each, the most significant of each byte first: set if the code can be won. All zero
            before.

    Returns:
        How many can be won, and how many are stuck before the first move.
    """
    room, desk = new_shuffler(), new_desk()
    ranks, outside = np.zeros(SIZE + 1, np.int8), np.zeros(NUMBER_OF_RANKS, np.int8)
    winnable = stuck = 0
    for start in range(0, number, LANES):
        deal_codes(room, first + start)
        for lane in range(min(LANES, number - start)):
            read_heart(room.decks[lane], ranks, outside)
            lay_out(ranks, WHOLE, desk)
            won = 1 if winning_plan(outside, WHOLE, desk, _BUDGET) == WON else 0
            winnable += won
            stuck += outside[ranks[TIP]] == 0
            bits[start + lane >> 3] |= won << 7 - (start + lane & 7)
    return winnable, stuck
