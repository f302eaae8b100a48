"""The beginner: keeps to a few plain rules, counts nothing, and slips now and then as people do."""

from __future__ import annotations

from random import Random
from typing import Final

from kupa.bots.ending import moon_choice
from kupa.bots.player import chance
from kupa.cards import BY_TEXT, HEARTS, SPADES, TEXT, Card, texts
from kupa.game import Json
from kupa.hearts.rules import NONE, PENALTIES, QUEEN, trick_winner
from kupa.hearts.view import View

SECOND_THOUGHT: Final = 0.4
"""How often it passes or discards the second card that comes to mind, not the first."""
HASTE: Final = 0.4
"""How often it leads a high card early, to be rid of it."""
HABIT: Final = 0.6
"""How often it leads from its shortest suit, whatever lies there; else it leads its lowest card."""
HOPE: Final = 0.6
"""How often it goes over a harmless trick and hopes that somebody after it goes higher."""
TIMID: Final = 0.6
"""How often it plays its lowest card although a higher one would be safe."""
EARLY: Final = 8
"""How many tricks it thinks of as the beginning of a round."""


def rank(card: Card) -> int:
    """Return a card's rank, 0 for the two."""
    return card & 15


class Beginner:
    """A player of the level ``beginner``.

    Args:
        luck: what its slips are drawn from.
    """

    def __init__(self, luck: str) -> None:
        self._luck = luck

    def told(self, event: Json) -> None:
        """Forget it at once."""

    def choose(self, view: View) -> Json:
        """Return the command of the seat, which has a decision open."""
        if view.phase == "moon":
            return {"type": "moon", "choice": moon_choice(view)}
        rng = chance(self._luck, view)
        if view.phase == "pass":
            return {"type": "pass", "cards": list(texts(_passed(view, rng)))}
        return {"type": "play", "card": TEXT[_card(view, rng)]}


def _worry(card: Card, view: View) -> tuple[int, int]:
    """Return how much a beginner wants to be rid of a card: the queen, what may catch her, high cards."""
    if card == QUEEN:
        return (3, 0)
    if TEXT[card] == view.rules.bonus_card:
        return (0, 0)
    if card >> 4 == SPADES and card > QUEEN:
        return (2, rank(card))
    return (1, rank(card) + (2 if card >> 4 == HEARTS else 0))


def _passed(view: View, rng: Random) -> list[Card]:
    """Return the cards that worry it most; now and then it keeps one of them and passes the next instead."""
    worst = sorted((BY_TEXT[text] for text in view.hand), key=lambda card: _worry(card, view), reverse=True)
    number = view.rules.pass_count
    cards, rest = worst[:number], worst[number:]
    if rest and rng.random() < SECOND_THOUGHT:
        cards[rng.randrange(number)] = rest[0]
    return cards


def _card(view: View, rng: Random) -> Card:
    legal = [BY_TEXT[text] for text in view.legal]
    if len(legal) == 1:
        return legal[0]
    if not view.trick:
        return _lead(view, legal, rng)
    trick = [BY_TEXT[played.card] for played in view.trick]
    if legal[0] >> 4 != trick[0] >> 4:
        return _discard(view, legal, rng)
    return _follow(view, trick, legal, rng)


def _lead(view: View, legal: list[Card], rng: Random) -> Card:
    """Lead low; early in a round perhaps high, from a suit that catches nothing."""
    harmless = [card for card in legal if card >> 4 not in {SPADES, HEARTS}]
    if harmless and len(view.tricks) < EARLY and rng.random() < HASTE:
        return max(harmless, key=rank)
    if rng.random() < HABIT:
        suits = [BY_TEXT[text] >> 4 for text in view.hand]
        return min(legal, key=lambda card: (card == QUEEN, suits.count(card >> 4), rank(card)))
    return min(legal, key=lambda card: (card == QUEEN, rank(card)))


def _discard(view: View, legal: list[Card], rng: Random) -> Card:
    """Give away what worries it most; the queen always, of other cards perhaps the second."""
    worst = sorted(legal, key=lambda card: (PENALTIES >> card & 1, _worry(card, view)), reverse=True)
    if worst[0] != QUEEN and rng.random() < SECOND_THOUGHT:
        return worst[1]
    return QUEEN if QUEEN in legal else worst[0]


def _follow(view: View, trick: list[Card], legal: list[Card], rng: Random) -> Card:
    """Stay under, as high as it can; where nothing lies that counts, it may be careless."""
    place = trick_winner(trick, view.rules.cancellation)
    best = NONE if place == NONE else trick[place]
    under = [card for card in legal if card < best]
    over = [card for card in legal if card > best and card != QUEEN]
    is_last = len(trick) == view.rules.players - 1
    is_harmless = not any(PENALTIES >> card & 1 for card in trick)
    catches = trick[0] >> 4 == SPADES and not is_last
    if QUEEN in under:
        return QUEEN
    if is_harmless and over and not catches and trick[0] >> 4 != HEARTS:
        if not under:
            return over[-1]
        if rng.random() < HOPE:
            return over[-1] if is_last else over[0]
    if under:
        return under[0] if rng.random() < TIMID else under[-1]
    return min(legal, key=lambda card: (card == QUEEN, rank(card)))
