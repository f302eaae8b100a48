"""Stopping somebody else's moon: how likely it comes, and what that adds to the cost of each card."""

from __future__ import annotations

from typing import Final, NamedTuple

from kupa.bots.position import NOBODY, Position, count
from kupa.cards import HEARTS, Card
from kupa.hearts import rules

LIKELY: Final = (
    (0.03, 0.05, 0.14, 0.3),
    (0.14, 0.14, 0.25, 0.5),
    (0.4, 0.35, 0.45, 0.65),
    (0.7, 0.75, 0.8, 0.9),
)
"""How likely a player with all points so far goes on to take the rest: by the quarter of the hearts that it
has, and by how often it led a high card (0 to 3). Counted in rounds among players that want tricks, duck or
play at random, the first kind being one in six."""
PRICE: Final = 0.65
"""What a moon of another costs, as a part of its points."""
FEED: Final = 0.3
"""What it costs to give such a player a penalty card, as a part of that."""
KEEP: Final = 0.5
"""What it costs to give up a card that could still stop it, as a part of that."""


class Threat(NamedTuple):
    """A moon that somebody else may be making."""

    seat: int
    loss: float
    """What it is expected to cost: how likely it comes, times what it costs then."""


def threat(pos: Position) -> Threat | None:
    """Return the moon to be feared; None where several have points, or nobody has."""
    takers = pos.memory.penalty_takers()
    if len(takers) != 1 or takers[0] == pos.seat:
        return None
    seat = takers[0]
    hearts = count(pos.memory.taken[seat], rules.HEARTS_MASK) / pos.knobs.decks
    quarter = 0 if hearts < 3 else 1 if hearts < 6 else 2 if hearts < 9 else 3
    bold = min(3, pos.memory.bold_leads.get(seat, 0))
    return Threat(seat, PRICE * LIKELY[quarter][bold] * pos.knobs.moon_points)


def guard_cost(pos: Position, feared: Threat, card: Card, chance: float, points: float) -> float:
    """Return what a threat adds to the cost of a card.

    Args:
        pos: the decision.
        feared: the threat.
        card: the card that may be played.
        chance: how likely it takes the trick.
        points: the points in the trick then, the card's own included.
    """
    cost = KEEP * feared.loss * (1 - chance) * stopping(pos, card)
    may_get_it = pos.holder in {feared.seat, NOBODY} or feared.seat in pos.later
    if points > 0 and may_get_it:
        cost -= chance * feared.loss * min(points, 1.0)
    if pos.holder == feared.seat and card >> 4 != pos.led and rules.PENALTIES >> card & 1:
        cost += FEED * feared.loss
    return cost


def stopping(pos: Position, card: Card) -> float:
    """Return how well a card may stop a moon later, 0 to 1: hearts, and others, that little can beat."""
    over = pos.over(card)
    return (1.0, 0.5, 0.2)[over] * (1.0 if card >> 4 == HEARTS else 0.4) if over < 3 else 0.0
