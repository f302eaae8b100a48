"""What the layout of Hearts does besides having no fault (for that, see tests/screens)."""

from __future__ import annotations

import pytest

from tests.browser.conftest import NewPage
from tests.browser.hearts_table import HeartsTable, Written
from tests.screens.faults import layout_faults
from tests.server.process import Server

pytestmark = pytest.mark.browser


def full_table(players: int) -> Written:
    """A match of many seats in the middle of a full trick, some points taken."""
    preset = "cancellation" if players > 7 else "parlour" if players != 4 else "cardems"
    written = Written(preset, players, seed=f"seats-{players}")
    return written.until(
        lambda state: (
            state.turn == 0
            and len(state.trick) == players - 1
            and bool(state.rounds or players != 4)
            and (len(state.tricks) > 2 or state.round > 0)
        )
    )


@pytest.mark.parametrize("players", [7, 11])
def test_the_kitty_lies_in_the_middle_with_its_number(
    server: Server, new_page: NewPage, players: int
) -> None:
    """The cards left over are counted, and under nothing."""
    written = Written("cancellation", players, seed="kitty").until(lambda state: state.turn == 0)
    table = HeartsTable(new_page("phone"), server).open(written.stored(server))
    left_over = 104 % players
    assert " ".join(table.page.locator(".kitty").inner_text().split()) == f"Artan {left_over} kart"
    assert layout_faults(table.page, fits=True) == []


def test_the_left_hand_and_four_colours_move_nothing_over_another(server: Server, new_page: NewPage) -> None:
    """With every setting for the eye and the hand turned, the table still fits."""
    page = new_page("phone")
    page.request.post(
        f"{server.url}/settings",
        form={"hand": "left", "deck": "four", "contrast": "more", "index": "turkish", "theme": "dark"},
        headers={"sec-fetch-site": "same-origin"},
    )
    table = HeartsTable(page, server).open(full_table(4).stored(server))
    assert page.locator("html").get_attribute("data-hand") == "left"
    own = page.locator(".own .seat").bounding_box()
    assert own is not None
    assert own["x"] > 180
    assert "cards-tr.svg" in (page.locator(".hand .card use").first.get_attribute("href") or "")
    assert layout_faults(table.page, fits=True) == []


@pytest.mark.parametrize("size", [(360, 740), (1280, 600), (1440, 900)], ids=str)
@pytest.mark.parametrize("players", [4, 11])
def test_the_end_of_a_match_begins_at_the_top_with_its_buttons_in_sight(
    server: Server, new_page: NewPage, players: int, size: tuple[int, int]
) -> None:
    """However long the list of places is, nothing sticks out of the top, and every button is in sight."""
    preset = "cancellation" if players > 7 else "klasik"
    match = Written(preset, players).until(lambda state: state.phase == "over").stored(server)
    page = new_page(viewport={"width": size[0], "height": size[1]})
    HeartsTable(page, server).open(match)
    boxes = page.evaluate(
        "['.bar', '.victor', '.final .acts', '.final .rank', '.desk > .felt'].map((one) => "
        "{ const box = document.querySelector(one).getBoundingClientRect(); return [box.top, box.bottom]; })"
    )
    bar, victor, buttons, places, felt = boxes
    assert victor[0] >= bar[1] - 1
    assert buttons[1] <= size[1]
    assert places[1] <= felt[1]
