"""The code of a room as people type it is read, or answered with what is wrong with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kupa.refusal import Refusal
from kupa.server.room_codes import LENGTH, LETTERS, read_code, spaced

codes = st.text(LETTERS, min_size=LENGTH, max_size=LENGTH)


@given(
    code=codes, small=st.booleans(), spaces=st.lists(st.sampled_from([" ", "-", "\u00a0", "\t"]), max_size=4)
)
def test_a_code_is_read_however_it_is_written(code: str, small: bool, spaces: list[str]) -> None:
    """Small letters are large ones, and spaces or a stroke anywhere are left out."""
    typed = code.swapcase() if small else code
    for place, space in enumerate(spaces):
        typed = typed[:place] + space + typed[place:]
    assert read_code(typed) == code


@given(code=codes)
def test_a_code_that_is_shown_can_be_typed_as_it_is_shown(code: str) -> None:
    assert read_code(spaced(code)) == code


@pytest.mark.parametrize("letter", ["I", "i", "İ", "ı", "O", "o", "0", "1"])
def test_what_looks_like_another_letter_is_told_by_name(letter: str) -> None:
    """The Turkish ı and İ count as I: all of them are told that no code has one."""
    assert read_code(f"K7MPR{letter}") == Refusal("bad_room_code", "look_alike")


@pytest.mark.parametrize("letter", ["Ş", "ğ", "ß", "\u212a", "é", "!", "😀", "\x00", "０"])
def test_what_no_code_has_is_told(letter: str) -> None:
    """A letter of another script is none of ours, even where its case would make it one."""
    assert read_code(f"K7MPR{letter}") == Refusal("bad_room_code", "character")


@pytest.mark.parametrize("typed", ["", "   ", "K7MPR", "K7MPRDX", "K7MPRD" * 100])
def test_a_code_has_six_characters(typed: str) -> None:
    assert read_code(typed) == Refusal("bad_room_code", "length", params={"length": 6})


@given(typed=st.text(max_size=300))
def test_whatever_is_typed_is_a_code_or_told_why_not(typed: str) -> None:
    answer = read_code(typed)
    assert isinstance(answer, Refusal) or (len(answer) == LENGTH and set(answer) <= set(LETTERS))
