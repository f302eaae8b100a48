"""The bots at a table: what they are told, and who they are."""

from __future__ import annotations

from typing import Any

import pytest

from kupa.bots.levels import LEVELS
from kupa.bots.player import Player
from kupa.game import Json
from kupa.refusal import Refusal
from kupa.server.memory_store import MemoryStore
from kupa.server.tables import Tables
from tests.server.playing import in_a_loop, opened

DEALT = (
    "5C 7C 9C 3D 4D 5D 6D 9D TD 5S TS 3H KH",
    "TC JC 2D JD AD 6S JS KS 5H 7H TH JH AH",
    "3C 8C QC 7D 8D QD 2S 4S 7S AS 6H 8H 9H",
    "2C 4C 6C KC AC KD 3S 8S 9S QS 2H 4H QH",
)
"""The first round of four players from the seed "kupa"."""


class Listening:
    """A bot that writes down what it is told."""

    def __init__(self, player: Player, heard: list[Json]) -> None:
        self._player = player
        self._heard = heard

    def told(self, event: Json) -> None:
        """Write it down, and tell the bot."""
        self._heard.append(event)
        self._player.told(event)

    def choose(self, view: Any) -> Json:
        """Ask the bot."""
        return self._player.choose(view)


@pytest.mark.parametrize("level", LEVELS)
@in_a_loop
async def test_bots_of_every_level_play_and_are_told_their_own_seat_alone(level: str) -> None:
    """A bot hears the round from its deal on, as its seat may know it, and again after a restart."""
    heard: dict[str, list[Json]] = {}

    def maker(luck: str) -> Player:
        heard[luck] = []
        return Listening(LEVELS[level](luck), heard[luck])

    store = MemoryStore()
    async with Tables(store, bots={level: maker}).running() as tables:
        options = {"rules": "klasik", "seed": "kupa", "bots": level}
        match = await tables.create("hearts", options, None)
        assert isinstance(match, str)
        await tables.command(match, "p", {"type": "pass", "cards": ["KH", "3H", "TS"]})
        await tables.bots_rest(match)
        # A bot is told what has happened when it is asked: after two tricks each has been asked in the play.
        table = await opened(tables, match)
        while len(table.state.tricks) < 2:
            card = table.view(0).legal[0]  # type: ignore[attr-defined]
            await tables.command(match, f"c{table.seq}", {"type": "play", "card": card})
            await tables.bots_rest(match)
        first = {luck: list(events) for luck, events in heard.items()}
        assert len(first) == 3
        for luck, events in first.items():
            assert events[0]["type"] == "round_dealt"
            assert " ".join(events[0]["hand"]) == DEALT[int(luck.rsplit("/")[-1])]
            assert sum("cards" in event for event in events if event["type"] == "pass_chosen") == 1
    heard.clear()
    async with Tables(store, bots={level: maker}).running() as tables:
        table = await opened(tables, match)
        card = table.view(0).legal[0]  # type: ignore[attr-defined]
        await tables.command(match, "c", {"type": "play", "card": card})
        await tables.bots_rest(match)
        for luck, events in heard.items():
            assert events[: len(first[luck])] == first[luck]


@in_a_loop
async def test_a_level_that_nobody_has_is_refused() -> None:
    """The level of the bots is asked for by name; the patience has no bots."""
    async with Tables(MemoryStore()).running() as tables:
        asked = (
            ("hearts", {"rules": "klasik", "bots": "grandmaster"}),
            ("heart-to-heart", {"bots": "club"}),
        )
        for game, options in asked:
            refusal = await tables.create(game, options, None)
            assert isinstance(refusal, Refusal)
            assert refusal.code == "bad_request"
