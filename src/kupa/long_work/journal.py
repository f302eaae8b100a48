"""A journal of finished portions: how long work is interrupted and resumed without counting anything twice.

A journal is a file of JSON lines. The first tells what the work is; each other one holds what a portion came
to, under the portion's name, and is written as soon as the portion is finished. A line that was cut off by a
crash is dropped when the journal is opened again, and its portion is worked out again; so is a first line
that was cut off, and the journal begun anew. A second line for a portion is refused, and so is a journal of
other work.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

from kupa.long_work.faults import WorkError

try:
    import fcntl
except ImportError:  # not everywhere; there, nobody keeps two runs from one journal
    LOCKED = False
else:
    LOCKED = True

Result = dict[str, Any]
"""What a portion came to; of JSON."""

SYNC_EVERY: Final = 1.0
"""Seconds after which a line is forced to the disk, so that a power cut costs no more than that."""


class Journal:
    """An open journal, for one process at a time.

    Args:
        path: the file; made, with its folder, if it is not there. None keeps the results in memory alone.
        work: what tells this work from any other; what JSON can write.

    Raises:
        WorkError: ``journal_unreadable``, ``journal_of_other_work``, ``journal_in_use`` or
            ``journal_unwritable``.
    """

    def __init__(self, path: Path | None, work: Mapping[str, Any]) -> None:
        self.path = path
        self.results: dict[str, Result] = {}
        self._file: BinaryIO | None = None
        self._synced = time.monotonic()
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")
        except (OSError, ValueError) as error:  # a name with a null byte is a ValueError
            raise WorkError("journal_unwritable", file=str(path)) from error
        try:
            self._lock(self._file, path)
            # As it will be read again: a tuple is a list then.
            self._read(self._file, path, json.loads(json.dumps(work)))
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            try:
                self._sync(self._file)
            finally:
                self._file.close()

    @staticmethod
    def _lock(file: BinaryIO, path: Path) -> None:
        if not LOCKED:
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise WorkError("journal_in_use", file=str(path)) from error

    def _read(self, file: BinaryIO, path: Path, work: dict[str, Any]) -> None:
        file.seek(0)
        whole = file.read()
        end = whole.rfind(b"\n") + 1
        lines = list(_parsed(whole[:end], path))
        if lines and lines[0] != work:
            raise WorkError("journal_of_other_work", file=str(path))
        if not lines and not _line(work).startswith(whole):
            # What is not the beginning of the first line was written by somebody else: it stays as it is.
            raise WorkError("journal_unreadable", file=str(path))
        for line in lines[1:]:
            name = line.pop("portion", None)
            if not isinstance(name, str) or name in self.results:
                raise WorkError("journal_unreadable", file=str(path))
            self.results[name] = line
        if end < len(whole):
            file.truncate(end)
        if not lines:
            self._write(work)

    def add(self, name: str, result: Result) -> None:
        """Write down what a portion came to.

        Raises:
            ValueError: the portion is there already.
            WorkError: ``journal_unwritable``; then the portion does not count.
        """
        if name in self.results:
            raise ValueError(f"portion {name} is there already")
        self._write({"portion": name, **result})
        self.results[name] = result

    def _write(self, line: dict[str, Any]) -> None:
        if self._file is None:
            return
        try:
            self._file.write(_line(line))
            self._file.flush()
        except OSError as error:
            raise WorkError("journal_unwritable", file=str(self.path)) from error
        if time.monotonic() - self._synced >= SYNC_EVERY:
            self._sync(self._file)

    def _sync(self, file: BinaryIO) -> None:
        try:
            os.fsync(file.fileno())
        except OSError as error:
            # What is no file on a disk, such as /dev/null, is not forced to one.
            if error.errno != errno.EINVAL:
                raise WorkError("journal_unwritable", file=str(self.path)) from error
        self._synced = time.monotonic()


def _line(line: Mapping[str, Any]) -> bytes:
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def _parsed(whole: bytes, path: Path) -> Iterator[dict[str, Any]]:
    """Return the lines of a journal as objects."""
    for line in whole.splitlines():
        parsed: Any = None
        with contextlib.suppress(ValueError, RecursionError):
            parsed = json.loads(line)
        if not isinstance(parsed, dict):
            raise WorkError("journal_unreadable", file=str(path))
        yield parsed
