"""Playing rounds and matches between bots: they are told and asked as at every other table of Kupa.

What a bot fails to decide, or decides against the rules, is decided in its place by the simple rule bot, and
charged to it; the match goes on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import Protocol

from kupa.arena.moons import MoonWatch, penalty_cards
from kupa.arena.tally import Tally, share_of_win
from kupa.bots import simple
from kupa.cards import CardSet
from kupa.game import Json
from kupa.hearts.commands import StartMatch
from kupa.hearts.engine import decide, to_act
from kupa.hearts.events import Event, KittyTaken, MatchOver, RoundDealt, RoundScored, TrickTaken
from kupa.hearts.evolution import evolve
from kupa.hearts.game import HEARTS
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import State
from kupa.hearts.view import View, view
from kupa.programs.faults import ILLEGAL, NONSENSE, FaultError, said
from kupa.refusal import Refusal


class Told(Protocol):
    """Whoever is told events."""

    def told(self, event: Json) -> None:
        """Take in an event as the seat is told it."""
        ...


class Bot(Told, Protocol):
    """Whoever can be asked: a player, or a program in a seat."""

    def choose(self, view: View) -> Json:
        """Return the command of the seat."""
        ...


class Book(Protocol):
    """Where is noted what each seat does."""

    def decided(self, seat: int, ms: float) -> None:
        """Note how long a decision took, in milliseconds."""
        ...

    def charged(self, seat: int, fault: FaultError) -> None:
        """Note a fault."""
        ...


def tell(bots: Sequence[Told], event: Event) -> None:
    """Tell every seat an event, as that seat may know it."""
    for seat, bot in enumerate(bots):
        bot.told(event.for_seat(seat))


def begun(rulebook: Rulebook, seed: str, number: int, bots: Sequence[Told]) -> State:
    """Begin a match with round ``number`` of a seed; it sets the passing direction and the dealer.

    Raises:
        ValueError: there is no such match.
    """
    events = decide(None, StartMatch(rulebook=rulebook, seed=seed, round=number))
    if isinstance(events, Refusal):
        raise ValueError(events.code)
    state: State | None = None
    for event in events:
        state = evolve(state, event)
        tell(bots, event)
    assert state is not None  # a match begins with events
    return state


def moves(state: State, bots: Sequence[Bot], book: Book) -> Iterator[tuple[State, Event]]:
    """Play on to the end of the match, and yield every event with the state after it.

    Every seat has been told an event before it is yielded, and nothing of what follows.
    """
    while seats := to_act(state):
        for event in _decided(state, seats[0], bots[seats[0]], book):
            state = evolve(state, event)
            tell(bots, event)
            yield state, event


def _decided(state: State, seat: int, bot: Bot, book: Book) -> Sequence[Event]:
    """Return the events of a seat's decision: the bot's own, or one made in its place."""
    seen = view(state, seat)
    began = time.perf_counter()
    fault: FaultError
    try:
        wanted = bot.choose(seen)
    except FaultError as failed:
        fault = failed
    else:
        book.decided(seat, 1000 * (time.perf_counter() - began))
        events = _events(state, seat, wanted)
        if not isinstance(events, FaultError):
            return events
        fault = events
    book.charged(seat, fault)
    events = _events(state, seat, simple.choose(seen, Random(0)))  # noqa: S311 - it leaves nothing to chance
    if isinstance(events, FaultError):
        raise events
    return events


def _events(state: State, seat: int, wanted: Json) -> Sequence[Event] | FaultError:
    command = HEARTS.read_command(wanted, seat)
    if isinstance(command, Refusal):
        return FaultError(NONSENSE, said(repr(wanted).encode("utf-8", "replace")))
    events = decide(state, command)
    if isinstance(events, Refusal):
        return FaultError(ILLEGAL, f"{events.code} {said(repr(wanted).encode('utf-8', 'replace'))}")
    return events


class TallyBook:
    """A book with a tally for each seat."""

    def __init__(self, tallies: Sequence[Tally]) -> None:
        self.tallies = tallies

    def decided(self, seat: int, ms: float) -> None:
        """Note how long a decision took."""
        self.tallies[seat].decided(ms)

    def charged(self, seat: int, fault: FaultError) -> None:
        """Note a fault."""
        self.tallies[seat].charged(fault.code, fault.detail)

    def scored(self, event: RoundScored, watch: MoonWatch) -> None:
        """Note a round."""
        for seat, tally in enumerate(self.tallies):
            tally.scored(event.points, seat, event.shooter)
        if watch.stop is not None:
            by, whose = watch.stop
            self.tallies[by].stopped += 1
            self.tallies[whose].failed += 1

    def ended(self, event: MatchOver) -> None:
        """Note the end of a match."""
        for seat, tally in enumerate(self.tallies):
            tally.matches += 1
            tally.matches_won += share_of_win(event.totals, seat)


def play(
    rulebook: Rulebook, seed: str, number: int, bots: Sequence[Bot], tallies: Sequence[Tally], *, whole: bool
) -> None:
    """Play round ``number`` of a seed, or a whole match that begins with it, and note what came of it.

    Args:
        rulebook: the rules.
        seed: what is dealt from.
        number: of the first round.
        bots: one a seat.
        tallies: one a seat; notes are added to them.
        whole: whether the match is played to its end.
    """
    book = TallyBook(tallies)
    deck = penalty_cards(CardSet.of(rulebook.deck))
    watch = MoonWatch(deck)
    for state, event in moves(begun(rulebook, seed, number, bots), bots, book):
        if isinstance(event, TrickTaken | KittyTaken):
            watch.look(state)
        elif isinstance(event, RoundScored):
            book.scored(event, watch)
            if not whole:
                return
        elif isinstance(event, RoundDealt):
            watch = MoonWatch(deck)
        elif isinstance(event, MatchOver):
            book.ended(event)
