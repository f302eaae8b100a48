"""The page of what somebody has played in a real browser: by keyboard alone, and without a script."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.screens import people
from tests.screens.played import keep
from tests.screens.still_server import StillServer

pytestmark = pytest.mark.browser

FOCUSED = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()"
HAS_RING = "getComputedStyle(document.activeElement).outlineStyle === 'solid'"


@pytest.fixture(scope="module")
def server() -> Iterator[StillServer]:
    with StillServer() as made:
        yield made


@pytest.fixture
def page(browser: Browser, server: StillServer) -> Iterator[Page]:
    """The page of somebody who has played thirty matches, in English, in a browser that runs no script."""
    token, person = people.guest(server)
    keep(server, person, 30)
    context = browser.new_context(java_script_enabled=False, locale="en")
    cookies = {"kupa_guest": token, "kupa_lang": "en"}
    context.add_cookies(
        [{"name": name, "value": value, "url": server.url} for name, value in cookies.items()]
    )
    opened = context.new_page()
    opened.goto(f"{server.url}/played")
    yield opened
    context.close()


def test_every_match_is_reached_and_opened_by_keyboard(page: Page) -> None:
    """Each row has two stops, the match and its record, in the order in which they are read."""
    stops = []
    for _ in range(1 + 2 * 2):
        page.keyboard.press("Tab")
        assert page.evaluate(HAS_RING)
        stops.append(" ".join(page.evaluate(FOCUSED).split()))
    assert stops[0] == "Back"
    assert stops[1].startswith("Classic July 25, 2026 · 4 players · with bots ")
    assert stops[2] == "Record: Classic, July 25, 2026"
    assert stops[3].startswith("Special July 24, 2026 ")
    assert stops[4] == "Record: Special, July 24, 2026"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/m/*")


def test_older_matches_are_one_press_away_and_back(page: Page) -> None:
    """Twenty-five rows, then five, without a script; the way back leads to the newest."""
    rows = page.locator(".list li")
    expect(rows).to_have_count(25)
    page.get_by_role("link", name="Older").press("Enter")
    expect(rows).to_have_count(5)
    expect(page.get_by_role("link", name="Older")).to_have_count(0)
    page.get_by_role("link", name="Newer").press("Enter")
    expect(rows).to_have_count(25)


def test_a_record_is_downloaded_from_its_row(page: Page) -> None:
    """As the text that `kupa record` reads."""
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Record: ").first.click()
    assert waiting.value.path().read_text(encoding="utf-8").startswith("Kupa record 1\n")
