"""The state of a match of Hearts: everything that is true, known to the server alone."""

from __future__ import annotations

from typing import Final

import msgspec

from kupa.cards import Card, CardSet
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.rules import Knobs

DEAL: Final = "deal"
PASS: Final = "pass"  # noqa: S105 - passing cards
OPEN: Final = "open"
PLAY: Final = "play"
CLAIMED: Final = "claimed"
MOON: Final = "moon"
CHOSEN: Final = "chosen"
SCORED: Final = "scored"
OVER: Final = "over"
"""The phases. A match rests in ``pass``, ``play``, ``moon`` or ``over``; the others pass by themselves."""


class Trick(msgspec.Struct, frozen=True):
    """A finished trick."""

    leader: int
    cards: tuple[Card, ...]
    """In the order played; the card at place i came from seat (leader + i) mod players."""
    winner: int | None
    taker: int | None
    """Who got its cards: the winner, or the leader of a last trick that cancelled; None where they waited."""
    points: int
    kitty_points: int


class FinishedRound(msgspec.Struct, frozen=True):
    """A round that has been scored."""

    tricks: tuple[Trick, ...]
    raw: tuple[int, ...]
    points: tuple[int, ...]
    shooter: int | None
    choice: str | None
    bonus: tuple[int, ...]
    kitty: tuple[Card, ...]
    hands: tuple[CardSet, ...]
    """As they were when play began."""


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A match at one moment. Fields that tell of a round tell of the current one."""

    rulebook: Rulebook
    knobs: Knobs
    preset: str
    seed: str
    end_early: bool
    fixed_hands: tuple[tuple[Card, ...], ...] | None
    """The hands that the first round is to be dealt, until it is."""
    phase: str
    totals: tuple[int, ...]
    rounds: tuple[tuple[int, ...], ...] = ()
    """The points written down, a tuple a round."""
    round: int
    """0-based; rounds played before this match began are counted."""
    direction: str = "hold"
    dealer: int = 0
    turn: int | None = None
    hands: tuple[CardSet, ...] = ()
    start_hands: tuple[CardSet, ...] = ()
    """The hands when play began."""
    passed: tuple[tuple[Card, ...] | None, ...] = ()
    """What each seat chose to pass, None while it has not; the cards stay in the hand until all have."""
    received: tuple[tuple[Card, ...], ...] = ()
    leader: int = 0
    """Who led to the trick on the table."""
    trick: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    waiting: tuple[Card, ...] = ()
    """Cards of cancelled tricks that wait for the next taker, the kitty apart."""
    broken: bool = False
    taken: tuple[CardSet, ...] = ()
    kitty: tuple[Card, ...] = ()
    kitty_taker: int | None = None
    choice: str | None = None
    last_round: FinishedRound | None = None
    extra_round: str | None = None
    perfect: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.knobs.players

    @property
    def pile(self) -> tuple[Card, ...]:
        """Every card that waits for the next taker, the kitty among them, in deck order."""
        kitty = self.kitty if self.kitty_taker is None else ()
        return tuple(sorted(self.waiting + kitty))
