"""The referee's desk for Heart to Heart."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from kupa import keys
from kupa.game import Json
from kupa.heart_to_heart import codes
from kupa.heart_to_heart.commands import ChangeSettings, Tap, Undo
from kupa.heart_to_heart.events import (
    Deselected,
    Drawn,
    Event,
    Mismatched,
    Paired,
    Redealt,
    Selected,
)
from kupa.heart_to_heart.game import DECK, HEART_TO_HEART, PLACE, SETTINGS
from kupa.heart_to_heart.state import State
from kupa.referee.desk import Answer, RandomBelow
from kupa.refusal import Refusal

EVENT_NAMES: Final[dict[type[Event], str]] = {
    Drawn: "draw",
    Redealt: "redeal",
    Paired: "pair",
    Selected: "select",
    Deselected: "deselect",
    Mismatched: "mismatch",
}
"""What the reply to a tap calls that which happened; ``nothing`` when nothing did."""


class NewDeal(msgspec.Struct, frozen=True):
    """A request for a new game: with a ``code``, a ``deck``, or neither for a random code."""

    deal: Json


class Look(msgspec.Struct, frozen=True):
    """A request for the state as it is."""


Request = NewDeal | Tap | Undo | ChangeSettings | Look


class HeartToHeartDesk:
    """Answers ``new``, ``tap``, ``undo``, ``settings`` and ``state`` (:class:`kupa.referee.desk.Desk`)."""

    def __init__(self, randbelow: RandomBelow) -> None:
        self._randbelow = randbelow

    def read(self, data: Json) -> Request | Refusal:
        """Read a request, looking at its keys alone."""
        required = {"do": keys.TEXT}
        match data["do"]:
            case "new":
                return _read_new(data)
            case "tap":
                return keys.check_keys(data, required | {"at": PLACE}) or Tap(data["at"])
            case "undo":
                return keys.check_keys(data, required) or Undo()
            case "settings":
                refusal = keys.check_keys(data, required, SETTINGS)
                if refusal is None and len(data) == 1:
                    refusal = keys.bad_request("no_setting")
                return refusal or ChangeSettings(data.get("move_errors"), data.get("placement_help"))
            case _:
                return keys.check_keys(data, required) or Look()

    def answer(self, state: State | None, request: Request) -> Answer | Refusal:
        """Do what a request asks; ``state`` is None at most for ``new``."""
        if isinstance(request, NewDeal):
            return self._new(state, request)
        if state is None:
            raise ValueError("only a new deal needs no state")
        if isinstance(request, Look):
            return Answer(state, {"state": _shown(state)})
        events = HEART_TO_HEART.decide(state, request)
        if isinstance(events, Refusal):
            return events
        for event in events:
            state = HEART_TO_HEART.evolve(state, event)
        if not isinstance(request, Tap):
            return Answer(state, {"state": _shown(state)})
        name = EVENT_NAMES[type(events[0])] if events else "nothing"
        return Answer(state, {"event": name, "state": _shown(state, after_mismatch=name == "mismatch")})

    def _new(self, state: State | None, request: NewDeal) -> Answer | Refusal:
        """Lay out a deal; the settings of the last game go on."""
        data = request.deal or {"code": codes.random_code(self._randbelow)}
        if state is not None:
            data = data | {"move_errors": state.move_errors, "placement_help": state.placement_help}
        start = HEART_TO_HEART.read_start(data)
        if isinstance(start, Refusal):
            return start
        events = HEART_TO_HEART.decide(None, start)
        if isinstance(events, Refusal):
            return events
        (started,) = events
        begun = HEART_TO_HEART.evolve(None, started)
        return Answer(begun, {"state": _shown(begun)})


def _read_new(data: Json) -> NewDeal | Refusal:
    refusal = keys.check_keys(data, {"do": keys.TEXT, "game": keys.TEXT}, {"code": keys.TEXT, "deck": DECK})
    if refusal is None and "code" in data and "deck" in data:
        refusal = keys.bad_request("code_or_deck")
    return refusal or NewDeal({key: data[key] for key in ("code", "deck") if key in data})


def _shown(state: State, *, after_mismatch: bool = False) -> dict[str, Any]:
    """Return the view as the protocol has it: without clock and settings, which the caller knows.

    A notice stands only in the reply to the mismatch.
    """
    shown: dict[str, Any] = msgspec.to_builtins(HEART_TO_HEART.view(state, 0))
    for own in ("elapsed_ms", "move_errors", "placement_help"):
        del shown[own]
    if not after_mismatch:
        shown["notice"] = None
    return shown
