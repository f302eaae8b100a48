"""The documents say what is true: their code runs, and everything there is stands in them."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from kupa.catalogue import LANGUAGES, messages
from kupa.cli import COMMANDS
from kupa.hearts.presets import PRESETS
from kupa.hearts.rulebook import CHOICES, FIELDS

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
EXPECTED = re.compile(r"^\s*print\(.*\)  # (.+)$", re.MULTILINE)


def read(name: str) -> str:
    """Return a document of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_python_of_a_document_runs_and_prints_what_it_says(document: Path) -> None:
    """All blocks of a document run in order, as one session; `# …` behind a print is its output."""
    names: dict[str, object] = {}
    for block in PYTHON.findall(document.read_text(encoding="utf-8")):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(block, document.name, "exec"), names)
        told = out.getvalue().splitlines()
        for expected in EXPECTED.findall(block):
            if not re.search(r", then ", expected):
                assert expected in told, (document.name, expected, told)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_links_of_a_document_lead_somewhere(document: Path) -> None:
    """Every relative link names a file of the repository."""
    for target in re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://")):
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_paths_that_a_document_names_exist(document: Path) -> None:
    """`src/…`, `docs/…`, `tests/…`, `tools/…` and `benchmarks/…` in backticks are files or folders."""
    for path in re.findall(
        r"`((?:src|docs|tests|tools|benchmarks|requirements)/[\w./-]+)`", document.read_text()
    ):
        assert (ROOT / path).exists(), path


def test_every_field_of_a_rulebook_and_each_of_its_values_is_documented() -> None:
    """docs/rules.md has a row a field, with every value that the field may have."""
    rows = dict(re.findall(r"^\| `(\w+)` \|(.*)$", read("docs/rules.md"), re.MULTILINE))
    assert set(FIELDS) <= set(rows)
    for field, values in CHOICES.items():
        for value in values:
            if isinstance(value, str):
                assert f"`{value}`" in rows[field], (field, value)


def test_every_rulebook_is_documented_with_its_names_in_both_languages() -> None:
    """docs/rules.md has a column a preset."""
    text = read("docs/rules.md")
    for name in PRESETS:
        assert f"`{name}`" in text
        assert f"| {messages('tr')[f'rules.{name}']} |" in text


def codes() -> set[str]:
    """Return every code that a person or a program can be answered with."""
    found = set()
    for key in messages("en"):
        part = key.split(".")
        if part[0] == "refusal":
            found.add(part[1])
        elif key.startswith(("cli.error.", "server.error.")):
            found.add(part[2])
    return found


def test_every_code_is_documented_and_none_that_does_not_exist() -> None:
    """docs/codes.md lists the codes of refusals, of the command line and of the server, each once."""
    rows = re.findall(r"^\| `(\w+)` \|", read("docs/codes.md"), re.MULTILINE)
    assert sorted(set(rows)) == sorted(rows)
    assert codes() <= set(rows)


def test_every_command_is_in_the_readme() -> None:
    """Somebody who reads the README knows what `kupa` can do."""
    text = read("README.md")
    assert all(f"kupa {command}" in text for command in COMMANDS)
    assert "make play" in text
    assert "make test" in text


def test_every_target_of_make_is_told_by_make() -> None:
    """`make` alone lists every target that people may call."""
    makefile = read("Makefile")
    for target in re.findall(r"^([a-z]+):", makefile, re.MULTILINE):
        assert re.search(rf"^{target}:.*## \w", makefile, re.MULTILINE), target


def test_nothing_names_a_place_that_only_its_writer_has() -> None:
    """No document or source names a path of one machine, or the address of a package registry."""
    private = re.compile(r"(^|[^\w.])/(work|home|root|tmp/v)/|files\.pythonhosted|pypi\.org/simple")
    for folder in ("src", "docs", "tools", "benchmarks", "requirements", ".ci"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".py", ".md", ".txt", ".js", ".css", ".html", ".po", ""} and path.is_file():
                assert not private.search(path.read_text(encoding="utf-8")), path


def test_both_languages_have_the_same_refusals() -> None:
    """A refusal that can be told in one language can be told in the other."""
    keys = [{key for key in messages(language) if key.startswith("refusal.")} for language in LANGUAGES]
    assert keys[0] == keys[1]
