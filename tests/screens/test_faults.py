"""The checker of layouts sees the faults that it is there for, and none on what is sound."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.screens.faults import axe_faults, layout_faults

pytestmark = pytest.mark.browser

SOUND = """<style>body { margin: 0; font: 16px sans-serif } button { min-width: 44px; min-height: 44px }
.card { position: absolute; width: 60px; height: 84px; background: #fff }</style>
<h1>Title</h1><p>Some text that is long enough for a line</p><button type="button">Press</button>"""


def lying(left: int, top: int) -> str:
    """A card, where it is to lie."""
    return f'<span class="card" style="left:{left}px;top:{top}px">x</span>'


NARROW = "display:block;width:60px;overflow:hidden;white-space:nowrap"
COVER = '<div style="position:absolute;inset:0;background:#fff"></div>'
FAULTY = {
    "text cut off by its box": (
        f'<div style="{NARROW}">much too long for this</div>',
        "is cut off by",
    ),
    "text with an ellipsis": (
        f'<b style="{NARROW};text-overflow:ellipsis">too long for this</b>',
        "does not fit its place",
    ),
    "text over text": (
        '<p style="position:absolute;top:200px">over</p><p style="position:absolute;top:208px">x</p>',
        "lies over that of",
    ),
    "text beyond the window": (
        '<p style="position:absolute;left:380px;white-space:nowrap">away</p>',
        "leaves the window",
    ),
    "a page that is too wide": ('<div style="width:500px;height:1px"></div>', "wider than the window"),
    "a page that is too long": ('<div style="height:900px"></div>', "longer than the window"),
    "a small button": (
        '<button style="min-width:0;min-height:0;width:30px;height:30px" aria-label="x"></button>',
        "too small to touch: 30 by 30",
    ),
    "a button under something": (
        f'<div style="position:relative"><button type="button">Go</button>{COVER}</div>',
        "lies under",
    ),
    "a list that is too narrow": (
        '<select style="width:60px;height:44px"><option>a long choice</option></select>',
        "does not fit its list",
    ),
    "cards of the hand too close": (
        f'<div class="hand">{lying(10, 400)}{lying(30, 400)}</div>',
        "less than 28 px are seen",
    ),
    "an index under another card": (
        f'<div class="laid">{lying(10, 400)}{lying(0, 390)}</div>',
        "is covered by",
    ),
    "a hand that hangs out of the window": (
        f'<div class="hand">{lying(10, 720)}</div>',
        "leaves the window",
    ),
    "a status over the hand": (
        f'<b class="status" style="position:absolute;top:400px">x</b><div class="hand">{lying(0, 400)}</div>',
        "lies over",
    ),
}


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page of the size of a phone."""
    context = browser.new_context(viewport={"width": 390, "height": 760})
    yield context.new_page()
    context.close()


def test_a_sound_page_has_no_fault(page: Page) -> None:
    """What is told of a page is its fault, not the checker's."""
    page.set_content(SOUND)
    assert layout_faults(page, fits=True) == []


@pytest.mark.parametrize("fault", FAULTY)
def test_a_fault_is_seen(page: Page, fault: str) -> None:
    """Each kind of fault is told in a line that says what it is."""
    markup, told = FAULTY[fault]
    page.set_content(SOUND + markup)
    assert any(told in line for line in layout_faults(page, fits=True)), layout_faults(page, fits=True)


def test_what_only_scrolls_is_no_fault(page: Page) -> None:
    """A page that may scroll may be long, and a box that scrolls may hold more than it shows."""
    box = f'<div style="{NARROW};overflow-x:auto" tabindex="0">more than the box shows</div>'
    page.set_content(f'{SOUND}{box}<div style="height:900px"></div>')
    assert layout_faults(page, fits=False) == []


def test_axe_is_asked(page: Page) -> None:
    """A button without a name is told."""
    page.set_content("<!doctype html><html lang=en><title>x</title><main><h1>x</h1><button></button></main>")
    assert any(line.startswith("button-name: ") for line in axe_faults(page))
