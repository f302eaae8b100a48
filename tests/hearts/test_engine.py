"""The engine: random matches under every rulebook, and what must hold at every moment of them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kupa.cards import CardSet, cards_in
from kupa.game import replay
from kupa.hearts import events
from kupa.hearts.commands import ChooseMoon, PassCards, PlayCard, StartMatch
from kupa.hearts.engine import decide, legal, to_act
from kupa.hearts.evolution import evolve
from kupa.hearts.game import HEARTS
from kupa.hearts.presets import PRESETS, chosen_rulebook
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import MOON, OVER, PASS, PLAY, State
from kupa.refusal import Refusal
from tests.hearts.random_play import done, played, random_command, started

TABLES = [(name, players) for name, preset in PRESETS.items() for players in preset.player_counts]


def every_card(state: State) -> CardSet:
    """Return every card of the current round, wherever it is."""
    cards = CardSet.of(state.kitty).with_cards(state.trick)
    for hand in state.hands:
        cards = cards.with_cards(hand)
    for trick in state.tricks:
        cards = cards.with_cards(trick.cards)
    return cards


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_random_match_keeps_its_promises(name: str, players: int) -> None:
    """No card is lost, somebody can always act, raw points add up, and the log replays to the same state."""
    book = PRESETS[name].rulebook(players)
    log: list[events.Event] = []
    for state, happened in played(book, f"{name} {players}", Random(players)):
        log += happened
        assert every_card(state) == CardSet.of(book.deck)
        if state.phase == OVER:
            break
        assert to_act(state)
        if state.phase == PLAY:
            assert legal(state)
        for event in happened:
            if isinstance(event, events.RoundScored):
                assert sum(event.raw) == 26 * book.decks
    assert replay(HEARTS, log) == state
    assert max(state.totals) >= book.target
    assert [total for seat, total in enumerate(state.totals) if seat in state.winners] == [
        min(state.totals)
    ] * len(state.winners)
    assert tuple(map(sum, zip(*state.rounds, strict=True))) == state.totals


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_log_written_as_json_replays_to_the_same_state(name: str, players: int) -> None:
    """Every event survives being written and read."""
    book = PRESETS[name].rulebook(players)
    log = [event for _, happened in played(book, "log", Random(1)) for event in happened]
    written = [HEARTS.write_event(event) for event in log]
    assert all(isinstance(data["type"], str) for data in written)
    assert [HEARTS.read_event(data, 1) for data in written] == log


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_refusal_says_which_rule_and_the_legal_cards_are_exactly_those_accepted(
    name: str, players: int
) -> None:
    """At every turn of a round each card of the hand is accepted if and only if it is in the legal set."""
    book = PRESETS[name].rulebook(players)
    rng = Random(players)
    codes = set()
    for state, _ in played(book, "exact", rng):
        if state.phase != PLAY or state.turn is None:
            continue
        allowed = set(cards_in(legal(state)))
        for card in set(state.hands[state.turn]):
            answer = decide(state, PlayCard(state.turn, card))
            assert isinstance(answer, Refusal) == (card not in allowed)
            if isinstance(answer, Refusal):
                codes.add(answer.code)
        if state.round > 2:
            break
    expected = {"must_follow_suit", "hearts_not_broken"}
    if book.opening == "lowest_club":
        expected.add("must_lead_opening_card")
    assert codes >= expected
    assert codes <= {*expected, "no_points_on_first_trick"}


def test_passes_are_hidden_until_all_have_chosen() -> None:
    """Cards change hands only with the last choice, all at once."""
    state, _ = started(PRESETS["cardems"].rulebook(), "kupa")
    before = state.hands
    for seat in (2, 0, 3):
        state, happened = done(state, PassCards(seat, tuple(state.hands[seat])[:3]))
        assert [type(event) for event in happened] == [events.PassChosen]
        assert state.hands == before
    state, happened = done(state, PassCards(1, tuple(state.hands[1])[:3]))
    assert [type(event) for event in happened] == [
        events.PassChosen,
        events.PassesMade,
        events.PlayBegan,
    ]
    for seat in range(4):
        given_cards, got = state.passed[seat], state.received[(seat + 1) % 4]
        assert given_cards == got
        assert len(state.hands[seat]) == 13


@pytest.mark.parametrize("number", range(8))
def test_the_direction_of_passing_turns_with_the_round(number: int) -> None:
    """Left, right, across, hold, and over again."""
    state, _ = done(None, StartMatch(rulebook=PRESETS["klasik"].rulebook(), seed="kupa", round=number))
    direction = ("left", "right", "across", "hold")[number % 4]
    assert state.direction == direction
    assert state.phase == (PLAY if direction == "hold" else PASS)


def test_no_passing_at_all_means_hold() -> None:
    """A table that passes no cards goes straight to play, whatever the cycle says."""
    book = chosen_rulebook("klasik", None, {"pass_count": 0})
    assert isinstance(book, Rulebook)
    state, _ = started(book, "kupa")
    assert (state.phase, state.direction) == (PLAY, "hold")


MOON_HANDS = tuple(tuple(range(suit * 16, suit * 16 + 13)) for suit in (3, 0, 1, 2))
"""Seat 0 holds every heart, seat 3 every spade; without the queen's taker nobody can be stopped."""


def moon_of_seat_zero(preset: str, totals: tuple[int, ...], **overrides: object) -> State:
    """Play a round without passing in which seat 0 takes every trick, the queen with them."""
    book = chosen_rulebook(preset, None, {"opening": "left_of_dealer", "pass_count": 0, **overrides})
    assert isinstance(book, Rulebook)
    state, _ = done(None, StartMatch(rulebook=book, seed="moon", hands=MOON_HANDS, totals=totals, round=0))
    while state.phase == PLAY and state.round == 0:
        choices = cards_in(legal(state))
        state, _ = done(state, PlayCard(state.turn or 0, choices[-1]))
    return state


def test_the_shooter_chooses_once_and_the_match_waits() -> None:
    """After the last trick, before the points are written, only the shooter may answer."""
    state = moon_of_seat_zero("parlour", (0, 0, 0, 0))
    assert (state.phase, state.turn, state.rounds) == (MOON, 0, ())
    assert decide(state, ChooseMoon(1, "add")) == Refusal("not_your_turn")
    assert decide(state, ChooseMoon(0, "keep")) == Refusal("bad_choice")
    assert decide(state, PlayCard(0, 0)) == Refusal("wrong_phase", "moon")
    added, _ = done(state, ChooseMoon(0, "add"))
    assert added.totals == (0, 26, 26, 26)
    subtracted, _ = done(state, ChooseMoon(0, "subtract"))
    assert subtracted.totals == (-26, 0, 0, 0)
    assert subtracted.last_round is not None
    assert (subtracted.last_round.shooter, subtracted.last_round.choice) == (0, "subtract")


def test_the_end_of_the_match_is_judged_after_the_choice() -> None:
    """Adding ends this match, subtracting does not."""
    state = moon_of_seat_zero("parlour", (0, 80, 0, 0))
    assert done(state, ChooseMoon(0, "add"))[0].phase == OVER
    assert done(state, ChooseMoon(0, "subtract"))[0].winners == ()


@pytest.mark.parametrize(
    ("preset", "overrides", "points"),
    [
        ("cardems", {}, (0, 26, 26, 26)),
        ("klasik", {}, (0, 13, 13, 13)),
        ("cardems", {"moon": "subtract"}, (-26, 0, 0, 0)),
        ("cardems", {"bonus_card": "JD"}, (-10, 26, 26, 26)),
    ],
)
def test_a_moon_scores_as_its_rulebook_says(
    preset: str, overrides: dict[str, object], points: tuple[int, ...]
) -> None:
    """To the others, or from the shooter, and the bonus card besides."""
    state = moon_of_seat_zero(preset, (0, 0, 0, 0), **overrides)
    assert state.rounds[0] == points


def test_a_table_may_end_rounds_early() -> None:
    """With end_early a round is scored as soon as nothing that counts is left, and scores the same."""
    rng, early = Random(7), 0
    book = PRESETS["klasik"].rulebook()
    for number in range(30):
        state, _ = done(None, StartMatch(rulebook=book, seed=str(number), end_early=True, round=3))
        while state.last_round is None:
            state, _ = done(state, random_command(state, rng))
        assert sum(state.last_round.raw) == 26
        early += len(state.last_round.tricks) < 13
    assert early > 3


@settings(max_examples=50, deadline=None)
@given(seed=st.text(max_size=20).filter(lambda s: s.isprintable()), players=st.integers(3, 7), data=st.data())
def test_any_seed_text_deals_the_whole_deck(seed: str, players: int, data: st.DataObject) -> None:
    """Hands are equal, and together with the kitty they are the deck."""
    book = PRESETS["parlour"].rulebook(players)
    state, _ = started(book, seed)
    assert {len(hand) for hand in state.hands} == {book.hand_size}
    assert every_card(state) == CardSet.of(book.deck)
    command = random_command(state, Random(data.draw(st.integers(0, 1000))))
    assert not isinstance(decide(state, command), Refusal)


def test_an_event_out_of_place_is_an_error_and_not_a_state() -> None:
    """A damaged log is told as such: evolve raises ValueError."""
    with pytest.raises(ValueError, match="begins with"):
        evolve(None, events.PlayBegan(0))
    state, _ = started(PRESETS["klasik"].rulebook(), "kupa")
    with pytest.raises(ValueError, match="cannot happen"):
        evolve(state, events.CardPlayed(0, "XX", False))
