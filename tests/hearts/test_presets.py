"""The presets, field by field as their sources describe them."""

from __future__ import annotations

import pytest

from kupa.hearts.presets import PRESETS


def test_presets_are_what_their_sources_say() -> None:
    """The fields in which the six rulebooks differ."""
    told = {
        name: (
            book.players,
            book.first_trick,
            book.broken_by,
            book.moon,
            book.moon_points,
            book.target,
            book.tie,
            book.perfect_round,
        )
        for name, book in ((name, preset.rulebook()) for name, preset in PRESETS.items())
    }
    assert told == {
        "cardems": (4, "points", "heart", "add", 26, 100, "play_on", False),
        "klasik": (4, "queen", "heart", "add", 13, 100, "share", False),
        "ozel": (4, "queen", "heart", "add", 13, 100, "play_on", True),
        "parlour": (4, "points", "heart_or_queen", "choice", 26, 100, "share", False),
        "omnibus": (4, "points", "heart_or_queen", "choice", 26, 100, "share", False),
        "cancellation": (7, "points", "heart_or_queen", "add", 52, 200, "share", False),
    }


@pytest.mark.parametrize(
    ("players", "removed", "hand", "lowest_club"),
    [
        (3, ("2D",), 17, "2C"),
        (4, (), 13, "2C"),
        (5, ("2C", "2D"), 10, "3C"),
        (6, ("3C", "4C", "2D", "3D"), 8, "2C"),
        (7, ("3C", "2D", "3D"), 7, "2C"),
    ],
)
def test_the_parlour_game_takes_cards_out_so_that_hands_come_out_equal(
    players: int, removed: tuple[str, ...], hand: int, lowest_club: str
) -> None:
    """Three to seven players, the cards removed, the hands, and what opens."""
    for name in ("parlour", "omnibus"):
        book = PRESETS[name].rulebook(players)
        assert (book.removed, book.hand_size, book.kitty_size) == (removed, hand, 0)
        assert book.deck[0] == {"2C": 0, "3C": 1}[lowest_club]
        cycle = ("left", "right", "across", "hold") if players == 4 else ("left", "right")
        assert book.pass_cycle == cycle


@pytest.mark.parametrize(("players", "kitty"), [(6, 2), (7, 6), (8, 0), (9, 5), (10, 4), (11, 5)])
def test_cancellation_deals_as_far_as_it_goes_evenly(players: int, kitty: int) -> None:
    """What two packs leave over is the kitty."""
    assert PRESETS["cancellation"].rulebook(players).kitty_size == kitty
