"""The children of a process, and theirs: those that have left its process group too."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path
from typing import Final

_PROCESSES: Final = Path("/proc")


def descendants(pid: int) -> list[int]:
    """Return the processes that descend from one; none on systems without ``/proc``."""
    children: dict[int, list[int]] = {}
    if _PROCESSES.is_dir():
        for entry in _PROCESSES.iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError, ValueError, IndexError):
                    # The name in parentheses may hold anything; the parent is the second field after it.
                    parent = int((entry / "stat").read_bytes().rpartition(b")")[2].split()[1])
                    children.setdefault(parent, []).append(int(entry.name))
    found: list[int] = []
    look_at = [pid]
    while look_at:
        own = children.get(look_at.pop(), [])
        found += own
        look_at += own
    return found


def kill_tree(pid: int) -> None:
    """Kill a process that leads a group and was not waited for, its group, and all that descends from it."""
    tree = descendants(pid)
    # The group outlives its leader, so it is killed even where the program itself has ended.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    for process in tree:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)
