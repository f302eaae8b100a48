"""The codes of rooms, as people type them: six letters and digits that are not taken for one another."""

from __future__ import annotations

import re
from typing import Final

from kupa.refusal import Refusal

LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""What a code is made of: no I, O, 0 and 1, which read alike."""
LENGTH: Final = 6
"""How many of them a code has."""
LOOK_ALIKES: Final = frozenset("IO01\u0130\u0131")
"""What is none of them, and is taken for one; a Turkish keyboard's dotted and dotless i are an I here."""

_SPACES: Final = re.compile(r"[\s\u200b-\u200d\u2060\ufeff-]+")
"""Spaces of any kind, seen or not, and the stroke that some write in the middle."""
_SMALL: Final = {ord(small): small.encode()[0] - 32 for small in "abcdefghijklmnopqrstuvwxyz"}
"""Small letters of ASCII to large ones; no other letter has its case changed."""


def read_code(typed: str) -> str | Refusal:
    """Return the code that somebody has typed, or why it is none.

    Args:
        typed: any text; spaces are left out, and small letters are large ones.

    Returns:
        Six characters of :data:`LETTERS`, or the refusal ``bad_room_code`` with the reason ``look_alike`` (an
        I, O, 0 or 1), ``length`` or ``character`` (anything else that no code has).
    """
    code = _SPACES.sub("", typed[:200]).translate(_SMALL)
    if LOOK_ALIKES & set(code):
        return Refusal("bad_room_code", "look_alike")
    if any(letter not in LETTERS for letter in code):
        return Refusal("bad_room_code", "character")
    if len(code) != LENGTH:
        return Refusal("bad_room_code", "length", params={"length": LENGTH})
    return code


def spaced(code: str) -> str:
    """Return a code as it is shown: in two halves."""
    return f"{code[: LENGTH // 2]} {code[LENGTH // 2 :]}"
