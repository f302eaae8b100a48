"""What a seat may know: nothing that depends on a card it cannot see."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from kupa.cards import Card, CardSet, texts
from kupa.hearts import events
from kupa.hearts.game import HEARTS
from kupa.hearts.presets import PRESETS
from kupa.hearts.state import OVER, State
from kupa.hearts.view import view
from tests.hearts.random_play import played

TABLES = [(name, players) for name, preset in PRESETS.items() for players in preset.player_counts]


def with_other_secrets(state: State, seat: int | None, rng: Random) -> State:
    """Return a state that differs from this one in everything that a seat cannot see, and in nothing else.

    None is a watcher, who sees no hand at all.
    """
    hides_kitty = seat is None or state.kitty_taker != seat
    places = [other for other in range(state.players) if other != seat]
    hidden: list[Card] = [card for other in places for card in state.hands[other]]
    hidden += state.kitty if hides_kitty else ()
    rng.shuffle(hidden)
    hands = list(state.hands)
    for other in places:
        size = len(hands[other])
        hands[other] = CardSet.of(hidden[:size])
        del hidden[:size]
    passed = [
        given if other == seat or given is None else tuple(list(hands[other])[: len(given)])
        for other, given in enumerate(state.passed)
    ]
    received = [
        got if other == seat else got and tuple(rng.sample(range(40), len(got)))
        for other, got in enumerate(state.received)
    ]
    return replace(
        state,
        seed="another seed",
        hands=tuple(hands),
        start_hands=(),
        passed=tuple(passed),
        received=tuple(received),
        kitty=tuple(hidden) if hides_kitty else state.kitty,
    )


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_view_is_the_same_byte_for_byte_whatever_the_seat_cannot_see(name: str, players: int) -> None:
    """Hidden hands, passes, kitty and seed are changed at every moment of a match; no view changes."""
    rng = Random(players)
    compared = 0
    for state, _ in played(PRESETS[name].rulebook(players), f"secret {name}", rng):
        if state.round > 3:
            break
        for seat in (None, *range(players)):
            other = with_other_secrets(state, seat, rng)
            assert msgspec.json.encode(view(state, seat)) == msgspec.json.encode(view(other, seat))
            compared += other.hands != state.hands
    assert compared > 100


def _seen(event: events.Event, seat: int | None) -> bytes:
    return msgspec.json.encode(HEARTS.event_view(event, seat))


def _shuffled(hands: Sequence[Sequence[str]], seat: int | None) -> tuple[tuple[str, ...], ...]:
    """Return hands in which those of the other seats have moved on by one seat."""
    others = [hand for other, hand in enumerate(hands) if other != seat]
    others = others[1:] + others[:1]
    return tuple(tuple(hand) if other == seat else tuple(others.pop(0)) for other, hand in enumerate(hands))


def _with_other_secrets(event: events.Event, seat: int | None) -> events.Event:
    """Return an event that differs in everything that a seat may not see of it."""
    if isinstance(event, events.MatchStarted):
        return replace(event, seed="another", hands=(("AS",),))
    if isinstance(event, events.RoundDealt):
        kitty = tuple("2C" for _ in event.kitty)
        return replace(event, hands=_shuffled(event.hands, seat), kitty=kitty)
    if isinstance(event, events.PassChosen) and event.seat != seat:
        return replace(event, cards=("2C", "3C", "4C"))
    if isinstance(event, events.PassesMade):
        return replace(event, received=_shuffled(event.received, seat))
    if isinstance(event, events.TrickTaken) and (seat is None or event.taker != seat):
        return replace(event, kitty_points=event.kitty_points + 5)
    if isinstance(event, events.KittyTaken) and event.seat != seat:
        return replace(event, cards=tuple("2C" for _ in event.cards))
    return event


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_what_a_seat_is_told_of_an_event_holds_no_secret(name: str, players: int) -> None:
    """Every event of a match, with all changed that a seat may not see: the seat is told the same bytes."""
    changed = set()
    for _, happened in played(PRESETS[name].rulebook(players), "told", Random(1)):
        for event in happened:
            for seat in (None, *range(players)):
                other = _with_other_secrets(event, seat)
                assert _seen(event, seat) == _seen(other, seat)
                if other != event:
                    changed.add(type(event).__name__)
    expected = {"MatchStarted", "RoundDealt", "TrickTaken"}
    expected |= {"PassChosen", "PassesMade"} if name != "cancellation" else set()
    expected |= {"KittyTaken"} if name == "cancellation" and players != 8 else set()
    assert changed == expected


def test_the_kitty_is_its_takers_secret_until_the_round_is_over() -> None:
    """Only its taker sees the kitty and its points; when the match is over, everybody's points are whole."""
    book = PRESETS["cancellation"].rulebook(7)
    seen = 0
    for state, _ in played(book, "kitty", Random(3)):
        taker = state.kitty_taker
        for seat in range(7):
            own = view(state, seat)
            if seat == taker:
                assert own.kitty == texts(state.kitty)
            else:
                assert own.kitty == 6
            if state.phase == OVER:
                assert sum(own.taken) == 52
            elif taker is not None and state.tricks:
                seen += own.taken[taker] != view(state, taker).taken[taker]
    assert seen


def test_only_the_seat_on_turn_is_told_what_it_may_play() -> None:
    """`legal` is filled for the seat on turn, and for nobody else."""
    for state, _ in played(PRESETS["klasik"].rulebook(), "turn", Random(5)):
        told = [bool(view(state, seat).legal) for seat in range(4)]
        assert told == [seat == state.turn and state.phase == "play" for seat in range(4)]
