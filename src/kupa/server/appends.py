"""Appends that wait to be stored, and what becomes of each when several share a transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

import msgspec

from kupa.server.store import MatchRecord, NewEvent, Outcome


class WrittenEvent(NamedTuple):
    """An event as a row of the log holds it."""

    version: int
    type: str
    data: str
    """A JSON object."""

    @classmethod
    def of(cls, event: NewEvent) -> Self:
        """Write an event; one that cannot be written fails here, before anybody waits for it."""
        return cls(event.version, event.data["type"], msgspec.json.encode(event.data).decode())


@dataclass(frozen=True, eq=False)
class Append:
    """Events on their way into the log, and the place where their outcome will be known."""

    match_id: str
    expected_seq: int
    """How many events the match has, as the caller knows it."""
    events: tuple[WrittenEvent, ...]
    over: bool
    """Whether the match is over after them."""
    command_id: str | None
    match: MatchRecord | None
    """The match itself if these are its first events."""
    at: int
    """Milliseconds since 1970, UTC."""
    outcome: asyncio.Future[Outcome] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


def judge(
    batch: Sequence[Append], seqs: Mapping[str, int], commands: Iterable[tuple[str, str]]
) -> list[Outcome]:
    """Return what becomes of each append of a batch, taken one after the other.

    An append that is out of order changes nothing for the others; one that is in order counts for those
    behind it.

    Args:
        batch: the appends in the order in which they came.
        seqs: how many events each match has; a match that does not exist is not in it.
        commands: the commands stored before, as (match, command id).
    """
    seqs, commands = dict(seqs), set(commands)
    outcomes = []
    for append in batch:
        outcome = _outcome(append, seqs.get(append.match_id), commands)
        if outcome is Outcome.STORED:
            seqs[append.match_id] = append.expected_seq + len(append.events)
            if append.command_id is not None:
                commands.add((append.match_id, append.command_id))
        outcomes.append(outcome)
    return outcomes


def _outcome(append: Append, seq: int | None, commands: set[tuple[str, str]]) -> Outcome:
    if append.match is not None:
        return Outcome.STORED if seq is None else Outcome.CONFLICT
    if append.command_id is not None and (append.match_id, append.command_id) in commands:
        return Outcome.DUPLICATE
    return Outcome.STORED if seq == append.expected_seq else Outcome.CONFLICT
