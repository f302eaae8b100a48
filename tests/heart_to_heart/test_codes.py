"""Deal codes and decks: what is read, what is refused, and what a code deals for ever."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kupa.catalogue import LANGUAGES, refusal_text
from kupa.heart_to_heart import codes
from kupa.refusal import Refusal

VECTORS = Path(__file__).parents[1] / "vectors"
DEALS = json.loads((VECTORS / "heart-deals.json").read_text(encoding="utf-8"))["heart_to_heart"]


def refusal_of(answer: str | Refusal) -> Refusal:
    assert isinstance(answer, Refusal), answer
    for language in LANGUAGES:
        assert refusal_text(language, answer)
    return answer


@pytest.mark.parametrize("code", DEALS)
def test_known_codes_deal_what_they_always_dealt(code: str) -> None:
    """The five known deals come out card by card."""
    assert codes.deck_of(code) == DEALS[code]


def test_the_numbers_of_codes() -> None:
    """A is 0, the most significant letter comes first, and there are 26 to the 7th deals."""
    assert codes.code_of(0) == "HH1-N-AAAAAAA"
    assert codes.code_of(12) == "HH1-N-AAAAAAM"
    assert codes.code_of(26) == "HH1-N-AAAAABA"
    assert codes.number_of("HH1-N-BAAAAAA") == 26**6
    assert codes.number_of("HH1-N-ZZZZZZZ") == codes.DEALS - 1 == 26**7 - 1


@pytest.mark.parametrize("number", [-1, 26**7])
def test_numbers_outside_have_no_code(number: int) -> None:
    """There is no deal below 0 or above the last one."""
    with pytest.raises(ValueError, match="not the number of a deal"):
        codes.code_of(number)


@given(st.integers(0, codes.DEALS - 1))
def test_code_and_number_say_the_same(number: int) -> None:
    """Every deal's code is canonical and leads back to its number."""
    code = codes.code_of(number)
    assert codes.read_code(code) == code
    assert codes.number_of(code) == number


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("hh1-n-aaaaaam", "HH1-N-AAAAAAM"),
        ("Hh1-N-aAaAaAm", "HH1-N-AAAAAAM"),
        ("  HH1-N-AAAAAAM\t\n", "HH1-N-AAAAAAM"),
        ("\u00a0HH1-N-AAAAAAM\u2003", "HH1-N-AAAAAAM"),
        ("HH1-N-KIRAZIN", "HH1-N-KIRAZIN"),
        ("hh1-n-kırazİn", "HH1-N-KIRAZIN"),
        ("hh1-n-kirazin", "HH1-N-KIRAZIN"),
    ],
)
def test_codes_are_read_as_people_write_them(written: Any, code: str) -> None:
    """ASCII case, surrounding space and the two Turkish letters i do not matter."""
    assert codes.read_code(written) == code


@pytest.mark.parametrize(
    "written",
    [
        "",
        " ",
        "AAAAAAM",
        "HH1-N-AAAAAA",
        "HH1-N-AAAAAAMA",
        "HH1-N-AAAAAA1",
        "HH1-N-AAAAAAÇ",
        "HH1-N-AAAAAAŞ",
        "HH1-N-AAAAAA\u212a",  # the Kelvin sign, which Python's upper and lower know as a k
        "HH1-N-AAAAAA\u017f",  # the long s
        "HH1-N-AAAAAi\u0307",  # a dotted i of two characters
        "ＨＨ1-N-AAAAAAM",  # wide letters
        "HH1-N- AAAAAAM",
        "HH1–N–AAAAAAM",  # dashes that are no hyphens
        "HH2-N-AAAAAAM",
        "HH1-M-AAAAAAM",
        "HH1-N-HH1-N-A",
        "HH1-N-AAAAAA\ud800",
        "x" * 100_000,
    ],
)
def test_anything_else_is_no_code(written: Any) -> None:
    """Nothing else is folded or forgiven, and the refusal repeats no more than a little of it."""
    refusal = refusal_of(codes.read_code(written))
    assert refusal.code == "bad_code"
    assert len(refusal_text("en", refusal)) < 200


@pytest.mark.parametrize("code", ["hh1-n-aaaaaam", "HH1-N-AAAAAAM ", "", "HH1-N-A"])
def test_only_a_canonical_code_deals(code: str) -> None:
    """The text that is hashed is the canonical code and no other spelling of it."""
    with pytest.raises(ValueError, match="canonical"):
        codes.deck_of(code)


@given(st.integers(0, codes.DEALS - 1))
def test_every_code_deals_four_of_each_rank(number: int) -> None:
    """A deal is the whole deck in some order."""
    deck = codes.deck_of(codes.code_of(number))
    assert Counter(deck) == dict.fromkeys("A23456789TJQK", 4)


def test_a_random_code_is_the_random_number_it_was_given() -> None:
    """The randomness is the caller's: it is asked once, for a number below the number of deals."""
    asked = []

    def randbelow(bound: int) -> int:
        asked.append(bound)
        return 12

    assert codes.random_code(randbelow) == "HH1-N-AAAAAAM"
    assert asked == [26**7]


DECK = DEALS["HH1-N-AAAAAAM"]


@pytest.mark.parametrize(
    "written",
    [DECK, list(DECK), DECK.lower(), DECK.replace("T", "10"), [*DECK.replace("T", "t")]],
)
def test_a_deck_may_be_written_in_several_ways(written: Any) -> None:
    """One text or a list, small letters, and 10 for the ten."""
    assert codes.read_deck(written) == DECK
    assert codes.read_deck(["10" if rank == "T" else rank for rank in DECK]) == DECK


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "heart_length"),
        ([], "heart_length"),
        (DECK[:-1], "heart_length"),
        (DECK + "A", "heart_length"),
        ("A" + DECK[1:], "heart_copies"),
        (" " + DECK[1:], "heart_rank"),
        ("1" + DECK[1:], "heart_rank"),
        ("0" + DECK[1:], "heart_rank"),
        ("ı" + DECK[1:], "heart_rank"),
        (["TH", *DECK[1:]], "heart_rank"),
        (["", *DECK[1:]], "heart_rank"),
        (["A2", *DECK[2:]], "heart_rank"),
        ("\ud800" * 52, "heart_rank"),
        ("A" * 100_000, "heart_length"),
    ],
)
def test_what_is_no_deck_is_a_bad_deal(written: Any, reason: str) -> None:
    """Other ranks, other numbers of cards or of copies are refused, each with its sentence."""
    refusal = refusal_of(codes.read_deck(written))
    assert (refusal.code, refusal.reason) == ("bad_deal", reason)
