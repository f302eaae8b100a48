"""The shuffle and the fair-deal scheme."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kupa.shuffle import commitment, fair_seed, is_fair, is_seed_text, shuffled

SECRET = bytes(range(32))
ALICE, BOB = b"a" * 16, b"b" * 16


@given(st.text().filter(is_seed_text), st.lists(st.integers(), max_size=110))
def test_a_shuffle_is_a_permutation_that_the_text_decides(text: str, deck: list[int]) -> None:
    """No card is lost or made, the deck given is left alone, and the same text gives the same order."""
    before = list(deck)
    assert sorted(shuffled(deck, text)) == sorted(deck)
    assert shuffled(deck, text) == shuffled(deck, text)
    assert deck == before


def test_a_text_that_is_not_unicode_is_no_seed() -> None:
    """A lone surrogate cannot be hashed, and is refused rather than replaced."""
    assert is_seed_text("İstanbul ♥ 🂡")
    assert not is_seed_text("\ud800")
    with pytest.raises(UnicodeEncodeError):
        shuffled([1, 2], "\ud800")


def test_texts_are_not_normalised() -> None:
    """Two spellings of one letter are two seeds."""
    assert shuffled(range(52), "\u00e9") != shuffled(range(52), "e\u0301")


def test_every_place_is_reached_equally_often() -> None:
    """Over many texts each card comes to each place about as often (chi-squared, 25 degrees of freedom)."""
    rounds = 6000
    counts = [[0] * 6 for _ in range(6)]
    for number in range(rounds):
        for place, card in enumerate(shuffled(range(6), f"fair {number}")):
            counts[card][place] += 1
    expected = rounds / 6
    chi_squared = sum((count - expected) ** 2 / expected for row in counts for count in row)
    assert chi_squared < 52.6  # the 99.9 % point


def test_the_seed_of_a_fair_deal_is_the_hash_of_secret_and_contributions() -> None:
    """Recomputed here from the rulebook's words alone; a bot contributes nothing."""
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()
    seed = fair_seed(SECRET, [ALICE, b"", BOB, b""])
    assert seed == hashlib.sha256(SECRET + ALICE + BOB).hexdigest()
    assert is_fair(commitment(SECRET), SECRET, [ALICE, b"", BOB, b""], seed)


@pytest.mark.parametrize("changed", ["secret", "contribution", "order", "commitment", "seed", "length"])
def test_a_deal_with_anything_changed_is_not_fair(changed: str) -> None:
    """Another secret, contribution, order of seats, commitment or seed is found out."""
    committed, secret, given_ = commitment(SECRET), SECRET, [ALICE, BOB]
    seed = fair_seed(SECRET, given_)
    if changed == "secret":
        secret = bytes(32)
    elif changed == "contribution":
        given_ = [ALICE, b"c" * 16]
    elif changed == "order":
        given_ = [BOB, ALICE]
    elif changed == "commitment":
        committed = commitment(bytes(32))
    elif changed == "seed":
        seed = fair_seed(SECRET, [ALICE])
    else:
        given_ = [ALICE, b"b"]
    assert not is_fair(committed, secret, given_, seed)


def test_lengths_are_held_to() -> None:
    """A secret has 32 bytes, a contribution 16 or none."""
    with pytest.raises(ValueError, match="32"):
        commitment(b"short")
    with pytest.raises(ValueError, match="seat 1"):
        fair_seed(SECRET, [ALICE, b"short"])
