"""People who come to a room over HTTP and its socket, as browsers do."""

from __future__ import annotations

import json
import secrets
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.server.process import Server


class Guest:
    """One person with cookies of their own.

    Args:
        server: where they are.
        name: what they are called.
    """

    def __init__(self, server: Server, name: str) -> None:
        self.server = server
        self.name = name
        self.client = httpx.Client(
            base_url=server.url, trust_env=False, timeout=30, transport=httpx.HTTPTransport(retries=3)
        )
        self.socket: ClientConnection | None = None
        self._open = ExitStack()

    @property
    def token(self) -> str:
        """The value of the cookie that says who they are."""
        return self.client.cookies["kupa_guest"]

    def open_room(self, **form: str) -> str:
        """Set up a table for several people; returns the room's id."""
        sent = {"game": "hearts", "company": "people", "rules": "klasik", "watch": "true", "name": self.name}
        answer = self.client.post("/matches", data={**sent, **form})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix("/t/")

    def join(self, room: str) -> None:
        """Come into a room, and sit down if a seat is open."""
        answer = self.client.post(f"/t/{room}/join", data={"name": self.name})
        assert answer.status_code == 303, answer.text

    def be_at(self, path: str) -> Self:
        """Be connected to a room or to its match, ``/t/…`` or ``/m/…``."""
        self.go_away()
        address = f"ws://127.0.0.1:{self.server.port}{path}/live"
        cookie = {"cookie": f"kupa_guest={self.token}"}
        self.socket = self._open.enter_context(connect(address, proxy=None, additional_headers=cookie))
        # The socket opens before the server knows whose it is: only what it tells says that one is there.
        self.room()
        self.socket.send('{"type": "sync"}')
        return self

    def go_away(self) -> None:
        """Lose the connection."""
        self._open.close()
        self.socket = None

    def ask(self, frame_type: str = "room", **content: Any) -> dict[str, Any]:
        """Send a frame and return its answer."""
        assert self.socket is not None
        asked = secrets.token_hex(6)
        self.socket.send(json.dumps({"type": frame_type, "id": asked, **content}))
        while True:
            frame: dict[str, Any] = json.loads(self.socket.recv(timeout=30))
            if frame["type"] in {"accepted", "refused"} and frame["id"] == asked:
                return frame

    def do(self, **command: Any) -> None:
        """Do something in the room that is not refused."""
        answer = self.ask(command=command)
        assert answer["type"] == "accepted", answer

    def room(self) -> dict[str, Any]:
        """Return the next frame that tells how the room is."""
        return self._next("room")

    def _next(self, frame_type: str) -> dict[str, Any]:
        assert self.socket is not None
        while True:
            frame: dict[str, Any] = json.loads(self.socket.recv(timeout=30))
            if frame["type"] == frame_type:
                return frame

    def view(self) -> dict[str, Any]:
        """Return what the seat may know of the match now."""
        assert self.socket is not None
        self.socket.send('{"type": "sync"}')
        view: dict[str, Any] = self._next("view")["view"]
        return view

    def act(self) -> str:
        """Do the first of what there is to choose from, if there is any; returns the phase before."""
        view = self.view()
        seat, phase = view["seat"], view["phase"]
        if phase == "pass" and not view["passed"][seat]:
            self.ask(
                "command", command={"type": "pass", "cards": view["hand"][: view["rules"]["pass_count"]]}
            )
        elif phase == "moon" and view["turn"] == seat:
            self.ask("command", command={"type": "moon", "choice": "add"})
        elif view["turn"] == seat and view["legal"]:
            self.ask("command", command={"type": "play", "card": view["legal"][0]})
        return str(phase)


class Company:
    """A room and the people in it, connected, for the time of a ``with``; the first is its host.

    Args:
        server: where it is.
        names: what the people are called, the host first.
        form: what the host chooses besides; see :meth:`Guest.open_room`.
    """

    def __init__(self, server: Server, *names: str, **form: str) -> None:
        self.guests = [Guest(server, name) for name in names]
        self.host = self.guests[0]
        try:
            self.room = self.host.open_room(**form)
            for guest in self.guests[1:]:
                guest.join(self.room)
            for guest in self.guests:
                guest.be_at(f"/t/{self.room}")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, places: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Have everybody go away."""
        for guest in self.guests:
            guest.go_away()
            guest.client.close()

    def seal(self) -> None:
        """Have everybody who sits add to the deal."""
        for guest in self.guests:
            guest.ask(command={"type": "contribute", "given": secrets.token_hex(16)})

    def start(self) -> str:
        """Fill the table with bots and begin; returns the id of the match, at which everybody is then."""
        self.host.do(type="fill", level="club")
        self.seal()
        self.host.do(type="start")
        self.host.be_at(f"/t/{self.room}")
        match: str = self.host.room()["view"]["match"]
        for guest in self.guests:
            guest.be_at(f"/m/{match}")
        return match

    def play_out(self) -> None:
        """Play the match to its end; every seat is a person's."""
        while self.host.act() != "over":
            for guest in self.guests[1:]:
                guest.act()
