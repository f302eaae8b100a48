"""Tokens: what a browser or a program shows to be known again.

A token is 128 random bits. The database keeps its hash alone, so that who reads the database cannot pass for
anybody; browsers keep it with a signature, so that what is made up is turned away without a look into the
database.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from typing import Final, NamedTuple

from itsdangerous import BadSignature, TimestampSigner

TOKEN_BYTES: Final = 16
"""How much randomness a token holds, in bytes."""
KEPT_FOR: Final = 400 * 24 * 3600
"""Seconds for which a signature counts, and for which browsers keep it: the longest they allow."""
KEY_BYTES: Final = 32
"""How much randomness the key holds that tokens are signed with, in bytes."""
LONGEST: Final = 200
"""How many characters a signed token has at most."""
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22}")


class ReadToken(NamedTuple):
    """A token that was shown."""

    hash: str
    """As the database keeps it."""
    age: float | None
    """Seconds since it was signed; None without a signature, as version 1 of the database had them."""


class _Signer(TimestampSigner):
    """Signs with a clock of ours."""

    def __init__(self, key: bytes, now: Callable[[], int]) -> None:
        super().__init__(key, salt="kupa.session", digest_method=hashlib.sha256)
        self._now = now

    def get_timestamp(self) -> int:
        """Return the time in seconds since 1970."""
        return self._now() // 1000


def new_token() -> str:
    """Return a token that nobody has."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_of(token: str) -> str:
    """Return a token as the database keeps it: its SHA-256 in hex."""
    return hashlib.sha256(token.encode()).hexdigest()


class Tokens:
    """Signs tokens and reads signed ones.

    Args:
        key: the server's own; whoever knows it can sign.
        now: the clock, in milliseconds since 1970, UTC.
    """

    def __init__(self, key: bytes, now: Callable[[], int]) -> None:
        self._now = now
        self._signer = _Signer(key, now)

    def signed(self, token: str) -> str:
        """Return a token with a signature of this moment."""
        return self._signer.sign(token).decode()

    def read(self, shown: str) -> ReadToken | None:
        """Return the token of a signed one; None if the signature is not ours, or too old."""
        if _TOKEN.fullmatch(shown):
            return ReadToken(hash_of(shown), None)
        if len(shown) > LONGEST or not shown.isascii():
            return None
        try:
            value, at = self._signer.unsign(shown, max_age=KEPT_FOR, return_timestamp=True)
        except BadSignature:
            return None
        token = value.decode("ascii", "replace")
        if _TOKEN.fullmatch(token) is None:
            return None
        return ReadToken(hash_of(token), self._now() / 1000 - at.timestamp())
