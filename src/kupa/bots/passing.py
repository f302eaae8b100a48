"""What the club bot passes: the cards without which its hand is expected to cost least, or to make a moon."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Final

from kupa.bots.position import Position, lane
from kupa.bots.shooting import BRAVE, loser_weight, suit_losers
from kupa.bots.worth import scene_of, suit_worth
from kupa.cards import SPADES, Card
from kupa.hearts import rules

Plan = tuple[float, tuple[Card, ...]]
"""What the rest of a hand is expected to cost, and the cards that are passed from it."""
Judge = Callable[[Position, int, tuple[Card, ...]], float]
"""Says what a suit is expected to cost without some of its cards."""

HARM: Final = (0.8, 0.8, 0.6, 1.2)
"""By suit, how much an ace does more harm to those who get it than a card of the middle."""
HIGH_SPADE: Final = 1.5
MIDDLE: Final = 6


def passed(pos: Position) -> list[Card]:
    """Return the cards to pass, in deck order."""
    losers, cards = _cheapest(pos, _losers)
    if losers <= BRAVE * pos.knobs.hand_size:
        return cards
    return _cheapest(pos, _cost)[1]


def _cheapest(pos: Position, judge: Judge) -> tuple[float, list[Card]]:
    """Return the least cost, and the cards that are passed for it; each suit is judged on its own."""
    plans: list[Plan | None] = [(0.0, ()), *[None] * pos.knobs.pass_count]
    for suit in range(4):
        options = _options(pos, suit, judge)
        plans = [_best(plans, options, number) for number in range(len(plans))]
    plan = plans[-1]
    assert plan is not None, "a hand has as many cards as are passed from it"
    return plan[0], sorted(plan[1])


def _options(pos: Position, suit: int, judge: Judge) -> list[Plan | None]:
    """Return for each number of cards the best ones of a suit to pass."""
    cards = [card for card in pos.hand if card >> 4 == suit]
    return [
        min(
            ((judge(pos, suit, chosen), chosen) for chosen in combinations(cards, number)),
            default=None,
        )
        for number in range(pos.knobs.pass_count + 1)
    ]


def _best(plans: list[Plan | None], options: list[Plan | None], number: int) -> Plan | None:
    """Return the best way to pass so many cards, some of them from one more suit."""
    both = [
        (plan[0] + option[0], plan[1] + option[1])
        for here in range(number + 1)
        if (plan := plans[number - here]) is not None and (option := options[here]) is not None
    ]
    return min(both, default=None)


def _cost(pos: Position, suit: int, chosen: tuple[Card, ...]) -> float:
    scene = scene_of(pos)
    if suit == SPADES:
        scene = scene._replace(queens_out=scene.queens_out + chosen.count(rules.QUEEN))
    own, own2 = lane(pos.hand.without_all(chosen), suit)
    return suit_worth(suit, own, own2, *lane(pos.out, suit), scene) - sum(map(_harm, chosen))


def _harm(card: Card) -> float:
    """Return what it is worth that another gets a card, above what it is worth not to have it."""
    suit, rank = card >> 4, card & 15
    if card == rules.QUEEN:
        return 0.0
    weight = HIGH_SPADE if suit == SPADES and card > rules.QUEEN else HARM[suit]
    return weight * (rank - MIDDLE) / MIDDLE


def _losers(pos: Position, suit: int, chosen: tuple[Card, ...]) -> float:
    own, own2 = lane(pos.hand.without_all(chosen), suit)
    return loser_weight(suit) * suit_losers(own, own2, *lane(pos.out, suit), pos.book.opponents)
