"""The permutation Keccak-f[1600] of FIPS 202 for several states in step, as vector instructions.

Numba does not turn the loop into vectors well, so the instructions are put together here: every word of the
state is a vector with a word of each lane, and LLVM makes of it what the processor has.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

LANES: Final = 8
"""How many states are worked on in step."""
STATE: Final = 25
"""Words of a state; word x + 5y is what FIPS 202 calls lane (x, y)."""
ROUNDS: Final = 24

Words = NDArray[np.uint64]
"""Words by row and lane."""

_WORD: Final = ir.IntType(64)
_VECTOR: Final = ir.VectorType(_WORD, LANES)


def round_constants() -> list[int]:
    """Return the constants of the rounds, made by the shift register that FIPS 202 describes."""
    constants = []
    register = 1
    for _ in range(ROUNDS):
        constant = 0
        for power in range(7):
            if register & 1:
                constant |= 1 << (1 << power) - 1
            register = register << 1 ^ (0x171 if register & 0x80 else 0)
        constants.append(constant)
    return constants


def distances() -> list[int]:
    """Return by how many bits each word is rotated (the step rho)."""
    found = [0] * STATE
    x, y = 1, 0
    for step in range(STATE - 1):
        found[x + 5 * y] = (step + 1) * (step + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return found


class _Rounds:
    """Puts the instructions of the rounds together.

    Args:
        builder: takes them.
    """

    def __init__(self, builder: Any) -> None:
        self.builder = builder
        kind = ir.FunctionType(_VECTOR, (_VECTOR, _VECTOR, _VECTOR))
        name = f"llvm.fshl.v{LANES}i64"
        self.shift = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)

    def constant(self, word: int) -> Any:
        """Return a word in every lane."""
        return ir.Constant(_VECTOR, [word] * LANES)

    def rotated(self, word: Any, distance: int) -> Any:
        """Return words rotated to the left."""
        return self.builder.call(self.shift, (word, word, self.constant(distance))) if distance else word

    def xor(self, first: Any, *others: Any) -> Any:
        """Return the exclusive or of words."""
        for other in others:
            first = self.builder.xor(first, other)
        return first

    def round(self, state: list[Any], constant: int) -> list[Any]:
        """Return the state after a round: theta, rho and pi, chi, iota."""
        parity = [self.xor(*state[x::5]) for x in range(5)]
        mixed = [self.xor(parity[x - 1], self.rotated(parity[(x + 1) % 5], 1)) for x in range(5)]
        moved: list[Any] = [None] * STATE
        for word, distance in enumerate(distances()):
            y, x = divmod(word, 5)
            moved[y + 5 * ((2 * x + 3 * y) % 5)] = self.rotated(self.xor(state[word], mixed[x]), distance)
        after = []
        for word in range(STATE):
            row, x = word - word % 5, word % 5
            second, third = moved[row + (x + 1) % 5], moved[row + (x + 2) % 5]
            after.append(self.xor(moved[word], self.builder.and_(self.builder.not_(second), third)))
        after[0] = self.xor(after[0], self.constant(constant))
        return after


def _intrinsic(function: Any) -> Any:
    """Mark what generates its machine code itself: Numba's types do not know that such things are called."""
    return intrinsic(function)


@_intrinsic
def permute(_typing: Any, words: Any) -> Any:
    """Apply the permutation to every lane of an array of STATE rows and LANES columns; within kernels."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        first = builder.bitcast(data, _VECTOR.as_pointer())
        rows = [builder.gep(first, [ir.Constant(_WORD, row)]) for row in range(STATE)]
        state = [builder.load(row, align=8) for row in rows]
        rounds = _Rounds(builder)
        for constant in round_constants():
            state = rounds.round(state, constant)
        for row, word in zip(rows, state, strict=True):
            builder.store(word, row, align=8)
        return context.get_dummy_value()

    return types.void(words), generate
