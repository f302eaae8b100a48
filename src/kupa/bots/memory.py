"""What a seat has seen in the current round: the cards that fell, who was out of what, who took what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kupa.cards import BY_TEXT, Card, CardSet
from kupa.game import Json
from kupa.hearts import rules

BOLD: Final = 10
"""The lowest rank that only a player who wants tricks leads often: the queen."""


class Memory:
    """Remembers one round; the next ``round_dealt`` wipes it.

    It is fed with the seat's own event views, and so it can hold nothing that the seat was not shown.
    """

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.fallen = CardSet()
        """Every card that was played, those of the trick on the table included."""
        self.voids: dict[int, int] = {}
        """By seat, the suits that it failed to follow, as bits 1 << suit."""
        self.taken: dict[int, CardSet] = {}
        """By seat, the cards that it took; of the kitty only one's own is known."""
        self.waiting: tuple[Card, ...] = ()
        """The cards of cancelled tricks that wait for the next taker, the kitty apart."""
        self.bold_leads: dict[int, int] = {}
        """By seat, how often it led a queen, a king or an ace."""
        self._trick: tuple[Card, ...] = ()

    def told(self, event: Json) -> None:
        """Take in an event as the seat is told it; kinds that tell nothing to remember are passed over."""
        remember = _REMEMBER.get(event["type"])
        if remember is not None:
            remember(self, event)

    def _dealt(self, event: Json) -> None:  # noqa: ARG002 - the hand itself is always in the view
        self._forget()

    def _played(self, event: Json) -> None:
        card, seat = BY_TEXT[event["card"]], event["seat"]
        self.fallen = self.fallen.with_cards((card,))
        if not self._trick:
            self.bold_leads[seat] = self.bold_leads.get(seat, 0) + (card & 15 >= BOLD)
        elif card >> 4 != self._trick[0] >> 4:
            self.voids[seat] = self.voids.get(seat, 0) | 1 << (self._trick[0] >> 4)
        self._trick += (card,)

    def _trick_taken(self, event: Json) -> None:
        taker, cards = event["taker"], self.waiting + self._trick
        self._trick = ()
        self.waiting = cards if taker is None else ()
        if taker is not None:
            self._take(taker, cards)

    def _kitty_taken(self, event: Json) -> None:
        self._take(event["seat"], tuple(BY_TEXT[text] for text in event.get("cards", ())))

    def _take(self, seat: int, cards: tuple[Card, ...]) -> None:
        self.taken[seat] = self.taken.get(seat, CardSet()).with_cards(cards)

    def penalty_takers(self) -> list[int]:
        """Return the seats that are known to have taken a penalty card."""
        return [seat for seat, cards in self.taken.items() if cards.held & rules.PENALTIES]


_REMEMBER: Final[dict[str, Callable[[Memory, Json], None]]] = {
    "round_dealt": Memory._dealt,
    "card_played": Memory._played,
    "trick_taken": Memory._trick_taken,
    "kitty_taken": Memory._kitty_taken,
}
