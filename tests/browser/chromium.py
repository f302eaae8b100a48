"""The one way in which a Chromium is started here."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Browser, BrowserType, sync_playwright

COMMANDS: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
ARGUMENTS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the Chromium of this computer, or the one that Playwright keeps, for the time of a ``with``."""
    with sync_playwright() as playwright:
        opened = _launched(playwright.chromium)
        yield opened
        opened.close()


@contextmanager
def another(browser: Browser) -> Iterator[Browser]:
    """Start one more, as on another person's computer: processes, cookies and connections of its own."""
    opened = _launched(browser.browser_type)
    try:
        yield opened
    finally:
        opened.close()


def _launched(kind: BrowserType) -> Browser:
    path = next(filter(None, map(shutil.which, COMMANDS)), None)
    return kind.launch(executable_path=path, args=ARGUMENTS)
