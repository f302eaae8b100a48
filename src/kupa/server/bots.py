"""The bots that sit at the server's tables: their names, and how one comes to a seat."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from kupa.bots.levels import DEFAULT_LEVEL, LEVELS
from kupa.bots.player import Player

PlayerMaker = Callable[[str], Player]
"""Makes the player of one seat; the argument is its luck, a secret text from which its dice follow."""

PLAYERS: Final[Mapping[str, PlayerMaker]] = LEVELS
"""The bots by level."""

LUCK_BYTES: Final = 16
"""How much randomness the luck of a table holds, in bytes."""

NAMES: Final = ("Deniz", "Elif", "Kerem", "Zeynep", "Mert", "Ayşe", "Can", "Defne", "Ozan", "Selin")
"""First names, one for each seat that a bot may hold."""
SPARES: Final = ("Ece", "Emre", "İdil", "Kaan", "Melis", "Burak", "Nehir", "Tolga", "Derin", "Alp", "Yasemin")
"""More of them, for when people at the table are called so."""


def names_at(players: int) -> list[str | None]:
    """Return the names of a table, seat 0 first; the person has none, and is called "you" by the pages."""
    return [None, *NAMES[: players - 1]]


def names_for(seats: Iterable[int], taken: Iterable[str]) -> dict[int, str]:
    """Return the names of the bots in some seats of a company.

    Args:
        seats: where bots sit, or stand in for somebody.
        taken: what people there are called; no bot is called so while another name is left.
    """
    used = set(taken)
    named: dict[int, str] = {}
    for seat in seats:
        # That of the own seat first, so that names stay when others come and go.
        order = [*NAMES[seat - 1 :], *NAMES[: seat - 1], *SPARES]
        named[seat] = next((name for name in order if name not in used), order[0])
        used.add(named[seat])
    return named


def new_luck() -> str:
    """Return a text that nobody can foresee."""
    return secrets.token_hex(LUCK_BYTES)


__all__ = ["DEFAULT_LEVEL", "NAMES", "PLAYERS", "PlayerMaker", "names_at", "names_for", "new_luck"]
