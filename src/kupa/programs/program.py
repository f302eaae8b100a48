"""A program that runs beside us: lines to it, lines from it, each within a time, whatever it does.

Nothing that a program does may hold the host up: it may say nothing or too much, not read what it is told,
hang, die, or leave children behind. All pipes are therefore read and written without waiting, up to a
deadline; what a program says on standard error is kept apart, the last of it alone; and it runs in a process
group of its own, which is killed as a whole.
"""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import signal
import subprocess
import time
from typing import Final
from weakref import WeakSet

from kupa.programs.descendants import kill_tree
from kupa.programs.faults import ENDED, NO_START, NONSENSE, TOO_LATE, FaultError, said

LONGEST: Final = 1 << 20
"""The most bytes that a line may have, as everywhere in the protocols."""
KEPT_OF_STDERR: Final = 4096
"""How many bytes of what a program says on standard error are kept."""
MOST_AT_ONCE: Final = 8 << 20
"""How many bytes are taken from a program while it is told something: what is more waits in its pipe."""
_CHUNK: Final = 1 << 16
_END_AFTER: Final = 1.0
"""Seconds that a program gets to end after its input was closed."""

_RUNNING: WeakSet[Program] = WeakSet()


def kill_all() -> None:
    """Kill every program of this process and its children, as the process itself is about to end."""
    for program in list(_RUNNING):
        program.kill()


def end_programs_when_terminated() -> None:
    """Let SIGTERM end this process, a worker that plays for another process, with all its programs."""

    def end(number: int, frame: object) -> None:  # noqa: ARG001
        kill_all()
        os._exit(128 + number)

    signal.signal(signal.SIGTERM, end)


class Program:
    """A running program.

    Args:
        command: as a person would type it; split as a shell does, but run without one.

    Raises:
        FaultError: ``no_start``.
    """

    def __init__(self, command: str) -> None:
        try:
            words = shlex.split(command)
            # Where the command is a name alone, it is looked for as a shell would.
            self._process = subprocess.Popen(  # noqa: S603 - what whoever gives the command wants run
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as error:
            raise FaultError(NO_START, str(error)) from error
        _RUNNING.add(self)
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._err = (pipe.fileno() for pipe in pipes if pipe is not None)
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe, False)
        self._open = {self._out, self._err}
        self._said = bytearray()
        """What it has said and nobody has read yet."""
        self._skips = False
        """Whether the rest of a line that is too long is still to come."""
        self._complaint = bytearray()

    @property
    def pid(self) -> int:
        """The process, which leads its own group."""
        return self._process.pid

    @property
    def complaint(self) -> str:
        """The last line that it wrote to standard error, made fit to be shown."""
        self._take(set())
        lines = bytes(self._complaint).split(b"\n")
        return next((said(line) for line in reversed(lines) if line.strip()), "")

    # ---------------------------------------------------------------- telling and hearing

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line.

        Args:
            line: with its end.
            deadline: by ``time.monotonic``.

        Raises:
            FaultError: ``ended``, or ``too_late`` where the program does not read.
        """
        rest = memoryview(line)
        while rest:
            try:
                rest = rest[os.write(self._in, rest) :]
            except BlockingIOError:
                self._wait(deadline, writes=True)
            except OSError as error:
                raise FaultError(ENDED, self.complaint) from error

    def line(self, deadline: float) -> bytes:
        """Return the next line that the program says, without its end.

        Args:
            deadline: by ``time.monotonic``.

        Raises:
            FaultError: ``ended``, ``too_late``, or ``nonsense`` for a line that is too long.
        """
        while True:
            end = self._said.find(b"\n")
            if end >= 0:
                line, skips = bytes(self._said[:end]), self._skips
                del self._said[: end + 1]
                self._skips = False
                if skips or len(line) > LONGEST:
                    raise FaultError(NONSENSE, said(line))
                return line
            if len(self._said) > LONGEST:
                self._said.clear()
                self._skips = True
            if self._out not in self._open:
                raise FaultError(ENDED, self.complaint)
            self._wait(deadline)

    def _wait(self, deadline: float, *, writes: bool = False) -> None:
        """Wait until something can be read (or written) and take what the program says."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise FaultError(TOO_LATE, self.complaint)
        reads = self._open if len(self._said) < MOST_AT_ONCE else self._open - {self._out}
        readable, _, _ = select.select(reads, [self._in] if writes else [], [], left)
        self._take(set(readable))

    def _take(self, readable: set[int]) -> None:
        for pipe in readable or (self._open & {self._err}):
            try:
                chunk = os.read(pipe, _CHUNK)
            except BlockingIOError:
                continue
            except OSError:
                chunk = b""
            if not chunk:
                self._open.discard(pipe)
            elif pipe == self._out:
                self._said += chunk
            else:
                self._complaint += chunk
                del self._complaint[:-KEPT_OF_STDERR]

    # ---------------------------------------------------------------- the end

    def close(self) -> None:
        """Close its input, give it a moment to end, and kill what is left of it and of its children."""
        if self not in _RUNNING:
            return
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        deadline = time.monotonic() + _END_AFTER
        # What it still says must not keep it from ending.
        while not self._has_ended() and time.monotonic() < deadline:
            readable, _, _ = select.select(self._open, [], [], 0.01)
            self._take(set(readable))
            self._said.clear()
        self.kill()

    def _has_ended(self) -> bool:
        """Tell whether it has ended, and leave it unreaped: so no other group can get its number."""
        if not hasattr(os, "waitid"):
            return self._process.poll() is not None
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None

    def kill(self) -> None:
        """Kill it and its children; may be called again."""
        if self not in _RUNNING:
            return
        _RUNNING.discard(self)
        kill_tree(self._process.pid)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._open.clear()
