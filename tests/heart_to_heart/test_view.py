"""What the player sees: the settings' help, the notice, and the exact keys of the protocol."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kupa.heart_to_heart.commands import ChangeSettings, Tap, Undo
from kupa.heart_to_heart.state import State
from kupa.heart_to_heart.view import View, view

from .playing import SHOWN_DEAL, SHOWN_STATE, after, begin, deck_with, tapped


def seen(state: State) -> Any:
    """Return the view as it comes out of JSON."""
    return msgspec.json.decode(msgspec.json.encode(view(state)))


def test_the_view_of_a_fresh_deal_has_exactly_the_keys_of_the_protocol() -> None:
    """The public state, and what a page needs besides: the player's own playing time and settings."""
    fresh = SHOWN_STATE | {"elapsed_ms": 0, "move_errors": False, "placement_help": True}
    assert list(seen(begin(SHOWN_DEAL)).items()) == list(fresh.items())


def test_gaps_and_empty_piles_are_none() -> None:
    """A card that has gone leaves None; an empty waste has no top; a deck of one's own has no code."""
    shown = view(tapped(begin(deck=deck_with({25: "4"}, waste="4")), 25, "waste"))
    assert shown.heart[24] is None
    assert (shown.waste, shown.waste_top, shown.code) == (0, None, None)
    assert (shown.score, shown.moves, shown.undo) == (10, 1, 1)


PLAYED = tapped(
    begin(deck=deck_with({25: "4", 23: "9", 20: "K", 21: "Q", 24: "K", 19: "8"}, stock="9K", waste="4")),
    25, "waste", "stock", 23, "waste",
)  # fmt: skip
"""Free: 20 a king, 24 a king. The waste is empty, a king is next."""


def test_a_match_within_the_heart_is_framed() -> None:
    """Both kings are free and framed."""
    assert view(PLAYED).free == (20, 24)
    assert view(PLAYED).framed == (20, 24)


def test_a_match_on_top_of_the_waste_is_framed() -> None:
    """A single free card is framed when its match lies on the waste, not when it lies in the stock."""
    state = begin(deck=deck_with({25: "4"}, stock="4", waste="9"))
    assert view(state).framed == ()
    assert view(tapped(state, "stock")).framed == (25,)


def test_a_match_below_the_top_of_the_waste_is_not_framed() -> None:
    """Only the top can be used."""
    state = tapped(begin(deck=deck_with({25: "4"}, stock="4K")), "stock", "stock")
    assert view(state).framed == ()


def test_nothing_is_dimmed_without_a_selection() -> None:
    """Dimming tells what does not match the selected card, so there must be one."""
    assert view(PLAYED).dimmed == ()


def test_what_does_not_match_the_selected_card_is_dimmed() -> None:
    """The other free cards and the waste top; not the selected card, and not its matches."""
    state = begin(deck=deck_with({25: "4", 23: "9", 24: "K"}, stock="9", waste="4"))
    state = tapped(state, 25, "waste", "stock")
    assert view(state).free == (23, 24)
    assert view(tapped(state, 23)).dimmed == (24,)
    assert view(tapped(state, 24)).dimmed == (23, "waste")
    assert view(tapped(state, "waste")).dimmed == (24,)


def test_framing_stays_while_a_card_is_selected() -> None:
    """Frames and dimming are two helps, both at once."""
    shown = view(tapped(PLAYED, 20))
    assert (shown.framed, shown.dimmed) == ((20, 24), ())


def test_without_placement_help_nothing_is_framed_or_dimmed() -> None:
    """The setting turns both off, at the start or later."""
    assert view(tapped(begin(SHOWN_DEAL), 25)).dimmed == ("waste",)
    assert view(tapped(begin(SHOWN_DEAL, placement_help=False), 25)).dimmed == ()
    assert view(PLAYED).framed
    assert view(after(PLAYED, ChangeSettings(placement_help=False))).framed == ()


def mismatch(*, move_errors: bool = False) -> View:
    """Return the view after a mismatch in the shown deal."""
    return view(tapped(begin(SHOWN_DEAL, move_errors=move_errors), 25, "waste"))


def test_a_mismatch_is_told_only_when_asked_for() -> None:
    """The notice is off at first and on with the setting move errors."""
    assert mismatch().notice is None
    assert mismatch(move_errors=True).notice == "must_match"


@pytest.mark.parametrize(
    "command", [Tap("stock"), Tap("waste"), Undo(), ChangeSettings(placement_help=False)]
)
def test_the_notice_is_gone_with_whatever_comes_next(command: Any) -> None:
    """It belongs to the view right after the mismatch and to no later one."""
    state = tapped(begin(SHOWN_DEAL, move_errors=True), "stock", 25, "waste")
    assert view(state).notice == "must_match"
    assert view(after(state, command)).notice is None


def test_a_second_mismatch_is_told_again() -> None:
    """Every mismatch has its own notice."""
    state = tapped(begin(SHOWN_DEAL, move_errors=True), 25, "waste", 25)
    assert view(state).notice == "must_match"


def test_a_won_game_shows_nothing_to_do() -> None:
    """No card is free, framed, dimmed or selected, and the status says why."""
    state = begin(SHOWN_DEAL)
    emptied = msgspec.structs.replace(state, board=msgspec.structs.replace(state.board, left=0))
    shown = view(emptied)
    assert (shown.status, shown.free, shown.framed, shown.dimmed) == ("won", (), (), ())
    assert shown.heart == (None,) * 25
