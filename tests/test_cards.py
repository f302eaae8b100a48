"""Cards, masks and card sets."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kupa.cards import PACK, TEXT, CardSet, card_of, cards_in, mask_of, texts

HANDS = st.lists(st.sampled_from(PACK + PACK), max_size=60).filter(
    lambda cards: max(Counter(cards).values(), default=0) <= 2
)


def test_deck_order_is_numeric_order() -> None:
    """Clubs, diamonds, spades, hearts, each two to ace."""
    assert list(PACK) == sorted(PACK)
    assert texts(PACK[:2] + PACK[12:14] + PACK[-1:]) == ("2C", "3C", "AC", "2D", "AH")
    assert max(PACK) < 62


@pytest.mark.parametrize(
    ("text", "card"), [("TH", "TH"), ("10H", "TH"), ("th", "TH"), ("10h", "TH"), ("qs", "QS"), ("aC", "AC")]
)
def test_cards_are_read_as_people_write_them(text: str, card: str) -> None:
    """Ten as T or 10, and lower case."""
    assert TEXT[card_of(text)] == card


@pytest.mark.parametrize("text", ["", "1H", "10", "TX", "QS ", "♥A", "QſS", "ﬁ", "ıH", "10HH", "QS" * 99])
def test_anything_else_names_no_card(text: str) -> None:
    """Nothing but ASCII letters is folded."""
    with pytest.raises(ValueError, match="names no card"):
        card_of(text)


@given(HANDS)
def test_a_card_set_holds_what_was_put_in(cards: list[int]) -> None:
    """Copies are counted, and iterating gives deck order."""
    held = CardSet.of(cards)
    assert list(held) == sorted(cards)
    assert len(held) == len(cards)
    assert held.texts == texts(sorted(cards))
    assert held.holds(cards)
    assert cards_in(mask_of(cards)) == tuple(sorted(set(cards)))


@given(HANDS, st.data())
def test_taking_out_what_was_put_in_leaves_the_rest(cards: list[int], data: st.DataObject) -> None:
    """Adding and removing are each other's opposites, copy by copy."""
    part = data.draw(st.lists(st.sampled_from(range(len(cards))), unique=True) if cards else st.just([]))
    out = [cards[i] for i in part]
    rest = [card for i, card in enumerate(cards) if i not in part]
    held = CardSet.of(cards)
    assert held.without_all(out) == CardSet.of(rest)
    assert CardSet.of(rest).with_cards(out) == held


def test_a_card_that_is_not_held_cannot_be_taken_out() -> None:
    """Nor a third copy put in."""
    with pytest.raises(KeyError, match="AH"):
        CardSet.of([card_of("AS")]).without(card_of("AH"))
    with pytest.raises(ValueError, match="more than twice"):
        CardSet.of([card_of("AS")] * 3)
    assert not CardSet.of([card_of("AS")]).holds([card_of("AS")] * 2)
