"""The benchmark of the engine runs, tells its result as promised, and refuses what it cannot measure."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "engine.py"


def run(*flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *flags], capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize(
    ("flags", "rules", "players"),
    [((), "cardems", 4), (("--rules", "parlour", "--players", "5"), "parlour", 5)],
)
def test_the_last_line_is_the_result(flags: tuple[str, ...], rules: str, players: int) -> None:
    """The last line is a JSON object with the rates, their ratio, and shares of the time that make 1."""
    finished = run("--seconds", "0.5", *flags)
    assert (finished.returncode, finished.stderr) == (0, "")
    result = json.loads(finished.stdout.splitlines()[-1])
    assert (result["name"], result["rules"], result["players"]) == ("engine", rules, players)
    assert result["kupa_rounds_per_s"] > 0
    if result["peer_rounds_per_s"] is None:  # OpenSpiel is not installed
        assert result["ratio"] is None
    else:
        assert result["ratio_least"] <= result["ratio"] <= result["ratio_most"]
    if result["samples"]:
        assert sum(result["shares"].values()) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--seconds", "0"), "'0' is no number of seconds above 0"),
        (("--seconds", "nan"), "'nan' is no number of seconds above 0"),
        (("--seconds", "soon"), "'soon' is no number of seconds above 0"),
        (("--rules", "whist"), "invalid choice: 'whist'"),
        (("--players", "99"), "--players 99 with --rules cardems: bad_rules"),
        (("--players", "many"), "invalid int value: 'many'"),
    ],
)
def test_a_flag_that_cannot_be_measured_is_told(flags: tuple[str, ...], told: str) -> None:
    """A bad flag ends the benchmark with one clear sentence and no traceback."""
    finished = run(*flags)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert told in finished.stderr
    assert "Traceback" not in finished.stderr
