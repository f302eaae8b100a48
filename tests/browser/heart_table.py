"""The page of Heart to Heart as the tests drive it: what is seen, and what is tapped."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

from tests.server.process import Server

from .conftest import NewPage

At = int | str
"""A position of the heart, ``"stock"`` or ``"waste"``."""

SHOWN_DEAL: Final = "HH1-N-AAAAAAM"
WIN: Final[dict[str, Any]] = json.loads(
    (Path(__file__).resolve().parents[1] / "vectors" / "heart-win.json").read_text(encoding="utf-8")
)
"""A shortest win of the shown deal: ``taps``, ``moves``, ``score``, ``first_pair_on_move``."""
TAPS: Final[list[At]] = WIN["taps"]

STUCK_AT_ONCE: Final = "HH1-N-AAAAAAA"
"""A deal without a move: the other three of the tip's rank lie in the heart."""
STUCK_AFTER_A_PAIR: Final = "HH1-N-AAAADOB"
"""A deal that has one move, the tip with the top of the waste, and then none."""

ARROWS: Final = {"ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "ArrowUp": (0, -1), "ArrowDown": (0, 1)}


def begin(server: Server, code: str = SHOWN_DEAL, **settings: bool) -> str:
    """Make a game; returns its id."""
    return server.new(game="heart-to-heart", code=code, **settings)


def tap_from_afar(server: Server, match: str, taps: Iterable[At], elapsed_ms: int = 0) -> None:
    """Tap as another client would."""
    for number, at in enumerate(taps):
        answer = server.do(match, f"afar-{number}", type="tap", at=at, elapsed_ms=elapsed_ms)
        assert answer.status_code == 200, answer.text


def seen(server: Server, match: str) -> dict[str, Any]:
    """Return the view of a game without its clock."""
    view: dict[str, Any] = server.seen(match)["view"]
    return {key: value for key, value in view.items() if key != "elapsed_ms"}


class HeartTable:
    """One page with a game on it."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        self.server = server
        self.root = page.locator("#table")

    def open(self, match: str) -> HeartTable:
        """Go to a game and wait until it is live."""
        self.page.goto(f"{self.server.url}/m/{match}")
        return self.live()

    def live(self) -> HeartTable:
        """Wait until the module has taken over: from then on Tab stops at a card, unless all are gone."""
        self.page.wait_for_function(
            "() => document.querySelector('.heart [tabindex=\"0\"]') || document.querySelector('.hh.won')"
        )
        return self

    @property
    def match(self) -> str:
        """The id of the game on the page."""
        return self.page.url.rpartition("/")[2]

    def place(self, at: At) -> Locator:
        """The element of a place."""
        return self.root.locator(f'[data-at="{at}"]')

    def tap(self, *places: At) -> None:
        """Tap places one after the other, as a hand does: each when it can be tapped."""
        for at in places:
            self.place(at).click()

    def figure(self, name: str) -> str:
        """A figure as it is seen now: ``time``, ``score``, ``moves``, ``stock``, ``best``."""
        return self.root.locator(f"[data-figure={name}]:visible").first.inner_text()

    def expect_figure(self, name: str, text: str) -> None:
        """Wait until a figure is seen to be this."""
        expect(self.root.locator(f"[data-figure={name}]:visible").first).to_have_text(text)

    def expect_status(self, status: str) -> None:
        """Wait until the game is ``playing``, ``stuck`` or ``won``."""
        expect(self.root).to_have_attribute("data-status", status)

    def button(self, name: str) -> Locator:
        """A button that is seen, by its name."""
        return self.page.get_by_role("button", name=name, exact=True).locator("visible=true").first

    def open_menu(self) -> None:
        """Open the menu."""
        self.page.locator("[data-do=menu]").click()
        expect(self.page.locator("#menu")).to_be_visible()

    def close_menu(self) -> None:
        """Close the menu by its key."""
        self.page.keyboard.press("Escape")
        expect(self.page.locator("#menu")).to_be_hidden()

    def switch(self, name: str) -> Locator:
        """A switch of the menu."""
        return self.page.get_by_role("switch", name=name)

    def set_switch(self, name: str, on: bool) -> None:
        """Set a switch in the menu, and wait until the server has followed."""
        self.open_menu()
        seq = self.root.get_attribute("data-seq")
        self.switch(name).set_checked(on, force=True)
        expect(self.root).not_to_have_attribute("data-seq", str(seq))
        self.close_menu()

    def enter_code(self, typed: str) -> None:
        """Type a code in the menu and ask for its deal."""
        self.open_menu()
        self.page.locator("#code").fill(typed)
        self.page.locator("#code").press("Enter")

    def focused(self) -> At | None:
        """The place that has the focus."""
        at = self.page.evaluate("document.activeElement.closest('[data-at]')?.dataset.at ?? null")
        return int(at) if at is not None and at.isdigit() else at

    def middle(self, at: At) -> tuple[float, float]:
        """Where a place lies in the window."""
        box = self.place(at).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def go_by_arrows(self, to: int) -> None:
        """Go from card to card of the heart by the arrows alone, as somebody who sees it would."""
        tried: set[tuple[At, str]] = set()
        for _ in range(60):
            here = self.focused()
            if here == to:
                return
            assert here is not None
            (x, y), (there_x, there_y) = self.middle(here), self.middle(to)
            ahead = {
                key: dx * (there_x - x) + dy * (there_y - y)
                for key, (dx, dy) in ARROWS.items()
                if (here, key) not in tried
            }
            key = max(ahead, key=lambda key: ahead[key])
            tried.add((here, key))
            self.page.keyboard.press(key)
        raise AssertionError(f"the arrows do not lead to {to}")

    def shown(self) -> list[str]:
        """What the board shows, place by place: the card, its state, and what is read out for it."""
        told: list[str] = self.page.evaluate(
            """[...document.querySelectorAll('[data-at]')].map(
                ({className, dataset, ariaLabel, ariaPressed, ariaDisabled}) =>
                    [className, dataset.card, ariaLabel, ariaPressed, ariaDisabled].join('|'))"""
        )
        return told


def opened(
    new_page: NewPage, server: Server, match: str, language: str = "tr", size: str = "phone", **options: Any
) -> HeartTable:
    """Open a game in a browser of its own cookies."""
    return HeartTable(new_page(size, language, **options), server).open(match)
