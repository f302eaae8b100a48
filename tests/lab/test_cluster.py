"""A Dask cluster whose worker is killed in the middle comes to the same figures, to the last deal."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CLUSTER = """
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    )
    pids = [worker.process.pid for worker in cluster.workers.values()]
    print(cluster.scheduler_address, *pids, flush=True)
    sys.stdin.read()
    cluster.close()
"""
"""Tells its address and the processes of its workers, and stays until its input ends."""


def survey(folder: Path, *flags: str) -> list[str]:
    """Return the command of a small survey."""
    size = ("--deals", "4000000", "--codes", "12288", "--seed", "5")
    return [sys.executable, "-m", "kupa.cli", "lab", "survey", "--out", str(folder), *size, "--quiet", *flags]


@pytest.mark.soak
@pytest.mark.skipif("KUPA_SOAK" not in os.environ, reason="takes a minute; `make soak` and CI run it")
def test_a_cluster_that_loses_a_worker_comes_to_the_figures_of_one_core(tmp_path: Path) -> None:
    """Two worker processes, one killed as soon as a portion is done; then the journals hold the same."""
    environment = {**os.environ, "KUPA_LANG": "en"}
    cluster = subprocess.Popen(
        [sys.executable, "-c", CLUSTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        stderr=subprocess.DEVNULL, cwd=tmp_path, env=environment,
    )  # fmt: skip
    assert cluster.stdout is not None
    try:
        told = cluster.stdout.readline()
        found = re.fullmatch(r"(tcp://\S+) (\d+) (\d+)\n", told)
        assert found, told
        running = subprocess.Popen(survey(tmp_path / "dask", "--dask", found[1]), env=environment)
        journal = tmp_path / "dask" / "portions.jsonl"
        while running.poll() is None and (not journal.exists() or len(journal.read_bytes().splitlines()) < 2):
            time.sleep(0.05)
        assert running.poll() is None, "the survey was over before a worker could be killed"
        os.kill(int(found[2]), signal.SIGKILL)
        assert running.wait(timeout=900) == 0
    finally:
        cluster.communicate("", timeout=120)
    assert subprocess.run(survey(tmp_path / "one"), env=environment, timeout=900, check=False).returncode == 0
    results = [json.loads((tmp_path / name / "results.json").read_text()) for name in ("dask", "one")]
    assert results[0] == results[1]
    assert results[0]["random"]["deals"] == 4_000_000
    lines = [
        sorted((tmp_path / name / "portions.jsonl").read_text().splitlines()) for name in ("dask", "one")
    ]
    assert lines[0] == lines[1]
