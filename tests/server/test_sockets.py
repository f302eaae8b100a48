"""The socket side of the contract, frame by frame."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from litestar import Litestar
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient, WebSocketTestSession

from kupa.server import sockets
from kupa.server.app import create_app
from kupa.server.frames import LONGEST, CommandFrame, FrameError, read_frame
from kupa.server.memory_store import MemoryStore
from kupa.server.outbox import MOST_EVENTS
from kupa.server.place import Place
from kupa.server.store import MatchRecord, NewEvent, StoreError
from tests.server.playing import UNLIMITED, in_a_loop, opened, play, toy_tables
from tests.server.playing import new_match as new_toy_match
from tests.server.toy import BOTS, GAMES, NoPages

Client = TestClient[Litestar]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with TestClient(create_app(MemoryStore(), GAMES, BOTS, NoPages())) as made:
        made.app.state.made = UNLIMITED
        yield made


def new_match(client: Client) -> str:
    answer = client.post("/api/matches", json={"game": "toy", "seed": "x"})
    assert answer.status_code == 201
    return str(answer.json()["id"])


def live(client: Client, match: str, **headers: str) -> AbstractContextManager[WebSocketTestSession]:
    return client.websocket_connect(
        f"/m/{match}/live", headers={name.replace("_", "-"): value for name, value in headers.items()}
    )


def command(command_id: str, **data: Any) -> dict[str, Any]:
    return {"type": "command", "id": command_id, "command": data}


def test_a_socket_begins_with_the_view_and_sync_brings_it_again(client: Client) -> None:
    """The first frame is the whole view, its number and the facts of the match; so is the answer to sync."""
    match = new_match(client)
    with live(client, match) as socket:
        first = socket.receive_json()
        assert (first["type"], first["seq"]) == ("view", 1)
        assert first["info"] == {
            "id": match,
            "game": "toy",
            "preset": None,
            "changed": [],
            "names": [None, "Deniz"],
            "bots": "simple",
            "end_early": False,
            "room": None,
            "past_room": None,
            "gave_up": [],
            "seat": 0,
        }
        assert first["view"]["seat"] == 0
        socket.send_json({"type": "sync"})
        assert socket.receive_json() == first


def test_a_command_brings_events_then_its_acceptance_then_what_the_bots_do(client: Client) -> None:
    """Events have numbers without gaps and the view after each; the answer carries the command's id."""
    with live(client, new_match(client)) as socket:
        hand = socket.receive_json()["view"]["hand"]
        socket.send_json(command("c1", type="play", card=hand[0]))
        told, accepted, bots = (socket.receive_json() for _ in range(3))
        (entry,) = told["events"]
        assert set(entry) == {"seq", "event", "view"}
        assert entry["seq"] == 2
        assert entry["event"] == {"type": "played", "seat": 0, "card": hand[0]}
        assert entry["view"]["hand"] == hand[1:]
        assert accepted == {"type": "accepted", "id": "c1"}
        assert [entry["seq"] for entry in bots["events"]] == [3]


def test_a_command_sent_again_is_accepted_again_and_not_done_again(client: Client) -> None:
    """Also over another socket, as after a lost connection."""
    match = new_match(client)
    with live(client, match) as socket:
        hand = socket.receive_json()["view"]["hand"]
        socket.send_json(command("c1", type="play", card=hand[0]))
        while socket.receive_json()["type"] != "accepted":
            pass
        socket.receive_json()
    with live(client, match) as socket:
        assert socket.receive_json()["seq"] == 3
        socket.send_json(command("c1", type="play", card=hand[0]))
        assert socket.receive_json() == {"type": "accepted", "id": "c1"}
        socket.send_json({"type": "sync"})
        assert socket.receive_json()["seq"] == 3


def test_a_refused_command_is_told_why_in_the_language_of_the_socket(client: Client) -> None:
    """The cookie wins over the header; the code is the same in both languages."""
    match = new_match(client)
    answers = []
    for headers in ({"accept_language": "en"}, {"accept_language": "en", "cookie": "kupa_lang=tr"}):
        with live(client, match, **headers) as socket:
            socket.receive_json()
            socket.send_json(command("c1", type="play", card=99))
            answers.append(socket.receive_json())
    english, turkish = answers
    for answer in answers:
        assert (answer["type"], answer["id"], answer["code"]) == ("refused", "c1", "bad_request")
    assert english["message"] != turkish["message"]


def test_two_sockets_of_a_match_see_the_same(client: Client) -> None:
    """Both get every event, whoever asked for it; only who asked gets the answer."""
    match = new_match(client)
    with live(client, match) as one, live(client, match) as two:
        hand = one.receive_json()["view"]["hand"]
        assert two.receive_json()["view"]["hand"] == hand
        one.send_json(command("a", type="play", card=hand[0]))
        seen_one = [one.receive_json() for _ in range(3)]
        assert [two.receive_json() for _ in range(2)] == [
            frame for frame in seen_one if frame["type"] == "events"
        ]
        two.send_json(command("b", type="play", card=hand[1]))
        seen_two = [two.receive_json() for _ in range(3)]
        assert [one.receive_json() for _ in range(2)] == [
            frame for frame in seen_two if frame["type"] == "events"
        ]


BAD = [
    "",
    "{",
    "null",
    "[]",
    "7",
    '"sync"',
    "{}",
    '{"type": "fly"}',
    '{"type": 1}',
    '{"type": "sync", "more": 1}',
    '{"type": "command"}',
    '{"type": "command", "id": "a"}',
    '{"type": "command", "id": 7, "command": {}}',
    '{"type": "command", "id": "", "command": {}}',
    '{"type": "command", "id": "ı", "command": {}}',
    '{"type": "command", "id": "a", "command": []}',
    '{"type": "command", "id": "a", "command": {}, "seat": 1}',
    '{"type": "sync", "type": "sync"}',
    '{"type": "command", "id": "a", "command": {"type": "tap", "type": "undo"}}',
    "[" * LONGEST,
    '{"type": "command", "id": "a", "command": ' + '{"a":' * 800 + "1" + "}" * 801,
    '{"type": "sync"}' + " " * LONGEST,
    "ş" * LONGEST,
]


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_a_frame_that_makes_no_sense_is_an_error_and_changes_nothing(client: Client, text: str) -> None:
    """Not JSON, not of a known shape, too long, too deep: an error frame, and the socket goes on."""
    match = new_match(client)
    with live(client, match) as socket:
        first = socket.receive_json()
        socket.send_text(text)
        answer = socket.receive_json()
        assert (answer["type"], answer["code"]) in {("error", "bad_request"), ("refused", "bad_request")}
        assert answer["message"]
        socket.send_json({"type": "sync"})
        assert socket.receive_json() == first


def test_a_binary_frame_is_an_error(client: Client) -> None:
    """Frames are texts, also where the bytes would be a good frame."""
    with live(client, new_match(client)) as socket:
        socket.receive_json()
        socket.send_bytes(b'{"type": "sync"}')
        assert socket.receive_json()["code"] == "bad_request"


def test_the_seat_is_not_the_clients_business(client: Client) -> None:
    """A seat among a command's data is either refused or without effect."""
    match = new_match(client)
    with live(client, match) as socket:
        hand = socket.receive_json()["view"]["hand"]
        socket.send_json(command("a", type="play", card=hand[0], seat=1))
        frame = socket.receive_json()
        assert frame["type"] == "refused" or frame["events"][0]["event"]["seat"] == 0


@pytest.mark.parametrize("match", ["nothing", "A" * 22])
def test_a_socket_for_no_match_is_told_so_and_closed_for_good(client: Client, match: str) -> None:
    """The close code says that trying again is no use."""
    with live(client, match) as socket:
        assert socket.receive_json()["code"] == "no_such_match"
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4404


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://[", "http://testserver.local:1"])
def test_a_foreign_page_gets_no_socket(client: Client, origin: str) -> None:
    """The connection is refused before it is opened."""
    with pytest.raises(WebSocketDisconnect), live(client, new_match(client), origin=origin) as socket:
        socket.receive_json()


def test_our_own_page_and_a_program_get_a_socket(client: Client) -> None:
    """An origin that is the host, or none at all."""
    match = new_match(client)
    with live(client, match, origin="http://testserver.local") as socket:
        assert socket.receive_json()["type"] == "view"


def test_a_match_that_cannot_be_read_is_told_and_closed() -> None:
    """An error of ours is a code and a sentence, not silence."""
    store = MemoryStore()
    record = MatchRecord(
        "A" * 22, "toy", None, {"preset": None, "changed": [], "names": [], "bots": "simple"}, 1, 1, False
    )
    with TestClient(create_app(store, GAMES, BOTS, NoPages())) as client:
        with client.portal() as portal:
            portal.call(store.create, record, [NewEvent(1, {"type": "unheard of"})])
        with live(client, record.id) as socket:
            assert socket.receive_json()["code"] == "match_unreadable"
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_json()
            assert closed.value.code == 1011


def test_a_store_that_fails_refuses_the_command_and_keeps_the_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person is told, and can try again when the store works again."""

    async def fails(*_: Any, **__: Any) -> Any:
        raise StoreError("store_failed")

    with (
        TestClient(create_app(MemoryStore(), GAMES, BOTS, NoPages())) as client,
        live(client, new_match(client)) as socket,
    ):
        hand = socket.receive_json()["view"]["hand"]
        with monkeypatch.context() as broken:
            broken.setattr(MemoryStore, "append", fails)
            socket.send_json(command("a", type="play", card=hand[0]))
            assert socket.receive_json()["code"] == "store_failed"
        socket.send_json(command("a", type="play", card=hand[0]))
        assert [socket.receive_json()["type"] for _ in range(3)] == ["events", "accepted", "events"]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.text(max_size=200)
        | st.binary(max_size=50)
        | st.builds(
            lambda kind, key, value: f'{{"type": "{kind}", "id": "a", "{key}": {value}}}',
            st.sampled_from(["command", "sync", "view"]),
            st.sampled_from(["command", "x"]),
            st.sampled_from(['{"type": "idle"}', '{"type": "play", "card": 1e9}', "{}", "[]", "null"]),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_no_sequence_of_frames_breaks_a_socket(client: Client, sent: list[str | bytes]) -> None:
    """After whatever was sent, a sync still brings the view."""
    with live(client, new_match(client)) as socket:
        socket.receive_json()
        for frame in sent:
            if isinstance(frame, bytes):
                socket.send_bytes(frame)
            else:
                socket.send_text(frame)
            answer = socket.receive_json()
            assert answer["type"] in {"accepted", "refused", "error", "view", "events"}
        socket.send_json({"type": "sync"})
        while socket.receive_json()["type"] != "view":
            pass


@settings(max_examples=500)
@given(st.text(max_size=100) | st.text(alphabet='{}[]":,typecommandsync01 ', max_size=60))
def test_reading_a_frame_gives_a_frame_or_the_one_error(text: str) -> None:
    """Nothing else escapes from the reader."""
    try:
        frame = read_frame(text)
    except FrameError:
        return
    assert not isinstance(frame, CommandFrame) or 1 <= len(frame.id) <= 64


class StuckSocket:
    """A socket whose client sends nothing and takes nothing until it is let go."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.goes_on = asyncio.Event()
        self.ends = asyncio.Event()

    async def receive(self) -> dict[str, str]:
        await self.ends.wait()
        return {"type": "websocket.disconnect"}

    async def send_text(self, text: str) -> None:
        await self.goes_on.wait()
        self.sent.append(msgspec.json.decode(text))


@in_a_loop
async def test_a_socket_that_takes_nothing_keeps_little_and_catches_up_with_a_view() -> None:
    """A thousand events for a stuck client: few frames are kept, and when it goes on it misses nothing."""
    async with toy_tables() as tables:
        match = await new_toy_match(tables)
        table = await opened(tables, match)
        socket = StuckSocket()
        served = asyncio.create_task(
            sockets._Service(socket, Place(tables, None, None, table, None, 0), None, "en").run()  # type: ignore[arg-type]
        )
        await asyncio.sleep(0)
        for number in range(1000):
            await tables.command(match, f"w{number}", {"type": "whisper", "text": "x"})
        (outbox,) = table._listeners
        assert len(outbox) <= MOST_EVENTS + 1
        socket.goes_on.set()
        await play(tables, match, 0)
        await asyncio.sleep(0.05)
        seq = 0
        for frame in socket.sent:
            if frame["type"] == "view":
                seq = frame["seq"]
            for entry in frame.get("events", []):
                assert entry["seq"] == seq + 1
                seq = entry["seq"]
        assert seq == table.seq == 1003
        assert len(socket.sent) < 2 * MOST_EVENTS
        socket.ends.set()
        await served
        assert not table.is_watched
