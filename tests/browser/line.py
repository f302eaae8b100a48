"""A line between a page and a server that a test can cut, as a network does that is lost on the way.

A browser that is set offline is told so, and so are its pages. Nobody tells a page whose router has gone: its
connections just end, or go silent, and new ones lead nowhere. That is what this line can do.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType
from typing import Final, Self

_CHUNK: Final = 65_536


class Line:
    """A line to a port of this computer, for the time of a ``with``.

    Args:
        port: where the server answers; it may be ended and started again meanwhile.
    """

    def __init__(self, port: int) -> None:
        self._to = port
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._is_cut = False
        self._flows = threading.Event()
        self._flows.set()
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._begin(self._accept)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, places: TracebackType | None
    ) -> None:
        self.cut()
        self._flows.set()
        _end(self._listener)
        for thread in self._threads:
            thread.join(10)

    def cut(self) -> None:
        """End all connections, and every new one at once."""
        with self._lock:
            self._is_cut = True
            found, self._open = self._open, set()
        for one in found:
            _end(one)

    def silence(self) -> None:
        """Let nothing through, and tell nobody: connections stay open, and new ones get no answer."""
        self._flows.clear()

    def mend(self) -> None:
        """Let everything through again; what was sent into the silence arrives now."""
        self._is_cut = False
        self._flows.set()

    def _begin(self, what: object, *arguments: object) -> None:
        thread = threading.Thread(target=what, args=arguments, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return  # the line is taken down
            try:
                far = socket.create_connection(("127.0.0.1", self._to), 10)
            except OSError:
                _end(near)  # nobody answers there
                continue
            far.settimeout(None)
            with self._lock:
                is_cut = self._is_cut
                if not is_cut:
                    self._open |= {near, far}
            if is_cut:
                _end(near)
                _end(far)
                continue
            self._begin(self._pass_on, near, far)
            self._begin(self._pass_on, far, near)

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(_CHUNK):
                self._flows.wait()
                sink.sendall(data)
        self._flows.wait()
        with self._lock:
            self._open -= {source, sink}
        _end(source)
        _end(sink)


def _end(one: socket.socket) -> None:
    """Close a socket, waking whoever waits for it."""
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
