"""OpenSpiel, which shares no line with us, plays the same Hearts (:mod:`.openspiel_peer` says which)."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import pytest

from kupa.hearts.presets import PRESETS

from .openspiel_peer import (
    HEARTS_ALONE,
    HEARTS_AND_QUEEN,
    MOON_SHOT,
    MOON_WITH_JACK,
    ONLY_PENALTIES,
    QUEEN_ALONE_BARRED,
    QUEEN_BROKE,
    SETTINGS,
    Disagreement,
    Setting,
    compare_rounds,
    flags_of,
    require_openspiel,
    rounds_asked,
)

each_setting = pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
EXPRESSIBLE = ("pass_cards", "no_pts_on_first_trick", "jd_bonus", "qs_breaks_hearts")
TRIED = 400
"""Rounds of rare positions within which a difference of rule has to show."""


@pytest.fixture(scope="module")
def pyspiel() -> Any:
    return require_openspiel()


@pytest.mark.soak
@each_setting
def test_random_rounds_agree(pyspiel: Any, setting: Setting) -> None:
    """Legal sets, tricks and points agree in every random round; where the queen alone is barred is rare."""
    rounds = rounds_asked()
    met = compare_rounds(pyspiel, setting, rounds)
    # A seat without a club that holds the queen: about one round in sixty.
    assert met[QUEEN_ALONE_BARRED] <= (2 + rounds // 33 if setting.rulebook.first_trick == "queen" else 0)


@pytest.mark.soak
@each_setting
def test_rounds_dealt_for_rare_positions_agree(pyspiel: Any, setting: Setting) -> None:
    """Legal sets, tricks and points agree where rules have exceptions, and every exception was met."""
    met = compare_rounds(pyspiel, setting, max(100, rounds_asked() // 10), corners=True)
    book = setting.rulebook
    exceptions = {ONLY_PENALTIES, HEARTS_ALONE, HEARTS_AND_QUEEN, MOON_SHOT}
    if book.broken_by == "heart_or_queen":
        exceptions.add(QUEEN_BROKE)
    if book.first_trick == "queen":
        exceptions.add(QUEEN_ALONE_BARRED)
    assert not exceptions - met.keys(), met


def test_the_jack_of_diamonds_counts_besides_a_moon(pyspiel: Any) -> None:
    """Under Omnibus, moons with the jack of diamonds and moons without it agree."""
    met = compare_rounds(pyspiel, SETTINGS["omnibus"], 600, corners=True)
    assert 0 < met[MOON_WITH_JACK] < met[MOON_SHOT]


def test_every_flag_of_openspiel_is_accounted_for(pyspiel: Any) -> None:
    """The peer is told every flag that its game has, so that none is left at a value nobody chose."""
    known = pyspiel.load_game("hearts").get_type().parameter_specification
    assert all(set(setting.flags) == set(known) for setting in SETTINGS.values())


def test_every_combination_that_can_be_expressed_is_compared() -> None:
    """The settings hold all sixteen combinations of the four flags that rulebooks express."""
    combinations = {tuple(setting.flags[flag] for flag in EXPRESSIBLE) for setting in SETTINGS.values()}
    assert len(combinations) == 2 ** len(EXPRESSIBLE)
    assert any(setting.rulebook == PRESETS["cardems"].rulebook() for setting in SETTINGS.values())


@pytest.mark.parametrize(
    "flag",
    ["can_lead_any_club", "must_break_hearts", "can_lead_hearts_instead_of_qs", "avoid_all_tricks_bonus"],
)
def test_a_rule_that_we_cannot_express_shows(pyspiel: Any, flag: str) -> None:
    """Each of the other four flags, turned over, leads to a difference: it is no rule of ours."""
    _differs_with(pyspiel, SETTINGS["parlour"], flag)


@pytest.mark.parametrize("flag", ["no_pts_on_first_trick", "jd_bonus", "qs_breaks_hearts", "pass_cards"])
@pytest.mark.parametrize("name", ["klasik", "parlour", "omnibus"])
def test_a_flag_that_contradicts_the_rulebook_shows(pyspiel: Any, name: str, flag: str) -> None:
    """A rulebook compared with a flag turned over leads to a difference: agreement means something."""
    _differs_with(pyspiel, SETTINGS[name], flag)


def _differs_with(pyspiel: Any, setting: Setting, flag: str) -> None:
    flags = flags_of(setting.rulebook)
    turned = replace(setting, flags={**flags, flag: not flags[flag]})
    with pytest.raises(Disagreement, match="setting: "):
        compare_rounds(pyspiel, turned, TRIED, corners=True)


def test_openspiel_may_be_missing_but_not_on_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without OpenSpiel these tests are skipped with the reason; on CI they fail with it."""
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="OpenSpiel is not installed"):
        require_openspiel()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="OpenSpiel is not installed"):
        require_openspiel()


@pytest.mark.parametrize(("asked", "rounds"), [("full", 10_000), ("ci", 1_000), ("", 50)])
def test_the_environment_says_how_many_rounds(
    monkeypatch: pytest.MonkeyPatch, asked: str, rounds: int
) -> None:
    """KUPA_SOAK sets the number of random rounds."""
    monkeypatch.setenv("KUPA_SOAK", asked)
    assert rounds_asked() == rounds


def test_an_unknown_size_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slip in KUPA_SOAK does not pass for a soak."""
    monkeypatch.setenv("KUPA_SOAK", "fulll")
    with pytest.raises(ValueError, match="fulll"):
        rounds_asked()
