"""The help tells the game that is played, and every decision that Kupa made itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kupa import catalogue
from kupa.hearts.presets import PRESETS
from kupa.server.help_pages import (
    DECIDED,
    FIGURES,
    HEART_PAGE,
    HELP_PAGES,
    SCORES,
    Section,
    help_context,
)

TEMPLATE = Path(__file__).resolve().parents[2] / "src" / "kupa" / "web" / "templates" / "help.html"


def sections_of(page: str) -> tuple[Section, ...]:
    found: tuple[Section, ...] = help_context(page)["sections"]
    return found


def keys_of(page: str) -> list[str]:
    """Return the keys that a page says, in order."""
    said: list[str] = []
    for section in sections_of(page):
        said.append(f"help.section.{section.id}")
        said += [part.key for part in (*section.paragraphs, *section.closing)]
        said += section.points_of
        said += [
            f"help.fig.{name}.{part}"
            for name in section.after
            if name in FIGURES
            for part in ("title", "text")
        ]
    return said


def said_on(page: str, language: str = "en") -> str:
    parts = [part for section in sections_of(page) for part in (*section.paragraphs, *section.closing)]
    told = [catalogue.text(language, part.key, **part.params) for part in parts]
    return " ".join(told + [catalogue.text(language, key) for s in sections_of(page) for key in s.points_of])


def test_there_is_a_page_for_each_rulebook_and_for_heart_to_heart() -> None:
    assert set(HELP_PAGES) == {*PRESETS, HEART_PAGE}


@pytest.mark.parametrize("page", HELP_PAGES)
def test_a_page_says_nothing_twice(page: str) -> None:
    assert len(keys_of(page)) == len(set(keys_of(page)))


def test_every_sentence_of_the_help_is_said_on_some_page() -> None:
    said = {key for page in HELP_PAGES for key in keys_of(page)}
    said |= set(re.findall(r't\("(help\.[\w.]*\w)"', TEMPLATE.read_text(encoding="utf-8")))
    written = {key for key in catalogue.messages("en") if key.startswith("help.")}
    assert written == said


@pytest.mark.parametrize("page", HELP_PAGES)
def test_a_page_tells_what_was_decided(page: str) -> None:
    assert DECIDED[page]
    assert [key for key in keys_of(page) if key.startswith("help.decided.")] == [
        "help.decided.intro",
        *(f"help.decided.{key}" for key in DECIDED[page]),
    ]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("language", ["tr", "en"])
def test_a_page_tells_the_numbers_of_its_rulebook(name: str, language: str) -> None:
    """The target, the worth of the moon and of the queen, and how many points a round has."""
    book = PRESETS[name].rulebook()
    numbers = set(re.findall(r"\d+", said_on(name, language)))
    total = book.decks * (13 * book.heart_points + book.queen_points)
    assert {str(book.target), str(book.moon_points), str(book.queen_points), str(total)} <= numbers


@pytest.mark.parametrize("name", PRESETS)
def test_a_page_says_what_its_rulebook_says_and_not_the_contrary(name: str) -> None:
    book = PRESETS[name].rulebook()
    said = set(keys_of(name))

    def exactly_one(prefix: str, key: str, among: tuple[str, ...]) -> None:
        assert said & {f"{prefix}{other}" for other in among} == {f"{prefix}{key}"}

    exactly_one("help.play.first.", book.first_trick, ("points", "queen", "none"))
    exactly_one("help.broken.", book.broken_by, ("heart", "heart_or_queen"))
    exactly_one("help.end.", book.tie, ("share", "play_on"))
    assert ("help.end.perfect" in said) == book.perfect_round
    assert ("help.moon.choice" in said) == (book.moon == "choice")
    assert ("help.cancel.pair" in said) == book.cancellation
    assert ("help.pass.none" in said) == (book.pass_count == 0)
    assert ("help.moon.bonus" in said) == (book.bonus_card is not None)
    assert ("help.play.opening.dealer" in said) == (book.opening == "left_of_dealer")


def test_the_example_of_scoring_is_a_whole_round() -> None:
    """All penalty points are taken, once each, and the bonus card by one player."""
    assert sum(line.hearts for line in SCORES) == 13
    assert sum(line.queen for line in SCORES) == 13
    assert [line.bonus for line in SCORES if line.bonus] == [-10]
    assert all(line.hearts < 13 for line in SCORES)
