"""How strong the levels are, measured against the fixed yardsticks in Cardems.

The daily suite plays a few hundred rounds and allows three standard errors; ``KUPA_SOAK=full`` plays 2,000
deals in each seat and allows none, ``KUPA_SOAK=ci`` a tenth of that.
"""

from __future__ import annotations

import os
import time
from functools import cache

import pytest

from kupa.arena.tally import Figure
from kupa.bots.levels import new_player
from kupa.bots.player import Player
from kupa.game import Json
from kupa.hearts.presets import PRESETS
from kupa.hearts.view import View
from tests.bots.measuring import PLAYERS, Comparison, compare, play_round

CARDEMS = PRESETS["cardems"].rulebook()
SIZES = {"": 100, "ci": 200, "full": 2000}


class Timed:
    """A player whose decisions are timed, in processor time: a busy machine is not its fault."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.decisions, self.seconds = 0, 0.0

    def told(self, event: Json) -> None:
        self._player.told(event)

    def choose(self, view: View) -> Json:
        began = time.process_time()
        command = self._player.choose(view)
        self.seconds += time.process_time() - began
        self.decisions += 1
        return command


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
    assert most(found.difference, deals) <= -1.5
    assert found.difference.mean < 0


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
    """By 1.5 points a round at least: its own less the mean of the other seats."""
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
    player = Timed(new_player("club", "luck"))
    for number in range(20):
        others = [PLAYERS["ducker"]("luck") for _ in range(3)]
        play_round(CARDEMS, f"quick {number}", number, [player, *others])
    assert player.decisions >= 20 * 13
    assert 1000 * player.seconds / player.decisions < 1


# The measuring itself


def test_a_player_among_its_like_is_no_better_than_they() -> None:
    """With one and the same player in every seat the difference over all seats of a deal is nothing."""
    found = measured("ducker", "ducker", 10)
    assert found.difference.mean == pytest.approx(0)
    assert found.own.mean >= 6.5


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
        scored = play_round(CARDEMS, f"whole {number}", number, players)
        assert sum(scored.points) in {26, 78}


def test_a_slip_in_the_size_of_the_soak_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """``KUPA_SOAK=fulll`` does not pass for a soak."""
    monkeypatch.setenv("KUPA_SOAK", "fulll")
    with pytest.raises(ValueError, match="KUPA_SOAK"):
        deals_asked()
