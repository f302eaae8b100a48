"""What a play shows: the cards that its player cannot have held, or another would have been played.

A card is ruled out if the rules would have barred the played one from a hand of just these two. For these
rules that is all there is to know, as what bars a card is always a single other one. So voids, hearts led
before they are broken and penalty cards in the first trick all come from :mod:`kupa.hearts.rules` itself.
"""

from __future__ import annotations

from kupa.cards import PACK
from kupa.hearts import rules
from kupa.hearts.rules import Knobs
from kupa.sim.chance import Words
from kupa.sim.compiling import kernel, part


@part
def barred_with(knobs: Knobs, card: int, led: int, broken: int, first: int) -> int:
    """Return the cards that cannot have been in the hand that a card was played from, as a mask.

    Args:
        knobs: the rulebook.
        card: what was played.
        led: the suit led to the trick, -1 where this card leads.
        broken: whether hearts were broken.
        first: whether it was the first trick.
    """
    barred = 0
    for other in PACK:
        hand = 1 << card | 1 << other
        choices = rules.playable(hand, led, broken, first, knobs.opens_lowest_club, knobs.barred)
        if not choices >> card & 1:
            barred |= 1 << other
    return barred


@part
def clubs_below(card: int) -> int:
    """Return the clubs lower than the lowest that was dealt, which opened the round."""
    return rules.CLUBS_MASK & ((1 << card) - 1)


@part
def note_shown(knobs: Knobs, place: int, player: int, card: int, led: int, broken: int, out: Words) -> None:
    """Add what one play shows.

    Args:
        knobs: the rulebook.
        place: how many cards were played before it in the round.
        player: who played.
        card: what was played.
        led: the suit led to the trick, -1 where this card leads.
        broken: whether hearts were broken before.
        out: by seat, the mask of the cards that it certainly does not hold, added to in place.
    """
    out[player] |= barred_with(knobs, card, led, broken, place < knobs.players)
    if place == 0 and knobs.opens_lowest_club:
        for seat in range(knobs.players):
            out[seat] |= clubs_below(card)


@kernel
def shown_by(knobs: Knobs, players: Words, cards: Words, out: Words) -> None:
    """Add what the plays of a round show, from its first card on.

    Args:
        knobs: the rulebook.
        players: who played, shape (plays,).
        cards: what, shape (plays,).
        out: as in :func:`note_shown`.
    """
    broken, led = 0, rules.NONE
    for place in range(len(cards)):
        card = cards[place]
        if place % knobs.players == 0:
            led = rules.NONE
        note_shown(knobs, place, players[place], card, led, broken, out)
        if led == rules.NONE:
            led = card >> 4
        broken |= rules.breaks_hearts(card, knobs.queen_breaks)
