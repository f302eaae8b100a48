"""What tests of several folders share: a browser, started once for a run, if a test asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser that all pages of a run share: Playwright runs once in a process."""
    from tests.browser.chromium import chromium

    with chromium() as opened:
        yield opened
