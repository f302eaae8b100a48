"""How many moves a position needs at least: a relaxed game in which every partner serves everybody.

The relaxed game goes through the same *stops* as eager play (:mod:`couples`): redeals, and marks between
them. It is easier in three ways:

- A card of the heart leaves when it is free and *any* partner that its rank's options allow has been met. A
  partner in the heart has been met once it has been free; a place of the tape, once it was on top while any
  partner of it had been free.
- A place that has been met becomes transparent, as if it were used: places under it come to the top. Yet it
  stays, and serves others.
- So more than one card may be served by the same partner.

By induction over the stops, at every stop of a real game all that has left the heart there has left it in the
relaxed game, and all places used there are transparent. Hence:

- A real game has at least as many redeals; with as many, it ends at the same mark or behind it. Moreover it
  ends only when some matching of each rank has all its couples met, so the relaxed game goes on until then.
- In each pass, a real game draws every place up to its last mark, but for those used in earlier passes. A
  rank uses at most the places of one matching, each of them from the stop on at which it was met.

So let the relaxed game take ``k`` passes. Draws and redeals cost what they cost if nothing was ever used,
and for each rank the matching is taken that comes cheapest: one move a couple, less one for each pass that a
place of it, met in an earlier pass, shortens. The sum is a lower bound, since the real game has one matching
a rank. A game that takes more passes than the relaxed one costs no less: its first ``k`` passes alone cost as
much.
"""

from __future__ import annotations

from typing import Final

from kupa.lab.couples import MATCHINGS, Couples, Position, matchings_of
from kupa.lab.heart import Masks, free_cards
from kupa.lab.winnable import NUMBER_OF_RANKS
from kupa.sim.bits import count_bits, highest_card, lowest_card
from kupa.sim.compiling import inlined, part

PASSES: Final = 64
"""More passes than a relaxed game has: each but the first meets a place (of 27) or frees a card (of 25)."""
HOPELESS: Final = 1 << 20
"""The bound of a position that cannot be won with its options."""


@inlined
def _top_and_transparent(unused: int, met: int, mark: int) -> int:
    """Return the mask of the places within reach: the last one that is not transparent, and all after it."""
    waste = unused & (1 << mark) - 1
    solid = waste & ~met
    return waste & ~((1 << highest_card(solid)) - 1) if solid else waste


@inlined
def _wanted_by(couples: Couples, options: int, cards: int) -> int:
    """Return the mask of the places that may go with one of some cards."""
    wanted = 0
    while cards:
        square = lowest_card(cards)
        cards &= cards - 1
        matchings = matchings_of(options, couples.rank_of[square])
        for matching in range(MATCHINGS):
            wanted |= couples.on_tape[square, matching] & -(matchings >> matching & 1)
    return wanted


@inlined
def _leaving(couples: Couples, options: int, cards: int, been_free: int, met: int) -> int:
    """Return the mask of those of some cards that leave: a partner has been met."""
    gone = 0
    rest = cards
    while rest:
        square = lowest_card(rest)
        rest &= rest - 1
        matchings = matchings_of(options, couples.rank_of[square])
        served = 0
        for matching in range(MATCHINGS):
            served |= (
                couples.in_heart[square, matching] & been_free | couples.on_tape[square, matching] & met
            ) & -(matchings >> matching & 1)
        gone |= 1 << square if served else 0
    return gone


@inlined
def _all_served(couples: Couples, at: Position, met: int) -> bool:
    """Tell whether every rank that has cards left has a matching whose places have all been met."""
    for rank in range(NUMBER_OF_RANKS):
        if couples.of_rank[rank] & at.left:
            matchings = matchings_of(at.options, rank)
            served = False
            for matching in range(MATCHINGS):
                missing = couples.tape_of[rank, matching] & at.unused & ~met
                served |= matchings >> matching & 1 != 0 and missing == 0
            if not served:
                return False
    return True


@inlined
def _cheapest(couples: Couples, at: Position, met_by: Masks, passes: int, mark: int) -> int:
    """Return the moves of all couples, less the draws that their places save; the cheapest of each rank.

    Args:
        couples: those of the position.
        at: the position.
        met_by: by pass, the mask of the places met by its end.
        passes: how many passes there are after the current one.
        mark: where the last pass ends.
    """
    total = 0
    for rank in range(NUMBER_OF_RANKS):
        left = count_bits(couples.of_rank[rank] & at.left)
        matchings = matchings_of(at.options, rank)
        if left:
            least = HOPELESS
            for matching in range(MATCHINGS):
                places = couples.tape_of[rank, matching] & at.unused
                moves = (left + count_bits(places)) >> 1
                for done in range(passes):
                    drawn_again = places & met_by[done]
                    if done == passes - 1:
                        drawn_again &= (1 << mark) - 1
                    moves -= count_bits(drawn_again)
                if matchings >> matching & 1:
                    least = min(least, moves)
            total += least
    return total


@part
def lower_bound(couples: Couples, at: Position, met_by: Masks) -> int:
    """Return a number of moves that no win from a position stays below, those made already included.

    Args:
        couples: those of the position.
        at: the position.
        met_by: is written to; of length PASSES.

    Returns:
        HOPELESS if the options allow no win.
    """
    left = at.left
    mark = at.mark
    met = passes = 0
    been_free = newly_free = free_cards(left)
    wanted = 0
    progress = True
    while True:
        wanted |= _wanted_by(couples, at.options, newly_free)
        found = wanted & _top_and_transparent(at.unused, met, mark) & ~met
        met |= found
        gone = _leaving(couples, at.options, left & been_free, been_free, met) if found | newly_free else 0
        left ^= gone
        newly_free = free_cards(left) & ~been_free
        been_free |= newly_free
        if newly_free | found:
            progress = True
            continue
        if left == 0 and _all_served(couples, at, met):
            break
        ahead = wanted & at.unused & ~met & ~((1 << mark) - 1)
        if ahead:
            mark = lowest_card(ahead) + 1
            continue
        if not progress or passes == PASSES - 1:
            return HOPELESS
        met_by[passes] = met
        passes += 1
        mark = 0
        progress = False
    behind = at.unused & ~((1 << at.mark) - 1)
    last = (1 << mark) - 1
    if passes == 0:
        return at.moves + count_bits(behind & last) + _cheapest(couples, at, met_by, 0, mark)
    drawn = count_bits(behind) + (passes - 1) * count_bits(at.unused) + count_bits(at.unused & last)
    return at.moves + drawn + passes + _cheapest(couples, at, met_by, passes, mark)
