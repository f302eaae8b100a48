"""The benchmark of the simulator runs and tells its result as promised."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.sim.rulebooks import TABLES

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "simulator.py"


def test_the_last_line_is_the_result() -> None:
    """The last line is a JSON object with the rates, their ratio, a rate for every table, and both starts."""
    finished = subprocess.run(
        [sys.executable, str(SCRIPT), "--seconds", "1"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    result = json.loads(finished.stdout.splitlines()[-1])
    assert result["name"] == "simulator"
    assert result["kupa_rounds_per_s"] > 0
    if result["peer_rounds_per_s"] is None:  # OpenSpiel is not installed
        assert result["ratio"] is None
    else:
        assert 0 < result["ratio_least"] <= result["ratio"] <= result["ratio_most"]
    assert set(result["tables"]) == set(TABLES)
    kinds = {"random", "by_rule"}
    assert all(rates.keys() == kinds and min(rates.values()) > 0 for rates in result["tables"].values())
    assert result["cold_s"] > result["warm_s"] > 0
