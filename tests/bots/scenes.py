"""Tables at which bots are watched: they are told and asked as a server does it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kupa.bots.memory import Memory
from kupa.bots.player import Player
from kupa.bots.position import Book, Position
from kupa.cards import card_of
from kupa.game import Json
from kupa.hearts.commands import Command, PlayCard, StartMatch
from kupa.hearts.events import Event
from kupa.hearts.presets import PRESETS, chosen_rulebook
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import State
from kupa.hearts.view import View, view
from tests.hearts.random_play import done

TABLES = [(name, players) for name, preset in PRESETS.items() for players in preset.player_counts]


def rulebook(name: str, players: int | None = None, **fields: object) -> Rulebook:
    """Return a preset with fields overridden."""
    book = chosen_rulebook(name, players, fields)
    assert isinstance(book, Rulebook), book
    return book


def as_told(event: Event, seat: int) -> Json:
    """Return what a seat is told of an event, after the way over a wire."""
    told: Json = msgspec.json.decode(msgspec.json.encode(event.for_seat(seat)))
    return told


class Scene:
    """A round with given hands, whose cards are played by hand.

    Args:
        book: the rules; the round is one in which no cards are passed.
        hands: cards as texts, a line for each seat; seats that are left out get what the deck has left.
        totals: the score sheet.
        round_number: sets dealer and passing direction.
    """

    def __init__(
        self,
        book: Rulebook,
        hands: Sequence[str],
        totals: Sequence[int] | None = None,
        round_number: int = 3,
    ) -> None:
        given = [[card_of(text) for text in hand.split()] for hand in hands]
        left = list(book.deck)
        for card in (card for hand in given for card in hand):
            left.remove(card)
        for _ in range(book.players - len(given)):
            given.append(left[: book.hand_size])
            del left[: book.hand_size]
        self.book = book
        self.events: list[Event] = []
        self.state: State = self._do(
            None,
            StartMatch(
                rulebook=book,
                seed="scene",
                hands=tuple(map(tuple, given)),
                totals=None if totals is None else tuple(totals),
                round=round_number,
            ),
        )

    def _do(self, state: State | None, command: Command) -> State:
        after, events = done(state, command)
        self.events += events
        return after

    def play(self, cards: str) -> Scene:
        """Play cards, each by the seat whose turn it is."""
        for text in cards.split():
            assert self.state.turn is not None
            self.state = self._do(self.state, PlayCard(self.state.turn, card_of(text)))
        return self

    def view(self) -> View:
        """Return the view of the seat that is to act."""
        assert self.state.turn is not None
        return view(self.state, self.state.turn)

    def tell(self, player: Player | Memory, seat: int) -> None:
        """Tell a player what a seat was told."""
        for event in self.events:
            player.told(as_told(event, seat))

    def card(self, player: Player) -> str:
        """Return the card that a player plays in place of the seat that is to act."""
        seen = self.view()
        self.tell(player, seen.me)
        chosen: str = player.choose(seen)["card"]
        return chosen

    def position(self) -> Position:
        """Return the decision of the seat that is to act."""
        seen, memory = self.view(), Memory()
        self.tell(memory, seen.me)
        return Position(seen, memory, Book(self.book))
