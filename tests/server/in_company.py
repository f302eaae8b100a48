"""A company in a room, all in this process: people with tokens of their own, each with sockets."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

import msgspec
from litestar import Litestar
from litestar.testing import TestClient
from litestar.testing.websocket_test_session import WebSocketTestSession

from kupa.game import Json
from kupa.rooms.state import Settings
from kupa.server.app import create_app
from kupa.server.memory_store import MemoryStore
from kupa.server.rooms import RoomHost
from kupa.server.store import Store


class Person:
    """Somebody with a token.

    Args:
        company: where they are.
        name: what they are called.
    """

    def __init__(self, company: InCompany, name: str) -> None:
        self.company = company
        self.name = name
        people = company.client.app.state.people
        self.id, token = company.call(people.new_guest)
        company.call(people.rename, self.id, name)
        self.headers = {"authorization": f"Bearer {people.tokens.signed(token)}"}
        self.commands = 0

    def live(self, path: str) -> Seat:
        """Open a socket."""
        return Seat(
            self, self.company.enter(self.company.client.websocket_connect(path, headers=self.headers))
        )

    def at_room(self) -> Seat:
        """Open a socket of the room."""
        return self.live(f"/t/{self.company.room}/live")

    def at_table(self) -> Seat:
        """Open a socket of the match."""
        return self.live(f"/m/{self.company.match}/live")


class Seat:
    """A socket of somebody's, with everything that it was sent."""

    def __init__(self, person: Person, socket: WebSocketTestSession) -> None:
        self.person = person
        self.socket = socket
        self.raw: list[str] = []
        self.frames: list[Any] = []

    def receive(self) -> Any:
        """Wait for the next frame."""
        text = self.socket.receive_text(timeout=20)
        self.raw.append(text)
        self.frames.append(msgspec.json.decode(text))
        return self.frames[-1]

    def until(self, kind: str, **facts: Any) -> Any:
        """Wait for a frame of a kind with some facts."""
        while True:
            frame = self.receive()
            if frame["type"] == kind and all(frame.get(key) == value for key, value in facts.items()):
                return frame

    def ask(self, frame: Json) -> Any:
        """Send a frame that is answered, and wait for the answer."""
        self.person.commands += 1
        name = f"c{self.person.commands}"
        self.socket.send_json({"id": name, **frame})
        while True:
            answer = self.receive()
            if answer["type"] in {"accepted", "refused"} and answer["id"] == name:
                return answer

    def room(self, **command: Any) -> Any:
        """Ask for something in the room."""
        return self.ask({"type": "room", "command": command})

    def play(self, **command: Any) -> Any:
        """Ask for something in the match."""
        return self.ask({"type": "command", "command": command})

    @property
    def view(self) -> Any:
        """The last view of the match that was told."""
        for frame in reversed(self.frames):
            if frame["type"] == "view":
                return frame["view"]
            if frame["type"] == "events":
                return frame["events"][-1]["view"]
        raise AssertionError("no view was told")

    @property
    def told(self) -> Any:
        """The last frame of the room."""
        return next(frame for frame in reversed(self.frames) if frame["type"] == "room")

    def fresh_view(self) -> Any:
        """Ask for the whole view."""
        self.socket.send_json({"type": "sync"})
        return self.until("view")["view"]

    def fresh_room(self) -> Any:
        """Ask for the room as it is."""
        self.socket.send_json({"type": "sync"})
        return self.until("room")

    def act(self) -> bool:
        """Do what the first of the view's choices is, if anything is this seat's to do."""
        view = self.fresh_view()
        me = view["seat"]
        if view["phase"] == "pass" and not view["passed"][me]:
            self.play(type="pass", cards=view["hand"][: view["rules"]["pass_count"]])
        elif view["phase"] == "moon" and view["turn"] == me:
            self.play(type="moon", choice="add")
        elif view["turn"] == me and view["legal"]:
            self.play(type="play", card=view["legal"][0])
        else:
            return False
        return True

    def close(self) -> None:
        """Close the socket."""
        self.socket.close()


class InCompany:
    """A server in this process, one room, and its people.

    Args:
        names: what the people are called; the first is the host.
        store: where everything is kept.
        settings: how the room plays; Klasik for four if left out.
    """

    def __init__(self, names: Sequence[str] = "ABCD", store: Store | None = None, **settings: Any) -> None:
        self.names = names
        self.settings = Settings(**{"rules": "klasik", "players": 4, **settings})
        self.store = store or MemoryStore()
        self.room = self.match = ""

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        app = create_app(self.store)
        self.client: TestClient[Litestar] = self._stack.enter_context(TestClient(app))
        self.people = [Person(self, name) for name in self.names]
        made = self.call(self.rooms.create, self.people[0].id, self.settings)
        assert isinstance(made, str), made
        self.room = made
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, places: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, places)

    def enter(self, session: Any) -> Any:
        """Keep a socket open until the end."""
        return self._stack.enter_context(session)

    def call(self, function: Any, *arguments: Any) -> Any:
        """Call a coroutine function in the server's loop."""
        with self.client.portal() as portal:
            return portal.call(function, *arguments)

    @property
    def rooms(self) -> RoomHost:
        """The live rooms."""
        rooms: RoomHost = self.client.app.state.rooms
        return rooms

    def gather(self, watchers: int = 0) -> list[Seat]:
        """Have everybody come in, bots take the seats that are left, and who sits contribute.

        Args:
            watchers: how many of the last named come when all seats are taken.

        Returns:
            The sockets of the room.
        """
        seats = [person.at_room() for person in self.people]
        players = seats[: len(seats) - watchers]
        for seat in seats:
            seat.until("room")
        for seat in players[1:]:
            assert seat.room(type="join")["type"] == "accepted"
        assert seats[0].room(type="fill", level="beginner")["type"] == "accepted"
        for seat in seats[len(players) :]:
            assert seat.room(type="join")["type"] == "accepted"
        for number, seat in enumerate(players):
            assert seat.room(type="contribute", given=f"{number:02x}" * 16)["type"] == "accepted"
        return seats

    def start(self, watchers: int = 0) -> list[Seat]:
        """Gather and begin the match; returns a socket at the table for each person."""
        gathered = self.gather(watchers)
        self.begin(gathered[0])
        seats = [person.at_table() for person in self.people]
        for seat in seats:
            seat.until("view")
        self.call(self.client.app.state.tables.bots_rest, self.match)
        for seat in seats:
            seat.fresh_view()
        for seat in gathered:
            seat.close()
        return seats

    def begin(self, host: Seat) -> None:
        """Have the host begin the match."""
        assert host.room(type="start")["type"] == "accepted"
        while host.told["view"]["phase"] != "playing":
            host.receive()
        self.match = host.told["view"]["match"]
