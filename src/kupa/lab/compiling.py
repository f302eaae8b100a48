"""How the laboratory's kernels are compiled, and when one that is kept on disk may be used again.

As in :mod:`kupa.sim.compiling`, with a digest of its own: of the layout of the heart, which the tables are
made of, of what is compiled in this package, and of what the kernels take from the simulator.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from numba import njit
from numba.core.caching import FunctionCache

from kupa import sim
from kupa.heart_to_heart import codes, layout
from kupa.sim.compiling import digest_of

P = ParamSpec("P")
R = TypeVar("R")


def _sources() -> list[Path]:
    """Return the files that a kernel may be made of: of this package, those that compile anything."""
    simulator = Path(sim.__file__).parent
    own = [
        path
        for path in sorted(Path(__file__).parent.glob("*.py"))
        if b"import intrinsic" in path.read_bytes() or b"compiling import" in path.read_bytes()
    ]
    return [
        *(Path(str(module.__file__)) for module in (layout, codes)),
        *(simulator / name for name in ("bits.py", "chance.py", "compiling.py")),
        *own,
    ]


DIGEST: Final = digest_of(_sources())
"""What kernels are kept under: SHA-256 of their sources, in hex."""


class _LabCache(FunctionCache):
    """Numba's cache on disk, which knows every source besides the kernel's own file."""

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        key: Any = super()
        return (*key._index_key(sig, codegen), DIGEST)


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function on its first call, or take it from the disk; decorator.

    It runs without the interpreter's lock, and checks no index: what calls it does.
    """
    # Numba's own types know neither its cache nor what a kernel returns.
    compiler: Any = njit(nogil=True, error_model="numpy")
    cache: Any = _LabCache
    compiled = compiler(function)
    compiled._cache = cache(function)
    done: Callable[P, R] = compiled
    return done
