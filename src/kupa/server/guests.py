"""Guests: whose matches these are, without a name or a password.

A browser that makes its first match gets a random token in a cookie. The store keeps the token's hash alone,
so that who reads the database cannot pass for a guest.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any, Final, NamedTuple

from litestar import Request
from litestar.datastructures import Cookie

COOKIE: Final = "kupa_guest"
TOKEN_BYTES: Final = 16
"""How much randomness a token holds, in bytes."""
KEPT_FOR: Final = 400 * 24 * 3600
"""Seconds that browsers keep the token: the longest they allow."""
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22}")


class Guest(NamedTuple):
    """Who asks."""

    owner: str
    """The hash of the guest's token, as the store keeps it."""
    cookies: list[Cookie]
    """The cookie to set with the answer; empty if the browser has it already."""


def owner_of(request: Request[Any, Any, Any]) -> str | None:
    """Return the hash of a guest's token, or None for a browser without one."""
    token = request.cookies.get(COOKIE, "")
    return _hashed(token) if _TOKEN.fullmatch(token) else None


def guest_of(request: Request[Any, Any, Any]) -> Guest:
    """Return who asks; a browser without a token gets one with the cookies of the answer."""
    owner = owner_of(request)
    if owner is not None:
        return Guest(owner, [])
    token = secrets.token_urlsafe(TOKEN_BYTES)
    cookie = Cookie(
        key=COOKIE,
        value=token,
        path="/",
        max_age=KEPT_FOR,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return Guest(_hashed(token), [cookie])


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
