"""What people may be called, and what they sign in with.

A name is what others see: two may have the same, and nothing in it can pass for anything but letters in a
row. A login is for its owner alone, and is compared without regard to case.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from itertools import count
from typing import Final

from kupa.refusal import Refusal

LONGEST_NAME: Final = 24
"""How many characters a name may have."""
SHORTEST_LOGIN: Final = 3
LONGEST_LOGIN: Final = 32
SHORTEST_PASSPHRASE: Final = 10
LONGEST_PASSPHRASE: Final = 256

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories that show nothing, or turn around what stands beside them: controls, formats, private use."""
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as an empty place."""
_MARKS_IN_A_ROW: Final = 2
"""How many signs may stand on one letter, beyond those that are one character with it."""

_DOT_ABOVE: Final = "\u0307"
_EVERY_I: Final = str.maketrans(dict.fromkeys("Iİı", "i"))


def tidy_name(typed: str) -> str | Refusal:
    """Return a name as it is kept: in NFC, trimmed, with single spaces inside.

    Returns:
        The name, or ``bad_name``: ``empty``, ``long`` (above 24 characters) or ``characters``.
    """
    name = " ".join(unicodedata.normalize("NFC", typed[:1_000]).split())
    if not name:
        return Refusal("bad_name", "empty")
    if len(name) > LONGEST_NAME:
        return Refusal("bad_name", "long", params={"n": LONGEST_NAME})
    return name if _can_be_seen(name) else Refusal("bad_name", "characters")


def _can_be_seen(name: str) -> bool:
    marks = 0
    for place, character in enumerate(name):
        category = unicodedata.category(character)
        if category in _UNSEEN or character in _BLANK:
            return False
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if marks > _MARKS_IN_A_ROW or (marks and place == 0):
            return False
    return True


def folded_login(typed: str) -> str | Refusal:
    """Return a login as it is kept and compared.

    Unicode's rules fold ``I`` to ``i`` and keep ``ı``; Turkish ones fold ``I`` to ``ı``; and ``İ`` folds to
    two characters. Somebody who types a login on another keyboard shall be let in all the same, so all four
    letters count as ``i``, by whichever rule. The rest is compatibility form (NFKC) and full case folding.

    Returns:
        The login, or ``bad_login``: ``length`` (3 to 32 characters) or ``characters`` (letters, digits,
        ``.``, ``_`` and ``-`` only).
    """
    text = unicodedata.normalize("NFKC", typed[:1_000].strip())
    folded = text.translate(_EVERY_I).casefold().replace(f"i{_DOT_ABOVE}", "i")
    login = unicodedata.normalize("NFKC", folded)
    if not SHORTEST_LOGIN <= len(login) <= LONGEST_LOGIN:
        return Refusal("bad_login", "length", params={"least": SHORTEST_LOGIN, "most": LONGEST_LOGIN})
    if not all(character.isalnum() or character in "._-" for character in login):
        return Refusal("bad_login", "characters")
    return login


def told_apart(names: Mapping[str, str]) -> dict[str, str]:
    """Return names of which no two are the same: a later one that is gets a number.

    Args:
        names: what people are called, by their ids, in the order in which they came.
    """
    apart: dict[str, str] = {}
    for person, name in names.items():
        taken = {*apart.values(), *names.values()} if name in apart.values() else set()
        numbered = (f"{name} {number}" for number in count(2))
        apart[person] = next(one for one in numbered if one not in taken) if taken else name
    return apart


def tidy_passphrase(typed: str, login: str) -> str | Refusal:
    """Return a passphrase as it is hashed: in NFC, otherwise as it was typed.

    Args:
        typed: what was typed.
        login: the folded login that it is for.

    Returns:
        The passphrase, or ``bad_passphrase``: ``short`` (under 10 characters), ``long`` or ``login`` (it is
        the login itself, once or more often).
    """
    text = unicodedata.normalize("NFC", typed)
    if len(text) < SHORTEST_PASSPHRASE:
        return Refusal("bad_passphrase", "short", params={"n": SHORTEST_PASSPHRASE})
    if len(text) > LONGEST_PASSPHRASE or any(unicodedata.category(sign) == "Cs" for sign in text):
        return Refusal("bad_passphrase", "long", params={"n": LONGEST_PASSPHRASE})
    folded = folded_login(text)
    if folded == login or not text.translate(_EVERY_I).casefold().replace(login, ""):
        return Refusal("bad_passphrase", "login")
    return text
