"""The log of all matches: what a store promises, whichever database keeps it.

A match is the list of its events and nothing else. Events are only ever added, and the pair (match, seq) is
unique: whoever wants to add says how many events there are already, and of two that say the same, one wins
and the other is told ``CONFLICT``. What was answered ``STORED`` is on the disk and survives a loss of power.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import Enum
from typing import Final, Protocol

import msgspec

from kupa.game import Json
from kupa.server.database import Database
from kupa.server.store_errors import StoreError, UnreadableMatchError

__all__ = [
    "LISTED",
    "MatchRecord",
    "NewEvent",
    "Outcome",
    "Store",
    "StoreError",
    "StoredEvent",
    "UnreadableMatchError",
    "milliseconds_now",
]

LISTED: Final = 50
"""How many of an owner's matches are listed at most."""


def milliseconds_now() -> int:
    """Return the time in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


class Outcome(Enum):
    """What became of an append."""

    STORED = "stored"
    """The events are in the log, for good."""
    CONFLICT = "conflict"
    """The match has another number of events than was expected (or does not exist): nothing was stored."""
    DUPLICATE = "duplicate"
    """This command has been stored before: nothing was stored."""


class NewEvent(msgspec.Struct, frozen=True):
    """An event on its way into the log."""

    version: int
    """The version of the form it is written in."""
    data: Json
    """The event as built-ins, its ``type`` among them."""


class StoredEvent(msgspec.Struct, frozen=True):
    """An event of the log."""

    seq: int
    """Its number in its match; the first is 1, and there are no gaps."""
    version: int
    """The version of the form it is written in."""
    data: Json
    """The event as built-ins, its ``type`` among them."""
    command_id: str | None
    """The id of the command that led to it, on the first of the command's events only."""


class MatchRecord(msgspec.Struct, frozen=True):
    """What is kept of a match beside its events, none of it needed to replay them."""

    id: str
    """The unguessable name of the match."""
    game: str
    """The permanent name of the game."""
    owner: str | None
    """Whose match it is: the id of a person; None for a room's, or if the person is gone."""
    facts: Json
    """What lists tell of it: preset, number of players, level of the bots, names."""
    created_at: int
    """Milliseconds since 1970, UTC."""
    updated_at: int
    """When the last event was added, in the same unit."""
    over: bool
    """Whether the match was over after its last event."""


class Store(Protocol):
    """A log of matches. Every method but ``open`` needs an open store; all may run side by side."""

    async def open(self) -> None:
        """Make the store ready; an open one stays open.

        Raises:
            StoreError: ``database_newer``, ``database_foreign``, ``database_damaged``, ``database_busy``
                or ``database_unwritable``.
        """
        ...

    async def close(self) -> None:
        """Finish what is waiting to be stored, then let go of the database."""
        ...

    async def create(self, match: MatchRecord, events: Sequence[NewEvent]) -> Outcome:
        """Add a match with its first events, both or neither.

        Returns:
            ``STORED``, or ``CONFLICT`` if there is a match of this id.

        Raises:
            StoreError: ``store_failed``: nothing was stored, or it is not known.
        """
        ...

    async def append(
        self,
        match_id: str,
        expected_seq: int,
        events: Sequence[NewEvent],
        *,
        over: bool,
        command_id: str | None = None,
    ) -> Outcome:
        """Add events to a match, all or none.

        Args:
            match_id: the match.
            expected_seq: how many events it has, as the caller knows it.
            events: one or more.
            over: whether the match is over after them.
            command_id: the id of the command that led to them, unique in its match.

        Returns:
            What became of it. A command stored before is a ``DUPLICATE`` whatever was expected.

        Raises:
            StoreError: ``store_failed``: nothing was stored, or it is not known.
        """
        ...

    async def events(self, match_id: str, after: int = 0) -> list[StoredEvent]:
        """Return the events of a match with a number above ``after``, in order; none if there is no match."""
        ...

    async def match(self, match_id: str) -> MatchRecord | None:
        """Return what is kept of a match, or None if there is none of this id."""
        ...

    async def matches_of(self, owner: str, limit: int | None = LISTED) -> list[MatchRecord]:
        """Return an owner's matches, unfinished ones first, then the one played last.

        Args:
            owner: the id of a person.
            limit: how many at most; None for all.
        """
        ...

    async def hand_over(self, owner: str, to: str | None) -> None:
        """Let all matches of an owner be another's, or nobody's."""
        ...

    async def left_off(self, before: int) -> list[MatchRecord]:
        """Return the unfinished matches of any owner that were last played before a time."""
        ...

    async def drop(self, match_ids: Sequence[str]) -> None:
        """Take matches out of the log, whole; those that do not exist are passed over.

        Raises:
            StoreError: ``store_failed``: nothing was taken out.
        """
        ...

    @property
    def database(self) -> Database:
        """The connections of an open store, for what is kept beside the matches.

        Raises:
            StoreError: ``store_failed``: the store is not open.
        """
        ...
