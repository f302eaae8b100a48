"""The drawings of the deck are what their generator writes, and hold all that pages ask of them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from kupa.cards import RANKS, SUITS

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "src" / "kupa" / "web" / "static"
FILES = ("cards.svg", "cards-tr.svg", "favicon.svg")
USES = "{http://www.w3.org/2000/svg}use"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deck")
    command = [sys.executable, str(ROOT / "tools" / "make_cards.py"), "--out", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("name", FILES)
def test_the_committed_drawings_are_what_the_generator_writes(written: Path, name: str) -> None:
    assert (STATIC / name).read_bytes() == (written / name).read_bytes()


def test_one_index_alone_can_be_written(tmp_path: Path, written: Path) -> None:
    command = [
        sys.executable,
        str(ROOT / "tools" / "make_cards.py"),
        "--index",
        "turkish",
        "--out",
        str(tmp_path),
    ]
    subprocess.run(command, check=True, capture_output=True)
    assert [file.name for file in tmp_path.iterdir()] == ["cards-tr.svg"]
    assert (tmp_path / "cards-tr.svg").read_bytes() == (written / "cards-tr.svg").read_bytes()


def ids_of(name: str) -> set[str]:
    root = ET.fromstring((STATIC / name).read_text(encoding="utf-8"))
    return {element.attrib["id"] for element in root.iter() if "id" in element.attrib}


@pytest.mark.parametrize("name", ["cards.svg", "cards-tr.svg"])
def test_a_deck_has_every_face_twice_and_whatever_else_pages_use(name: str) -> None:
    """Both cuts of 52 cards, twelve heads, four marks, the back and the logo."""
    ids = ids_of(name)
    faces = {f"{cut}-{rank}{suit}" for cut in "cf" for rank in RANKS for suit in SUITS}
    heads = {f"head-{rank}{suit}" for rank in "JQK" for suit in SUITS}
    assert faces | heads | {"mark-s", "mark-h", "mark-d", "mark-c", "back", "logo"} <= ids


@pytest.mark.parametrize("name", ["cards.svg", "cards-tr.svg", "icons.svg"])
def test_drawings_refer_to_nothing_outside_themselves(name: str) -> None:
    text = (STATIC / name).read_text(encoding="utf-8")
    ids = ids_of(name)
    referred = {
        found for pair in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text) for found in pair if found
    }
    assert referred <= ids
    assert not re.search(r'href="(?!#)', text)
    assert "<script" not in text
    assert "<text" not in text, "a font could change a card"


def test_the_turkish_deck_differs_in_the_courts_alone() -> None:
    """Vale, kız and papaz instead of J, Q and K; the aces and the numbers are the same drawings."""

    def symbols(name: str) -> dict[str, str]:
        root = ET.fromstring((STATIC / name).read_text(encoding="utf-8"))
        return {
            element.attrib["id"]: ET.tostring(element, encoding="unicode")
            for element in root
            if "id" in element.attrib
        }

    international, turkish = symbols("cards.svg"), symbols("cards-tr.svg")
    changed = {name for name in international if international[name] != turkish[name]}
    assert changed == {f"{cut}-{rank}{suit}" for cut in "cf" for rank in "JQK" for suit in SUITS}


def test_every_icon_that_a_page_names_is_drawn() -> None:
    """Templates and modules ask for icons by literal name."""
    asked: set[str] = set()
    web = STATIC.parent
    for file in [*web.rglob("*.html"), *web.rglob("*.js")]:
        asked |= set(re.findall(r'\bicon(?:Element)?\("([a-z-]+)"', file.read_text(encoding="utf-8")))
    assert {"check", "undo", "left"} <= asked
    assert asked <= ids_of("icons.svg")
