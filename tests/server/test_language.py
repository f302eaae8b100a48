"""Which language a request is answered in."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kupa import catalogue
from kupa.server.language import language_of


def language(accept: str | None = None, cookie: str | None = None) -> str:
    headers = {} if accept is None else {"accept-language": accept}
    cookies = {} if cookie is None else {"kupa_lang": cookie}
    return language_of(SimpleNamespace(headers=headers, cookies=cookies))


@pytest.mark.parametrize(
    ("accept", "cookie", "expected"),
    [
        (None, None, "tr"),
        ("", None, "tr"),
        ("en", None, "en"),
        ("EN-gb", None, "en"),
        ("de, fr;q=0.9", None, "tr"),
        ("de, en;q=0.5, tr;q=0.4", None, "en"),
        ("en;q=0.4, tr;q=0.5", None, "tr"),
        ("en;q=0, tr;q=0.1", None, "tr"),
        ("en;q=0", None, "tr"),
        ("en;q=nonsense", None, "tr"),
        ("en;q=nan", None, "tr"),
        ("tr-TR, en", None, "tr"),
        ("en, tr", None, "en"),
        ("tr", "en", "en"),
        ("en", "tr", "tr"),
        ("en", "xx", "en"),
        ("entirely", None, "tr"),
    ],
)
def test_the_choice_wins_over_the_browsers_wish_and_turkish_over_nothing(
    accept: str | None, cookie: str | None, expected: str
) -> None:
    """First the cookie, then Accept-Language by its weights, then Turkish."""
    assert language(accept, cookie) == expected


@given(st.text(), st.text())
def test_whatever_is_sent_there_is_a_language(accept: str, cookie: str) -> None:
    """No header and no cookie can break the choice."""
    assert language(accept, cookie) in catalogue.LANGUAGES


def test_the_servers_sentences_are_in_both_languages() -> None:
    """Each key of one catalogue is in the other, with the same parameters."""
    found = {
        language: {
            key: text for key, text in catalogue.messages(language).items() if key.startswith("server.")
        }
        for language in catalogue.LANGUAGES
    }
    assert found["tr"].keys() == found["en"].keys()
    assert len(found["tr"]) > 15
    for key, turkish in found["tr"].items():
        english = found["en"][key]
        assert isinstance(turkish, str)
        assert isinstance(english, str)
        assert turkish != english
        assert set(parameters(turkish)) == set(parameters(english)), key


def parameters(sentence: str) -> list[str]:
    return [part.partition("}")[0] for part in sentence.split("{")[1:]]
