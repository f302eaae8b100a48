"""The fixed players that bots are measured against. They never change: figures in documents rest on them."""

from __future__ import annotations

from random import Random

from kupa.cards import BY_TEXT, CardText
from kupa.game import Json
from kupa.hearts.rules import trick_winner
from kupa.hearts.view import View


class RandomPlayer:
    """Plays any legal card and passes any cards, each with the same chance."""

    def __init__(self, luck: str) -> None:
        self._rng = Random(luck)  # noqa: S311 - dice, not secrets

    def told(self, event: Json) -> None:
        """Remember nothing."""

    def choose(self, view: View) -> Json:
        """Return the command of the seat, which has a decision open."""
        if view.phase == "pass":
            return {"type": "pass", "cards": self._rng.sample(view.hand, view.rules.pass_count)}
        if view.phase == "moon":
            return {"type": "moon", "choice": self._rng.choice(("add", "subtract"))}
        return {"type": "play", "card": self._rng.choice(view.legal)}


def rank(card: CardText) -> int:
    """Return a card's rank, 0 for the two."""
    return BY_TEXT[card] & 15


def value(card: CardText) -> tuple[int, int]:
    """Return what the ducker wants to be rid of most: the queen of spades, then hearts, then high cards."""
    return (2 if card == "QS" else card[1] == "H", rank(card))


class Ducker:
    """Leads its lowest card; follows with the highest that stays under, else with its lowest; discards the
    queen of spades, else its highest heart, else its highest card. Passes the queen of spades and its highest
    cards, whatever their suit. Adds with a moon.
    """

    def __init__(self, luck: str) -> None:
        pass

    def told(self, event: Json) -> None:
        """Remember nothing."""

    def choose(self, view: View) -> Json:
        """Return the command of the seat, which has a decision open."""
        if view.phase == "pass":
            worst_first = sorted(view.hand, key=lambda card: (card == "QS", rank(card)), reverse=True)
            return {"type": "pass", "cards": worst_first[: view.rules.pass_count]}
        if view.phase == "moon":
            return {"type": "moon", "choice": "add"}
        return {"type": "play", "card": self._card(view)}

    def _card(self, view: View) -> CardText:
        if not view.trick:
            return min(view.legal, key=rank)
        trick = [BY_TEXT[played.card] for played in view.trick]
        if view.legal[0][1] != view.trick[0].card[1]:
            return max(view.legal, key=value)
        place = trick_winner(trick, view.rules.cancellation)
        best = trick[place] & 15 if place >= 0 else -1
        under = [card for card in view.legal if rank(card) < best]
        return max(under, key=rank) if under else min(view.legal, key=rank)
