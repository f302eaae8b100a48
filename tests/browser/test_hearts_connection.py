"""The table of Hearts when the page is loaded anew, opened twice, or loses its server."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.hearts_table import LATER, HeartsTable, Written
from tests.server.process import Server

pytestmark = pytest.mark.browser


def in_the_middle_of_a_trick() -> Written:
    return Written("klasik").until(
        lambda state: state.turn == 0 and len(state.tricks) == 3 and len(state.trick) == 2
    )


def test_a_page_loaded_anew_in_the_middle_of_a_trick_is_the_same(server: Server, new_page: NewPage) -> None:
    """Trick, hand, what may be played, points and the last trick are all there again."""
    table = HeartsTable(new_page(), server).open(in_the_middle_of_a_trick().stored(server))
    before = table.seen()
    assert len(before["trick"]) == 2
    table.page.reload()
    assert table.live().seen() == before
    table.play(table.playable()[0])
    before = table.seen()
    table.page.reload()
    assert table.live().seen() == before


def test_the_end_of_a_round_survives_a_reload(server: Server, new_page: NewPage) -> None:
    """Whoever loads the page anew while the points are shown sees them again, and then goes on."""
    written = Written("klasik").until(lambda state: state.turn == 0 and len(state.tricks) == 12)
    table = HeartsTable(new_page(), server).open(written.stored(server))
    table.click(table.hand()[0])
    expect(table.root).to_have_attribute("data-stage", "round")
    shown = table.page.locator("#end-stage").inner_text()
    table.page.reload()
    expect(table.root).to_have_attribute("data-stage", "round")
    assert table.page.locator("#end-stage").inner_text() == shown
    table.page.locator("#next-round").click()
    expect(table.root).to_have_attribute("data-stage", "pass")
    table.page.reload()
    expect(table.root).to_have_attribute("data-connection", "open")
    assert table.stage == "pass"


def test_two_pages_of_one_match_show_the_same(server: Server, new_page: NewPage) -> None:
    """A card played on one page is played on the other, too, and the turn comes back on both."""
    match = in_the_middle_of_a_trick().stored(server)
    one = HeartsTable(new_page(), server).open(match)
    other = HeartsTable(new_page("phone"), server).open(match)
    for table, watcher in ((one, other), (other, one)):
        table.play(table.playable()[0])
        watcher.page.wait_for_function(
            "seq => Number(document.querySelector('#table').dataset.seq) >= seq", arg=table.seq
        )
        watcher.rest()
        assert {**watcher.seen(), "title": ""} == {**table.seen(), "title": ""}


def test_a_killed_server_comes_back_and_the_match_goes_on(tmp_path: Path, new_page: NewPage) -> None:
    """The page says that the line is down, keeps what was clicked, reconnects by itself and plays it."""
    page = new_page(reduced_motion="no-preference")
    with Server(tmp_path / "kupa.sqlite3") as first:
        match = in_the_middle_of_a_trick().stored(first)
        table = HeartsTable(page, first).open(match)
        before = table.seen()
        first.kill()
        expect(table.status).to_contain_text("Bağlantı koptu")
        expect(table.status).to_contain_text("Yeniden bağlanılıyor")
        assert "Bağlantı koptu" in table.said()
        assert table.hand() == before["hand"]
        card = table.playable()[0]
        table.click(card)
        expect(table.status).to_contain_text("Bağlantı koptu")
        with Server(first.database, first.port) as second:
            table.server = second
            expect(table.root).to_have_attribute("data-connection", "open", timeout=30_000)
            page.wait_for_function(LATER, arg=before["seq"])
            table.rest()
            assert card not in table.view()["hand"]
            assert table.hand() == table.view()["hand"]
            expect(table.status).not_to_contain_text("Bağlantı koptu")
