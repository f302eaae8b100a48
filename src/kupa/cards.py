"""Cards, sets of cards, and how both are written.

A card is an integer ``suit * 16 + rank``: suits are clubs 0, diamonds 1, spades 2, hearts 3; ranks run from
0 (the two) to 12 (the ace). Numeric order is therefore deck order (clubs, diamonds, spades, hearts, each two
to ace), and bit ``1 << card`` of a 64-bit mask stands for the card: four lanes of sixteen bits of which
thirteen are used, so that a mask never reaches the sign bit.

With two packs a card may be held twice. A :class:`CardSet` is then a pair of masks: the cards held at least
once, and the cards held twice. With one pack the second mask is 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, Self

import msgspec

Card = int
"""An integer as described above."""
CardText = str
"""Two characters, rank then suit: ``"2C"``, ``"TH"``, ``"AS"``."""

CLUBS: Final = 0
DIAMONDS: Final = 1
SPADES: Final = 2
HEARTS: Final = 3

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDSH"
LANE: Final = 0x1FFF
"""The thirteen bits of one suit, at the bottom of its lane."""

PACK: Final[tuple[Card, ...]] = tuple(suit * 16 + rank for suit in range(4) for rank in range(13))
"""The fifty-two cards of one pack in deck order."""

TEXT: Final[dict[Card, CardText]] = {card: RANKS[card & 15] + SUITS[card >> 4] for card in PACK}
BY_TEXT: Final[dict[CardText, Card]] = {text: card for card, text in TEXT.items()}


def card_of(text: CardText) -> Card:
    """Read a card as a person or a program may write it: ``TH``, ``th``, ``10h``.

    Raises:
        ValueError: the text names no card.
    """
    card = BY_TEXT.get(text)
    if card is not None:
        return card
    # Only ASCII letters are folded: a Turkish dotted or dotless i is no part of any card.
    folded = "".join(chr(ord(c) - 32) if "a" <= c <= "z" else c for c in text)
    if folded.startswith("10"):
        folded = "T" + folded[2:]
    card = BY_TEXT.get(folded)
    if card is None:
        raise ValueError(f"{text[:20]!r} names no card")
    return card


def texts(cards: Iterable[Card]) -> tuple[CardText, ...]:
    """Write cards, in the order given."""
    return tuple(TEXT[card] for card in cards)


def mask_of(cards: Iterable[Card]) -> int:
    """Return the mask of the distinct cards given."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: int) -> tuple[Card, ...]:
    """Return the cards of a mask in deck order."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return tuple(cards)


class CardSet(msgspec.Struct, frozen=True):
    """Cards held together, none, one or two copies of each; a value, never changed in place.

    Iterating gives the cards in deck order, a card held twice two times.
    """

    held: int = 0
    """Mask of the cards held at least once."""
    twice: int = 0
    """Mask of the cards held twice; a subset of ``held``."""

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Self:
        """Collect cards.

        Raises:
            ValueError: a card comes more than twice.
        """
        held = twice = 0
        for card in cards:
            bit = 1 << card
            if twice & bit:
                raise ValueError(f"{TEXT[card]} comes more than twice")
            twice |= held & bit
            held |= bit
        return cls(held, twice)

    def __iter__(self) -> Iterator[Card]:
        for card in cards_in(self.held):
            yield card
            if self.twice >> card & 1:
                yield card

    def __len__(self) -> int:
        return self.held.bit_count() + self.twice.bit_count()

    def __contains__(self, card: Card) -> bool:
        return bool(self.held >> card & 1)

    def with_cards(self, cards: Iterable[Card]) -> CardSet:
        """Return this set with cards added."""
        held, twice = self.held, self.twice
        for card in cards:
            bit = 1 << card
            twice |= held & bit
            held |= bit
        return CardSet(held, twice)

    def without(self, card: Card) -> CardSet:
        """Return this set less one copy of a card that it holds.

        Raises:
            KeyError: the card is not held.
        """
        bit = 1 << card
        if self.twice & bit:
            return CardSet(self.held, self.twice ^ bit)
        if self.held & bit:
            return CardSet(self.held ^ bit, self.twice)
        raise KeyError(TEXT[card])

    def without_all(self, cards: Iterable[Card]) -> CardSet:
        """Return this set less one copy of each card given.

        Raises:
            KeyError: a card is not held as often as it is named.
        """
        rest = self
        for card in cards:
            rest = rest.without(card)
        return rest

    def holds(self, cards: Iterable[Card]) -> bool:
        """Tell whether every card given is held, as often as it is named."""
        return all(
            number <= (self.held >> card & 1) + (self.twice >> card & 1)
            for card, number in Counter(cards).items()
        )

    @property
    def texts(self) -> tuple[CardText, ...]:
        """The cards as texts, in deck order."""
        return texts(self)
