"""The catalogues: every sentence that people read, in English and Turkish.

Sentences live in gettext files ``locale/<language>/<subject>.po``; the message id is a key such as
``refusal.must_follow_suit``, so that no language is the original of the other. Babel reads the files as they
are, so there is no build step, and the browser gets the same messages as JSON.

A sentence names its parameters in braces: ``{field}``. No parameter ever carries a case ending.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from importlib import resources
from typing import Final

from babel.messages.pofile import read_po

from kupa.refusal import Refusal

LANGUAGES: Final = ("tr", "en")
"""The languages of Kupa, the one to fall back on first."""

_PARAMETER = re.compile(r"\{(\w+)\}")


@cache
def messages(language: str) -> dict[str, str | tuple[str, ...]]:
    """Return every message of a language by key.

    A message with a number is a tuple of its plural forms: (one, other) in English, (other,) in Turkish,
    whose nouns stay singular after a number.

    Raises:
        KeyError: the language has no catalogue.
        ValueError: two files of a language define one key.
    """
    if language not in LANGUAGES:
        raise KeyError(language)
    found: dict[str, str | tuple[str, ...]] = {}
    folder = resources.files("kupa").joinpath("locale", language)
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".po"):
            continue
        with file.open("rb") as source:
            for message in read_po(source, locale=language):
                if not message.id:
                    continue
                key = message.id[0] if isinstance(message.id, tuple | list) else message.id
                if key in found:
                    raise ValueError(f"{language}: {key} is defined twice")
                text = message.string or ""
                found[key] = tuple(text) if isinstance(text, tuple | list) else str(text)
    return found


def plural_form(language: str, number: int) -> int:
    """Return which of a message's forms goes with a number: Turkish has one, English two."""
    return 0 if language == "tr" or number == 1 else 1


def filled(sentence: str, params: dict[str, str | int]) -> str:
    """Put parameters into a sentence; braces in a parameter are left alone.

    Raises:
        KeyError: the sentence names a parameter that is not given.
    """
    return _PARAMETER.sub(lambda match: str(params[match[1]]), sentence)


def text(language: str, key: str, /, **params: str | int) -> str:
    """Return a sentence of a language with its parameters filled in.

    A message with plural forms chooses among them by the parameter ``n``.

    Raises:
        KeyError: the key, or a parameter that the sentence names, is missing.
    """
    found = messages(language)[key]
    if isinstance(found, tuple):
        found = found[plural_form(language, int(params["n"]))]
    return filled(found, dict(params))


def day(language: str, when: date) -> str:
    """Return a day as a language writes it: ``9 Mayıs 2026``, ``May 9, 2026``."""
    # It takes a moment to import, and few pages name a day.
    from babel.dates import format_date

    return str(format_date(when, "long", locale=language))


def decimal(language: str, value: float) -> str:
    """Return a number with one digit after the point, as a language writes it: ``6,5``, ``6.5``."""
    from babel.numbers import format_decimal

    return str(format_decimal(value, "#,##0.0", locale=language))


def refusal_text(language: str, refusal: Refusal) -> str:
    """Return the sentence that tells why a request was refused."""
    return text(language, refusal.message_key, **refusal.params)
