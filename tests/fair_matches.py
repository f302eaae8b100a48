"""Matches that were dealt fairly, for tests: a room's log, and the matches that were played in it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from kupa.fairness import FairDeal
from kupa.hearts.commands import StartMatch
from kupa.hearts.presets import PRESETS
from kupa.hearts.state import OVER, State
from kupa.record import Record
from kupa.refusal import Refusal
from kupa.rooms import commands
from kupa.rooms.engine import decide
from kupa.rooms.evolution import evolve
from kupa.rooms.state import Deal, Room, Settings
from tests.hearts.random_play import done, random_command


class FairRoom:
    """A room with two people (seats 0 and 1) and bots, played by the room's own engine.

    Args:
        seed: what everything that is random here comes from.
        settings: what the host has chosen; Klasik for four if left out.
    """

    def __init__(self, seed: str = "fair", settings: Settings | None = None) -> None:
        self._rng = Random(seed)
        self.events: list[Any] = []
        self.room: Room | None = None
        self.matches: dict[str, list[Any]] = {}
        self._revealed: dict[str, Deal] = {}
        self.settings = settings or Settings(rules="klasik", players=4)
        self.do(commands.OpenRoom(host="ayşe", settings=self.settings, secret=self.hex(32)))
        self.do(commands.Join("bora"))
        self.do(commands.FillSeats("ayşe", "beginner"))

    def hex(self, length: int) -> str:
        """Return random bytes in hex."""
        return self._rng.randbytes(length).hex()

    def do(self, command: commands.Command) -> Room:
        """Do what must not be refused."""
        events = decide(self.room, command)
        assert not isinstance(events, Refusal), events
        for event in events:
            self.events.append(event)
            self.room = evolve(self.room, event)
            if self.room.revealed is not None:
                self._revealed[self.room.revealed.match] = self.room.revealed
        assert self.room is not None
        return self.room

    def begin(self, match: str) -> State:
        """Seal the contributions, and deal."""
        self.do(commands.Contribute("bora", self.hex(16)))
        self.do(commands.Contribute("ayşe", self.hex(16)))
        room = self.do(commands.StartPlay("ayşe", match))
        book = PRESETS[self.settings.rules].rulebook(self.settings.players)
        start = StartMatch(rulebook=book, seed=room.deal.seed, preset=self.settings.rules)
        state, self.matches[match] = done(None, start)
        return state

    def play(self, match: str, *, rounds: int | None = None) -> None:
        """Play a match at random, to its end or up to a round, and reveal its deal when it is over."""
        state = self.begin(match)
        while state.phase != OVER and (rounds is None or len(state.rounds) < rounds):
            state, events = done(state, random_command(state, self._rng))
            self.matches[match] += events
        if state.phase == OVER:
            self.do(commands.Finish(match, self.hex(32)))

    def again(self) -> None:
        """Gather for another match."""
        self.do(commands.Rematch("bora"))

    def record(self, match: str) -> Record:
        """Return a match that is over with what its deals were made of."""
        deal = self._revealed[match]
        fair = FairDeal(commitment=deal.commitment, secret=deal.secret, contributions=deal.contributions)
        return Record("hearts", tuple(self.matches[match]), fair)


def changed(events: Sequence[Any], kind: type[Any], number: int = 0, **fields: Any) -> list[Any]:
    """Return events with fields of one of them changed: the event of a kind with a number, from 0."""
    places = [place for place, event in enumerate(events) if isinstance(event, kind)]
    place = places[number]
    return [*events[:place], msgspec.structs.replace(events[place], **fields), *events[place + 1 :]]
