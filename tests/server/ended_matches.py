"""Matches that have ended, or nearly so, as a store holds them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from kupa.game import Json, replay
from kupa.games import registry
from kupa.hearts.presets import PRESETS, chosen_rulebook
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import State
from kupa.hearts.view import view
from kupa.refusal import Refusal
from kupa.server.bots import names_at
from kupa.server.live_log import new_events
from kupa.server.starts import facts_of
from kupa.server.store import MatchRecord, Outcome, Store, StoredEvent
from tests.hearts.random_play import done, played, random_command

HEARTS, HEART = registry()["hearts"], registry()["heart-to-heart"]
BEGUN = 1_700_000_000_000
"""When the matches of these tests began."""


def stored(game: Any, events: Sequence[Any]) -> list[StoredEvent]:
    """Return events as a store gives them back."""
    return [
        StoredEvent(number, entry.version, entry.data, None)
        for number, entry in enumerate(new_events(game, events), 1)
    ]


def hearts_match(preset: str, players: int | None = None, seed: str = "played", **house: Any) -> Any:
    """Play a short match at random; returns its events, its last state, and who shot the moon how often."""
    rulebook = chosen_rulebook(preset, players or PRESETS[preset].default_players, {"target": 30, **house})
    assert isinstance(rulebook, Rulebook)
    events: list[Any] = []
    moons: list[int] = []
    rounds = 0
    state: Any = None
    for state, happened in played(rulebook, seed, Random(seed), preset):
        events += happened
        seen = view(state, None)
        if len(seen.rounds) > rounds and seen.last_round is not None and seen.last_round.shooter is not None:
            moons.append(seen.last_round.shooter)
        rounds = len(seen.rounds)
    return events, state, moons


async def keep(
    store: Store,
    name: str,
    owner: str | None,
    game: Any,
    events: Sequence[Any],
    at: int = BEGUN + 1,
    **more: Any,
) -> None:
    """Keep a match that was last played at a time."""
    state = replay(game, events)
    players = game.seats(state)
    options = {"rules": more.pop("preset", None), "set": more.pop("house", {})}
    facts = facts_of(options, players, names_at(players), "club", "luck")
    record = MatchRecord(name, game.name, owner, {**facts, **more}, BEGUN, at, game.is_over(state))
    assert await store.create(record, new_events(game, events)) is Outcome.STORED


def heart_events(code: str, commands: Sequence[Json]) -> list[Any]:
    """Return a patience of a deal after some commands."""
    events: list[Any] = []
    state: Any = None
    for command in (HEART.read_start({"code": code}), *(HEART.read_command(one, 0) for one in commands)):
        happened = HEART.decide(state, command)
        assert not isinstance(happened, Refusal)
        for event in happened:
            events.append(event)
            state = HEART.evolve(state, event)
    return events


def taps(places: Sequence[Any]) -> list[Json]:
    return [{"type": "tap", "at": place} for place in places]


def end_of(state: State) -> list[Any]:
    """Return all that happens until a match, played at random, is over."""
    events: list[Any] = []
    rng = Random("end")
    while not HEARTS.is_over(state):
        state, more = done(state, random_command(state, rng))
        events += more
    return events


async def play_to_the_end(store: Store, match: str) -> State:
    """Have a match end in its log, behind everybody's back; returns its last state."""
    log = await store.events(match)
    state = replay(HEARTS, [HEARTS.read_event(entry.data, entry.version) for entry in log])
    events = end_of(state)
    assert await store.append(match, len(log), new_events(HEARTS, events), over=True) is Outcome.STORED
    for event in events:
        state = HEARTS.evolve(state, event)
    ended: State = state
    return ended
