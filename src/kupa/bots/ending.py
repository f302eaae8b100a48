"""The end of the match: whether a round may end it, and for whom that is good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kupa.bots.memory import Memory
from kupa.bots.position import Position
from kupa.cards import CardSet
from kupa.hearts.rules import IS_OVER, NONE, copies, points_written, verdict
from kupa.hearts.view import View

FINISH: Final = 4.0
"""What it is worth, in points, to end a match that one wins, or not to end one that one does not win."""


def outcome(view: View, points: Sequence[int]) -> int:
    """Return what writing down these points would lead to for the seat.

    Args:
        view: of the seat.
        points: one number for each seat.

    Returns:
        1 where the match ends with the seat among its winners, -1 where it ends without it, and 0 where it
        goes on.
    """
    knobs = view.rules.knobs()
    totals = [total + more for total, more in zip(view.totals, points, strict=True)]
    if max(totals) < knobs.target:
        return 0
    answer = verdict(totals, points, knobs.target, knobs.plays_on, knobs.perfect_round)
    if answer != IS_OVER:
        return 0
    return 1 if totals[view.me] == min(totals) else -1


def moon_points(view: View, bonus: Sequence[int]) -> list[int]:
    """Return what a moon of this seat writes down for each seat if it adds.

    Args:
        view: of the seat.
        bonus: how many bonus cards each seat has taken.
    """
    seats, moon = range(view.rules.players), view.rules.moon_points
    return [points_written(seat, 0, bonus[seat], view.me, False, moon) for seat in seats]


def moon_choice(view: View, bonus: Sequence[int] | None = None) -> str:
    """Choose what a moon does: add, unless adding ends the match without this seat among its winners.

    Source: the rulebook's word on bots in the parlour game.

    Args:
        view: of the seat.
        bonus: how many bonus cards each seat has taken; None where nobody remembers.
    """
    adding = moon_points(view, bonus or [0] * view.rules.players)
    return "subtract" if outcome(view, adding) == -1 else "add"


def bonus_taken(view: View, memory: Memory) -> list[int]:
    """Return how many bonus cards each seat is known to have taken."""
    bonus = view.rules.knobs().bonus
    taken = [memory.taken.get(seat, CardSet()) for seat in range(view.rules.players)]
    return [0 if bonus == NONE else copies(cards.held, cards.twice, bonus) for cards in taken]


def moon_loses(pos: Position) -> bool:
    """Tell whether a moon that one makes would end the match without one among the winners."""
    if pos.view.rules.moon != "add":
        return False
    return outcome(pos.view, moon_points(pos.view, bonus_taken(pos.view, pos.memory))) == -1


def gift_cost(pos: Position, value: int) -> float:
    """Return what it costs that a gift may end the match: below 0 where that is to be wished.

    Args:
        pos: the decision; somebody else takes the trick as it lies.
        value: the points of the card that is given to the trick.
    """
    totals, holder = pos.view.totals, pos.holder
    if holder < 0 or not value or max(totals) + pos.book.round_points < pos.knobs.target:
        return 0.0
    points = [pos.taken_points(seat) for seat in range(pos.knobs.players)]
    before = [*points]
    before[holder] += pos.lying
    after = [*before]
    after[holder] += value
    return FINISH * (outcome(pos.view, before) - outcome(pos.view, after))
