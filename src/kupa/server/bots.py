"""The bots that sit at the server's tables: who they are, and how one is asked."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from kupa.bots import simple
from kupa.game import Json

Chooser = Callable[[Any, Random], Json]
"""Returns the command of a seat from its view alone; the second argument is its source of chance."""

CHOOSERS: Final[Mapping[str, Chooser]] = {"simple": simple.choose}
"""The bots by level."""
DEFAULT_LEVEL: Final = "simple"

NAMES: Final = ("Deniz", "Elif", "Kerem", "Zeynep", "Mert", "Ayşe", "Can", "Defne", "Ozan", "Selin")
"""First names, one for each seat that a bot may hold."""


def names_at(players: int) -> list[str | None]:
    """Return the names of a table, seat 0 first; the person has none, and is called "you" by the pages."""
    return [None, *NAMES[: players - 1]]


def new_chance() -> Random:
    """Return a source of chance that nobody can foresee."""
    return Random(secrets.randbits(256))  # noqa: S311 (seeded from the system's own randomness)
