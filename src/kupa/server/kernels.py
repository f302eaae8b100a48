"""The simulator's kernels, compiled while the server runs, so that no player waits for them.

A compiler holds the interpreter's lock for seconds, and every table would stand still. So it is a process of
its own that compiles, and leaves what it made on the disk; this process imports nothing of it. Where the
simulator is not installed (``pip install 'kupa[sim]'``), there is nothing to do.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from typing import Final

COMPILER: Final = (sys.executable, "-m", "kupa.sim.warm")
"""The command that compiles whatever is not on the disk yet."""


def simulator_is_installed() -> bool:
    """Tell whether the simulator's compiler is there; it is not imported."""
    return find_spec("numba") is not None


@asynccontextmanager
async def kernels_compiled(command: Sequence[str] = COMPILER) -> AsyncIterator[None]:
    """Compile in the background for the time of an ``async with``; what has not ended by then is ended.

    Nothing that goes wrong here concerns the server: whoever needs a kernel compiles it then.

    Args:
        command: what compiles.
    """
    if not simulator_is_installed():
        yield
        return
    compiler = None
    with suppress(OSError):
        compiler = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
    try:
        yield
    finally:
        if compiler is not None:
            with suppress(ProcessLookupError):
                compiler.kill()
            await compiler.wait()
