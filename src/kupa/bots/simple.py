"""A simple bot that keeps the rules: it plays low, and gets rid of what counts when it cannot follow."""

from __future__ import annotations

from random import Random
from typing import Final

from kupa.bots.ending import moon_choice
from kupa.cards import BY_TEXT, CardText
from kupa.game import Json
from kupa.hearts.rules import QUEEN, trick_winner
from kupa.hearts.view import View

_HIGH_SPADES: Final = {"KS", "AS"}


def choose(view: View, rng: Random) -> Json:  # noqa: ARG001 - every bot is asked in the same way
    """Return the command of the seat whose view this is.

    Args:
        view: of a seat that has a decision open.
        rng: the bot's own source of chance; this one leaves nothing to chance.
    """
    if view.phase == "pass":
        by_danger = sorted(view.hand, key=_danger, reverse=True)
        return {"type": "pass", "cards": by_danger[: view.rules.pass_count]}
    if view.phase == "moon":
        return {"type": "moon", "choice": moon_choice(view)}
    return {"type": "play", "card": _card(view)}


def _rank(text: CardText) -> int:
    return BY_TEXT[text] & 15


def _danger(text: CardText) -> tuple[int, int]:
    """Return how much one wants to be rid of a card: the queen, what may catch her, hearts, then by rank."""
    if BY_TEXT[text] == QUEEN:
        return (3, 0)
    if text in _HIGH_SPADES:
        return (2, _rank(text))
    return (1 if text[1] == "H" else 0, _rank(text))


def _card(view: View) -> CardText:
    """Lead the lowest card; follow with the highest that stays under, else the lowest; discard by danger."""
    if not view.trick:
        return min(view.legal, key=_rank)
    on_table = [BY_TEXT[played.card] for played in view.trick]
    suit = view.trick[0].card[1]
    if view.legal[0][1] != suit:
        return max(view.legal, key=_danger)
    place = trick_winner(on_table, view.rules.cancellation)
    best = on_table[place] & 15 if place >= 0 else -1
    under = [text for text in view.legal if _rank(text) < best]
    return max(under, key=_rank) if under else min(view.legal, key=_rank)
