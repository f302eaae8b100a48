"""The connection of a page, in a real browser against a real server: nothing lost, nothing done twice."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute

from tests.server.company import Company
from tests.server.process import Server

pytestmark = pytest.mark.browser

BEGIN = """
async (match) => {
  const { connect } = await import("/static/js/connection.js");
  window.log = [];
  window.seqs = [];
  const note = (...entry) => window.log.push(entry);
  window.connection = connect({
    url: `/m/${match}/live`,
    onView: (view, seq, info) => { window.seqs = [seq]; window.view = view; note("view", info.id); },
    onEvents: (entries) => {
      for (const entry of entries) { window.seqs.push(entry.seq); window.view = entry.view; }
      note("events");
    },
    onAccepted: (id) => note("accepted", id),
    onRefused: (id, reason) => note("refused", id, reason.code, reason.message),
    onStatus: (status, reason) => note("status", status, reason && reason.code),
  });
}
"""
BEGIN_IN_ROOM = """
async (room) => {
  const { connect } = await import("/static/js/connection.js");
  window.log = [];
  const note = (...entry) => window.log.push(entry);
  window.connection = connect({
    url: `/t/${room}/live`,
    whole: "room",
    onFrame: (frame) => note("frame", frame.type),
    onAccepted: (id) => note("accepted", id),
    onRefused: (id, reason) => note("refused", id, reason.code),
    onStatus: (status, reason) => note("status", status, reason && reason.code),
  });
}
"""
TAP = """(count) => Array.from({ length: count }, () => connection.send({ type: "tap", at: "stock" }))"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path / "kupa.sqlite3") as made:
        yield made


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page of ours that holds no match, so that the test's connection is the only one."""
    opened = browser.new_page()
    opened.goto(f"{server.url}/settings")
    yield opened
    opened.close()


def connected(page: Page, server: Server) -> str:
    match = server.new(game="heart-to-heart", code="HH1-N-AAAAAAM")
    page.evaluate(BEGIN, match)
    until(page, "seqs.length > 0")
    return match


def until(page: Page, expression: str, seconds: float = 30) -> None:
    """Wait until an expression is true on the page (which forbids what Playwright's own waiting does)."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, page.evaluate("log")
        page.wait_for_timeout(20)


def log_of(page: Page, kind: str) -> list[list[Any]]:
    return [entry[1:] for entry in page.evaluate("log") if entry[0] == kind]


def wait_for_accepted(page: Page, count: int) -> list[str]:
    until(page, f"log.filter(([kind]) => kind === 'accepted').length >= {count}")
    return [entry[0] for entry in log_of(page, "accepted")]


def assert_no_gap(page: Page) -> None:
    seqs = page.evaluate("seqs")
    assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))


def test_commands_are_done_in_the_order_they_were_given(page: Page, server: Server) -> None:
    """Ten taps at once: ten acceptances in order, events without a gap, and a status all along."""
    match = connected(page, server)
    ids = page.evaluate(TAP, 10)
    assert wait_for_accepted(page, 10) == ids
    assert_no_gap(page)
    assert page.evaluate("view.moves") == server.seen(match)["view"]["moves"] == 10
    assert log_of(page, "status") == [["connecting", None], ["open", None]]
    assert log_of(page, "view") == [[match]]


def test_commands_given_while_the_server_is_away_are_done_when_it_is_back(page: Page, server: Server) -> None:
    """The server is killed and comes back: what was given meanwhile is done, once, in order."""
    match = connected(page, server)
    first = page.evaluate(TAP, 2)
    wait_for_accepted(page, 2)
    server.kill()
    until(page, "log.some(([, status]) => status === 'lost')")
    later = page.evaluate(TAP, 3)
    with Server(server.database, server.port) as again:
        assert wait_for_accepted(page, 5) == first + later
        assert page.evaluate("view.moves") == again.seen(match)["view"]["moves"] == 5
        assert_no_gap(page)
    assert [status for status, _ in log_of(page, "status")][:4] == ["connecting", "open", "lost", "open"]


def intercepted(page: Page, keep: Callable[[WebSocketRoute, dict[str, Any]], bool]) -> None:
    """Let a test decide which frames of the server reach the page."""

    def route(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if keep(socket, json.loads(message)):
                socket.send(message)

        server.on_message(pass_on)

    page.route_web_socket("**/live", route)
    page.reload()


def test_a_command_whose_answer_was_lost_is_sent_again_and_done_once(page: Page, server: Server) -> None:
    """The connection dies between the command and its acceptance: same id again, accepted, not done twice."""
    dropped: list[str] = []

    def keep(socket: WebSocketRoute, frame: dict[str, Any]) -> bool:
        if frame["type"] == "accepted" and not dropped:
            dropped.append(frame["id"])
            socket.close(code=1012)
            return False
        return True

    intercepted(page, keep)
    match = connected(page, server)
    ids = page.evaluate(TAP, 3)
    assert wait_for_accepted(page, 3) == ids
    assert dropped == ids[:1]
    assert server.seen(match)["view"]["moves"] == 3
    assert len(log_of(page, "view")) == 2


def test_a_gap_in_the_events_brings_the_whole_view(page: Page, server: Server) -> None:
    """A frame of events is lost: the next one is not applied, and the view is asked for."""
    lost: list[int] = []

    def keep(_: WebSocketRoute, frame: dict[str, Any]) -> bool:
        if frame["type"] == "events" and not lost:
            lost.append(frame["events"][0]["seq"])
            return False
        return True

    intercepted(page, keep)
    match = connected(page, server)
    page.evaluate(TAP, 4)
    wait_for_accepted(page, 4)
    until(page, "log.filter(([kind]) => kind === 'view').length === 2")
    assert lost
    until(page, "view.moves === 4")
    assert_no_gap(page)
    assert page.evaluate("view") == server.seen(match)["view"]


def test_a_line_that_has_gone_silent_is_noticed(page: Page, server: Server) -> None:
    """Nobody tells that it is down: after a while without a word the page asks, and gives the socket up."""
    silent: list[bool] = []
    page.clock.install()
    intercepted(page, lambda *_: not silent)
    connected(page, server)
    page.clock.run_for(25_000)
    until(page, "log.filter(([kind]) => kind === 'view').length === 2")
    page.clock.run_for(8_000)
    assert log_of(page, "status") == [["connecting", None], ["open", None]]
    silent.append(True)
    page.clock.run_for(25_000)
    page.clock.run_for(8_000)
    assert log_of(page, "status")[2:] == [["lost", None]]
    given = page.evaluate(TAP, 1)
    silent.clear()
    page.clock.run_for(8_000)
    page.clock.run_for(15_000)
    assert wait_for_accepted(page, 1) == given
    assert log_of(page, "status")[-1] == ["open", None]


def test_a_refusal_is_told_and_the_next_command_goes_on(page: Page, server: Server) -> None:
    """A command that makes no sense is refused with its code and sentence; those behind it are done."""
    connected(page, server)
    bad = page.evaluate("connection.send({ type: 'fly' })")
    good = page.evaluate(TAP, 1)
    assert wait_for_accepted(page, 1) == good
    ((refused, code, message),) = log_of(page, "refused")
    assert (refused, code) == (bad, "bad_request")
    assert message


def test_a_match_that_does_not_exist_is_final(page: Page) -> None:
    """There is no second try where it would be no use, and the reason is told."""
    page.evaluate(BEGIN, "A" * 22)
    until(page, "log.some(([, status]) => status === 'final')")
    assert log_of(page, "status") == [["connecting", None], ["final", "no_such_match"]]


def test_a_network_that_is_back_is_used_at_once(page: Page, server: Server) -> None:
    """Offline is told at once, and online does not wait for the next try."""
    connected(page, server)
    page.evaluate("dispatchEvent(new Event('offline'))")
    until(page, "log.at(-1)[1] === 'lost'")
    page.evaluate("dispatchEvent(new Event('online'))")
    until(page, "log.some(([, s], i) => s === 'open' && i > 3)", seconds=2)
    assert len(log_of(page, "view")) == 2


def test_closing_is_for_good(page: Page, server: Server) -> None:
    """After close nothing is tried again, whatever happens to the network."""
    connected(page, server)
    page.evaluate("connection.close()")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.evaluate(TAP, 1)
    page.wait_for_timeout(1_500)
    assert [status for status, _ in log_of(page, "status")] == ["connecting", "open", "final"]
    assert log_of(page, "accepted") == []


def test_a_room_has_frames_of_its_own_and_is_asked_in_the_same_order(page: Page, server: Server) -> None:
    """Its first frame puts the connection in step; what is asked for is answered in order."""
    with Company(server, "Deniz") as company:
        company.host.go_away()
        token = {"name": "kupa_guest", "value": company.host.token, "url": server.url}
        page.context.add_cookies([token])  # type: ignore[list-item]
        page.evaluate(BEGIN_IN_ROOM, company.room)
        until(page, "log.some(([, status]) => status === 'open')")
        asked = page.evaluate(
            """() => [
              connection.request({ type: "say", text: "Merhaba" }),
              connection.request({ type: "room", command: { type: "sit", seat: 9 } }),
              connection.request({ type: "room", command: { type: "stand" } }),
            ]"""
        )
        until(page, "log.filter(([kind]) => kind === 'accepted').length === 2")
        answered = [entry for entry in page.evaluate("log") if entry[0] in {"accepted", "refused"}]
        assert [entry[1] for entry in answered] == asked
        assert answered[1][2] == "no_such_seat"
        until(page, "log.some(([kind, type]) => kind === 'frame' && type === 'said')")
        assert {"room", "messages", "said"} <= {kind for (kind,) in log_of(page, "frame")}
