"""Kernels and engine agree, decision by decision, in random rounds of every rulebook.

A kernel plays rounds and keeps them. The engine replays each: at every decision it must be the same seat's
turn and the same cards must be legal, and the points written down must be the same. The kernels that do
single steps then go over the same rounds, all at once.

The daily suite compares 150 rounds of each rulebook, ``KUPA_SOAK=ci`` 2,000 and ``KUPA_SOAK=full`` 100,000.
"""

from __future__ import annotations

import numpy as np
import pytest

from kupa.cards import CardSet
from kupa.hearts.commands import ChooseMoon, PassCards, PlayCard, StartMatch
from kupa.hearts.engine import decide, legal
from kupa.hearts.events import Event, RoundScored
from kupa.hearts.evolution import evolve
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import MOON, PASS, State
from kupa.refusal import Refusal
from kupa.sim import round_row
from kupa.sim.playing import Log, Played, directions_of, play
from kupa.sim.policy import AT_RANDOM, BY_RULE
from kupa.sim.round_row import deck_of, knobs_of
from kupa.sim.stepping import NO_ACTION, act_rows, deal_rows, empty_rows, legal_rows

from .rulebooks import ALL, MATCHES

EVERY = pytest.mark.parametrize("book", ALL.values(), ids=ALL.keys())


def cards(masks: np.ndarray) -> tuple[int, ...]:
    return tuple(CardSet(int(masks[0]), int(masks[1])))


def done(state: State | None, command: PassCards | PlayCard | ChooseMoon | StartMatch) -> tuple[State, Event]:
    """Carry out a command; return the state and the last event that tells of this round."""
    events = decide(state, command)
    assert not isinstance(events, Refusal), (events, command)
    last = events[0]
    for event in events:
        state = evolve(state, event)
        last = event if isinstance(event, RoundScored) else last
    assert state is not None
    return state, last


def replayed(book: Rulebook, log: Log, slot: int, number: int) -> RoundScored:
    """Play a round that a kernel kept through the engine, and compare every decision."""
    hands = tuple(cards(log.hands[slot, :, seat]) for seat in range(book.players))
    start = StartMatch(rulebook=book, seed="", hands=hands, round=number)
    state, last = done(None, start)
    assert tuple(state.kitty) == cards(log.kitty[slot])
    if state.phase == PASS:
        for seat in range(book.players):
            state, _ = done(state, PassCards(seat, cards(log.passed[slot, :, seat])))
    for card, seat, choices in zip(log.cards[slot], log.seats[slot], log.legal[slot], strict=True):
        assert (state.turn, legal(state)) == (seat, choices)
        state, last = done(state, PlayCard(int(seat), int(card)))
    if state.phase == MOON:
        assert state.turn is not None
        state, last = done(state, ChooseMoon(state.turn, "subtract" if log.subtracted[slot] else "add"))
    assert isinstance(last, RoundScored)
    return last


def compare(book: Rulebook, played: Played, first: int) -> None:
    for slot, points in enumerate(played.points):
        scored = replayed(book, played.log, slot, first + slot)
        assert scored.points == tuple(points)
        assert scored.shooter == (None if played.shooters[slot] < 0 else played.shooters[slot])


def stepped(book: Rulebook, played: Played, seed: int, first: int) -> None:
    """Play the same rounds by single steps, all at once."""
    knobs, log, rounds = knobs_of(book), played.log, len(played.points)
    players, blocks = book.players, round_row.BLOCKS
    rows, choices = empty_rows(book, rounds), np.zeros(rounds, np.int64)
    numbers = np.arange(first, first + rounds)
    deal_rows(rows, knobs, deck_of(book), directions_of(book), seed, numbers)
    assert (rows[:, blocks : blocks + 2 * players] == log.hands.reshape(rounds, -1)).all()
    for seat in range(players):
        left = [list(cards(masks[:, seat])) for masks in log.passed]
        for _ in range(book.pass_count):
            actions = np.array([each.pop() if each else NO_ACTION for each in left])
            assert ((rows[:, round_row.TURN] == seat) | (actions == NO_ACTION)).all()
            assert act_rows(rows, knobs, actions) == -1
    for place in range(log.cards.shape[1]):
        legal_rows(rows, knobs, choices)
        assert (choices == log.legal[:, place]).all()
        assert (rows[:, round_row.TURN] == log.seats[:, place]).all()
        assert act_rows(rows, knobs, log.cards[:, place].astype(np.int64)) == -1
    in_moon = rows[:, round_row.PHASE] == round_row.MOON
    moons = np.where(log.subtracted == 1, round_row.MOON_SUBTRACTS, round_row.MOON_ADDS)
    assert act_rows(rows, knobs, np.where(in_moon, moons, NO_ACTION)) == -1
    legal_rows(rows, knobs, choices)
    assert not choices.any()
    written = blocks + round_row.POINTS * players
    assert (rows[:, written : written + players] == played.points).all()


def both(book: Rulebook, rounds: int, policies: int, seed: int) -> None:
    """Compare in portions, so that a soak needs no more memory than a daily run."""
    for first in range(0, rounds, 5_000):
        played = play(book, min(5_000, rounds - first), seed=seed, first=first, policies=policies, keep=True)
        compare(book, played, first)
        stepped(book, played, seed, first)


@pytest.mark.soak
@EVERY
def test_engine_and_kernels_agree_on_random_rounds(book: Rulebook) -> None:
    """Every legal set, every turn (so every winner) and all points are the same."""
    both(book, MATCHES, AT_RANDOM, seed=5)


@EVERY
def test_engine_and_kernels_agree_on_rounds_by_rule(book: Rulebook) -> None:
    """So they are when seats play by rule, which meets other positions: moons, long suits kept to the end."""
    both(book, max(1, MATCHES // 10), BY_RULE, seed=6)
