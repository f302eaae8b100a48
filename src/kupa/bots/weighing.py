"""How the club bot chooses a card while it is not out for the moon: it weighs what each would cost.

A card's cost is what the trick is expected to bring (how likely the card takes it, times what lies in it
then), and how much more the rest of the hand is expected to cost later (:mod:`kupa.bots.worth`). On top come
the moon of another (:mod:`kupa.bots.guarding`) and the end of the match (:mod:`kupa.bots.ending`).
"""

from __future__ import annotations

from typing import Final

from kupa.bots.ending import gift_cost
from kupa.bots.forecast import Forecast
from kupa.bots.guarding import guard_cost, threat
from kupa.bots.position import Position
from kupa.bots.worth import hand_worth, lead_worth, scene_of, worth_without
from kupa.cards import SPADES, Card
from kupa.hearts import rules

POOL: Final = 0.15
"""What it is worth that a point has fallen on somebody else and cannot fall on oneself any more."""
HUNT: Final = 1.2
"""What it is worth to lead a spade under the queen while somebody else holds her."""


SHED: Final = 0.03
"""What each step in rank is worth among cards that would do the same when played to a trick."""


def costs(pos: Position) -> dict[Card, float]:
    """Return what each card that may be played is expected to cost, in points."""
    scene = scene_of(pos)
    before, leading, feared = hand_worth(pos, scene), lead_worth(pos, scene), threat(pos)
    forecasts: dict[int, Forecast] = {}
    found = {}
    for card in pos.legal:
        suit = pos.led if pos.trick else card >> 4
        if suit not in forecasts:
            forecasts[suit] = Forecast(pos, suit)
        chance, points = forecasts[suit].taking(card)
        points += pos.book.value[card] - rules.BONUS_VALUE * (card == pos.knobs.bonus)
        cost = chance * (points + leading) - (1 - chance) * POOL * max(points, 0.0)
        cost += worth_without(pos, card, scene) - before[card >> 4]
        if not pos.trick and card >> 4 == SPADES and pos.queens_out and card < rules.QUEEN:
            cost -= HUNT * scene.queen * (1 - chance)
        if feared is not None:
            cost += guard_cost(pos, feared, card, chance, points)
        if pos.trick and not pos.later and not chance:
            cost += gift_cost(pos, pos.book.value[card])
        found[card] = cost - (SHED * (card & 15) if pos.trick else 0.0)
    return found


def cheapest(pos: Position) -> Card:
    """Return the card that is expected to cost least, the lowest in deck order among equals."""
    found = costs(pos)
    return min(found, key=found.__getitem__)
