"""Make sure that there is a Chromium for the browser tests; install one where that may be done.

Looks for an installed Chromium or Chrome, then for the one that Playwright keeps; else lets Debian's package
manager install it (as root only), else Playwright download it. Prints where it is, and exits with 1 and a
plain word on what to install where none could be had.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

COMMANDS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def installed() -> str | None:
    """Return the path of a browser that is already there, None if there is none."""
    for command in COMMANDS:
        path = shutil.which(command)
        if path:
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if path and os.access(path, os.X_OK) else None


def _tried(*command: str) -> bool:
    """Run a command that installs something; tell whether it worked."""
    print("$", *command, flush=True)
    try:
        return subprocess.run(command, check=False, timeout=900).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def install() -> None:
    """Try the ways of installing one, the surest first."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        environment = ("env", "DEBIAN_FRONTEND=noninteractive")
        if _tried("apt-get", "update", "-qq") and _tried(
            *environment, "apt-get", "install", "-y", "-qq", "chromium", "fonts-noto-core"
        ):
            return
    _tried(sys.executable, "-m", "playwright", "install", "chromium")


def main() -> int:
    """Find or install a browser; returns the exit status."""
    path = installed()
    if path is None:
        install()
        path = installed()
    if path is None:
        print(
            "The browser tests need Chromium, and none could be installed here.\n"
            "Install it (on Debian and Ubuntu, as root: apt-get install chromium) and run the tests again.",
            file=sys.stderr,
        )
        return 1
    print(f"browser: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
