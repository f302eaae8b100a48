"""The fewest moves in which a position can be won: depth first, eagerly, with a lower bound.

By the eager lemma (:mod:`couples`), a shortest line is eager play with some matching settled for each rank:
at most 3¹³ games. The search plays eagerly until a couple of a rank that is not settled comes within reach.
Then the line either plays it at once, which settles the rank, or never: a line that plays it later has its
matching settled too, and eager play with that matching plays it now. So there are two ways on: the couple
goes and its matching is settled, or its matching is left out. Both are played on to the next such couple,
bounded (:mod:`bound`), and searched, the one with the lower bound first; what cannot be shorter than the
shortest line so far is left out. Each way on has fewer options, so the search ends: with the fewest moves,
or, if the budget did not last, with the shortest line that it has seen.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kupa.lab.bound import HOPELESS, PASSES, lower_bound
from kupa.lab.compiling import kernel
from kupa.lab.couples import (
    MATCHINGS,
    Couples,
    Position,
    match,
    new_couples,
    play_couple,
    play_on,
)
from kupa.lab.heart import Masks, Ranks
from kupa.lab.winnable import NUMBER_OF_RANKS, UNFINISHED, WON
from kupa.sim.compiling import inlined

_LEVELS: Final = 2 * MATCHINGS * NUMBER_OF_RANKS + 2
"""More than the search can have waiting: each level leaves a matching out or settles a rank."""
_BOUND: Final = 5
_SQUARE: Final = 6
_MATCHING: Final = 7
_FIELDS: Final = 8


class Search(NamedTuple):
    """Where the search writes; made once by :func:`new_search`, used again and again."""

    couples: Couples
    waiting: NDArray[np.int64]
    """Positions to be searched yet, the next one last."""
    met_by: Masks
    """For the bound."""


class Shortest(NamedTuple):
    """What a search has found."""

    answer: int
    """WON if the line is as short as can be, UNFINISHED if the budget did not last."""
    moves: int
    """Of the shortest line seen; HOPELESS if none was."""
    options: int
    """The options whose eager play is that line."""
    steps: int
    """How many couples the search has decided about."""


@inlined
def new_search() -> Search:
    """Return room for one search at a time."""
    return Search(new_couples(), np.zeros((_LEVELS, _FIELDS), np.int64), np.zeros(PASSES, np.int64))


@inlined
def _put(search: Search, number: int, at: Position, bound: int, square: int, matching: int) -> None:
    """Put a position among the waiting ones."""
    row = search.waiting[number]
    row[0], row[1], row[2], row[3], row[4] = at.left, at.unused, at.mark, at.moves, at.options
    row[_BOUND], row[_SQUARE], row[_MATCHING] = bound, square, matching


@inlined
def _bounded(search: Search, at: Position, matching: int) -> int:
    """Return the bound of a position that eager play has led to."""
    if at.moves < 0:
        return HOPELESS
    return at.moves if matching < 0 else lower_bound(search.couples, at, search.met_by)


@kernel
def shortest_line(
    search: Search, ranks: Ranks, left: int, tape: Ranks, length: int, mark: int, budget: int, enough: int
) -> Shortest:
    """Search for a shortest line of a position that can be won.

    Args:
        search: room to write to.
        ranks: by position, the number of the rank of the card there.
        left: the mask of the squares that hold a card.
        tape: by place, the number of the rank of the card there.
        length: how many cards the tape has.
        mark: how many of them lie in the waste.
        budget: how many couples may be decided about.
        enough: lines of this many moves or more are not looked for; HOPELESS for all.
    """
    couples = search.couples
    options = match(couples, ranks, left, tape, length)
    best, best_options = enough, 0
    at, square, matching = play_on(couples, Position(left, (1 << length) - 1, mark, 0, options))
    _put(search, 0, at, _bounded(search, at, matching), square, matching)
    number, steps = 1, 0
    while number:
        number -= 1
        row = search.waiting[number]
        if row[_BOUND] >= best:
            continue
        at = Position(row[0], row[1], row[2], row[3], row[4])
        square, matching = row[_SQUARE], row[_MATCHING]
        if matching < 0:
            best, best_options = at.moves, at.options
            continue
        if steps == budget:
            return Shortest(UNFINISHED, best, best_options, steps)
        steps += 1
        bit = 1 << MATCHINGS * couples.rank_of[square] + matching
        other, other_square, other_matching = play_on(
            couples, Position(at.left, at.unused, at.mark, at.moves, at.options & ~bit)
        )
        other_bound = _bounded(search, other, other_matching)
        at, square, matching = play_on(couples, play_couple(couples, at, square, matching))
        bound = _bounded(search, at, matching)
        # The lower bound comes last, and so is searched first.
        if bound > other_bound:
            _put(search, number, at, bound, square, matching)
            number += 1
        if other_bound < best:
            _put(search, number, other, other_bound, other_square, other_matching)
            number += 1
        if bound <= other_bound:
            _put(search, number, at, bound, square, matching)
            number += 1
    return Shortest(WON, best, best_options, steps)


@kernel
def fewest(ranks: Ranks, left: int, tape: Ranks, length: int, mark: int, budget: int) -> Shortest:
    """Search one position (:func:`shortest_line`)."""
    return shortest_line(new_search(), ranks, left, tape, length, mark, budget, HOPELESS)
