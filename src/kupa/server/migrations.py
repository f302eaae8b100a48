"""Bringing the database of an earlier Kupa up to date: a step a version, all in the caller's transaction."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection, bindparam, func, insert, select, update

from kupa.server.schema import MATCHES, METADATA, PEOPLE, RESULTS, SESSIONS

PERSON_BYTES: Final = 16
"""How much randomness the id of a person holds, in bytes; the id is 22 url-safe characters."""


def new_person_id() -> str:
    """Return an id that nobody has."""
    return secrets.token_urlsafe(PERSON_BYTES)


def migrate(connection: Connection, version: int) -> None:
    """Bring the tables of a version up to date.

    Args:
        connection: of the database, within a transaction that is begun for writing.
        version: the version that the database has, from 1 on and below ``SCHEMA_VERSION``.
    """
    for step in STEPS[version - 1 :]:
        step(connection)


def people_of_owners(connection: Connection) -> None:
    """From 1 to 2: each owner, the hash of a guest's token so far, becomes a person with that session.

    The browsers of that time hold the token without a signature, so these sessions count without one.
    """
    METADATA.create_all(connection)
    owners = connection.execute(
        select(MATCHES.c.owner, func.min(MATCHES.c.created_at), func.max(MATCHES.c.updated_at))
        .where(MATCHES.c.owner.is_not(None))
        .group_by(MATCHES.c.owner)
    ).all()
    if not owners:
        return
    ids = {owner: new_person_id() for owner, _, _ in owners}
    connection.execute(
        insert(PEOPLE),
        [{"id": ids[owner], "created_at": first, "seen_at": last} for owner, first, last in owners],
    )
    connection.execute(
        insert(SESSIONS),
        [
            {
                "token_hash": owner,
                "person": ids[owner],
                "created_at": first,
                "seen_at": last,
                "unsigned": True,
            }
            for owner, first, last in owners
        ],
    )
    connection.execute(
        update(MATCHES).where(MATCHES.c.owner == bindparam("was")).values(owner=bindparam("now")),
        [{"was": owner, "now": person} for owner, person in ids.items()],
    )


def results_kept(connection: Connection) -> None:
    """From 2 to 3: what people have played is kept; of matches of before it is worked out when asked for."""
    # The step before makes every table of today.
    RESULTS.create(connection, checkfirst=True)


STEPS: Final[tuple[Callable[[Connection], None], ...]] = (people_of_owners, results_kept)
"""The steps, the one from version 1 first."""
