"""What is wrong with a page as it lies in the window: faults of layout, and what axe finds."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

LAYOUT: Final = Path(__file__).with_name("faults.js").read_text(encoding="utf-8")
AXE: Final = Axe()


def layout_faults(page: Page, *, fits: bool) -> list[str]:
    """Return what overlaps, is cut off, covered or too small, a line each.

    Args:
        page: what is looked at, at rest.
        fits: whether all of it has to be in the window.
    """
    found: list[str] = page.evaluate(LAYOUT, fits)
    return found


def axe_faults(page: Page) -> list[str]:
    """Return what the checker of accessibility finds, a line for each kind with where it is."""
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:3]]}"
        for one in AXE.run(page).response["violations"]
    ]
