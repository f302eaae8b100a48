"""The documents say what is true: their code runs, and everything there is stands in them."""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import subprocess
import sys
import urllib.request
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
        elif key.startswith(("cli.error.", "server.error.", "work.error.")):
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


def console_lines(document: Path) -> list[str]:
    """Return the commands of the console blocks of a document, those of make apart."""
    blocks = re.findall(r"```console\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL)
    lines = [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    return [line for line in lines if not line.startswith("make ")]


@pytest.mark.parametrize(
    ("document", "line"),
    [(document, line) for document in DOCUMENTS for line in console_lines(document)],
    ids=lambda value: value.name if isinstance(value, Path) else value,
)
def test_the_commands_of_a_document_run(document: Path, line: str) -> None:
    """What a reader may type works, with an empty standard input, and without an error."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        line, shell=True, cwd=ROOT, env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_make_play_starts_kupa_and_says_where(tmp_path: Path) -> None:
    """The first command of the README: one line with the address, a page there, and a quiet end."""
    play = subprocess.Popen(
        ["make", "--no-print-directory", "-s", "play", f"ARGS=--port 0 --database {tmp_path}/kupa.sqlite3"],
        cwd=ROOT, env={**os.environ, "KUPA_LANG": "en"}, stdout=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    assert play.stdout is not None
    try:
        told = play.stdout.readline()
        found = re.fullmatch(r"Kupa is ready: (http://127\.0\.0\.1:\d+)\n", told)
        assert found, told
        with urllib.request.urlopen(found[1], timeout=20) as page:
            assert page.status == 200
            assert b"Kupa" in page.read()
    finally:
        os.killpg(play.pid, signal.SIGINT)
        assert play.wait(timeout=20) in {0, 2, -signal.SIGINT}
        play.stdout.close()
