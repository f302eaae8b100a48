"""What the player of Heart to Heart may see: built up from nothing, so that the stock cannot slip in.

Whether a deal can be won is not told either, nor anything that depends on the order of the stock. (That a
game is stuck follows from the ranks in stock and waste together, which the player could count.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from kupa.heart_to_heart import layout
from kupa.heart_to_heart.events import (
    Deselected,
    Event,
    Mismatched,
    Paired,
    Selected,
    SettingsChanged,
    Started,
)
from kupa.heart_to_heart.state import Place, State, Status

Rank = str
"""One of ``A23456789TJQK``."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """All that the player sees; positions are 1 to 25, ascending."""

    game: Literal["heart-to-heart"] = "heart-to-heart"
    code: str | None
    """The canonical code of the deal; None for a deal of one's own."""
    heart: tuple[Rank | None, ...]
    """Twenty-five ranks by position, None for a gap."""
    free: tuple[int, ...]
    """Positions that nothing covers."""
    stock: int
    """How many cards."""
    waste: int
    """How many cards."""
    waste_top: Rank | None
    selected: Place | None
    framed: tuple[int, ...]
    """With placement help: free cards that have a match among the free cards or on top of the waste."""
    dimmed: tuple[Place, ...]
    """With placement help, while a card is selected: what does not match it; the waste comes last."""
    notice: Literal["must_match"] | None
    """Says, right after a mismatch and only with the setting move errors, that the ranks must match."""
    score: int
    moves: int
    undo: int
    """How many moves can be taken back."""
    status: Status
    elapsed_ms: int
    """Playing time as the client last told it, in milliseconds."""
    move_errors: bool
    placement_help: bool
    """The two settings of this game, for the switches of a page."""


def view(state: State) -> View:
    """Return all that the player may see of a state."""
    board = state.board
    return View(
        code=state.code,
        heart=tuple(
            state.deck[position - 1] if board.left >> position & 1 else None for position in layout.POSITIONS
        ),
        free=state.free,
        stock=len(board.stock),
        waste=len(board.waste),
        waste_top=board.waste[-1] if board.waste else None,
        selected=state.selected,
        framed=_framed(state) if state.placement_help else (),
        dimmed=_dimmed(state) if state.placement_help else (),
        notice="must_match" if state.mismatch and state.move_errors else None,
        score=board.score,
        moves=board.moves,
        undo=len(state.past),
        status=state.status,
        elapsed_ms=state.elapsed_ms,
        move_errors=state.move_errors,
        placement_help=state.placement_help,
    )


def _framed(state: State) -> tuple[int, ...]:
    """Return the free cards of the heart that could go at once."""
    within_reach = Counter(state.rank_at(position) for position in state.free)
    within_reach.update(state.board.waste[-1:])
    return tuple(position for position in state.free if within_reach[state.rank_at(position)] > 1)


def _dimmed(state: State) -> tuple[Place, ...]:
    """Return the other free cards, and the top of the waste, that do not match the selected card."""
    if state.selected is None:
        return ()
    wanted = state.rank_at(state.selected)
    places: list[Place] = [*state.free]
    if state.board.waste:
        places.append("waste")
    return tuple(place for place in places if state.rank_at(place) != wanted)


_SHOWN: Final[Mapping[type[Event], tuple[str, ...]]] = {
    Started: ("code",),
    Paired: ("a", "b"),
    Selected: ("at",),
    Deselected: ("at",),
    Mismatched: ("first", "second"),
    SettingsChanged: ("move_errors", "placement_help"),
}
"""The fields of each event that the player is told; of the others the tag alone."""


def event_view(event: Event) -> dict[str, Any]:
    """Return what the player is told of an event: its ``type`` and the fields meant for eyes."""
    fields = {field: getattr(event, field) for field in _SHOWN.get(type(event), ())}
    return {"type": event.__struct_config__.tag, **fields}
