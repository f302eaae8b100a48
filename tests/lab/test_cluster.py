"""Workers that are killed in the middle change nothing: the figures are the same, to the last deal."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

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
        running = subprocess.Popen(survey(tmp_path / "lost", "--dask", found[1]), env=environment)
        wait_for_a_portion(running, tmp_path / "lost")
        os.kill(int(found[2]), signal.SIGKILL)
        assert running.wait(timeout=900) == 0
    finally:
        cluster.communicate("", timeout=120)
    assert_same_as_one_core(tmp_path / "lost", tmp_path / "one", environment)


@pytest.mark.soak
@pytest.mark.skipif("KUPA_SOAK" not in os.environ, reason="takes a minute; `make soak` and CI run it")
@pytest.mark.parametrize("code", ["workers_without_kupa", "workers_lost"])
def test_a_cluster_that_is_of_no_use_is_told(tmp_path: Path, code: str) -> None:
    """One that cannot import Kupa, and one that is killed as a whole: a code and a sentence, and an end."""
    environment = {**os.environ, "KUPA_LANG": "en"}
    script = CLUSTER.replace("processes=True", "processes=False, protocol='tcp'").replace(
        "worker.process.pid", "0"
    )
    if code == "workers_without_kupa":
        script = "import sys; sys.modules['kupa'] = None\n" + script
    cluster = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        stderr=subprocess.DEVNULL, cwd=tmp_path, env=environment,
    )  # fmt: skip
    assert cluster.stdout is not None
    try:
        address = cluster.stdout.readline().split()[0]
        command = survey(tmp_path / "out", "--deals", "400000000", "--dask", address)
        running = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        if code == "workers_lost":
            wait_for_a_portion(running, tmp_path / "out")
            cluster.kill()
        _, told = running.communicate(timeout=300)
    finally:
        cluster.kill()
        cluster.communicate(timeout=60)
    assert running.returncode == 2
    # Dask may have remarks of its own on a scheduler that vanishes; ours is one line among them.
    assert [line for line in told.splitlines() if line.startswith(f"kupa: {code}: ")]
    kept = (tmp_path / "out" / "portions.jsonl").read_bytes().splitlines()
    assert (len(kept) > 1) == (code == "workers_lost")


@pytest.mark.soak
@pytest.mark.skipif("KUPA_SOAK" not in os.environ, reason="takes a minute; `make soak` and CI run it")
def test_a_computer_that_loses_a_process_comes_to_the_figures_of_one_core(tmp_path: Path) -> None:
    """The same with two processes of this computer, one of them killed."""
    environment = {**os.environ, "KUPA_LANG": "en"}
    running = subprocess.Popen(survey(tmp_path / "lost", "--jobs", "2"), env=environment)
    try:
        wait_for_a_portion(running, tmp_path / "lost")
        processes = ["ps", "-A", "-ww", "-o", "pid=,ppid=,command="]
        told = subprocess.run(processes, capture_output=True, text=True, check=True).stdout
        workers = re.findall(rf"^ *(\d+) +{running.pid} .*spawn_main", told, re.MULTILINE)
        assert len(workers) == 2
        os.kill(int(workers[0]), signal.SIGKILL)
        assert running.wait(timeout=900) == 0
    finally:
        running.kill()
        running.wait()
    assert_same_as_one_core(tmp_path / "lost", tmp_path / "one", environment)


def wait_for_a_portion(running: subprocess.Popen[Any], folder: Path) -> None:
    """Wait until a survey has written its first portion down."""
    journal = folder / "portions.jsonl"
    while running.poll() is None and (not journal.exists() or len(journal.read_bytes().splitlines()) < 2):
        time.sleep(0.05)
    assert running.poll() is None, "the survey was over before a worker could be killed"


def assert_same_as_one_core(folder: Path, one: Path, environment: dict[str, str]) -> None:
    """Make the survey again in one process, and compare results and journals."""
    assert subprocess.run(survey(one), env=environment, timeout=900, check=False).returncode == 0
    results = [json.loads((each / "results.json").read_text()) for each in (folder, one)]
    assert results[0] == results[1]
    assert results[0]["random"]["deals"] == 4_000_000
    lines = [sorted((each / "portions.jsonl").read_text().splitlines()) for each in (folder, one)]
    assert lines[0] == lines[1]
