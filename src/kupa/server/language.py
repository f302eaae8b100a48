"""Which language a request is answered in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from litestar.datastructures import Cookie

from kupa.catalogue import LANGUAGES

COOKIE: Final = "kupa_lang"
"""The cookie that keeps a person's own choice."""
KEPT_FOR: Final = 400 * 24 * 3600
"""Seconds that browsers keep it: the longest they allow."""


class Asking(Protocol):
    """What is read of a request or of a socket's opening request."""

    @property
    def cookies(self) -> Any:
        """The cookies by name."""
        ...

    @property
    def headers(self) -> Any:
        """The headers by name, without regard to case."""
        ...


def language_of(request: Asking) -> str:
    """Return the language of a request: the person's choice, else the browser's wish, else Turkish."""
    return chosen(request.cookies) or wished(request.headers.get("accept-language", "")) or LANGUAGES[0]


def chosen(cookies: Mapping[str, str]) -> str | None:
    """Return the language that a person has chosen, or None."""
    language = cookies.get(COOKIE)
    return language if language in LANGUAGES else None


def wished(accept_language: str) -> str | None:
    """Return the first of our languages in a header ``Accept-Language``, by its weights, or None."""
    weighted = []
    for place, entry in enumerate(accept_language[:500].split(",")):
        tag, *parameters = (part.strip() for part in entry.split(";"))
        primary = tag.partition("-")[0].casefold()
        weight = weight_of(parameters)
        if primary in LANGUAGES and weight > 0:
            weighted.append((-weight, place, primary))
    return min(weighted)[2] if weighted else None


def weight_of(parameters: list[str]) -> float:
    """Return the weight among an entry's parameters: 1 if none is given, 0 if it makes no sense."""
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().casefold() == "q":
            try:
                weight = float(value)
            except ValueError:
                return 0.0
            return weight if 0 <= weight <= 1 else 0.0
    return 1.0


def language_cookie(language: str) -> Cookie:
    """Return the cookie that keeps a chosen language."""
    return Cookie(key=COOKIE, value=language, path="/", max_age=KEPT_FOR, samesite="lax", httponly=True)
