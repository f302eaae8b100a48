"""What ``kupa verify`` does: checks records, or the matches of a database, and tells of each in one line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from kupa.catalogue import refusal_text, text
from kupa.games import registry
from kupa.record import Record, read_record
from kupa.refusal import Refusal
from kupa.rooms.room import ROOMS
from kupa.verification import (
    BROKEN,
    UNREADABLE,
    RoomDeal,
    Verdict,
    check_of_room,
    check_record,
    deals_of_room,
    fault_text,
)

if TYPE_CHECKING:
    from kupa.server.stored_logs import StoredLogs, StoredMatch

ALL_GOOD: Final = 0
BROKEN_PROMISE: Final = 1
NOT_READ: Final = 2
"""What the command ends with. A broken promise outweighs what could not be read."""


class Telling:
    """Tells of one match after the other, and remembers the exit status.

    Args:
        language: ``"tr"`` or ``"en"``.
        as_json: whether each line is a JSON object instead of a sentence.
    """

    def __init__(self, language: str, *, as_json: bool) -> None:
        self.status = ALL_GOOD
        self._language = language
        self._as_json = as_json

    def verdict(self, name: str, verdict: Verdict) -> None:
        """Tell what can be said of a match."""
        if verdict.verdict == UNREADABLE:
            self.unread(name, "match_unreadable", text(self._language, "fair.unreadable"))
            return
        if verdict.verdict == BROKEN:
            self.status = BROKEN_PROMISE
        faults = [
            {"code": fault.code, **fault.params, "message": fault_text(self._language, fault)}
            for fault in verdict.faults
        ]
        told = {
            "name": name,
            "verdict": verdict.verdict,
            "kind": verdict.kind,
            "rounds": len(verdict.rounds),
            "faults": faults,
        }
        key = f"fair.told.{verdict.verdict}"
        if verdict.verdict != BROKEN:
            key += f".{verdict.kind}"
        sentences = [text(self._language, key, n=len(verdict.rounds)), *(str(it["message"]) for it in faults)]
        self._write(told, name, sentences)

    def unread(self, name: str, code: str, sentence: str) -> None:
        """Tell that a match, a room or a file cannot be read, and why."""
        if self.status == ALL_GOOD:
            self.status = NOT_READ
        told = {"name": name, "verdict": UNREADABLE, "code": code, "message": sentence}
        self._write(told, name, [text(self._language, "fair.told.unreadable"), sentence])

    def nothing(self) -> None:
        """Tell that there is no match to check."""
        if not self._as_json:
            sys.stdout.write(text(self._language, "fair.told.nothing") + "\n")

    def _write(self, told: dict[str, Any], name: str, sentences: Sequence[str]) -> None:
        line = msgspec.json.encode(told).decode() if self._as_json else f"{name}: {' '.join(sentences)}"
        sys.stdout.write(line + "\n")

    def sentence(self, key: str, **params: str | int) -> str:
        """Return a sentence of the reader's language."""
        return text(self._language, key, **params)

    def refused(self, name: str, refusal: Refusal) -> None:
        """Tell that a text is no record, and why."""
        self.unread(name, refusal.code, refusal_text(self._language, refusal))


def verify_text(name: str, content: str, tell: Telling) -> None:
    """Check a record."""
    record = read_record(content)
    if isinstance(record, Refusal):
        tell.refused(name, record)
    else:
        tell.verdict(name, check_record(record))


def verify_database(path: Path, wanted: Sequence[str], tell: Telling) -> None:
    """Check the matches of a database, those of rooms with what their rooms' logs tell.

    Args:
        path: the file; it is only read.
        wanted: ids of matches; all if there are none.
        tell: is told of every match.
    """
    from kupa.server.store import StoreError
    from kupa.server.stored_logs import stored_logs

    try:
        with stored_logs(path) as logs:
            _verify_logs(logs, wanted, tell)
    except StoreError as error:
        tell.unread(str(path), error.code, tell.sentence(f"server.error.{error.code}", path=str(path)))
    except (OSError, ValueError):
        tell.unread(str(path), "unreadable", tell.sentence("cli.error.unreadable", file=str(path)))


def _verify_logs(logs: StoredLogs, wanted: Sequence[str], tell: Telling) -> None:
    stored = logs.matches()
    deals = _deals(logs, [one for one in stored if one.game == ROOMS.name], tell)
    matches = {one.id: one for one in stored if one.game != ROOMS.name}
    for match_id in wanted or [*matches, *(lost for lost in deals if lost not in matches)]:
        if match_id in matches:
            _verify_match(logs, matches[match_id], deals.get(match_id), tell)
        else:
            tell.unread(match_id, "no_such_match", tell.sentence("server.error.no_such_match"))
    if not wanted and not matches and not deals:
        tell.nothing()


def _deals(logs: StoredLogs, rooms: Sequence[StoredMatch], tell: Telling) -> dict[str, RoomDeal]:
    """Return the deals of all rooms by the match that they are of."""
    deals: dict[str, RoomDeal] = {}
    for room in rooms:
        found = _read(room.id, tell, partial(_deals_of, logs, room.id))
        deals.update({deal.match: deal for deal in found or ()})
    return deals


def _deals_of(logs: StoredLogs, room: str) -> tuple[RoomDeal, ...]:
    return deals_of_room(logs.events(room, ROOMS))


def _verify_match(logs: StoredLogs, match: StoredMatch, deal: RoomDeal | None, tell: Telling) -> None:
    game = registry().get(match.game)
    if game is None:
        tell.unread(match.id, "match_unreadable", tell.sentence("fair.unreadable"))
        return
    events = _read(match.id, tell, partial(logs.events, match.id, game))
    if events is None:
        return
    if deal is None:
        tell.verdict(match.id, check_record(Record(match.game, tuple(events))))
    else:
        tell.verdict(match.id, check_of_room(deal, events))


def _read(name: str, tell: Telling, read: Callable[[], Any]) -> Any:
    """Return what is read; None, and it has been told, if its log is damaged."""
    from kupa.server.store import UnreadableMatchError

    try:
        return read()
    except (UnreadableMatchError, ValueError, KeyError, IndexError, TypeError):
        tell.unread(name, "match_unreadable", tell.sentence("fair.unreadable"))
        return None
