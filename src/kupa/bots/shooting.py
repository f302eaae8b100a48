"""Trying for the moon: whether a hand can take every penalty card, and how it is played then."""

from __future__ import annotations

from math import exp
from typing import Final

from kupa.bots.forecast import Forecast
from kupa.bots.position import Position, lane
from kupa.cards import HEARTS, LANE, Card
from kupa.hearts import rules

SURVIVES: Final = 0.45
"""How likely a card that is out is still out after a trick of its suit that was taken over its head."""
CONSTANT: Final = 1.2
LOSER: Final = 0.3
HEART_LOSER: Final = 1.3
LEADING: Final = 0.3
SHARE: Final = 1.5
"""How the chance of a moon follows from the cards that may lose tricks and the points that are still out;
fitted to attempts of every kind of hand, among players that guard, duck or play at random."""
SURE: Final = 0.98
"""The chance of a player who leads and holds no card that can lose."""
STAKE: Final = 0.65
"""What a failed attempt costs, as a part of the points that it does not have yet."""
BRAVE: Final = 0.06
"""The most that the losers of a hand may weigh after a pass for the moon, for each card of the hand."""


def loser_weight(suit: int) -> float:
    """Return how much a loser of a suit weighs: a heart that loses is a moon that is lost."""
    return HEART_LOSER if suit == HEARTS else LOSER


def suit_losers(own: int, own2: int, out: int, out2: int, opponents: int) -> float:
    """Return how many cards of a suit are expected to lose a trick when the suit is run from the top.

    Args:
        own: the ranks held, as a mask of thirteen bits.
        own2: the ranks held twice.
        out: the ranks that others hold.
        out2: the ranks of which others hold two.
        opponents: how many.
    """
    total, tricks = 0.0, 0.0
    number = out.bit_count() + out2.bit_count()
    rest = own
    while rest:
        bit = 1 << (rest.bit_length() - 1)
        rest ^= bit
        above = LANE & -(bit << 1)
        over = (out & above).bit_count() + (out2 & above).bit_count()
        for _ in range(2 if own2 & bit else 1):
            is_beaten = over and number > 0.8 * opponents * tricks
            loses = 1 - (1 - SURVIVES**tricks) ** over if is_beaten else 0.0
            total += loses
            tricks += 1 - 0.5 * loses
    return total


def moon_chance(pos: Position) -> float:
    """Return how likely a hand takes every penalty card if it goes for them from now on."""
    can_lose = bool(pos.trick)
    score = CONSTANT + LEADING * (not pos.trick) - SHARE * pos.points_out / max(pos.book.round_points, 1)
    for suit in range(4):
        losers = suit_losers(*lane(pos.hand, suit), *lane(pos.out, suit), pos.book.opponents)
        score -= loser_weight(suit) * losers
        can_lose = can_lose or losers > 0
    if not can_lose:
        return SURE
    return 1 / (1 + exp(-score))


def is_possible(pos: Position) -> bool:
    """Tell whether nobody else has a penalty card, nor gets one with the trick as it lies."""
    if any(seat != pos.seat for seat in pos.memory.penalty_takers()):
        return False
    if pos.hidden_kitty and not pos.is_first:
        return False
    if not pos.trick or not pos.lying:
        return True
    return any(card >> 4 == pos.led and card > pos.best for card in pos.legal)


def is_worth_trying(pos: Position) -> bool:
    """Tell whether to go for the moon: whether it is likely enough for what a failure costs."""
    if not is_possible(pos):
        return False
    stake = STAKE * (pos.book.round_points - pos.taken_points(pos.seat))
    return moon_chance(pos) * (stake + pos.knobs.moon_points) > stake


def shooting_card(pos: Position) -> Card:
    """Return the card to play on the way to the moon."""
    if not pos.trick:
        return max(pos.legal, key=lambda card: _lead(pos, card))
    if pos.legal[0] >> 4 != pos.led:
        return max(pos.legal, key=lambda card: (not _counts(card), pos.over(card), -(card & 15)))
    winning = [card for card in pos.legal if card > pos.best]
    if not winning:
        return min(pos.legal, key=lambda card: (_counts(card), card))
    if not pos.later:
        return winning[0]
    forecast = Forecast(pos, pos.led)
    chances = {card: forecast.taking(card)[0] for card in winning}
    surest = max(winning, key=lambda card: (round(chances[card], 2), -card))
    return surest if pos.lying or chances[surest] > 0.6 else pos.legal[0]


def _counts(card: Card) -> bool:
    return bool(rules.PENALTIES >> card & 1)


def _lead(pos: Position, card: Card) -> float:
    """Return how good a lead is: sure tricks first, those of long suits before others; hearts last."""
    suit = card >> 4
    over = pos.over(card)
    if over == 0:
        length = sum(map(int.bit_count, lane(pos.hand, suit)))
        draws = 3 if pos.out.held >> 16 * suit & LANE else 0
        return 100 + length + draws + (card & 15) / 100
    if suit == HEARTS:
        return 10 - over
    return 50 - 5 * over - (5 if card == rules.QUEEN else 0)
