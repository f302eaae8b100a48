"""Telling on standard error how far long work is."""

from __future__ import annotations

import sys
import time
from typing import Final

from kupa.catalogue import text

EVERY: Final = 10.0
"""Seconds between two lines of progress where these do not replace each other."""
_WIDTH: Final = 24
"""Characters of the bar."""


class Progress:
    """A bar in one place on a terminal, else a line now and then.

    Args:
        whole: how many results there shall be altogether.
        done: how many of them there were before.
        language: ``"tr"`` or ``"en"``.
        quiet: whether nothing is told.
    """

    def __init__(self, whole: int, done: int, language: str, *, quiet: bool) -> None:
        self._whole, self._done, self._before = whole, done, done
        self._language, self._quiet = language, quiet
        self._began = self._told = time.monotonic()
        self._live = sys.stderr.isatty()
        self._has_told = False

    def note(self, number: int) -> None:
        """Take note of results that have been written down."""
        self._done += number
        now = time.monotonic()
        if self._quiet or not (self._live or now - self._told >= EVERY):
            return
        self._told, self._has_told = now, True
        each = (now - self._began) / (self._done - self._before)
        line = bar(self._done, self._whole, round(each * (self._whole - self._done)), self._language)
        sys.stderr.write(f"\r{line}\033[K" if self._live else line + "\n")
        sys.stderr.flush()

    def close(self) -> None:
        """Leave the line."""
        if self._live and self._has_told:
            sys.stderr.write("\n")


def bar(done: int, whole: int, seconds: int, language: str) -> str:
    """Write how far the work is: ``[#####-------] 4 of 9, 0:00:12 to go``."""
    full = _WIDTH * done // whole
    clock = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    told = text(language, "work.progress", done=done, whole=whole, remain=clock)
    return f"[{'#' * full}{'-' * (_WIDTH - full)}] {told}"
