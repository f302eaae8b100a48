"""Rulebooks: what a table may override, and what is refused with the field's name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kupa.catalogue import LANGUAGES, refusal_text
from kupa.hearts.presets import PRESETS, chosen_rulebook
from kupa.hearts.rulebook import CHOICES, FIELDS, Rulebook, RulebookError, rulebook_of
from kupa.refusal import Refusal


@pytest.mark.parametrize(
    ("name", "players", "overrides", "field"),
    [
        ("cardems", 2, {}, "players"),
        ("cardems", 12, {}, "players"),
        ("cardems", 8, {}, "players"),
        ("cancellation", 5, {}, "players"),
        ("cardems", 5, {}, "kitty"),
        ("cardems", 4, {"players": 5}, "players"),
        ("cardems", None, {"players": "4"}, "players"),
        ("cardems", None, {"players": None}, "players"),
        ("cardems", None, {"decks": 3}, "decks"),
        ("cardems", None, {"decks": True}, "decks"),
        ("cardems", None, {"removed": ["QS"]}, "removed"),
        ("cardems", None, {"removed": ["2H"]}, "removed"),
        ("cardems", None, {"removed": ["2C", "2C", "2D", "2S"]}, "removed"),
        ("cardems", None, {"removed": "2C"}, "removed"),
        ("cardems", None, {"removed": ["2X"]}, "removed"),
        ("cardems", None, {"removed": [2]}, "removed"),
        ("cardems", None, {"removed": ["2C"]}, "kitty"),
        ("cardems", None, {"kitty": "last_trick"}, "kitty"),
        ("cardems", None, {"pass_count": 5}, "pass_count"),
        ("cardems", None, {"pass_count": -1}, "pass_count"),
        ("cardems", None, {"pass_count": 3.0}, "pass_count"),
        ("cardems", None, {"pass_cycle": []}, "pass_cycle"),
        ("cardems", None, {"pass_cycle": ["up"]}, "pass_cycle"),
        ("parlour", 5, {"pass_cycle": ["across"]}, "pass_cycle"),
        ("cardems", None, {"opening": "dealer"}, "opening"),
        ("cancellation", None, {"opening": "lowest_club"}, "opening"),
        (
            "parlour",
            3,
            {"removed": [f"{rank}C" for rank in "23456789TJQKA"]},
            "opening",
        ),
        ("cardems", None, {"first_trick": "hearts"}, "first_trick"),
        ("cardems", None, {"broken_by": None}, "broken_by"),
        ("cardems", None, {"queen_points": -1}, "queen_points"),
        ("cardems", None, {"heart_points": "1"}, "heart_points"),
        ("cardems", None, {"bonus_card": "QD"}, "bonus_card"),
        ("omnibus", 3, {"removed": ["JD"]}, "bonus_card"),
        ("cardems", None, {"moon": "both"}, "moon"),
        ("cardems", None, {"moon_points": 20}, "moon_points"),
        ("cardems", None, {"moon_points": 52}, "moon_points"),
        ("cardems", None, {"moon_needs_bonus": True}, "moon_needs_bonus"),
        ("cardems", None, {"moon_needs_bonus": 1, "bonus_card": "JD"}, "moon_needs_bonus"),
        ("cardems", None, {"target": 0}, "target"),
        ("cardems", None, {"target": True}, "target"),
        ("cardems", None, {"target": 99.5}, "target"),
        ("cardems", None, {"tie": "split"}, "tie"),
        ("cardems", None, {"perfect_round": "no"}, "perfect_round"),
        ("cardems", None, {"cancellation": True}, "cancellation"),
        ("cardems", None, {"speed": 3}, "speed"),
    ],
)
def test_what_cannot_be_is_refused_with_the_name_of_the_field(
    name: str, players: int | None, overrides: dict[str, Any], field: str
) -> None:
    """Each impossible value or combination is bad_rules, and names its field in both languages."""
    refusal = chosen_rulebook(name, players, overrides)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.field) == ("bad_rules", field)
    assert all(refusal_text(language, refusal) for language in LANGUAGES)


@pytest.mark.parametrize(
    ("name", "players", "overrides"),
    [
        ("klasik", None, {"target": 50}),
        ("parlour", 3, {"removed": ["2c"]}),
        ("cardems", None, {"players": 5, "removed": ["2C", "2D"], "pass_cycle": ["left", "right"]}),
        ("cardems", None, {"players": 5, "kitty": "first_trick", "pass_cycle": ["left"]}),
        ("omnibus", 4, {"bonus_card": "TD", "moon_needs_bonus": True}),
        ("cancellation", 8, {"cancellation": False, "pass_count": 4, "pass_cycle": ["across"]}),
        ("cancellation", 6, {"kitty": "none", "removed": ["2C", "2C"]}),
        ("parlour", 7, {"decks": 2, "opening": "left_of_dealer", "kitty": "first_trick", "moon_points": 52}),
    ],
)
def test_any_field_may_be_overridden(name: str, players: int | None, overrides: dict[str, Any]) -> None:
    """A table's own rules are a rulebook as good as a preset."""
    assert isinstance(chosen_rulebook(name, players, overrides), Rulebook)


def test_a_fields_cards_are_told_in_deck_order() -> None:
    """Removed cards are read as people write them, and told in deck order."""
    book = chosen_rulebook("parlour", 6, {"removed": ["4c", "3d", "2D", "3C"]})
    assert isinstance(book, Rulebook)
    assert book.removed == ("3C", "4C", "2D", "3D")


def test_an_impossible_rulebook_cannot_be_made_at_all() -> None:
    """Making the value itself raises, so nobody can hold one."""
    fields = PRESETS["cardems"].fields(4)
    with pytest.raises(RulebookError, match="target"):
        Rulebook(**{**fields, "target": 0})


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 200),
    st.floats(),
    st.sampled_from(sorted({str(v) for values in CHOICES.values() for v in values})),
    st.lists(st.sampled_from(["left", "right", "across", "hold", "2C", "QS", "TD", "x"]), max_size=4),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
)


@given(
    name=st.sampled_from(sorted(PRESETS)),
    overrides=st.dictionaries(st.sampled_from([*FIELDS, "nonsense"]), VALUES, max_size=5),
)
def test_whatever_is_asked_for_is_a_rulebook_or_a_refusal_that_names_a_field(
    name: str, overrides: dict[str, Any]
) -> None:
    """Fuzzed overrides never raise, and a rulebook that comes out can be dealt."""
    book = chosen_rulebook(name, None, overrides)
    if isinstance(book, Refusal):
        assert book.code == "bad_rules"
        assert book.field in {*FIELDS, "nonsense"}
        assert all(refusal_text(language, book) for language in LANGUAGES)
    else:
        assert book.hand_size * book.players + book.kitty_size == len(book.deck) == book.deck_size
        assert book.pass_count <= book.hand_size
        assert rulebook_of({field: getattr(book, field) for field in FIELDS}) == book


def test_an_unknown_rulebook_is_refused_by_name() -> None:
    """The refusal lists the rulebooks that there are."""
    refusal = chosen_rulebook("bridge")
    assert isinstance(refusal, Refusal)
    assert refusal.code == "unknown_rules"
    assert "omnibus" in refusal_text("en", refusal)
