"""What came of a match for each of its seats, as the engine says: read from its log alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from kupa.game import Game, replay
from kupa.games import registry
from kupa.heart_to_heart.state import State as HeartState
from kupa.hearts.events import RoundScored
from kupa.hearts.state import State as HeartsState
from kupa.server.store import StoredEvent, UnreadableMatchError

GAMES: Final = registry()
"""The games by name."""


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a match for one seat."""

    won: bool
    points: int
    """What stands on the sheet at the end; for a patience, its score."""
    place: int | None = None
    """From 1, shared in a tie; None for a patience, as the next three are."""
    written: int | None = None
    """What the rounds wrote down for the seat, without what was on the sheet before them."""
    rounds: int | None = None
    moons: int | None = None
    """How often the seat shot the moon."""
    moves: int | None = None
    """The moves of a patience, draws and redeals included."""


def endings(game_name: str, log: Sequence[StoredEvent]) -> tuple[Ending, ...]:
    """Return what came of a match, an ending a seat; none if it has not ended.

    A patience has ended when it is won, or when no move is left and one was made: a deal that is stuck from
    the beginning does not count.

    Args:
        game_name: the permanent name of its game.
        log: all its events.

    Raises:
        UnreadableMatchError: the log cannot be replayed, or is of no game of ours.
    """
    game: Game | None = GAMES.get(game_name)
    if game is None:
        raise UnreadableMatchError("unknown game")
    try:
        events = [game.read_event(entry.data, entry.version) for entry in log]
        state = replay(game, events)
    except Exception as error:
        # The text of the error may name cards.
        raise UnreadableMatchError(type(error).__name__) from None
    if isinstance(state, HeartState):
        return _of_heart(state)
    if isinstance(state, HeartsState) and game.is_over(state):
        shooters = [event.shooter for event in events if isinstance(event, RoundScored)]
        return tuple(_of_hearts(state, seat, shooters.count(seat)) for seat in range(state.players))
    return ()


def _of_heart(state: HeartState) -> tuple[Ending, ...]:
    if state.status == "playing" or not state.board.moves:
        return ()
    return (Ending(won=state.status == "won", points=state.board.score, moves=state.board.moves),)


def _of_hearts(state: HeartsState, seat: int, moons: int) -> Ending:
    points = state.totals[seat]
    has_won = seat in state.winners
    return Ending(
        won=has_won,
        points=points,
        place=1 if has_won else 1 + sum(total < points for total in state.totals),
        written=sum(round_[seat] for round_ in state.rounds),
        rounds=len(state.rounds),
        moons=moons,
    )
