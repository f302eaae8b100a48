"""A kernel of the laboratory on disk is never used after something that it is made of has changed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import kupa
from kupa.heart_to_heart import codes, layout
from kupa.lab import compiling

PACKAGE = Path(kupa.__file__).parent

FREE = """
import numpy as np
from kupa.lab.features import _features, features_of
ranks = np.array([0, *(n % 13 for n in range(25))], np.int8)
print(features_of(ranks)["touching"], sum(_features.stats.cache_hits.values()))
"""
"""Prints a number that depends on what lies on what, and how many kernels came from the disk."""


def test_every_file_that_compiles_is_part_of_the_digest() -> None:
    """Wherever a decorator of a kernel stands, a change makes another digest; one of the layout does too."""
    sources = compiling._sources()
    for path in sorted((PACKAGE / "lab").glob("*.py")):
        if re.search(r"^@(kernel|part|inlined|_intrinsic)$", path.read_text(encoding="utf-8"), re.MULTILINE):
            assert path in sources, path
    assert Path(str(layout.__file__)) in sources
    assert Path(str(codes.__file__)) in sources


def touching(folder: Path) -> tuple[int, int]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-c", FREE], env=environment, capture_output=True, text=True, check=True
    )
    number, hits = map(int, done.stdout.split())
    return number, hits


def test_a_changed_layout_is_never_answered_from_an_old_cache(tmp_path: Path) -> None:
    """A second run takes the kernel from the disk; with another layout, it is compiled again."""
    shutil.copytree(PACKAGE, tmp_path / "kupa", ignore=shutil.ignore_patterns("__pycache__", "web"))
    first, hits = touching(tmp_path)
    assert hits == 0
    assert touching(tmp_path) == (first, 1)
    place = tmp_path / "kupa" / "heart_to_heart" / "layout.py"
    written = place.read_text(encoding="utf-8")
    assert written.count("(1, 3, 7, 9)") == 1
    place.write_text(written.replace("(1, 3, 7, 9)", "(1, 3, 5, 9)"), encoding="utf-8")
    assert touching(tmp_path)[1] == 0
