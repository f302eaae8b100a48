"""How the rules become machine code: what is compiled, and when what was compiled before may be used again.

The functions of :mod:`kupa.hearts.rules` stay as they are, undecorated; :func:`part` makes them known to
Numba from here. A *kernel* is what Python calls; it is compiled on its first call and kept on disk beside its
source (where that cannot be written, in the user's cache folder).

Numba looks at the date of a kernel's own file alone, so that it would answer from an old cache after the
rules had changed in theirs. Every kernel is therefore kept under :data:`DIGEST` as well, of the sources of
everything that a kernel may be made of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, Final, ParamSpec, TypeVar

from numba import njit
from numba.core.caching import FunctionCache
from numba.extending import register_jitable

from kupa import cards
from kupa.hearts import rules

P = ParamSpec("P")
R = TypeVar("R")


def _sources() -> list[Path]:
    """Return the files that a kernel may be made of."""
    return [Path(rules.__file__), Path(cards.__file__), *sorted(Path(__file__).parent.glob("*.py"))]


def digest_of(paths: list[Path]) -> str:
    """Return a digest of the contents of some files and their names, in order."""
    whole = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        whole.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return whole.hexdigest()


DIGEST: Final = digest_of(_sources())
"""What kernels are kept under: SHA-256 of the sources of the rules and of this package, in hex."""


KERNELS: Final[list[Any]] = []
"""Every kernel that has been made."""


class _RulesCache(FunctionCache):
    """Numba's cache on disk, which knows the rules besides the kernel."""

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        key: Any = super()
        return (*key._index_key(sig, codegen), DIGEST)


def part(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels call a Python function, which stays what it is; decorator."""
    register_jitable(error_model="numpy")(function)
    return function


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels contain a Python function wherever they call it; decorator.

    For what is called for every card, as a call hands over eighteen knobs. What is long is better a
    :func:`part`: every place that calls an inlined function is compiled with all of it.
    """
    register_jitable(error_model="numpy", forceinline=True)(function)
    return function


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function on its first call, or take it from the disk; decorator.

    It runs without the interpreter's lock. It checks no index and no type of card: what calls it does.
    """
    # Numba's own types know neither its cache nor what a kernel returns.
    compiler: Any = njit(nogil=True, error_model="numpy")
    cache: Any = _RulesCache
    compiled = compiler(function)
    compiled._cache = cache(function)
    done: Callable[P, R] = compiled
    KERNELS.append(compiled)
    return done


RULES: Final[dict[str, FunctionType]] = {
    name: thing
    for name, thing in vars(rules).items()
    if isinstance(thing, FunctionType) and thing.__module__ == rules.__name__
}
"""Every function of the rules, by name."""

for _rule in RULES.values():
    inlined(_rule)
