"""A real server in a process of its own, and pages of a real Chromium on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

from tests.server.process import Server

SIZES: Final = {"phone": (360, 740), "tablet": (768, 1024), "desktop": (1440, 900)}

NewPage = Callable[..., Page]
"""Opens a page: ``new_page(size="phone", language="tr", within=None, **options of new_context)``; ``within``
is a browser other than the one that the tests of a module share."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a database of its own, for the tests of a module."""
    with Server(tmp_path_factory.mktemp("matches") / "kupa.sqlite3") as running:
        yield running


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Opens pages, each with cookies of its own; nothing on one may go wrong unseen."""
    contexts = []
    faults: list[str] = []

    def opened(
        size: str = "desktop", language: str = "tr", within: Browser | None = None, **options: Any
    ) -> Page:
        width, height = SIZES[size]
        context = (within or browser).new_context(
            **{
                "viewport": {"width": width, "height": height},
                "locale": language,
                "reduced_motion": "reduce",
                **options,
            }
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """One page in Turkish at the size of a desktop, with no motion."""
    return new_page()
