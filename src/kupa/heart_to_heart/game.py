"""Heart to Heart as a game that store, server, record and terminal can drive (:class:`kupa.game.Game`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from kupa import keys
from kupa.game import Json
from kupa.heart_to_heart import engine, layout
from kupa.heart_to_heart.codes import read_code, read_deck
from kupa.heart_to_heart.commands import ChangeSettings, Command, Start, Tap, Undo
from kupa.heart_to_heart.events import Event
from kupa.heart_to_heart.state import State
from kupa.heart_to_heart.view import View, event_view, view
from kupa.refusal import Refusal

PLACE: Final = keys.Kind(
    "not_a_place",
    lambda value: (
        value in {"stock", "waste"}
        if isinstance(value, str)
        else type(value) is int and value in layout.SPOTS
    ),
)
"""Where one may tap."""
DECK: Final = keys.Kind("not_a_deck", lambda value: keys.is_text(value) or keys.is_list_of_texts(value))
"""A deck as it may be written; whether it is one is asked later (``bad_deal``)."""

SETTINGS: Final = {"move_errors": keys.FLAG, "placement_help": keys.FLAG}
START: Final = {"code": keys.TEXT, "deck": DECK, **SETTINGS}
_CLOCK: Final = {"elapsed_ms": keys.COUNT}


class HeartToHeart:
    """The patience Heart to Heart; one seat, number 0."""

    name = "heart-to-heart"

    def read_command(self, data: Mapping[str, Any], seat: int) -> Command | Refusal:  # noqa: ARG002 (one seat)
        """Read ``tap``, ``undo`` or ``settings`` from JSON built-ins.

        ``{"type": "tap", "at": 25 | "stock" | "waste"}``, ``{"type": "undo"}``, both with an optional
        ``elapsed_ms``; ``{"type": "settings", "move_errors": …, "placement_help": …}`` with one or both.
        """
        if "type" not in data:
            return keys.bad_request("missing_key", key="type")
        kind = data["type"]
        if not isinstance(kind, str):
            return keys.bad_request("not_text", key="type")
        reader = _READERS.get(kind)
        if reader is None:
            return keys.bad_request("unknown_type", type=kind)
        return reader({key: value for key, value in data.items() if key != "type"})

    def read_start(self, data: Mapping[str, Any]) -> Start | Refusal:
        """Read a deal: a ``code`` or a ``deck``, and the settings if they are not as at first.

        Returns:
            The command, or a refusal: ``bad_request``, ``bad_code`` or ``bad_deal``.
        """
        refusal = keys.check_keys(data, optional=START)
        if refusal is not None:
            return refusal
        if ("code" in data) == ("deck" in data):
            return keys.bad_request("code_or_deck" if "code" in data else "no_deal")
        read = read_code(data["code"]) if "code" in data else read_deck(data["deck"])
        if isinstance(read, Refusal):
            return read
        code, deck = (read, "") if "code" in data else (None, read)
        return Start(code, deck, data.get("move_errors", False), data.get("placement_help", True))

    def decide(self, state: State | None, command: Command) -> tuple[Event, ...] | Refusal:
        """Return the events that a command leads to (:func:`engine.decide`)."""
        return engine.decide(state, command)

    def evolve(self, state: State | None, event: Event) -> State:
        """Return the state after an event (:func:`engine.evolve`)."""
        return engine.evolve(state, event)

    def seats(self, state: State) -> int:  # noqa: ARG002 (a patience has one seat)
        """Return the number of seats: one."""
        return 1

    def to_act(self, state: State) -> tuple[int, ...]:
        """Return the one seat, until the game is won; a stuck player may still draw."""
        return () if self.is_over(state) else (0,)

    def is_over(self, state: State) -> bool:
        """Tell whether the game is won. When stuck, taps still work."""
        return state.status == "won"

    def view(self, state: State, seat: int | None) -> View:  # noqa: ARG002 (one seat, and no watchers)
        """Return all that the player may see."""
        return view(state)

    def event_view(self, event: Event, seat: int | None) -> Json:  # noqa: ARG002 (one seat, no watchers)
        """Return what the player is told of an event."""
        return event_view(event)

    def write_event(self, event: Event) -> Json:
        """Write an event for the log."""
        written: Json = msgspec.to_builtins(event)
        return written

    def read_event(self, data: Json, version: int) -> Event:
        """Read an event of a log.

        Raises:
            ValueError: the data is no event of that version.
        """
        if version != 1:
            raise ValueError(f"events of version {version} are not known")
        # msgspec's own error is a ValueError that names the fault.
        event: Event = msgspec.convert(data, Event)
        return event


def _read_tap(data: Mapping[str, Any]) -> Tap | Refusal:
    return keys.check_keys(data, {"at": PLACE}, _CLOCK) or Tap(**data)


def _read_undo(data: Mapping[str, Any]) -> Undo | Refusal:
    return keys.check_keys(data, optional=_CLOCK) or Undo(**data)


def _read_settings(data: Mapping[str, Any]) -> ChangeSettings | Refusal:
    refusal = keys.check_keys(data, optional=SETTINGS)
    if refusal is None and not data:
        refusal = keys.bad_request("no_setting")
    return refusal or ChangeSettings(**data)


_READERS: Final[dict[str, Callable[[Mapping[str, Any]], Command | Refusal]]] = {
    "tap": _read_tap,
    "undo": _read_undo,
    "settings": _read_settings,
}

HEART_TO_HEART: Final = HeartToHeart()
"""The game, ready for :mod:`kupa.games`."""
