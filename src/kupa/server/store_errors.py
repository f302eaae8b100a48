"""What can go wrong with a store."""

from __future__ import annotations


class StoreError(Exception):
    """The store cannot do its work: the database is unusable, or has just failed.

    The sentence is the catalogue entry ``server.error.<code>``.
    """

    def __init__(self, code: str, path: str = "") -> None:
        super().__init__(code)
        self.code = code
        """A stable name in snake_case."""
        self.path = path
        """The file it is about, as the sentence names it."""


class UnreadableMatchError(Exception):
    """The log of a match cannot be replayed: an event in it is none, is missing, or does not fit."""
