"""Deals of Heart to Heart: the ranks, the deck, and the codes that name a deal.

A code such as ``HH1-N-AAAAAAM`` is a number in base 26, written with seven letters, A for 0, the most
significant first. The code is the deal: the same on every platform, for ever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from kupa.keys import shown
from kupa.refusal import Refusal
from kupa.shuffle import shuffled

RANKS: Final = "A23456789TJQK"
"""The ranks, ace low; their order means nothing in play."""
COPIES: Final = 4
"""How many cards of each rank there are."""
DECK_SIZE: Final = len(RANKS) * COPIES

PREFIX: Final = "HH1-N-"
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
PLACES: Final = 7
"""How many letters a code has after the prefix."""
DEALS: Final = len(LETTERS) ** PLACES
"""How many deals have a code."""

EDITION: Final = 393723
"""The number of the edition, part of what is hashed: the smallest with which ``HH1-N-AAAAAAM`` is the deal
that the description of the game shows."""

_UNSHUFFLED: Final = "".join(rank * COPIES for rank in RANKS)

_FOLDED: Final = {ord(letter) + 32: letter for letter in LETTERS} | {ord("ı"): "I", ord("İ"): "I"}
"""What is read as something else: ASCII small letters, and the two letters i that only Turkish has."""


def code_of(number: int) -> str:
    """Return the code of a deal.

    Raises:
        ValueError: the number is not from 0 to 26⁷ - 1.
    """
    if not 0 <= number < DEALS:
        raise ValueError(f"{number} is not the number of a deal")
    letters = []
    for _ in range(PLACES):
        number, letter = divmod(number, len(LETTERS))
        letters.append(LETTERS[letter])
    return PREFIX + "".join(reversed(letters))


def read_code(text: str) -> str | Refusal:
    """Read a code as a person may write it; returns it in canonical form, or a refusal (``bad_code``).

    ASCII small letters are as good as capitals, the Turkish ı and İ count as I, and surrounding space is
    ignored; nothing else is.
    """
    code = text.strip().translate(_FOLDED)
    letters = code.removeprefix(PREFIX)
    if len(code) == len(PREFIX) + PLACES and len(letters) == PLACES and all(c in LETTERS for c in letters):
        return code
    return Refusal("bad_code", params={"code": shown(text)})


def number_of(code: str) -> int:
    """Return the number of a deal from its canonical code.

    Raises:
        ValueError: the text is no code in canonical form.
    """
    if read_code(code) != code:
        raise ValueError(f"{shown(code)!r} is no deal code in canonical form")
    number = 0
    for letter in code.removeprefix(PREFIX):
        number = number * len(LETTERS) + LETTERS.index(letter)
    return number


def random_code(randbelow: Callable[[int], int]) -> str:
    """Return the code of a random deal.

    Args:
        randbelow: returns a random whole number, at least 0 and below its argument.
    """
    return code_of(randbelow(DEALS))


@lru_cache(maxsize=256)
def deck_of(code: str) -> str:
    """Return the deal of a canonical code: fifty-two ranks in deal order.

    Raises:
        ValueError: the text is no code in canonical form.
    """
    number_of(code)
    return "".join(shuffled(_UNSHUFFLED, f"{code}#{EDITION}"))


def read_deck(cards: str | Sequence[str]) -> str | Refusal:
    """Read a deal of one's own; returns its ranks in deal order, or a refusal (``bad_deal``).

    Args:
        cards: fifty-two ranks, in one text or one by one, four of each. A small letter is as good as a
            capital, and 10 as good as T.
    """
    ranks = cards.replace("10", "T") if isinstance(cards, str) else cards
    deck = [_read_rank(rank) for rank in ranks]
    for rank, read in zip(ranks, deck, strict=True):
        if not read:
            return Refusal("bad_deal", "heart_rank", params={"rank": shown(rank)})
    if len(deck) != DECK_SIZE:
        return Refusal("bad_deal", "heart_length", params={"found": len(deck), "wanted": DECK_SIZE})
    copies = Counter(deck)
    for rank in RANKS:
        if copies[rank] != COPIES:
            return Refusal(
                "bad_deal", "heart_copies", params={"rank": rank, "found": copies[rank], "wanted": COPIES}
            )
    return "".join(deck)


def _read_rank(text: str) -> str:
    """Return a rank in canonical form, or an empty text for what is none."""
    rank = "T" if text == "10" else text.translate(_FOLDED)
    return rank if len(rank) == 1 and rank in RANKS else ""
