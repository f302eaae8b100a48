"""The deals of codes, many at a time: SHAKE-256, the number it gives, and the shuffle, compiled.

What :func:`kupa.heart_to_heart.codes.deck_of` does for one code, a kernel does here for :data:`LANES` codes
that follow one another, and a test compares both. How it is fast:

- The text of a code is shorter than a block of SHAKE-256, and the 128 bytes taken fit into one, so that a
  code costs one permutation (FIPS 202). It is worked out for all lanes in step, a word of each.
- The shuffle divides the number N by 52, 51, …, 2 in turn and takes remainders, so all that matters of N is
  N mod 52!. It is summed up from the words of N, times powers of 2³² mod 52!, for all lanes in step.
- The divisors are taken in groups whose product fits 30 bits, so that long division goes word by word; the
  single remainders come out of the small remainder of a group by multiplication.
"""

from __future__ import annotations

from math import factorial, prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kupa.heart_to_heart.codes import COPIES, DECK_SIZE, EDITION, LETTERS, PLACES, PREFIX
from kupa.lab.compiling import kernel
from kupa.lab.keccak import LANES, STATE, Words, permute
from kupa.sim.compiling import inlined, part

_RATE_WORDS: Final = 17
"""Words of a block of SHAKE-256."""
_N_WORDS: Final = 16
"""128 bytes."""

# ---------------------------------------------------------------- the text of a code

_PREFIX_BYTES: Final = np.frombuffer(PREFIX.encode(), np.uint8)
_SUFFIX_BYTES: Final = np.frombuffer(f"#{EDITION}".encode() + b"\x1f", np.uint8)
"""What follows the letters, and the bits that tell SHAKE from other uses and begin the padding."""
_TEXT: Final = len(_PREFIX_BYTES) + PLACES + len(_SUFFIX_BYTES)
_LAST_BIT: Final = np.uint64(1 << 63)
"""The end of the padding."""
_RADIX: Final = len(LETTERS)
_FIRST_LETTER: Final = ord(LETTERS[0])


@inlined
def _put_byte(state: Words, lane: int, place: int, byte: int) -> None:
    """Put a byte into a message; words are little-endian."""
    state[place >> 3, lane] |= np.uint64(byte) << np.uint64(8 * (place & 7))


@inlined
def _write_code(state: Words, lane: int, number: int) -> None:
    """Write the padded text of a deal into a lane that is empty."""
    for place in range(len(_PREFIX_BYTES)):
        _put_byte(state, lane, place, _PREFIX_BYTES[place])
    rest = number
    for letter in range(PLACES):
        place = len(_PREFIX_BYTES) + PLACES - 1 - letter
        _put_byte(state, lane, place, _FIRST_LETTER + rest % _RADIX)
        rest //= _RADIX
    for place in range(len(_SUFFIX_BYTES)):
        _put_byte(state, lane, len(_PREFIX_BYTES) + PLACES + place, _SUFFIX_BYTES[place])
    state[_RATE_WORDS - 1, lane] |= _LAST_BIT


# ---------------------------------------------------------------- the number, modulo 52!

_32: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)
_LIMBS: Final = 2 * _N_WORDS
"""N has as many limbs of 32 bits."""
_KEPT: Final = 8
"""N mod 52! fits as many."""
_SUM: Final = _KEPT + 2

_POWERS: Final[Words] = np.array(
    [
        [pow(2, 32 * limb, factorial(DECK_SIZE)) >> 32 * kept & 0xFFFFFFFF for kept in range(_KEPT)]
        for limb in range(_LIMBS)
    ],
    np.uint64,
)
"""By limb: 2 to the power 32 times its number, mod 52!, in limbs of its own, the lowest first."""

_BYTES_8: Final = np.uint64(0x00FF00FF00FF00FF)
_BYTES_16: Final = np.uint64(0x0000FFFF0000FFFF)
_8: Final = np.uint64(8)
_16: Final = np.uint64(16)


@inlined
def _swapped(word: np.uint64) -> np.uint64:
    """Return a word with its bytes in the other order."""
    word = word >> _8 & _BYTES_8 | (word & _BYTES_8) << _8
    word = word >> _16 & _BYTES_16 | (word & _BYTES_16) << _16
    return word >> _32 | word << _32


@inlined
def _reduce(state: Words, total: Words) -> None:
    """Sum up a number that is N mod 52!, for all lanes.

    Args:
        state: N, the first 16 words of each lane; its first byte is its most significant one.
        total: gets ten limbs, the lowest first. The sum is less than 32 * 2**32 * 52!.
    """
    for limb in range(_SUM):
        for lane in range(LANES):
            total[limb, lane] = 0
    for word in range(_N_WORDS):
        upper = _LIMBS - 1 - 2 * word
        for lane in range(LANES):
            swapped = _swapped(state[word, lane])
            state[word, lane] = swapped
        for kept in range(_KEPT):
            low_power, high_power = _POWERS[upper - 1, kept], _POWERS[upper, kept]
            for lane in range(LANES):
                first = (state[word, lane] & _LOW) * low_power
                second = (state[word, lane] >> _32) * high_power
                total[kept, lane] += (first & _LOW) + (second & _LOW)
                total[kept + 1, lane] += (first >> _32) + (second >> _32)
    for limb in range(_SUM - 1):
        for lane in range(LANES):
            total[limb + 1, lane] += total[limb, lane] >> _32
            total[limb, lane] &= _LOW


# ---------------------------------------------------------------- the shuffle


def _groups() -> list[tuple[int, int]]:
    """Return the divisors 52, …, 2 in groups with products below 2**30: of each the first and the last."""
    groups = []
    first = DECK_SIZE
    while first > 1:
        last = first
        while last > 2 and prod(range(last - 1, first + 1)) < 1 << 30:
            last -= 1
        groups.append((first, last))
        first = last - 1
    return groups


def _limbs_before(first: int) -> int:
    """Return how many limbs a number has at most that is divided next by ``first``."""
    largest = _LIMBS * (1 << 32) * factorial(DECK_SIZE)
    return -(-(largest // prod(range(first + 1, DECK_SIZE + 1))).bit_length() // 32)


_GROUPS: Final = tuple(_groups())
_MAGIC_SHIFT: Final = np.uint64(36)
_MAGIC: Final[Words] = np.array([0, 0, *((1 << 36) // n + 1 for n in range(2, DECK_SIZE + 1))], np.uint64)
"""By divisor n: ``r * _MAGIC[n] >> 36`` is ``r // n`` for every r below 2**30."""
_FIRST: Final = np.array([first for first, _ in _GROUPS])
_LAST: Final = np.array([last for _, last in _GROUPS])
_LENGTH: Final = np.array([_limbs_before(first) for first, _ in _GROUPS])
"""By group: how many limbs what is still to be divided has at most."""
_PRODUCT: Final[Words] = np.array([prod(range(last, first + 1)) for first, last in _GROUPS], np.uint64)


def unshuffled() -> NDArray[np.int8]:
    """Return the deck before a shuffle: the numbers of its ranks."""
    return np.arange(DECK_SIZE, dtype=np.int8) // np.int8(COPIES)


_UNSHUFFLED: Final = unshuffled()


@inlined
def _divide(total: Words, rests: Words) -> None:
    """Divide the numbers of all lanes by the products of the groups, one after the other.

    Args:
        total: the numbers, in limbs; used up.
        rests: by group, the remainders.
    """
    for group in range(len(_FIRST)):
        product = _PRODUCT[group]
        for lane in range(LANES):
            rests[group, lane] = 0
        for limb in range(_LENGTH[group] - 1, -1, -1):
            for lane in range(LANES):
                dividend = rests[group, lane] << _32 | total[limb, lane]
                quotient = dividend // product
                total[limb, lane] = quotient
                rests[group, lane] = dividend - quotient * product


@inlined
def _shuffle(rests: Words, lane: int, deck: NDArray[np.int8]) -> None:
    """Shuffle a deck by the remainders of a lane."""
    for place in range(DECK_SIZE):
        deck[place] = _UNSHUFFLED[place]
    for group in range(len(_FIRST)):
        rest = rests[group, lane]
        for divisor in range(_FIRST[group], _LAST[group] - 1, -1):
            quotient = rest * _MAGIC[divisor] >> _MAGIC_SHIFT
            other = np.int64(rest - quotient * np.uint64(divisor))
            rest = quotient
            card = deck[other]
            deck[other] = deck[divisor - 1]
            deck[divisor - 1] = card


class Shuffler(NamedTuple):
    """Where the deals of codes are worked out; made once by :func:`new_shuffler`."""

    state: Words
    total: Words
    rests: Words
    decks: NDArray[np.int8]
    """By lane: the numbers of fifty-two ranks in deal order."""


@inlined
def new_shuffler() -> Shuffler:
    """Return room for the deals of some codes at a time."""
    return Shuffler(
        np.zeros((STATE, LANES), np.uint64),
        np.zeros((_SUM, LANES), np.uint64),
        np.zeros((len(_GROUPS), LANES), np.uint64),
        np.zeros((LANES, DECK_SIZE), np.int8),
    )


@part
def deal_codes(room: Shuffler, first: int) -> None:
    """Work out the decks of some codes that follow one another.

    Args:
        room: gets the decks.
        first: the number of the first code; what lies behind the last code wraps around harmlessly.
    """
    for word in range(STATE):
        for lane in range(LANES):
            room.state[word, lane] = 0
    for lane in range(LANES):
        _write_code(room.state, lane, first + lane)
    permute(room.state)
    _reduce(room.state, room.total)
    _divide(room.total, room.rests)
    for lane in range(LANES):
        _shuffle(room.rests, lane, room.decks[lane])


@kernel
def decks_of(first: int, decks: NDArray[np.int8]) -> None:
    """Write the decks of codes that follow one another.

    Args:
        first: the number of the first.
        decks: a row for each, as :class:`Shuffler` has them.
    """
    room = new_shuffler()
    for start in range(0, len(decks), LANES):
        deal_codes(room, first + start)
        for lane in range(min(LANES, len(decks) - start)):
            for place in range(DECK_SIZE):
                decks[start + lane, place] = room.decks[lane, place]
