"""Where rooms are found: by a code, and by who is in them. None of it is needed to replay a room's log."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_new

from kupa.rooms.state import Room
from kupa.server.database import Database
from kupa.server.room_codes import LENGTH, LETTERS
from kupa.server.schema import MEMBERS, MESSAGES, ROOMS, SEAT_LINKS
from kupa.server.store import StoreError

TRIES: Final = 20
"""How often a code is drawn anew because there is a room with it."""


def new_code() -> str:
    """Return a code, drawn at random."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


class RoomIndex:
    """Where rooms are found.

    Args:
        database: where this is kept.
        now: the time, in milliseconds since 1970, UTC.
    """

    def __init__(self, database: Callable[[], Database], now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def add(self, room_id: str, room: Room) -> str:
        """Enter a new room; returns its code.

        Raises:
            StoreError: it cannot be stored.
        """
        async with self._database().writing() as connection:
            for _ in range(TRIES):
                code = new_code()
                row = {"id": room_id, "code": code, "listed": room.settings.listed, **self._row(room)}
                done = await connection.execute(insert_new(ROOMS).values(row).on_conflict_do_nothing())
                if done.rowcount:
                    await connection.execute(insert(MEMBERS), _members(room_id, room))
                    return code
        raise StoreError("store_failed")

    async def note(self, room_id: str, room: Room) -> None:
        """Enter how a room is now."""
        async with self._database().writing() as connection:
            await connection.execute(update(ROOMS).where(ROOMS.c.id == room_id).values(**self._row(room)))
            await connection.execute(delete(MEMBERS).where(MEMBERS.c.room == room_id))
            members = _members(room_id, room)
            if members:
                await connection.execute(insert(MEMBERS), members)

    async def unseen_since(self, time: int) -> list[tuple[str, int]]:
        """Return the rooms that nobody has come to since a time, each with when somebody last did."""
        query = select(ROOMS.c.id, ROOMS.c.updated_at).where(ROOMS.c.updated_at < time)
        async with self._database().reading() as connection:
            return [(row.id, row.updated_at) for row in await connection.execute(query)]

    async def forget(self, room_id: str) -> None:
        """Take a room out of the index, with all that is kept of it beside its log."""
        async with self._database().writing() as connection:
            for column in (MEMBERS.c.room, MESSAGES.c.room, SEAT_LINKS.c.room, ROOMS.c.id):
                await connection.execute(delete(column.table).where(column == room_id))

    def _row(self, room: Room) -> dict[str, object]:
        taken = sum(not seat.is_open for seat in room.seats)
        return {
            "phase": room.phase if room.people else "left",
            "players": len(room.seats),
            "taken": taken,
            "host": room.host,
            "updated_at": self._now(),
        }

    async def code_of(self, room_id: str) -> str | None:
        """Return the code of a room, or None if there is no such room."""
        async with self._database().reading() as connection:
            found = await connection.execute(select(ROOMS.c.code).where(ROOMS.c.id == room_id))
            code: str | None = found.scalar_one_or_none()
        return code

    async def by_code(self, code: str) -> str | None:
        """Return the id of the room that a code leads to, or None; a room that all have left has none."""
        query = select(ROOMS.c.id).where(ROOMS.c.code == code, ROOMS.c.phase != "left")
        async with self._database().reading() as connection:
            room_id: str | None = (await connection.execute(query)).scalar_one_or_none()
        return room_id

    async def of(self, person: str) -> list[str]:
        """Return the ids of the rooms that somebody is in, the one in which something happened last first."""
        query = (
            select(ROOMS.c.id)
            .join(MEMBERS, MEMBERS.c.room == ROOMS.c.id)
            .where(MEMBERS.c.person == person)
            .order_by(ROOMS.c.updated_at.desc())
        )
        async with self._database().reading() as connection:
            return list((await connection.execute(query)).scalars())


def _members(room_id: str, room: Room) -> list[dict[str, object]]:
    return [{"room": room_id, "person": person, "seat": room.seat_of(person)} for person in room.people]
