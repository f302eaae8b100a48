"""A rulebook of Hearts: one immutable value, every field of which a table may override.

A :class:`Rulebook` that is impossible cannot exist: making one raises :class:`RulebookError`, whose refusal
names the field at fault. Presets are in :mod:`kupa.hearts.presets`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Literal

import msgspec

from kupa.cards import PACK, TEXT, Card, CardText, card_of, mask_of
from kupa.hearts import rules
from kupa.hearts.rules import Knobs
from kupa.keys import shown
from kupa.refusal import Refusal

Direction = Literal["left", "right", "across", "hold"]
DIRECTIONS: Final[tuple[Direction, ...]] = ("left", "right", "across", "hold")
MOST_PASSED: Final = 4
ONE_DECK_PLAYERS: Final = range(3, 8)
TWO_DECK_PLAYERS: Final = range(6, 12)
TARGETS_END: Final = 10**100
"""No target is as large as this: any whole number will do, but not one that is too long to be written."""
CARD_POINTS: Final = range(101)
"""What a penalty card may be worth."""

CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "decks": (1, 2),
    "kitty": ("none", "first_trick"),
    "pass_count": tuple(range(MOST_PASSED + 1)),
    "opening": ("lowest_club", "left_of_dealer"),
    "first_trick": ("points", "queen", "none"),
    "broken_by": ("heart", "heart_or_queen"),
    "bonus_card": (None, "JD", "TD"),
    "moon": ("add", "subtract", "choice"),
    "moon_points": (26, 13, 52),
    "moon_needs_bonus": (False, True),
    "tie": ("play_on", "share"),
    "perfect_round": (False, True),
    "cancellation": (False, True),
}
"""The values of each field that has a short list of them."""

_BARRED: Final = {"points": rules.PENALTIES, "queen": rules.QUEEN_MASK, "none": 0}
_MOONS: Final = {"add": rules.ADD, "subtract": rules.SUBTRACT, "choice": rules.CHOICE}


class RulebookError(ValueError):
    """The fields given make no rulebook; ``refusal`` says which field is at fault, and why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.field}: {refusal.reason}")
        self.refusal = refusal


class Rulebook(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All that a table agrees on before the first deal.

    Raises:
        RulebookError: a value is not one of its field's, or two fields contradict each other.
    """

    players: int
    """Seats: 3 to 7 with one deck, 6 to 11 with two."""
    decks: int
    """Packs shuffled together: 1 or 2."""
    removed: tuple[CardText, ...]
    """Cards taken out before the shuffle, in deck order; never a penalty card."""
    kitty: str
    """Cards left over by an uneven deal: ``none`` (refused) or ``first_trick`` (to its taker)."""
    pass_count: int
    """Cards passed, 0 to 4."""
    pass_cycle: tuple[str, ...]
    """Directions, round by round, repeating: ``left``, ``right``, ``across``, ``hold``."""
    opening: str
    """``lowest_club``: its holder leads it; ``left_of_dealer``: that seat leads any card allowed."""
    first_trick: str
    """What is barred from the first trick: ``points``, ``queen`` or ``none``."""
    broken_by: str
    """What breaks hearts: ``heart`` or ``heart_or_queen``."""
    queen_points: int
    heart_points: int
    bonus_card: str | None
    """A diamond that takes 10 off its taker's points, each copy: None, ``JD`` or ``TD``."""
    moon: str
    """``add``: to every other player; ``subtract``: from the shooter; ``choice``: the shooter decides."""
    moon_points: int
    moon_needs_bonus: bool
    target: int
    """The total that ends the match at the end of a round, ``>=``."""
    tie: str
    """A shared lowest total at the end: ``play_on`` or ``share``."""
    perfect_round: bool
    """The extra-round rule of Özel."""
    cancellation: bool
    """Whether equal cards of a trick cancel each other; two decks only."""

    def __post_init__(self) -> None:
        for refusal in _faults(self):
            raise RulebookError(refusal)

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards in play before the shuffle, in deck order, the whole deck twice over with two."""
        deck = list(PACK * self.decks)
        for text in self.removed:
            deck.remove(card_of(text))
        return tuple(deck)

    @property
    def deck_size(self) -> int:
        """How many cards are in play."""
        return 52 * self.decks - len(self.removed)

    @property
    def hand_size(self) -> int:
        """How many cards each seat is dealt."""
        return self.deck_size // self.players

    @property
    def kitty_size(self) -> int:
        """How many cards an even deal leaves over."""
        return self.deck_size % self.players

    def direction(self, round_number: int) -> str:
        """Return the passing direction of a round, counted from 0; ``hold`` where no cards are passed."""
        return self.pass_cycle[round_number % len(self.pass_cycle)] if self.pass_count else "hold"

    def knobs(self) -> Knobs:
        """Return this rulebook as the integers that the rules ask for."""
        return Knobs(
            players=self.players,
            decks=self.decks,
            hand_size=self.hand_size,
            kitty_size=self.kitty_size,
            pass_count=self.pass_count,
            opens_lowest_club=int(self.opening == "lowest_club"),
            barred=_BARRED[self.first_trick],
            queen_breaks=int(self.broken_by == "heart_or_queen"),
            heart_points=self.heart_points,
            queen_points=self.queen_points,
            bonus=rules.NONE if self.bonus_card is None else card_of(self.bonus_card),
            moon=_MOONS[self.moon],
            moon_points=self.moon_points,
            moon_needs_bonus=int(self.moon_needs_bonus),
            cancels=int(self.cancellation),
            target=self.target,
            plays_on=int(self.tie == "play_on"),
            perfect_round=int(self.perfect_round),
        )


FIELDS: Final[tuple[str, ...]] = Rulebook.__struct_fields__
"""The names of the fields, in the order in which they are told and checked."""


def rulebook_of(fields: Mapping[str, Any]) -> Rulebook | Refusal:
    """Make a rulebook of JSON built-ins, or say which field is at fault.

    Cards may be written in any way that :func:`kupa.cards.card_of` reads, those of ``removed`` in any order.
    """
    for name in fields:
        if name not in FIELDS:
            return _bad(str(shown(name)), "unknown_field")
    values = dict(fields)
    refusal = _read_cards(values)
    if refusal is not None:
        return refusal
    try:
        return Rulebook(**values)
    except RulebookError as error:
        return error.refusal


def _read_cards(values: dict[str, Any]) -> Refusal | None:
    """Turn the two lists of a rulebook into tuples, and cards into canonical texts, lists in deck order."""
    for name in ("removed", "pass_cycle"):
        if not isinstance(values[name], list | tuple):
            return _bad(name, "not_a_list")
        if not all(isinstance(entry, str) for entry in values[name]):
            return _bad(name, "not_a_card" if name == "removed" else "not_a_direction")
    values["pass_cycle"] = tuple(values["pass_cycle"])
    try:
        values["removed"] = tuple(TEXT[card] for card in sorted(map(card_of, values["removed"])))
    except ValueError:
        return _bad("removed", "not_a_card")
    bonus = values["bonus_card"]
    if isinstance(bonus, str):
        # What is no card at all is told with the values that the field may have.
        with suppress(ValueError):
            values["bonus_card"] = TEXT[card_of(bonus)]
    return None


def _bad(field: str, reason: str, **params: str | int) -> Refusal:
    return Refusal("bad_rules", reason, field=field, params={"field": field, **params})


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _faults(book: Rulebook) -> Iterator[Refusal]:
    """Tell what is wrong with a rulebook: values first, in the order of the fields, then contradictions."""
    for name in FIELDS:
        yield from _value_faults(book, name)
    yield from _deck_faults(book)
    yield from _passing_faults(book)
    yield from _play_faults(book)


def _value_faults(book: Rulebook, name: str) -> Iterator[Refusal]:
    """Tell whether a field's value is none of those that it may have at all."""
    value = getattr(book, name)
    if name in CHOICES:
        known = CHOICES[name]
        # 1 equals True: a flag must be a flag, and a number a number.
        if not any(value == one and type(value) is type(one) for one in known):
            yield _bad(name, "not_a_choice", values=", ".join(_shown(one) for one in known))
    elif name == "players":
        if not _is_int(value) or value not in range(ONE_DECK_PLAYERS.start, TWO_DECK_PLAYERS.stop):
            yield _bad(name, "players")
    elif name in {"queen_points", "heart_points"}:
        if not _is_int(value) or value not in CARD_POINTS:
            yield _bad(name, "card_points", most=CARD_POINTS[-1])
    elif name == "target":
        if not _is_int(value) or not 1 <= value < TARGETS_END:
            yield _bad(name, "target")
    elif name == "pass_cycle":
        if not value or not all(direction in DIRECTIONS for direction in value):
            yield _bad(name, "not_a_direction")
    elif name == "removed":
        yield from _removed_faults(book.removed, book.decks)


def _shown(value: Any) -> str:
    """Write one value of a field as JSON writes it."""
    return msgspec.json.encode(value).decode().strip('"')


def _removed_faults(removed: Sequence[CardText], decks: int) -> Iterator[Refusal]:
    """Tell whether the removed cards are no penalty cards and in the deck often enough."""
    cards = [card_of(text) for text in removed]
    for card in cards:
        if rules.PENALTIES >> card & 1:
            yield _bad("removed", "penalty_card", card=TEXT[card])
        if cards.count(card) > decks:
            yield _bad("removed", "removed_twice", card=TEXT[card])


def _deck_faults(book: Rulebook) -> Iterator[Refusal]:
    """Tell whether deck, players and leftover cards go together."""
    players = ONE_DECK_PLAYERS if book.decks == 1 else TWO_DECK_PLAYERS
    if book.players not in players:
        yield _bad("players", "players_for_decks", decks=book.decks, least=players[0], most=players[-1])
    if book.kitty == "none" and book.kitty_size:
        yield _bad("kitty", "uneven_deal", cards=book.deck_size, players=book.players)


def _passing_faults(book: Rulebook) -> Iterator[Refusal]:
    """Tell whether passing is possible at this table."""
    if book.pass_count > book.hand_size:
        yield _bad("pass_count", "passes_more_than_held", count=book.pass_count, held=book.hand_size)
    if "across" in book.pass_cycle and book.players % 2:
        yield _bad("pass_cycle", "nobody_across", players=book.players)


def _play_faults(book: Rulebook) -> Iterator[Refusal]:
    """Tell whether opening, bonus card, moon and cancelling fit the deck."""
    if book.opening == "lowest_club":
        clubs = (mask_of(book.deck) & rules.CLUBS_MASK).bit_count()
        if book.decks == 2:
            yield _bad("opening", "lowest_club_twice")
        elif clubs <= book.kitty_size:
            yield _bad("opening", "no_club_dealt")
    if book.bonus_card is not None and book.bonus_card in book.removed:
        yield _bad("bonus_card", "bonus_removed", card=book.bonus_card)
    if book.moon_points == 52 and book.decks == 1:
        yield _bad("moon_points", "moon_points_for_decks")
    if book.moon_needs_bonus and book.bonus_card is None:
        yield _bad("moon_needs_bonus", "no_bonus_card")
    if book.cancellation and book.decks == 1:
        yield _bad("cancellation", "nothing_cancels")
