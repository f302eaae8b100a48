"""Counting and picking bits: the only functions that have one body for Python and another for kernels.

Masks are signed 64-bit integers of which the sign bit is never used, as in :mod:`kupa.cards`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core.registry import cpu_target
from numba.extending import intrinsic, overload

_WORD: Final = ir.IntType(64)


def _processor_deposits() -> bool:
    """Tell whether kernels are compiled for a processor with the instruction PDEP."""
    _triple, _name, features = cpu_target.target_context.codegen().magic_tuple()
    return "+bmi2" in features.split(",")


DEPOSITS: Final = _processor_deposits()
"""Whether :func:`bit_at` is one instruction here; a loop is used otherwise."""


def count_bits(mask: int) -> int:
    """Return how many cards are in a mask."""
    return int(mask).bit_count()


def lowest_card(mask: int) -> int:
    """Return the lowest card of a mask that is not empty."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


def highest_card(mask: int) -> int:
    """Return the highest card of a mask that is not empty."""
    return int(mask).bit_length() - 1


def bit_at(mask: int, place: int) -> int:
    """Return the mask of one card of a mask: the one that has ``place`` lower ones in it.

    Args:
        mask: a mask of more than ``place`` cards.
        place: counted from 0.
    """
    for _ in range(place):
        mask &= mask - 1
    return mask & -mask


def _intrinsic(function: Any) -> Any:
    """Mark what generates its machine code itself: Numba's types do not know that such things are called."""
    return intrinsic(function)


@_intrinsic
def _count_bits(_typing: Any, _mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@_intrinsic
def _lowest_card(_typing: Any, _mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@_intrinsic
def _highest_card(_typing: Any, _mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        above = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(_WORD, 63), above)

    return types.int64(types.int64), generate


@_intrinsic
def _deposit(_typing: Any, _bits: Any, _mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        name = "llvm.x86.bmi.pdep.64"
        known = builder.module.globals.get(name)
        kind = ir.FunctionType(_WORD, (_WORD, _WORD))
        return builder.call(known or ir.Function(builder.module, kind, name), args)

    return types.int64(types.int64, types.int64), generate


def _by(body: Callable[..., int]) -> Callable[..., Any]:
    """Return a body whatever the types of the arguments are: they are integers."""
    return lambda *_types: body


def _count_bits_body(mask: int) -> int:
    return int(_count_bits(mask))


def _lowest_card_body(mask: int) -> int:
    return int(_lowest_card(mask))


def _highest_card_body(mask: int) -> int:
    return int(_highest_card(mask))


def _bit_at_body(mask: int, place: int) -> int:
    return int(_deposit(1 << place, mask))


overload(count_bits, strict=False)(_by(_count_bits_body))
overload(lowest_card, strict=False)(_by(_lowest_card_body))
overload(highest_card, strict=False)(_by(_highest_card_body))
overload(bit_at, strict=False)(_by(_bit_at_body if DEPOSITS else bit_at))
