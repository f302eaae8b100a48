"""Somebody takes everything along, or leaves the house."""

from __future__ import annotations

import pytest
from sqlalchemy import insert, select

from kupa.server.people import Ended, Gone, People, Renamed
from kupa.server.personal_data import export
from kupa.server.schema import MEMBERS, MESSAGES, METADATA, REPORTS, SEAT_LINKS
from tests.server.identity import (
    PASSPHRASE,
    Opened,
    account,
    code,
    count,
    guest_named,
    heard,
    keep_match,
)
from tests.server.playing import in_a_loop


async def busy_person(people: People) -> str:
    """Make somebody of whom every table holds something."""
    person = await account(people, "ada")
    other = await guest_named(people, "Bora")
    await people.rename(person, "Ada")
    await people.block(person, other)
    await people.mute(other, person)
    await keep_match(people, "going", person, over=False, players=4)
    await keep_match(people, "over", person, over=True, players=4)
    await keep_match(people, "room", person, over=False, room="r")
    async with people.store.database.writing() as connection:
        said = {"room": "r", "kind": "say", "at": 1_000}
        await connection.execute(insert(MESSAGES).values(person=person, text="mine", **said))
        await connection.execute(insert(MESSAGES).values(person=other, text="theirs", **said))
        report = {"message_id": 2, "room": "r", "text": "theirs", "at": 2_000}
        await connection.execute(insert(REPORTS).values(reporter=person, **report))
        await connection.execute(insert(MEMBERS).values(room="r", person=person, seat=2))
        await connection.execute(
            insert(SEAT_LINKS).values(token_hash="h", room="r", person=person, expires_at=3_000)
        )
    return person


@in_a_loop
async def test_an_export_holds_everything_of_ones_own_and_no_secret(opened: Opened) -> None:
    """All that tables keep of the person, nothing of others, no hash, and nothing that foretells a match."""
    async with opened() as people:
        person = await busy_person(people)
        told = await export(people, person)
        assert told is not None
        assert (told["name"], told["login"], told["person"]) == ("Ada", "ada", person)
        assert [match["id"] for match in told["matches"]] == ["room", "going", "over"]
        assert told["messages"] == [
            {"room": "r", "kind": "say", "text": "mine", "at": "1970-01-01T00:00:01Z"}
        ]
        assert [report["text"] for report in told["reports"]] == ["theirs"]
        assert told["rooms"] == [{"room": "r", "seat": 2}]
        assert [link["expires_at"] for link in told["seat_links"]] == ["1970-01-01T00:00:03Z"]
        assert [(entry["kind"], len(entry["other"])) for entry in told["keeps_away"]] == [("block", 22)]
        assert len(told["sessions"]) == 1
        text = str(told)
        assert "argon2" not in text
        assert "secret" not in text
        assert (await people.sessions(person))[0].token_hash not in text
        assert await export(people, "nobody") is None


@in_a_loop
async def test_who_leaves_leaves_nothing_but_finished_matches(opened: Opened) -> None:
    """Every table is empty of the person; others keep what is theirs; who listens is told of the matches."""
    async with opened() as people:
        person = await busy_person(people)
        changes = heard(people)
        await people.delete(person)
        store = people.store
        kept = [name for name in ("going", "over", "room") if await store.match(name) is not None]
        assert kept == ["over", "room"]
        assert await store.events("going") == []
        assert await store.matches_of(person, limit=None) == []
        for table, left in (("people", 1), ("sessions", 1), ("blocks", 0), ("messages", 1), ("reports", 1)):
            assert await count(store.database, table) == left, table
        for table in ("members", "seat_links"):
            assert await count(store.database, table) == 0, table
        async with store.database.reading() as connection:
            for kept_in in METADATA.tables.values():
                if kept_in.name not in {"matches", "events"}:
                    rows = (await connection.execute(select(kept_in))).all()
                    assert person not in str(rows), kept_in.name
        assert await people.names([person]) == {}
        assert code(await people.sign_in("ada", PASSPHRASE)) == "wrong_login"
        assert isinstance(changes[0], Ended)
        assert changes[1:] == [Gone(person, ("going",))]
        # The login is free again, and whoever takes it is somebody else.
        assert await account(people, "ada") != person


@in_a_loop
async def test_a_listener_that_fails_stops_nobody(opened: Opened, caplog: pytest.LogCaptureFixture) -> None:
    """What one part of the server makes of a change is not the others' trouble."""
    async with opened() as people:

        async def fail(change: object) -> None:
            raise RuntimeError(str(change))

        people.watch(fail)
        changes = heard(people)
        person = await guest_named(people, "Ada")
        await people.delete(person)
        assert [type(change) for change in changes] == [Renamed, Ended, Gone]
    assert "RuntimeError" in caplog.text
    assert person not in caplog.text
