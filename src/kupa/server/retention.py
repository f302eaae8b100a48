"""Keeping nothing for longer than the page on privacy says: looked after at the start, and every day."""

from __future__ import annotations

import asyncio
from typing import Final

from sqlalchemy import delete, select

from kupa.server.errors import note
from kupa.server.people import DAY, People
from kupa.server.room_index import RoomIndex
from kupa.server.schema import MEMBERS, MESSAGES, PEOPLE, REPORTS, SEAT_LINKS, SESSIONS
from kupa.server.store import UnreadableMatchError

MATCHES_KEPT: Final = 400
"""Days for which an unfinished match of a guest is kept after it was last played."""
ROOMS_KEPT: Final = 400
"""Days for which a table of several people is kept, with its matches, after somebody was last there."""
UNPLAYED_KEPT: Final = 30
"""Days for which one is kept at which no match has begun."""
SESSIONS_KEPT: Final = 400
"""Days for which a session is kept after it was last seen."""
MESSAGES_KEPT: Final = 30
"""Days for which a message is kept."""
REPORTS_KEPT: Final = 90
"""Days for which a report, with its copy of the message, is kept."""
EVERY: Final = 24 * 3600.0
"""Seconds from one look to the next."""


async def enforce(people: People) -> None:
    """Take out whatever has been kept for long enough.

    Raises:
        StoreError: the database cannot be used; the next look does the rest.
    """
    people.forget_attempts()
    now = people.now()
    async with people.store.database.writing() as connection:
        for column, days in ((MESSAGES.c.at, MESSAGES_KEPT), (REPORTS.c.at, REPORTS_KEPT)):
            await connection.execute(delete(column.table).where(column < now - days * DAY))
        await connection.execute(delete(SEAT_LINKS).where(SEAT_LINKS.c.expires_at < now))
    await _drop_rooms(people, now)
    await _drop_matches(people, now - MATCHES_KEPT * DAY)
    await _end_sessions(people, now - SESSIONS_KEPT * DAY)
    await _forget_unreachable(people)


async def _drop_matches(people: People, before: int) -> None:
    """Drop the unfinished matches of guests, and of nobody known, that were last played before a time."""
    left_off = await people.store.left_off(before)
    if not left_off:
        return
    async with people.store.database.reading() as connection:
        rows = await connection.execute(select(PEOPLE.c.id).where(PEOPLE.c.login.is_not(None)))
        accounts = frozenset(rows.scalars())
    await people.store.drop(
        [match.id for match in left_off if match.owner not in accounts and not match.facts.get("room")]
    )


async def _drop_rooms(people: People, now: int) -> None:
    """Drop the tables where nobody has been for long enough: the log of each, and of all its matches."""
    index = RoomIndex(lambda: people.store.database, people.now)
    for room_id, seen_at in await index.unseen_since(now - UNPLAYED_KEPT * DAY):
        try:
            log = await people.store.events(room_id)
            played = [event.data["match"] for event in log if event.data["type"] == "started"]
        except (UnreadableMatchError, KeyError) as error:
            note(error)  # one that is damaged must not keep the others
            continue
        if played and seen_at >= now - ROOMS_KEPT * DAY:
            continue
        # Whatever a crash leaves is found again by its entry, which goes last.
        await people.store.drop([*played, room_id])
        await index.forget(room_id)


async def _end_sessions(people: People, before: int) -> None:
    async with people.store.database.reading() as connection:
        rows = await connection.execute(
            select(SESSIONS.c.person, SESSIONS.c.token_hash).where(SESSIONS.c.seen_at < before)
        )
        old = rows.all()
    for person, token_hash in old:
        await people.end_session(person, token_hash)


async def _forget_unreachable(people: People) -> None:
    """Take out guests without a session, since nobody can be them any more, and who is half out already."""
    guests = select(PEOPLE.c.id).where(
        PEOPLE.c.login.is_(None), PEOPLE.c.id.not_in(select(SESSIONS.c.person))
    )
    left_behind = select(MEMBERS.c.person).where(MEMBERS.c.person.not_in(select(PEOPLE.c.id)))
    async with people.store.database.reading() as connection:
        unreachable = list((await connection.execute(guests.union(left_behind))).scalars())
    for person in unreachable:
        await people.delete(person)


async def keep_to_it(people: People, every: float = EVERY) -> None:
    """Look after it for ever, at once and then every day; to be run as a task.

    Who calls it off waits for the look that is under way: in the middle of a statement it would take the
    connection along.
    """
    while True:
        look = asyncio.ensure_future(enforce(people))
        try:
            await asyncio.shield(look)
        except asyncio.CancelledError:
            await asyncio.wait({look})
            raise
        except Exception as error:  # a day on which it fails must not be the last
            note(error)
        await asyncio.sleep(every)
