"""The levels of bots that a table may choose from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from kupa.bots.beginner import Beginner
from kupa.bots.club import Club
from kupa.bots.player import Player

LEVELS: Final[Mapping[str, Callable[[str], Player]]] = {"beginner": Beginner, "club": Club}
"""Makes a player of each level, weakest first. The argument is the player's luck: a text of its own, the same
for the whole match, from which its slips are drawn."""
DEFAULT_LEVEL: Final = "club"


def new_player(level: str, luck: str) -> Player:
    """Make a player for one seat of one match.

    Args:
        level: a name in :data:`LEVELS`.
        luck: a secret of the server; another text for every seat.

    Raises:
        KeyError: there is no such level.
    """
    return LEVELS[level](luck)


def name_key(level: str) -> str:
    """Return the key of the name by which people know a level."""
    return f"bots.level.{level}"
