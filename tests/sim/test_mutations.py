"""The comparisons of kernels and engine would notice if a kernel followed another rule.

A copy of Kupa is made in which the kernels alone have one rule changed; its comparisons must fail. Its
kernels run as Python, uncompiled: the same functions, and nothing that has to be compiled for each change.
The daily suite tries a few changes, a soak all of them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from kupa.sim.compiling import RULES

ROOT: Final = Path(__file__).parents[2]
COPIED: Final = (
    "tests/__init__.py",
    "tests/hearts/__init__.py",
    "tests/hearts/random_play.py",
    "pyproject.toml",
)
"""What the comparisons need besides the package and their own folder."""
UNCOMPILED: Final = {"NUMBA_DISABLE_JIT": "1", "KUPA_SOAK": "", "PYTEST_ADDOPTS": ""}
PASSED: Final = 0
FAILED: Final = 1
"""What pytest ends with."""

MUTATIONS: Final = [
    ("left_of", "seat + 1 < players", "seat + 2 < players"),
    ("dealer_of", "players - 1 + round_number", "players + round_number"),
    ("pass_target", "(seat + 1) % players", "(seat + 2) % players"),
    ("pass_target", "players - 1) % players", "players - 2) % players"),
    ("pass_target", "players // 2", "players // 2 + 1"),
    ("lowest_of", "mask & -mask", "mask"),
    ("lead_choices", "if not broken", "if broken"),
    ("lead_choices", "choices & ~barred", "choices"),
    ("follow_choices", "if suited", "if suited and not first"),
    ("follow_choices", "if first", "if not first"),
    ("playable", "first and opens_lowest_club", "opens_lowest_club"),
    ("breaks_hearts", "queen_breaks != 0", "queen_breaks == 0"),
    ("beats", "card > best", "card < best"),
    ("beats", "card >> 4 == best >> 4 and ", ""),
    ("trick_winner", "not (cancels and is_cancelled(cards, place))", "True"),
    ("is_cancelled", "other != place", "other < place"),
    ("card_points", "queen_points if card == QUEEN", "queen_points if card == QUEEN + 1"),
    ("card_points", "return heart_points", "return 1"),
    ("took_every_penalty", "mask & PENALTIES == PENALTIES", "mask & HEARTS_MASK == HEARTS_MASK"),
    ("took_every_penalty", "twice if decks == 2", "held if decks == 2"),
    ("copies", "(twice >> card & 1)", "0"),
    ("shot_the_moon", "not needs_bonus or", "True or"),
    ("shot_the_moon", "== decks", ">= 1"),
    ("points_written", "points - BONUS_VALUE", "points + BONUS_VALUE"),
    ("points_written", "-moon_points if", "moon_points if"),
    ("points_written", "0 if seat == shooter else moon_points", "moon_points if seat == shooter else 0"),
    ("points_written", "if subtracts", "if not subtracts"),
]
"""A rule that kernels call, what stands in it, and what stands there instead."""
OF_THE_ENGINE: Final = {"nothing_counts", "penalty_of", "verdict"}
"""Rules that no kernel calls: ends of rounds before the last card, sums of tricks, ends of matches."""


def changed(written: str, rule: str, old: str, new: str) -> str:
    """Change one place in the body of a function."""
    start = written.index(f"def {rule}(")
    end = written.find("\ndef ", start + 1)
    body = written[start : end if end > 0 else len(written)]
    code = body.rindex('"""')
    assert body[code:].count(old) == 1, (rule, old)
    return written.replace(body, body[:code] + body[code:].replace(old, new))


def compared(folder: Path, rule: str, old: str, new: str, *some: str) -> tuple[int, str]:
    """Run the comparisons with a changed rule in the kernels; return what pytest ends with, and says."""
    shutil.copytree(
        ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "web", "locale", "server")
    )
    for part in COPIED:
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / part, folder / part)
    shutil.copytree(ROOT / "tests" / "sim", folder / "tests" / "sim")
    package = folder / "src" / "kupa"
    rules = (package / "hearts" / "rules.py").read_text(encoding="utf-8")
    (package / "hearts" / "other_rules.py").write_text(changed(rules, rule, old, new), encoding="utf-8")
    for path in (package / "sim").glob("*.py"):
        ours = path.read_text(encoding="utf-8")
        theirs = ours.replace("import rules\n", "import other_rules as rules\n")
        path.write_text(theirs, encoding="utf-8")
    # Uncompiled, the mixing of random words warns that it overflows, as it is meant to.
    arguments = ("-qx", "-p", "no:cacheprovider", "-W", "ignore:overflow encountered:RuntimeWarning")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments, *some, "tests/sim/test_against_engine.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src"), **UNCOMPILED},
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    return done.returncode, done.stdout[-3000:] + done.stderr[-3000:]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("rule", "old", "new"), MUTATIONS if os.environ.get("KUPA_SOAK") else MUTATIONS[3::9]
)
def test_a_kernel_that_follows_another_rule_is_noticed(rule: str, old: str, new: str, tmp_path: Path) -> None:
    """With one rule changed for the kernels alone, some decision or score differs from the engine's."""
    code, said = compared(tmp_path, rule, old, new)
    assert code == FAILED, said
    assert "AssertionError" in said or "assert " in said, said


def test_the_copy_itself_is_in_order(tmp_path: Path) -> None:
    """Without a change that matters the same comparisons pass, so it is the change that is noticed."""
    code, said = compared(tmp_path, "lowest_of", "mask & -mask", "-mask & mask", "-k", "parlour-7")
    assert code == PASSED, said


def test_every_rule_that_kernels_call_is_changed() -> None:
    """No rule is left out."""
    assert {rule for rule, _, _ in MUTATIONS} | OF_THE_ENGINE == RULES.keys()
