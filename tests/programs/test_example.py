"""The example bot of the documents keeps the rules everywhere, and its page is a page."""

from __future__ import annotations

import shlex
import sys

import pytest

from kupa.arena.contestants import Contestant
from kupa.arena.plan import Plan, Unit, play_units
from kupa.arena.tally import read_tally
from kupa.programs.faults import CODES
from kupa.programs.seat import Limits
from tests.bots.scenes import rulebook
from tests.test_docs import ROOT, read

BOT = ROOT / "docs" / "example_bot.py"


@pytest.mark.parametrize(
    ("name", "players"), [("cardems", 4), ("parlour", 3), ("omnibus", 5), ("cancellation", 6)]
)
def test_the_example_plays_without_a_fault(name: str, players: int) -> None:
    """A whole match, of more rounds than one; it needs nothing but Python."""
    names = (f"exec:{shlex.quote(sys.executable)} -I -S {shlex.quote(str(BOT))}", *["random"] * (players - 1))
    book, limits = rulebook(name, players, target=40), Limits(5_000, 15_000, 60_000)
    plan = Plan(tuple(map(Contestant, names)), name, book, "example", limits, whole_matches=True)
    (result,) = play_units(plan, [Unit(0, (0,), "0.0")])
    tally = read_tally(result["contestants"][0])
    assert tally.faults == {}
    assert tally.matches == 1
    assert tally.decisions >= 2 * book.hand_size


def test_the_example_is_a_page() -> None:
    """And the documents point to it."""
    assert len(BOT.read_text(encoding="utf-8").splitlines()) <= 80
    assert "(example_bot.py)" in read("docs/protocol.md")


def test_every_fault_is_documented() -> None:
    """docs/protocol.md has a row for each code."""
    for code in CODES:
        assert f"| `{code}` |" in read("docs/protocol.md")
