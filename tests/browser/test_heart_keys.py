"""Heart to Heart by keys alone and by ear: every action, the focus, what is read out."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from kupa.heart_to_heart.layout import SPOTS
from tests.server.process import Server

from .conftest import NewPage
from .heart_table import (
    STUCK_AFTER_A_PAIR,
    STUCK_AT_ONCE,
    TAPS,
    HeartTable,
    begin,
    opened,
    seen,
    tap_from_afar,
)

pytestmark = pytest.mark.browser


def tap_by_keys(table: HeartTable, at: int | str) -> None:
    """Tap a place without a pointer: a letter for the piles, the arrows and Enter for the heart."""
    if isinstance(at, str):
        table.page.keyboard.press({"stock": "d", "waste": "w"}[at])
        return
    if not isinstance(table.focused(), int):
        table.page.keyboard.press("ArrowUp")
    table.go_by_arrows(at)
    table.page.keyboard.press("Enter" if at % 2 else "Space")


@pytest.mark.parametrize(("size", "hand"), [("phone", "right"), ("desktop", "left")])
def test_the_shown_deal_is_won_without_a_pointer(
    new_page: NewPage, server: Server, size: str, hand: str
) -> None:
    """Arrows, Enter, Space and letters suffice, wherever the piles lie; U takes the win back."""
    page = new_page(size)
    page.context.add_cookies([{"name": "kupa_hand", "value": hand, "url": server.url}])
    table = HeartTable(page, server).open(begin(server))
    page.keyboard.press("ArrowUp")
    for at in TAPS:
        moves = table.root.get_attribute("data-seq")
        tap_by_keys(table, at)
        expect(table.root).not_to_have_attribute("data-seq", str(moves))
    table.expect_status("won")
    table.expect_figure("score", "250")
    expect(page.get_by_role("heading", name="Kalp boşaldı")).to_be_focused()
    page.keyboard.press("u")
    table.expect_status("playing")
    assert page.evaluate("document.activeElement !== document.body")
    for at in TAPS[-2:]:
        page.keyboard.press("ArrowUp")
        table.go_by_arrows(int(at))
        page.keyboard.press("Enter")
    table.expect_status("won")


def test_arrows_reach_every_card_and_both_piles(new_page: NewPage, server: Server) -> None:
    """From the tip, steps along the arrows lead to all twenty-five cards, the stock and the waste."""
    table = opened(new_page, server, begin(server))
    page = table.page
    page.keyboard.press("ArrowUp")
    assert table.focused() == 25
    reached: set[int | str] = {25}
    waiting: list[int | str] = [25]
    while waiting:
        here = waiting.pop()
        for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
            table.place(here).focus()
            page.keyboard.press(key)
            there = table.focused()
            assert there is not None
            if there not in reached:
                reached.add(there)
                waiting.append(there)
    assert reached == {*SPOTS, "stock", "waste"}


def test_every_other_action_has_a_key(new_page: NewPage, server: Server) -> None:
    """S draws, U and Ctrl+Z undo, M opens the menu and Escape closes it, R and N begin a deal."""
    match = begin(server)
    table = opened(new_page, server, match)
    page = table.page
    page.keyboard.press("s")
    page.keyboard.press("D")
    table.expect_figure("moves", "2")
    page.keyboard.press("u")
    table.expect_figure("moves", "1")
    page.keyboard.press("Control+z")
    table.expect_figure("moves", "0")
    page.keyboard.press("?")
    expect(page.locator("#menu")).to_be_visible()
    page.keyboard.press("d")
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
    table.expect_figure("moves", "0")
    page.keyboard.press("r")
    page.wait_for_url(lambda url: not url.endswith(match))
    same = table.live().match
    expect(page.locator(".info .code dd")).to_have_text("HH1-N-AAAAAAM")
    page.keyboard.press("n")
    page.wait_for_url(lambda url: not url.endswith(same))


def test_letters_typed_into_the_field_do_nothing_else(new_page: NewPage, server: Server) -> None:
    """A code holds the letters of the keys: typing it draws no card and begins no deal."""
    match = begin(server)
    table = opened(new_page, server, match)
    table.open_menu()
    table.page.locator("#code").press_sequentially("dsunrmw?")
    expect(table.page.locator("#code")).to_have_value("dsunrmw?")
    assert table.match == match
    assert seen(server, match)["moves"] == 0


def test_the_focus_stays_on_the_heart_when_its_card_goes(new_page: NewPage, server: Server) -> None:
    """After a pair a card that is left has the focus, and Tab stops at just one card of the heart."""
    match = begin(server)
    tap_from_afar(server, match, TAPS[:9])
    table = opened(new_page, server, match)
    table.page.keyboard.press("w")
    table.page.keyboard.press("ArrowUp")
    table.go_by_arrows(25)
    table.page.keyboard.press("Enter")
    table.expect_figure("score", "10")
    left = table.focused()
    assert left in seen(server, match)["free"]
    expect(table.root.locator('.heart [tabindex="0"]')).to_have_count(1)


@pytest.mark.parametrize(
    ("language", "covered", "framed", "stock", "waste"),
    [
        (
            "tr",
            "kupa onlusu, üstü kapalı. 1. sıra, 1. kart",
            "kupa dörtlüsü, açık, eşi var. 7. sıra, 1. kart",
            "Deste, 17 kart: kart aç",
            "kupa dörtlüsü, ıskartanın üstünde. Iskartada 10 kart",
        ),
        (
            "en",
            "ten of hearts, covered. Row 1, card 1",
            "four of hearts, free, has a match. Row 7, card 1",
            "Stock, 17 cards: draw",
            "four of hearts, on top of the waste of 10 cards",
        ),
    ],
)
def test_every_place_is_named_with_its_card_and_state(
    new_page: NewPage, server: Server, language: str, covered: str, framed: str, stock: str, waste: str
) -> None:
    """Rank, whether it is covered, where it lies; what is pressed is told by the button itself."""
    match = begin(server)
    tap_from_afar(server, match, TAPS[:9])
    table = opened(new_page, server, match, language)
    for at, name in ((1, covered), (25, framed), ("stock", stock), ("waste", waste)):
        expect(table.place(at)).to_have_accessible_name(name)
    expect(table.place(1)).to_have_attribute("aria-disabled", "true")
    expect(table.place(25)).to_have_attribute("aria-pressed", "false")
    table.tap(25)
    expect(table.place(25)).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "tr",
            [
                "Açıldı: kupa dörtlüsü.",
                "Seçildi: kupa dörtlüsü.",
                "Çift kalktı: kupa dörtlüsü. 10 puan. Üstü açılan: kupa papazı, kupa dokuzlusu.",
                "Geri alındı. 0 puan.",
            ],
        ),
        (
            "en",
            [
                "Drawn: four of hearts.",
                "Selected: four of hearts.",
                "A pair is gone: four of hearts. 10 points. Now free: king of hearts, nine of hearts.",
                "Taken back. 0 points.",
            ],
        ),
    ],
)
def test_what_happens_is_told_politely_in_the_language_of_the_page(
    new_page: NewPage, server: Server, language: str, said: list[str]
) -> None:
    """A draw, a selection, a pair with the cards that it frees, an undo."""
    match = begin(server)
    tap_from_afar(server, match, TAPS[:8])
    table = opened(new_page, server, match, language)
    told = table.page.get_by_role("status")
    expect(told).to_have_attribute("aria-live", "polite")
    for key, sentence in zip(("d", "25", "w", "u"), said, strict=True):
        if key.isdigit():
            table.tap(int(key))
        else:
            table.page.keyboard.press(key)
        expect(told).to_have_text(sentence)


def test_both_ends_are_told(new_page: NewPage, server: Server) -> None:
    """The last pair says that the heart is empty; the pair after which nothing fits says so."""
    match = begin(server)
    tap_from_afar(server, match, TAPS[:-1])
    table = opened(new_page, server, match)
    table.tap(TAPS[-1])
    expect(table.page.get_by_role("status")).to_contain_text("Kalp boşaldı. 250 puan.")
    table = opened(new_page, server, begin(server, STUCK_AFTER_A_PAIR))
    table.tap(25, "waste")
    expect(table.page.get_by_role("status")).to_contain_text(re.compile("Yapılabilecek hamle kalmadı"))


def faults(check: Axe, table: HeartTable) -> list[str]:
    """Return what axe finds amiss, shortly."""
    found = check.run(table.page).response["violations"]
    return [f"{fault['id']}: {node['html'][:120]}" for fault in found for node in fault["nodes"]]


@pytest.mark.parametrize("language", ["tr", "en"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_state_of_the_table_has_a_fault_that_axe_knows(
    new_page: NewPage, server: Server, language: str, scheme: str
) -> None:
    """In play with a selection, in the menu with a wrong code, stuck, and won."""
    middle, won = begin(server, move_errors=True), begin(server)
    tap_from_afar(server, middle, [*TAPS[:11], 24])
    tap_from_afar(server, won, TAPS)
    table = opened(new_page, server, middle, language, color_scheme=scheme)
    check = Axe()
    assert faults(check, table) == []
    table.enter_code("?")
    expect(table.page.locator("#fault-code")).to_be_visible()
    assert faults(check, table) == []
    for match in (begin(server, STUCK_AT_ONCE), won):
        table.open(match)
        assert faults(check, table) == []
