"""How strong the levels are, measured against the fixed yardsticks in Cardems.

The daily suite plays a few hundred rounds and allows three standard errors; ``KUPA_SOAK=full`` plays 2,000
deals in each seat and allows none, ``KUPA_SOAK=ci`` a tenth of that.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache

import pytest

from kupa.hearts.presets import PRESETS
from tests.bots.measuring import PLAYERS, Clock, Comparison, Figure, compare, play_round

CARDEMS = PRESETS["cardems"].rulebook()
SIZES = {"": 100, "ci": 200, "full": 2000}


def deals_asked() -> int:
    """Return how many deals the environment asks for."""
    asked = os.environ.get("KUPA_SOAK", "")
    if asked not in SIZES:
        raise ValueError(f"KUPA_SOAK is full or ci, or not set, not {asked!r}")
    return SIZES[asked]


@cache
def measured(subject: str, company: str, deals: int) -> Comparison:
    return compare(subject, company, CARDEMS, deals, seed="strength")


def most(figure: Figure, deals: int) -> float:
    """Return the least that a figure may truly be: itself where it was measured in full."""
    return figure.mean - (0 if deals == SIZES["full"] else 3 * figure.error)


def club_takes_few_points_among_random_players(deals: int) -> None:
    found = measured("club", "random", deals)
    assert most(found.own, deals) <= 1.8
    assert found.own.mean < measured("ducker", "random", deals).own.mean


def club_is_better_than_duckers(deals: int) -> None:
    found = measured("club", "ducker", deals)
    less = Figure(-found.difference.mean, found.difference.error)
    assert most(less, deals) <= -1.5
    assert found.difference.mean > 0


def beginner_is_between_ducker_and_random(deals: int) -> None:
    for company in ("random", "ducker"):
        beginner, ducker, blind = (
            measured(name, company, deals) for name in ("beginner", "ducker", "random")
        )
        worse, better = beginner.points_above(ducker), blind.points_above(beginner)
        margin = 3 if deals == SIZES["full"] else 0
        assert worse.mean > margin * worse.error
        assert better.mean > 3 * better.error


def test_club_takes_few_points_among_random_players() -> None:
    """At most 1.8 a round, and fewer than the ducker on the same deals (it takes 2.1)."""
    club_takes_few_points_among_random_players(SIZES[""])


def test_club_is_better_than_duckers() -> None:
    """By 1.5 points a round at least: the mean of the other seats less its own."""
    club_is_better_than_duckers(SIZES[""])


def test_beginner_is_between_ducker_and_random() -> None:
    """Among random players and among duckers it takes more than a ducker and less than a random player."""
    beginner_is_between_ducker_and_random(SIZES[""])


@pytest.mark.soak
def test_club_takes_few_points_among_random_players_at_length() -> None:
    """At most 1.8 a round over all the deals."""
    club_takes_few_points_among_random_players(deals_asked())


@pytest.mark.soak
def test_club_is_better_than_duckers_at_length() -> None:
    """By 1.5 points a round at least over all the deals."""
    club_is_better_than_duckers(deals_asked())


@pytest.mark.soak
def test_beginner_is_between_ducker_and_random_at_length() -> None:
    """In both companies, and by three standard errors where it is measured in full."""
    beginner_is_between_ducker_and_random(deals_asked())


def test_a_decision_of_the_club_bot_is_quick() -> None:
    """Less than a millisecond of processor time on average, passes included."""
    assert measured("club", "ducker", SIZES[""]).ms < 1


# The measuring itself


def test_a_player_among_its_like_is_no_better_than_they() -> None:
    """With one and the same player in every seat the difference over all seats of a deal is nothing."""
    found = measured("ducker", "ducker", 10)
    assert found.difference.mean == pytest.approx(0)
    assert found.own.mean == pytest.approx(found.others.mean)


def test_the_same_seed_gives_the_same_figures_and_another_gives_others() -> None:
    """Deals and luck follow from the seed alone, in one process or two."""
    once, again, other = (
        compare("beginner", "random", CARDEMS, 6, seed, jobs) for seed, jobs in (("a", 1), ("a", 2), ("b", 1))
    )
    assert once.own == again.own
    assert once.own != other.own


def test_every_round_is_counted_whole() -> None:
    """The points of all seats add up to 26, or to three times 26 with a moon."""
    for number in range(20):
        players = [PLAYERS["ducker"]("luck") for _ in range(4)]
        scored = play_round(CARDEMS, f"whole {number}", number, players, Clock())
        assert sum(scored.points) in {26, 78}


def test_the_command_prints_a_table() -> None:
    """One row for each company, in Markdown."""
    words = [sys.executable, "-m", "tests.bots.measuring", "club", "ducker", "random", "--rounds", "2"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 4
    assert lines[2].startswith("| club | ducker | cardems 4 |")


@pytest.mark.parametrize("wrong", [["--players", "9"], ["--rounds", "1"], ["--rules", "whist"], ["nobody"]])
def test_the_command_says_what_is_wrong(wrong: list[str]) -> None:
    """A sentence on the standard error, no traceback."""
    words = [sys.executable, "-m", "tests.bots.measuring", "club", "ducker", *wrong]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "error:" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_slip_in_the_size_of_the_soak_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """``KUPA_SOAK=fulll`` does not pass for a soak."""
    monkeypatch.setenv("KUPA_SOAK", "fulll")
    with pytest.raises(ValueError, match="KUPA_SOAK"):
        deals_asked()
