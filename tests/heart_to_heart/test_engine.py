"""The rules of Heart to Heart, case by case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kupa.heart_to_heart import layout
from kupa.heart_to_heart.codes import deck_of
from kupa.heart_to_heart.commands import ChangeSettings, Start, Tap, Undo
from kupa.heart_to_heart.engine import decide, evolve
from kupa.heart_to_heart.events import (
    Deselected,
    Drawn,
    Event,
    Mismatched,
    Paired,
    Redealt,
    Selected,
    Undone,
)
from kupa.heart_to_heart.state import Place, State
from kupa.refusal import Refusal

from .playing import SHOWN_DEAL, after, begin, deck_with, drawn_from, events_of, tapped

WIN = json.loads((Path(__file__).parents[1] / "vectors" / "heart-win.json").read_text(encoding="utf-8"))


def won() -> State:
    """Return the shown deal, won."""
    return tapped(begin(WIN["code"]), *WIN["taps"])


def test_a_deal_is_laid_out_in_order() -> None:
    """The first 25 cards make the heart, 26 the stock in drawing order, and the last starts the waste."""
    deck = deck_of(SHOWN_DEAL)
    state = begin(SHOWN_DEAL)
    assert "".join(state.rank_at(position) for position in layout.POSITIONS) == deck[:25]
    assert (state.board.stock, state.board.waste) == (deck[25:51], deck[51])
    assert (state.board.score, state.board.moves, state.past, state.selected) == (0, 0, (), None)


def test_the_shown_deal_looks_as_described() -> None:
    """A ten at position 1, a four at the tip, an ace on the waste."""
    state = begin(SHOWN_DEAL)
    assert (state.rank_at(1), state.rank_at(25), state.rank_at("waste")) == ("T", "4", "A")


def test_the_known_win() -> None:
    """Seventy-three moves win the shown deal with 250 points, and the first pair is the tenth move."""
    state = begin(WIN["code"])
    first_pair = None
    for tap in WIN["taps"]:
        assert state.status == "playing"
        (event,) = events_of(state, Tap(tap))
        state = evolve(state, event)
        if isinstance(event, Paired) and first_pair is None:
            first_pair = state.board.moves
    assert first_pair == WIN["first_pair_on_move"] == 10
    assert (state.status, state.board.score, state.board.moves) == ("won", 250, WIN["moves"])
    assert state.board.moves == 73
    assert state.board.stock, "a win does not wait for the stock"


# -- tapping ------------------------------------------------------------------------------------------------


def test_a_free_card_is_selected() -> None:
    """The first tap on the tip selects it and is no move."""
    state = begin(SHOWN_DEAL)
    assert events_of(state, Tap(25)) == (Selected(25),)
    state = tapped(state, 25)
    assert (state.selected, state.board.moves, state.past) == (25, 0, ())


def test_the_top_of_the_waste_is_selected() -> None:
    """The waste can be the first card as well."""
    state = begin(SHOWN_DEAL)
    assert events_of(state, Tap("waste")) == (Selected("waste"),)


@pytest.mark.parametrize("at", [25, "waste"])
def test_the_selected_card_again_is_deselected(at: Any) -> None:
    """A second tap on the selected card takes the selection back."""
    state = tapped(begin(SHOWN_DEAL), at)
    assert events_of(state, Tap(at)) == (Deselected(at),)
    assert tapped(state, at).selected is None


@pytest.mark.parametrize(("first", "second"), [(25, "waste"), ("waste", 25)])
def test_a_card_of_another_rank_becomes_the_selected_one(first: Place, second: Place) -> None:
    """The four at the tip and the ace on the waste do not go together; the second is selected then."""
    state = tapped(begin(SHOWN_DEAL), first)
    assert events_of(state, Tap(second)) == (Mismatched(first, second),)
    state = tapped(state, second)
    assert (state.selected, state.board.moves) == (second, 0)


@pytest.mark.parametrize(("first", "second"), [(25, "waste"), ("waste", 25)])
def test_a_pair_with_the_waste_goes(first: Place, second: Place) -> None:
    """A free card and the top of the waste leave the game for ten points and one move."""
    state = tapped(begin(deck=deck_with({25: "4"}, waste="4")), first)
    assert events_of(state, Tap(second)) == (Paired(first, second),)
    state = tapped(state, second)
    assert (state.free, state.board.waste, state.selected) == ((23, 24), "", None)
    assert (state.board.score, state.board.moves) == (10, 1)


def test_a_pair_within_the_heart_goes() -> None:
    """Two free cards of the heart leave the game for twenty points and one move, and leave gaps."""
    state = begin(deck=deck_with({25: "4", 23: "K", 24: "K"}, waste="4"))
    state = tapped(state, 25, "waste", 23)
    assert events_of(state, Tap(24)) == (Paired(23, 24),)
    state = tapped(state, 24)
    assert state.free == (20, 21, 22)
    assert (state.board.score, state.board.moves) == (30, 2)


@pytest.mark.parametrize("selected", [None, 25, "waste"])
@pytest.mark.parametrize("at", [1, 23, 24])
def test_a_covered_card_does_nothing(selected: Place | None, at: Any) -> None:
    """A tap on a covered card leads to nothing at all, and the selection stays."""
    state = begin(SHOWN_DEAL)
    if selected is not None:
        state = tapped(state, selected)
    assert events_of(state, Tap(at, elapsed_ms=9)) == ()


def test_a_gap_does_nothing() -> None:
    """Nothing happens where a card has gone, and the selection stays."""
    state = tapped(begin(deck=deck_with({25: "4"}, waste="4")), 25, "waste", 24)
    assert events_of(state, Tap(25)) == ()
    assert state.selected == 24


def test_an_empty_waste_does_nothing() -> None:
    """With its last card paired the waste can be tapped in vain."""
    state = tapped(begin(deck=deck_with({25: "4"}, waste="4")), 25, "waste", 23)
    assert events_of(state, Tap("waste")) == ()
    assert state.selected == 23


def test_an_empty_stock_under_an_empty_waste_does_nothing() -> None:
    """With no card outside the heart there is nothing to draw and nothing to deal again."""
    state = begin(SHOWN_DEAL)
    bare = State(state.code, state.deck, type(state.board)(state.board.left, "", ""), selected=25)
    assert events_of(bare, Tap("stock")) == ()
    assert events_of(bare, Tap("waste")) == ()


def test_drawing_turns_the_top_of_the_stock() -> None:
    """The first card of the stock comes onto the waste; one move."""
    state = begin(SHOWN_DEAL)
    assert events_of(state, Tap("stock")) == (Drawn(),)
    drawn = tapped(state, "stock")
    assert drawn.board.waste == state.board.waste + state.board.stock[0]
    assert drawn.board.stock == state.board.stock[1:]
    assert drawn.board.moves == 1


def test_the_stock_deselects_a_card_of_the_waste_only() -> None:
    """A selected waste card is deselected by a draw and a redeal, a selected heart card is not."""
    state = begin(SHOWN_DEAL)
    assert tapped(state, "waste", "stock").selected is None
    assert tapped(state, 25, "stock").selected == 25
    drawn = drawn_from(state, 26)
    assert tapped(drawn, "waste", "stock").selected is None
    assert tapped(drawn, 25, "stock").selected == 25


def test_a_redeal_keeps_the_order_and_is_a_move() -> None:
    """What was drawn first is drawn first again, the card that started the waste before all."""
    state = begin(SHOWN_DEAL)
    drawn = drawn_from(state, 26)
    assert events_of(drawn, Tap("stock")) == (Redealt(),)
    dealt = tapped(drawn, "stock")
    assert dealt.board.stock == state.board.waste + state.board.stock
    assert (dealt.board.waste, dealt.board.moves) == ("", 27)
    assert tapped(dealt, "stock").board.waste == state.board.waste


def test_redeals_are_without_limit() -> None:
    """A hundred redeals in a row are all allowed."""
    state = begin(SHOWN_DEAL)
    for _ in range(100):
        while state.board.stock:
            state = tapped(state, "stock")
        assert events_of(state, Tap("stock")) == (Redealt(),)
        state = tapped(state, "stock")
    assert state.board.stock == deck_of(SHOWN_DEAL)[51] + deck_of(SHOWN_DEAL)[25:51]


@pytest.mark.parametrize("at", ["stock", "waste", 1, 25])
def test_after_a_win_every_tap_does_nothing(at: Any) -> None:
    """Neither the piles nor the gaps answer any more."""
    assert events_of(won(), Tap(at)) == ()


# -- undo ---------------------------------------------------------------------------------------------------


def test_at_first_there_is_nothing_to_undo() -> None:
    """An undo without a move is refused, and a selection is no move."""
    assert decide(begin(SHOWN_DEAL), Undo()) == Refusal("nothing_to_undo")
    assert decide(tapped(begin(SHOWN_DEAL), 25), Undo()) == Refusal("nothing_to_undo")


def test_undo_takes_back_cards_points_and_moves() -> None:
    """A pair returns; its points and its move are gone, and so is the selection."""
    before = begin(deck=deck_with({25: "4"}, waste="4"))
    state = tapped(before, 25, "waste", 24)
    assert events_of(state, Undo()) == (Undone(),)
    assert after(state, Undo()) == before


def test_undo_brings_back_a_draw_and_a_redeal() -> None:
    """Moves of the stock can be taken back like pairs."""
    states = [begin(SHOWN_DEAL)]
    for _ in range(30):
        states.append(tapped(states[-1], "stock"))
    for before in reversed(states[:-1]):
        states[-1] = after(states[-1], Undo())
        assert states[-1] == before


def test_the_last_hundred_moves_can_be_taken_back() -> None:
    """Of 150 moves the last hundred return, then no more: fifty stay."""
    state = drawn_from(begin(SHOWN_DEAL), 150)
    assert len(state.past) == 100
    for _ in range(100):
        state = after(state, Undo())
    assert state.board.moves == 50
    assert state.board == drawn_from(begin(SHOWN_DEAL), 50).board
    assert decide(state, Undo()) == Refusal("nothing_to_undo")


def test_undo_works_after_a_win() -> None:
    """The last pair comes back, and winning again counts 250 once more, not twice."""
    state = after(won(), Undo())
    assert (state.status, state.board.score, state.board.moves) == ("playing", 230, 72)
    state = tapped(state, *WIN["taps"][-2:])
    assert (state.status, state.board.score, state.board.moves) == ("won", 250, 73)


def test_a_new_deal_forgets_the_old_undo() -> None:
    """Whatever was played before, another code, another deck or the same one begins with no move to undo."""
    state = drawn_from(begin(SHOWN_DEAL), 5)
    for start in (Start("HH1-N-AAAAAAA", ""), Start(None, deck_of(SHOWN_DEAL)), Start(SHOWN_DEAL, "")):
        fresh = after(state, start)
        assert fresh.past == ()
        assert decide(fresh, Undo()) == Refusal("nothing_to_undo")


# -- the end ------------------------------------------------------------------------------------------------


def test_a_deal_can_be_stuck_before_the_first_move() -> None:
    """The other three of the tip's rank lie covered in the heart: the notice comes at once."""
    state = begin(deck=deck_with({25: "4", 1: "4", 2: "4", 3: "4"}))
    assert state.status == "stuck"
    assert events_of(state, Tap("stock")) == (Drawn(),)
    assert tapped(state, "stock").status == "stuck"
    assert events_of(state, Tap(25)) == (Selected(25),)


@pytest.mark.parametrize("place", range(25, 52))
def test_a_partner_anywhere_outside_the_heart_keeps_the_game_alive(place: int) -> None:
    """One card of the tip's rank in stock or waste is enough, wherever it lies."""
    deck = list(deck_with({25: "4", 1: "4", 2: "4", 3: "4"}))
    deck[place], deck[0] = deck[0], deck[place]
    state = begin(deck="".join(deck))
    assert state.status == "playing"
    for _ in range(60):
        state = tapped(state, "stock")
        assert state.status == "playing"


def test_two_free_cards_of_one_rank_keep_the_game_alive() -> None:
    """A pair within the heart is a move although no partner is left outside."""
    heart = {25: "4", 23: "K", 24: "K", 1: "K", 2: "K"}
    state = tapped(begin(deck=deck_with(heart, waste="4")), 25, "waste")
    assert state.status == "playing"
    assert tapped(state, 23, 24).status != "won"


def test_undo_works_after_the_notice_that_no_move_is_left() -> None:
    """A pair that leads into a dead end can be taken back."""
    heart = {25: "4", 23: "K", 24: "Q", 1: "K", 2: "K", 3: "K", 4: "Q", 5: "Q", 6: "Q"}
    state = tapped(begin(deck=deck_with(heart, waste="4")), 25, "waste")
    assert state.status == "stuck"
    assert after(state, Undo()).status == "playing"


# -- the clock ----------------------------------------------------------------------------------------------


def test_the_clock_is_kept_and_never_goes_down() -> None:
    """The playing time told with a tap or an undo is kept; a smaller one changes nothing."""
    state = after(begin(SHOWN_DEAL), Tap("stock", elapsed_ms=1500))
    assert state.elapsed_ms == 1500
    state = after(state, Tap("stock", elapsed_ms=700))
    assert state.elapsed_ms == 1500
    state = after(state, Undo(elapsed_ms=2000))
    assert state.elapsed_ms == 2000
    assert tapped(state, 25).elapsed_ms == 2000


# -- events that cannot have happened -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "event",
    [
        Redealt(),
        Paired(25, "waste"),
        Paired(25, 25),
        Paired("waste", "waste"),
        Paired(1, 3),
        Selected(1),
        Deselected(25),
        Mismatched(25, "waste"),
        Undone(),
    ],
)
def test_a_log_that_cannot_have_happened_is_told_from_a_true_one(event: Event) -> None:
    """Applying an event that the rules do not allow here raises, so that no forged record replays."""
    with pytest.raises(ValueError, match=r"."):
        evolve(begin(SHOWN_DEAL), event)


def test_more_events_that_cannot_have_happened() -> None:
    """A draw after a win, a second selection, a mismatch of equal ranks, and any event before the first."""
    with pytest.raises(ValueError, match="drawn"):
        evolve(won(), Drawn())
    with pytest.raises(ValueError, match="selected"):
        evolve(tapped(begin(SHOWN_DEAL), 25), Selected("waste"))
    with pytest.raises(ValueError, match="same rank"):
        evolve(tapped(begin(deck=deck_with({25: "4"}, waste="4")), 25), Mismatched(25, "waste"))
    with pytest.raises(ValueError, match="begins"):
        evolve(None, Drawn())
    with pytest.raises(ValueError, match="begins"):
        decide(None, Undo())


def test_settings_change_only_when_they_differ() -> None:
    """Asking for the settings that are in force is no event."""
    state = begin(SHOWN_DEAL)
    assert events_of(state, ChangeSettings(move_errors=False, placement_help=True)) == ()
    assert events_of(state, ChangeSettings()) == ()
    state = after(state, ChangeSettings(move_errors=True))
    assert (state.move_errors, state.placement_help) == (True, True)
    state = after(state, ChangeSettings(placement_help=False))
    assert (state.move_errors, state.placement_help) == (True, False)
