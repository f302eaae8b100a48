"""A database of version 1 becomes one of today, whole, once, and with nobody's matches lost."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Connection, create_engine, inspect

from kupa.server import migrations
from kupa.server.database_file import APPLICATION_ID, prepare
from kupa.server.live_log import new_events
from kupa.server.people import People
from kupa.server.results import Results
from kupa.server.schema import METADATA, SCHEMA_VERSION
from kupa.server.sqlite_store import SqliteStore
from kupa.server.store import NewEvent, Outcome, StoreError
from kupa.server.tokens import ReadToken
from tests.browser.heart_table import SHOWN_DEAL, TAPS
from tests.server.ended_matches import HEART, heart_events, taps
from tests.server.playing import in_a_loop

# As version 1 wrote it: never to be changed.
VERSION_1 = """
CREATE TABLE matches (
    id TEXT NOT NULL,
    game TEXT NOT NULL,
    owner TEXT,
    facts TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    over BOOLEAN NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX matches_of_owner ON matches (owner, updated_at);
CREATE TABLE events (
    match_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    command_id TEXT,
    at BIGINT NOT NULL,
    PRIMARY KEY (match_id, seq),
    FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE UNIQUE INDEX event_of_command ON events (match_id, command_id) WHERE command_id IS NOT NULL;
"""

# As version 2 wrote it: never to be changed.
VERSION_2 = """
CREATE TABLE matches (
    id TEXT NOT NULL,
    game TEXT NOT NULL,
    owner TEXT,
    facts TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    over BOOLEAN NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX matches_of_owner ON matches (owner, updated_at);
CREATE TABLE people (
    id TEXT NOT NULL,
    name TEXT,
    login TEXT,
    passphrase TEXT,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (login)
);
CREATE TABLE blocks (
    person TEXT NOT NULL,
    other TEXT NOT NULL,
    kind TEXT NOT NULL,
    PRIMARY KEY (person, other, kind)
);
CREATE INDEX blocks_of_other ON blocks (other);
CREATE TABLE keys (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
);
CREATE TABLE rooms (
    id TEXT NOT NULL,
    code TEXT NOT NULL,
    listed BOOLEAN NOT NULL,
    phase TEXT NOT NULL,
    players INTEGER NOT NULL,
    taken INTEGER NOT NULL,
    host TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (code)
);
CREATE INDEX rooms_listed ON rooms (listed, phase, updated_at);
CREATE TABLE members (
    room TEXT NOT NULL,
    person TEXT NOT NULL,
    seat INTEGER,
    PRIMARY KEY (room, person)
);
CREATE INDEX rooms_of_member ON members (person);
CREATE TABLE messages (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    room TEXT NOT NULL,
    person TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX messages_of_room ON messages (room, id);
CREATE INDEX messages_by_age ON messages (at);
CREATE INDEX messages_of_person ON messages (person);
CREATE TABLE reports (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    message_id INTEGER NOT NULL,
    room TEXT NOT NULL,
    reporter TEXT,
    text TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX reports_of_reporter ON reports (reporter);
CREATE TABLE seat_links (
    token_hash TEXT NOT NULL,
    room TEXT NOT NULL,
    person TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (token_hash)
);
CREATE INDEX seat_links_of_person ON seat_links (person);
CREATE TABLE events (
    match_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    command_id TEXT,
    at BIGINT NOT NULL,
    PRIMARY KEY (match_id, seq),
    FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE UNIQUE INDEX event_of_command ON events (match_id, command_id) WHERE command_id IS NOT NULL;
CREATE TABLE sessions (
    token_hash TEXT NOT NULL,
    person TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    unsigned BOOLEAN NOT NULL,
    PRIMARY KEY (token_hash),
    FOREIGN KEY(person) REFERENCES people (id)
);
CREATE INDEX sessions_of_person ON sessions (person);
"""

ADA, BORA = "A" * 22, "B" * 22
"""The tokens that two browsers of that time hold."""


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def old_file(path: Path) -> Path:
    """Write a file of version 1: two matches of one guest, one of another, one of nobody."""
    matches = [("a1", hashed(ADA), 10, 20), ("a2", hashed(ADA), 5, 90), ("b", hashed(BORA), 7, 7)]
    with closing(sqlite3.connect(path)) as database:
        database.executescript(VERSION_1)
        for name, owner, created, updated in [*matches, ("n", None, 1, 1)]:
            row = (name, "toy", owner, '{"preset":null}', created, updated, False)
            database.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            database.execute(
                "INSERT INTO events VALUES (?, 1, 1, 'first', '{\"type\":\"first\"}', 'c', ?)",
                (name, created),
            )
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute("PRAGMA user_version = 1")
        database.commit()
    return path


def file_of_version_2(path: Path) -> Path:
    """Write a file of version 2: a guest who has won a patience, and has another in play."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript(VERSION_2)
        database.execute("INSERT INTO people VALUES (?, 'Ada', NULL, NULL, 1, 1)", (ADA,))
        database.execute("INSERT INTO sessions VALUES (?, ?, 1, 1, 0)", (hashed(ADA), ADA))
        for name, places in (("won", TAPS), ("played", TAPS[:9])):
            events = new_events(HEART, heart_events(SHOWN_DEAL, taps(places)))
            facts = '{"preset":null,"changed":[],"players":1,"names":[null],"bots":"club"}'
            row = (name, HEART.name, ADA, facts, 1, 2, name == "won")
            database.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            for seq, event in enumerate(events, 1):
                data = msgspec.json.encode(event.data).decode()
                entry = (name, seq, 1, event.data["type"], data, None, 1)
                database.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", entry)
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute("PRAGMA user_version = 2")
        database.commit()
    return path


OLD_FILES = pytest.mark.parametrize("old_file_of", [old_file, file_of_version_2])


@in_a_loop
async def test_what_was_played_under_version_2_is_told_as_well(tmp_path: Path) -> None:
    """The people and their matches stay; what came of those that have ended is noted when asked for."""
    store = SqliteStore(file_of_version_2(tmp_path / "k.sqlite3"))
    await store.open()
    try:
        people, results = await People.opened(store), Results(store)
        assert await people.name(ADA) == "Ada"
        assert await results.of(ADA, 0, 9) == []
        assert not await results.bring_up_to_date(ADA)
        (told,) = await results.of(ADA, 0, 9)
        assert (told.match, told.won, told.points) == ("won", True, 250)
    finally:
        await store.close()


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        return [f"version {version}", *database.iterdump()]


@in_a_loop
async def test_guests_of_version_1_keep_their_matches_and_their_cookies(tmp_path: Path) -> None:
    """Each owner becomes a person with a fresh id, found by the same token, which counts unsigned."""
    store = SqliteStore(old_file(tmp_path / "k.sqlite3"))
    await store.open()
    try:
        people = await People.opened(store)
        ada = await people.person_shown(ReadToken(hashed(ADA), None))
        bora = await people.person_shown(ReadToken(hashed(BORA), None))
        assert ada is not None
        assert bora is not None
        assert len({ada, bora, hashed(ADA), hashed(BORA)}) == 4
        assert [match.id for match in await store.matches_of(ada)] == ["a2", "a1"]
        assert [match.id for match in await store.matches_of(bora)] == ["b"]
        nobodys = await store.match("n")
        assert nobodys is not None
        assert nobodys.owner is None
        known = await people.person(ada)
        assert known is not None
        assert (known.name, known.login, known.created_at) == (None, None, 5)
        # The log is as it was, and goes on.
        assert [event.command_id for event in await store.events("a1")] == ["c"]
        assert await store.append("a1", 1, [NewEvent(1, {"type": "x"})], over=False) is Outcome.STORED
    finally:
        await store.close()


def tables_of(connection: Connection) -> dict[str, object]:
    """Return what a database is made of: columns, indices and keys of every table."""
    seen = inspect(connection)
    return {
        name: (
            [(c["name"], str(c["type"]), c["nullable"]) for c in seen.get_columns(name)],
            seen.get_pk_constraint(name)["constrained_columns"],
            sorted(
                (i["name"] or "", tuple(i["column_names"]), bool(i["unique"])) for i in seen.get_indexes(name)
            ),
            [
                (tuple(key["constrained_columns"]), key["referred_table"])
                for key in seen.get_foreign_keys(name)
            ],
        )
        for name in seen.get_table_names()
    }


@OLD_FILES
def test_an_old_file_brought_up_to_date_is_like_a_new_one(
    tmp_path: Path, old_file_of: Callable[[Path], Path]
) -> None:
    """Tables, columns, indices and keys are the same, whichever way a file came to this version."""
    made = []
    for path in (old_file_of(tmp_path / "old.sqlite3"), tmp_path / "new.sqlite3"):
        prepare(path)
        engine = create_engine(f"sqlite:///{path}")
        with engine.connect() as connection:
            made.append(tables_of(connection))
        engine.dispose()
    assert made[0] == made[1]
    assert set(made[1]) == set(METADATA.tables)


@OLD_FILES
def test_it_is_done_once(tmp_path: Path, old_file_of: Callable[[Path], Path]) -> None:
    """A second start changes nothing."""
    path = old_file_of(tmp_path / "k.sqlite3")
    prepare(path)
    after = dump(path)
    assert after[0] == f"version {SCHEMA_VERSION}"
    prepare(path)
    assert dump(path) == after


def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it or nothing: a process that dies in the middle leaves a file of version 1."""
    path = old_file(tmp_path / "k.sqlite3")
    before = dump(path)

    def fail(connection: Connection) -> None:
        migrations.people_of_owners(connection)
        raise StoreError("store_failed")

    monkeypatch.setattr(migrations, "STEPS", (fail,))
    with pytest.raises(StoreError):
        prepare(path)
    assert dump(path) == before


def test_there_is_a_step_for_every_version() -> None:
    """Whatever version a file has, it can be brought to this one."""
    assert len(migrations.STEPS) == SCHEMA_VERSION - 1
