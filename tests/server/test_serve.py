"""The process of the server: how it begins, how it ends, and what a sudden end leaves behind."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from kupa.server import serve
from kupa.server.errors import Problem
from kupa.server.serve import default_database, listen, url_of
from kupa.server.sqlite_store import SqliteStore
from tests.server.process import Server, start


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "data" / "kupa.sqlite3"


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_is_and_ends_when_told(database: Path, sign: signal.Signals) -> None:
    """One line on standard output, nothing else anywhere, exit code 0."""
    with Server(database) as server:
        assert server.client.get("/").status_code == 200
        assert server.client.get("/nothing").status_code == 404
        server.new(game="hearts", rules="cardems")
        server.process.send_signal(sign)
        assert server.end() == (0, "", "")


def test_an_interruption_while_it_begins_is_no_traceback(
    database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl+C before the server answers ends with 130 and says nothing."""

    async def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SqliteStore, "open", interrupted)
    monkeypatch.setattr(serve, "set_up_logging", lambda stream: None)
    assert serve.run(database=database) == serve.INTERRUPTED
    assert capsys.readouterr() == ("", "")


def test_open_sockets_are_closed_with_the_word_that_the_server_restarts(database: Path) -> None:
    """1012 makes clients come back; the end does not wait for them."""
    with Server(database) as server:
        match = server.new(game="heart-to-heart")
        with server.live(match) as live:
            assert json.loads(live.recv())["type"] == "view"
            began = time.monotonic()
            server.process.terminate()
            with pytest.raises(ConnectionClosed) as closed:
                live.recv(timeout=20)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
            assert server.end()[0] == 0
            assert time.monotonic() - began < serve.GRACE


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("folder", "database_unwritable"),
        ("file/k.sqlite3", "database_unwritable"),
        ("text", "database_damaged"),
        ("newer", "database_newer"),
        ("foreign", "database_foreign"),
    ],
)
def test_an_unusable_database_is_one_sentence_and_exit_code_2(tmp_path: Path, place: str, code: str) -> None:
    """No traceback, nothing on standard output, the code in the sentence."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    (tmp_path / "text").write_text("not a database, whatever it is called\n" * 100)
    with closing(sqlite3.connect(tmp_path / "newer")) as newer:
        newer.execute("PRAGMA application_id = 0x4B555041")
        newer.execute("PRAGMA user_version = 1000")
    with closing(sqlite3.connect(tmp_path / "foreign")) as foreign:
        foreign.execute("CREATE TABLE theirs (x)")
    process = start(tmp_path / place)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith(f"kupa: {code}: ")
    assert err.endswith("\n")


def test_a_port_in_use_is_one_sentence_and_exit_code_2(database: Path) -> None:
    """The second server on a port says so and leaves the first alone."""
    with Server(database) as server:
        second = start(database.with_name("other.sqlite3"), server.port)
        out, err = second.communicate(timeout=30)
        assert (second.returncode, out) == (2, "")
        assert err.startswith(f"kupa: port_in_use: Port {server.port} is in use.")
        assert err.count("\n") == 1
        assert server.client.get("/").status_code == 200


@pytest.mark.parametrize(
    ("host", "port", "code"),
    [
        ("127.0.0.1", 70_000, "bad_port"),
        ("127.0.0.1", -1, "bad_port"),
        ("no.such.host.invalid", 0, "bad_host"),
        ("192.0.2.1", 0, "bad_host"),
        ("x" * 300, 0, "bad_host"),
        ("\udcff", 0, "bad_host"),
    ],
)
def test_an_address_that_cannot_be_is_refused(host: str, port: int, code: str) -> None:
    """Each fault of an address has its code."""
    with pytest.raises(Problem) as caught:
        listen(host, port)
    assert caught.value.code == code


def test_port_0_finds_a_free_port() -> None:
    """The real port can be asked for, and listens."""
    with listen("127.0.0.1", 0) as listener:
        host, port = listener.getsockname()
        assert port > 0
        socket.create_connection((host, port)).close()


def test_the_address_that_is_shown_can_be_opened() -> None:
    """IPv6 in brackets; a server on all addresses is shown as this computer."""
    assert url_of("127.0.0.1", 80) == "http://127.0.0.1:80"
    assert url_of("::1", 80) == "http://[::1]:80"
    assert url_of("0.0.0.0", 80) == url_of("::", 80) == "http://localhost:80"


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/kupa/kupa.sqlite3"),
        ("linux", {"XDG_DATA_HOME": "relative"}, "/home/me/.local/share/kupa/kupa.sqlite3"),
        ("linux", {}, "/home/me/.local/share/kupa/kupa.sqlite3"),
        ("darwin", {}, "/home/me/Library/Application Support/Kupa/kupa.sqlite3"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/Kupa/kupa.sqlite3"),
        ("win32", {}, "/home/me/AppData/Local/Kupa/kupa.sqlite3"),
    ],
)
def test_matches_are_kept_where_the_system_wants_them(
    monkeypatch: pytest.MonkeyPatch, platform: str, environment: dict[str, str], expected: str
) -> None:
    """The folder of a person's data, on each system."""
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    assert default_database() == Path(expected)


def test_a_killed_server_comes_back_with_every_match_as_it_was(database: Path) -> None:
    """Killed between commands: same number, same view; and a command sent again is not done again."""
    with Server(database) as server:
        patience = server.new(game="heart-to-heart", code="HH1-N-AAAAAAM")
        hearts = server.new(game="hearts", rules="cardems", seed="s")
        for number in range(5):
            assert server.do(patience, f"t{number}", type="tap", at="stock").status_code == 200
        hand = server.seen(hearts)["view"]["hand"]
        assert server.do(hearts, "p", type="pass", cards=hand[:3]).status_code == 200
        before = settled(server, hearts)
        seen = server.seen(patience)
        server.kill()
    with Server(database, server.port) as again:
        assert again.seen(patience) == seen
        assert settled(again, hearts) == before
        assert again.do(patience, "t4", type="tap", at="stock").json()["seq"] == seen["seq"]
        assert again.do(hearts, "p", type="pass", cards=hand[:3]).json()["seq"] == before["seq"]
        assert again.seen(patience) == seen


def settled(server: Server, match: str) -> dict[str, Any]:
    """Return what is seen of a match of Hearts once it is the person's turn."""
    for _ in range(100):
        seen = server.seen(match)
        if seen["view"]["turn"] == 0:
            return seen
        time.sleep(0.05)
    raise AssertionError("the bots do not play")


@pytest.mark.parametrize("seed", range(3))
def test_what_was_acknowledged_survives_a_kill_at_any_moment(database: Path, seed: int) -> None:
    """Killed while many commands are under way: every command that was answered as done is in the log once,
    and every match can be played on."""
    acknowledged: dict[str, list[str]] = {}

    def hammer(server: Server, match: str) -> None:
        with httpx.Client(base_url=server.url, trust_env=False) as client:
            for number in range(10_000):
                body = {"id": f"t{number}", "command": {"type": "tap", "at": "stock"}}
                try:
                    answer = client.post(f"/api/matches/{match}/commands", json=body)
                except httpx.HTTPError:
                    return
                if answer.status_code == 200:
                    acknowledged[match].append(f"t{number}")

    with Server(database) as server:
        matches = [server.new(game="heart-to-heart") for _ in range(6)]
        acknowledged.update({match: [] for match in matches})
        threads = [threading.Thread(target=hammer, args=(server, match)) for match in matches]
        for thread in threads:
            thread.start()
        deadline = time.monotonic() + 60
        while sum(map(len, acknowledged.values())) < 30 and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(Random(seed).random() / 5)
        server.kill()
        for thread in threads:
            thread.join()
    with closing(sqlite3.connect(database)) as log:
        for match in matches:
            rows = log.execute("SELECT command_id FROM events WHERE match_id = ? ORDER BY seq", (match,))
            stored = [command_id.partition(":")[2] for (command_id,) in rows if command_id]
            assert stored[: len(acknowledged[match])] == acknowledged[match]
            assert len(stored) <= len(acknowledged[match]) + 1
    assert sum(map(len, acknowledged.values())) >= 30
    with Server(database) as again:
        for match in matches:
            seen = again.seen(match)
            assert again.do(match, "after", type="tap", at="stock").json()["seq"] == seen["seq"] + 1


def first_legal(view: dict[str, Any]) -> dict[str, Any] | None:
    """Return a command that a view allows its seat, or None if it has nothing to decide."""
    if view["phase"] == "pass" and not view["passed"][view["seat"]]:
        return {"type": "pass", "cards": view["hand"][: view["rules"]["pass_count"]]}
    return {"type": "play", "card": view["legal"][0]} if view["legal"] else None


def test_a_hand_of_hearts_can_be_played_to_its_end_over_a_socket(database: Path) -> None:
    """A person who plays the first legal card sees a round scored, over a real socket, without gaps."""
    with Server(database) as server:
        match = server.new(game="hearts", rules="klasik")
        with server.live(match) as live:
            frame = json.loads(live.recv())
            seq, view, sent, answered = frame["seq"], frame["view"], 0, 0
            while not view["rounds"]:
                command = first_legal(view) if sent == answered else None
                if command is not None:
                    sent += 1
                    live.send(json.dumps({"type": "command", "id": f"c{sent}", "command": command}))
                frame = json.loads(live.recv(timeout=20))
                assert frame["type"] in {"events", "accepted"}, frame
                answered += frame["type"] == "accepted"
                for entry in frame.get("events", []):
                    assert entry["seq"] == seq + 1
                    seq, view = entry["seq"], entry["view"]
            assert sum(view["rounds"][0]) == 26 or max(view["rounds"][0]) == 13
