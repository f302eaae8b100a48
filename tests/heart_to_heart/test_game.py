"""Heart to Heart behind the interface of all games: what is read, written and told."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kupa.catalogue import LANGUAGES, refusal_text
from kupa.game import Game, Json
from kupa.heart_to_heart.commands import ChangeSettings, Start, Tap, Undo
from kupa.heart_to_heart.events import (
    Deselected,
    Drawn,
    Event,
    Mismatched,
    Paired,
    Redealt,
    Selected,
    SettingsChanged,
    Started,
    Undone,
)
from kupa.heart_to_heart.game import HEART_TO_HEART
from kupa.refusal import Refusal

from .playing import SHOWN_DEAL, begin, deck_with, tapped

GAME: Game = HEART_TO_HEART  # mypy proves that the interface is fulfilled


@pytest.mark.parametrize(
    ("data", "command"),
    [
        ({"type": "tap", "at": 1}, Tap(1)),
        ({"type": "tap", "at": 25, "elapsed_ms": 0}, Tap(25)),
        ({"type": "tap", "at": "stock", "elapsed_ms": 1234}, Tap("stock", 1234)),
        ({"type": "tap", "at": "waste"}, Tap("waste")),
        ({"type": "undo"}, Undo()),
        ({"type": "undo", "elapsed_ms": 5}, Undo(5)),
        ({"type": "settings", "move_errors": True}, ChangeSettings(move_errors=True)),
        (
            {"type": "settings", "move_errors": True, "placement_help": False},
            ChangeSettings(move_errors=True, placement_help=False),
        ),
    ],
)
def test_commands_are_read(data: Any, command: Any) -> None:
    """Every command of the contract, with and without what is optional."""
    assert GAME.read_command(data, 0) == command


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"type": None},
        {"type": ["tap"]},
        {"type": "start"},
        {"type": "Tap", "at": 1},
        {"type": "tap"},
        {"type": "tap", "at": 0},
        {"type": "tap", "at": 26},
        {"type": "tap", "at": -1},
        {"type": "tap", "at": True},
        {"type": "tap", "at": 25.0},
        {"type": "tap", "at": "25"},
        {"type": "tap", "at": "Stock"},
        {"type": "tap", "at": None},
        {"type": "tap", "at": [25]},
        {"type": "tap", "at": {}},
        {"type": "tap", "at": 10**30},
        {"type": "tap", "at": 1, "seat": 0},
        {"type": "tap", "at": 1, "elapsed_ms": -1},
        {"type": "tap", "at": 1, "elapsed_ms": 1.5},
        {"type": "tap", "at": 1, "elapsed_ms": True},
        {"type": "tap", "at": 1, "elapsed_ms": "1"},
        {"type": "tap", "at": 1, "elapsed_ms": None},
        {"type": "tap", "at": 1, "elapsed_ms": 2**53},
        {"type": "undo", "at": 1},
        {"type": "settings"},
        {"type": "settings", "move_errors": 1},
        {"type": "settings", "placement_help": None},
        {"type": "settings", "elapsed_ms": 1},
    ],
)
def test_other_commands_are_bad_requests(data: Any) -> None:
    """Unknown, missing and ill-typed keys are refused with a sentence in each language."""
    refusal = GAME.read_command(data, 0)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "bad_request"
    assert all(refusal_text(language, refusal) for language in LANGUAGES)


DECK = deck_with({25: "4"})


@pytest.mark.parametrize(
    ("data", "start"),
    [
        ({"code": " hh1-n-aaaaaam"}, Start(SHOWN_DEAL, "")),
        ({"deck": DECK}, Start(None, DECK)),
        ({"deck": list(DECK)}, Start(None, DECK)),
        (
            {"code": SHOWN_DEAL, "move_errors": True, "placement_help": False},
            Start(SHOWN_DEAL, "", move_errors=True, placement_help=False),
        ),
    ],
)
def test_starts_are_read(data: Any, start: Start) -> None:
    """A code or a deck, with the settings as at first unless they are given."""
    assert GAME.read_start(data) == start


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({}, "bad_request"),
        ({"code": SHOWN_DEAL, "deck": DECK}, "bad_request"),
        ({"code": None}, "bad_request"),
        ({"code": 12}, "bad_request"),
        ({"deck": 52}, "bad_request"),
        ({"deck": [1] * 52}, "bad_request"),
        ({"deck": {}}, "bad_request"),
        ({"code": SHOWN_DEAL, "move_errors": 0}, "bad_request"),
        ({"code": SHOWN_DEAL, "seed": "x"}, "bad_request"),
        ({"code": "AAAAAAM"}, "bad_code"),
        ({"deck": "A" * 52}, "bad_deal"),
        ({"deck": []}, "bad_deal"),
    ],
)
def test_other_starts_are_refused(data: Any, code: str) -> None:
    """What is ill-formed is a bad request; what is no code or no deck has its own code."""
    refusal = GAME.read_start(data)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code
    assert all(refusal_text(language, refusal) for language in LANGUAGES)


def test_one_seat_acts_until_the_game_is_won() -> None:
    """A patience has one seat; a stuck player may still draw."""
    state = begin(SHOWN_DEAL)
    stuck = begin(deck=deck_with({25: "4", 1: "4", 2: "4", 3: "4"}))
    emptied = msgspec.structs.replace(state, board=msgspec.structs.replace(state.board, left=0))
    assert GAME.seats(state) == 1
    assert [GAME.to_act(s) for s in (state, stuck, emptied)] == [(0,), (0,), ()]
    assert [GAME.is_over(s) for s in (state, stuck, emptied)] == [False, False, True]


EVENTS: list[tuple[Event, Json]] = [
    (Started(SHOWN_DEAL, move_errors=True), {"type": "started", "code": SHOWN_DEAL}),
    (Started(None, DECK), {"type": "started", "code": None}),
    (Drawn(elapsed_ms=7), {"type": "drawn"}),
    (Redealt(), {"type": "redealt"}),
    (Paired(25, "waste", elapsed_ms=3), {"type": "paired", "a": 25, "b": "waste"}),
    (Selected(25), {"type": "selected", "at": 25}),
    (Deselected("waste"), {"type": "deselected", "at": "waste"}),
    (Mismatched(25, "waste"), {"type": "mismatched", "first": 25, "second": "waste"}),
    (Undone(), {"type": "undone"}),
    (
        SettingsChanged(move_errors=True, placement_help=False),
        {"type": "settings_changed", "move_errors": True, "placement_help": False},
    ),
]


@pytest.mark.parametrize(("event", "told"), EVENTS)
def test_what_the_player_is_told_of_an_event(event: Event, told: Json) -> None:
    """Exactly the keys of the contract; of a deck of one's own nothing but that it has no code."""
    assert GAME.event_view(event, 0) == told


@pytest.mark.parametrize("event", [event for event, _ in EVENTS])
def test_events_are_read_as_they_were_written(event: Event) -> None:
    """Through JSON and back an event is the same value."""
    written = msgspec.json.decode(msgspec.json.encode(GAME.write_event(event)))
    assert GAME.read_event(written, 1) == event


@pytest.mark.parametrize(
    "data",
    [
        {},
        [],
        None,
        "drawn",
        {"type": "drew"},
        {"type": ["drawn"]},
        {"type": "drawn", "card": "A"},
        {"type": "drawn", "elapsed_ms": -1},
        {"type": "drawn", "elapsed_ms": 1e3 + 0.5},
        {"type": "paired", "a": 1},
        {"type": "paired", "a": 0, "b": 1},
        {"type": "paired", "a": 26, "b": 1},
        {"type": "paired", "a": "stock", "b": 1},
        {"type": "selected", "at": True},
        {"type": "started"},
        {"type": "started", "code": "hh1-n-aaaaaam"},
        {"type": "started", "code": SHOWN_DEAL, "deck": DECK},
        {"type": "started", "deck": "A" * 52},
        {"type": "started", "deck": DECK.lower()},
        {"type": "settings_changed", "move_errors": True},
    ],
)
def test_garbage_is_no_event(data: Any) -> None:
    """A log that holds anything else is refused with a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        GAME.read_event(data, 1)


@pytest.mark.parametrize("version", [0, 2, -1])
def test_events_of_unknown_versions_are_not_guessed_at(version: int) -> None:
    """Version 1 is the only one there has been."""
    with pytest.raises(ValueError, match="version"):
        GAME.read_event({"type": "drawn"}, version)


def test_an_uncovered_deck_stays_out_of_what_is_told() -> None:
    """Neither the first view of one's own deck nor its event names a card of the stock."""
    state = begin(deck=DECK)
    told = msgspec.json.encode([GAME.view(state, 0), GAME.event_view(Started(None, DECK), 0)]).decode()
    assert DECK[25:] not in told
    assert '"stock":26' in told
    assert GAME.view(tapped(state, "stock"), 0).waste_top == DECK[25]  # type: ignore[attr-defined]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
likely = st.sampled_from(
    ["type", "at", "elapsed_ms", "move_errors", "placement_help", "code", "deck", "a", "b"]
)
objects = st.dictionaries(
    likely | st.text(),
    json_values
    | st.sampled_from(["tap", "undo", "settings", "stock", "waste", "paired", "drawn", "started"]),
    max_size=5,
)


@given(objects)
def test_whatever_comes_in_is_read_or_refused(data: Any) -> None:
    """Reading a command, a start or an event never fails in another way than it promises."""
    command = GAME.read_command(data, 0)
    assert isinstance(command, Tap | Undo | ChangeSettings | Refusal)
    assert isinstance(GAME.read_start(data), Start | Refusal)
    try:
        event = GAME.read_event(data, 1)
    except ValueError:
        return
    assert GAME.read_event(GAME.write_event(event), 1) == event
