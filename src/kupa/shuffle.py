"""The deal from a text, deal seeds, and the fair-deal scheme.

One shuffle serves every game: a text is hashed with SHAKE-256 and the hash drives a Fisher-Yates shuffle, so
that a deal is the same on every platform, for ever, and anybody can recompute it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

SECRET_BYTES: Final = 32
"""Length of the server's secret in the fair-deal scheme, in bytes."""
CONTRIBUTION_BYTES: Final = 16
"""Length of a person's contribution in the fair-deal scheme, in bytes."""


def is_seed_text(text: str) -> bool:
    """Tell whether a text is valid Unicode (has no lone surrogate), as a seed must be."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def shuffled(deck: Sequence[Item], text: str) -> list[Item]:
    """Return the deck in the order that ``text`` gives it.

    N is the first 128 bytes of SHAKE-256 of the text in UTF-8, a big-endian integer; then, for i from the
    last place down to 1, N is divided by i+1 and places i and the remainder are swapped.

    Args:
        deck: the unshuffled cards, first place first; not changed.
        text: any valid Unicode, used as it is.

    Raises:
        UnicodeEncodeError: the text holds a lone surrogate.
    """
    number = int.from_bytes(hashlib.shake_256(text.encode("utf-8")).digest(128), "big")
    cards = list(deck)
    for i in range(len(cards) - 1, 0, -1):
        number, j = divmod(number, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def commitment(secret: bytes) -> str:
    """Return what is shown before anything is dealt: SHA-256 of the secret, in hex.

    Raises:
        ValueError: the secret is not 32 bytes long.
    """
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    return hashlib.sha256(secret).hexdigest()


def fair_seed(secret: bytes, contributions: Sequence[bytes]) -> str:
    """Return the seed text of a match dealt fairly: the hex of SHA-256(secret ‖ contributions).

    Args:
        secret: the 32 bytes that the server committed itself to.
        contributions: one per seat, in seat order: 16 bytes from a person, empty for a bot.

    Raises:
        ValueError: a length is wrong.
    """
    commitment(secret)  # refuses a secret of another length
    for seat, contribution in enumerate(contributions):
        if len(contribution) not in {0, CONTRIBUTION_BYTES}:
            raise ValueError(f"seat {seat} contributed {len(contribution)} bytes, not {CONTRIBUTION_BYTES}")
    return hashlib.sha256(secret + b"".join(contributions)).hexdigest()


def is_fair(committed: str, secret: bytes, contributions: Sequence[bytes], seed: str) -> bool:
    """Tell whether what was shown after the match is what was promised before it.

    Args:
        committed: the commitment shown before the deal, in hex.
        secret: the secret shown after the match.
        contributions: one per seat, as in :func:`fair_seed`.
        seed: the seed text that the match was dealt from.
    """
    try:
        return hmac.compare_digest(commitment(secret), committed) and fair_seed(secret, contributions) == seed
    except (ValueError, TypeError):
        return False
