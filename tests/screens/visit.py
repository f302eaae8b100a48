"""Looking at screens: how one is looked at, and the one page that is brought from screen to screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, Page, Request, Response

from tests.browser.heart_table import HeartTable
from tests.browser.hearts_table import HeartsTable, Written
from tests.screens.still_server import StillServer

SIZES: Final[dict[int, int]] = {360: 740, 390: 844, 768: 1024, 1440: 900}
"""The windows, width and height in pixels."""
THEMES: Final = ("light", "dark")
LANGUAGES: Final = ("tr", "en")

FOR_EVER: Final = "1000000s"
"""A pause that outlasts every look at it."""
SET_DURATION: Final = "([name, time]) => document.documentElement.style.setProperty(name, time)"

SETTLE: Final = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await document.fonts.ready;
  await frame();
  const ending = document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime < Infinity);
  await Promise.allSettled(ending.map((one) => one.finished));
  await frame();
}"""
"""Waits for the letters, for what still moves and ends, and for the picture of it."""

LAY_OUT_ANEW: Final = """() => {
  document.body.style.display = "none";
  document.body.getBoundingClientRect();
  document.body.style.removeProperty("display");
}"""
"""Behind an open dialog, Chromium now and then keeps how far things reached in the window of before."""

FORGET: Final = "localStorage.clear(); sessionStorage.clear()"
HIDE: Final = """Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
document.dispatchEvent(new Event("visibilitychange"));"""
"""Makes a page believe that nobody sees it: clocks stand still."""


class Look(NamedTuple):
    """How a screen is looked at."""

    width: int
    theme: str
    language: str

    @property
    def name(self) -> str:
        """Return the part of a picture's name that tells of it: ``390-dark.tr``."""
        return f"{self.width}-{self.theme}.{self.language}"


EVERY_LOOK: Final = tuple(
    Look(width, theme, language) for width in SIZES for language in LANGUAGES for theme in THEMES
)


class Visitor:
    """One page of one browser, at which nothing moves.

    Args:
        browser: the browser.
        server: what it visits.
        device_scale_factor: how many pixels of a picture stand for one of the page.
    """

    def __init__(self, browser: Browser, server: StillServer, device_scale_factor: float = 1) -> None:
        self.server = server
        self.context = browser.new_context(reduced_motion="reduce", device_scale_factor=device_scale_factor)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.guests = ExitStack()
        """Other people who are there for the time of one screen."""
        self.wrong: list[str] = []
        """What has gone wrong on the page, unseen by those who look: errors, failed or foreign requests."""
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", self._note_foreign)
        self.page.on("requestfailed", self._note_failed)
        self.page.on("response", self._note_missing)
        self.page.goto(f"{server.url}/static/favicon.svg")

    def _note_foreign(self, request: Request) -> None:
        if not request.url.startswith((self.server.url, "data:")):
            self.wrong.append(f"asked another host: {request.url}")

    def _note_failed(self, request: Request) -> None:
        # A request that the next page cuts short is no failure.
        if "ABORTED" not in (request.failure or ""):
            self.wrong.append(f"failed: {request.url}")

    def _note_missing(self, response: Response) -> None:
        if response.status >= 400 and response.request.resource_type != "document":
            self.wrong.append(f"{response.status}: {response.url}")

    def look_as(self, look: Look, settings: Mapping[str, str]) -> None:
        """Look in a certain way from now on, as a browser that comes for the first time.

        Args:
            look: the window, the theme of the system, and the language.
            settings: what has been set, as the cookies of the settings name it.
        """
        self.guests.close()
        self.page.evaluate(FORGET)
        self.context.clear_cookies()
        self.set_cookies({"lang": look.language, **settings})
        self.page.set_viewport_size({"width": look.width, "height": SIZES[look.width]})
        self.wear(look.theme)

    def resize(self, width: int, height: int) -> None:
        """Give the window another size, and wait until everything has found its place."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(LAY_OUT_ANEW)
        self.page.evaluate(SETTLE)

    def wear(self, theme: str) -> None:
        """Let the system have a theme, ``light`` or ``dark``, without loading the page anew."""
        self.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")

    def set_cookies(self, values: Mapping[str, str]) -> None:
        """Set cookies of Kupa."""
        if values:
            self.context.add_cookies(
                [
                    {"name": f"kupa_{name}", "value": value, "url": self.server.url}
                    for name, value in values.items()
                ]
            )

    # Going somewhere

    def open(self, path: str) -> None:
        """Go to a page and wait until everything of it is there."""
        self.page.goto(self.server.url + path, wait_until="load")

    def hearts(self, written: Written) -> HeartsTable:
        """Go to a match of Hearts that has been played up to a moment."""
        return HeartsTable(self.page, self.server).open(written.stored(self.server))

    def end_of_round(self, written: Written) -> None:
        """Go to a match at the end of the round before the one that has just begun."""
        match = written.stored(self.server)
        rounds = str(len(written.state.rounds))
        self.page.evaluate(
            "([key, rounds]) => sessionStorage.setItem(key, rounds)", [f"kupa:/m/{match}:round", rounds]
        )
        self.open(f"/m/{match}")
        self.page.wait_for_selector("#table[data-stage=round][data-connection=open]")

    def heart(self, match: str) -> HeartTable:
        """Go to a game of Heart to Heart; its clock stands still."""
        table = HeartTable(self.page, self.server).open(match)
        self.page.evaluate(HIDE)
        return table

    def hold(self, duration: str) -> None:
        """Let a pause of the table last for ever, so that what it shows stays: ``"--d-rest"``."""
        self.page.evaluate(SET_DURATION, [duration, FOR_EVER])


class Screen(NamedTuple):
    """A screen, and how one gets there."""

    name: str
    show: Callable[[Visitor], Any]
    fits: bool = False
    """Whether it has to be in the window as a whole: a table that scrolls is no table."""
    settings: Mapping[str, str] = {}
    """What has been set: theme, contrast, deck, hand, index, speed."""

    def visit(self, visitor: Visitor, look: Look) -> None:
        """Bring a visitor to this screen."""
        visitor.look_as(look, self.settings)
        self.show(visitor)
        visitor.page.evaluate(SETTLE)
