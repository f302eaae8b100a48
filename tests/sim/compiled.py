"""Compiling one function for a test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from numba import njit

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Return a kernel of one function, compiled on its first call and kept nowhere."""
    compile_it: Any = njit
    done: Callable[P, R] = compile_it(function)
    return done
