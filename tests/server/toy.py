"""A small game with hidden cards, for tests of the server that are about no real game.

Two seats hold four numbers each, out of 0…7, and lay them down in turn. A seat may also whisper: an event
that the other seat gets as a numbered blank. And it may idle, which leads to no event at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from kupa.game import Json
from kupa.keys import bad_request
from kupa.refusal import Refusal
from kupa.server.bots import PlayerMaker
from kupa.shuffle import shuffled

Hands = tuple[tuple[int, ...], tuple[int, ...]]


class Start(msgspec.Struct, frozen=True):
    hands: Hands


class Play(msgspec.Struct, frozen=True):
    seat: int
    card: int


class Whisper(msgspec.Struct, frozen=True):
    seat: int
    text: str


class Idle(msgspec.Struct, frozen=True):
    seat: int


class Dealt(msgspec.Struct, frozen=True, tag="dealt"):
    hands: Hands


class Played(msgspec.Struct, frozen=True, tag="played"):
    seat: int
    card: int


class Whispered(msgspec.Struct, frozen=True, tag="whispered"):
    seat: int
    text: str


Event = Dealt | Played | Whispered


class State(msgspec.Struct, frozen=True):
    hands: Hands
    turn: int = 0
    table: tuple[int, ...] = ()
    whispers: int = 0


class View(msgspec.Struct, frozen=True):
    seat: int | None
    hand: tuple[int, ...]
    counts: tuple[int, ...]
    table: tuple[int, ...]
    turn: int
    legal: tuple[int, ...]


class Toy:
    """Fulfils :class:`kupa.game.Game`."""

    name = "toy"

    def read_start(self, data: Mapping[str, Any]) -> Start | Refusal:
        if "hands" in data:
            return Start(tuple(map(tuple, data["hands"])))  # type: ignore[arg-type]
        cards = shuffled(range(8), data["seed"])
        return Start((tuple(cards[:4]), tuple(cards[4:])))

    def read_command(self, data: Mapping[str, Any], seat: int) -> Play | Whisper | Idle | Refusal:
        match data:
            case {"type": "play", "card": int(card)}:
                return Play(seat, card)
            case {"type": "whisper", "text": str(text)}:
                return Whisper(seat, text)
            case {"type": "idle"}:
                return Idle(seat)
        return bad_request("unknown_type", type=str(data.get("type")))

    def decide(self, state: State | None, command: Any) -> Sequence[Event] | Refusal:
        if state is None:
            return (Dealt(command.hands),)
        if isinstance(command, Idle):
            return ()
        if isinstance(command, Whisper):
            return (Whispered(command.seat, command.text),)
        if command.seat != state.turn:
            return Refusal("not_your_turn")
        if command.card not in state.hands[command.seat]:
            return bad_request("not_a_card")
        return (Played(command.seat, command.card),)

    def evolve(self, state: State | None, event: Event) -> State:
        if isinstance(event, Dealt):
            return State(event.hands)
        assert state is not None
        if isinstance(event, Whispered):
            return msgspec.structs.replace(state, whispers=state.whispers + 1)
        first, second = (tuple(card for card in hand if card != event.card) for hand in state.hands)
        return msgspec.structs.replace(
            state, hands=(first, second), turn=1 - event.seat, table=(*state.table, event.card)
        )

    def seats(self, state: State) -> int:
        return 2

    def to_act(self, state: State) -> tuple[int, ...]:
        return (state.turn,) if any(state.hands) else ()

    def is_over(self, state: State) -> bool:
        return not any(state.hands)

    def view(self, state: State, seat: int | None) -> View:
        hand = () if seat is None else tuple(sorted(state.hands[seat]))
        return View(
            seat=seat,
            hand=hand,
            counts=tuple(map(len, state.hands)),
            table=state.table,
            turn=state.turn,
            legal=hand if state.turn == seat else (),
        )

    def event_view(self, event: Event, seat: int | None) -> Json | None:
        if isinstance(event, Dealt):
            return {"type": "dealt", "hand": () if seat is None else event.hands[seat]}
        if isinstance(event, Whispered) and event.seat != seat:
            return None
        written: Json = msgspec.to_builtins(event)
        return written

    def write_event(self, event: Event) -> Json:
        written: Json = msgspec.to_builtins(event)
        return written

    def read_event(self, data: Json, version: int) -> Event:
        if version != 1:
            raise ValueError(version)
        event: Event = msgspec.convert(data, Event)
        return event


TOY = Toy()
GAMES = {"toy": TOY}


def choose(view: View, chance: Random) -> Json:
    """Lay down the lowest number."""
    return {"type": "play", "card": view.legal[0]}


class Asked:
    """A bot that remembers nothing: a function, asked anew each time."""

    def __init__(self, choose: Callable[[Any, Random], Json], luck: str) -> None:
        self._choose = choose
        self._chance = Random(luck)

    def told(self, event: Json) -> None:
        """Forget it."""

    def choose(self, view: Any) -> Json:
        """Ask the function."""
        return self._choose(view, self._chance)


def asking(choose: Callable[[Any, Random], Json]) -> dict[str, PlayerMaker]:
    """Return the bots of a server whose only bot is a function."""
    return {"simple": lambda luck: Asked(choose, luck)}


BOTS = asking(choose)


class NoPages:
    """Stands in for the pages where a test is about the contract alone."""

    def route_handlers(self) -> list[Any]:
        return []

    def render_error(self, request: Any, status: int, code: str) -> Any:
        from litestar import Response

        return Response(f"page {status} {code}", status_code=status, media_type="text/html")
