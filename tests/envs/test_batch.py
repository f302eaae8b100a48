"""The batched environment plays the same rounds as everything else, and shows nobody's cards."""

from __future__ import annotations

import numpy as np
import pytest

from kupa.cards import CardSet
from kupa.envs.batch import HeartsBatch
from kupa.hearts.rulebook import Rulebook
from kupa.sim.playing import play
from kupa.sim.policy import BY_RULE
from kupa.sim.round_row import BLOCKS, PHASE, PLAYING
from kupa.sim.shown import shown_by
from kupa.sim.stepping import NO_ACTION, empty_sights, observe_rows
from tests.sim.rulebooks import ALL

EVERY = pytest.mark.parametrize("book", ALL.values(), ids=ALL.keys())


@EVERY
def test_a_batch_plays_the_rounds_of_the_simulator(book: Rulebook) -> None:
    """With the same seed, rounds by rule end as they do in the kernel for whole rounds."""
    batch = HeartsBatch(book, 60)
    batch.reset(seed=4, first=7)
    while not batch.is_over:
        batch.step(batch.chosen_by(BY_RULE))
    assert (batch.points == play(book, 60, seed=4, first=7, policies=BY_RULE).points).all()
    assert (batch.turn == -1).all()


@EVERY
def test_observations_are_what_the_seat_on_turn_sees(book: Rulebook) -> None:
    """Hand, trick, what was taken and what is outside are the deck together; swapping two hidden hands
    changes no number of the observation.
    """
    batch = HeartsBatch(book, 80)
    batch.reset(seed=2)
    players, deck = book.players, sum(1 << card for card in set(book.deck))
    swapped = 0
    for step in range(book.players * (book.hand_size + book.pass_count) + 1):
        if batch.is_over:
            break
        on = batch.legal != 0
        table = np.where(batch.tricks >= 0, 1 << np.maximum(batch.tricks, 0), 0)
        known = batch.hands[:, 0] | batch.outside | np.bitwise_or.reduce(batch.taken | table, axis=1)
        if not book.cancellation:  # where tricks cancel, their cards wait for a taker
            assert (known[on] == deck).all()
        if book.decks == 1 and step % 3 == 0:
            rows = batch._rows.copy()
            for number in np.flatnonzero(rows[:, PHASE] == PLAYING):
                seat = int(rows[number, 1])
                left, right = BLOCKS + (seat + 1) % players, BLOCKS + (seat + 2) % players
                rows[number, [left, right]] = rows[number, [right, left]]
                swapped += 1
            again = empty_sights(len(rows), players)
            observe_rows(rows, batch.knobs, again)
            for ours, theirs in zip(batch._sights, again, strict=True):
                assert (ours == theirs).all()
        batch.step(batch.chosen_by())
    assert swapped > 100 or book.decks == 2


@EVERY
def test_a_batch_forgets_nothing_that_a_seat_has_shown(book: Rulebook) -> None:
    """At every step ``shown`` is what follows from all plays so far, and no seat holds a card of its own."""
    rounds, players = 8, book.players
    played = play(book, rounds, seed=3, policies=BY_RULE, keep=True).log
    batch = HeartsBatch(book, rounds)
    batch.reset(seed=3)
    shown_by_some = False
    for _ in range(book.pass_count * players):
        if not (batch._rows[:, PHASE] == PLAYING).all():
            batch.step(np.where(batch._rows[:, PHASE] == PLAYING, NO_ACTION, batch.chosen_by(BY_RULE)))
    assert (batch.passed[:, 0] == [played.passed[n, 0, batch.turn[n]] for n in range(rounds)]).all()
    for step in range(played.cards.shape[1]):
        for number in range(rounds):
            turn = int(batch.turn[number])
            seats, cards = played.seats[number, :step], played.cards[number, :step]
            out = np.zeros(players + 1, np.int64)
            shown_by(batch.knobs, seats.astype(np.int64), cards.astype(np.int64), out)
            assert (batch.shown[number] == np.roll(out[:players], -turn)).all()
            assert not (batch._rows[number, BLOCKS : BLOCKS + players] & out[:players]).any()
            shown_by_some |= bool(out.any())
        batch.step(played.cards[:, step].astype(np.int64))
    assert shown_by_some


def test_what_is_not_legal_is_refused_and_nothing_is_done() -> None:
    """One illegal action in a batch, and no round of it goes on."""
    batch = HeartsBatch(ALL["cardems-4"], 3)
    batch.reset(seed=1)
    wrong = batch.chosen_by().copy()
    before = batch._rows.copy()
    hand = CardSet(int(batch.hands[2, 0]))
    wrong[2] = next(card for card in range(52) if card not in hand)
    for actions in (wrong, np.array([99, NO_ACTION, NO_ACTION]), np.zeros(2, np.int64)):
        with pytest.raises(ValueError, match=r"not legal|shape"):
            batch.step(actions)
        assert (batch._rows == before).all()
    right = np.array([NO_ACTION, NO_ACTION, batch.chosen_by()[2]])
    before = batch._rows.copy()
    batch.step(right)
    assert (batch._rows[:2] == before[:2]).all()
    assert (batch._rows[2] != before[2]).any()
    with pytest.raises(ValueError, match="at least one"):
        HeartsBatch(ALL["cardems-4"], 0)
