"""The server killed in the middle of a trick, again and again: nothing that was acknowledged is lost."""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import pytest

from tests.server.process import Server

KILLS: Final = {"full": 50, "ci": 10, "": 3}[os.environ.get("KUPA_SOAK", "")]
"""How often the server is killed in one match."""
RULES: Final = {"rules": "cardems", "seed": "kills", "set": {"target": 500}}
"""A match that is long enough to be killed fifty times in it."""


class Play:
    """A person who plays a match of Hearts over HTTP, and remembers what was acknowledged.

    Args:
        match: the match.
    """

    def __init__(self, match: str) -> None:
        self.match = match
        self.acknowledged: list[str] = []
        self.asked = 0

    def choice(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """What is done next; None while the bots are at it."""
        if view["phase"] == "pass" and not view["passed"][0]:
            return {"type": "pass", "cards": view["hand"][:3]}
        if view["phase"] == "moon" and view["turn"] == 0:
            return {"type": "moon", "choice": "add"}
        return {"type": "play", "card": view["legal"][0]} if view["legal"] else None

    def step(self, client: httpx.Client) -> dict[str, Any]:
        """Do one thing if there is one to do; returns the view before it."""
        seen = self.view(client)
        command = self.choice(seen)
        if command is not None:
            self.asked += 1
            name = f"k{self.asked}"
            body = {"id": name, "command": command}
            path = f"/api/matches/{self.match}/commands"
            if client.post(path, json=body).status_code == 200:
                self.acknowledged.append(name)
        return seen

    def view(self, client: httpx.Client) -> dict[str, Any]:
        """What the person sees."""
        answer = client.get(f"/api/matches/{self.match}").raise_for_status()
        view: dict[str, Any] = answer.json()["view"]
        return view

    def to_the_middle_of_a_trick(self, client: httpx.Client, tricks: int) -> bool:
        """Play some tricks on, up to a moment at which cards lie on the table; False if the match is over."""
        for _ in range(10_000):
            view = self.step(client)
            if view["phase"] == "over":
                return False
            if len(view["tricks"]) >= tricks and view["trick"]:
                return True
        raise AssertionError("the match does not go on")


def check(database: Path, play: Play) -> None:
    """See that the log has no gap, no double, and everything that was acknowledged, once and in order."""
    with closing(sqlite3.connect(database)) as log:
        rows = log.execute(
            "SELECT seq, command_id FROM events WHERE match_id = ? ORDER BY seq", (play.match,)
        ).fetchall()
    assert [seq for seq, _ in rows] == list(range(1, len(rows) + 1))
    stored = [name.partition(":")[2] for _, name in rows if name]
    assert max(Counter(stored).values(), default=1) == 1
    known = set(stored)
    assert [name for name in play.acknowledged if name not in known] == []
    assert [name for name in stored if name in set(play.acknowledged)] == play.acknowledged


@pytest.mark.soak
def test_a_match_that_is_killed_in_the_middle_of_tricks_loses_nothing_and_ends(tmp_path: Path) -> None:
    """Killed while a person's card and the bots' answers are under way; each time the match goes on."""
    database = tmp_path / "kupa.sqlite3"
    chance = Random(7)
    with Server(database) as server:
        made = server.client.post("/api/matches", json={"game": "hearts", **RULES}).raise_for_status()
        play = Play(made.json()["id"])
        port = server.port
    for _ in range(KILLS):
        with Server(database, port) as server, httpx.Client(base_url=server.url, trust_env=False) as client:
            if not play.to_the_middle_of_a_trick(client, chance.randrange(13)):
                break
            # The next card is given and the server is killed before it can have finished with it.
            command = play.choice(play.view(client))
            play.asked += 1
            body = {"id": f"k{play.asked}", "command": command or {"type": "play", "card": "2C"}}
            request = client.build_request("POST", f"/api/matches/{play.match}/commands", json=body)
            send_and_kill(server, request, chance.random() * 0.01)
        check(database, play)
    with Server(database, port) as server, httpx.Client(base_url=server.url, trust_env=False) as client:
        for _ in range(20_000):
            if play.step(client)["phase"] == "over":
                break
        else:
            raise AssertionError("the match does not end")
    check(database, play)


def send_and_kill(server: Server, request: httpx.Request, seconds: float) -> None:
    """Send a request, and kill the server a moment after it has gone out, whether answered or not."""
    raw = (
        f"{request.method} {request.url.raw_path.decode()} HTTP/1.1\r\n"
        + "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
        + "\r\n"
    ).encode() + request.read()
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(raw)
        time.sleep(seconds)
        server.kill()
