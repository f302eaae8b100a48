"""Parquet files hold whole rounds: the engine replays them to the same points."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest

from kupa.cards import BY_TEXT
from kupa.envs.dataset import write_rounds
from kupa.hearts.commands import ChooseMoon, PassCards, PlayCard, StartMatch
from kupa.hearts.events import RoundScored
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import MOON, PASS
from kupa.sim.policy import BY_RULE
from tests.hearts.random_play import done
from tests.sim.rulebooks import ALL


@pytest.mark.parametrize("name", ["cardems-4", "parlour-3", "cancellation-6", "kitty and four passed"])
def test_the_engine_replays_what_a_file_holds(name: str, tmp_path: Path) -> None:
    """Rulebook, deal, passes and plays are read back from the file alone, and lead to its points."""
    path = tmp_path / "rounds.parquet"
    write_rounds(path, ALL[name], 12, seed=5, first=2, policies=BY_RULE)
    table = pq.read_table(path)
    book = msgspec.json.decode(table.schema.metadata[b"kupa.rulebook"], type=Rulebook)
    assert book == ALL[name]
    assert table.schema.metadata[b"kupa.seed"] == b"5"
    assert table.num_rows == 12
    for row in table.to_pylist():
        hands = tuple(tuple(BY_TEXT[card] for card in hand) for hand in row["hands"])
        state, events = done(None, StartMatch(rulebook=book, seed="", hands=hands, round=row["number"]))
        if state.phase == PASS:
            for seat, given in enumerate(row["passed"]):
                state, events = done(state, PassCards(seat, tuple(BY_TEXT[card] for card in given)))
        for seat, card in zip(row["seats"], row["cards"], strict=True):
            state, events = done(state, PlayCard(seat, BY_TEXT[card]))
        if state.phase == MOON:
            state, events = done(
                state, ChooseMoon(row["shooter"], "subtract" if row["subtracted"] else "add")
            )
        scored = next(event for event in events if isinstance(event, RoundScored))
        assert list(scored.points) == row["points"]
        assert (-1 if scored.shooter is None else scored.shooter) == row["shooter"]
