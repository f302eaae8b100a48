"""Hearts with two decks: equal cards, cancelled tricks, and the kitty that nobody but its taker knows."""

from __future__ import annotations

import pytest

from tests.referee.asking import Asking, Table, deal, legal

CANCELLED_AT_FIRST = (
    "2C QS 2H 3H 4H",
    "2C QS 2H 3H 4H",
    "5H 5H 6H 6H 3D",
    "7H 7H 8H 8H 9H",
    "9H TH TH JH JH",
    "QH QH KH KH AH",
)
"""Both clubs of this deck fall on the first trick, where seats 3 to 5 hold nothing but hearts."""

CANCELLED_AT_LAST = (
    "2C QS AH KH QH",
    "2C QS 2H 3H 4H",
    "5H 5H 6H 6H 3D",
    "7H 7H 8H 8H 9H",
    "3D TH TH JH JH",
    "AH 2H 3H 4H 9H",
)
"""Here both queens of spades fall on the last trick, led by seat 0."""


def first_cancelled() -> Table:
    table = deal("cancellation", *CANCELLED_AT_FIRST, kitty="AH 3D")
    assert legal(table) == "2C"
    table.play_out("2C", "2C")
    assert legal(table) == "3D"
    table.play_out("3D", "7H", "9H", "QH")
    return table


def test_a_cancelled_trick_stays_with_the_kitty_for_the_next_taker() -> None:
    """Nobody takes it, the same player leads again, and the next taker gets it, kitty and all."""
    table = first_cancelled()
    state = table.state()
    assert state["tricks"][0]["winner"] is None
    assert state["tricks"][0]["points"] == 0
    assert state["taken"] == [0] * 6
    assert state["turn"] == 0
    assert state["pile"] == ["2C", "2C", "3D", "3D", "7H", "9H", "QH", "AH"]
    assert table.view(3)["pile_count"] == 8
    assert [table.view(seat)["kitty"] for seat in range(6)] == [2] * 6
    assert legal(table) == "QS 2H 3H 4H"
    table.play_out("2H", "2H", "5H", "7H", "TH", "KH")
    state = table.state()
    assert state["tricks"][1]["winner"] == state["turn"] == 5
    assert state["pile"] == []
    assert state["taken"] == [0, 0, 0, 0, 0, 10]
    table.check_views()


def test_the_kitty_is_its_takers_secret() -> None:
    """Its taker alone sees its cards and counts its heart; the others count what lay face up."""
    table = first_cancelled()
    table.play_out("2H", "2H", "5H", "7H", "TH", "KH")
    for seat in range(6):
        view = table.view(seat)
        mine = seat == 5
        assert view["kitty"] == (["3D", "AH"] if mine else 2)
        assert view["taken"] == [0, 0, 0, 0, 0, 10 if mine else 9]
        assert [trick["points"] for trick in view["tricks"]] == [0, 10 if mine else 9]
        assert view["last_trick"]["points"] == (10 if mine else 9)
        assert view["last_trick"]["cards"] == table.state()["tricks"][-1]["cards"]


def test_cancelled_penalty_cards_count_and_make_a_moon_of_28_cards() -> None:
    """Two equal queens take nothing but are taken: all 28 penalty cards are 52 points, and the moon."""
    table = first_cancelled()
    table.play_out("2H", "2H", "5H", "7H", "TH", "KH", "KH", "3H", "3H", "5H", "8H", "TH")
    table.play_out("QH", "4H", "4H", "6H", "8H", "JH", "AH", "QS", "QS", "6H", "9H", "JH")
    table.check_views()
    state = table.state()
    last = state["last_round"]
    assert [trick["winner"] for trick in last["tricks"]] == [None, 5, 5, 5, 5]
    assert last["raw"] == [0, 0, 0, 0, 0, 52]
    assert last["shooter"] == 5
    assert state["totals"] == [52, 52, 52, 52, 52, 0]
    assert last["kitty"] == ["3D", "AH"]
    assert (state["round"], state["turn"], state["dealer"]) == (1, 1, 0)


def test_the_leader_takes_a_last_trick_that_is_all_cancelled() -> None:
    """Nothing is left lying: the leader of the last trick takes it, here for a moon."""
    table = deal("cancellation", *CANCELLED_AT_LAST, kitty="KH QH")
    table.play_out("2C", "2C", "3D", "7H", "3D", "AH")
    table.play_out("AH", "2H", "5H", "7H", "TH", "2H", "KH", "3H", "5H", "8H", "TH", "3H")
    table.play_out("QH", "4H", "6H", "8H", "JH", "4H")
    assert table.state()["taken"] == [22, 0, 0, 0, 0, 0]
    replies = [
        table.ask({"do": "play", "seat": 0, "card": "QS"}),
        table.ask({"do": "play", "seat": 1, "card": "QS"}),
    ]
    for seat, card in ((2, "6H"), (3, "9H"), (4, "JH"), (5, "9H")):
        replies.append(table.ask({"do": "play", "seat": seat, "card": card}))
    last = replies[-1]["state"]["last_round"]
    assert last["raw"] == [52, 0, 0, 0, 0, 0]
    assert last["points"] == [0, 52, 52, 52, 52, 52]
    assert last["tricks"][-1]["points"] == 30


def test_a_trick_record_has_no_winner_where_all_is_cancelled() -> None:
    """The protocol says so of every trick whose suit led is all cancelled, the last one not excepted."""
    table = deal("cancellation", *CANCELLED_AT_LAST, kitty="KH QH")
    table.play_out("2C", "2C", "3D", "7H", "3D", "AH")
    table.play_out("AH", "2H", "5H", "7H", "TH", "2H", "KH", "3H", "5H", "8H", "TH", "3H")
    table.play_out("QH", "4H", "6H", "8H", "JH", "4H", "QS", "QS", "6H", "9H", "JH", "9H")
    tricks = table.state()["last_round"]["tricks"]
    assert [trick["winner"] for trick in tricks] == [None, 0, 0, 0, None]


TWO_ACES = (
    "AC QS 2H 3H 4H",
    "AC QS 2H 3H 4H",
    "4C 5H 5H 6H 6H",
    "3C 7H 7H 8H 8H",
    "AS 9H 9H TH TH",
    "5D JH JH QH QH",
)
"""Hands of which two hold an ace of clubs, with kitty KH KH AH AH."""


def test_the_highest_card_left_takes_and_the_suit_led_stays_led() -> None:
    """Cancelled aces lose to a lone low card of the suit; a higher card of another suit takes nothing."""
    table = deal("cancellation", *TWO_ACES, kitty="KH KH AH AH")
    table.play_out("AC", "AC")
    assert legal(table) == "4C"
    table.play_out("4C", "3C", "AS", "5D")
    state = table.state()
    assert state["tricks"][0]["winner"] == state["turn"] == 2
    assert state["taken"] == [0, 0, 4, 0, 0, 0]
    assert table.view(0)["taken"] == [0] * 6


@pytest.mark.parametrize(("cancels", "winner"), [(True, 2), (False, 0)])
def test_without_cancelling_the_first_of_equal_cards_takes(cancels: bool, winner: int) -> None:
    """Of two aces the first played takes the trick, unless they cancel each other."""
    table = deal("cancellation", *TWO_ACES, kitty="KH KH AH AH", set={"cancellation": cancels})
    table.play_out("AC", "AC", "4C", "3C", "AS", "5D")
    assert table.state()["tricks"][0]["winner"] == winner


def test_two_equal_cards_may_both_be_passed_and_are_shown_once_among_the_legal() -> None:
    """Equal cards are interchangeable: both go if both are held, and naming the card plays one of them."""
    asking = Asking()
    changes = {"pass_count": 2, "pass_cycle": ["left"]}
    for number in range(50):
        state = asking.new("cancellation", players=6, seed=str(number), set=changes)
        twice = [card for card in state["hands"][0] if state["hands"][0].count(card) == 2 and card[1] == "C"]
        once = [card for card in state["hands"][0] if state["hands"][0].count(card) == 1]
        if twice:
            break
    request = {"do": "pass", "seat": 0, "cards": [once[0], once[0]]}
    assert asking.code(request) == "duplicate_card"
    assert asking.accepted(request | {"cards": twice[:1] * 2})["state"]["passed"][0] == twice[:1] * 2
    state = asking.new("cancellation", players=6, seed=str(number))
    assert state["legal"].count(twice[0]) == 1
    state = asking.accepted({"do": "play", "seat": 0, "card": twice[0]})["state"]
    assert state["hands"][0].count(twice[0]) == 1


def test_each_copy_of_the_bonus_card_counts() -> None:
    """With two decks each jack of diamonds is worth -10, and a moon that needs the bonus needs both."""
    hands = (
        "JD AH KH QH 2H",
        "JD 2H 3H 3H 4H",
        "QD 4H 5H 5H 6H",
        "3D 6H 7H 7H 8H",
        "4D 8H 9H 9H TH",
        "5D TH JH JH QH",
    )
    changes = {"bonus_card": "JD", "cancellation": False, "moon_needs_bonus": True}
    table = deal("cancellation", *hands, kitty="QS QS KH AH", set=changes)
    table.play_out("JD", "JD", "QD", "3D", "4D", "5D")
    table.check_views()
    state = table.state()
    assert state["tricks"][0]["winner"] == 2
    assert state["taken"][2] == 28
    judge = table.judge
    while len(judge.rounds) == 0:
        table.play_out(judge.legal()[0])
    last = table.state()["last_round"]
    assert last["bonus"] == [2]
    assert last["points"][2] == last["raw"][2] - 20
