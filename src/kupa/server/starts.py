"""What a new match is made of: what was asked for, and the randomness that the server puts in.

The games are pure, so chance enters here: a seed for Hearts, the code of a deal for Heart to Heart. A seed or
a code that was asked for stays.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

from kupa.game import Json
from kupa.heart_to_heart.codes import random_code
from kupa.hearts.events import MatchStarted
from kupa.hearts.presets import PRESETS

SEED_BYTES: Final = 16
"""How much randomness a seed holds, in bytes."""


def with_chance(game: str, options: Json) -> Json:
    """Return the options of a new match, with a random deal if none was asked for."""
    if game == "heart-to-heart":
        return (
            options
            if options.keys() & {"code", "deck"}
            else {**options, "code": random_code(secrets.randbelow)}
        )
    return options if "seed" in options else {**options, "seed": secrets.token_hex(SEED_BYTES)}


FACTS: Final = frozenset({"preset", "changed", "players", "names", "bots"})
"""What :func:`facts_of` has told of every match since the first."""


def options_told_by(start: Any) -> Json:
    """Return the options that would begin the match that an event begins, as far as lists tell of them.

    A rulebook that is named after no preset of ours has none; what differs from the preset is house rules.
    """
    if not isinstance(start, MatchStarted) or start.preset not in PRESETS:
        return {}
    usual = PRESETS[start.preset].fields(start.rulebook.players)
    changed = {name: value for name, value in usual.items() if getattr(start.rulebook, name) != value}
    return {"rules": start.preset, "set": changed, "end_early": start.end_early}


def facts_of(options: Json, players: int, names: list[str | None], bots: str, luck: str) -> Json:
    """Return what is kept of a match beside its events; pages tell of it what they name, and never the luck.

    Returns:
        ``preset`` (a rulebook's name, or None), ``changed`` (the fields that house rules set), ``players``,
        ``end_early``, ``names`` (a name a seat, None for the person), ``bots`` (their level) and ``luck``
        (the secret text from which the dice of the bots follow).
    """
    return {
        "preset": options.get("rules"),
        "changed": sorted(options.get("set") or ()),
        "players": players,
        "end_early": options.get("end_early", False),
        "names": names,
        "bots": bots,
        "luck": luck,
    }
