"""Imports point one way, and heavy libraries stay in the one place that needs them."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "kupa"

GROUND = frozenset({"cards", "shuffle", "refusal", "keys", "transcript", "game"})
"""What every other part may stand on."""
MAY_IMPORT: dict[str, frozenset[str]] = {
    "refusal": frozenset(),
    "keys": frozenset({"refusal"}),
    "cards": frozenset(),
    "shuffle": frozenset(),
    "transcript": frozenset(),
    "catalogue": frozenset({"refusal"}),
    "game": frozenset({"refusal"}),
    "strict_json": frozenset({"game", "keys", "refusal"}),
    "hearts": GROUND,
    "heart_to_heart": GROUND,
    "rooms": GROUND,
    "games": GROUND | {"hearts", "heart_to_heart"},
    "fairness": GROUND | {"hearts"},
    "record": GROUND | {"games", "hearts", "heart_to_heart", "fairness"},
    "verification": GROUND | {"hearts", "games", "record", "fairness", "rooms", "catalogue"},
    "bots": GROUND | {"hearts"},
    "referee": GROUND | {"games", "hearts", "heart_to_heart", "catalogue", "strict_json"},
    "server": GROUND
    | {
        "games",
        "hearts",
        "heart_to_heart",
        "rooms",
        "catalogue",
        "record",
        "fairness",
        "verification",
        "bots",
        "strict_json",
    },
    "sim": GROUND | {"hearts"},
    "envs": GROUND | {"hearts", "sim"},
    "lab": GROUND | {"heart_to_heart", "games", "record", "catalogue", "command_line", "long_work", "sim"},
    "command_line": frozenset({"catalogue", "keys", "refusal"}),
    "long_work": frozenset({"catalogue", "command_line"}),
    "programs": GROUND | {"hearts", "bots", "catalogue", "command_line", "referee", "strict_json"},
    "arena": GROUND | {"hearts", "bots", "programs", "long_work", "catalogue", "command_line"},
    "reports_command": frozenset({"catalogue", "server"}),
    "verify_command": GROUND
    | {"games", "record", "fairness", "rooms", "verification", "catalogue", "server"},
    "cli": GROUND
    | {
        "command_line",
        "lab",
        "games",
        "hearts",
        "heart_to_heart",
        "catalogue",
        "record",
        "bots",
        "referee",
        "server",
        "arena",
        "programs",
        "reports_command",
        "verify_command",
    },
}
"""The parts of Kupa, and the parts that each may import (itself besides)."""

HOME_OF: dict[str, frozenset[str]] = {
    "litestar": frozenset({"server"}),
    "uvicorn": frozenset({"server"}),
    "sqlalchemy": frozenset({"server"}),
    "aiosqlite": frozenset({"server"}),
    "jinja2": frozenset({"server"}),
    "argon2": frozenset({"server"}),
    "itsdangerous": frozenset({"server"}),
    "babel": frozenset({"catalogue"}),
    "numba": frozenset({"sim", "lab"}),
    "llvmlite": frozenset({"sim", "lab"}),
    "pyarrow": frozenset({"envs", "lab"}),
    "gymnasium": frozenset({"envs"}),
    "numpy": frozenset({"sim", "envs", "lab"}),
    "textual": frozenset({"terminal"}),
    "pettingzoo": frozenset({"envs"}),
    "dask": frozenset({"long_work"}),
    "distributed": frozenset({"long_work"}),
    "matplotlib": frozenset({"lab"}),
    "playwright": frozenset(),
    "pyspiel": frozenset(),
}
"""The parts that may import a library."""

FILES = sorted(SOURCE.rglob("*.py"))


def part_of(path: Path) -> str:
    """Return the part of Kupa that a file belongs to: a package, or a module on its own."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path, *, lazily: bool) -> Iterator[str]:
    """Return the dotted names that a file imports; those within functions only if asked for."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = ast.walk(tree) if lazily else iter(tree.body)
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: imports are absolute"
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names if node.module == "kupa")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path: Path) -> None:
    """A part imports only parts below it, even within a function."""
    part = part_of(path)
    if part == "__init__":
        return
    assert part in MAY_IMPORT, f"say in this test what {part} may import"
    for name in imported(path, lazily=True):
        root, _, rest = name.partition(".")
        other = rest.split(".")[0]
        if root == "kupa" and other and other[0] != "_":
            assert other in MAY_IMPORT[part] | {part}, f"{path.name} imports kupa.{other}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_heavy_libraries_stay_at_home(path: Path) -> None:
    """A library is imported in its own part only."""
    part = part_of(path)
    for name in imported(path, lazily=True):
        home = HOME_OF.get(name.split(".")[0])
        assert home is None or part in home, f"{path.name} imports {name}"


def test_the_games_and_the_server_are_imported_only_when_asked_for() -> None:
    """`kupa --version` imports neither game, server nor referee."""
    code = (
        "import sys; from kupa.cli import main; main(['--version']);"
        "print([m for m in sys.modules if m.startswith(('kupa.hearts', 'kupa.heart_to_heart',"
        " 'kupa.server', 'kupa.referee', 'litestar', 'sqlalchemy'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def files_imported(path: Path) -> Iterator[Path]:
    """Return the files of Kupa that a file imports, wherever it does so, and the packages they lie in."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
        for root, *parts in (name.split(".") for name in names):
            for depth in range(len(parts) + 1) if root == "kupa" else ():
                place = SOURCE.joinpath(*parts[:depth])
                yield from (
                    file for file in (place / "__init__.py", place.with_suffix(".py")) if file.is_file()
                )


def test_nothing_under_the_server_reaches_the_laboratory() -> None:
    """Every import of Kupa is followed from each file of the server: none, however late, leads to the lab."""
    waiting = [path for path in FILES if part_of(path) == "server"]
    seen = set(waiting)
    while waiting:
        path = waiting.pop()
        for found in set(files_imported(path)) - seen:
            assert part_of(found) not in {"lab", "cli"}, f"{path} imports {found}"
            seen.add(found)
            waiting.append(found)
    assert {SOURCE / "heart_to_heart" / name for name in ("engine.py", "layout.py", "view.py")} <= seen


def test_the_core_has_no_clock_no_chance_and_no_files() -> None:
    """What decides and evolves imports nothing that could differ from one run to the next."""
    forbidden = {
        "time",
        "datetime",
        "random",
        "secrets",
        "os",
        "io",
        "pathlib",
        "socket",
        "asyncio",
        "logging",
    }
    for path in FILES:
        if part_of(path) in {"hearts", "heart_to_heart", *GROUND}:
            found = {name.split(".")[0] for name in imported(path, lazily=True)} & forbidden
            assert not found, f"{path.name} imports {found}"


def test_files_are_short_and_their_names_tell_what_is_in_them() -> None:
    """No file over 500 lines, and none called after nothing."""
    vague = {"utils", "util", "core", "common", "helpers", "helper", "manager", "misc"}
    root = SOURCE.parents[1]
    for folder in ("src", "tests", "benchmarks", "tools"):
        for path in (root / folder).rglob("*"):
            if path.suffix in {".py", ".js", ".css", ".html"} and "__pycache__" not in path.parts:
                assert path.stem not in vague, path
                assert len(path.read_text(encoding="utf-8").splitlines()) <= 500, path
