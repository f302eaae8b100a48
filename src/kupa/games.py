"""The games of Kupa, by name."""

from __future__ import annotations

from functools import cache

from kupa.game import Game
from kupa.heart_to_heart.game import HEART_TO_HEART
from kupa.hearts.game import HEARTS


@cache
def registry() -> dict[str, Game]:
    """Return every game by its permanent name."""
    return {game.name: game for game in (HEARTS, HEART_TO_HEART)}


def game_named(name: str) -> Game:
    """Return a game by its permanent name.

    Raises:
        KeyError: there is no such game.
    """
    return registry()[name]
