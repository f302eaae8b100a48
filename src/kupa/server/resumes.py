"""What a person can go on with, as the front page shows it: tables they are at, and matches of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from kupa.cards import CardText
from kupa.catalogue import text
from kupa.hearts.presets import PRESETS
from kupa.rooms.state import OVER, Room
from kupa.server.errors import note
from kupa.server.rooms import RoomHost
from kupa.server.store import MatchRecord, StoreError, UnreadableMatchError
from kupa.server.table import PERSON, Table
from kupa.server.tables import Tables

MOST: Final = 8
"""How many are shown."""

EMBLEMS: Final[dict[str, tuple[CardText, ...]]] = {
    "hearts": ("7C", "QS", "TH"),
    "heart-to-heart": ("8H", "TH", "5H"),
}
"""The three cards that stand for a match of a game."""


class Part(msgspec.Struct, frozen=True):
    """A few words of what is told of a match."""

    words: str
    is_more: bool = False
    """Whether they are only read out where there is little room."""


class Resume(msgspec.Struct, frozen=True):
    """A match that can be gone on with."""

    url: str
    """The path of its page."""
    game: str
    emblem: tuple[CardText, ...]
    told: tuple[Part, ...]
    """Which it is and where it stands, in the reader's language."""


async def rooms_for(rooms: RoomHost, person: str | None, language: str) -> list[Resume]:
    """Return the rooms that somebody is in and that wait for their company, or play."""
    if person is None:
        return []
    found: list[Resume] = []
    for room_id in await rooms.of(person):
        try:
            room = await rooms.open(room_id)
        except (UnreadableMatchError, StoreError) as error:
            note(error)
            continue
        if room is not None and room.room.phase != OVER:
            told = standing_of_room(rooms.table_of(room), room.room, person, language)
            found.append(Resume(f"/t/{room_id}", "hearts", EMBLEMS["hearts"], told))
        if len(found) == MOST:
            break
    return found


def standing_of_room(table: Table | None, room: Room, person: str, language: str) -> tuple[Part, ...]:
    """Return which room it is and where it stands, as far as the person knows."""
    rules = text(language, f"rules.{room.settings.rules}")
    name = Part(text(language, "game.hearts"), is_more=True)
    players = Part(text(language, "players.count", n=room.settings.players), is_more=True)
    if table is None:
        return (name, Part(rules), players, Part(text(language, "front.resume.waiting")))
    seat = room.seat_of(person)
    view: Any = table.view(seat)
    parts = [name, Part(text(language, "front.resume.round", rules=rules, round=view.round + 1)), players]
    if seat is not None and view.turn == seat:
        parts.append(Part(text(language, "front.resume.turn")))
    return tuple(parts)


async def resumes_for(tables: Tables, owner: str | None, language: str) -> list[Resume]:
    """Return the matches that an owner left off, the one played last first.

    A match that cannot be read is left out: the page that lists it must not fail with it. Of the deals of
    Heart to Heart that were only looked at, the newest alone is listed, so that they push nothing out.
    """
    if owner is None:
        return []
    found: list[Resume] = []
    for record in left_off(await tables.list_for(owner)):
        try:
            table = await tables.open(record.id)
        except (UnreadableMatchError, StoreError) as error:
            note(error)
            continue
        if table is not None:
            told = standing(table, record, language)
            found.append(Resume(f"/m/{record.id}", record.game, EMBLEMS[record.game], told))
        if len(found) == MOST:
            break
    return found


def left_off(records: Iterable[MatchRecord]) -> Iterator[MatchRecord]:
    """Yield the matches that are worth going on with, in the order given, the newest first."""
    has_untouched = False
    for record in records:
        if record.over or record.game not in EMBLEMS:
            continue
        if is_untouched(record):
            if has_untouched:
                continue
            has_untouched = True
        yield record


def is_untouched(record: MatchRecord) -> bool:
    """Tell whether nothing has been done in a patience since it was dealt.

    In a match of Hearts the bots may have acted, so there it cannot be told from the record.
    """
    return record.game == "heart-to-heart" and record.updated_at == record.created_at


def standing(table: Table, record: MatchRecord, language: str) -> tuple[Part, ...]:
    """Return which match it is and where it stands, as far as the person's own seat knows."""
    view: Any = table.view(PERSON)
    name = text(language, f"game.{record.game}")
    if record.game == "heart-to-heart":
        score = Part(text(language, "front.resume.score", n=view.score))
        return (Part(name, is_more=True), Part(view.code), score) if view.code else (Part(name), score)
    # Another target is agreed on at every table: it makes no house rules.
    known = record.facts["preset"] in PRESETS and set(record.facts["changed"]) <= {"target"}
    preset = record.facts["preset"] if known else "custom"
    rules = text(language, f"rules.{preset}")
    parts = [
        Part(name, is_more=True),
        Part(text(language, "front.resume.round", rules=rules, round=view.round + 1)),
        Part(text(language, "players.count", n=record.facts["players"]), is_more=True),
    ]
    if view.turn == PERSON:
        parts.append(Part(text(language, "front.resume.turn")))
    return tuple(parts)
