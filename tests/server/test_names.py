"""Names show what they are, and logins find their owner on any keyboard."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kupa.refusal import Refusal
from kupa.server.names import LONGEST_NAME, folded_login, tidy_name, tidy_passphrase


def reason(answer: object) -> str:
    assert isinstance(answer, Refusal), answer
    return answer.reason


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ada", "Ada"),
        ("  Şule   Işık \n", "Şule Işık"),
        ("I\u0307pek", "İpek"),
        ("a\u00a0b\u2003c", "a b c"),
        ("李小龍", "李小龍"),
        ("♥ 7", "♥ 7"),
        ("x" * LONGEST_NAME, "x" * LONGEST_NAME),
    ],
)
def test_a_name_is_kept_trimmed_and_composed(typed: str, kept: str) -> None:
    """Spaces are single, letters composed, and no script is shut out."""
    assert tidy_name(typed) == kept


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "empty"),
        (" \t\u3000", "empty"),
        ("x" * (LONGEST_NAME + 1), "long"),
        ("x" * 100_000, "long"),
        ("Ada\x00", "characters"),
        ("\u202eadA", "characters"),
        ("Ada\u2066", "characters"),
        ("A\u200bda", "characters"),
        ("A\u00adda", "characters"),
        ("\ufeffAda", "characters"),
        ("\ud800", "characters"),
        ("\ue000", "characters"),
        ("\u3164", "characters"),
        ("\u2800", "characters"),
        ("\u0301", "characters"),
        ("z\u0336\u0337\u0338", "characters"),
    ],
)
def test_what_cannot_be_seen_is_no_name(typed: str, why: str) -> None:
    """Controls, formats, private use, blanks and heaps of marks are refused, each with its reason."""
    assert reason(tidy_name(typed)) == why


@given(st.text(max_size=60))
def test_a_kept_name_is_kept_as_it_is(typed: str) -> None:
    """Tidying twice changes nothing more, and what is kept is short, composed and without controls."""
    name = tidy_name(typed)
    if isinstance(name, str):
        assert tidy_name(name) == name
        assert 1 <= len(name) <= LONGEST_NAME
        assert unicodedata.is_normalized("NFC", name)
        assert not {unicodedata.category(character) for character in name} & {"Cc", "Cf", "Cs", "Co", "Cn"}


def test_every_i_is_one_letter_in_a_login() -> None:
    """A login typed on a Turkish keyboard, on an English one, or in capitals of either is the same."""
    written = ["iris", "İRİS", "IRIS", "ırıs", "Iris", "İris", "I\u0307RI\u0307S", "i\u0307ris", "ＩＲＩＳ"]
    assert {folded_login(typed) for typed in written} == {"iris"}
    assert folded_login(" Şule.Işık ") == "şule.işik"
    assert folded_login("STRASSE") == folded_login("straße")


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("ab", "length"),
        ("", "length"),
        ("x" * 33, "length"),
        ("ß" * 17, "length"),
        ("ada lovelace", "characters"),
        ("ada@example.org", "characters"),
        ("ada\u200blovelace", "characters"),
        ("ada\x00", "characters"),
        ("ada\ud800", "characters"),
        ("a'; --", "characters"),
    ],
)
def test_what_is_no_login_is_refused(typed: str, why: str) -> None:
    """Too short, too long, and signs that a login has not, each with its reason."""
    assert reason(folded_login(typed)) == why


@given(st.text(max_size=40))
def test_a_kept_login_is_kept_as_it_is(typed: str) -> None:
    """Folding twice changes nothing more: what is stored is found again by what is shown of it."""
    login = folded_login(typed)
    if isinstance(login, str):
        assert folded_login(login) == login
        assert not set(login) & set("Iİı")


def test_passphrases_are_long_enough_and_not_the_login() -> None:
    """Ten characters, counted when composed; the login is none, in whatever letters, nor twice."""
    assert tidy_passphrase("ç" * 10, "ada") == "ç" * 10
    assert tidy_passphrase("c\u0327" * 10, "ada") == "ç" * 10
    assert reason(tidy_passphrase("c\u0327" * 9, "ada")) == "short"
    assert reason(tidy_passphrase("x" * 257, "ada")) == "long"
    assert reason(tidy_passphrase("x" * 10 + "\ud800", "ada")) == "long"
    assert reason(tidy_passphrase("IRİS.IRıS.", "iris.iris.")) == "login"
    assert reason(tidy_passphrase("irisIRISiris", "iris")) == "login"
