"""Pin the newest allowed versions of everything again, with hashes and without addresses.

Writes requirements/play.txt (what running Kupa needs, and its build backend) and requirements/test.txt (that,
and what the tests need), each for every platform and every Python that Kupa supports.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UV = Path(sys.executable).with_name("uv")
LOCKS = {"play.txt": (), "test.txt": ("dev", "oracle", "sim", "envs", "data", "dask", "lab")}


def main() -> int:
    """Write both files; returns the exit status."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        build = Path(folder, "build.in")
        build.write_text("\n".join(project["build-system"]["requires"]) + "\n", encoding="utf-8")
        for name, extras in LOCKS.items():
            chosen = [flag for extra in extras for flag in ("--extra", extra)]
            subprocess.run(
                [
                    UV,
                    *("pip", "compile", "--quiet", "--upgrade", "--universal"),
                    *("--python-version", "3.11", "--generate-hashes", "--no-header", "--no-annotate"),
                    *("--no-emit-index-url", "--no-emit-find-links", *chosen),
                    *("--output-file", f"requirements/{name}", "pyproject.toml", str(build)),
                ],
                cwd=ROOT,
                check=True,
            )
            print(f"wrote requirements/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
