"""What people install is whole: the locked set and the built package, in an environment with nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ASKED_FOR = os.environ.get("CI") == "true" or bool(os.environ.get("KUPA_SOAK"))


@pytest.mark.soak
@pytest.mark.skipif(not ASKED_FOR, reason="installs from the network; `make soak` and CI run it")
def test_the_package_serves_with_the_locked_set_alone(tmp_path: Path) -> None:
    """`requirements/play.txt` and a wheel are enough to open the front page, sentences and cards included."""
    home = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    python = home / "bin" / "python"
    install: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "--require-hashes", "-r", ROOT / "requirements" / "play.txt"], check=True)
    path = {**os.environ, "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}", "KUPA_LANG": "en"}
    subprocess.run([*install, "--no-deps", "--no-build-isolation", ROOT], check=True, env=path)
    kupa = home / "bin" / "kupa"
    told = subprocess.run([kupa, "rules"], cwd=tmp_path, env=path, capture_output=True, text=True, check=True)
    assert "Cancellation" in told.stdout
    serve = subprocess.Popen(
        [kupa, "serve", "--port", "0", "--database", tmp_path / "kupa.sqlite3"],
        cwd=tmp_path, env=path, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert serve.stdout is not None
        address = serve.stdout.readline().split()[-1]
        for page, part in (("/", b"Hearts"), ("/static/cards.svg", b"c-QS"), ("/new", b"cancellation")):
            with urllib.request.urlopen(address + page, timeout=20) as answer:
                assert part in answer.read()
    finally:
        serve.terminate()
        serve.wait(timeout=20)
        if serve.stdout is not None:
            serve.stdout.close()
