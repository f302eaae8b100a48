"""The geometry of the heart: what follows from the rows, held against what the rules say in words."""

from __future__ import annotations

from kupa.heart_to_heart import layout


def test_the_rows_have_as_many_cards_as_the_rules_say() -> None:
    """Seven rows of 4, 6, 5, 4, 3, 2 and 1 cards: twenty-five."""
    assert [len(row) for row in layout.ROWS] == [4, 6, 5, 4, 3, 2, 1]
    assert list(layout.POSITIONS) == [*range(1, 26)]


def test_the_cards_lie_where_the_rules_say() -> None:
    """Row 0 is two lobes, row 1 the widest, and each further row starts half a card further in."""
    assert layout.ROWS == (
        (1, 3, 7, 9),
        (0, 2, 4, 6, 8, 10),
        (1, 3, 5, 7, 9),
        (2, 4, 6, 8),
        (3, 5, 7),
        (4, 6),
        (5,),
    )


def test_positions_are_counted_in_deal_order() -> None:
    """Position 1 is the left card of the top row, 25 the tip."""
    assert layout.SPOTS[1] == (0, 1)
    assert layout.SPOTS[4] == (0, 9)
    assert layout.SPOTS[5] == (1, 0)
    assert layout.SPOTS[25] == (6, 5)


def test_how_many_cards_cover_a_card() -> None:
    """Two for row 0, one for the outermost cards of rows 1 to 5, two for those between, none for the tip."""
    for position, (row, x) in layout.SPOTS.items():
        outermost = 1 <= row <= 5 and x in {layout.ROWS[row][0], layout.ROWS[row][-1]}
        expected = 0 if row == 6 else 1 if outermost else 2
        assert len(layout.COVERED_BY[position]) == expected, position


def test_which_cards_cover_which() -> None:
    """Some couplings counted out by hand from a drawing of the heart."""
    assert layout.COVERED_BY[1] == (5, 6)
    assert layout.COVERED_BY[2] == (6, 7)
    assert layout.COVERED_BY[3] == (8, 9)
    assert layout.COVERED_BY[4] == (9, 10)
    assert layout.COVERED_BY[5] == (11,)
    assert layout.COVERED_BY[7] == (12, 13)
    assert layout.COVERED_BY[10] == (15,)
    assert layout.COVERED_BY[20] == (23,)
    assert layout.COVERED_BY[21] == (23, 24)
    assert layout.COVERED_BY[23] == layout.COVERED_BY[24] == (25,)
    assert layout.COVERED_BY[25] == ()


def test_the_tip_alone_is_free_at_first() -> None:
    """Of the whole heart only the tip is not covered."""
    assert layout.free_positions(layout.WHOLE) == (25,)


def test_taking_the_tip_frees_the_two_cards_above_it() -> None:
    """A card is free when nothing is left that covers it, and a gap is not free."""
    assert layout.free_positions(layout.WHOLE & ~(1 << 25)) == (23, 24)
    assert layout.free_positions(layout.WHOLE & ~(1 << 25 | 1 << 23)) == (20, 24)
    assert layout.free_positions(0) == ()


def test_there_are_623_reachable_hearts() -> None:
    """Removing free cards one at a time, in every order, comes to as many sets as a separate count found."""
    seen = {layout.WHOLE}
    todo = [layout.WHOLE]
    while todo:
        left = todo.pop()
        for position in layout.free_positions(left):
            rest = left & ~(1 << position)
            if rest not in seen:
                seen.add(rest)
                todo.append(rest)
    assert len(seen) == 623
