"""The policy by rule plays well, and as its words say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from kupa.cards import BY_TEXT, mask_of
from kupa.sim import policy
from kupa.sim.playing import play
from kupa.sim.policy import AT_RANDOM, BY_RULE
from kupa.sim.round_row import BEST, STREAM, TABLE, width

from .compiled import compiled
from .rulebooks import TABLES


def cards(texts: str) -> int:
    return mask_of(BY_TEXT[text] for text in texts.split())


@pytest.mark.parametrize("table", TABLES)
def test_it_takes_far_fewer_points_than_chance(table: str) -> None:
    """One seat by rule among random ones takes less than a quarter of what they take, with two packs less
    than two thirds.
    """
    book = TABLES[table]
    points = play(book, 3_000, seed=1, policies=[BY_RULE] + [AT_RANDOM] * (book.players - 1)).points.mean(
        axis=0
    )
    assert points[0] < points[1:].mean() * (1 / 4 if book.decks == 1 else 2 / 3)


def row_with(best: str, table: str) -> np.ndarray:
    row = np.zeros(width(4), np.int64)
    row[STREAM], row[BEST], row[TABLE] = 5, BY_TEXT[best], cards(table)
    return row


@pytest.mark.parametrize(
    ("held", "outside", "best", "table", "after", "played"),
    [
        ("QS 3S", "2S 4S", "KS", "KS", 2, "QS"),
        ("QS 3S", "2S KS", "5S", "5S", 2, "3S"),
        ("AS 3S", "QS 4S", "5S", "5S", 1, "3S"),
        ("AS 3S", "4S", "5S", "5S", 0, "AS"),
        ("9D 4D KD", "2D", "TD", "TD 3C", 0, "KD"),
        ("9D 4D KD", "2D", "TD", "TD 3H", 0, "9D"),
        ("9D 4D KD", "2D", "TD", "TD 3C", 1, "9D"),
        ("9H KH", "2H", "5H", "5H", 1, "9H"),
        ("QD KD", "2D 3D 4D 5D 6D 7D 8D", "JD", "JD", 1, "KD"),
        ("QD KD", "2D", "JD", "JD", 1, "QD"),
    ],
)
def test_it_follows_as_it_says(
    held: str, outside: str, best: str, table: str, after: int, played: str
) -> None:
    """The queen goes under a higher spade and is kept back otherwise; the highest card that stays under; the
    highest of all where it costs nothing; the lowest where taking is likely to cost.
    """
    follow = compiled(policy.follow_by_rule)
    assert follow(row_with(best, table), cards(held), cards(outside), after) == BY_TEXT[played]


@pytest.mark.parametrize(
    ("held", "outside", "played"),
    [
        ("QS AC AH", "2C 2H", {"QS"}),
        ("AS 2S AC", "QS 2C", {"AS"}),
        ("2C 3C AH", "4C 5C 2H 3H 4H", {"AH"}),
        ("2C 3C 4C AD", "5C 2D 3D 4D 5D", {"AD"}),
    ],
)
def test_it_discards_as_it_says(held: str, outside: str, played: set[str]) -> None:
    """The queen first, then what she falls to, then the top of a dangerous and short suit."""
    discard = compiled(policy.discard_by_rule)
    row = row_with("2D", "2D")
    assert {discard(row, cards(held), cards(outside)) for _ in range(50)} == {
        BY_TEXT[card] for card in played
    }


def leads(held: str, outside: str) -> Sequence[int]:
    lead = compiled(policy.lead_by_rule)
    row = row_with("2D", "2D")
    return [lead(row, cards(held), cards(outside)) for _ in range(200)]


def test_it_leads_as_it_says() -> None:
    """A low card with much above it; spades to draw the queen out; no suit that nobody else has, nor ace,
    king or queen of spades while there is another lead; and it does not always do the same.
    """
    assert set(leads("2C KD", "3C 4C 5C 6C 7C 8C 2D 3D 4D 5D 6D 7D")) == {BY_TEXT["2C"]}
    assert set(leads("2C KD", "2D")) == {BY_TEXT["KD"]}
    assert set(leads("AS 9D", "QS 2S 8D")) == {BY_TEXT["9D"]}
    assert set(leads("QS 9D", "KS 2S 8D")) == {BY_TEXT["9D"]}
    assert BY_TEXT["8S"] == max(set(played := leads("8S 4D", "QS KS 2S 3S 5D 6D 3D")), key=played.count)
    assert len(set(leads("4C 4D", "3C 5C 6C 3D 5D 6D"))) == 2


def test_it_passes_the_dangerous_spades_and_keeps_the_guarded() -> None:
    """A bare queen goes first, a king next; a queen with four spades below her stays."""
    chosen = compiled(policy.pass_by_rule)
    assert chosen(cards("QS KS 2S AC 2C")) == BY_TEXT["QS"]
    assert chosen(cards("KS 2S AC 2C")) == BY_TEXT["KS"]
    assert chosen(cards("QS 2S 3S 4S 5S AC 2C")) == BY_TEXT["AC"]
