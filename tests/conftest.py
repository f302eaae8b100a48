"""What holds for all tests, and the browser that they share if one asks for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# No test is timed: a busy machine must not fail one. CI tries the same examples each time, so that a change
# is judged by itself; everywhere else each run looks at new ones.
settings.register_profile(
    "kupa", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("ci", settings.get_profile("kupa"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "kupa")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser that the pages of a module share.

    Not for longer: while Playwright is there, its event loop counts as running in this thread, and no test
    that runs a loop of its own could follow.
    """
    from tests.browser.chromium import chromium

    with chromium() as opened:
        yield opened
