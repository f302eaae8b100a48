"""The benchmark of the sampler runs and tells its result as promised."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "sampler.py"


def test_the_last_line_is_the_result() -> None:
    """The last line is a JSON object with the rates at the three tricks."""
    finished = subprocess.run(
        [sys.executable, str(SCRIPT), "--seconds", "0.5"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    result = json.loads(finished.stdout.splitlines()[-1])
    assert result["name"] == "sampler"
    assert set(result["tricks"]) == {"1", "5", "9"}
    for each in result["tricks"].values():
        assert each["worlds_per_s"] > 0
        assert each["setup_us"] > 0
        assert each["weighted_per_s"] > 0
        assert each["weighted_setup_us"] > 0
        assert 0 < each["ratio"] <= each["ratio_most"]
