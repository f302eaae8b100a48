"""The two languages say the same things, and everything they say is used."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from kupa import catalogue
from kupa.cards import TEXT

SOURCE = Path(__file__).resolve().parents[2] / "src" / "kupa"

SAME_IN_BOTH = {
    "company.state.bot",
    "room.bot",
    "game.hearts",
    "game.heart-to-heart",
    "heart.key.enter",
    "heart.title",
    "heart_start.title",
    "rules.cardems",
    "rules.omnibus",
    "settings.speed.normal",
}
"""Names, and words that both languages write alike."""

KEY = re.compile(r"[a-z][\w-]*(\.[\w-]+)+")


def forms(language: str, key: str) -> tuple[str, ...]:
    """Return the sentences of a key: one, or one for each plural form."""
    found = catalogue.messages(language)[key]
    return found if isinstance(found, tuple) else (found,)


def parameters(sentence: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", sentence))


def keys() -> list[str]:
    return sorted(catalogue.messages("en"))


def test_both_languages_have_the_same_keys() -> None:
    assert set(catalogue.messages("en")) == set(catalogue.messages("tr"))


def test_no_sentence_is_empty() -> None:
    empty = [(lang, key) for lang in catalogue.LANGUAGES for key in keys() if not all(forms(lang, key))]
    assert not empty


def test_a_key_names_the_same_parameters_in_both_languages() -> None:
    """A sentence that forgets a parameter tells less, one that invents one cannot be filled in."""
    differing = [
        key
        for key in keys()
        if {frozenset(parameters(form)) - {"n"} for form in forms("en", key)}
        != {frozenset(parameters(form)) - {"n"} for form in forms("tr", key)}
    ]
    assert not differing


def test_a_number_has_two_forms_in_english_and_one_in_turkish() -> None:
    """Turkish nouns stay singular after a number."""
    counted = [key for key in keys() if len(forms("en", key)) > 1]
    assert counted
    for key in counted:
        assert len(forms("en", key)) == 2, key
        assert isinstance(catalogue.messages("tr")[key], tuple), key
        assert len(forms("tr", key)) == 1, key


def test_no_sentence_is_the_same_in_both_languages() -> None:
    """An equal sentence is most likely one that nobody has translated."""
    same = {
        key
        for key in keys()
        if forms("en", key)[-1] == forms("tr", key)[0]
        and re.search(r"[^\W\d_]{2}", re.sub(r"\{\w+\}", "", forms("en", key)[-1]))
    }
    assert same <= SAME_IN_BOTH, same - SAME_IN_BOTH


def test_no_turkish_ending_is_glued_to_a_parameter() -> None:
    """A case ending cannot fit every name or number that may stand there."""
    glued = [key for key in keys() for form in forms("tr", key) if re.search(r"\}['’]?[^\W\d_]", form)]
    assert not glued


def test_cards_are_named_in_full_and_each_differently() -> None:
    for language in catalogue.LANGUAGES:
        names = {catalogue.text(language, f"card.{text}") for text in TEXT.values()}
        assert len(names) == 52
    assert catalogue.text("tr", "card.QS") == "maça kızı"
    assert catalogue.text("en", "card.QS") == "queen of spades"


# What is used


@cache
def literals() -> frozenset[str]:
    """Return every text of the sources that may be a key or the beginning of one."""
    found: set[str] = set()
    for file in SOURCE.rglob("*.py"):
        found |= python_literals(file.read_text(encoding="utf-8"))
    for file in [*SOURCE.rglob("*.html"), *SOURCE.rglob("*.js")]:
        # messages("hearts.") only hands sentences to the page: whether it uses them is another question.
        text = re.sub(r"\bmessages\([^)]*\)", "", file.read_text(encoding="utf-8"))
        found |= set(re.findall(r"[\"'`]([a-z][\w.-]*\.[\w.-]*)[\"'`$]", text))
    return frozenset(found)


def python_literals(source: str) -> set[str]:
    """Return the texts of a module, and of its f-strings what stands before the first placeholder."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
            found.add(str(node.values[0].value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 80:
            found.add(node.value)
    return {text for text in found if re.fullmatch(r"[a-z][\w.-]*\.[\w.-]*", text)}


def test_every_sentence_is_used_somewhere() -> None:
    """Each key stands in a source, as it is or as a beginning that the rest is put to."""
    exact = literals()
    beginnings = tuple(text for text in exact if text.endswith((".", "-")))
    unused = [key for key in keys() if key not in exact and not key.startswith(beginnings)]
    assert not unused


@pytest.mark.parametrize(
    ("pattern", "call"),
    [
        ("*.html", r"(?<![\w.])t\(\s*[\"']([\w.-]+)[\"']\s*[,)]"),
        ("*.js", r"(?<![\w.])t\(\s*[\"'`]([\w.-]+)[\"'`]\s*[,)]"),
        ("*.py", r"(?<![\w])text\(\s*[\w.()]+,\s*\"([\w.-]+)\"\s*[,)]"),
    ],
)
def test_every_sentence_that_a_source_asks_for_exists(pattern: str, call: str) -> None:
    asked = {
        key for file in SOURCE.rglob(pattern) for key in re.findall(call, file.read_text(encoding="utf-8"))
    }
    assert asked
    assert not asked - set(keys())


def test_every_beginning_of_a_key_leads_to_a_sentence() -> None:
    """A key that is put together begins like some key that there is."""
    calls = r"(?<![\w.])t\(\s*(?:[\"']([\w.-]+)[\"']\s*~|`([\w.-]+)\$)"
    begun = {
        first or second
        for pattern in ("*.html", "*.js")
        for file in SOURCE.rglob(pattern)
        for first, second in re.findall(calls, file.read_text(encoding="utf-8"))
    }
    assert begun
    assert not [text for text in begun if not any(key.startswith(text) for key in keys())]
