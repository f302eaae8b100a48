"""A whole match of Hearts by keys alone: nothing is ever pointed at, and the keyboard is never lost."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.hearts_table import LATER, MOON_HANDS, HeartsTable, Written, by_strength
from tests.server.process import Server

pytestmark = pytest.mark.browser

TARGET: Final = 30
"""The moon of the first round brings all others near it, so that the next round ends the match."""

POINTED: Final = """for (const kind of ["pointerdown", "mousedown", "touchstart", "click"])
  addEventListener(kind, (event) => {
    // A key that presses a button makes a click of its own, whose detail is 0.
    if (kind !== "click" || event.detail) sessionStorage.setItem("pointed", kind);
  }, true);"""
"""Notes down whether anything was pointed at."""

FOCUSED: Final = "document.activeElement?.closest('.hand') ? document.activeElement.dataset.card : ''"
"""The card of the hand that has the keyboard."""


class Keyboard:
    """Somebody without a pointer at a table of Hearts."""

    def __init__(self, table: HeartsTable) -> None:
        self.table = table
        self.page: Page = table.page
        self.pressed = 0

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def go_to(self, selector: str, key: str = "Tab") -> None:
        """Press Tab until something has the keyboard, as somebody does who sees where they are."""
        for _ in range(40):
            if self.page.evaluate("wanted => document.activeElement?.matches(wanted)", selector):
                return
            self.press(key)
        raise AssertionError(f"{selector} cannot be reached with {key}")

    def go_to_card(self, card: str) -> None:
        """Go to a card of the hand: into the hand by an arrow or by Tab, then along it."""
        if self.page.evaluate("document.activeElement === document.body"):
            self.press("ArrowRight")
        self.go_to(".hand .card")
        self.press("Home")
        for _ in self.table.hand():
            if self.page.evaluate(FOCUSED) == card:
                return
            self.press("ArrowRight")
        raise AssertionError(f"{card} cannot be reached with the arrows")

    def confirm(self) -> None:
        """Press what has the keyboard, with either of the two keys that do."""
        self.pressed += 1
        self.press("Enter" if self.pressed % 2 else "Space")

    def play(self, card: str) -> None:
        """Play a card, and wait until the table waits again."""
        before = self.table.seq
        self.go_to_card(card)
        self.confirm()
        self.page.wait_for_function(LATER, arg=before)
        if self.table.rest(impatient=False) == "play":
            assert self.page.evaluate(FOCUSED) in self.table.hand(), "the keyboard stays in the hand"

    def give(self, *cards: str) -> None:
        """Choose what to pass, and pass it."""
        for card in cards:
            self.go_to_card(card)
            self.confirm()
        assert self.table.slots() == list(cards)
        self.go_to(".pass .btn.primary", "Shift+Tab")
        self.confirm()
        expect(self.table.root).not_to_have_attribute("data-stage", "pass")
        self.table.rest(impatient=False)

    def choose_to_add(self) -> None:
        """Write the moon to the others: the second of two choices."""
        self.go_to("[data-choice=subtract]")
        self.press("ArrowDown")
        expect(self.page.locator("[data-choice=add]")).to_have_attribute("aria-checked", "true")
        self.go_to(".shoot .write")
        self.confirm()
        expect(self.table.root).not_to_have_attribute("data-stage", "moon")


def look_around(keyboard: Keyboard) -> None:
    """Look back at the last trick, at the score sheet and at the menu; the keyboard comes back every time."""
    table, page = keyboard.table, keyboard.page
    card = page.evaluate(FOCUSED)
    keyboard.press("l")
    expect(table.status).to_contain_text("Önceki el")
    keyboard.press("Escape")
    expect(table.status).not_to_contain_text("Önceki el")
    for key, opened in (("s", "#scores"), ("m", "#menu")):
        keyboard.press(key)
        expect(page.locator(opened)).to_be_visible()
        assert page.evaluate("id => document.activeElement.closest(id) !== null", opened)
        keyboard.press("Escape")
        expect(page.locator(opened)).to_be_hidden()
        assert page.evaluate(FOCUSED) == card


def test_a_cardems_match_is_played_to_its_end_with_keys_alone(server: Server, new_page: NewPage) -> None:
    """Tricks, the choice of a moon, a pass, the next round, the end, and the first card of the rematch."""
    written = Written(
        "cardems", hands=MOON_HANDS, target=TARGET, moon="choice", pass_cycle=("hold", "left"), seed="keys"
    )
    page = new_page()
    page.add_init_script(POINTED)
    page.context.add_cookies([{"name": "kupa_speed", "value": "fast", "url": server.url}])
    table = HeartsTable(page, server).open(written.stored(server))
    keyboard = Keyboard(table)
    cards = 0
    stages: list[str] = []
    while (stage := table.rest(impatient=False)) != "over":
        if stage == "play":
            playable = table.playable()
            keyboard.play(by_strength(playable) if stages.count("round") == 0 else playable[-1])
            cards += 1
            if cards == 2:
                look_around(keyboard)
            continue
        stages.append(stage)
        if stage == "moon":
            keyboard.choose_to_add()
        elif stage == "pass":
            keyboard.give(*table.hand()[-3:])
        else:
            keyboard.go_to("#next-round")
            keyboard.confirm()
            expect(table.root).not_to_have_attribute("data-stage", "round")
    view = table.view()
    assert stages[:3] == ["moon", "round", "pass"]
    assert view["rounds"][0] == [0, 26, 26, 26]
    assert max(view["totals"]) >= TARGET
    assert cards == 13 * len(view["rounds"])
    totals = page.locator(".rank li b").all_inner_texts()
    assert totals == [str(total) for total in sorted(view["totals"])]

    keyboard.go_to(".acts .btn.primary")
    keyboard.press("Enter")
    page.wait_for_url(lambda url: not url.endswith(table.match))
    table.match = page.url.rpartition("/")[2]
    table.live()
    assert table.rest(impatient=False) == "play"
    assert table.view()["rules"] == view["rules"]
    keyboard.play(table.playable()[0])
    assert len(table.hand()) == 12
    assert page.evaluate("sessionStorage.getItem('pointed')") is None
