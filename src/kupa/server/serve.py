"""The process of the server: its database, its address, its end."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from types import FrameType
from typing import Final

import uvicorn

from kupa import catalogue
from kupa.game import Game
from kupa.server.app import create_app
from kupa.server.bots import PLAYERS, PlayerMaker
from kupa.server.errors import Problem
from kupa.server.kernels import kernels_compiled
from kupa.server.quiet_log import log_stray_error, set_up_logging
from kupa.server.sqlite_store import SqliteStore
from kupa.server.store import StoreError

CANNOT_START: Final = 2
"""What the process ends with when it could not begin."""
INTERRUPTED: Final = 130
"""What it ends with when it was interrupted before it had begun."""

LARGEST_PORT: Final = 65_535
BACKLOG: Final = 2_048
"""How many connections may wait to be taken."""
LARGEST_FRAME: Final = 8 * 1024
"""A socket with a frame above this is closed, in bytes; a smaller one that is too long gets an answer."""
PING_EVERY: Final = 10.0
"""How often a socket is asked whether anybody is still there, in seconds."""
PING_PATIENCE: Final = 10.0
"""How long the answer may take before the connection is held to be dead, in seconds."""
GRACE: Final = 5
"""How long open requests may take when the server ends, in seconds."""


def run(
    host: str = "127.0.0.1",
    port: int = 5252,
    database: Path | None = None,
    language: str = "tr",
    *,
    operator: str = "",
    games: Mapping[str, Game] | None = None,
    bots: Mapping[str, PlayerMaker] = PLAYERS,
    compiles: bool = False,
) -> int:
    """Serve until the process is told to end (SIGINT or SIGTERM).

    One line with the address goes to standard output once the server answers; everything else, of which there
    is little, goes to standard error, and never names a card or a seed.

    Args:
        host: the address to listen on.
        port: the port; 0 finds a free one.
        database: the SQLite file; ``default_database()`` if left out.
        language: of the sentences that are printed.
        operator: who runs the server, as the page on privacy names them.
        games: the games by name; all of Kupa if left out.
        bots: the bots by level.
        compiles: whether the simulator's kernels are compiled meanwhile, where it is installed.

    Returns:
        What the process shall end with: 0, 2 when it could not begin (one sentence with the code tells why),
        or 130.
    """
    set_up_logging(sys.stderr)
    try:
        return asyncio.run(
            _serve(host, port, database or default_database(), language, operator, games, bots, compiles)
        )
    except KeyboardInterrupt:
        return INTERRUPTED
    except StoreError as error:
        problem = Problem(503, error.code, path=error.path)
    except Problem as error:
        problem = error
    sys.stderr.write(f"kupa: {problem.code}: {problem.message(language)}\n")
    return CANNOT_START


async def _serve(
    host: str,
    port: int,
    database: Path,
    language: str,
    operator: str,
    games: Mapping[str, Game] | None,
    bots: Mapping[str, PlayerMaker],
    compiles: bool,
) -> int:
    asyncio.get_running_loop().set_exception_handler(log_stray_error)
    store = SqliteStore(database)
    # Opened here and not by the application alone, so that a refusal is a sentence.
    await store.open()
    try:
        listener = listen(host, port)
        with listener:
            address = url_of(host, listener.getsockname()[1])
            server = _Server(
                uvicorn.Config(
                    create_app(store, games, bots, operator=operator),
                    lifespan="on",
                    log_config=None,
                    access_log=False,  # an address holds the id of a match, which is its key
                    server_header=False,
                    ws_max_size=LARGEST_FRAME,
                    ws_ping_interval=PING_EVERY,
                    ws_ping_timeout=PING_PATIENCE,
                    timeout_graceful_shutdown=GRACE,
                ),
                lambda: _say(catalogue.text(language, "server.serving", url=address)),
            )
            async with kernels_compiled() if compiles else nullcontext():
                await server.serve([listener])
    finally:
        await store.close()
    return 0


class _Server(uvicorn.Server):
    """Uvicorn, telling when it answers, and ending without an echo of the signal that ended it."""

    def __init__(self, config: uvicorn.Config, when_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_ready = when_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        if self.started:
            self._when_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 (uvicorn's signature)
        """End gracefully; at once when asked again by the keyboard."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises:
        Problem: ``bad_port``, ``bad_host``, ``port_in_use`` or ``port_forbidden``.
    """
    if not 0 <= port <= LARGEST_PORT:
        raise Problem(400, "bad_port", port=port)
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        raise Problem(400, "bad_host", host=host) from error
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            # Elsewhere this would let two programs share a port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise Problem(400, "port_in_use", port=port) from error
        if error.errno == errno.EACCES:
            raise Problem(400, "port_forbidden", port=port) from error
        raise Problem(400, "bad_host", host=host) from error
    return listener


def url_of(host: str, port: int) -> str:
    """Return the address to type into a browser on this computer."""
    if host in {"", "0.0.0.0", "::"}:  # noqa: S104 (only shown)
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def default_database() -> Path:
    """Return the file that a person's matches are kept in, where the system wants such files to be."""
    try:
        home = Path.home()
    except RuntimeError:
        raise StoreError("database_unwritable", "~") from None
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Kupa"
    elif sys.platform == "darwin":
        folder = home / "Library" / "Application Support" / "Kupa"
    else:
        data = os.environ.get("XDG_DATA_HOME", "")
        # A relative path there is to be ignored, says the specification.
        folder = (Path(data) if data.startswith("/") else home / ".local" / "share") / "kupa"
    return folder / "kupa.sqlite3"


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
