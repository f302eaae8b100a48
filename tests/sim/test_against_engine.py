"""Kernels and engine agree, decision by decision, in random rounds of every rulebook.

A kernel plays rounds and keeps them. The engine replays each: at every decision it must be the same seat's
turn and the same cards must be legal, and the points written down must be the same. The kernels that do
single steps then go over the same rounds, all at once.

The daily suite compares 150 rounds of each rulebook, ``KUPA_SOAK=ci`` 2,000 and ``KUPA_SOAK=full`` 100,000.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from kupa.cards import TEXT, Card, CardSet
from kupa.hearts import rules
from kupa.hearts.commands import ChooseMoon, PassCards, PlayCard, StartMatch
from kupa.hearts.engine import decide, legal, what_follows
from kupa.hearts.events import Event, MoonMade, RoundScored
from kupa.hearts.evolution import evolve
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import CHOSEN, MOON, PASS, PLAY, State
from kupa.refusal import Refusal
from kupa.sim import round_row
from kupa.sim.playing import Log, Played, directions_of, play
from kupa.sim.policy import AT_RANDOM, BY_RULE
from kupa.sim.round_row import deck_of, knobs_of
from kupa.sim.stepping import NO_ACTION, act_rows, deal_rows, empty_rows, legal_rows

from .compiled import compiled
from .rulebooks import ALL, MATCHES

EVERY = pytest.mark.parametrize("book", ALL.values(), ids=ALL.keys())
END_ROUND, SCORE = compiled(round_row.end_round), compiled(round_row.score)


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


def shared_out(book: Rulebook, rng: Random) -> tuple[list[CardSet], int]:
    """Share a deck out as tricks might have; in two of three cases one seat has every penalty card, or every
    one once, and perhaps the bonus cards.
    """
    shooter, kind = rng.randrange(book.players), rng.randrange(3)
    piles: list[list[Card]] = [[] for _ in range(book.players)]
    for place, card in enumerate(sorted(book.deck)):
        is_second = place and sorted(book.deck)[place - 1] == card
        counts = 1 << card & rules.PENALTIES or (book.bonus_card == TEXT[card] and rng.random() < 0.7)
        to_shooter = counts and (kind == 1 or (kind == 2 and not is_second))
        piles[shooter if to_shooter else rng.randrange(book.players)].append(card)
    return [CardSet.of(pile) for pile in piles], shooter


@EVERY
def test_engine_and_kernels_score_alike_whatever_was_taken(book: Rulebook) -> None:
    """Random rounds have few moons, and none with two packs; here are many, with and without bonus cards."""
    rng, knobs, players = Random(8), knobs_of(book), book.players
    state, _ = done(None, StartMatch(rulebook=book, seed="", round=0))
    row = np.zeros(round_row.width(players), np.int64)
    moons = 0
    for _ in range(120):
        taken, _ = shared_out(book, rng)
        row[:] = 0
        row[round_row.SHOOTER] = rules.NONE
        for seat, cards_taken in enumerate(taken):
            row[round_row.BLOCKS + round_row.TAKEN * players + seat] = cards_taken.held
            row[round_row.BLOCKS + round_row.TAKEN_TWICE * players + seat] = cards_taken.twice
        END_ROUND(row, knobs)
        end = replace(state, phase=PLAY, hands=(CardSet(),) * players, taken=tuple(taken), kitty=(), trick=())
        event = what_follows(end)
        if isinstance(event, MoonMade):
            assert (row[round_row.PHASE], row[round_row.TURN]) == (round_row.MOON, event.seat)
            choice = rng.choice(("add", "subtract"))
            SCORE(row, knobs, int(choice == "subtract"))
            event = what_follows(replace(end, phase=CHOSEN, choice=choice))
        assert isinstance(event, RoundScored)
        assert row[round_row.SHOOTER] == (rules.NONE if event.shooter is None else event.shooter)
        written = round_row.BLOCKS + round_row.POINTS * players
        assert tuple(row[written : written + players]) == event.points
        moons += event.shooter is not None
    assert moons > 5


@pytest.mark.parametrize("policy", [AT_RANDOM, BY_RULE])
@pytest.mark.parametrize("name", ["cardems-4", "omnibus-3", "kitty and four passed", "cancellation-7"])
def test_kernels_of_a_rulebooks_own_play_the_same_rounds(name: str, policy: int) -> None:
    """With the knobs as constants nothing is different but the time; two rulebooks do not share a kernel."""
    general = play(ALL[name], 300, seed=12, policies=policy, keep=True)
    special = play(ALL[name], 300, seed=12, policies=policy, keep=True, specialised=True)
    assert (special.points == general.points).all()
    assert (special.shooters == general.shooters).all()
    for field in Log._fields:
        assert (getattr(special.log, field) == getattr(general.log, field)).all()
