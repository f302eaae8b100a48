"""What a hand is expected to cost until the round is over, beyond the trick on the table.

It is a sum over the suits. In a suit each card counts by how many of the cards that are out it beats, and
the suit by its length; the queen of spades, what may catch her, and the bonus card count on top, by the cards
that guard them. The numbers (:mod:`kupa.bots.club_table`) were fitted to rounds that the club bot played;
``python -m tests.bots.fitting`` fits them again.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Final, NamedTuple

from kupa.bots import club_table
from kupa.bots.position import NOBODY, Position, lane
from kupa.cards import DIAMONDS, HEARTS, SPADES, Card
from kupa.hearts import rules

SIDE, HUNTED, HELD, PLAIN, HEART = range(5)
"""The kinds of suits: clubs and diamonds; spades while the queen is out, held, or gone; hearts."""
PHASES: Final = 3
"""A suit is in its last trick (0), in its last two (1), or not yet (2), by the cards that are out."""
BUCKETS: Final = 8
"""The kinds of cards: one beats none of those out (0), few (1) to most (5), all (6); or none is out (7)."""
LENGTHS: Final = 8
GUARDS: Final = 6
CATCHERS: Final = 4

STAGES: Final = 4

CARD_AT: Final = 0
LENGTH_AT: Final = CARD_AT + 5 * PHASES * BUCKETS
HOLD_AT: Final = LENGTH_AT + 5 * PHASES * LENGTHS
CATCH_AT: Final = HOLD_AT + PHASES * GUARDS
BONUS_AT: Final = CATCH_AT + PHASES * GUARDS
HOPE_AT: Final = BONUS_AT + PHASES
LEAD_AT: Final = HOPE_AT + PHASES * CATCHERS
SIZE: Final = LEAD_AT + STAGES
"""Where the parts of the table begin when it is one list, and how long it is."""

QUEEN_BIT: Final = 1 << (rules.QUEEN & 15)
QUEEN_POINTS: Final = 13
"""The queen's points in the games that the table was fitted to."""


def _flat() -> tuple[float, ...]:
    kinds: Iterable[Iterable[float]] = chain(*club_table.CARDS, *club_table.LENGTHS)
    queen: Iterable[Iterable[float]] = chain(club_table.HOLD, club_table.CATCH)
    rest: tuple[Iterable[float], ...] = (club_table.BONUS, *club_table.HOPE, club_table.LEAD)
    return tuple(chain.from_iterable(chain(kinds, queen, rest)))


TABLE: Final = _flat()


class Scene(NamedTuple):
    """What all suits of a hand have in common at one moment."""

    opponents: int
    density: float
    """How many points a trick is likely to catch from those who cannot follow; 1 when a round begins."""
    heart: float
    """The points of a heart."""
    queen: float
    """The points of the queen of spades, as a part of her usual ones."""
    queens_out: int
    bonus_rank: int
    """The rank of the bonus card, which is a diamond; -1 for none."""


def scene_of(pos: Position) -> Scene:
    """Return what all suits have in common in a decision."""
    knobs = pos.knobs
    return Scene(
        opponents=pos.book.opponents,
        density=0.5 * pos.book.opponents * pos.points_out / max(pos.cards_out, 1),
        heart=float(knobs.heart_points),
        queen=knobs.queen_points / QUEEN_POINTS,
        queens_out=pos.queens_out,
        bonus_rank=NOBODY if knobs.bonus == rules.NONE else knobs.bonus & 15,
    )


def kind_of(suit: int, own: int, scene: Scene) -> int:
    """Return the kind of a suit, for a hand with these ranks of it."""
    if suit != SPADES:
        return HEART if suit == HEARTS else SIDE
    if own & QUEEN_BIT:
        return HELD
    return HUNTED if scene.queens_out else PLAIN


def _below(bit: int, ranks: int, twice: int) -> int:
    return (ranks & (bit - 1)).bit_count() + (twice & (bit - 1)).bit_count()


def suit_terms(kind: int, own: int, own2: int, out: int, out2: int, opponents: int) -> list[int]:
    """Return the places in the table that a suit's cards and its length count by.

    Args:
        kind: of the suit.
        own: the ranks held, as a mask of thirteen bits.
        own2: the ranks held twice.
        out: the ranks that others hold.
        out2: the ranks of which others hold two.
        opponents: how many.
    """
    number = out.bit_count() + out2.bit_count()
    row = (kind * PHASES + _phase(number, opponents)) * BUCKETS
    terms = [LENGTH_AT + row + min(own.bit_count() + own2.bit_count(), LENGTHS - 1)]
    rest = own
    while rest:
        bit = rest & -rest
        rest ^= bit
        if kind == HELD and bit == QUEEN_BIT:
            continue
        under = _below(bit, out, out2)
        over = (out & -(bit << 1)).bit_count() + (out2 & -(bit << 1)).bit_count()
        if not under:
            bucket = 0 if over else 7
        elif not over:
            bucket = 6
        else:
            bucket = 1 + int(5 * (under / (under + over)) ** (opponents / 3))
        terms.append(CARD_AT + row + bucket)
        if own2 & bit:
            terms.append(CARD_AT + row + bucket)
    return terms


def _phase(number: int, opponents: int) -> int:
    return 0 if number <= opponents else 1 if number <= 2 * opponents else 2


def queen_terms(kind: int, own: int, own2: int, out: int, out2: int, opponents: int) -> list[int]:
    """Return the places in the table that the queen of spades counts by: held, or to be caught."""
    if kind not in {HELD, HUNTED}:
        return []
    guards = min(_below(QUEEN_BIT, own, own2), GUARDS - 1)
    at = _phase(out.bit_count() + out2.bit_count(), opponents) * GUARDS + guards
    if kind == HELD:
        return [HOLD_AT + at] * (2 if own2 & QUEEN_BIT else 1)
    high = -(QUEEN_BIT << 1)
    return [CATCH_AT + at] * ((own & high).bit_count() + (own2 & high).bit_count())


def bonus_terms(suit: int, own: int, own2: int, out: int, out2: int, scene: Scene) -> list[int]:
    """Return the places in the table that the bonus card counts by: held, or hoped for."""
    if suit != DIAMONDS or scene.bonus_rank == NOBODY:
        return []
    phase, bit = _phase(out.bit_count() + out2.bit_count(), scene.opponents), 1 << scene.bonus_rank
    terms = [BONUS_AT + phase] * (bool(own & bit) + bool(own2 & bit))
    if out & bit:
        high = -(bit << 1)
        catchers = (own & high).bit_count() + (own2 & high).bit_count()
        terms.append(HOPE_AT + phase * CATCHERS + min(catchers, CATCHERS - 1))
    return terms


def suit_worth(suit: int, own: int, own2: int, out: int, out2: int, scene: Scene) -> float:
    """Return what one suit of a hand is expected to cost, in points; lower is better, below 0 is possible."""
    kind = kind_of(suit, own, scene)
    total = 0.0
    for term in suit_terms(kind, own, own2, out, out2, scene.opponents):
        total += TABLE[term]
    total *= scene.heart if kind == HEART else scene.density
    for term in queen_terms(kind, own, own2, out, out2, scene.opponents):
        total += TABLE[term] * scene.queen
    for term in bonus_terms(suit, own, own2, out, out2, scene):
        total += TABLE[term]
    return total


def hand_worth(pos: Position, scene: Scene) -> list[float]:
    """Return what each suit of the hand is expected to cost."""
    return [suit_worth(suit, *lane(pos.hand, suit), *lane(pos.out, suit), scene) for suit in range(4)]


def worth_without(pos: Position, card: Card, scene: Scene) -> float:
    """Return what a card's suit is expected to cost once the card has been played."""
    suit = card >> 4
    return suit_worth(suit, *lane(pos.hand.without(card), suit), *lane(pos.out, suit), scene)


def stage(cards: int, hand_size: int) -> int:
    """Return how far a round is, 0 to 3, by the cards that are left of a hand."""
    left = cards / hand_size
    return 0 if left > 0.7 else 1 if left > 0.5 else 2 if left > 0.25 else 3


def lead_worth(pos: Position, scene: Scene) -> float:
    """Return what it is expected to cost to lead to the next trick; 0 after the last."""
    left = len(pos.view.hand) - 1
    return TABLE[LEAD_AT + stage(left, pos.knobs.hand_size)] * scene.density if left else 0.0
