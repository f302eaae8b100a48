"""The rules of Hearts as pure functions on integers, written once.

The readable engine calls these functions; compiled kernels may compile the same functions as they stand, so
they use nothing but integers, booleans, tuples and loops. Cards and masks are as in :mod:`kupa.cards`; what a
rulebook chooses reaches them as a :class:`Knobs`. ``held`` and ``twice`` are the two masks of a
:class:`kupa.cards.CardSet`. "No seat", "no suit" and "no card" are -1.

Sources: "cardems" is Cardems' page on Hearts, "guide" the guide that knows Klasik and Özel, "parlour" the
description for three to seven players. ``docs/rules.md`` tells the rules for people, and where a source is
silent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

NONE: Final = -1

HEARTS_MASK: Final = 0x1FFF << 48
"""All hearts of one pack."""
CLUBS_MASK: Final = 0x1FFF
"""All clubs of one pack."""
QUEEN: Final = 2 * 16 + 10
"""The queen of spades, as a card."""
QUEEN_MASK: Final = 1 << QUEEN
PENALTIES: Final = HEARTS_MASK | QUEEN_MASK
"""The penalty cards of one pack: every heart, and the queen of spades."""
BONUS_VALUE: Final = 10
"""What the bonus card takes off its taker's points."""

ADD: Final = 0
SUBTRACT: Final = 1
CHOICE: Final = 2
"""What a moon does: see :func:`points_written`."""

HOLD: Final = 0
LEFT: Final = 1
RIGHT: Final = 2
ACROSS: Final = 3
DIRECTIONS: Final = {"hold": HOLD, "left": LEFT, "right": RIGHT, "across": ACROSS}
"""The directions of a pass, by the names that a rulebook has for them."""

GOES_ON: Final = 0
IS_OVER: Final = 1
TIED: Final = 2
PERFECT_ROUND: Final = 3
"""The answers of :func:`verdict`."""


class Knobs(NamedTuple):
    """A rulebook as integers: everything that the rules ask of it."""

    players: int
    decks: int
    hand_size: int
    kitty_size: int
    pass_count: int
    opens_lowest_club: int
    """1: the holder of the lowest club leads it; 0: the seat left of the dealer leads."""
    barred: int
    """Mask of the cards barred on the first trick."""
    queen_breaks: int
    """1: the queen of spades breaks hearts too."""
    heart_points: int
    queen_points: int
    bonus: int
    """The bonus card, or -1."""
    moon: int
    """ADD, SUBTRACT or CHOICE."""
    moon_points: int
    moon_needs_bonus: int
    cancels: int
    """1: equal cards of a trick cancel each other."""
    target: int
    plays_on: int
    """1: a shared lowest total means another round; 0: it shares the win."""
    perfect_round: int


# ---------------------------------------------------------------- seats


def left_of(seat: int, players: int) -> int:
    """Return the seat to the left, which is the next one clockwise."""
    return seat + 1 if seat + 1 < players else 0


def dealer_of(round_number: int, players: int) -> int:
    """Return the dealer of a round: seat players-1 in round 0, then one seat further left each round."""
    return (players - 1 + round_number) % players


def pass_target(seat: int, direction: int, players: int) -> int:
    """Return the seat that gets a seat's pass; with HOLD its own."""
    if direction == LEFT:
        return (seat + 1) % players
    if direction == RIGHT:
        return (seat + players - 1) % players
    if direction == ACROSS:
        return (seat + players // 2) % players
    return seat


# ---------------------------------------------------------------- what counts


def nothing_counts(cards: int, bonus: int) -> bool:
    """Tell whether no card of a mask counts: none is a penalty card, and none the bonus card.

    Args:
        cards: a mask.
        bonus: the bonus card, or -1.
    """
    if bonus != NONE and cards >> bonus & 1:
        return False
    return not cards & PENALTIES


# ---------------------------------------------------------------- what may be played


def lowest_of(mask: int) -> int:
    """Return the mask of the lowest card of a mask, 0 for none."""
    return mask & -mask


def lead_choices(hand: int, broken: int, first: int, barred: int) -> int:
    """Return the cards that may be led, as a mask, when no opening card is prescribed.

    Args:
        hand: mask of the hand.
        broken: whether hearts are broken.
        first: whether this is the first trick of the round.
        barred: the cards barred on the first trick.
    """
    choices = hand
    # cardems: hearts are not led before they are broken, save from a hand of hearts alone. A hand of hearts
    # and the queen of spades is not of hearts alone, so it leads the queen.
    if not broken:
        others = hand & ~HEARTS_MASK
        if others:
            choices = others
    # The bar of the first trick comes last; where it leaves nothing, any card of the hand goes.
    if first:
        allowed = choices & ~barred
        return allowed or hand
    return choices


def follow_choices(hand: int, led: int, first: int, barred: int) -> int:
    """Return the cards that may be played to a trick in which suit ``led`` was led, as a mask.

    Args:
        hand: mask of the hand.
        led: the suit led, 0 to 3.
        first: whether this is the first trick of the round.
        barred: the cards barred on the first trick.
    """
    suited = hand & (CLUBS_MASK << (16 * led))
    if suited:
        return suited
    # cardems: penalty cards are barred from the first trick while the hand has another card.
    if first:
        allowed = hand & ~barred
        if allowed:
            return allowed
    return hand


def playable(hand: int, led: int, broken: int, first: int, opens_lowest_club: int, barred: int) -> int:
    """Return the cards of a hand that may be played, as a mask.

    Args:
        hand: mask of the hand.
        led: the suit led, 0 to 3; -1 where the hand leads.
        broken: whether hearts are broken.
        first: whether this is the first trick of the round.
        opens_lowest_club: whether the holder of the lowest club opens the round with it.
        barred: the cards barred on the first trick.
    """
    if led != NONE:
        return follow_choices(hand, led, first, barred)
    if first and opens_lowest_club:
        return lowest_of(hand & CLUBS_MASK)
    return lead_choices(hand, broken, first, barred)


def breaks_hearts(card: int, queen_breaks: int) -> bool:
    """Tell whether playing a card breaks hearts (parlour: the queen of spades does so too)."""
    return card >> 4 == 3 or (queen_breaks != 0 and card == QUEEN)


# ---------------------------------------------------------------- who takes the trick


def beats(card: int, best: int) -> bool:
    """Tell whether a card takes a trick from the best card of the suit led so far, equal cards aside.

    The first of two equal cards stays the better one; whether they cancel is :func:`trick_winner`'s to say.
    """
    return card >> 4 == best >> 4 and card > best


def trick_winner(cards: Sequence[int], cancels: int) -> int:
    """Return which card takes a trick, as a place in ``cards``; -1 when the whole suit led has cancelled.

    The highest card of the suit led takes the trick, the first played of two equal ones. Where equal cards
    cancel, neither of two equal cards can win.

    Args:
        cards: the cards in the order played, the lead first.
        cancels: whether equal cards cancel.
    """
    led = cards[0] >> 4
    best = NONE
    for place in range(len(cards)):
        card = cards[place]
        if card >> 4 != led or (best != NONE and not beats(card, cards[best])):
            continue
        if not (cancels and is_cancelled(cards, place)):
            best = place
    return best


def is_cancelled(cards: Sequence[int], place: int) -> bool:
    """Tell whether the card at a place has its equal in the same trick."""
    for other in range(len(cards)):  # noqa: SIM110 - kernels compile loops, not generators
        if other != place and cards[other] == cards[place]:
            return True
    return False


# ---------------------------------------------------------------- points


def card_points(card: int, heart_points: int, queen_points: int) -> int:
    """Return the penalty value of a card."""
    if card >> 4 == 3:
        return heart_points
    return queen_points if card == QUEEN else 0


def penalty_of(cards: Sequence[int], heart_points: int, queen_points: int) -> int:
    """Return the penalty value of some cards together."""
    total = 0
    for card in cards:
        total += card_points(card, heart_points, queen_points)
    return total


def took_every_penalty(held: int, twice: int, decks: int) -> bool:
    """Tell whether the cards taken hold every penalty card of the round, whatever they count.

    The moon is decided by the set of cards, never by a sum.
    """
    mask = twice if decks == 2 else held
    return mask & PENALTIES == PENALTIES


def copies(held: int, twice: int, card: int) -> int:
    """Return how many copies of a card are in a set; 0 for card -1."""
    if card == NONE:
        return 0
    return (held >> card & 1) + (twice >> card & 1)


def shot_the_moon(held: int, twice: int, decks: int, bonus: int, needs_bonus: int) -> bool:
    """Tell whether the cards that one player took in a round make a moon."""
    if not took_every_penalty(held, twice, decks):
        return False
    return not needs_bonus or copies(held, twice, bonus) == decks


def points_written(
    seat: int, raw: int, bonus_copies: int, shooter: int, subtracts: int, moon_points: int
) -> int:
    """Return what is written down for a seat after a round.

    Args:
        seat: whose points.
        raw: the penalty values of the cards that it took.
        bonus_copies: how many bonus cards it took; they count besides the moon.
        shooter: the seat that shot the moon, or -1.
        subtracts: whether the moon takes points off the shooter, rather than adding them to all others.
        moon_points: how many.
    """
    points = raw
    if shooter != NONE:
        if subtracts:
            points = -moon_points if seat == shooter else 0
        else:
            points = 0 if seat == shooter else moon_points
    return points - BONUS_VALUE * bonus_copies


# ---------------------------------------------------------------- the end of the match


def verdict(
    totals: Sequence[int], points: Sequence[int], target: int, plays_on: int, perfect_round: int
) -> int:
    """Tell whether the match is over after a round: GOES_ON, IS_OVER, TIED or PERFECT_ROUND.

    TIED and PERFECT_ROUND mean another round although the target is reached (guide, on Özel; the first also
    cardems). A round is perfect for a player when 0 or less was written down; it is asked for only where one
    player leads, so a table that shares ties ends with them.

    Args:
        totals: every seat's total, this round's points included.
        points: what was written down for this round.
        target: the total that ends the match, ``>=``.
        plays_on: whether a shared lowest total means another round.
        perfect_round: whether the extra-round rule holds.
    """
    if max(totals) < target:
        return GOES_ON
    lowest = min(totals)
    leaders = 0
    leader_perfect = other_perfect = False
    for seat in range(len(totals)):
        leads = totals[seat] == lowest
        leaders += leads
        if points[seat] <= 0:
            leader_perfect = leader_perfect or leads
            other_perfect = other_perfect or not leads
    if plays_on and leaders > 1:
        return TIED
    if perfect_round and leaders == 1 and other_perfect and not leader_perfect:
        return PERFECT_ROUND
    return IS_OVER
