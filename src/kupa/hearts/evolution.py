"""How each event changes the state of a match of Hearts. Pure, and without a rule: events carry results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from kupa.cards import BY_TEXT, Card, CardSet, CardText
from kupa.hearts import events
from kupa.hearts.state import (
    CHOSEN,
    CLAIMED,
    DEAL,
    MOON,
    OPEN,
    OVER,
    PASS,
    PLAY,
    SCORED,
    FinishedRound,
    State,
    Trick,
)

Value = TypeVar("Value")


def evolve(state: State | None, event: events.Event) -> State:
    """Return the state after an event.

    Raises:
        ValueError: the event cannot happen to this state, as in a damaged log.
    """
    if isinstance(event, events.MatchStarted):
        return _started(event)
    if state is None:
        raise ValueError(f"a match begins with match_started, not {type(event).__name__}")
    try:
        return _CHANGES[type(event)](state, event)
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"{type(event).__name__} cannot happen here: {error}") from error


def _cards(texts: tuple[CardText, ...]) -> tuple[Card, ...]:
    return tuple(BY_TEXT[text] for text in texts)


def _changed(values: tuple[Value, ...], place: int, value: Value) -> tuple[Value, ...]:
    if not 0 <= place < len(values):
        raise IndexError(f"there is no seat {place}")
    return (*values[:place], value, *values[place + 1 :])


def _started(event: events.MatchStarted) -> State:
    return State(
        rulebook=event.rulebook,
        knobs=event.rulebook.knobs(),
        preset=event.preset,
        seed=event.seed,
        end_early=event.end_early,
        fixed_hands=None if event.hands is None else tuple(_cards(hand) for hand in event.hands),
        phase=DEAL,
        totals=event.totals,
        round=event.round,
    )


def _dealt(state: State, event: events.RoundDealt) -> State:
    players = state.players
    return replace(
        state,
        fixed_hands=None,
        phase=OPEN if event.direction == "hold" else PASS,
        round=event.round,
        direction=event.direction,
        dealer=event.dealer,
        turn=None,
        hands=tuple(CardSet.of(_cards(hand)) for hand in event.hands),
        start_hands=(),
        passed=(None,) * players,
        received=((),) * players,
        trick=(),
        tricks=(),
        waiting=(),
        broken=False,
        taken=(CardSet(),) * players,
        kitty=_cards(event.kitty),
        kitty_taker=None,
        choice=None,
    )


def _pass_chosen(state: State, event: events.PassChosen) -> State:
    return replace(state, passed=_changed(state.passed, event.seat, _cards(event.cards)))


def _passes_made(state: State, event: events.PassesMade) -> State:
    received = tuple(_cards(cards) for cards in event.received)
    hands = tuple(
        hand.without_all(given or ()).with_cards(got)
        for hand, given, got in zip(state.hands, state.passed, received, strict=True)
    )
    return replace(state, phase=OPEN, hands=hands, received=received)


def _play_began(state: State, event: events.PlayBegan) -> State:
    return replace(state, phase=PLAY, leader=event.leader, turn=event.leader, start_hands=state.hands)


def _card_played(state: State, event: events.CardPlayed) -> State:
    seat, card = event.seat, BY_TEXT[event.card]
    trick = (*state.trick, card)
    return replace(
        state,
        hands=_changed(state.hands, seat, state.hands[seat].without(card)),
        trick=trick,
        turn=None if len(trick) == state.players else (seat + 1) % state.players,
        broken=state.broken or event.breaks,
    )


def _trick_taken(state: State, event: events.TrickTaken) -> State:
    trick = Trick(event.leader, state.trick, event.winner, event.taker, event.points, event.kitty_points)
    leader = event.leader if event.taker is None else event.taker
    if event.taker is None:
        taken, waiting = state.taken, state.waiting + state.trick
    else:
        gain = state.taken[event.taker].with_cards(state.trick + state.waiting)
        taken, waiting = _changed(state.taken, event.taker, gain), ()
    return replace(
        state,
        trick=(),
        tricks=(*state.tricks, trick),
        leader=leader,
        turn=leader if state.hands[leader].held else None,
        waiting=waiting,
        taken=taken,
    )


def _kitty_taken(state: State, event: events.KittyTaken) -> State:
    gain = state.taken[event.seat].with_cards(_cards(event.cards))
    return replace(state, kitty_taker=event.seat, taken=_changed(state.taken, event.seat, gain))


def _claimed(state: State, event: events.Claimed) -> State:
    if not 0 <= event.seat < state.players:
        raise IndexError(f"there is no seat {event.seat}")
    # What lies on the table belongs to no trick any more.
    return replace(state, phase=CLAIMED, turn=None, trick=())


def _moon_made(state: State, event: events.MoonMade) -> State:
    return replace(state, phase=MOON, turn=event.seat)


def _moon_chosen(state: State, event: events.MoonChosen) -> State:
    return replace(state, phase=CHOSEN, turn=None, choice=event.choice)


def _scored(state: State, event: events.RoundScored) -> State:
    finished = FinishedRound(
        tricks=state.tricks,
        raw=event.raw,
        points=event.points,
        shooter=event.shooter,
        choice=event.choice,
        bonus=event.bonus,
        kitty=state.kitty,
        hands=state.start_hands,
    )
    return replace(
        state,
        phase=SCORED,
        turn=None,
        totals=event.totals,
        rounds=(*state.rounds, event.points),
        last_round=finished,
        extra_round=None,
        perfect=(),
    )


def _extra_round(state: State, event: events.ExtraRound) -> State:
    return replace(state, phase=DEAL, extra_round=event.reason, perfect=event.perfect)


def _over(state: State, event: events.MatchOver) -> State:
    return replace(state, phase=OVER, winners=event.winners)


_CHANGES: Final[dict[type[events.Event], Callable[[State, Any], State]]] = {
    events.RoundDealt: _dealt,
    events.PassChosen: _pass_chosen,
    events.PassesMade: _passes_made,
    events.PlayBegan: _play_began,
    events.CardPlayed: _card_played,
    events.TrickTaken: _trick_taken,
    events.KittyTaken: _kitty_taken,
    events.Claimed: _claimed,
    events.MoonMade: _moon_made,
    events.MoonChosen: _moon_chosen,
    events.RoundScored: _scored,
    events.ExtraRound: _extra_round,
    events.MatchOver: _over,
}
