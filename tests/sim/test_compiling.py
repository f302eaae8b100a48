"""A kernel on disk is used again, and never after a rule has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import kupa
from kupa.sim.compiling import digest_of

PACKAGE = Path(kupa.__file__).parent

OPENING = """
import numpy as np
from kupa.cards import CardSet
from kupa.hearts.presets import PRESETS
from kupa.sim import stepping
from kupa.sim.round_row import knobs_of
book = PRESETS["cardems"].rulebook()
hands = [CardSet.of(book.deck[seat::4]) for seat in range(4)]
row = stepping.row_of(book, hands, CardSet(), 0, 3)
choices = np.zeros(1, np.int64)
stepping.legal_rows(row.reshape(1, -1), knobs_of(book), choices)
hits = sum(stepping.legal_rows.stats.cache_hits.values())
print(int(choices[0]).bit_count(), hits)
"""
"""Prints how many cards may open the round, and how many kernels came from the disk."""


def opening(folder: Path) -> tuple[int, int]:
    path = {**os.environ, "PYTHONPATH": str(folder)}
    path.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-c", OPENING], env=path, capture_output=True, text=True, check=True
    )
    cards, hits = map(int, done.stdout.split())
    return cards, hits


def test_a_changed_rule_is_never_answered_from_an_old_cache(tmp_path: Path) -> None:
    """A second run takes the kernel from the disk; after a rule has changed in its file, the next run answers
    by the changed rule; after it has changed back, the first answer comes back, from the disk.
    """
    shutil.copytree(PACKAGE, tmp_path / "kupa", ignore=shutil.ignore_patterns("__pycache__", "web", "locale"))
    rules = tmp_path / "kupa" / "hearts" / "rules.py"
    written = rules.read_text(encoding="utf-8")
    assert opening(tmp_path) == (1, 0)
    assert opening(tmp_path) == (1, 1)
    assert written.count("return mask & -mask") == 1
    rules.write_text(written.replace("return mask & -mask", "return mask"), encoding="utf-8")
    assert opening(tmp_path) == (3, 0)
    rules.write_text(written, encoding="utf-8")
    assert opening(tmp_path) == (1, 1)


def test_warming_up_uses_every_kernel() -> None:
    """After it no kernel is left that would have to be compiled."""
    code = (
        "from kupa.sim import warm; from kupa.sim.compiling import KERNELS; warm.warm();"
        "print(len(KERNELS), [kernel.__name__ for kernel in KERNELS if not kernel.signatures])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    number, left = done.stdout.strip().split(" ", 1)
    assert int(number) > 10
    assert left == "[]"


def test_a_digest_knows_contents_and_names(tmp_path: Path) -> None:
    """Another content, another name, or a line that moves from one file to the next makes another digest."""
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_text("one\ntwo\n")
    second.write_text("three\n")
    digests = [digest_of([first, second])]
    first.write_text("one\n")
    second.write_text("two\nthree\n")
    digests.append(digest_of([first, second]))
    digests.append(digest_of([second, first]))
    digests.append(digest_of([second]))
    assert len(set(digests)) == 4
