"""What the tests of Heart to Heart play with: deals made to order, and taps."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from kupa.game import Json
from kupa.heart_to_heart.codes import RANKS
from kupa.heart_to_heart.commands import ChangeSettings, Start, Tap, Undo
from kupa.heart_to_heart.engine import decide, evolve
from kupa.heart_to_heart.events import Event
from kupa.heart_to_heart.state import Place, State
from kupa.refusal import Refusal

At = Place | Literal["stock"]
"""Where one may tap."""

SHOWN_DEAL = "HH1-N-AAAAAAM"
SHOWN_STATE: Json = {
    "game": "heart-to-heart",
    "code": "HH1-N-AAAAAAM",
    "heart": list("TQTQ8K4K63A22J835TQ969K94"),
    "free": [25],
    "stock": 26,
    "waste": 1,
    "waste_top": "A",
    "selected": None,
    "framed": [],
    "dimmed": [],
    "notice": None,
    "score": 0,
    "moves": 0,
    "undo": 0,
    "status": "playing",
}
"""The public state of the shown deal before the first tap: exactly the keys of the protocol, in its order."""


def deck_with(heart: dict[int, str], stock: str = "", waste: str = "") -> str:
    """Return a deck with the given ranks at positions of the heart, first in the stock and on the waste."""
    places: dict[int, str] = {position - 1: rank for position, rank in heart.items()}
    places |= dict(enumerate(stock, start=25))
    if waste:
        places[51] = waste
    rest = Counter(RANKS * 4)
    rest.subtract(places.values())
    assert min(rest.values()) >= 0, "more than four of a rank asked for"
    others = iter(rest.elements())
    return "".join(places[place] if place in places else next(others) for place in range(52))


def begin(
    code: str | None = None, deck: str = "", *, move_errors: bool = False, placement_help: bool = True
) -> State:
    """Return the state in which a deal lies on the table."""
    return after(None, Start(code, deck, move_errors, placement_help))


def events_of(state: State | None, command: Start | Tap | Undo | ChangeSettings) -> tuple[Event, ...]:
    """Return the events of a command that is not refused."""
    events = decide(state, command)
    assert not isinstance(events, Refusal), events
    return events


def after(state: State | None, command: Start | Tap | Undo | ChangeSettings) -> State:
    """Return the state after a command that is not refused."""
    for event in events_of(state, command):
        state = evolve(state, event)
    assert state is not None
    return state


def tapped(state: State, *places: At) -> State:
    """Return the state after taps, one after the other."""
    for place in places:
        state = after(state, Tap(place))
    return state


def drawn_from(state: State, times: int) -> State:
    """Return the state after the stock was tapped so many times."""
    for _ in range(times):
        state = tapped(state, "stock")
    return state


def random_play(state: State, seed: int, length: int, undo: float = 0.1) -> Iterator[tuple[State, Event]]:
    """Play at random, pairing often enough to get deep; yields each event and the state before it.

    Args:
        state: where to begin.
        seed: what decides every choice.
        length: how many commands.
        undo: the share of commands that take a move back.
    """
    chance = random.Random(seed)
    clock = 0
    for _ in range(length):
        clock += chance.randrange(3000)
        places: list[At] = ["stock", "waste", *state.free, chance.randint(1, 25)]
        tap = Tap(chance.choice(places), clock)
        command = Undo(clock) if state.past and chance.random() < undo else tap
        for event in events_of(state, command):
            yield state, event
            state = evolve(state, event)
