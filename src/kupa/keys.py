"""Checking the keys of a JSON object that comes from outside.

Commands, starts of matches and requests to the referee are small objects whose keys are all known. An
unknown key, a missing one and one of the wrong kind are refused with ``bad_request`` and a sentence that
names the key; whether a value makes sense in the game is asked afterwards, by the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from kupa.refusal import Refusal

SHOWN: Final = 40
"""How many characters of a stranger's text a sentence repeats."""

LARGEST_NUMBER: Final = 2**53 - 1
"""The largest whole number that every JSON reader keeps exact."""


class Kind(NamedTuple):
    """What a value must be."""

    reason: str
    """The reason of the refusal otherwise; the sentence ``refusal.bad_request.<reason>`` names {key}."""
    fits: Callable[[object], bool]
    """Whether a value is of this kind."""


def is_integer(value: object) -> bool:
    """Tell whether a value is a whole number that JSON readers keep exact; true and false are none."""
    return type(value) is int and abs(value) <= LARGEST_NUMBER


def is_count(value: object) -> bool:
    """Tell whether a value is a whole number, 0 or more."""
    return type(value) is int and 0 <= value <= LARGEST_NUMBER


def is_text(value: object) -> bool:
    """Tell whether a value is a text."""
    return isinstance(value, str)


def is_list_of_texts(value: object) -> bool:
    """Tell whether a value is a list of texts."""
    return isinstance(value, list) and all(map(is_text, value))


TEXT: Final = Kind("not_text", is_text)
TEXTS: Final = Kind("not_texts", is_list_of_texts)
INTEGER: Final = Kind("not_an_integer", is_integer)
COUNT: Final = Kind("not_a_count", is_count)
FLAG: Final = Kind("not_a_flag", lambda value: isinstance(value, bool))
LIST: Final = Kind("not_a_list", lambda value: isinstance(value, list))
OBJECT: Final = Kind("not_an_object", lambda value: isinstance(value, dict))

NO_KEYS: Final[Mapping[str, Kind]] = {}


def bad_request(reason: str, **params: str | int) -> Refusal:
    """Return a refusal with the code ``bad_request``; texts among ``params`` are cut to a sensible length."""
    return Refusal("bad_request", reason, params={name: shown(value) for name, value in params.items()})


def shown(value: str | int) -> str | int:
    """Return what a sentence may repeat of a value from outside: its first characters."""
    if isinstance(value, str) and len(value) > SHOWN:
        return value[:SHOWN] + "…"
    return value


def check_keys(
    data: Mapping[str, object],
    required: Mapping[str, Kind] = NO_KEYS,
    optional: Mapping[str, Kind] = NO_KEYS,
) -> Refusal | None:
    """Return a refusal if the keys of an object are not the ones asked for, else None.

    Args:
        data: the object.
        required: the keys that must be there, each with the kind of its value.
        optional: the keys that may be there.
    """
    for key in data:
        if key not in required and key not in optional:
            return bad_request("unknown_key", key=key)
    for key in required:
        if key not in data:
            return bad_request("missing_key", key=key)
    for key, value in data.items():
        kind = required.get(key) or optional[key]
        if not kind.fits(value):
            return bad_request(kind.reason, key=key)
    return None
