"""What one seat of Hearts may know, built up from nothing.

A view names, one by one, the things that its seat has been shown. Nothing in it depends on a card that the
seat cannot see: two states that differ only in such cards give equal views.
"""

from __future__ import annotations

from typing import Any

import msgspec

from kupa.cards import TEXT, CardSet, CardText, cards_in, texts
from kupa.hearts import rules
from kupa.hearts.engine import legal
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import OVER, State, Trick


class SeatCard(msgspec.Struct, frozen=True):
    """A card on the table, and who played it."""

    seat: int
    card: CardText


class TrickView(msgspec.Struct, frozen=True):
    """The last finished trick, as everybody saw it."""

    leader: int
    cards: tuple[SeatCard, ...]
    winner: int | None
    points: int


class TrickNote(msgspec.Struct, frozen=True):
    """What may be known of an earlier trick."""

    number: int
    """Counted from 1."""
    winner: int | None
    points: int


class Given(msgspec.Struct, frozen=True):
    """The cards that the seat passed, and to whom they go."""

    cards: tuple[CardText, ...]
    to: int


class Received(msgspec.Struct, frozen=True, rename={"giver": "from"}):
    """The cards that the seat received, and from whom."""

    cards: tuple[CardText, ...]
    giver: int


class LastRound(msgspec.Struct, frozen=True):
    """What may be known of the round before this one."""

    raw: tuple[int, ...]
    points: tuple[int, ...]
    shooter: int | None
    choice: str | None


class View(msgspec.Struct, frozen=True, kw_only=True):
    """All that a seat may know. The names are those of the public protocol."""

    game: str
    phase: str
    rules: Rulebook
    round: int
    direction: str
    dealer: int
    turn: int | None
    seat: int
    hand: tuple[CardText, ...]
    counts: tuple[int, ...]
    passed: tuple[bool, ...]
    my_pass: Given | None
    received: Received | None
    legal: tuple[CardText, ...]
    """Filled only when it is this seat's turn to play."""
    trick: tuple[SeatCard, ...]
    last_trick: TrickView | None
    """The last trick of this round, until the next is complete."""
    tricks: tuple[TrickNote, ...]
    pile_count: int
    broken: bool
    taken: tuple[int, ...]
    """Raw points; the kitty's are counted for its taker alone until the round is over."""
    kitty: tuple[CardText, ...] | int
    totals: tuple[int, ...]
    rounds: tuple[tuple[int, ...], ...]
    last_round: LastRound | None
    extra_round: str | None
    perfect: tuple[int, ...]
    winners: tuple[int, ...]


def view(state: State, seat: int) -> View:
    """Return what a seat may know of a match.

    Args:
        state: the whole truth.
        seat: 0 to players-1.
    """
    last = state.last_round
    return View(
        game="hearts",
        phase=state.phase,
        rules=state.rulebook,
        round=state.round,
        direction=state.direction,
        dealer=state.dealer,
        turn=state.turn,
        seat=seat,
        hand=state.hands[seat].texts,
        counts=tuple(map(len, state.hands)),
        passed=tuple(cards is not None for cards in state.passed),
        my_pass=_my_pass(state, seat),
        received=_received(state, seat),
        legal=texts(cards_in(legal(state))) if state.turn == seat else (),
        trick=_seat_cards(state.leader, state.trick, state.players),
        last_trick=_last_trick(state, seat),
        tricks=tuple(
            TrickNote(number, trick.winner, _points_seen(state, trick, seat))
            for number, trick in enumerate(state.tricks, 1)
        ),
        pile_count=len(state.pile),
        broken=state.broken,
        taken=_taken(state, seat),
        kitty=texts(state.kitty) if state.kitty and state.kitty_taker == seat else len(state.kitty),
        totals=state.totals,
        rounds=state.rounds,
        last_round=None if last is None else LastRound(last.raw, last.points, last.shooter, last.choice),
        extra_round=state.extra_round,
        perfect=state.perfect,
        winners=state.winners,
    )


def _direction(state: State) -> int:
    return {"hold": rules.HOLD, "left": rules.LEFT, "right": rules.RIGHT, "across": rules.ACROSS}[
        state.direction
    ]


def _my_pass(state: State, seat: int) -> Given | None:
    cards = state.passed[seat]
    if cards is None:
        return None
    return Given(texts(cards), rules.pass_target(seat, _direction(state), state.players))


def _received(state: State, seat: int) -> Received | None:
    cards = state.received[seat]
    if not cards:
        return None
    givers = range(state.players)
    direction = _direction(state)
    giver = next(s for s in givers if rules.pass_target(s, direction, state.players) == seat)
    return Received(texts(cards), giver)


def _seat_cards(leader: int, cards: tuple[int, ...], players: int) -> tuple[SeatCard, ...]:
    return tuple(SeatCard((leader + i) % players, TEXT[card]) for i, card in enumerate(cards))


def _points_seen(state: State, trick: Trick, seat: int) -> int:
    """Return a trick's points as a seat knows them: the kitty's only for its taker, until the round is over."""
    knows = trick.winner == seat or state.phase == OVER
    return trick.points + (trick.kitty_points if knows else 0)


def _last_trick(state: State, seat: int) -> TrickView | None:
    if not state.tricks:
        return None
    trick = state.tricks[-1]
    return TrickView(
        trick.leader,
        _seat_cards(trick.leader, trick.cards, state.players),
        trick.winner,
        _points_seen(state, trick, seat),
    )


def _taken(state: State, seat: int) -> tuple[int, ...]:
    points = [0] * state.players
    for trick in state.tricks:
        if trick.winner is not None:
            points[trick.winner] += _points_seen(state, trick, seat)
    return tuple(points)


def whole_state(state: State) -> dict[str, Any]:
    """Return all that is true of a match, in the shape of the public protocol's ``state``."""
    last = state.last_round
    return {
        "game": "hearts",
        "phase": state.phase,
        "rules": msgspec.to_builtins(state.rulebook),
        "seed": state.seed,
        "round": state.round,
        "direction": state.direction,
        "dealer": state.dealer,
        "turn": state.turn,
        "hands": [hand.texts for hand in state.hands],
        "passed": [None if cards is None else texts(cards) for cards in state.passed],
        "received": [texts(cards) for cards in state.received],
        "legal": texts(cards_in(legal(state))),
        "trick": msgspec.to_builtins(_seat_cards(state.leader, state.trick, state.players)),
        "tricks": _whole_tricks(state.tricks, state.players),
        "pile": texts(state.pile),
        "broken": state.broken,
        "taken": _whole_taken(state),
        "kitty": texts(state.kitty),
        "totals": state.totals,
        "rounds": state.rounds,
        "last_round": last
        and {
            "tricks": _whole_tricks(last.tricks, state.players),
            "raw": last.raw,
            "points": last.points,
            "shooter": last.shooter,
            "choice": last.choice,
            "bonus": last.bonus,
            "kitty": texts(last.kitty),
            "hands": [hand.texts for hand in last.hands],
        },
        "extra_round": state.extra_round,
        "perfect": state.perfect,
        "winners": state.winners,
    }


def _whole_tricks(tricks: tuple[Trick, ...], players: int) -> list[dict[str, Any]]:
    return [
        {
            "leader": trick.leader,
            "cards": msgspec.to_builtins(_seat_cards(trick.leader, trick.cards, players)),
            "winner": trick.winner,
            "points": trick.points + trick.kitty_points,
        }
        for trick in tricks
    ]


def _whole_taken(state: State) -> list[int]:
    knobs = state.knobs
    return [
        rules.penalty_of(tuple(taken), knobs.heart_points, knobs.queen_points) for taken in state.taken
    ]


def cards_on_record(state: State) -> CardSet:
    """Return every card of the current round, wherever it is: the deck, if none was lost."""
    everything = CardSet.of(state.kitty).with_cards(state.trick)
    for hand in state.hands:
        everything = everything.with_cards(hand)
    for trick in state.tricks:
        everything = everything.with_cards(trick.cards)
    return everything
