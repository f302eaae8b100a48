"""A decision in Hearts as integers: what lies, what one holds, and what is still out."""

from __future__ import annotations

from typing import Final

from kupa.bots.memory import Memory
from kupa.cards import BY_TEXT, LANE, Card, CardSet
from kupa.hearts import rules
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.view import View

NOBODY: Final = -1
"""No seat, and no card."""


class Book:
    """What follows from a rulebook alone, worked out once a match."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.knobs = rulebook.knobs()
        self.deck = CardSet.of(rulebook.deck)
        self.opponents = self.knobs.players - 1
        hearts, queen = self.knobs.heart_points, self.knobs.queen_points
        self.value: dict[Card, int] = {card: rules.card_points(card, hearts, queen) for card in self.deck}
        """The penalty value of each card."""
        self.round_points: int = sum(self.value[card] for card in self.deck)
        """The raw points of a round."""


def joined(first: CardSet, second: CardSet) -> CardSet:
    """Return all cards of two sets that together hold no card more than twice."""
    twice = first.twice | second.twice | (first.held & second.held)
    return CardSet(first.held | second.held, twice)


def less(deck: CardSet, known: CardSet) -> CardSet:
    """Return what is left of a deck when the known cards, all of them its own, are taken out."""
    return CardSet((deck.held & ~known.held) | (deck.twice & ~known.twice), deck.twice & ~known.held)


def count(cards: CardSet, mask: int) -> int:
    """Return how many cards of a set are in a mask, both copies counted."""
    return (cards.held & mask).bit_count() + (cards.twice & mask).bit_count()


def lane(cards: CardSet, suit: int) -> tuple[int, int]:
    """Return the ranks of a suit in a set, as masks of thirteen bits: those held, and those held twice."""
    return cards.held >> 16 * suit & LANE, cards.twice >> 16 * suit & LANE


class Position:
    """What one seat knows when it is to act, as integers; seats and cards as everywhere.

    Args:
        view: of the seat.
        memory: told all that the seat was told in this round.
        book: of the match.
    """

    def __init__(self, view: View, memory: Memory, book: Book) -> None:
        self.view, self.memory, self.book, self.knobs = view, memory, book, book.knobs
        self.seat = view.me
        self.is_first = not view.tricks
        """Whether this is the first trick of the round."""
        self.legal: list[Card] = [BY_TEXT[text] for text in view.legal]
        """The cards that may be played, in deck order."""
        self._count_cards()
        self._read_trick()

    def _count_cards(self) -> None:
        view, kitty = self.view, self.view.kitty
        self.hand = CardSet.of([BY_TEXT[text] for text in view.hand])
        known = joined(self.hand, self.memory.fallen)
        if not isinstance(kitty, int):
            known = joined(known, CardSet.of([BY_TEXT[text] for text in kitty]))
        self.hidden_kitty = kitty if isinstance(kitty, int) else 0
        """How many cards lie in a kitty that one has not seen, on the table or with its taker."""
        self.out = less(self.book.deck, known)
        """The cards that others hold, or that lie in such a kitty."""
        self.cards_out = len(self.out)
        self.queens_out = rules.copies(self.out.held, self.out.twice, rules.QUEEN)
        self.hearts_out = count(self.out, rules.HEARTS_MASK)
        knobs = self.knobs
        self.points_out = self.hearts_out * knobs.heart_points + self.queens_out * knobs.queen_points
        """The penalty value of the cards that are out."""

    def _read_trick(self) -> None:
        view, memory, knobs = self.view, self.memory, self.knobs
        self.trick: list[Card] = [BY_TEXT[played.card] for played in view.trick]
        self.led = self.trick[0] >> 4 if self.trick else NOBODY
        """The suit led, -1 when one leads."""
        left = knobs.players - len(self.trick)
        self.later = [(self.seat + i) % knobs.players for i in range(1, left)]
        """The seats that play to this trick after this one, in order."""
        place = rules.trick_winner(self.trick, knobs.cancels) if self.trick else rules.NONE
        self.best: Card = NOBODY if place == rules.NONE else self.trick[place]
        """The card that takes the trick as it lies, -1 for none."""
        self.holder = NOBODY if place == rules.NONE else view.trick[place].seat
        """The seat that takes the trick as it lies, -1 for none."""
        lying = [*self.trick, *memory.waiting]
        self.lying: int = sum(self.book.value[card] for card in lying)
        """The penalty points that the taker of the trick gets, as far as they lie already."""
        self.bonus_lying = lying.count(knobs.bonus)
        given = view.my_pass
        self.queen_seat = NOBODY
        """The seat that is known to hold the queen of spades, because one passed her there; else -1."""
        if given is not None and view.phase == "play" and "QS" in given.cards and self.queens_out == 1:
            self.queen_seat = given.to

    def is_void(self, seat: int, suit: int) -> bool:
        """Tell whether a seat has shown that it has none of a suit."""
        return bool(self.memory.voids.get(seat, 0) >> suit & 1)

    def over(self, card: Card) -> int:
        """Return how many cards that are out beat a card."""
        out, out2 = lane(self.out, card >> 4)
        above = LANE & -(2 << (card & 15))
        return (out & above).bit_count() + (out2 & above).bit_count()

    def taken_points(self, seat: int) -> int:
        """Return the raw points that a seat is known to have taken in this round."""
        return sum(self.book.value[card] for card in self.memory.taken.get(seat, ()))
