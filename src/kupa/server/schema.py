"""The tables of the log, as every SQL database keeps them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, MetaData, Table, Text

SCHEMA_VERSION: Final = 1
"""Goes up by one with every change below; a database of a higher one is refused."""

METADATA: Final = MetaData()

MATCHES: Final = Table(
    "matches",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("owner", Text),  # the hash of a guest's token
    Column("facts", Text, nullable=False),  # a JSON object
    Column("created_at", BigInteger, nullable=False),  # milliseconds since 1970, UTC
    Column("updated_at", BigInteger, nullable=False),
    Column("over", Boolean, nullable=False),
    Index("matches_of_owner", "owner", "updated_at"),
)
"""One row a match: what lists tell of it."""

EVENTS: Final = Table(
    "events",
    METADATA,
    # The primary key is the lock of a match: of two appends with the same number, one wins.
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),  # from 1, without gaps
    Column("version", Integer, nullable=False),
    Column("type", Text, nullable=False),  # for people who look into the log; also in data
    Column("data", Text, nullable=False),  # a JSON object
    Column("command_id", Text),  # on the first event of a person's command
    Column("at", BigInteger, nullable=False),  # milliseconds since 1970, UTC
    Index(
        "event_of_command",
        "match_id",
        "command_id",
        unique=True,
        sqlite_where=Column("command_id").is_not(None),
        postgresql_where=Column("command_id").is_not(None),
    ),
)
"""The log. Rows are added and read, never changed."""
