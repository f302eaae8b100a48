"""The tables of the log, as every SQL database keeps them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, MetaData, Table, Text

SCHEMA_VERSION: Final = 3
"""Goes up by one with every change below; a database of a higher one is refused, one of a lower one is
brought up to date (:mod:`kupa.server.migrations`)."""

METADATA: Final = MetaData()

MATCHES: Final = Table(
    "matches",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("owner", Text),  # the id of a person
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

PEOPLE: Final = Table(
    "people",
    METADATA,
    Column("id", Text, primary_key=True),  # 128 random bits; the only thing that logs know of a person
    Column("name", Text),  # what others are shown
    Column("login", Text, unique=True),  # folded, see kupa.server.names.folded_login; null for a guest
    Column("passphrase", Text),  # an Argon2id hash, with its parameters and its salt
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),  # no finer than a day
)
"""Everybody who has done anything here, guests and accounts."""

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("token_hash", Text, primary_key=True),  # SHA-256 in hex: who reads this cannot pass for a person
    Column("person", Text, ForeignKey("people.id"), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),  # no finer than a day
    # Made by version 1, which did not sign its tokens: the token alone counts.
    Column("unsigned", Boolean, nullable=False),
    Index("sessions_of_person", "person"),
)
"""The browsers in which people are known."""

BLOCKS: Final = Table(
    "blocks",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("other", Text, primary_key=True),
    Column("kind", Text, primary_key=True),  # "mute" or "block"
    Index("blocks_of_other", "other"),
)
"""Whom people do not want to read, or to meet."""

KEYS: Final = Table(
    "keys",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),  # hex
)
"""What the server signs with; drawn when it is first needed."""

ROOMS: Final = Table(
    "rooms",
    METADATA,
    Column("id", Text, primary_key=True),  # that of its log in matches
    Column("code", Text, nullable=False, unique=True),
    Column("listed", Boolean, nullable=False),
    Column("phase", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("taken", Integer, nullable=False),  # how many of its seats are
    Column("host", Text, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Index("rooms_listed", "listed", "phase", "updated_at"),
)
"""One row a room: what the lobby shows, and the way from a code to a room."""

MEMBERS: Final = Table(
    "members",
    METADATA,
    Column("room", Text, primary_key=True),
    Column("person", Text, primary_key=True),
    Column("seat", Integer),
    Index("rooms_of_member", "person"),
)
"""Who is in which room, and where they sit."""

MESSAGES: Final = Table(
    "messages",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("room", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("kind", Text, nullable=False),  # "say" or "react"
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("messages_of_room", "room", "id"),
    Index("messages_of_person", "person"),
    Index("messages_by_age", "at"),
    sqlite_autoincrement=True,
)
"""What was said; kept for a while only."""

REPORTS: Final = Table(
    "reports",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("message_id", Integer, nullable=False),
    Column("room", Text, nullable=False),
    Column("reporter", Text),  # null when the person is gone
    Column("text", Text, nullable=False),  # a copy of the message, which may be gone before it is looked at
    Column("at", BigInteger, nullable=False),
    Index("reports_of_reporter", "reporter"),
    sqlite_autoincrement=True,
)
"""Messages that somebody has reported to whoever runs the server."""

SEAT_LINKS: Final = Table(
    "seat_links",
    METADATA,
    Column("token_hash", Text, primary_key=True),
    Column("room", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index("seat_links_of_person", "person"),
)
"""Links with which somebody goes on in a seat on another device."""

RESULTS: Final = Table(
    "results",
    METADATA,
    # A row a seat in which a person sat. The match may be gone by now: what came of it stays with the person.
    Column("match", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", Text),  # null when the person is gone
    Column("game", Text, nullable=False),
    Column("preset", Text),  # the name of a rulebook
    Column("changed", Boolean, nullable=False),  # whether it was played by house rules
    Column("players", Integer, nullable=False),
    Column("company", Boolean, nullable=False),  # whether other people sat there
    Column("won", Boolean, nullable=False),
    Column("place", Integer),  # from 1, shared in a tie; null for a patience
    Column("points", Integer, nullable=False),
    Column("written", Integer),  # what the rounds wrote down, without what was on the sheet before them
    Column("rounds", Integer),
    Column("moons", Integer),
    Column("moves", Integer),  # of a patience
    Column("gave_up", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),  # when it ended
    Index("results_of_person", "person", "at"),
)
"""What people have played to its end."""
