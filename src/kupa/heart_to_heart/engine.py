"""The rules of Heart to Heart: what a command leads to, and what an event changes. Pure functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from kupa.heart_to_heart import layout
from kupa.heart_to_heart.codes import deck_of
from kupa.heart_to_heart.commands import ChangeSettings, Command, Start, Tap, Undo
from kupa.heart_to_heart.events import (
    Deselected,
    Drawn,
    Event,
    Mismatched,
    Paired,
    Redealt,
    Selected,
    SettingsChanged,
    Started,
    Undone,
)
from kupa.heart_to_heart.state import HISTORY, Board, Place, State
from kupa.refusal import Refusal

POINTS: Final = 10
"""For every card that leaves the heart; a card of the waste is worth nothing."""


def decide(state: State | None, command: Command) -> tuple[Event, ...] | Refusal:
    """Return the events that a command leads to, or a refusal.

    A tap on a covered card, a gap or an empty pile leads to nothing, and so does every tap after a win.

    Raises:
        ValueError: there is no state yet, and the command does not start a game.
    """
    if isinstance(command, Start):
        return (Started(command.code, command.deck, command.move_errors, command.placement_help),)
    if state is None:
        raise ValueError("a game begins with Start")
    if isinstance(command, Undo):
        return (Undone(elapsed_ms=command.elapsed_ms),) if state.past else Refusal("nothing_to_undo")
    if isinstance(command, ChangeSettings):
        return _decide_settings(state, command)
    event = _decide_tap(state, command)
    return () if event is None else (event,)


def _decide_settings(state: State, command: ChangeSettings) -> tuple[Event, ...]:
    """Return the change of settings, if it is one."""
    move_errors = state.move_errors if command.move_errors is None else command.move_errors
    placement_help = state.placement_help if command.placement_help is None else command.placement_help
    if (move_errors, placement_help) == (state.move_errors, state.placement_help):
        return ()
    return (SettingsChanged(move_errors, placement_help),)


def _decide_tap(state: State, tap: Tap) -> Event | None:
    """Return what a tap leads to, None for nothing."""
    at, clock = tap.at, tap.elapsed_ms
    if not state.board.left:
        return None
    if at == "stock":
        if state.board.stock:
            return Drawn(elapsed_ms=clock)
        return Redealt(elapsed_ms=clock) if state.board.waste else None
    if not _may_be_selected(state, at):
        return None
    first = state.selected
    if first is None:
        return Selected(at, elapsed_ms=clock)
    if first == at:
        return Deselected(at, elapsed_ms=clock)
    if state.rank_at(first) == state.rank_at(at):
        return Paired(first, at, elapsed_ms=clock)
    return Mismatched(first, at, elapsed_ms=clock)


def _may_be_selected(state: State, place: Place) -> bool:
    """Tell whether a place holds a card that is free: in the heart, or on top of the waste."""
    return bool(state.board.waste) if place == "waste" else place in state.free


def evolve(state: State | None, event: Event) -> State:
    """Return the state after an event.

    Raises:
        ValueError: the event cannot have happened in this state.
    """
    if isinstance(event, Started):
        return _started(event)
    if state is None:
        raise ValueError("a game begins with the event started")
    after = _EVOLVE[type(event)](state, event)
    elapsed_ms = getattr(event, "elapsed_ms", 0)
    return replace(after, elapsed_ms=elapsed_ms) if elapsed_ms > state.elapsed_ms else after


def _started(event: Started) -> State:
    """Lay out a deal: twenty-five cards make the heart, twenty-six the stock, and one starts the waste."""
    deck = event.deck if event.code is None else deck_of(event.code)
    return State(
        code=event.code,
        deck=deck,
        board=Board(layout.WHOLE, stock=deck[layout.SIZE : -1], waste=deck[-1]),
        move_errors=event.move_errors,
        placement_help=event.placement_help,
    )


def _moved(state: State, board: Board, selected: Place | None) -> State:
    """Return the state after a move, which can be taken back."""
    past = (*state.past[-(HISTORY - 1) :], state.board)
    return replace(state, board=board, past=past, selected=selected, mismatch=False)


def _drawn(state: State, _: Drawn) -> State:
    board = state.board
    if not board.left or not board.stock:
        raise ValueError("nothing can be drawn")
    return _moved(
        state,
        Board(board.left, board.stock[1:], board.waste + board.stock[0], board.score, board.moves + 1),
        selected=_selected_in_heart(state),
    )


def _redealt(state: State, _: Redealt) -> State:
    board = state.board
    if not board.left or board.stock or not board.waste:
        raise ValueError("nothing can be dealt again")
    # The waste was built up from its bottom, so in drawing order it reads as it stands.
    return _moved(
        state,
        Board(board.left, board.waste, "", board.score, board.moves + 1),
        selected=_selected_in_heart(state),
    )


def _selected_in_heart(state: State) -> Place | None:
    """Return the selection as the stock leaves it: a card of the waste would no longer be its top."""
    return None if state.selected == "waste" else state.selected


def _paired(state: State, event: Paired) -> State:
    a, b, board = event.a, event.b, state.board
    if a == b or not (_may_be_selected(state, a) and _may_be_selected(state, b)):
        raise ValueError("these two cards cannot go together")
    if state.rank_at(a) != state.rank_at(b):
        raise ValueError("these two cards are not of the same rank")
    left, waste, score = board.left, board.waste, board.score
    for place in (a, b):
        if place == "waste":
            waste = waste[:-1]
        else:
            left ^= 1 << place
            score += POINTS
    return _moved(state, Board(left, board.stock, waste, score, board.moves + 1), selected=None)


def _selected(state: State, event: Selected) -> State:
    if state.selected is not None or not _may_be_selected(state, event.at):
        raise ValueError("this card cannot be selected")
    return replace(state, selected=event.at, mismatch=False)


def _deselected(state: State, event: Deselected) -> State:
    if state.selected != event.at:
        raise ValueError("this card is not selected")
    return replace(state, selected=None, mismatch=False)


def _mismatched(state: State, event: Mismatched) -> State:
    first, second = event.first, event.second
    if state.selected != first or first == second or not _may_be_selected(state, second):
        raise ValueError("these two cards were not chosen")
    if state.rank_at(first) == state.rank_at(second):
        raise ValueError("these two cards are of the same rank")
    return replace(state, selected=second, mismatch=True)


def _undone(state: State, _: Undone) -> State:
    if not state.past:
        raise ValueError("nothing can be taken back")
    return replace(state, board=state.past[-1], past=state.past[:-1], selected=None, mismatch=False)


def _settings_changed(state: State, event: SettingsChanged) -> State:
    return replace(state, move_errors=event.move_errors, placement_help=event.placement_help, mismatch=False)


_EVOLVE: Final[dict[type[Event], Callable[[State, Any], State]]] = {
    Drawn: _drawn,
    Redealt: _redealt,
    Paired: _paired,
    Selected: _selected,
    Deselected: _deselected,
    Mismatched: _mismatched,
    Undone: _undone,
    SettingsChanged: _settings_changed,
}
