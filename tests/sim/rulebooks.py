"""The rulebooks and player counts that the simulator is held to, and how long."""

from __future__ import annotations

import os
from typing import Any, Final

from kupa.hearts.presets import PRESETS, chosen_rulebook
from kupa.hearts.rulebook import Rulebook

MATCHES: Final = {"full": 100_000, "ci": 2_000, "": 150}[os.environ.get("KUPA_SOAK", "")]
"""Rounds of each rulebook that engine and kernels are compared over."""


def overridden(name: str, players: int, **fields: Any) -> Rulebook:
    """Return a preset with fields changed."""
    book = chosen_rulebook(name, players, fields)
    assert isinstance(book, Rulebook), book
    return book


TABLES: Final[dict[str, Rulebook]] = {
    f"{name}-{players}": preset.rulebook(players)
    for name, preset in PRESETS.items()
    for players in preset.player_counts
}
"""Every preset with every number of players that it is meant for."""

VARIANTS: Final[dict[str, Rulebook]] = {
    "kitty and four passed": overridden(
        "parlour", 5, removed=[], kitty="first_trick", pass_count=4, moon="subtract"
    ),
    "any lead, nothing barred": overridden("cardems", 4, opening="left_of_dealer", first_trick="none"),
    "the moon needs the ten": overridden("omnibus", 4, bonus_card="TD", moon_needs_bonus=True),
    "no points for hearts, few cards": overridden("klasik", 4, heart_points=0, target=10**30),
    "two packs that pass, with bonus cards": overridden(
        "cancellation",
        6,
        pass_count=3,
        pass_cycle=["left", "right", "across"],
        bonus_card="JD",
        moon="choice",
        moon_needs_bonus=True,
    ),
    "two packs without cancelling": overridden("cancellation", 8, cancellation=False),
}
"""Tables with rules of their own."""

ALL: Final = TABLES | VARIANTS
