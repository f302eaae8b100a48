"""What a new match is made of: what was asked for, and the randomness that the server puts in.

The games are pure, so chance enters here: a seed for Hearts, the code of a deal for Heart to Heart. A seed or
a code that was asked for stays.
"""

from __future__ import annotations

import secrets
from typing import Final

from kupa.game import Json
from kupa.heart_to_heart.codes import random_code

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
