"""The button that skips the rest of a round in which no points are left to take."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.hearts_table import HeartsTable
from tests.screens import moments
from tests.server.process import Server

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("players", [4, 7])
def test_the_rest_of_a_round_is_skipped_with_the_keyboard(
    server: Server, new_page: NewPage, players: int
) -> None:
    """Tab leads to the button, Enter ends the round: its points are written, and the next one is dealt."""
    table = HeartsTable(new_page(), server).open(moments.claimable(players).stored(server))
    before = table.view()
    assert before["can_claim"]
    button = table.page.get_by_role("button", name="Kalan elleri geç")
    for _ in range(20):
        table.page.keyboard.press("Tab")
        if button.evaluate("button => button === document.activeElement"):
            break
    expect(button).to_be_focused()
    table.page.keyboard.press("Enter")
    expect(table.root).to_have_attribute("data-stage", "round")
    assert "Kalan elleri geçtin. Alınacak puan kalmamıştı." in table.said()
    after = table.view()
    assert after["round"] == before["round"] + 1
    gained = table.page.locator(".tiles .plus").all_inner_texts()
    assert gained == [f"+{points}" for points in after["rounds"][-1]]
    expect(table.page.locator("#next-round")).to_be_visible()
    table.page.locator("#next-round").click()
    table.rest()
    expect(button).to_have_count(0)


def test_pressing_twice_skips_one_round(server: Server, new_page: NewPage) -> None:
    """Two clicks at once are one claim, and nothing is refused."""
    table = HeartsTable(new_page(), server).open(moments.claimable(4).stored(server))
    before = table.view()
    table.page.locator("#claim").evaluate("button => { button.click(); button.click(); }")
    expect(table.root).to_have_attribute("data-stage", "round")
    assert len(table.view()["rounds"]) == len(before["rounds"]) + 1
    assert table.said().count("Kalan elleri geçtin") == 1


def test_a_round_with_points_left_offers_nothing(server: Server, new_page: NewPage) -> None:
    """While points can be taken, the status line tells what may be played and has no button."""
    table = HeartsTable(new_page(), server).open(moments.last_to_play().stored(server))
    assert not table.view()["can_claim"]
    expect(table.page.locator("#claim")).to_have_count(0)
    expect(table.status.locator(".sub")).to_have_count(1)


def test_the_button_stands_there_before_any_script(server: Server, new_page: NewPage) -> None:
    """The page as the server writes it has the button where the live page has it."""
    match = moments.claimable(4).stored(server)
    still = new_page(java_script_enabled=False)
    still.goto(f"{server.url}/m/{match}")
    expect(still.locator(".status #claim")).to_have_text("Kalan elleri geç")
