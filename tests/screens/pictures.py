"""Take the pictures of the README: ``python -m tests.screens.pictures``."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Final, NamedTuple

from playwright.sync_api import Browser, Page

from tests.browser.chromium import chromium
from tests.screens.catalogue import SCREENS
from tests.screens.indexed_png import indexed_png
from tests.screens.still_server import StillServer
from tests.screens.visit import Look, Visitor

FOLDER: Final = Path(__file__).parents[2] / "docs" / "pictures"


class Picture(NamedTuple):
    """A picture of the README."""

    name: str
    screen: str
    look: Look
    scale: float
    """How many pixels of the picture stand for one of the page."""


PICTURES: Final = (
    Picture("hearts", "hearts-full", Look(1440, "light", "en"), 0.6),
    Picture("heart-to-heart", "heart", Look(390, "light", "en"), 0.8),
    Picture("passing", "pass-ready", Look(390, "dark", "en"), 0.8),
    Picture("cancellation", "hearts-cancelled-11", Look(390, "light", "tr"), 0.8),
)

PIXELS: Final = """async (picture) => {
  const image = new Image();
  image.src = picture;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const brush = canvas.getContext("2d");
  brush.drawImage(image, 0, 0);
  const { data } = brush.getImageData(0, 0, image.width, image.height);
  const part = 30000;
  let text = "";
  for (let at = 0; at < data.length; at += part) text += String.fromCharCode(...data.subarray(at, at + part));
  return [image.width, image.height, btoa(text)];
}"""


def small(page: Page, png: bytes) -> bytes:
    """Return a picture with 256 colours; a page of any kind reads it."""
    address = "data:image/png;base64," + base64.b64encode(png).decode()
    width, height, pixels = page.evaluate(PIXELS, address)
    return indexed_png(base64.b64decode(pixels), width, height)


def take(browser: Browser, server: StillServer, picture: Picture) -> bytes:
    """Return a picture as a small PNG."""
    screen = next(screen for screen in SCREENS if screen.name == picture.screen)
    visitor = Visitor(browser, server, device_scale_factor=picture.scale)
    screen.visit(visitor, picture.look)
    png = visitor.page.screenshot(animations="disabled")
    visitor.context.close()
    reader = browser.new_page()
    made = small(reader, png)
    reader.close()
    return made


def main() -> None:
    """Take all of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with StillServer() as server, chromium() as browser:
        for picture in PICTURES:
            made = take(browser, server, picture)
            (FOLDER / f"{picture.name}.png").write_bytes(made)
            print(f"{picture.name}.png: {len(made) // 1000} kB")


if __name__ == "__main__":
    main()
