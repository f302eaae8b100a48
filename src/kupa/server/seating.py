"""Who holds the seats of a match: one person and bots, or the company of a room."""

from __future__ import annotations

from typing import Protocol

from kupa.server.table import PERSON


class Seating(Protocol):
    """Who holds the seats of one match, now."""

    def level_at(self, seat: int) -> str | None:
        """Return the level of the bot that plays in a seat now; None where a person does."""
        ...

    @property
    def is_paused(self) -> bool:
        """Whether the bots wait, since nobody is there to play with."""
        ...


class OwnSeating:
    """A match of one person, who holds seat 0; bots hold the others.

    Args:
        level: the level of the bots.
    """

    is_paused = False

    def __init__(self, level: str) -> None:
        self._level = level

    def level_at(self, seat: int) -> str | None:
        """Return the level of the bots for every seat but the person's."""
        return None if seat == PERSON else self._level
