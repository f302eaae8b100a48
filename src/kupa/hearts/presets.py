"""The six presets: the rulebooks that the sources describe, by name.

Each preset says what its source says; where a source is silent, ``docs/rules.md`` tells what was decided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from kupa.hearts.rulebook import Rulebook, rulebook_of
from kupa.keys import shown
from kupa.refusal import Refusal

Fields = dict[str, Any]

FOUR_CYCLE: Final = ("left", "right", "across", "hold")
TWO_CYCLE: Final = ("left", "right")

REMOVED_BY_PLAYERS: Final[dict[int, tuple[str, ...]]] = {
    3: ("2D",),
    4: (),
    5: ("2C", "2D"),
    6: ("3C", "4C", "2D", "3D"),
    7: ("3C", "2D", "3D"),
}
"""The cards that three to seven players take out of one pack (parlour; the clubs of six are a decision)."""


class Preset(msgspec.Struct, frozen=True):
    """A named rulebook for a default number of players, and the numbers it is meant for."""

    name: str
    default_players: int
    player_counts: tuple[int, ...]
    """The numbers of players that the preset itself allows, without any field overridden."""
    fields: Callable[[int], Fields]
    """Returns the fields for a number of players."""
    removed_by_players: Mapping[int, tuple[str, ...]] = {}
    """The cards removed, by number of players, where that differs."""

    def rulebook(self, players: int | None = None) -> Rulebook:
        """Return the preset as it stands.

        Raises:
            RulebookError: the preset does not allow this number of players.
        """
        return Rulebook(**self.fields(self.default_players if players is None else players))


def _cardems(players: int) -> Fields:
    """Source: Cardems' page on Hearts."""
    return {
        "players": players,
        "decks": 1,
        "removed": (),
        "kitty": "none",
        "pass_count": 3,
        "pass_cycle": FOUR_CYCLE,
        "opening": "lowest_club",
        "first_trick": "points",
        "broken_by": "heart",
        "queen_points": 13,
        "heart_points": 1,
        "bonus_card": None,
        "moon": "add",
        "moon_points": 26,
        "moon_needs_bonus": False,
        "target": 100,
        "tie": "play_on",
        "perfect_round": False,
        "cancellation": False,
    }


def _klasik(players: int) -> Fields:
    """Source: the guide; a shared win is a decision, as it gives the play-on rule to Özel alone."""
    return {**_cardems(players), "first_trick": "queen", "moon_points": 13, "tie": "share"}


def _ozel(players: int) -> Fields:
    """Source: the guide: Klasik, and its two exceptions at the end of the match."""
    return {**_klasik(players), "tie": "play_on", "perfect_round": True}


def _parlour(players: int) -> Fields:
    """Source: the description for three to seven players."""
    return {
        **_cardems(players),
        "removed": REMOVED_BY_PLAYERS.get(players, ()),
        "pass_cycle": FOUR_CYCLE if players == 4 else TWO_CYCLE,
        "broken_by": "heart_or_queen",
        "moon": "choice",
        "tie": "share",
    }


def _omnibus(players: int) -> Fields:
    """The parlour game, which names Omnibus, with the jack of diamonds (a decision)."""
    return {**_parlour(players), "bonus_card": "JD"}


def _cancellation(players: int) -> Fields:
    """Two packs; the parlour game names Cancellation, and the accounts of most are followed (a decision)."""
    return {
        **_parlour(players),
        "decks": 2,
        "removed": (),
        "kitty": "first_trick",
        "pass_count": 0,
        "pass_cycle": ("hold",),
        "opening": "left_of_dealer",
        "moon": "add",
        "moon_points": 52,
        "target": 200,
        "cancellation": True,
    }


PRESETS: Final[dict[str, Preset]] = {
    preset.name: preset
    for preset in (
        Preset("cardems", 4, (4,), _cardems),
        Preset("klasik", 4, (4,), _klasik),
        Preset("ozel", 4, (4,), _ozel),
        Preset("parlour", 4, (3, 4, 5, 6, 7), _parlour, REMOVED_BY_PLAYERS),
        Preset("omnibus", 4, (3, 4, 5, 6, 7), _omnibus, REMOVED_BY_PLAYERS),
        Preset("cancellation", 7, (6, 7, 8, 9, 10, 11), _cancellation),
    )
}
"""Every preset by its permanent name."""


def chosen_rulebook(
    name: str, players: int | None = None, overrides: Mapping[str, Any] | None = None
) -> Rulebook | Refusal:
    """Return a preset with fields overridden, or a refusal: ``unknown_rules`` or ``bad_rules``.

    Args:
        name: a preset's permanent name.
        players: how many seats; the preset's default if None. What a preset lets depend on that number (the
            cards removed, the passing cycle) follows it.
        overrides: fields to override, as JSON built-ins; may name ``players`` too, but not another number.
    """
    preset = PRESETS.get(name)
    if preset is None:
        return Refusal("unknown_rules", params={"name": shown(name), "known": ", ".join(PRESETS)})
    overrides = dict(overrides or {})
    count = preset.default_players if players is None else players
    if "players" in overrides:
        asked = overrides.pop("players")
        if players is not None and asked != players:
            return Refusal("bad_rules", "players_twice", field="players", params={"field": "players"})
        count = asked
    # A number that is none (a text, a flag) reaches the check of the field itself.
    base = preset.fields(count if isinstance(count, int) else preset.default_players)
    return rulebook_of({**base, "players": count, **overrides})
