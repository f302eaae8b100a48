"""The known deals of Hearts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kupa.hearts.commands import StartMatch
from kupa.hearts.engine import decide
from kupa.hearts.events import RoundDealt
from kupa.hearts.presets import PRESETS
from kupa.refusal import Refusal

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "hearts-deals.json").read_text())


@pytest.mark.parametrize("name", VECTORS)
def test_a_seed_deals_the_known_hands_and_kitty(name: str) -> None:
    """Every known deal comes out of the engine, card by card."""
    found = re.fullmatch(r"(\w+) (\d+) players, seed (\w+), round (\d+)", name)
    assert found
    rulebook = PRESETS[found[1]].rulebook(int(found[2]))
    events = decide(None, StartMatch(rulebook=rulebook, seed=found[3], round=int(found[4])))
    assert not isinstance(events, Refusal)
    dealt = next(event for event in events if isinstance(event, RoundDealt))
    known = VECTORS[name]
    assert [sorted(hand) for hand in dealt.hands] == [sorted(hand.split()) for hand in known["hands"]]
    assert sorted(dealt.kitty) == sorted(known["kitty"].split())
