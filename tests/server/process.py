"""A real server in a process of its own, that can be ended, killed and started again on the same file."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
from websockets.sync.client import ClientConnection, connect

from kupa.server.sqlite_store import SqliteStore
from kupa.server.store import MatchRecord, NewEvent

PROGRAM = """
import sys
from pathlib import Path
from kupa.server.serve import run
sys.exit(run(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), "en"))
"""

NO_PROXY = httpx.HTTPTransport()


def start(database: Path, port: int = 0, host: str = "127.0.0.1", prelude: str = "") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", f"{prelude}\n{PROGRAM}", host, str(port), str(database)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
    )


class Server:
    """A server that answers, for the time of a ``with``.

    Args:
        database: its file.
        port: where it answers; 0 finds a free port.
        prelude: lines of Python that the process runs first, such as to shorten a time that a test waits for.
    """

    def __init__(self, database: Path, port: int = 0, prelude: str = "") -> None:
        self.database = database
        self.port = port
        self.prelude = prelude

    def __enter__(self) -> Self:
        self.process = start(self.database, self.port, prelude=self.prelude)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Kupa is ready: http://127.0.0.1:"), line + self.end()[2]
        self.url = line.split()[-1]
        self.port = int(self.url.rpartition(":")[2])
        self.client = httpx.Client(base_url=self.url, trust_env=False, timeout=30)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, places: TracebackType | None
    ) -> None:
        self.client.close()
        if self.process.poll() is None:
            self.process.terminate()
        self.end()

    def end(self) -> tuple[int, str, str]:
        """Wait for the end; returns the exit code and what was printed since the address."""
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err

    def kill(self) -> None:
        """End the process as a loss of power would."""
        self.process.kill()
        self.end()

    # What a client does

    def keep(self, record: MatchRecord, events: Sequence[NewEvent]) -> None:
        """Put a match into the database, without asking the server."""

        async def store() -> None:
            log = SqliteStore(self.database)
            await log.open()
            await log.create(record, events)
            await log.close()

        # A loop of another kind may run in this thread.
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, store()).result()

    def new(self, **body: Any) -> str:
        answer = self.client.post("/api/matches", json=body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def seen(self, match: str) -> dict[str, Any]:
        answer = self.client.get(f"/api/matches/{match}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def do(self, match: str, command_id: str, **command: Any) -> httpx.Response:
        return self.client.post(f"/api/matches/{match}/commands", json={"id": command_id, "command": command})

    def live(self, match: str) -> ClientConnection:
        return connect(f"ws://127.0.0.1:{self.port}/m/{match}/live", proxy=None)
