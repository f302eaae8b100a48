"""Nothing is kept for longer than the page on privacy says, and nothing goes before its time."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from kupa.rooms.commands import OpenRoom
from kupa.rooms.events import Started
from kupa.rooms.room import ROOMS
from kupa.rooms.state import Settings
from kupa.server import retention
from kupa.server.live_log import new_events, states_after
from kupa.server.people import Gone, People
from kupa.server.retention import enforce, keep_to_it
from kupa.server.room_index import RoomIndex
from kupa.server.schema import MEMBERS, MESSAGES, REPORTS, SEAT_LINKS
from kupa.server.store import MatchRecord, NewEvent, StoreError
from kupa.server.tokens import hash_of
from tests.server.identity import DAY, PASSPHRASE, Time, count, heard, some_people
from tests.server.playing import in_a_loop


@pytest.fixture(params=["sqlite", "memory"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    return tmp_path / "k.sqlite3" if request.param == "sqlite" else None


async def keep_match(
    people: People, name: str, owner: str | None, *, over: bool = False, **facts: str
) -> None:
    now = people.now()
    await people.store.create(
        MatchRecord(name, "toy", owner, dict(facts), now, now, over), [NewEvent(1, {"type": "first"})]
    )


async def kept(people: People, *names: str) -> list[str]:
    return [name for name in names if await people.store.match(name) is not None]


@in_a_loop
async def test_unfinished_matches_of_guests_go_400_days_after_they_were_last_played(
    path: Path | None,
) -> None:
    """Finished ones, those of accounts, of rooms and of nobody stay; playing on puts it off."""
    time = Time()
    async with some_people(path, time) as people:
        guest, token = await people.new_guest()
        owner, _ = await people.new_guest()
        await people.sign_up(owner, "ada", PASSPHRASE)
        await keep_match(people, "left", guest)
        await keep_match(people, "played", guest)
        await keep_match(people, "over", guest, over=True)
        await keep_match(people, "room", guest, room="r")
        await keep_match(people, "account", owner)
        await keep_match(people, "nobody", None)
        await keep_match(people, "lost", "an id that nobody has")
        everything = ("left", "played", "over", "room", "account", "nobody", "lost")
        time.seconds += 300 * DAY
        assert await people.person_of(hash_of(token)) == guest
        await people.store.append("played", 1, [NewEvent(1, {"type": "x"})], over=False)
        time.seconds += 100 * DAY
        await enforce(people)
        assert await kept(people, *everything) == list(everything)
        time.seconds += 1
        await enforce(people)
        assert await kept(people, *everything) == ["played", "over", "room", "account", "nobody"]
        over = await people.store.match("over")
        assert over is not None
        assert over.owner == guest


OPENED: Any = ROOMS.decide(
    None, OpenRoom(host="ada", settings=Settings(rules="klasik", players=4), secret="00" * 32)
)
ROOM: Any = states_after(ROOMS, None, OPENED)[-1]


def index_of(people: People) -> RoomIndex:
    return RoomIndex(lambda: people.store.database, people.now)


async def keep_room(people: People, name: str, match: str = "") -> None:
    """Keep a room's log and its entry, and a match that has begun there."""
    log = [*OPENED, *([Started(match, ("", "", "", ""), "a seed")] if match else [])]
    record = MatchRecord(name, ROOMS.name, None, {}, people.now(), people.now(), False)
    await people.store.create(record, new_events(ROOMS, log))
    await index_of(people).add(name, ROOM)
    if match:
        await keep_match(people, match, None, room=name)


@in_a_loop
async def test_a_table_of_several_people_goes_when_nobody_has_been_there_for_long(path: Path | None) -> None:
    """With its matches, 400 days where one has begun and 30 where none has; coming by puts it off."""
    time = Time()
    async with some_people(path, time) as people:
        await keep_room(people, "unplayed")
        await keep_room(people, "played", "match")
        await keep_room(people, "visited", "another")
        everything = ("unplayed", "played", "match", "visited", "another")
        time.seconds += 30 * DAY
        await enforce(people)
        assert await kept(people, *everything) == list(everything)
        time.seconds += 1
        await enforce(people)
        assert await kept(people, *everything) == list(everything[1:])
        await index_of(people).note("visited", ROOM)
        time.seconds += 370 * DAY - 1
        await enforce(people)
        assert await kept(people, *everything) == list(everything[1:])
        time.seconds += 1
        await enforce(people)
        assert await kept(people, *everything) == ["visited", "another"]
        assert await index_of(people).code_of("played") is None
        assert await index_of(people).code_of("visited") is not None


@in_a_loop
async def test_a_room_that_cannot_be_read_keeps_nothing_else(path: Path | None) -> None:
    """It stays as it is; whatever else is due goes."""
    time = Time()
    async with some_people(path, time) as people:
        await keep_room(people, "damaged")
        await people.store.append("damaged", 1, [NewEvent(1, {"type": "started"})], over=False)
        await keep_room(people, "unplayed")
        time.seconds += 31 * DAY
        await enforce(people)
        assert await kept(people, "damaged", "unplayed") == ["damaged"]


@in_a_loop
async def test_who_does_not_come_for_400_days_is_forgotten(path: Path | None) -> None:
    """A guest is gone with the session; an account loses the session alone, and can be signed in to again."""
    time = Time()
    async with some_people(path, time) as people:
        guest, token = await people.new_guest()
        faithful, often = await people.new_guest()
        owner, _ = await people.new_guest()
        await people.sign_up(owner, "ada", PASSPHRASE)
        await keep_match(people, "over", guest, over=True)
        for _ in range(5):
            time.seconds += 100 * DAY
            assert await people.person_of(hash_of(often)) == faithful
            await enforce(people)
        assert await people.person(guest) is None
        assert await people.person_of(hash_of(token)) is None
        over = await people.store.match("over")
        assert over is not None
        assert over.owner is None
        assert await people.person(faithful) is not None
        assert await people.sessions(owner) == []
        assert await people.sign_in("ada", PASSPHRASE) == owner


@in_a_loop
async def test_a_guest_who_has_signed_out_is_forgotten_at_the_next_look(path: Path | None) -> None:
    """Nobody can be that guest again, so nothing is kept for one."""
    async with some_people(path) as people:
        guest, _ = await people.new_guest()
        owner, _ = await people.new_guest()
        await people.sign_up(owner, "ada", PASSPHRASE)
        await people.end_all_sessions(guest)
        await people.end_all_sessions(owner)
        await enforce(people)
        assert await people.person(guest) is None
        assert await people.person(owner) is not None


@in_a_loop
async def test_a_deletion_that_broke_off_is_brought_to_its_end(path: Path | None) -> None:
    """A process that died in the middle of it leaves nobody in a room for ever."""
    async with some_people(path) as people:
        changes = heard(people)
        async with people.store.database.writing() as connection:
            await connection.execute(insert(MEMBERS).values(room="r", person="half out", seat=0))
        await enforce(people)
        assert changes == [Gone("half out", ())]
        assert await count(people.store.database, MEMBERS.name) == 0


@in_a_loop
async def test_messages_go_after_30_days_reports_after_90_links_when_they_end(path: Path | None) -> None:
    """Each at its own time, to the day."""
    time = Time()

    async def left(people: People) -> list[int]:
        async with people.store.database.reading() as connection:
            return [
                len((await connection.execute(select(table))).all())
                for table in (MESSAGES, REPORTS, SEAT_LINKS)
            ]

    async with some_people(path, time) as people:
        async with people.store.database.writing() as connection:
            said = {"room": "r", "text": "hi", "at": time.now()}
            await connection.execute(insert(MESSAGES).values(person="p", kind="say", **said))
            await connection.execute(insert(REPORTS).values(message_id=1, reporter="p", **said))
            ends = time.now() + 40 * DAY * 1000
            await connection.execute(
                insert(SEAT_LINKS).values(token_hash="h", room="r", person="p", expires_at=ends)
            )
        for day, expected in (
            (30, [1, 1, 1]),
            (31, [0, 1, 1]),
            (41, [0, 1, 0]),
            (90, [0, 1, 0]),
            (91, [0, 0, 0]),
        ):
            time.seconds = 1_800_000_000 + day * DAY
            await enforce(people)
            assert await left(people) == expected, day


@in_a_loop
async def test_it_is_looked_after_at_once_and_again_and_a_failure_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A database that is busy for a moment must not mean that things are kept for ever."""
    looks: list[int] = []
    done = asyncio.Event()

    async def look(_: People) -> None:
        looks.append(1)
        if len(looks) == 1:
            raise StoreError("store_failed")
        if len(looks) == 3:
            done.set()

    monkeypatch.setattr(retention, "enforce", look)
    async with some_people(None) as people:
        task = asyncio.create_task(keep_to_it(people, every=0.001))
        await asyncio.wait_for(done.wait(), 10)
        task.cancel()
        await asyncio.wait({task})
    assert len(looks) >= 3
    assert "store_failed" in caplog.text
