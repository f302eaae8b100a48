"""The server has the simulator's kernels compiled, in another process, and is not disturbed by it."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from kupa.server import kernels
from kupa.server.kernels import COMPILER, kernels_compiled


def within(command: Sequence[str], seconds: float) -> float:
    """Stay within the ``async with`` for some time; return the CPU seconds that this thread had to spend."""

    async def stay() -> float:
        before = time.thread_time()
        async with kernels_compiled(command):
            spent = time.thread_time() - before
            await asyncio.sleep(seconds)
        return spent

    return asyncio.run(stay())


def python(code: str) -> tuple[str, str, str]:
    return sys.executable, "-c", code


def test_it_compiles_in_another_process_that_ends_with_the_server(tmp_path: Path) -> None:
    """The command runs meanwhile, starting it holds the event loop for less than 20 ms, and what is still
    running at the end is ended.
    """
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    code = f"import time; open({str(begun)!r}, 'w'); time.sleep(30); open({str(ended)!r}, 'w')"

    async def until_begun() -> None:
        async with kernels_compiled(python(code)):
            while not begun.exists():
                await asyncio.sleep(0.01)

    start = time.monotonic()
    asyncio.run(asyncio.wait_for(until_begun(), 20))
    assert time.monotonic() - start < 25
    assert not ended.exists()
    assert within(python("pass"), 0) < 0.02


def test_the_command_is_the_simulators_and_imports_nothing_of_it_here() -> None:
    """What is run is ``kupa.sim.warm``; this process has neither it nor its compiler."""
    code = (
        "import sys; import kupa.server.serve, kupa.server.kernels as k;"
        "assert k.simulator_is_installed();"
        "print([m for m in sys.modules if m.startswith(('kupa.sim', 'numba', 'numpy', 'llvmlite'))])"
    )

    async def printed() -> bytes:
        process = await asyncio.create_subprocess_exec(*python(code), stdout=asyncio.subprocess.PIPE)
        return (await process.communicate())[0]

    assert asyncio.run(printed()).strip() == b"[]"
    assert (sys.executable, "-m", "kupa.sim.warm") == COMPILER


@pytest.mark.parametrize("command", [("/nothing/of/that/name",), python("raise SystemExit(3)")])
def test_what_goes_wrong_with_it_does_not_concern_the_server(command: Sequence[str]) -> None:
    """A command that is not there, or fails, raises nothing."""
    within(command, 0.1)


def test_without_the_simulator_nothing_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has not installed it has no process more."""
    monkeypatch.setattr(kernels, "find_spec", lambda name: None)
    begun = tmp_path / "begun"
    within(python(f"open({str(begun)!r}, 'w')"), 0.5)
    assert not begun.exists()
