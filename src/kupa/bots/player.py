"""What every bot is: told what its seat is told, and asked for a command when its seat is to act.

A bot's play follows from three things and nothing else: its luck (a text that the server keeps to itself),
the events that its seat was told in the current round, and its seat's view. A player made anew with the same
luck and told the same round again therefore chooses the same.
"""

from __future__ import annotations

from random import Random
from typing import Protocol

from kupa.game import Json
from kupa.hearts.view import View


class Player(Protocol):
    """One seat's player in a match."""

    def told(self, event: Json) -> None:
        """Take in an event as the seat is told it, in order, each once.

        A player made in the middle of a match needs the current round alone: what was told from its
        ``round_dealt`` on. Kinds of events that a player does not know are passed over.
        """
        ...

    def choose(self, view: View) -> Json:
        """Return the command of the seat, which has a decision open: ``{"type": "play", "card": "2C"}``.

        Everything that the seat was told before must have been told.
        """
        ...


def chance(luck: str, view: View) -> Random:
    """Return the source of chance for one decision: the same whenever the same decision is asked.

    Args:
        luck: the player's own text; whoever knows it foresees the player's dice.
        view: what the decision is about; only what all may know of it is used.
    """
    cards_left = view.counts[view.me]
    return Random(f"{luck}/{view.round}/{view.phase}/{cards_left}")  # noqa: S311 - dice, not secrets
