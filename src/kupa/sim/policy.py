"""Players inside kernels: one that plays at random, and one by rules of thumb with a little noise.

The second is the policy that prototypes found to be worth most in simulations: sound, cheap, and never quite
the same. It knows what its seat knows, and nothing of bonus cards or of shooting the moon itself.
"""

from __future__ import annotations

from typing import Final

from kupa.hearts import rules
from kupa.hearts.rules import Knobs
from kupa.sim.bits import bit_at, count_bits, highest_card, lowest_card
from kupa.sim.chance import Words, below
from kupa.sim.compiling import inlined, part
from kupa.sim.round_row import (
    BEST,
    BLOCKS,
    LYING,
    MOON_ADDS,
    PASSING,
    PHASE,
    PLAYING,
    STREAM,
    TABLE,
    TRICK,
    TURN,
    unseen,
)

AT_RANDOM: Final = 0
BY_RULE: Final = 1
POLICIES: Final = (AT_RANDOM, BY_RULE)
"""The policies, by number."""

KING_AND_ACE: Final = rules.QUEEN_MASK << 1 | rules.QUEEN_MASK << 2
"""The two spades that the queen falls to."""
_SPADES: Final = 2
_HEARTS: Final = 3
_NEVER: Final = 100
"""What is taken off the score of a lead that is made only when there is no other."""
_AVOID: Final = 30


@inlined
def choose(row: Words, knobs: Knobs, choices: int, policy: int) -> int:
    """Return the action that a policy chooses.

    Args:
        row: the round.
        knobs: the rulebook.
        choices: its legal actions, as a mask.
        policy: AT_RANDOM or BY_RULE.
    """
    if policy == AT_RANDOM or choices & (choices - 1) == 0:
        return lowest_card(bit_at(choices, below(row, STREAM, count_bits(choices))))
    return choose_by_rule(row, knobs, choices)


@part
def choose_by_rule(row: Words, knobs: Knobs, choices: int) -> int:
    """Return the action that the rules of thumb choose, of several."""
    if row[PHASE] == PLAYING:
        outside = unseen(row, knobs, row[TURN])
        if row[LYING] == 0:
            return lead_by_rule(row, choices, outside)
        if choices & rules.CLUBS_MASK << 16 * (row[BLOCKS + TRICK * knobs.players] >> 4):
            return follow_by_rule(row, choices, outside, knobs.players - 1 - row[LYING])
        return discard_by_rule(row, choices, outside)
    if row[PHASE] == PASSING:
        return pass_by_rule(choices)
    return MOON_ADDS


@inlined
def noise(row: Words) -> int:
    """Draw a whole number between -4 and 4, those near 0 more often: a standard deviation of 2."""
    return below(row, STREAM, 5) + below(row, STREAM, 5) - 4


@part
def lead_by_rule(row: Words, choices: int, outside: int) -> int:
    """Return a lead: a low card of a suit in which the others hold more above it than below.

    Args:
        row: the round; its chance is used.
        choices: mask of the legal cards.
        outside: mask of the cards that the seat does not see.
    """
    best_card, best_score = -1, -1000
    queen_is_out = outside & rules.QUEEN_MASK != 0
    for suit in range(4):
        lane = rules.CLUBS_MASK << 16 * suit
        if not choices & lane:
            continue
        card = lowest_card(choices & lane)
        lower = count_bits(outside & lane & ((1 << card) - 1))
        higher = count_bits(outside & lane) - lower
        value = higher - lower + noise(row)
        if higher + lower == 0:
            value -= _NEVER
        elif higher == 0:
            value -= _AVOID
        if suit == _HEARTS:
            value -= 1
        elif suit == _SPADES:
            value += spade_lead(choices, card, queen_is_out)
        if value > best_score:
            best_card, best_score = card, value
    return best_card


@part
def spade_lead(choices: int, card: int, queen_is_out: bool) -> int:
    """Return what the queen of spades makes of leading a spade.

    Args:
        choices: mask of the legal cards.
        card: the spade.
        queen_is_out: whether another seat may hold her.
    """
    if card == rules.QUEEN:
        return -_AVOID * 2
    if not queen_is_out:
        return 0
    if card > rules.QUEEN:
        return -_NEVER // 2
    # Whoever holds nothing that she falls to draws her out.
    return 0 if choices & KING_AND_ACE else 6


@part
def follow_by_rule(row: Words, choices: int, outside: int, after: int) -> int:
    """Return a card of the suit led: the highest that stays under, or a wise way to take the trick.

    Args:
        row: the round.
        choices: mask of the legal cards, all of the suit led.
        outside: mask of the cards that the seat does not see.
        after: how many seats play after this one.
    """
    best = row[BEST]
    if choices & rules.QUEEN_MASK and best > rules.QUEEN:
        return rules.QUEEN
    kept = rules.QUEEN_MASK
    if after and outside & rules.QUEEN_MASK:
        kept |= KING_AND_ACE
    if choices & ~kept:
        choices &= ~kept
    costs = row[TABLE] & rules.PENALTIES != 0
    if after == 0 and not costs:
        return highest_card(choices)
    under = choices & ((1 << best) - 1)
    if under:
        return highest_card(under)
    if after == 0:
        return highest_card(choices)
    # While a suit is fresh, everybody follows and a high card gets away.
    fresh = count_bits(outside & rules.CLUBS_MASK << 16 * (best >> 4)) >= 2 * after + 2
    return highest_card(choices) if fresh and not costs and best >> 4 != _HEARTS else lowest_card(choices)


@part
def discard_by_rule(row: Words, choices: int, outside: int) -> int:
    """Return a discard: the queen of spades, what she falls to, or the top of a dangerous and short suit."""
    if choices & rules.QUEEN_MASK:
        return rules.QUEEN
    spades = choices & rules.CLUBS_MASK << 16 * _SPADES
    if outside & rules.QUEEN_MASK and choices & KING_AND_ACE and count_bits(spades) <= 4:
        return highest_card(spades)
    best_card, best_score = -1, -1000
    for suit in range(4):
        lane = rules.CLUBS_MASK << 16 * suit
        if not choices & lane:
            continue
        card = highest_card(choices & lane)
        lower = count_bits(outside & lane & ((1 << card) - 1))
        value = 2 * lower - 2 * count_bits(choices & lane) + below(row, STREAM, 3)
        if suit == _HEARTS:
            value += 5
        if value > best_score:
            best_card, best_score = card, value
    return best_card


@part
def pass_by_rule(hand: int) -> int:
    """Return the card of a hand that is best passed: a dangerous spade, else a high card of a short suit."""
    spades = hand & rules.CLUBS_MASK << 16 * _SPADES
    guards = count_bits(spades & (rules.QUEEN_MASK - 1))
    best_card, best_score = -1, -1000
    left = hand
    while left:
        card = lowest_card(left)
        left &= left - 1
        suit = card >> 4
        value = 2 * (card & 15) - 2 * count_bits(hand & rules.CLUBS_MASK << 16 * suit)
        if suit == _SPADES:
            value = -10
            if card >= rules.QUEEN and guards < 4:
                value = 40 if card == rules.QUEEN else 30
        elif suit == _HEARTS:
            value += 2
        if value > best_score:
            best_card, best_score = card, value
    return best_card
