"""Skipping the rest of a round in which nothing that counts is left to be taken."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from kupa.cards import TEXT, Card, CardSet, card_of, cards_in
from kupa.game import replay
from kupa.hearts import rules
from kupa.hearts.commands import Claim, PlayCard, read_command
from kupa.hearts.engine import can_claim, decide, legal
from kupa.hearts.events import (
    CardPlayed,
    Claimed,
    KittyTaken,
    MoonMade,
    RoundScored,
    TrickTaken,
    read_event,
    write_event,
)
from kupa.hearts.game import HEARTS
from kupa.hearts.presets import PRESETS
from kupa.hearts.state import PLAY, State
from kupa.hearts.view import view
from kupa.record import Record, read_record, verified, write_record
from kupa.referee.hearts import seat_view
from kupa.refusal import Refusal
from tests.hearts.random_play import done, played, random_command, started
from tests.hearts.test_view import with_other_secrets

TABLES = [(name, players) for name, preset in PRESETS.items() for players in preset.player_counts]


def counts(state: State, card: Card) -> bool:
    """Tell whether a card counts: a heart, the queen of spades, the bonus card."""
    return card >> 4 == 3 or card == card_of("QS") or TEXT[card] == state.rulebook.bonus_card


def left_in_truth(state: State) -> bool:
    """Tell whether a card that counts is in a hand, on the table, or waits for a taker."""
    cards = [card for hand in state.hands for card in hand] + list(state.trick) + list(state.pile)
    return any(counts(state, card) for card in cards)


def seen_in_truth(state: State, seat: int) -> bool:
    """Tell whether a seat has seen all cards that count being taken, by counting what it was shown."""
    counting = [card for card in state.rulebook.deck if counts(state, card)]
    shown = [card for trick in state.tricks for card in trick.cards]
    for card in state.waiting:
        shown.remove(card)
    shown += state.kitty if state.kitty_taker == seat else ()
    return all(shown.count(card) >= counting.count(card) for card in counting)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_claim_is_open_exactly_when_the_seat_has_seen_all_that_counts_being_taken(
    name: str, players: int
) -> None:
    """At every moment of a match: the view says so, the command agrees, and then nothing is left in truth."""
    open_to = closed_to = 0
    for state, _ in played(PRESETS[name].rulebook(players), f"claim {name}", Random(6)):
        for seat in range(players):
            expected = state.phase == PLAY and seen_in_truth(state, seat)
            assert view(state, seat).can_claim == can_claim(state, seat) == expected
            answer = decide(state, Claim(seat))
            if expected:
                assert not left_in_truth(state)
                assert not isinstance(answer, Refusal)
                open_to += 1
            else:
                assert isinstance(answer, Refusal)
                assert answer.code == ("cannot_claim" if state.phase == PLAY else "wrong_phase")
                closed_to += state.phase == PLAY
        assert not view(state, None).can_claim
    assert open_to
    assert closed_to


def open_claims(name: str, players: int) -> Iterator[tuple[State, int]]:
    """Yield states of random matches in which a claim is open, each with a seat that may claim."""
    for number in range(20):
        for state, _ in played(PRESETS[name].rulebook(players), f"open {number}", Random(number), name):
            able = [seat for seat in range(players) if can_claim(state, seat)]
            if able:
                yield state, able[number % len(able)]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_claimed_round_is_scored_as_it_would_have_been_if_played_out(name: str, players: int) -> None:
    """Where a claim is open, playing on at random writes the same points, and leads to the same next deal."""
    rng = Random(7)
    compared = 0
    for state, seat in itertools.islice(open_claims(name, players), 12):
        claimed, events = done(state, Claim(seat))
        assert events[0] == Claimed(seat)
        on = state
        while len(on.rounds) == len(state.rounds) and on.phase == PLAY:
            on, _ = done(on, PlayCard(on.turn or 0, rng.choice(cards_in(legal(on)))))
        assert (claimed.phase, claimed.rounds, claimed.totals) == (on.phase, on.rounds, on.totals)
        assert (claimed.winners, claimed.round, claimed.trick) == (on.winners, on.round, ())
        if claimed.phase in {"pass", "play"}:
            assert claimed.hands == on.hands
        compared += 1
    assert compared


def claimed_match(name: str, players: int, seed: str) -> tuple[State, list[object]]:
    """Play a match at random in which whoever can claim does so, now and then in the middle of a trick."""
    rng = Random(seed)
    state, events = started(PRESETS[name].rulebook(players), seed, name)
    while state.phase != "over":
        able = [seat for seat in range(players) if can_claim(state, seat)]
        if able and rng.random() < 0.8:
            state, more = done(state, Claim(rng.choice(able)))
        else:
            state, more = done(state, random_command(state, rng))
        events += more
    return state, list(events)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_match_with_claims_is_stored_replayed_written_and_verified(name: str, players: int) -> None:
    """Log and record give the same state back, and today's rules lead to the very events."""
    matches = (claimed_match(name, players, f"written {number}") for number in range(20))
    state, events = next(match for match in matches if any(isinstance(event, Claimed) for event in match[1]))
    stored = [read_event(write_event(event), 1) for event in events]  # type: ignore[arg-type]
    assert replay(HEARTS, stored) == state
    text = write_record(Record("hearts", tuple(events)))
    record = read_record(text)
    assert record == Record("hearts", tuple(events))
    assert verified(record) is None
    assert write_record(record) == text


def test_some_claims_come_in_the_middle_of_a_trick() -> None:
    """What lies on the table is cleared; the record tells those cards without a taker."""
    found = 0
    for number in range(30):
        _, events = claimed_match("klasik", 4, f"middle {number}")
        for before, event in itertools.pairwise(events):
            found += isinstance(event, Claimed) and isinstance(before, CardPlayed)
    assert found


def test_a_claim_that_is_not_open_makes_a_record_that_does_not_hold() -> None:
    """A line that claims too early, or for a seat that is not there, is found out."""
    _, events = claimed_match("klasik", 4, "forged")
    text = write_record(Record("hearts", tuple(events)))
    assert " claims" in text
    early = next(line for line in text.split("\n") if line.startswith("  trick 1, "))
    forged = read_record(text.replace(early, f"{early}\n  seat 0 claims", 1))
    assert isinstance(forged, Refusal) or verified(forged) is not None
    line = next(line for line in text.split("\n") if line.endswith(" claims"))
    assert isinstance(read_record(text.replace(line, "  seat 9 claims", 1)), Refusal)


def cancellation_with_points_in_the_kitty() -> Iterator[State]:
    """Yield states of a table of seven in which only the kitty holds what has not fallen of what counts."""
    for number in range(60):
        for state, _ in played(PRESETS["cancellation"].rulebook(7), f"hidden {number}", Random(number)):
            counts_hidden = any(counts(state, card) for card in state.kitty)
            if state.kitty_taker is not None and counts_hidden and not left_in_truth(state):
                yield state
            if state.rounds:
                break


def test_a_kitty_that_one_has_not_seen_keeps_a_claim_shut_and_tells_nothing() -> None:
    """Only the kitty's taker may claim; to the others it looks as if the card were in somebody's hand."""
    found = 0
    for state in cancellation_with_points_in_the_kitty():
        if state.phase != PLAY:
            continue
        found += 1
        taker = state.kitty_taker
        for seat in range(7):
            assert can_claim(state, seat) == (seat == taker)
            if seat != taker:
                other = with_other_secrets(state, seat, Random(found))
                assert not can_claim(other, seat)
                assert decide(state, Claim(seat)) == decide(other, Claim(seat)) == Refusal("cannot_claim")
    assert found


def test_cards_that_wait_for_the_next_taker_are_still_to_be_taken() -> None:
    """A heart in a cancelled trick waits: nobody may claim before somebody has taken it."""
    state = next(
        state
        for number in range(200)
        for state, _ in played(PRESETS["cancellation"].rulebook(8), f"wait {number}", Random(number))
        if state.waiting and state.phase == PLAY
    )
    last = replace(
        state,
        trick=(),
        waiting=(card_of("2H"),),
        hands=tuple(CardSet.of([card_of("3C")]) for _ in state.hands),
    )
    assert not any(can_claim(last, seat) for seat in range(8))
    assert all(can_claim(replace(last, waiting=(card_of("2C"),)), seat) for seat in range(8))


def test_a_bonus_card_counts_where_the_rulebook_has_one() -> None:
    """The jack of diamonds in a hand keeps a claim shut at an Omnibus table, and at no other."""
    for name, is_open in (("omnibus", False), ("klasik", True)):
        state = next(s for s, _ in played(PRESETS[name].rulebook(), "jack", Random(1)) if s.phase == PLAY)
        hands = (CardSet.of([card_of("JD")]), *(CardSet.of([card_of("3C")]) for _ in range(3)))
        assert can_claim(replace(state, trick=(), hands=hands), 0) is is_open


def test_a_moon_with_a_choice_is_chosen_after_a_claim() -> None:
    """A claim after one seat has taken everything leads to its choice, as the end of the round does."""
    state = next(s for s, _ in played(PRESETS["parlour"].rulebook(4), "moon", Random(1)) if s.phase == PLAY)
    assert state.knobs.moon == rules.CHOICE
    everything = CardSet.of(card for card in state.rulebook.deck if 1 << card & rules.PENALTIES)
    clubs = iter(card for card in state.rulebook.deck if card >> 4 == 0)
    hands = tuple(CardSet.of([next(clubs)]) for _ in range(4))
    shot = replace(state, trick=(), hands=hands, taken=(CardSet(), everything, CardSet(), CardSet()))
    after, events = done(shot, Claim(3))
    assert events == [Claimed(3), MoonMade(1)]
    assert (after.phase, after.turn) == ("moon", 1)


def test_a_claim_is_read_strictly() -> None:
    """It has a type and nothing else; the seat comes from the caller."""
    assert read_command({"type": "claim"}, 2) == Claim(2)
    refused = read_command({"type": "claim", "seat": 1}, 2)
    assert isinstance(refused, Refusal)
    assert refused.code == "bad_request"


def test_the_public_protocol_knows_no_claims() -> None:
    """The referee's view of a seat has the keys that it always had."""
    state, _ = next(played(PRESETS["klasik"].rulebook(), "keys", Random(1)))
    assert "can_claim" not in seat_view(state, 0)
    assert seat_view(state, 0)["winners"] == ()


def test_a_round_ends_by_itself_only_where_the_table_says_so() -> None:
    """Without a claim a round is played out: the last trick is taken before the score is written."""
    for _, events in played(PRESETS["klasik"].rulebook(), "whole", Random(2)):
        scored = [place for place, event in enumerate(events) if isinstance(event, RoundScored)]
        for place in scored:
            assert isinstance(events[place - 1], TrickTaken | KittyTaken)
