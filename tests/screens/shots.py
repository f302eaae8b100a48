"""Take a picture of every screen: ``make shots``.

Each is written into ``shots/`` as ``<screen>-<width>-<theme>.<language>.png``. Names of screens, or their
beginnings, take only those; ``--sizes``, ``--themes`` and ``--languages`` leave out the rest.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from playwright.sync_api import Error as PlaywrightError

from tests.browser.chromium import chromium
from tests.screens.catalogue import SCREENS
from tests.screens.still_server import StillServer
from tests.screens.visit import LANGUAGES, SETTLE, SIZES, THEMES, Look, Screen, Visitor


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="make shots", description=__doc__.partition("\n")[0])
    parser.add_argument("screens", nargs="*", help="screens, or how their names begin; all if left out")
    parser.add_argument("--sizes", nargs="+", type=int, choices=SIZES, default=list(SIZES))
    parser.add_argument("--themes", nargs="+", choices=THEMES, default=list(THEMES))
    parser.add_argument("--languages", nargs="+", choices=LANGUAGES, default=list(LANGUAGES))
    parser.add_argument("--to", type=Path, default=Path("shots"), help="the folder")
    return parser.parse_args(given)


def chosen(asked: Sequence[str]) -> list[Screen]:
    """Return the screens whose names begin with one of the texts; one that is named in full comes alone."""
    names = {screen.name for screen in SCREENS}
    return [
        screen
        for screen in SCREENS
        if not asked
        or any(screen.name == text or (text not in names and screen.name.startswith(text)) for text in asked)
    ]


LAY_DOWN = "document.querySelectorAll('.sticky').forEach((bar) => (bar.style.position = 'static'))"
"""On a picture of a whole page, what keeps to the window's foot would lie in the middle."""


def take(
    visitor: Visitor, screen: Screen, width: int, language: str, themes: Sequence[str], to: Path
) -> None:
    """Take the pictures of one screen in one window and language: the themes differ in colours alone."""
    screen.visit(visitor, Look(width, themes[0], language))
    whole = not screen.fits and not visitor.page.locator("dialog[open]").count()
    if whole:
        visitor.page.evaluate(LAY_DOWN)
    for theme in themes:
        visitor.wear(theme)
        visitor.page.evaluate(SETTLE)
        name = f"{screen.name}-{Look(width, theme, language).name}.png"
        visitor.page.screenshot(path=to / name, full_page=whole, animations="disabled")


def main() -> int:
    """Take the pictures that were asked for; returns the exit status."""
    asked = arguments()
    screens = chosen(asked.screens)
    if not screens:
        print(f"no screen is called {' or '.join(asked.screens)}", file=sys.stderr)
        return 2
    asked.to.mkdir(parents=True, exist_ok=True)
    total = len(screens) * len(asked.sizes) * len(asked.themes) * len(asked.languages)
    began, done = time.monotonic(), 0
    failed = []
    with StillServer() as server, chromium() as browser:
        visitor = Visitor(browser, server)
        for screen in screens:
            for width, language in product(asked.sizes, asked.languages):
                try:
                    take(visitor, screen, width, language, asked.themes, asked.to)
                except (PlaywrightError, AssertionError) as error:
                    failed.append(f"{screen.name} at {width}: {str(error).partition(chr(10))[0]}")
                done += len(asked.themes)
            seconds = time.monotonic() - began
            print(f"{done:5} of {total} · {seconds:4.0f} s · {screen.name}", flush=True)
    print(*failed, sep="\n", file=sys.stderr)
    print(f"{total} pictures in {asked.to}/" if not failed else f"{len(failed)} could not be taken")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\nleft off; what is there is there", file=sys.stderr)
        sys.exit(130)
