"""Around the game of Heart to Heart: the first view, the clock, a lost connection, motion, and the layout."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from kupa.heart_to_heart.layout import SPOTS
from tests.server.process import Server

from .conftest import NewPage
from .heart_table import TAPS, HeartTable, begin, opened, seen, tap_from_afar

pytestmark = pytest.mark.browser

STATES: dict[str, list[int | str]] = {
    "fresh": [],
    "framed": TAPS[:9],
    "selected": [*TAPS[:11], 24],
    "waste selected": [*TAPS[:11], "waste"],
    "late": TAPS[:60],
    "empty stock": [*TAPS[:11], *["stock"] * 17],
    "won": TAPS,
}


# ---------------------------------------------------------------- the first view


@pytest.mark.parametrize("state", STATES)
def test_the_module_changes_nothing_of_what_the_server_wrote(
    new_page: NewPage, server: Server, state: str
) -> None:
    """Every card, state, label and figure is there before any script, just as the script would put it."""
    match = begin(server)
    tap_from_afar(server, match, STATES[state], elapsed_ms=61_000)
    still = HeartTable(new_page("phone", java_script_enabled=False), server)
    still.page.goto(f"{server.url}/m/{match}")
    live = opened(new_page, server, match)
    assert still_shown(still) == live.shown()
    for name in ("time", "score", "moves"):
        assert still.figure(name) == live.figure(name) or name == "time"
    assert still.figure("time") in {"01:01", "00:00"}
    seq = live.root.get_attribute("data-seq")
    assert still.root.get_attribute("data-seq") == seq == str(server.seen(match)["seq"])


def still_shown(table: HeartTable) -> list[str]:
    """What :meth:`HeartTable.shown` tells, of a page that runs no script."""
    told = []
    for place in table.root.locator("[data-at]").all():
        given = {
            name: place.get_attribute(name)
            for name in ("class", "data-card", "aria-label", "aria-pressed", "aria-disabled")
        }
        told.append("|".join(value or "" for value in given.values()))
    return told


def test_the_heart_lies_where_the_rules_say(new_page: NewPage, server: Server) -> None:
    """Half card widths across and rows down, as in the layout; nothing moves when cards go."""
    match = begin(server)
    table = opened(new_page, server, match, size="desktop")
    places = {at: table.middle(at) for at in SPOTS}
    half = (places[2][0] - places[1][0]) / 2
    down = places[5][1] - places[1][1]
    for at, spot in SPOTS.items():
        assert places[at][0] - places[1][0] == pytest.approx((spot.x - SPOTS[1].x) * half, abs=0.6)
        assert places[at][1] - places[1][1] == pytest.approx(spot.row * down, abs=0.6)
    table.tap(*TAPS[:40])
    table.expect_figure("score", str(seen(server, match)["score"]))
    for at in SPOTS:
        assert table.middle(at) == pytest.approx(places[at], abs=0.6)


# ---------------------------------------------------------------- the clock


def hide(page: Page, hidden: bool) -> None:
    """Let the page believe that nobody sees it, or that somebody does again."""
    page.evaluate(
        """hidden => {
            Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden});
            document.dispatchEvent(new Event('visibilitychange'));
        }""",
        hidden,
    )


def at_a_stopped_clock(new_page: NewPage, server: Server, match: str) -> HeartTable:
    """Open a game on a page whose time passes only when the test says so."""
    page = new_page("phone")
    page.clock.install()
    table = HeartTable(page, server).open(match)
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
    return table


def test_the_clock_runs_from_the_first_tap_and_stands_still_while_hidden(
    new_page: NewPage, server: Server
) -> None:
    """It waits for a tap that changes anything: a covered card changes nothing."""
    table = at_a_stopped_clock(new_page, server, begin(server))
    page = table.page
    page.clock.run_for(30_000)
    table.expect_figure("time", "00:00")
    table.place(1).evaluate("card => card.click()")
    page.clock.run_for(5_000)
    table.expect_figure("time", "00:00")
    table.tap("stock")
    table.expect_figure("moves", "1")
    page.clock.run_for(65_500)
    table.expect_figure("time", "01:05")
    hide(page, True)
    page.clock.run_for(600_000)
    hide(page, False)
    table.expect_figure("time", "01:05")
    page.clock.run_for(2_000)
    table.expect_figure("time", "01:07")


def test_a_reload_keeps_the_game_and_its_clock(new_page: NewPage, server: Server) -> None:
    """Cards, selection and moves come back, and the time goes on from where it was, unsent seconds too."""
    match = begin(server)
    table = at_a_stopped_clock(new_page, server, match)
    table.tap(*["stock"] * 9, 25)
    expect(table.place(25)).to_have_attribute("aria-pressed", "true")
    table.page.clock.run_for(83_500)
    table.expect_figure("time", "01:23")
    shown = table.shown()
    table.page.reload()
    table.live()
    assert table.shown() == shown
    assert table.figure("moves") == "9"
    assert table.figure("time") in {"01:23", "01:24"}
    table.tap("waste")
    table.expect_figure("score", "10")
    assert 83_000 <= server.seen(match)["view"]["elapsed_ms"] < 90_000


def test_another_browser_sees_the_time_of_the_last_tap(new_page: NewPage, server: Server) -> None:
    """The server keeps what each tap has told it."""
    match = begin(server)
    tap_from_afar(server, match, ["stock"], elapsed_ms=754_000)
    assert opened(new_page, server, match).figure("time").startswith("12:3")


def test_the_clock_stops_at_the_win_and_runs_on_when_it_is_undone(new_page: NewPage, server: Server) -> None:
    """The time of the win is the time of its last tap; the best time is kept in the browser."""
    match = begin(server)
    tap_from_afar(server, match, TAPS[:-2], elapsed_ms=100_000)
    table = at_a_stopped_clock(new_page, server, match)
    table.page.clock.run_for(20_000)
    table.tap(*TAPS[-2:])
    table.expect_status("won")
    won_at = table.figure("time")
    assert re.fullmatch(r"02:0\d", won_at)
    assert table.figure("best") == won_at
    for _ in range(12):
        # A quiet line asks the server whether it is there; the answer takes time that no clock here tells.
        table.page.clock.run_for(5_000)
        table.page.evaluate("fetch('/static/favicon.svg').then((answer) => answer.text())")
        table.page.wait_for_timeout(100)
    assert table.figure("time") == won_at
    table.page.keyboard.press("u")
    table.expect_status("playing")
    table.page.clock.run_for(10_000)
    table.tap(*TAPS[-2:])
    table.expect_status("won")
    assert re.fullmatch(r"02:1\d", table.figure("time"))
    assert table.figure("best") == won_at


# ---------------------------------------------------------------- the connection


def test_taps_made_without_a_connection_are_done_when_it_is_back(new_page: NewPage, server: Server) -> None:
    """A line at the table says that the connection is lost; nothing that was tapped is lost."""
    match = begin(server)
    table = opened(new_page, server, match)
    table.tap("stock")
    table.expect_figure("moves", "1")
    table.page.context.set_offline(True)
    line = table.page.locator("[data-line]")
    expect(line).to_have_text("Bağlantı koptu; yeniden deneniyor…")
    table.tap("stock", "stock")
    assert seen(server, match)["moves"] == 1
    table.page.context.set_offline(False)
    table.expect_figure("moves", "3")
    expect(line).to_be_hidden()


def test_what_is_done_elsewhere_is_seen_here(new_page: NewPage, server: Server) -> None:
    """Two pages on one game show the same."""
    match = begin(server)
    here, there = opened(new_page, server, match), opened(new_page, server, match, size="desktop")
    here.tap("stock", "stock", 25)
    there.expect_figure("moves", "2")
    expect(there.place(25)).to_have_attribute("aria-pressed", "true")


def test_an_undo_of_nothing_is_refused_in_words(new_page: NewPage, server: Server) -> None:
    """The button says that there is nothing to undo, before and after it is pressed."""
    table = opened(new_page, server, begin(server))
    undo = table.root.locator(".tool[data-do=undo]")
    expect(undo).to_have_attribute("aria-disabled", "true")
    undo.click(force=True)
    expect(table.page.locator("[data-line]")).to_have_text("Geri alınacak hamle yok.")
    table.tap("stock")
    expect(table.page.locator("[data-line]")).to_be_hidden()
    expect(undo).not_to_have_attribute("aria-disabled", "true")


# ---------------------------------------------------------------- motion


@pytest.mark.parametrize(
    ("motion", "speed", "flying"),
    [("no-preference", "slow", True), ("no-preference", "fast", True), ("reduce", "slow", False)],
)
def test_cards_fly_unless_motion_is_unwanted(
    new_page: NewPage, server: Server, motion: str, speed: str, flying: bool
) -> None:
    """A draw turns over and a pair flies up above the table, hidden from assistive technology."""
    match = begin(server)
    tap_from_afar(server, match, TAPS[:9])
    page = new_page("phone", reduced_motion=motion)
    page.context.add_cookies([{"name": "kupa_speed", "value": speed, "url": server.url}])
    table = HeartTable(page, server).open(match)
    page.evaluate(
        """() => {
            const layer = document.querySelector('.flights');
            window.flown = 0;
            new MutationObserver(changes => {
                for (const {addedNodes} of changes) window.flown += addedNodes.length;
            }).observe(layer, {childList: true});
        }"""
    )
    assert page.locator(".flights").get_attribute("aria-hidden") == "true"
    table.tap("stock")
    table.expect_figure("moves", "10")
    page.keyboard.press("u")
    table.expect_figure("moves", "9")
    before = page.evaluate("window.flown")
    table.tap(25, "waste")
    table.expect_figure("score", "10")
    flown = page.evaluate("window.flown")
    assert (before > 0, flown - before) == ((True, 2) if flying else (False, 0))
    expect(page.locator(".flights .card")).to_have_count(0)


def test_the_deal_ends_with_the_first_touch(new_page: NewPage, server: Server) -> None:
    """While the cards of a fresh deal still travel, each can be tapped where it will lie."""
    table = opened(new_page, server, begin(server), reduced_motion="no-preference")
    assert table.page.evaluate("document.getAnimations().length") > 0
    x, y = table.middle(25)
    table.page.mouse.click(x, y)
    expect(table.place(25)).to_have_attribute("aria-pressed", "true")
    assert table.root.get_attribute("data-fresh") is None


# ---------------------------------------------------------------- layout


@pytest.mark.parametrize(("size", "axis"), [("desktop", 0), ("phone", 0)])
def test_the_left_hand_gets_the_table_mirrored_but_no_card(
    new_page: NewPage, server: Server, size: str, axis: int
) -> None:
    """Piles and tools change sides by style alone; the heart stays as it is."""
    match = begin(server)
    right = opened(new_page, server, match, size=size)
    page = new_page(size)
    page.context.add_cookies([{"name": "kupa_hand", "value": "left", "url": server.url}])
    left = HeartTable(page, server).open(match)
    for at in (1, 25):
        assert left.middle(at) == pytest.approx(right.middle(at), abs=1)
    undo = [table.root.locator(".tool[data-do=undo]").bounding_box() for table in (right, left)]
    assert undo[0] is not None
    assert undo[1] is not None
    assert undo[0]["x"] > undo[1]["x"] + 100
    menu = [table.page.locator("[data-do=menu]").bounding_box() for table in (right, left)]
    assert menu[0] is not None
    assert menu[1] is not None
    assert menu[0]["x"] > menu[1]["x"] + 100
