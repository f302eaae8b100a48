"""A journal of finished portions: how long work is interrupted and resumed without counting anything twice.

A journal is a file of JSON lines. The first tells what the work is; each other one holds what a portion came
to, under the portion's name. A line is written whole and then forced to the disk; one that was cut off by a
crash is dropped when the journal is opened again, and its portion is worked out again. A second line for a
portion is refused, and so is a journal of other work.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from kupa.lab.faults import LabError

try:
    import fcntl
except ImportError:  # not everywhere; there, nobody keeps two runs from one journal
    LOCKED = False
else:
    LOCKED = True

Result = dict[str, Any]
"""What a portion came to; of JSON."""


class Journal:
    """An open journal, for one process at a time.

    Args:
        path: the file; made, with its folder, if it is not there.
        work: what tells this work from any other; of JSON.

    Raises:
        LabError: ``journal_unreadable``, ``journal_of_other_work``, ``journal_in_use`` or
            ``journal_unwritable``.
    """

    def __init__(self, path: Path, work: Mapping[str, Any]) -> None:
        self.path = path
        self.results: dict[str, Result] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = path.open("a+b")
        except OSError as error:
            raise LabError("journal_unwritable", file=str(path)) from error
        try:
            self._lock()
            self._read(dict(work))
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def _lock(self) -> None:
        if not LOCKED:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise LabError("journal_in_use", file=str(self.path)) from error

    def _read(self, work: dict[str, Any]) -> None:
        self._file.seek(0)
        whole = self._file.read()
        end = whole.rfind(b"\n") + 1
        lines = list(_parsed(whole[:end], self.path))
        if lines and lines[0] != work:
            raise LabError("journal_of_other_work", file=str(self.path))
        if not lines and not _line(work).startswith(whole):
            raise LabError("journal_unreadable", file=str(self.path))
        if end < len(whole):
            self._file.truncate(end)
        for line in lines[1:]:
            self._take(line)
        if not lines:
            self._write(work)

    def _take(self, line: dict[str, Any]) -> None:
        name = line.pop("portion", None)
        if not isinstance(name, str) or name in self.results:
            raise LabError("journal_unreadable", file=str(self.path))
        self.results[name] = line

    def add(self, name: str, result: Result) -> None:
        """Write down what a portion came to.

        Raises:
            ValueError: the portion is there already.
            LabError: ``journal_unwritable``; then the portion does not count.
        """
        if name in self.results:
            raise ValueError(f"portion {name} is there already")
        self._write({"portion": name, **result})
        self.results[name] = result

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self._file.write(_line(line))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise LabError("journal_unwritable", file=str(self.path)) from error


def _line(line: Mapping[str, Any]) -> bytes:
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def _parsed(whole: bytes, path: Path) -> Iterator[dict[str, Any]]:
    """Return the lines of a journal as objects."""
    for line in whole.splitlines():
        parsed: Any = None
        with contextlib.suppress(ValueError):
            parsed = json.loads(line)
        if not isinstance(parsed, dict):
            raise LabError("journal_unreadable", file=str(path))
        yield parsed
