"""What is damaged, forged or out of reach harms nothing but itself."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from litestar.testing import TestClient

from kupa.bots.levels import LEVELS
from kupa.server import bot_seats
from kupa.server.app import create_app
from kupa.server.memory_store import MemoryStore
from kupa.server.sqlite_store import SqliteStore
from kupa.server.store import NewEvent, Outcome, StoreError
from kupa.server.tables import Tables
from tests.server.playing import in_a_loop, opened

RECORD = (Path(__file__).parents[1] / "records" / "hearts-klasik-4.txt").read_text(encoding="utf-8")
UNFINISHED = RECORD[: RECORD.index("  trick 3,", RECORD.index("round 1,"))]

DAMAGE = {
    "an event that is no JSON": "UPDATE events SET data = '{' WHERE match_id = :id AND seq = 2",
    "an event that is no text": "UPDATE events SET data = x'00ff' WHERE match_id = :id AND seq = 2",
    "an event missing": "DELETE FROM events WHERE match_id = :id AND seq = 2",
    "no event left": "DELETE FROM events WHERE match_id = :id",
    "facts that are no JSON": "UPDATE matches SET facts = '{' WHERE id = :id",
    "facts without any": "UPDATE matches SET facts = '{}' WHERE id = :id",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_match_harms_no_other(damage: str, tmp_path: Path) -> None:
    """The front page and the other match of the same guest are as they were; this one says what it is."""
    path = tmp_path / "kupa.sqlite3"
    with TestClient(create_app(SqliteStore(path))) as client:
        good, bad = (
            client.post("/api/matches", json={"game": "hearts", "rules": "klasik"}).json()["id"]
            for _ in range(2)
        )
        guest = dict(client.cookies)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(DAMAGE[damage], {"id": bad})
    with TestClient(create_app(SqliteStore(path)), cookies=guest, raise_server_exceptions=False) as client:
        front = client.get("/")
        assert front.status_code == 200
        assert good in front.text
        assert bad not in front.text
        answer = client.get(f"/api/matches/{bad}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (500, "match_unreadable")
        assert client.get(f"/m/{good}").status_code == 200


@pytest.mark.parametrize("preset", ["nonsense", ""])
def test_a_record_of_no_preset_of_ours_is_a_match_with_rules_of_its_own(preset: str) -> None:
    """Its page and the front page open, and call the rules what they are: nobody's preset."""
    text = UNFINISHED.replace('preset "klasik"', f'preset "{preset}"')
    with TestClient(create_app(MemoryStore())) as client:
        url = client.post("/api/records", content=text.encode()).json()["url"]
        assert client.get(url).status_code == 200
        assert url in client.get("/").text


@in_a_loop
async def test_a_record_tells_the_house_rules_that_it_was_played_by() -> None:
    """What differs from the preset is told as changed, and whether rounds end early."""
    text = UNFINISHED.replace("rule target 100", "rule target 60").replace(
        "start round 0", "rounds end early\nstart round 0"
    )

    async with Tables(MemoryStore()).running() as tables:
        from kupa.server.records import checked

        record = checked(text)
        match = await tables.adopt("hearts", record.events, None)  # type: ignore[union-attr]
        info = (await opened(tables, match)).info(0)
        assert (info["preset"], info["changed"], info["end_early"]) == ("klasik", ["target"], True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('preset "klasik"', 'preset "\\ud800"'),
        ("  exchanged", "  pass 7: 2C 3C 4C\n  exchanged"),
    ],
)
def test_a_forged_record_is_refused_and_no_fault_of_ours(old: str, new: str) -> None:
    """A text that is no Unicode, and a seat that the table does not have."""
    with TestClient(create_app(MemoryStore())) as client:
        answer = client.post("/api/records", content=RECORD.replace(old, new, 1).encode())
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_record")


class Stubborn(MemoryStore):
    """A store that does not take some appends."""

    failures = 0

    async def append(
        self,
        match_id: str,
        expected_seq: int,
        events: Sequence[NewEvent],
        *,
        over: bool,
        command_id: str | None = None,
    ) -> Outcome:
        """Fail as often as is left to fail, for bots alone."""
        if command_id is None and self.failures:
            self.failures -= 1
            raise StoreError("store_failed")
        return await super().append(match_id, expected_seq, events, over=over, command_id=command_id)


@in_a_loop
async def test_bots_go_on_when_the_store_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that was away for a while leaves no table waiting for ever."""
    monkeypatch.setattr(bot_seats, "RETRY_AFTER", 0.01)

    store = Stubborn()
    store.failures = 3
    async with Tables(store, bots=LEVELS).running() as tables:
        match = await tables.create("hearts", {"rules": "klasik", "seed": "kupa"}, None)
        assert isinstance(match, str)
        await asyncio.wait_for(tables.bots_rest(match), 10)
        table = await opened(tables, match)
        assert table.game.to_act(table.state) == (0,)
        assert store.failures == 0


def test_two_servers_on_one_log_show_the_same(tmp_path: Path) -> None:
    """What was played at one is seen at the other when it is asked."""
    path = tmp_path / "kupa.sqlite3"
    with (
        TestClient(create_app(SqliteStore(path))) as here,
        TestClient(create_app(SqliteStore(path))) as there,
    ):
        match = here.post("/api/matches", json={"game": "heart-to-heart", "code": "HH1-N-AAAAAAM"}).json()[
            "id"
        ]
        assert there.get(f"/api/matches/{match}").json()["view"]["moves"] == 0
        tap = {"type": "tap", "at": "stock"}
        here.post(f"/api/matches/{match}/commands", json={"id": "a", "command": tap})
        assert there.get(f"/api/matches/{match}").json()["view"]["moves"] == 1
        there.post(f"/api/matches/{match}/commands", json={"id": "b", "command": tap})
        assert here.get(f"/api/matches/{match}").json()["view"]["moves"] == 2
