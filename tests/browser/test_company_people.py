"""At a company's table: who watches, who talks, who is played for; a table set up by the keyboard alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.browser.company_table import OPEN, Human, Played, stored
from tests.browser.conftest import NewPage
from tests.browser.line import Line
from tests.server.company import Company, Guest
from tests.server.process import Server

pytestmark = pytest.mark.browser

SHORT_THINK: Final = "from kupa.server import room_form\nroom_form.THINKS = (5,)"
"""The shortest think time that a room may have; those that the form offers are longer."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose form takes a think time of five seconds."""
    path: Path = tmp_path_factory.mktemp("matches") / "kupa.sqlite3"
    with Server(path, prelude=SHORT_THINK) as running:
        yield running


@pytest.fixture
def company(server: Server) -> Iterator[Company]:
    with Company(server, "Deniz", "Elif") as made:
        yield made


def at_pages(company: Company, server: Server, match: str, *pages: Page) -> list[Human]:
    """Let the people of a company be at pages, and no more at their sockets."""
    humans = []
    for guest, page in zip(company.guests, pages, strict=True):
        human = Human(guest.name, page, server.url, server)
        human.be(guest)
        human.sit_down(match)
        guest.go_away()
        humans.append(human)
    return humans


def hands_told(page: Page) -> list[dict[str, Any]]:
    """Return a list in which every view gathers that the sockets of a page are sent from now on."""
    views: list[dict[str, Any]] = []

    def read(text: str | bytes) -> None:
        frame = json.loads(text)
        views.extend(entry["view"] for entry in frame.get("events", []))
        if frame["type"] == "view":
            views.append(frame["view"])

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", read)

    page.on("websocket", listen)
    return views


def test_a_watcher_sees_a_whole_round_and_no_hand_and_moves_nothing(
    server: Server, company: Company, new_page: NewPage
) -> None:
    """All tricks and the points, no card of a hand in any frame; clicks and keys do nothing."""
    match = company.start()
    played = Played(at_pages(company, server, match, new_page(), new_page("phone")))
    watcher = Human("Kerem", new_page("tablet"), server.url, server)
    views = hands_told(watcher.page)
    watcher.come_by_link(f"/t/{company.room}")
    watcher.sit_down()
    expect(watcher.page.locator("#table")).to_have_attribute("data-watching", "")
    for cards in range(1, 14):
        played.play(2)
        played_to = played.humans[0].table.seq
        watcher.page.wait_for_function(
            "seq => Number(document.querySelector('#table').dataset.seq) >= seq", arg=played_to
        )
        look = watcher.look()
        assert look["hand"] == look["ok"] == [], cards
    assert len(played.clicked) == 26
    points = [event["points"] for _, event, _ in stored(server, match) if event["type"] == "round_scored"]
    watcher.page.locator("#next-round").click()
    assert watcher.sheet()[0] == [str(one) for one in points[0]]
    assert len(views) > 52
    for view in views:
        assert (view["seat"], view["hand"], view["legal"]) == (None, [], [])
        assert (view["my_pass"], view["received"]) == (None, None)

    for human in played.humans:
        if human.look()["does"] == "go on":
            human.page.locator("#next-round").click()
    before = stored(server, match)
    for place in ("#play-stage", "#pass-stage", "#mine", ".felt .seat[data-seat='0']"):
        for one in watcher.page.locator(place).all():
            if one.is_visible():
                one.click(force=True)
    for key in ("ArrowRight", "Enter", "Space", "ArrowLeft", "Enter"):
        watcher.page.keyboard.press(key)
    watcher.page.wait_for_timeout(500)
    assert stored(server, match) == before
    assert watcher.page.locator("[data-company=back]:visible, #concede:visible, #claim:visible").count() == 0


def test_what_one_says_others_see_but_not_who_has_muted_them(
    server: Server, company: Company, new_page: NewPage
) -> None:
    """A message and a reaction of the host: a watcher reads both; who has muted the host reads neither."""
    match = company.start()
    host, muter = at_pages(company, server, match, new_page(), new_page())
    reader = Human("Kerem", new_page(), server.url, server)
    reader.come_by_link(f"/t/{company.room}")
    reader.sit_down()
    said = {one: one.page.locator("#talk .said") for one in (host, muter, reader)}

    def say(who: Human, words: str) -> None:
        who.page.locator("#say").fill(words)
        who.page.locator("#say").press("Enter")
        expect(said[who]).to_contain_text(words)

    say(host, "Kolay gelsin")
    for one in (muter, reader):
        expect(said[one]).to_contain_text("Kolay gelsin")
    muter.page.locator("#open-menu").click()
    muter.page.locator("#menu .company-list li", has_text="Deniz").locator("[data-mute]").click()
    expect(said[muter]).not_to_contain_text("Kolay gelsin")
    muter.page.keyboard.press("Escape")

    say(host, "Bu el benim")
    host.page.locator("#talk [data-react=bravo]").click()
    expect(said[reader]).to_contain_text("Bu el benim")
    expect(said[reader].locator(".react")).to_have_count(1)
    # What comes later has come after what was not to come.
    say(reader, "Kim önde?")
    expect(said[muter]).to_contain_text("Kim önde?")
    expect(said[muter].locator("li")).to_have_count(1)
    expect(muter.page.locator(".bubble")).to_have_count(0)
    assert "Bu el benim" not in muter.table.said()
    muter.page.reload()
    muter.table.live()
    expect(said[muter]).to_contain_text("Kim önde?")
    expect(said[muter].locator("li")).to_have_count(1)
    expect(said[reader].locator("li")).to_have_count(4)


def act_for(guest: Guest, match: str) -> None:
    """Have somebody without a page do what there is for them to do."""
    view = guest.client.get(f"/api/matches/{match}").json()["view"]
    me = view["seat"]
    if view["phase"] == "pass" and not view["passed"][me]:
        command: dict[str, Any] = {"type": "pass", "cards": view["hand"][:3]}
    elif view["turn"] == me and view["legal"]:
        command = {"type": "play", "card": view["legal"][0]}
    else:
        return
    sent = {"id": f"{guest.name}{view['round']}{len(view['hand'])}", "command": command}
    assert guest.client.post(f"/api/matches/{match}/commands", json=sent).status_code == 200


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the keyboard is at something."""
    for _ in range(120):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def test_who_takes_too_long_is_told_that_a_bot_plays_and_comes_back_by_the_keyboard(
    server: Server, new_page: NewPage
) -> None:
    """The status line says so, and so does what is read out; Tab and Enter give the seat back."""
    with Company(server, "Deniz", "Elif", think="5", **{"house-pass_count": "0"}) as company:
        match = company.start()
        (elif_,) = company.guests[1:]
        elif_.go_away()
        human = Human("Deniz", new_page(), server.url, server)
        human.be(company.host)
        company.host.go_away()
        human.sit_down(match)
        while human.look()["does"] != "play":
            act_for(elif_, match)
        expect(human.table.status).to_contain_text("Yerine bot oynuyor", timeout=20_000)
        assert "Yerine bot oynuyor" in human.table.said()
        tab_to(human.page, "#company-back")
        human.page.keyboard.press("Enter")
        expect(human.table.status).not_to_contain_text("Yerine bot oynuyor")
        happened = [event["type"] for _, event, _ in stored(server, company.room)]
        assert happened.count("taken_over") == happened.count("came_back") >= 1

        while human.look()["does"] != "play":
            act_for(elif_, match)
        human.page.keyboard.press("ArrowRight")
        while not human.page.evaluate("document.activeElement.matches('.hand .card.ok')"):
            human.page.keyboard.press("ArrowRight")
        card = human.page.evaluate("document.activeElement.dataset.card")
        human.page.keyboard.press("Enter")
        expect(human.table.card(card)).to_have_count(0)
        plays = [
            (event["card"], command)
            for _, event, command in stored(server, match)
            if event["type"] == "card_played"
        ]
        assert dict(plays)[card] is not None


def test_while_cards_are_passed_it_is_told_under_the_bar_that_a_bot_plays(
    server: Server, new_page: NewPage
) -> None:
    """The passing has no status line; the same words and the same button stand elsewhere."""
    with Company(server, "Deniz", "Elif", think="5") as company:
        match = company.start()
        company.guests[1].go_away()
        human = Human("Deniz", new_page("phone"), server.url, server)
        human.be(company.host)
        company.host.go_away()
        human.sit_down(match)
        line = human.page.locator(".stand-in")
        expect(line).to_contain_text("Yerine bot oynuyor", timeout=20_000)
        expect(line).to_be_visible()
        tab_to(human.page, ".stand-in button")
        human.page.keyboard.press("Enter")
        expect(line).to_be_hidden()
        assert human.table.stage == "pass"


def test_who_gives_up_goes_straight_to_the_end_that_bots_have_played(
    server: Server, new_page: NewPage
) -> None:
    """Nobody has to watch what is over already, and the bot's points are not told as one's own."""
    no_pass = {"house-pass_count": "0", "target-klasik": "20"}
    with Company(server, "Deniz", **no_pass) as company:
        match = company.start()
        human = Human("Deniz", new_page(), server.url, server)
        human.be(company.host)
        human.sit_down(match)
        company.host.do(type="concede")
        human.page.locator("#company-ahead").dispatch_event("click")
        expect(human.table.root).to_have_attribute("data-stage", "over", timeout=10_000)
        expect(human.page.locator(".lead-p")).to_contain_text("yerine oynayan bot")


def test_who_has_gone_silently_is_seen_to_be_away(tmp_path: Path, new_page: NewPage) -> None:
    """No end of a connection reaches anybody: the server finds out, all see it, the page comes back."""
    quick = "from kupa.server import serve\nserve.PING_EVERY = serve.PING_PATIENCE = 2"
    with (
        Server(tmp_path / "kupa.sqlite3", prelude=quick) as server,
        Line(server.port) as line,
        Company(server, "Deniz", "Elif") as company,
    ):
        match = company.start()
        host, friend = (
            Human(guest.name, new_page(), url, server)
            for guest, url in zip(company.guests, (server.url, line.url), strict=True)
        )
        for human, guest in zip((host, friend), company.guests, strict=True):
            human.be(guest)
            guest.go_away()
            human.page.goto(f"{human.url}/m/{match}")
            human.sit_down()
        state = host.page.locator(f".felt .seat[data-seat='{friend.seat}'] .state")
        host.table.offer(*host.table.hand()[:3])
        expect(state).to_have_count(0)
        line.silence()
        expect(state).to_have_text("koptu", timeout=20_000)
        line.mend()
        expect(state).to_have_count(0, timeout=20_000)
        expect(friend.table.root).to_have_attribute("data-connection", "open")
        friend.table.offer(*friend.table.hand()[:3])
        expect(friend.table.root).to_have_attribute("data-stage", "play")


def test_a_table_is_set_up_and_a_round_played_by_the_keyboard_alone(
    server: Server, new_page: NewPage
) -> None:
    """From the front page to the points of the round: Tab, arrows, Enter, Space, and letters for the name."""
    page = new_page()
    keyboard = page.keyboard
    page.goto(server.url)
    tab_to(page, "a[href='/lobby']")
    keyboard.press("Enter")
    page.wait_for_url("**/lobby")
    tab_to(page, "a[href='/new?company=people']")
    keyboard.press("Enter")
    page.wait_for_url("**/new?company=people")
    tab_to(page, "[name=rules]")
    while not page.locator("#rules-klasik").is_checked():
        keyboard.press("ArrowDown")
    tab_to(page, "#name")
    keyboard.type("Deniz")
    tab_to(page, ".sticky .btn.primary")
    keyboard.press("Enter")
    page.wait_for_selector(OPEN)

    tab_to(page, ".spot[data-seat='2'] button")
    keyboard.press("Enter")
    tab_to(page, "#seat-2 [data-do*=bot]")
    keyboard.press("Enter")
    expect(page.locator(".spot[data-seat='2']")).to_contain_text("Bot")
    tab_to(page, ".start [data-do*='fill']")
    keyboard.press("Space")
    expect(page.locator(".oval b")).to_have_text("4/4")
    tab_to(page, ".start [data-do*='start']")
    keyboard.press("Enter")

    human = Human("Deniz", page, server.url, server)
    human.sit_down()
    assert human.seat == 0

    def press_on(selector: str) -> None:
        for _ in range(30):
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                break
            keyboard.press("ArrowRight")
        keyboard.press("Enter")

    tab_to(page, ".hand .card")
    for count in range(1, 4):
        press_on(".hand .card:not(.gone)")
        expect(page.locator(".slots .card")).to_have_count(count)
    tab_to(page, ".pass .btn.primary")
    keyboard.press("Enter")
    expect(page.locator("#table")).not_to_have_attribute("data-stage", "pass")
    for left in range(12, -1, -1):
        assert human.table.rest() == "play"
        press_on(".hand .card.ok")
        expect(page.locator(".hand .card:not(.gone)")).to_have_count(left)
    assert human.table.rest() == "round"
    expect(page.locator("#end-stage h2")).to_have_text("1. tur bitti")
    expect(page.locator("#end-stage h2")).to_be_focused()
    tab_to(page, "#next-round")
    keyboard.press("Enter")
    expect(human.table.root).to_have_attribute("data-stage", "pass")
    cards = [
        command
        for _, event, command in stored(server, human.table.match)
        if event["type"] == "card_played" and event["seat"] == 0
    ]
    assert len(cards) == 13
    assert None not in cards
