"""How a person has set the pages: theme, deck, side of the hand, speed. Kept in cookies, one a setting.

The language is apart (``language.py``), since the first visit already has one. Everything here changes looks
alone: a setting never touches a match.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from litestar.datastructures import Cookie

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "theme": ("system", "light", "dark"),
    "contrast": ("normal", "more"),
    "deck": ("two", "four"),
    "hand": ("right", "left"),
    "index": ("international", "turkish"),
    "speed": ("normal", "slow", "fast"),
}
"""The values of each setting, the one that holds at first in front."""

KEPT_FOR: Final = 400 * 24 * 3600
"""Seconds that browsers keep a setting: the longest they allow."""


class Settings(msgspec.Struct, frozen=True):
    """The settings of one person's browser; every value is one of ``CHOICES``."""

    theme: str = "system"
    contrast: str = "normal"
    deck: str = "two"
    hand: str = "right"
    index: str = "international"
    speed: str = "normal"


def settings_from(values: Mapping[str, str]) -> Settings:
    """Read settings from cookies or from a form; what is missing or unknown is as at first."""
    return Settings(
        **{name: values[name] for name, choices in CHOICES.items() if values.get(name) in choices}
    )


def setting_cookies(settings: Settings) -> list[Cookie]:
    """Return the cookies that keep settings."""
    return [
        Cookie(key=name, value=getattr(settings, name), path="/", max_age=KEPT_FOR, samesite="lax", httponly=True)
        for name in CHOICES
    ]
