"""What a bot remembers and counts is what happened, told from one seat."""

from __future__ import annotations

from random import Random

import pytest

from kupa.bots.memory import Memory
from kupa.bots.position import Book, Position
from kupa.cards import CardSet
from kupa.hearts.state import PLAY, State
from kupa.hearts.view import view
from tests.bots.scenes import TABLES, as_told, rulebook
from tests.hearts.random_play import played


def voids_shown(state: State) -> dict[int, int]:
    """Return by seat the suits that it failed to follow, from the truth."""
    shown: dict[int, int] = {}
    tricks = [(trick.leader, trick.cards) for trick in state.tricks] + [(state.leader, state.trick)]
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            if card >> 4 != cards[0] >> 4:
                seat = (leader + place) % state.players
                shown[seat] = shown.get(seat, 0) | 1 << (cards[0] >> 4)
    return shown


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_what_is_remembered_is_what_happened(name: str, players: int) -> None:
    """Fallen cards, shown voids, waiting cards and cards taken agree with the state, told to any seat; only
    the kitty of another is missing.
    """
    seen_kitty = 0
    seats = {0, players // 2, players - 1}
    memories = {seat: Memory() for seat in seats}
    for state, events in played(rulebook(name, players), f"memory {name}", Random(7)):
        for seat in seats:
            for event in events:
                memories[seat].told(as_told(event, seat))
        if state.round > 5:
            break
        if state.phase != PLAY:
            continue
        fallen = [card for trick in state.tricks for card in trick.cards] + list(state.trick)
        for seat, memory in memories.items():
            assert memory.fallen == CardSet.of(fallen)
            assert memory.voids == voids_shown(state)
            assert memory.waiting == state.waiting
            for other, cards in enumerate(state.taken):
                hidden = state.kitty if state.kitty_taker == other and other != seat else ()
                assert memory.taken.get(other, CardSet()) == cards.without_all(hidden)
                seen_kitty += bool(hidden)
    assert bool(seen_kitty) == (name == "cancellation" and players != 8)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_what_is_counted_as_out_is_what_others_hold(name: str, players: int) -> None:
    """The deck less what a seat has seen is exactly what lies in the other hands and in a kitty unseen."""
    memory = Memory()
    book = Book(rulebook(name, players))
    compared = 0
    for state, events in played(book.rulebook, f"out {name}", Random(11)):
        for event in events:
            memory.told(as_told(event, 1))
        if state.round > 3:
            break
        hidden = [card for seat, hand in enumerate(state.hands) if seat != 1 for card in hand]
        if state.kitty_taker != 1:
            hidden += state.kitty
        pos = Position(view(state, 1), memory, book)
        assert pos.out == CardSet.of(hidden)
        assert (pos.cards_out, pos.hidden_kitty) == (
            len(hidden),
            0 if state.kitty_taker == 1 else len(state.kitty),
        )
        compared += 1
    assert compared > 50


def tell_trick(memory: Memory, plays: str, taker: int | None) -> None:
    """Tell a trick; a play is a seat and a card, ``0:2C``."""
    for play in plays.split():
        seat, card = play.split(":")
        memory.told({"type": "card_played", "seat": int(seat), "card": card, "breaks": False})
    memory.told({"type": "trick_taken", "leader": 0, "winner": taker, "taker": taker, "points": 0})


def test_cards_of_a_cancelled_trick_wait_for_the_next_taker() -> None:
    """Whoever takes the next trick is remembered with the cards of both."""
    memory = Memory()
    tell_trick(memory, "0:9C 1:9C 2:QS", None)
    assert (len(memory.waiting), memory.penalty_takers()) == (3, [])
    tell_trick(memory, "0:4C 1:3C 2:2H", 0)
    assert (memory.waiting, memory.penalty_takers()) == ((), [0])
    assert len(memory.taken[0]) == 6


def test_high_leads_are_counted() -> None:
    """Only the leader's card counts, and only from the queen up."""
    memory = Memory()
    tell_trick(memory, "2:QC 3:KC 0:AC 1:2C", 0)
    tell_trick(memory, "0:JC 1:3C 2:4C 3:5C", 0)
    assert memory.bold_leads == {2: 1, 0: 0}


def test_kinds_of_events_that_are_not_known_are_passed_over() -> None:
    """An event of a later release does not stop a bot."""
    memory = Memory()
    memory.told({"type": "chat", "seat": 1, "text": "2C"})
    assert memory.fallen == CardSet()
