"""Random play through the engine, for tests of Hearts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from kupa.cards import cards_in
from kupa.hearts.commands import ChooseMoon, Command, PassCards, PlayCard, StartMatch
from kupa.hearts.engine import decide, legal, to_act
from kupa.hearts.events import Event
from kupa.hearts.evolution import evolve
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import MOON, OVER, PASS, State
from kupa.refusal import Refusal


def random_command(state: State, rng: Random) -> Command:
    """Return a legal command of one of the seats that have a decision open."""
    seat = rng.choice(to_act(state))
    if state.phase == PASS:
        return PassCards(seat, tuple(rng.sample(list(state.hands[seat]), state.knobs.pass_count)))
    if state.phase == MOON:
        return ChooseMoon(seat, rng.choice(("add", "subtract")))
    return PlayCard(seat, rng.choice(cards_in(legal(state))))


def started(rulebook: Rulebook, seed: str, preset: str = "") -> tuple[State, list[Event]]:
    """Return a match that has just been dealt, and its events."""
    return done(None, StartMatch(rulebook=rulebook, seed=seed, preset=preset))


def done(state: State | None, command: Command) -> tuple[State, list[Event]]:
    """Carry out a command that must not be refused."""
    events = decide(state, command)
    assert not isinstance(events, Refusal), (events, command)
    for event in events:
        state = evolve(state, event)
    assert state is not None
    return state, list(events)


def played(
    rulebook: Rulebook, seed: str, rng: Random, preset: str = ""
) -> Iterator[tuple[State, list[Event]]]:
    """Play a match at random; yield each state at rest with the events that led to it."""
    state, events = started(rulebook, seed, preset)
    yield state, events
    while state.phase != OVER:
        state, events = done(state, random_command(state, rng))
        yield state, events
