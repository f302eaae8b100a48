"""How a person has set the pages: theme, deck, side of the hand, speed. Kept in cookies, one a setting.

The language is apart (``language.py``), since the first visit already has one. Everything here changes looks
alone: a setting never touches a match.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from litestar.datastructures import Cookie

from kupa.server.language import KEPT_FOR

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "theme": ("system", "light", "dark"),
    "contrast": ("normal", "more"),
    "deck": ("two", "four"),
    "hand": ("right", "left"),
    "index": ("international", "turkish"),
    "speed": ("normal", "slow", "fast"),
}
"""The values of each setting, the one that holds at first in front."""

PREFIX: Final = "kupa_"
"""What the name of each setting's cookie begins with."""


class Settings(msgspec.Struct, frozen=True):
    """The settings of one person's browser; every value is one of ``CHOICES``."""

    theme: str = "system"
    contrast: str = "normal"
    deck: str = "two"
    hand: str = "right"
    index: str = "international"
    speed: str = "normal"


def settings_from(values: Mapping[str, str], prefix: str = "") -> Settings:
    """Read settings; what is missing or unknown is as at first.

    Args:
        values: a form, or cookies.
        prefix: what the names begin with there.
    """
    given = {name: values.get(prefix + name) for name in CHOICES}
    return Settings(**{name: value for name, value in given.items() if value in CHOICES[name]})


def settings_of_cookies(cookies: Mapping[str, str]) -> Settings:
    """Return the settings that a browser keeps."""
    return settings_from(cookies, PREFIX)


def setting_cookies(settings: Settings) -> list[Cookie]:
    """Return the cookies that keep settings."""
    return [
        Cookie(
            key=PREFIX + name,
            value=getattr(settings, name),
            path="/",
            max_age=KEPT_FOR,
            samesite="lax",
            httponly=True,
        )
        for name in CHOICES
    ]
