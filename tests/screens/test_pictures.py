"""The pictures of the README are there, are small, and are of screens that exist."""

from __future__ import annotations

import struct
import zlib
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.screens.catalogue import SCREENS
from tests.screens.indexed_png import COLOURS, Colour, indexed_png, palette_of
from tests.screens.pictures import FOLDER, PICTURES

LARGEST = 150_000
"""In bytes: the README opens at once."""
CHANNEL = st.integers(0, 255)
COUNTS = st.dictionaries(st.tuples(CHANNEL, CHANNEL, CHANNEL), st.integers(1, 1000), min_size=1, max_size=40)


def chunks(png: bytes) -> dict[bytes, bytes]:
    """Return the chunks of a PNG, each checked by its sum."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    found, at = {}, 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        data = png[at + 8 : at + 8 + length]
        assert png[at + 8 + length : at + 12 + length] == struct.pack(">I", zlib.crc32(kind + data))
        found[kind], at = data, at + 12 + length
    return found


def pixels_of(png: bytes) -> list[Colour]:
    """Return the pixels of an indexed PNG without filters."""
    found = chunks(png)
    width, height = struct.unpack(">II", found[b"IHDR"][:8])
    rows = zlib.decompress(found[b"IDAT"])
    assert len(rows) == height * (width + 1)
    palette = found[b"PLTE"]
    indices = [index for row in range(height) for index in rows[row * (width + 1) + 1 :][:width]]
    return [(palette[3 * index], palette[3 * index + 1], palette[3 * index + 2]) for index in indices]


@given(st.lists(st.tuples(CHANNEL, CHANNEL, CHANNEL), min_size=6, max_size=6))
def test_few_colours_stay_as_they_are(colours: list[Colour]) -> None:
    """A picture of no more colours than a palette holds comes back pixel by pixel."""
    pixels = b"".join(bytes((*colour, 255)) for colour in colours)
    assert pixels_of(indexed_png(pixels, 3, 2)) == colours


@given(COUNTS, st.integers(1, 8))
def test_a_palette_holds_no_more_than_it_may(counts: dict[Colour, int], most: int) -> None:
    """Every colour has one that stands for it, and together those are few."""
    standing_for = palette_of(Counter(counts), most)
    assert set(standing_for) == set(counts)
    assert len(set(standing_for.values())) <= most <= COLOURS


def test_the_pictures_of_the_readme_are_small_and_of_today_s_screens() -> None:
    """Each is in its folder, has a palette, and names a screen of the catalogue; no other lies there."""
    assert {picture.screen for picture in PICTURES} <= {screen.name for screen in SCREENS}
    assert {path.name for path in FOLDER.glob("*.png")} == {f"{picture.name}.png" for picture in PICTURES}
    readme = (FOLDER.parents[1] / "README.md").read_text(encoding="utf-8")
    for picture in PICTURES:
        png = (FOLDER / f"{picture.name}.png").read_bytes()
        assert len(png) <= LARGEST
        assert b"PLTE" in chunks(png)
        assert f"(docs/pictures/{picture.name}.png)" in readme
