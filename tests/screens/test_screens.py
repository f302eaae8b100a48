"""No screen has a fault: nothing overlaps, is cut off, covered or too small, and axe finds nothing.

``KUPA_SOAK=ci`` looks at each in the smallest and the largest window in both languages, ``full`` at each in
every way; else at each in two ways, so that over all screens every way occurs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser

from tests.screens.catalogue import SCREENS
from tests.screens.faults import axe_faults, layout_faults
from tests.screens.still_server import StillServer
from tests.screens.visit import EVERY_LOOK, LANGUAGES, SIZES, THEMES, Look, Screen, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.soak]


def every_look(_: int) -> list[Look]:
    """Return every way of looking."""
    return list(EVERY_LOOK)


def looks_of_ci(place: int) -> list[Look]:
    """Return both languages in the smallest and the largest window, with themes by turns."""
    ends = (min(SIZES), max(SIZES))
    return [
        Look(width, THEMES[(place + wide + foreign) % 2], language)
        for wide, width in enumerate(ends)
        for foreign, language in enumerate(LANGUAGES)
    ]


def looks_of_a_day(place: int) -> list[Look]:
    """Return two ways of looking, one in a window of a phone, one in a larger, both by turns."""
    narrow, wide = (360, 390)[place % 2], (768, 1440)[place // 2 % 2]
    turn = place // 4
    return [
        Look(narrow, THEMES[turn % 2], LANGUAGES[turn // 2 % 2]),
        Look(wide, THEMES[(turn + 1) % 2], LANGUAGES[(turn // 2 + turn) % 2]),
    ]


SOAK: Final = os.environ.get("KUPA_SOAK", "")
LOOKS: Final = {"full": every_look, "ci": looks_of_ci, "": looks_of_a_day}[SOAK]

SHAPES: Final = ((320, 568), (412, 915), (844, 390), (1024, 768), (1280, 600), (1366, 620), (1920, 1080))
"""Other windows: the smallest phone, a large one and one that lies, a tablet that lies, laptops, a desk's."""
CASES: Final = [
    pytest.param(screen, look, id=f"{screen.name}-{look.name}")
    for place, screen in enumerate(SCREENS)
    for look in LOOKS(place)
]


TABLES: Final = [
    pytest.param(screen, SHAPES if SOAK else (SHAPES[place % len(SHAPES)],), id=screen.name)
    for place, screen in enumerate(screen for screen in SCREENS if screen.fits)
]


@pytest.fixture(scope="module")
def visitor(browser: Browser) -> Iterator[Visitor]:
    """The one page that all screens are looked at with."""
    with StillServer() as server:
        made = Visitor(browser, server)
        yield made
        made.guests.close()
        made.context.close()


def test_no_two_screens_have_one_name() -> None:
    """A picture of one would be written over that of the other."""
    assert len({screen.name for screen in SCREENS}) == len(SCREENS)


def test_every_way_of_looking_occurs_on_every_day() -> None:
    """Over the screens, each window comes with each theme and each language."""
    seen = {look for place in range(len(SCREENS)) for look in looks_of_a_day(place)}
    assert seen == set(EVERY_LOOK)


@pytest.mark.parametrize(("screen", "look"), CASES)
def test_a_screen_has_no_fault(visitor: Visitor, screen: Screen, look: Look) -> None:
    """Everything is in its place and can be read and touched, and nothing went wrong on the way there."""
    visitor.wrong.clear()
    screen.visit(visitor, look)
    faults = layout_faults(visitor.page, fits=screen.fits)
    faults += axe_faults(visitor.page)
    assert [*faults, *visitor.wrong] == []


@pytest.mark.parametrize(("screen", "shapes"), TABLES)
def test_a_table_fits_windows_of_other_shapes(
    visitor: Visitor, screen: Screen, shapes: tuple[tuple[int, int], ...]
) -> None:
    """A table never scrolls, and nothing on it is covered, however small, low or large the window is."""
    screen.visit(visitor, Look(360, "light", "tr"))
    found = {}
    for width, height in shapes:
        visitor.resize(width, height)
        found[width, height] = layout_faults(visitor.page, fits=True)
    assert not any(found.values()), found
