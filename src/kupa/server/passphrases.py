"""Hashing passphrases with Argon2id, in threads, a few at a time: one takes 64 MiB and a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

AT_ONCE: Final = 2
"""How many are hashed at the same time."""


MOST_WAITING: Final = 16
"""How many may wait; more are sent away, so that a flood of them cannot stop everybody for minutes."""


class CrowdedError(Exception):
    """Too many wait; whoever asked may come again in a few seconds."""


class Passphrases:
    """Makes and checks hashes.

    Args:
        hasher: with the parameters for new hashes; the library's own (RFC 9106, low memory) if left out.
    """

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._places = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0
        self._nobodys: str | None = None
        self._making_nobodys = asyncio.Lock()

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Count whoever waits.

        Raises:
            CrowdedError: too many do.
        """
        if self._waiting >= MOST_WAITING:
            raise CrowdedError
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    async def hashed(self, passphrase: str) -> str:
        """Return the hash of a passphrase, with its parameters and a salt of its own.

        Raises:
            CrowdedError: too many wait for theirs.
        """
        with self._counted():
            return await self.hashed_for_known(passphrase)

    async def hashed_for_known(self, passphrase: str) -> str:
        """Return the hash of a passphrase of somebody who has just been let in; they wait for it."""
        async with self._places:
            return await asyncio.to_thread(self._hasher.hash, passphrase)

    async def fits(self, passphrase: str, known: str | None) -> bool:
        """Tell whether a passphrase is the one of a hash.

        Args:
            passphrase: what was typed.
            known: the hash; None where nobody has that login: it takes as long, so that it cannot be told.

        Raises:
            CrowdedError: too many wait for an answer.
        """
        with self._counted():
            compared = await self._hash_of_nobody() if known is None else known
            async with self._places:
                fits = await asyncio.to_thread(self._verify, compared, passphrase)
        return fits and known is not None

    async def _hash_of_nobody(self) -> str:
        """Return the hash that unknown logins are compared with; made once, however many wait for it."""
        async with self._making_nobodys:
            if self._nobodys is None:
                self._nobodys = await self.hashed_for_known("nobody’s passphrase")
            return self._nobodys

    def is_outdated(self, known: str) -> bool:
        """Tell whether a hash was made with other parameters than new ones are."""
        return self._hasher.check_needs_rehash(known)

    def _verify(self, known: str, passphrase: str) -> bool:
        try:
            return self._hasher.verify(known, passphrase)
        except (VerificationError, InvalidHashError):
            return False
