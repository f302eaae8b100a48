"""The end of the match: whether a round may end it, and for whom that is good."""

from __future__ import annotations

from typing import Final

from kupa.bots.position import Position
from kupa.hearts.rules import GOES_ON, IS_OVER, verdict
from kupa.hearts.view import View

FINISH: Final = 4.0
"""What it is worth, in points, to end a match that one wins, or not to end one that one does not win."""


def outcome(view: View, points: list[int]) -> int:
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
        return GOES_ON
    return 1 if totals[view.seat] == min(totals) else -1


def moon_choice(view: View) -> str:
    """Choose what a moon does: add, unless adding ends the match without this seat among its winners.

    Source: the rulebook's word on bots in the parlour game.
    """
    moon = view.rules.moon_points
    adding = [0 if seat == view.seat else moon for seat in range(view.rules.players)]
    return "subtract" if outcome(view, adding) == -1 else "add"


def moon_loses(pos: Position) -> bool:
    """Tell whether a moon that one makes would end the match without one among the winners."""
    if pos.view.rules.moon != "add":
        return False
    moon = pos.knobs.moon_points
    return outcome(pos.view, [0 if seat == pos.seat else moon for seat in range(pos.knobs.players)]) == -1


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
