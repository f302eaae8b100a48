"""The state of a game of Heart to Heart: immutable values."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from kupa.heart_to_heart import layout

HISTORY: Final = 100
"""How many moves can be taken back."""

HeartPosition = Annotated[int, msgspec.Meta(ge=1, le=layout.SIZE)]
Place = HeartPosition | Literal["waste"]
"""Where a card lies that may be selected: a position of the heart, or the top of the waste."""

Status = Literal["playing", "won", "stuck"]


class Board(msgspec.Struct, frozen=True):
    """All that a move changes and that undo therefore brings back."""

    left: int
    """The mask of the positions of the heart that still hold a card (:mod:`layout`)."""
    stock: str
    """Ranks in drawing order."""
    waste: str
    """Ranks from the bottom, which was drawn first, to the top."""
    score: int = 0
    moves: int = 0


class State(msgspec.Struct, frozen=True):
    """A game at one moment."""

    code: str | None
    """The canonical code of the deal; None for a deal of one's own."""
    deck: str
    """Fifty-two ranks in deal order; the first twenty-five name the cards of the heart for good."""
    board: Board
    past: tuple[Board, ...] = ()
    """The boards before each of the last moves, at most a hundred, the oldest first."""
    selected: Place | None = None
    mismatch: bool = False
    """Whether the last event was a tap on a card of another rank than the selected one."""
    move_errors: bool = False
    placement_help: bool = True
    elapsed_ms: int = 0
    """Playing time as the player's client last told it, in milliseconds; never goes down."""

    def rank_at(self, place: Place) -> str:
        """Return the rank of the card at a place that holds one."""
        return self.board.waste[-1] if place == "waste" else self.deck[place - 1]

    @property
    def free(self) -> tuple[int, ...]:
        """The positions of the heart, ascending, whose cards nothing covers."""
        return layout.free_positions(self.board.left)

    @property
    def status(self) -> Status:
        """Whether the game is won, stuck, or goes on.

        Stuck means that no free card of the heart has the rank of another free card, nor of any card in
        stock or waste: redeals being unlimited, every one of those comes to the top some time.
        """
        board = self.board
        if not board.left:
            return "won"
        free_ranks = [self.deck[position - 1] for position in self.free]
        if len(set(free_ranks)) < len(free_ranks):
            return "playing"
        return "stuck" if set(free_ranks).isdisjoint(board.stock + board.waste) else "playing"
