"""What a seed deals: a pure function of a rulebook, a text and the number of a round."""

from __future__ import annotations

from kupa.cards import CardText, texts
from kupa.hearts.rulebook import Rulebook
from kupa.shuffle import shuffled

Hands = tuple[tuple[CardText, ...], ...]


def dealt_by(rulebook: Rulebook, seed: str, round_number: int) -> tuple[Hands, tuple[CardText, ...]]:
    """Return the hands of a round, one a seat, and the kitty, all in deck order.

    The deck is shuffled by the text of the seed, ``/`` and the round's number; cards go round one at a time,
    seat 0 first, and what the even deal leaves over is the kitty.

    Args:
        rulebook: it tells deck, seats and size of a hand.
        seed: any valid Unicode.
        round_number: counted from 0.
    """
    cards = shuffled(rulebook.deck, f"{seed}/{round_number}")
    players = rulebook.players
    dealt = rulebook.hand_size * players
    hands = tuple(texts(sorted(cards[seat:dealt:players])) for seat in range(players))
    return hands, texts(sorted(cards[dealt:]))
