"""What one seat of Hearts, or somebody who watches, may know, built up from nothing.

A view names, one by one, the things that its seat has been shown. Nothing in it depends on a card that the
seat cannot see: two states that differ only in such cards give equal views.
"""

from __future__ import annotations

import msgspec

from kupa.cards import TEXT, Card, CardText, cards_in, texts
from kupa.hearts import rules
from kupa.hearts.engine import can_claim, legal
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
    seat: int | None
    """Whose view this is; None for a watcher, who sees what lies on the table and nobody's cards."""
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
    can_claim: bool
    """Whether this seat may end the round, as it has seen everything that counts being taken."""

    @property
    def me(self) -> int:
        """The seat whose view this is.

        Raises:
            ValueError: it is a watcher's.
        """
        if self.seat is None:
            raise ValueError("a watcher has no seat")
        return self.seat


def view(state: State, seat: int | None) -> View:
    """Return what a seat may know of a match.

    Args:
        state: the whole truth.
        seat: 0 to players-1, or None for a watcher, who is shown nobody's hand, pass or kitty.
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
        hand=() if seat is None else state.hands[seat].texts,
        counts=tuple(map(len, state.hands)),
        passed=tuple(cards is not None for cards in state.passed),
        my_pass=None if seat is None else _my_pass(state, seat),
        received=None if seat is None else _received(state, seat),
        legal=texts(cards_in(legal(state))) if seat is not None and state.turn == seat else (),
        trick=seat_cards(state.leader, state.trick, state.players),
        last_trick=_last_trick(state, seat),
        tricks=tuple(
            TrickNote(number, trick.winner, _points_seen(state, trick, seat))
            for number, trick in enumerate(state.tricks, 1)
        ),
        pile_count=len(state.pile),
        broken=state.broken,
        taken=_taken(state, seat),
        kitty=_kitty(state, seat),
        totals=state.totals,
        rounds=state.rounds,
        last_round=None if last is None else LastRound(last.raw, last.points, last.shooter, last.choice),
        extra_round=state.extra_round,
        perfect=state.perfect,
        winners=state.winners,
        can_claim=seat is not None and can_claim(state, seat),
    )


def _kitty(state: State, seat: int | None) -> tuple[CardText, ...] | int:
    sees = bool(state.kitty) and seat is not None and state.kitty_taker == seat
    return texts(state.kitty) if sees else len(state.kitty)


def _my_pass(state: State, seat: int) -> Given | None:
    cards = state.passed[seat]
    if cards is None:
        return None
    return Given(texts(cards), rules.pass_target(seat, rules.DIRECTIONS[state.direction], state.players))


def _received(state: State, seat: int) -> Received | None:
    cards = state.received[seat]
    if not cards:
        return None
    givers = range(state.players)
    direction = rules.DIRECTIONS[state.direction]
    giver = next(s for s in givers if rules.pass_target(s, direction, state.players) == seat)
    return Received(texts(cards), giver)


def seat_cards(leader: int, cards: tuple[Card, ...], players: int) -> tuple[SeatCard, ...]:
    """Return the cards of a trick with the seats that they came from."""
    return tuple(SeatCard((leader + i) % players, TEXT[card]) for i, card in enumerate(cards))


def _points_seen(state: State, trick: Trick, seat: int | None) -> int:
    """Return a trick's points as a seat knows them; until the round ends, the kitty is its taker's secret."""
    knows = (seat is not None and trick.taker == seat) or state.phase == OVER
    return trick.points + (trick.kitty_points if knows else 0)


def _last_trick(state: State, seat: int | None) -> TrickView | None:
    if not state.tricks:
        return None
    trick = state.tricks[-1]
    return TrickView(
        trick.leader,
        seat_cards(trick.leader, trick.cards, state.players),
        trick.winner,
        _points_seen(state, trick, seat),
    )


def _taken(state: State, seat: int | None) -> tuple[int, ...]:
    points = [0] * state.players
    for trick in state.tricks:
        if trick.taker is not None:
            points[trick.taker] += _points_seen(state, trick, seat)
    return tuple(points)
