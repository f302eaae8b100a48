"""What every store promises, asked of each."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kupa.server.appends import Append, judge
from kupa.server.memory_store import MemoryStore
from kupa.server.sqlite_store import SqliteStore
from kupa.server.store import MatchRecord, NewEvent, Outcome, Store, StoredEvent, StoreError
from tests.server.playing import in_a_loop

MakeStore = Callable[[], Store]


class Clock:
    """A clock that goes on by one millisecond each time it is looked at."""

    def __init__(self) -> None:
        self.time = 1000

    def __call__(self) -> int:
        self.time += 1
        return self.time


@pytest.fixture(params=["sqlite", "memory"])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> MakeStore:
    if request.param == "memory":
        kept = MemoryStore(Clock())
        return lambda: kept
    clock = Clock()
    return lambda: SqliteStore(tmp_path / "folder" / "kupa.sqlite3", clock)


def record(match_id: str = "m", owner: str | None = "o") -> MatchRecord:
    return MatchRecord(match_id, "toy", owner, {"preset": "ğ", "names": [None]}, 1, 1, False)


def events(*types: str) -> list[NewEvent]:
    return [NewEvent(1, {"type": kind, "cards": ["QS", 1, None]}) for kind in types]


@in_a_loop
async def with_store(make_store: MakeStore, work: Callable[[Store], Awaitable[None]]) -> None:
    store = make_store()
    await store.open()
    try:
        await work(store)
    finally:
        await store.close()


def test_events_come_back_as_they_went_in_numbered_from_one(make_store: MakeStore) -> None:
    """What is read is what was written: order, numbers, data, and whose command led to them."""

    async def work(store: Store) -> None:
        assert await store.create(record(), events("a")) is Outcome.STORED
        assert await store.append("m", 1, events("b", "c"), over=True, command_id="x") is Outcome.STORED
        data = {"cards": ["QS", 1, None]}
        assert await store.events("m") == [
            StoredEvent(1, 1, {"type": "a", **data}, None),
            StoredEvent(2, 1, {"type": "b", **data}, "x"),
            StoredEvent(3, 1, {"type": "c", **data}, None),
        ]
        assert [event.seq for event in await store.events("m", 2)] == [3]
        match = await store.match("m")
        assert match is not None
        assert (match.over, match.facts) == (True, record().facts)
        assert match.updated_at > match.created_at

    with_store(make_store, work)


@in_a_loop
async def test_what_is_stored_is_there_after_closing_and_opening_again(make_store: MakeStore) -> None:
    """A store can be closed and opened again, and a closed one refuses to store."""
    store = make_store()
    await store.open()
    await store.open()
    await store.create(record(), events("a"))
    await store.close()
    await store.close()
    again = make_store()
    await again.open()
    assert len(await again.events("m")) == 1
    assert await again.append("m", 1, events("b"), over=False) is Outcome.STORED
    await again.close()


def test_of_two_appends_that_expect_the_same_number_one_wins(make_store: MakeStore) -> None:
    """The number of events is the lock of a match, even when both wait for the same transaction."""

    async def work(store: Store) -> None:
        await store.create(record(), events("a"))
        outcomes = await asyncio.gather(
            *(store.append("m", 1, events(kind), over=False, command_id=kind) for kind in "bcd")
        )
        assert sorted(outcome.value for outcome in outcomes) == ["conflict", "conflict", "stored"]
        assert len(await store.events("m")) == 2

    with_store(make_store, work)


@pytest.mark.parametrize("expected", [0, 2, -1, 10**6])
def test_a_wrong_number_stores_nothing(make_store: MakeStore, expected: int) -> None:
    """Whoever is behind the log, or ahead of it, is told so."""

    async def work(store: Store) -> None:
        await store.create(record(), events("a"))
        assert await store.append("m", expected, events("b"), over=True) is Outcome.CONFLICT
        assert len(await store.events("m")) == 1
        match = await store.match("m")
        assert match is not None
        assert not match.over

    with_store(make_store, work)


def test_a_command_is_stored_once_whatever_number_is_expected(make_store: MakeStore) -> None:
    """A retry of a command that was stored is told so, in the same transaction and long after."""

    async def work(store: Store) -> None:
        await store.create(record(), events("a"))
        await store.create(record("other"), events("a"))
        both = await asyncio.gather(
            *(store.append("m", seq, events("b"), over=False, command_id="x") for seq in (1, 2))
        )
        assert both == [Outcome.STORED, Outcome.DUPLICATE]
        assert await store.append("m", 2, events("b"), over=False, command_id="x") is Outcome.DUPLICATE
        assert await store.append("m", 7, events("b"), over=False, command_id="x") is Outcome.DUPLICATE
        # Ids are unique in their match only.
        assert await store.append("other", 1, events("b"), over=False, command_id="x") is Outcome.STORED
        assert len(await store.events("m")) == 2

    with_store(make_store, work)


def test_a_conflict_does_not_fail_the_appends_beside_it(make_store: MakeStore) -> None:
    """Appends that share a transaction are judged one by one."""

    async def work(store: Store) -> None:
        for name in "abcd":
            await store.create(record(name), events("first"))
        outcomes = await asyncio.gather(
            store.append("a", 1, events("x", "y"), over=False),
            store.append("b", 5, events("x"), over=False),
            store.append("nobody", 0, events("x"), over=False),
            store.create(record("a"), events("first")),
            store.create(record("new"), events("first")),
            store.append("new", 1, events("x"), over=False),
            store.append("a", 3, events("z"), over=False),
            store.append("c", 1, events("x"), over=True),
        )
        stored, conflict = Outcome.STORED, Outcome.CONFLICT
        assert outcomes == [stored, conflict, conflict, conflict, stored, stored, stored, stored]
        assert [event.data["type"] for event in await store.events("a")] == ["first", "x", "y", "z"]
        assert [len(await store.events(name)) for name in ("b", "nobody", "new", "c")] == [1, 0, 2, 2]

    with_store(make_store, work)


def test_an_owner_finds_the_own_matches_the_last_played_first(make_store: MakeStore) -> None:
    """Lists hold the owner's matches alone, in the order in which they were last played."""

    async def work(store: Store) -> None:
        for name in "abc":
            await store.create(record(name, "me"), events("first"))
        await store.create(record("d", "somebody"), events("first"))
        await store.create(record("e", None), events("first"))
        for name in "bca":
            await store.append(name, 1, events("x"), over=False)
        assert [match.id for match in await store.matches_of("me")] == ["a", "c", "b"]
        assert [match.id for match in await store.matches_of("me", limit=2)] == ["a", "c"]
        assert await store.matches_of("nobody") == []
        assert await store.match("nothing") is None
        assert await store.events("nothing") == []

    with_store(make_store, work)


def test_an_owners_matches_can_be_handed_over(make_store: MakeStore) -> None:
    """All of them, finished or not, are another's, or nobody's, and stay as they are otherwise."""

    async def work(store: Store) -> None:
        for name, owner in (("a", "me"), ("b", "me"), ("c", "you"), ("d", None)):
            await store.create(record(name, owner), events("first"))
        await store.append("b", 1, events("x"), over=True)
        await store.hand_over("me", "you")
        assert await store.matches_of("me") == []
        assert {match.id for match in await store.matches_of("you", limit=None)} == {"a", "b", "c"}
        await store.hand_over("you", None)
        assert await store.matches_of("you") == []
        assert len(await store.events("b")) == 2

    with_store(make_store, work)


def test_what_was_left_off_long_ago_is_found_and_can_be_dropped(make_store: MakeStore) -> None:
    """Unfinished matches of owners, last played before a time; a dropped one is gone, and no other."""

    async def work(store: Store) -> None:
        for name, owner in (("old", "me"), ("over", "me"), ("played", "me"), ("nobodys", None)):
            await store.create(record(name, owner), events("first"))
        await store.append("over", 1, events("x"), over=True)
        await store.append("played", 1, events("x"), over=False)
        assert [match.id for match in await store.left_off(2)] == ["old"]
        assert await store.left_off(1) == []
        await store.drop(["old", "nothing"])
        await store.drop([])
        assert await store.match("old") is None
        assert await store.events("old") == []
        assert await store.append("old", 1, events("x"), over=False) is Outcome.CONFLICT
        assert len(await store.events("played")) == 2
        # The id is free for another match.
        assert await store.create(record("old"), events("first")) is Outcome.STORED
        await store.drop([f"m{number}" for number in range(1_000)] + ["played"])
        assert await store.match("played") is None

    with_store(make_store, work)


def test_a_waiter_that_goes_away_harms_nobody(make_store: MakeStore) -> None:
    """An append whose task is cancelled is stored or not, and the next one gets its answer."""

    async def work(store: Store) -> None:
        await store.create(record(), events("a"))
        gone = asyncio.ensure_future(store.append("m", 1, events("b"), over=False))
        await asyncio.sleep(0)
        gone.cancel()
        outcome = await store.append("m", 1, events("c"), over=False)
        kinds = [event.data["type"] for event in await store.events("m")]
        assert (outcome, kinds) in [
            (Outcome.STORED, ["a", "c"]),
            (Outcome.CONFLICT, ["a", "b"]),
        ]

    with_store(make_store, work)


def test_an_event_that_is_no_json_is_refused_before_anybody_waits(make_store: MakeStore) -> None:
    """A fault in one append leaves the store working."""

    async def work(store: Store) -> None:
        await store.create(record(), events("a"))
        with pytest.raises(TypeError):
            await store.append("m", 1, [NewEvent(1, {"type": "x", "bad": object()})], over=False)
        assert await store.append("m", 1, events("b"), over=False) is Outcome.STORED

    with_store(make_store, work)


@in_a_loop
async def test_a_closed_sqlite_store_says_so(tmp_path: Path) -> None:
    """Nothing waits for ever on a store that is not open."""
    store = SqliteStore(tmp_path / "k.sqlite3")
    for call in (store.create(record(), events("a")), store.match("m")):
        with pytest.raises(StoreError, match="store_failed"):
            await call


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody take away a file that is open")
@pytest.mark.parametrize("replaced", [False, True])
@in_a_loop
async def test_nothing_is_said_to_be_stored_in_a_file_that_is_gone(tmp_path: Path, replaced: bool) -> None:
    """When the file is deleted, or another is put there, appends fail; when it is back, they work again."""
    path, aside = tmp_path / "k.sqlite3", tmp_path / "aside.sqlite3"
    store = SqliteStore(path)
    await store.open()
    await store.create(record(), events("a"))
    path.rename(aside)
    if replaced:
        path.write_bytes(aside.read_bytes())
    with pytest.raises(StoreError, match="database_gone"):
        await store.append("m", 1, events("b"), over=False)
    aside.replace(path)
    assert await store.append("m", 1, events("c"), over=False) is Outcome.STORED
    assert [event.data["type"] for event in await store.events("m")] == ["a", "c"]
    await store.close()


@in_a_loop
async def test_closing_stores_what_waits(tmp_path: Path) -> None:
    """Appends that were asked for before the end are in the log after it."""
    store = SqliteStore(tmp_path / "k.sqlite3")
    await store.open()
    asked = [asyncio.ensure_future(store.create(record(f"m{n}"), events("a"))) for n in range(400)]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*asked) == [Outcome.STORED] * 400
    await store.open()
    assert len(await store.matches_of("o", 1000)) == 400
    await store.close()


@in_a_loop
async def test_a_failing_disk_is_an_error_for_all_who_wait_and_for_nobody_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a transaction cannot be committed, each of its appends gets an error, and the store lives on."""
    monkeypatch.setattr("kupa.server.sqlite_store.BUSY_MS", 50)
    store = SqliteStore(tmp_path / "k.sqlite3")
    await store.open()
    await store.create(record(), events("a"))
    assert store._engine is not None
    async with store._engine.connect() as other:
        # Another connection that holds the lock for longer than we are patient.
        await other.exec_driver_sql("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="store_failed"):
            await store.append("m", 1, events("b"), over=False)
        await other.exec_driver_sql("ROLLBACK")
    assert await store.append("m", 1, events("c"), over=False) is Outcome.STORED
    assert [event.data["type"] for event in await store.events("m")] == ["a", "c"]
    await store.close()


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.lists(
            st.tuples(
                st.sampled_from("ab"), st.integers(0, 6), st.integers(1, 2), st.sampled_from([None, "x", "y"])
            ),
            min_size=1,
            max_size=6,
        ),
        max_size=5,
    )
)
@in_a_loop
async def test_judging_batches_is_like_appending_one_by_one(
    batches: list[list[tuple[str, int, int, str | None]]],
) -> None:
    """Whatever shares a transaction, the outcomes are those of the same appends made one after the other."""
    plain = MemoryStore()
    seqs: dict[str, int] = {"a": 1, "b": 1}
    commands: set[tuple[str, str]] = set()
    for name in "ab":
        await plain.create(record(name), events("first"))
    for batch in batches:
        appends = [
            Append(name, expected, tuple(events(*"x" * count)), False, command, None, 0)  # type: ignore[arg-type]
            for name, expected, count, command in batch
        ]
        outcomes = judge(appends, seqs, commands)
        for append, outcome, (name, expected, count, command) in zip(appends, outcomes, batch, strict=True):
            assert outcome is await plain.append(
                name, expected, events(*"x" * count), over=False, command_id=command
            )
            if outcome is Outcome.STORED:
                seqs[name] += len(append.events)
                if command is not None:
                    commands.add((name, command))
