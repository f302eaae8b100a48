"""Messages that somebody has reported: copied, since the message itself may be gone before anybody looks."""

from __future__ import annotations

from typing import Final

from sqlalchemy import func, insert, select

from kupa.refusal import Refusal
from kupa.server.people import People
from kupa.server.schema import MESSAGES, REPORTS

MOST: Final = 50
"""How many messages somebody may have reported at a time."""


async def report_message(people: People, room: str, reporter: str, message: int) -> Refusal | None:
    """Keep that somebody wants a message of a room to be looked at; doing so twice changes nothing.

    Args:
        people: whose database it is.
        room: the room in which it was said.
        reporter: who reports it.
        message: its number.

    Returns:
        None when it is kept, else ``no_such_message`` or ``too_many_reports``.

    Raises:
        StoreError: the database cannot be written.
    """
    async with people.store.database.writing() as connection:
        said = (
            await connection.execute(
                select(MESSAGES.c.text, MESSAGES.c.person).where(
                    MESSAGES.c.id == message, MESSAGES.c.room == room, MESSAGES.c.person != reporter
                )
            )
        ).one_or_none()
        if said is None:
            return Refusal("no_such_message")
        mine = REPORTS.c.reporter == reporter
        known = await connection.execute(select(REPORTS.c.id).where(mine, REPORTS.c.message_id == message))
        if known.first() is not None:
            return None
        count = await connection.execute(select(func.count()).select_from(REPORTS).where(mine))
        if count.scalar_one() >= MOST:
            return Refusal("too_many_reports", params={"n": MOST})
        await connection.execute(
            insert(REPORTS).values(
                message_id=message, room=room, reporter=reporter, text=said.text, at=people.now()
            )
        )
    return None
