"""What holds for every template, stylesheet and module."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "kupa"
WEB = SOURCE / "web"
TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
STYLES = sorted((WEB / "static").rglob("*.css"))
MODULES = sorted((WEB / "static").rglob("*.js"))
FILES = [*TEMPLATES, *STYLES, *MODULES]
NAMES = [str(file.relative_to(WEB)) for file in FILES]

NO_TEXT = ("event.key.toLowerCase()", "value|lower if value is boolean")
"""Uses that touch no text: the name of a key on the keyboard, and true or false."""

NAMESPACE = "http://www.w3.org/2000/svg"


def read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_no_file_of_the_web_asks_another_host_for_anything(file: Path) -> None:
    assert not re.findall(r"(?:https?:|wss?:)?//[\w-]+\.[\w.]+", read(file).replace(NAMESPACE, ""))
    assert not re.search(r"""(?:src|href|action)=["']?(?:https?:)?//""", read(file).replace(NAMESPACE, ""))


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_a_file_of_the_web_fits_a_sitting(file: Path) -> None:
    assert len(read(file).splitlines()) < 500


@pytest.mark.parametrize("file", STYLES, ids=[file.name for file in STYLES])
def test_styles_set_no_capitals_and_say_no_words(file: Path) -> None:
    """A browser's capitals get the Turkish i wrong, and a word in a style is in one language only."""
    text = re.sub(r"/\*.*?\*/", "", read(file), flags=re.DOTALL)
    assert not re.search(r"text-transform|font-variant(-caps)?:[^;]*caps", text)
    assert not re.findall(r"content:\s*\"[^\"]*[^\W\d_]", text)


def test_no_web_code_changes_the_case_of_text() -> None:
    """Upper and lower case by rules that are not Turkish turn i into I."""
    found = [
        f"{file.name}: {line.strip()}"
        for file in [*MODULES, *TEMPLATES, *sorted((SOURCE / "server").glob("*.py"))]
        for line in read(file).splitlines()
        if re.search(
            r"\.to(Locale)?(Upper|Lower)Case\(|\.(upper|lower|title|capitalize|swapcase)\(|\|\s*(upper|lower|title|capitalize)\b",
            line,
        )
        and not any(harmless in line for harmless in NO_TEXT)
    ]
    assert not found


@pytest.mark.parametrize("file", TEMPLATES, ids=[file.name for file in TEMPLATES])
def test_templates_hold_no_script_of_their_own(file: Path) -> None:
    """The content security policy allows none: neither an inline script nor a handler in an attribute."""
    scripts = re.findall(r"<script\b([^>]*)>", read(file))
    assert all("src=" in given or 'type="application/json"' in given for given in scripts)
    assert not re.search(r"\son[a-z]+=", read(file))
    assert "<style" not in read(file)


@pytest.mark.parametrize("file", STYLES, ids=[file.name for file in STYLES])
def test_every_value_that_a_style_names_is_defined_somewhere(file: Path) -> None:
    """A custom property that nobody sets makes the whole declaration void."""
    everything = "".join(read(other) for other in FILES)
    defined = set(re.findall(r"(--[\w-]+)\"?\s*[:,\]]", everything)) | set(
        re.findall(r"(--[\w-]+)\"", everything)
    )
    named = set(re.findall(r"var\((--[\w-]+)\)", read(file)))
    assert named <= defined, named - defined
