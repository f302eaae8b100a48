"""Running a benchmark as a person does, and reading its last line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def result_of(name: str, *flags: str) -> dict[str, Any]:
    """Run a benchmark, which has to end well and complain of nothing; return the object of its last line."""
    finished = subprocess.run(
        [sys.executable, str(BENCHMARKS / f"{name}.py"), *flags],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    result: dict[str, Any] = json.loads(finished.stdout.splitlines()[-1])
    assert result["name"] == name
    return result
