"""The beginner slips, but never in a way that nobody would."""

from __future__ import annotations

import pytest

from kupa.bots.beginner import Beginner
from kupa.cards import BY_TEXT
from kupa.hearts.view import view
from tests.bots.scenes import Scene, rulebook
from tests.bots.test_club import hands

LUCKS = [f"luck {number}" for number in range(60)]


def cards(at: Scene) -> set[str]:
    """Return what beginners with all kinds of luck play."""
    return {at.card(Beginner(luck)) for luck in LUCKS}


def test_it_always_throws_the_queen_away_when_it_may() -> None:
    """On a club that it cannot follow, whatever its luck."""
    at = Scene(rulebook("klasik"), hands("QS/5S")).play("2C AC 6C 6S KC 7C")
    assert cards(at) == {"QS"}


def test_it_never_takes_a_trick_with_points_that_it_can_leave() -> None:
    """With a heart lying in a trick of diamonds, every luck stays under."""
    at = Scene(rulebook("klasik"), hands("AD/5D")).play("2C AC 6C 6H KD 6D 7H")
    assert cards(at) <= {"2D", "3D", "4D"}


def test_it_never_goes_over_in_spades_while_somebody_may_still_drop_the_queen() -> None:
    """With the king and a low spade, it plays low under the jack."""
    at = Scene(rulebook("klasik"), hands("TD/KS", "9D/2S")).play("2C AC 6C 6H JS")
    assert not cards(at) & {"KS"}


def test_it_slips_now_and_then_where_nothing_lies() -> None:
    """To a harmless diamond some take the trick, some stay under."""
    at = Scene(rulebook("klasik"), hands("AD/5D")).play("2C AC 6C 6S KD 6D 7S")
    assert "AD" in cards(at)
    assert len(cards(at)) > 1


def test_it_never_throws_the_bonus_card_away() -> None:
    """The jack of diamonds is no worry, so that other cards go first."""
    at = Scene(rulebook("omnibus"), hands("JD/TS")).play("2C AC 6C")
    assert "JD" not in cards(at)


@pytest.mark.parametrize("luck", LUCKS[:20])
def test_it_passes_the_queen_and_what_may_catch_her(luck: str) -> None:
    """Whatever its luck, two of the three cards that worry it most go, and never a card below the nine."""
    hand = "2C 3C 4C KC 2D 3D 4D 9D AS QS 4S 2H KH"
    seen = view(Scene(rulebook("cardems"), [hand], round_number=0).state, 0)
    passed = set(Beginner(luck).choose(seen)["cards"])
    assert len(passed & {"QS", "AS", "KH"}) >= 2
    assert all(BY_TEXT[card] & 15 >= 7 for card in passed)
