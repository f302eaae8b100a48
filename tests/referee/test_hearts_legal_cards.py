"""Which cards may be played in Hearts: the opening, the first trick, and leading hearts.

The positions are set up by `new`. What must come out stands here as cards; the judge beside the referee
checks the rest of each state, and each card of the hand is tried.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.referee.asking import Asking, deal, legal
from tests.referee.judge import SAFE_CARDS, deck_of, rules_of

# --- the opening --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "players", "changes", "card"),
    [
        ("cardems", 4, {}, "2C"),
        ("parlour", 5, {}, "3C"),
        ("parlour", 6, {}, "2C"),
        ("omnibus", 7, {}, "2C"),
        ("parlour", 3, {"removed": ["2C"]}, "3C"),
        ("parlour", 4, {"removed": ["2C", "3C", "5C", "2D"]}, "4C"),
    ],
)
def test_the_lowest_club_opens(preset: str, players: int, changes: dict[str, Any], card: str) -> None:
    """The lowest club in any hand must be led to the first trick, by whoever holds it after the pass."""
    asking = Asking()
    state = asking.new(preset, players=players, set=changes | {"pass_count": 0}, seed="kupa")
    assert card in state["hands"][state["turn"]]
    assert state["legal"] == [card]
    for other in state["hands"][state["turn"]]:
        if other != card:
            request = {"do": "play", "seat": state["turn"], "card": other}
            assert asking.code(request) == "must_lead_opening_card"


def test_the_lowest_club_may_lie_in_the_kitty() -> None:
    """The lowest club in a hand opens, even if a lower one is left over."""
    table = deal(
        "parlour",
        "5C AS 2H 3H 4H 5H",
        "4C KS 6H 7H 8H 9H",
        "3D QS TH JH QH KH",
        kitty="3C AH",
        set={"kitty": "first_trick"},
    )
    assert table.state()["turn"] == 1
    assert legal(table) == "4C"


@pytest.mark.parametrize("bar", ["points", "queen", "none"])
@pytest.mark.parametrize(
    ("hand", "allowed"),
    [
        ("2C 3D QS 2H", {"points": "2C 3D", "queen": "2C 3D", "none": "2C 3D QS"}),
        ("2H 3H 4H 5H", {"points": "2H 3H 4H 5H", "queen": "2H 3H 4H 5H", "none": "2H 3H 4H 5H"}),
        ("QS 2H 3H 4H", {"points": "QS 2H 3H 4H", "queen": "QS 2H 3H 4H", "none": "QS"}),
    ],
)
def test_left_of_the_dealer_any_card_is_led_that_the_rules_allow(
    bar: str, hand: str, allowed: dict[str, str]
) -> None:
    """The hearts rule comes first, the first trick's bar last; if that leaves nothing, any card goes."""
    rest = without_from_deck(hand)
    table = deal("cardems", hand, *rest, set={"opening": "left_of_dealer", "first_trick": bar})
    assert table.state()["turn"] == 0
    assert legal(table) == allowed[bar]


def without_from_deck(hand: str) -> list[str]:
    """Return three hands of four out of the lowest penalty cards and clubs that make up a deck of sixteen."""
    deck = ["2C", "3D"] + [card for card in deck_of(rules_of("cardems")) if card not in SAFE_CARDS]
    rest = [card for card in deck if card not in hand.split()]
    assert len(rest) == 12
    return [" ".join(rest[start : start + 4]) for start in (0, 4, 8)]


def test_hearts_are_not_led_first_even_where_nothing_is_barred() -> None:
    """Under `none` the hearts rule still holds on the opening lead: a heart is refused for that reason."""
    table = deal(
        "cardems",
        "2C QS 2H 3H",
        *without_from_deck("2C QS 2H 3H"),
        set={"opening": "left_of_dealer", "first_trick": "none"},
    )
    assert legal(table) == "2C QS"
    assert table.code({"do": "play", "seat": 0, "card": "2H"}) == "hearts_not_broken"


# --- the first trick ----------------------------------------------------------------------------------------

OPENING = "2C AH KH QH"


@pytest.mark.parametrize(
    ("preset", "hand", "allowed"),
    [
        ("cardems", "JD QS 2H 3H", "JD"),
        ("cardems", "QS 2H 3H 4H", "QS 2H 3H 4H"),
        ("cardems", "2H 3H 4H 5H", "2H 3H 4H 5H"),
        ("klasik", "JD QS 2H 3H", "JD 2H 3H"),
        ("klasik", "QS 2H 3H 4H", "2H 3H 4H"),
        ("ozel", "QS 2H 3H 4H", "2H 3H 4H"),
        ("parlour", "JD QS 2H 3H", "JD"),
        ("omnibus", "JD QS 2H 3H", "JD"),
    ],
)
def test_what_the_first_trick_bars_from_discards(preset: str, hand: str, allowed: str) -> None:
    """Who cannot follow may discard anything but what is barred, and all of it where all is barred."""
    deck = OPENING.split() + [card for card in deck_of(rules_of("cardems")) if card not in SAFE_CARDS]
    rest = [card for card in dict.fromkeys([*deck, "JD"]) if card not in [*OPENING.split(), *hand.split()]]
    table = deal(preset, OPENING, hand, " ".join(rest[:4]), " ".join(rest[4:]))
    table.play_out("2C")
    assert legal(table) == allowed


def test_following_suit_is_never_barred() -> None:
    """The queen of spades follows a spade on the first trick, whatever that trick bars."""
    hands = ["2C AS 2H 3H", "QS 4H 5H 6H", "7H 8H 9H TH", "JH QH KH AH"]
    table = deal("cardems", *hands, set={"opening": "left_of_dealer"})
    table.play_out("AS")
    assert legal(table) == "QS"


def test_a_hand_of_queens_may_be_discarded_though_the_queen_is_barred() -> None:
    """With two decks a hand can be the two queens alone: then they go on the first trick."""
    hands = ["2C 2H", "QS QS"] + [f"{rank}H {rank}H" for rank in "3456789TJ"]
    kitty = "2H QH QH KH KH AH AH"
    table = deal("cancellation", *hands, kitty=kitty, set={"first_trick": "queen"})
    assert legal(table) == "2C"
    table.play_out("2C")
    assert legal(table) == "QS"
    table = deal("cancellation", *hands, kitty=kitty, round=1, set={"first_trick": "queen"})
    assert table.state()["turn"] == 1
    assert legal(table) == "QS"


@pytest.mark.parametrize("preset", ["cardems", "klasik"])
def test_a_heart_discarded_on_the_first_trick_breaks_hearts(preset: str) -> None:
    """By the exception, or because Klasik allows it: from the next trick on hearts may be led."""
    hands = ["2C 3S 2H 3H", "4H 5H 6H 7H", "QS 8H 9H TH", "JH QH KH AH"]
    table = deal(preset, *hands)
    table.play_out("2C")
    assert table.state()["broken"] is False
    table.play_out("4H")
    assert table.state()["broken"] is True
    table.play_out("8H", "JH")
    assert table.state()["turn"] == 0
    assert legal(table) == "3S 2H 3H"


# --- breaking hearts ----------------------------------------------------------------------------------------


def test_hearts_are_led_unbroken_only_from_a_hand_of_hearts() -> None:
    """Before a heart was played, a hand of hearts alone may lead them; any other hand leads anything else."""
    table = deal("cardems", "2C 3C 2H 3H", "AC AH KH QH", "QS 4C 4H 5H", "5C 6H 7H 8H", "6C 9H TH JH")
    table.play_out("2C", "AC", "4C", "5C", "6C")
    assert table.state()["broken"] is False
    assert legal(table) == "QH KH AH"
    table = deal("cardems", "2C 3C 2H 3H", "4C AH KH QH", "QS AC 4H 5H", "5C 6H 7H 8H", "6C 9H TH JH")
    table.play_out("2C", "4C", "AC", "5C", "6C")
    assert legal(table) == "QS"
    table = deal("cardems", "2C 5H 2H 3H", "4C AH KH QH", "KD QS AC 4H", "5C 6H 7H 8H", "6C 9H TH JH")
    table.play_out("2C", "4C", "AC", "5C", "6C")
    assert legal(table) == "KD QS"


@pytest.mark.parametrize(("preset", "breaks"), [("cardems", False), ("klasik", False), ("parlour", True)])
def test_the_queen_breaks_hearts_where_the_rulebook_says_so(preset: str, breaks: bool) -> None:
    """A hand of hearts and the queen leads the queen; the next lead shows whether that broke hearts."""
    hands = ["2C AS 2H 3H 4H", "AC QS 5H 6H 7H", "3C KS 8H 9H TH", "4C JH QH KH AH"]
    safe = ["3D", "4D", "5D", "6D"]
    hands = [f"{hand} {card}" for hand, card in zip(hands, safe, strict=True)]
    table = deal(preset, *hands)
    table.play_out("2C", "AC", "3C", "4C", "4D", "5D", "6D", "3D")
    assert table.state()["turn"] == 3
    assert legal(table) == "JH QH KH AH"
    table = deal(preset, *hands)
    table.play_out("2C", "AC", "3C", "4C", "QS", "KS", "6D", "AS")
    assert table.state()["broken"] is breaks
    assert legal(table) == ("3D 2H 3H 4H" if breaks else "3D")
    code = "hearts_not_broken"
    if not breaks:
        assert table.code({"do": "play", "seat": 0, "card": "2H"}) == code


def test_hearts_and_the_queen_alone_lead_the_queen() -> None:
    """Such a hand has one card to lead, and a heart is refused."""
    hands = ["2C AS 2H 3H", "AC QS 5H 6H", "3C 8H 9H TH", "4C JH QH KH"]
    hands = [f"{hand} {card}" for hand, card in zip(hands, ["4H", "7H", "3D", "AH"], strict=True)]
    table = deal("parlour", *hands)
    table.play_out("2C", "AC", "3C", "4C")
    assert legal(table) == "QS"
    assert table.code({"do": "play", "seat": 1, "card": "5H"}) == "hearts_not_broken"


def test_the_bonus_card_breaks_nothing() -> None:
    """The jack of diamonds may be discarded on the first trick, and hearts stay unbroken."""
    hands = ["2C AS 2H 3H", "JD 4H 5H 6H", "QS 7H 8H 9H", "AC TH JH QH", "3C KS KH AH"]
    table = deal("omnibus", *hands)
    table.play_out("2C")
    assert legal(table) == "JD"
    table.play_out("JD")
    assert table.state()["broken"] is False
