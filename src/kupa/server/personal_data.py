"""What is kept of a person, all of it, for that person."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import select

from kupa.game import Json
from kupa.server.people import People
from kupa.server.schema import BLOCKS, MEMBERS, MESSAGES, REPORTS, RESULTS, SEAT_LINKS

VERSION: Final = 1
"""Of the form of an export."""
TOLD_FACTS: Final = ("preset", "changed", "players", "bots", "room")
"""What is told of a match: not the luck of its bots, with which they could be foreseen."""


def moment(milliseconds: int) -> str:
    """Return a time as ISO 8601, UTC, to the second."""
    return datetime.fromtimestamp(milliseconds // 1000, UTC).isoformat().replace("+00:00", "Z")


async def export(people: People, person: str) -> Json | None:
    """Return everything that is kept of a person, or None if there is nobody of this id.

    Passphrases and tokens are kept as hashes only, and not told; nor is what would tell cards of a match.
    """
    known = await people.person(person)
    if known is None:
        return None
    matches = await people.store.matches_of(person, limit=None)
    return {
        "version": VERSION,
        "person": person,
        "name": known.name,
        "login": known.login,
        "created_at": moment(known.created_at),
        "sessions": [
            {"created_at": moment(session.created_at), "seen_at": moment(session.seen_at)}
            for session in await people.sessions(person)
        ],
        **await _beside(people, person),
        "matches": [
            {
                "id": match.id,
                "game": match.game,
                "created_at": moment(match.created_at),
                "updated_at": moment(match.updated_at),
                "over": match.over,
                **{name: match.facts[name] for name in TOLD_FACTS if name in match.facts},
            }
            for match in matches
        ],
    }


async def _beside(people: People, person: str) -> Json:
    """Return what other tables keep of a person."""
    blocks = select(BLOCKS.c.other, BLOCKS.c.kind).where(BLOCKS.c.person == person)
    rooms = select(MEMBERS.c.room, MEMBERS.c.seat).where(MEMBERS.c.person == person)
    links = select(SEAT_LINKS.c.room, SEAT_LINKS.c.expires_at).where(SEAT_LINKS.c.person == person)
    said = select(MESSAGES.c.room, MESSAGES.c.kind, MESSAGES.c.text, MESSAGES.c.at)
    reports = select(REPORTS.c.room, REPORTS.c.message_id, REPORTS.c.text, REPORTS.c.at)
    results = select(*(column for column in RESULTS.c if column.name != "person"))
    queries = {
        "keeps_away": blocks.order_by(BLOCKS.c.other, BLOCKS.c.kind),
        "rooms": rooms.order_by(MEMBERS.c.room),
        "seat_links": links.order_by(SEAT_LINKS.c.expires_at),
        "messages": said.where(MESSAGES.c.person == person).order_by(MESSAGES.c.id),
        "reports": reports.where(REPORTS.c.reporter == person).order_by(REPORTS.c.id),
        "results": results.where(RESULTS.c.person == person).order_by(RESULTS.c.at, RESULTS.c.match),
    }
    found: dict[str, Any] = {}
    async with people.store.database.reading() as connection:
        for name, query in queries.items():
            found[name] = [_told(row._mapping) for row in await connection.execute(query)]
    return found


def _told(row: Any) -> Json:
    return {
        name: moment(value) if name in {"at", "expires_at"} else value for name, value in dict(row).items()
    }
