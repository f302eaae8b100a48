"""`kupa verify`: records and whole databases, in both languages and as JSON."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kupa.cli import main
from kupa.heart_to_heart.game import HEART_TO_HEART
from kupa.hearts.game import HEARTS
from kupa.hearts.presets import PRESETS
from kupa.record import write_record
from kupa.rooms.room import ROOMS
from kupa.server.sqlite_store import SqliteStore
from kupa.server.store import MatchRecord, NewEvent
from tests.fair_matches import FairRoom
from tests.hearts.random_play import started

NOBODY = 65534
"""The user that owns nothing, on every Unix."""

RECORDS = Path(__file__).parent / "records"


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUPA_LANG", "en")


@cache
def company() -> FairRoom:
    """Return a room with one match that is over and one in play."""
    room = FairRoom("stored")
    room.play("over")
    room.again()
    room.play("playing", rounds=1)
    return room


def stored(path: Path, logs: dict[str, tuple[Any, list[Any]]]) -> None:
    """Put logs into a database, as the server does."""

    async def keep() -> None:
        store = SqliteStore(path)
        await store.open()
        for number, (match_id, (game, events)) in enumerate(logs.items()):
            record = MatchRecord(match_id, game.name, None, {}, number, number, over=False)
            await store.create(record, [NewEvent(1, game.write_event(event)) for event in events])
        await store.close()

    asyncio.run(keep())


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return a database of a room with two matches, a match against bots and a patience."""
    path = tmp_path / "kupa.sqlite3"
    room = company()
    _, solo = started(PRESETS["ozel"].rulebook(), "solo", "ozel")
    start: Any = HEART_TO_HEART.read_start({"code": "HH1-N-AAAAAAM"})
    patience: Any = HEART_TO_HEART.decide(None, start)
    logs = {
        "room": (ROOMS, room.events),
        "over": (HEARTS, room.matches["over"]),
        "playing": (HEARTS, room.matches["playing"]),
        "solo": (HEARTS, solo),
        "patience": (HEART_TO_HEART, list(patience)),
    }
    stored(path, logs)
    return path


def verify(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[str]]:
    """Return the exit status and what was told; nothing goes to standard error."""
    status = main(["verify", *map(str, arguments)])
    told = capsys.readouterr()
    assert told.err == ""
    return status, told.out.splitlines()


def altered(path: Path, statement: str, *params: object) -> None:
    """Change a database behind everybody's back."""
    with sqlite3.connect(path) as connection:
        assert connection.execute(statement, params).rowcount == 1
    connection.close()


def test_golden_records_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each file, and the exit status 0."""
    files = sorted(RECORDS.glob("*.txt"))
    status, lines = verify(capsys, *files)
    assert status == 0
    assert len(lines) == len(files)
    assert all(": kept. " in line for line in lines)


def test_a_fair_record_is_kept_and_a_forged_one_is_not(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The exit status is 1 as soon as one promise is broken, and the line names what is wrong."""
    room = FairRoom("file")
    room.play("one")
    text = write_record(room.record("one"))
    good, forged = tmp_path / "good.txt", tmp_path / "forged.txt"
    good.write_text(text, encoding="utf-8")
    secret = next(line for line in text.split("\n") if line.startswith("fair secret"))
    forged.write_text(text.replace(secret, f"fair secret {'0' * 64}"), encoding="utf-8")
    status, lines = verify(capsys, good, forged, tmp_path / "nowhere.txt")
    assert status == 1
    assert lines[0].startswith(f"{good}: kept. Commitment, contributions, seed and cards agree")
    assert lines[1].startswith(f"{forged}: not kept. The secret is not the one that was sealed")
    assert lines[2].startswith(f"{tmp_path / 'nowhere.txt'}: cannot be read.")


def test_what_cannot_be_read_has_a_status_of_its_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """No such file, no text, no record: 2, each with its sentence; without a file at all, an error."""
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "text").write_text("hello", encoding="utf-8")
    status, lines = verify(capsys, tmp_path / "nowhere", tmp_path / "noise", tmp_path / "text", "a\0b")
    assert status == 2
    assert len(lines) == 4
    assert all(": cannot be read. " in line for line in lines)
    assert main(["verify"]) == 2
    assert capsys.readouterr().err.startswith("kupa: no_file: ")


def test_every_match_of_a_database_is_checked(capsys: pytest.CaptureFixture[str], database: Path) -> None:
    """One that is over, one that is sealed still, one by its seed, one patience; nothing is changed."""
    before = database.read_bytes()
    status, lines = verify(capsys, "--database", database)
    assert status == 0
    assert [line.partition(" (")[0] for line in lines] == [
        "over: kept. Commitment, contributions, seed and cards agree, and the rules hold",
        "playing: not yet revealed. So far the cards are those of the seed, and the rules hold",
        "solo: kept. The cards are those of the seed, and the rules hold",
        "patience: kept. The rules hold.",
    ]
    assert database.read_bytes() == before


def test_named_matches_alone_are_checked(capsys: pytest.CaptureFixture[str], database: Path) -> None:
    """In the order asked for; one that is not there cannot be read."""
    status, lines = verify(capsys, "--database", database, "solo", "over")
    assert status == 0
    assert [line.partition(":")[0] for line in lines] == ["solo", "over"]
    status, lines = verify(capsys, "--database", database, "nobody", "room")
    assert status == 2
    assert [line.partition(".")[0] for line in lines] == ["nobody: cannot be read", "room: cannot be read"]


def test_a_database_is_read_while_a_server_has_it_open(
    capsys: pytest.CaptureFixture[str], database: Path
) -> None:
    """What is in the write-ahead log counts, and the server's own connection is not disturbed."""
    server = sqlite3.connect(database, isolation_level=None)
    server.execute("PRAGMA journal_mode = WAL")
    server.execute("BEGIN IMMEDIATE")
    server.execute("UPDATE events SET data = replace(data, '\"klasik\"', '\"ozel\"') WHERE match_id = 'over'")
    assert verify(capsys, "--database", database, "over")[0] == 0
    server.execute("COMMIT")
    status, [line] = verify(capsys, "--database", database, "over")
    assert status == 1
    assert "not played by the rules of its table" in line
    server.close()


def test_a_card_changed_in_the_database_is_named(capsys: pytest.CaptureFixture[str], database: Path) -> None:
    """Whoever changes a stored hand is found out, with the round and the seats."""
    found = sqlite3.connect(database).execute(
        "SELECT data FROM events WHERE match_id = 'over' AND type = 'round_dealt' ORDER BY seq LIMIT 1"
    )
    data = json.loads(found.fetchone()[0])
    hands = data["hands"]
    hands[0][0], hands[3][0] = hands[3][0], hands[0][0]
    altered(
        database,
        "UPDATE events SET data = ? WHERE match_id = 'over' AND seq = "
        "(SELECT min(seq) FROM events WHERE match_id = 'over' AND type = 'round_dealt')",
        json.dumps(data),
    )
    status, lines = verify(capsys, "--database", database, "--json")
    assert status == 1
    told = {line["name"]: line for line in map(json.loads, lines)}
    assert {name: line["verdict"] for name, line in told.items()} == {
        "over": "broken",
        "playing": "sealed",
        "solo": "kept",
        "patience": "kept",
    }
    assert [(fault["code"], fault["round"], fault["seat"]) for fault in told["over"]["faults"]] == [
        ("other_cards", 0, 0),
        ("other_cards", 0, 3),
    ]
    assert told["over"]["faults"][0]["message"].startswith("Round 1, seat 0: ")


def test_a_contribution_changed_in_the_room_is_named_in_turkish(
    capsys: pytest.CaptureFixture[str], database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence names the seat."""
    monkeypatch.setenv("KUPA_LANG", "tr")
    given = next(event for event in company().events if type(event).__name__ == "Contributed")
    altered(
        database,
        "UPDATE events SET data = replace(data, ?, ?) WHERE match_id = 'room' AND type = 'contributed' "
        "AND instr(data, ?)",
        given.given, "0" * 32, given.given,
    )  # fmt: skip
    status, [line] = verify(capsys, "--database", database, "over")
    assert status == 1
    assert line.startswith("over: söz tutulmadı. Katkı, koltuk 1: ")


def test_a_damaged_log_is_told_and_the_others_are_checked(
    capsys: pytest.CaptureFixture[str], database: Path
) -> None:
    """An event that is none, one that is missing, a match that is gone from the store."""
    altered(database, "UPDATE events SET data = '{}' WHERE match_id = 'solo' AND seq = 1")
    altered(database, "DELETE FROM events WHERE match_id = 'playing' AND seq = 3")
    status, lines = verify(capsys, "--database", database)
    assert status == 2
    assert [line.split(": ")[1].partition(".")[0] for line in lines] == [
        "kept",
        "cannot be read",
        "cannot be read",
        "kept",
    ]


def test_a_match_of_a_room_that_is_not_stored_is_missed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The room's log names it, so its absence is told."""
    path = tmp_path / "kupa.sqlite3"
    stored(path, {"room": (ROOMS, company().events)})
    status, lines = verify(capsys, "--database", path)
    assert status == 2
    assert [line.partition(":")[0] for line in lines] == ["over", "playing"]


def test_a_file_that_is_no_database_of_ours_is_left_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """None there, another program's, noise, and one of a later Kupa: 2, and none is made or changed."""
    foreign, noise, newer = (tmp_path / name for name in ("foreign", "noise", "newer"))
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE other (id)")
    noise.write_bytes(b"noise" * 500)
    stored(newer, {})
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 9999")
    for path, code in (
        (tmp_path / "nowhere", "unreadable"),
        (foreign, "database_foreign"),
        (noise, "database_damaged"),
        (newer, "database_newer"),
    ):
        status, [line] = verify(capsys, "--database", path, "--json")
        assert (status, json.loads(line)["code"]) == (2, code)
    assert not (tmp_path / "nowhere").exists()


def test_an_empty_database_has_nothing_to_check(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It says so, and that is no fault."""
    stored(tmp_path / "new.sqlite3", {})
    assert verify(capsys, "--database", tmp_path / "new.sqlite3") == (
        0,
        ["There is no match in this database."],
    )


@pytest.fixture
def readable(database: Path) -> Iterator[Path]:
    """The database once more, where all may read it and none may write, and nobody is the superuser."""
    folder = Path(tempfile.mkdtemp())
    path = folder / database.name
    shutil.copyfile(database, path)
    path.chmod(0o444)
    folder.chmod(0o555)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield path
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_database_on_a_medium_that_takes_no_writes_is_read(
    capsys: pytest.CaptureFixture[str], readable: Path
) -> None:
    """Its folder and its file are write-protected."""
    with pytest.raises(PermissionError):
        readable.with_name("new").touch()
    assert verify(capsys, "--database", readable)[0] == 0
