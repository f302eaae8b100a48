"""The form of a new table reaches every field of the rulebook and changes none that was left alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kupa.hearts.presets import PRESETS, chosen_rulebook
from kupa.hearts.rulebook import FIELDS, Rulebook
from kupa.refusal import Refusal
from kupa.server.table_form import (
    BOOKS,
    EMBLEMS,
    HOUSE_CHOICES,
    HOUSE_GROUPS,
    Book,
    all_rules_say,
    as_rules_say,
    form_context,
    house_options,
    house_rules,
    options_of,
    read_value,
)


def as_it_stands(book: Book) -> dict[str, str]:
    """Return what the form sends when only the rulebook's card is tapped."""
    sent = {"game": "hearts"}
    for other in BOOKS:
        sent[f"players-{other.name}"] = str(other.players)
        sent[f"target-{other.name}"] = str(other.target)
        sent[f"target-own-{other.name}"] = ""
    sent |= {f"house-{field}": "" for fields in HOUSE_GROUPS.values() for field in fields}
    return sent | {"rules": book.name}


def rulebook_from(form: dict[str, str]) -> Rulebook | Refusal:
    options = options_of(form)
    return chosen_rulebook(options["rules"], options.get("players"), options["set"])


def test_every_rulebook_is_offered() -> None:
    assert set(EMBLEMS) == set(PRESETS)


def test_every_field_can_be_set() -> None:
    """All fields are among the house rules, but the players and the target, which stand above them."""
    offered = [field for fields in HOUSE_GROUPS.values() for field in fields]
    assert sorted([*offered, "players", "target"]) == sorted(FIELDS)


@pytest.mark.parametrize("book", BOOKS, ids=[book.name for book in BOOKS])
def test_a_card_that_is_tapped_gives_the_rulebook_as_it_stands(book: Book) -> None:
    assert rulebook_from(as_it_stands(book)) == PRESETS[book.name].rulebook()


@pytest.mark.parametrize("book", BOOKS, ids=[book.name for book in BOOKS])
def test_every_number_of_players_and_every_target_that_is_offered_can_be_played(book: Book) -> None:
    for players, _ in book.player_choices:
        for target, _ in book.target_choices:
            form = as_it_stands(book) | {f"players-{book.name}": players, f"target-{book.name}": target}
            made = rulebook_from(form)
            assert isinstance(made, Rulebook)
            assert (made.players, made.target) == (int(players), int(target))


@pytest.mark.parametrize("book", BOOKS, ids=[book.name for book in BOOKS])
def test_what_is_told_of_a_deal_is_what_is_dealt(book: Book) -> None:
    for deal in book.deals:
        made = PRESETS[book.name].rulebook(deal.players)
        assert (deal.hand, deal.removed, deal.over) == (made.hand_size, made.removed, made.kitty_size)


@pytest.mark.parametrize(
    ("field", "sent"), [(field, sent) for field, values in HOUSE_CHOICES.items() for sent in values]
)
def test_every_value_of_a_list_reaches_the_rulebook(field: str, sent: str) -> None:
    assert house_rules({f"house-{field}": sent}) == {field: HOUSE_CHOICES[field][sent]}


@pytest.mark.parametrize("language", ["tr", "en"])
@pytest.mark.parametrize("field", [*HOUSE_CHOICES, "pass_cycle"])
def test_every_list_says_something_different_for_each_value(field: str, language: str) -> None:
    said = as_rules_say(language, "parlour", 5)[field]
    options = house_options(language, field, said)
    assert field == "pass_cycle" or said in options[0][1]
    assert options[0][0] == ""
    assert len({said for _, said in options}) == len(options)


def test_the_directions_make_one_cycle() -> None:
    form = {"house-pass_cycle-0": "right", "house-pass_cycle-1": "", "house-pass_cycle-2": "hold"}
    assert house_rules(form) == {"pass_cycle": ["right", "hold"]}


def test_a_rematch_may_send_a_longer_cycle_than_the_form_offers() -> None:
    cycle = ["left", "left", "right", "right", "across", "hold"]
    form = {f"house-pass_cycle-{place}": direction for place, direction in enumerate(cycle)}
    assert house_rules(form) == {"pass_cycle": cycle}


@pytest.mark.parametrize("book", BOOKS, ids=[book.name for book in BOOKS])
def test_what_is_as_the_rulebook_says_overrides_nothing(book: Book) -> None:
    """Or every table would be called one with house rules."""
    assert options_of(as_it_stands(book))["set"] == {}


def test_cards_taken_out_may_be_written_with_spaces_or_commas() -> None:
    assert read_value("removed", " 2d, 3C  10c") == ["2d", "3C", "10c"]
    assert read_value("removed", "-") == []


FIVE = {
    "players-klasik": "other",
    "players-own-klasik": "5",
    "house-removed": "2C 2D",
    "house-pass_cycle-0": "left",
}


def test_another_number_of_players_than_the_rulebook_knows_can_be_chosen() -> None:
    made = rulebook_from(as_it_stands(BOOKS[0]) | FIVE)
    assert isinstance(made, Rulebook)
    assert (made.players, made.hand_size) == (5, 10)


def test_players_that_are_given_twice_have_to_agree() -> None:
    """A rematch gives the number its own way; where the form gives it too, neither wins in silence."""
    assert isinstance(rulebook_from(as_it_stands(BOOKS[0]) | FIVE | {"house-players": "5"}), Rulebook)
    made = rulebook_from(as_it_stands(BOOKS[0]) | FIVE | {"house-players": "7"})
    assert isinstance(made, Refusal)
    assert (made.field, made.reason) == ("players", "players_twice")


@pytest.mark.parametrize(("players", "choice"), [("4", "4"), ("5", "other")])
def test_the_number_of_a_rematch_is_shown_where_players_are_chosen(players: str, choice: str) -> None:
    """So that a rematch that was refused does not forget its number, nor count it as a change."""
    shown = form_context("en", {"rules": "klasik", "house-players": players})
    assert (shown["form"]["players-klasik"], shown["form"]["players-own-klasik"]) == (choice, players)
    assert shown["changes"] == 0


@pytest.mark.parametrize("language", ["tr", "en"])
def test_a_house_rule_tells_what_every_rulebook_says(language: str) -> None:
    """Of each field and for each number of players: five take out other cards than six."""
    said = all_rules_say(language)
    for book in BOOKS:
        assert list(said[book.name]) == [number for number, _ in book.player_choices]
        for told in said[book.name].values():
            assert set(told) == set(FIELDS) - {"players", "target"}
            assert all(told.values())
    assert said["parlour"]["5"]["removed"] == "2C 2D"
    assert said["parlour"]["6"]["removed"] == "3C 4C 2D 3D"
    assert said["cardems"]["4"]["moon_points"] == "26"


def test_a_target_that_was_chosen_but_not_written_is_refused() -> None:
    """It must not become the rulebook's own without a word."""
    made = rulebook_from(as_it_stands(BOOKS[0]) | {"target-klasik": "other"})
    assert isinstance(made, Refusal)
    assert made.field == "target"


def test_ending_rounds_early_is_an_option_of_the_table() -> None:
    assert "end_early" not in options_of(as_it_stands(BOOKS[0]))
    assert options_of(as_it_stands(BOOKS[0]) | {"house-end_early": "true"})["end_early"] is True


NAMES = st.sampled_from(
    ["rules", "players-klasik", "players-own-klasik", "house-players", "target-klasik", "target-own-klasik"]
    + [f"house-{field}" for field in FIELDS]
    + [f"house-pass_cycle-{place}" for place in range(4)]
)
TEXTS = st.text(max_size=12) | st.sampled_from(
    ["klasik", "parlour", "5", "-1", "٣", "true", "null", "across", "2C"]
)


@given(st.dictionaries(NAMES, TEXTS, max_size=8))
def test_whatever_a_form_sends_becomes_a_rulebook_or_a_refusal(form: dict[str, Any]) -> None:
    assert isinstance(rulebook_from(form), Rulebook | Refusal)
