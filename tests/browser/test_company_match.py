"""A whole match of four people, each in a browser of their own, through everything that a network does."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from kupa.cli import main
from kupa.game import replay
from kupa.hearts.game import HEARTS
from kupa.rooms.room import ROOMS
from kupa.server.live_log import states_after
from tests.browser.chromium import another
from tests.browser.company_table import OPEN, Human, Played, stored
from tests.browser.conftest import NewPage
from tests.browser.hearts_table import LATER, HeartsTable
from tests.browser.line import Line
from tests.server.process import Server

pytestmark = pytest.mark.browser

NAMES: Final = ("Deniz", "Elif", "Kerem", "Selin")
SIZES: Final = ("desktop", "phone", "tablet", "desktop")
GRACE: Final = 15.0
"""Seconds after which a bot stands in here, so that the test need not wait for the 40 of the product."""
SHORT_GRACE: Final = f"""
from kupa.server import live_room, presence, rooms
live_room.GRACE = presence.GRACE = rooms.GRACE = {GRACE}
"""
OFFLINE: Final = 10.0
"""How long somebody is offline who is back before a bot stands in, in seconds."""


class OnALine(Human):
    """Somebody in a browser of their own, whose way to the server can be cut."""

    line: Line


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """What a test opens and this closes."""
    with ExitStack() as opened:
        yield opened


def see_the_same(match: Played) -> None:
    """Once all pages show the same moment, they agree on all that is everybody's."""
    match.settle()
    seen = [(sorted(human.table.on_table()), human.sheet()) for human in match.humans]
    assert seen.count(seen[0]) == len(seen), seen


def begun(humans: list[OnALine]) -> tuple[str, str]:
    """Have the first set up a table, the others come, everybody seal, and the first start; room and match."""
    host, *others = humans
    page = host.page
    page.goto(f"{host.url}/new?company=people")
    page.locator("#rules-klasik").check(force=True)
    page.locator("[name='target-klasik'][value='50']").check(force=True)
    page.locator("#name").fill(host.name)
    page.locator(".sticky .btn.primary").click()
    page.wait_for_selector(OPEN)
    path = page.url.removeprefix(host.url)
    code = page.locator(".invite .mono").inner_text()
    others[0].come_by_code(code.swapcase())
    others[0].page.wait_for_selector(OPEN)
    others[1].come_by_link(path)
    others[1].page.wait_for_selector(OPEN)
    others[2].come_by_code(code.replace(" ", ""))
    for human in humans:
        expect(human.page.locator(".oval b")).to_have_text("4/4")
    # It is there once all four pages have added to the deal.
    start = page.locator(".start .btn.primary")
    expect(start).to_have_text("Başlat")
    start.click()
    for human in humans:
        human.sit_down()
    assert [human.seat for human in humans] == [0, 1, 2, 3]
    return path.removeprefix("/t/"), host.table.match


def reload_in_the_middle_of_a_trick(match: Played, human: Human) -> None:
    """The page that is loaded anew is the page that it was."""
    match.play_until_turn_of(human)
    before = human.table.seen()
    human.page.reload()
    assert human.table.live().seen() == before
    see_the_same(match)


def open_a_second_tab(match: Played, human: Human) -> None:
    """Both tabs show the same; one plays in either; that one is closed takes nobody away."""
    tab = human.page.context.new_page()
    first, other = human.table, HeartsTable(tab, human.table.server)
    tab.goto(f"{human.url}/m/{first.match}")
    other.live()
    for table in (other, first):
        match.play_until_turn_of(human)
        other.rest()
        # The tab that came later does not know how the trick before was shown.
        assert {**other.seen(), "last": ""} == {**first.seen(), "last": ""}
        before, card = first.seq, table.playable()[0]
        table.click(card)
        match.clicked.append((human.seat, card))
        for one in (first, other):
            one.page.wait_for_function(LATER, arg=before)
    tab.close()
    see_the_same(match)
    assert match.humans[0].state_of(human.seat) == ""


def be_offline_for_a_while(match: Played, human: Human) -> None:
    """Offline for less than the grace: the others see it and wait, no bot plays, nothing has changed."""
    state = match.humans[0].page.locator(f".felt .seat[data-seat='{human.seat}'] .state")
    match.play_until_turn_of(human)
    before = human.table.seen()
    # This browser is told that it is offline. An open socket may outlast that; the page itself gives it up.
    human.page.context.set_offline(True)
    gone_at = time.monotonic()
    expect(human.table.status).to_contain_text("Bağlantı koptu")
    expect(state).to_have_text("koptu")
    match.absent.add(human)
    match.play()
    human.page.wait_for_timeout(max(0, OFFLINE - (time.monotonic() - gone_at)) * 1000)
    expect(state).to_have_text("koptu")
    human.page.context.set_offline(False)
    match.absent.discard(human)
    expect(human.table.root).to_have_attribute("data-connection", "open")
    expect(state).to_have_count(0)
    assert human.table.seen() == before
    see_the_same(match)


def be_away_for_longer_than_the_grace(match: Played, human: OnALine) -> None:
    """A bot plays on, and everybody sees so; the person is back and has the seat again."""
    host = match.humans[0]
    state = host.page.locator(f".felt .seat[data-seat='{human.seat}'] .state")
    match.play_until_turn_of(human)
    # Nobody tells this browser anything: its connections end, and new ones lead nowhere.
    human.line.cut()
    match.absent.add(human)
    expect(human.table.status).to_contain_text("Bağlantı koptu")
    expect(state).to_have_text("koptu")
    before = host.table.seq
    expect(state).to_have_text("bot", timeout=GRACE * 1000 + 15_000)
    host.page.wait_for_function(LATER, arg=before)
    assert f"{human.name}: yerine bot oynuyor." in host.table.said()
    match.play(10)
    human.line.mend()
    expect(human.table.root).to_have_attribute("data-connection", "open", timeout=30_000)
    match.absent.discard(human)
    expect(state).to_have_count(0)
    see_the_same(match)


def kill_the_server(match: Played, server: Server, human: Human, stack: ExitStack) -> Server:
    """All pages say so and come back by themselves; what was clicked meanwhile is played, once."""
    match.play_until_turn_of(human)
    before = human.table.seq
    server.kill()
    for one in match.humans:
        expect(one.table.status).to_contain_text("Bağlantı koptu")
    card = human.table.playable()[0]
    human.table.click(card)
    match.clicked.append((human.seat, card))
    again = stack.enter_context(Server(server.database, server.port, SHORT_GRACE))
    for one in match.humans:
        one.table.server = again
        expect(one.table.root).to_have_attribute("data-connection", "open", timeout=30_000)
    see_the_same(match)
    assert human.table.seq > before
    return again


def check_the_log(match: Played, server: Server, log: str, played_for: int) -> list[list[int]]:
    """No gap, no double, every click once and in its place; returns the points of every round."""
    entries = stored(server, log)
    assert [seq for seq, _, _ in entries] == list(range(1, len(entries) + 1))
    commands = [command for _, _, command in entries if command is not None]
    assert len(commands) == len(set(commands))
    assert len(commands) == len(match.clicked) + sum(human.given for human in match.humans)
    cards = [(event, command) for _, event, command in entries if event["type"] == "card_played"]
    assert [(event["seat"], event["card"]) for event, command in cards if command] == match.clicked
    assert {event["seat"] for event, command in cards if command is None} == {played_for}
    state = replay(HEARTS, [HEARTS.read_event(event, 1) for _, event, _ in entries])
    assert state.phase == "over"
    assert len(cards) == 52 * len(state.rounds)
    return [list(points) for points in state.rounds]


def check_the_end(match: Played, rounds: list[list[int]]) -> None:
    """All four sheets and rankings are what the log gives."""
    totals = [sum(points) for points in zip(*rounds, strict=True)]
    assert max(totals) >= 50
    expected = [[str(points) for points in row] for row in [*rounds, totals]]
    for human in match.humans:
        assert human.sheet() == expected, human.name
        shown = human.page.locator(".rank li").evaluate_all(
            "all => all.map((one) => [Number(one.dataset.seat), Number(one.querySelector('b').textContent)])"
        )
        assert dict(shown) == dict(enumerate(totals)), human.name


def check_that_the_deal_was_fair(
    match: Played, server: Server, rounds: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page tells everybody so, and `kupa verify` whoever holds the database."""
    for human in match.humans:
        human.page.get_by_role("link", name="Dağıtımı doğrula").click()
        expect(human.page.locator(".verdict.kept")).to_be_visible()
        expect(human.page.locator(".mark.no")).to_have_count(0)
        human.page.go_back()
        human.table.live()
    capsys.readouterr()
    assert main(["verify", "--database", str(server.database), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"], told["kind"], told["rounds"]) == ("kept", "fair", rounds)


def check_the_rematch(match: Played, server: Server, room: str) -> None:
    """One asks for it; all four are in the waiting room, in their seats, with another deal to seal."""
    match.humans[3].page.get_by_role("button", name="Rövanş").click()
    for human in match.humans:
        human.page.wait_for_url(f"**/t/{room}")
        human.page.wait_for_selector(OPEN)
        expect(human.page.locator(".oval b")).to_have_text("4/4")
    expect(match.humans[0].page.locator(".start .btn.primary")).to_have_text("Başlat")
    entries = stored(server, room)
    assert [seq for seq, _, _ in entries] == list(range(1, len(entries) + 1))
    happened = [event["type"] for _, event, _ in entries]
    assert (happened.count("taken_over"), happened.count("came_back")) == (1, 1)
    assert happened.count("contributed") == 2 * len(NAMES)
    states = states_after(ROOMS, None, [ROOMS.read_event(event, 1) for _, event, _ in entries])
    first, again = ([seat.person for seat in states[at].seats] for at in (happened.index("started"), -1))
    assert again == first


def test_four_people_play_a_match_through_everything_that_a_network_does(
    tmp_path: Path,
    browser: Browser,
    stack: ExitStack,
    new_page: NewPage,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Reload, second tab, offline, away beyond the grace, a killed server: all agree on every number."""
    server = stack.enter_context(Server(tmp_path / "kupa.sqlite3", prelude=SHORT_GRACE))
    humans: list[OnALine] = []
    for name, size in zip(NAMES, SIZES, strict=True):
        own = browser if not humans else stack.enter_context(another(browser))
        line = stack.enter_context(Line(server.port))
        humans.append(OnALine(name, new_page(size, within=own), line.url, server))
        humans[-1].line = line
    _, elif_, kerem, selin = humans
    room, log = begun(humans)
    match = Played(humans)

    match.play(5)
    reload_in_the_middle_of_a_trick(match, elif_)
    match.play(6)
    open_a_second_tab(match, kerem)
    match.play(4)
    be_offline_for_a_while(match, selin)
    match.play(4)
    be_away_for_longer_than_the_grace(match, elif_)
    match.play(30)
    server = kill_the_server(match, server, kerem, stack)
    match.play()

    rounds = check_the_log(match, server, log, elif_.seat)
    check_the_end(match, rounds)
    check_that_the_deal_was_fair(match, server, len(rounds), capsys)
    check_the_rematch(match, server, room)
