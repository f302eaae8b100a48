"""When a moon is stopped.

A seat *is on the way to the moon* when it alone has taken every penalty card that has been taken so far in
the round, and these are at least half of the penalty cards of the deck (seven of one pack's fourteen). The
seat that takes the next penalty card then *stops* it. So there is at most one stop in a round; whether
somebody meant to shoot, or meant to stop it, nobody can see.
"""

from __future__ import annotations

from kupa.cards import CardSet
from kupa.hearts.rules import PENALTIES
from kupa.hearts.state import State


def penalty_cards(cards: CardSet) -> int:
    """Return how many penalty cards are in a set, both copies counted."""
    return (cards.held & PENALTIES).bit_count() + (cards.twice & PENALTIES).bit_count()


class MoonWatch:
    """Watches one round.

    Args:
        deck: how many penalty cards the deck has.
    """

    def __init__(self, deck: int) -> None:
        self._deck = deck
        self._alone: tuple[int, int] | None = None
        self.stop: tuple[int, int] | None = None
        """Who stopped whom, as two seats; None as long as nobody did."""

    def look(self, state: State) -> None:
        """Look at what the seats have taken; to be called after every trick."""
        takers = [
            (seat, number) for seat, cards in enumerate(state.taken) if (number := penalty_cards(cards))
        ]
        if len(takers) == 1:
            self._alone = takers[0]
        elif self._alone is not None:
            alone, number = self._alone
            if 2 * number >= self._deck:
                self.stop = (next(seat for seat, _ in takers if seat != alone), alone)
            self._alone = None
