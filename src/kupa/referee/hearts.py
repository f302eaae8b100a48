"""The referee's desk for Hearts: requests of the public protocol become commands, states become replies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import structs

from kupa.cards import Card, card_of, cards_in, texts
from kupa.game import Json
from kupa.hearts.commands import ChooseMoon, PassCards, PlayCard, StartMatch
from kupa.hearts.engine import decide, legal, raw_points
from kupa.hearts.evolution import evolve
from kupa.hearts.presets import PRESETS, chosen_rulebook
from kupa.hearts.state import FinishedRound, State, Trick
from kupa.hearts.view import seat_cards, view
from kupa.keys import COUNT, INTEGER, LIST, OBJECT, TEXT, TEXTS, Kind, bad_request, check_keys
from kupa.referee.desk import Answer, RandomBelow
from kupa.refusal import Refusal

SEED_BITS: Final = 128

_KEYS: Final[dict[str, dict[str, Kind]]] = {
    "rules": {},
    "new": {"game": TEXT, "rules": TEXT},
    "pass": {"seat": COUNT, "cards": TEXTS},
    "play": {"seat": COUNT, "card": TEXT},
    "moon": {"seat": COUNT, "choice": TEXT},
    "state": {},
    "view": {"seat": COUNT},
}
_NEW_KEYS: Final[dict[str, Kind]] = {
    "players": INTEGER,
    "set": OBJECT,
    "seed": TEXT,
    "hands": LIST,
    "totals": LIST,
    "round": COUNT,
}


class Request(NamedTuple):
    """A request that is well formed."""

    do: str
    data: Json
    cards: tuple[Card, ...] = ()
    """The cards that it names, outside ``new``."""


class HeartsDesk:
    """See :class:`kupa.referee.desk.Desk`."""

    def __init__(self, randbelow: RandomBelow) -> None:
        self._randbelow = randbelow

    def read(self, data: Json) -> Request | Refusal:
        """Read a request, or refuse it with ``bad_request``."""
        do: str = data["do"]
        refusal = check_keys(data, {"do": TEXT, **_KEYS[do]}, _NEW_KEYS if do == "new" else {})
        if refusal is None and do == "new":
            refusal = _check_lists(data)
        if refusal is not None:
            return refusal
        named = data.get("cards", [data["card"]] if "card" in data else [])
        try:
            return Request(do, data, tuple(map(card_of, named)))
        except ValueError:
            return bad_request("not_a_card")

    def answer(self, state: State | None, request: Request) -> Answer | Refusal:
        """Do what a request asks."""
        if request.do == "rules":
            return Answer(state, {"rules": every_preset()})
        if request.do == "new":
            return self._new(request.data)
        if state is None:
            return Refusal("no_game")
        seat = request.data.get("seat")
        if seat is not None and seat >= state.players:
            return bad_request("no_seat", seat=seat, last=state.players - 1)
        if request.do == "view":
            return Answer(state, {"view": seat_view(state, request.data["seat"])})
        if request.do == "state":
            return _answer(state)
        return _decided(state, _COMMANDS[request.do](request))

    def _new(self, data: Json) -> Answer | Refusal:
        rulebook = chosen_rulebook(data["rules"], data.get("players"), data.get("set"))
        if isinstance(rulebook, Refusal):
            return rulebook
        command = StartMatch(
            rulebook=rulebook,
            preset=data["rules"],
            seed=data["seed"] if "seed" in data else f"{self._randbelow(2**SEED_BITS):032x}",
            hands=_hands_of(data),
            totals=tuple(data["totals"]) if "totals" in data else None,
            round=data.get("round", 0),
        )
        return _decided(None, command)


_COMMANDS: Final[dict[str, Callable[[Request], PassCards | PlayCard | ChooseMoon]]] = {
    "pass": lambda request: PassCards(request.data["seat"], request.cards),
    "play": lambda request: PlayCard(request.data["seat"], request.cards[0]),
    "moon": lambda request: ChooseMoon(request.data["seat"], request.data["choice"]),
}


def _hands_of(data: Json) -> tuple[tuple[Card, ...], ...] | None:
    """Return the hands that a request gives, None if it gives none, no hands where a text is no card."""
    if "hands" not in data:
        return None
    try:
        return tuple(tuple(map(card_of, hand)) for hand in data["hands"])
    except ValueError:
        return ()  # which are the hands of no deal


def _check_lists(data: Json) -> Refusal | None:
    """Refuse ``totals`` that are not whole numbers and ``hands`` that are not lists of texts."""
    for hand in data.get("hands", ()):
        if not TEXTS.fits(hand):
            return bad_request("not_hands", key="hands")
    for total in data.get("totals", ()):
        if not INTEGER.fits(total):
            return bad_request("not_integers", key="totals")
    return None


def _decided(state: State | None, command: Any) -> Answer | Refusal:
    events = decide(state, command)
    if isinstance(events, Refusal):
        return events
    after = state
    for event in events:
        after = evolve(after, event)
    assert after is not None  # every command leads to an event
    return _answer(after)


def _answer(state: State) -> Answer:
    return Answer(state, {"state": whole_state(state)})


def every_preset() -> Json:
    """Return every preset by name, each field spelled out for its default number of players."""
    told: Json = {}
    for preset in PRESETS.values():
        told[preset.name] = msgspec.to_builtins(preset.rulebook())
        if preset.removed_by_players:
            by_players = preset.removed_by_players.items()
            told[preset.name]["removed_by_players"] = {str(count): list(cards) for count, cards in by_players}
    return told


def seat_view(state: State, seat: int) -> Json:
    """Return what a seat may know, in the shape of the protocol's ``view``."""
    told = structs.asdict(view(state, seat))
    del told["can_claim"]  # the protocol has no claims
    return told


def whole_state(state: State) -> Json:
    """Return all that is true of a match, in the shape of the protocol's ``state``."""
    return {
        "game": "hearts",
        "phase": state.phase,
        "rules": state.rulebook,
        "seed": state.seed,
        "round": state.round,
        "direction": state.direction,
        "dealer": state.dealer,
        "turn": state.turn,
        "hands": [hand.texts for hand in state.hands],
        "passed": [None if cards is None else texts(cards) for cards in state.passed],
        "received": [texts(cards) for cards in state.received],
        "legal": texts(cards_in(legal(state))),
        "trick": seat_cards(state.leader, state.trick, state.players),
        "tricks": _tricks(state.tricks, state.players),
        "pile": texts(state.pile),
        "broken": state.broken,
        "taken": raw_points(state),
        "kitty": texts(state.kitty),
        "totals": state.totals,
        "rounds": state.rounds,
        "last_round": None if state.last_round is None else _finished(state.last_round, state.players),
        "extra_round": state.extra_round,
        "perfect": state.perfect,
        "winners": state.winners,
    }


def _tricks(tricks: tuple[Trick, ...], players: int) -> list[Json]:
    return [
        {
            "leader": trick.leader,
            "cards": seat_cards(trick.leader, trick.cards, players),
            "winner": trick.winner,
            "points": trick.points + trick.kitty_points,
        }
        for trick in tricks
    ]


def _finished(finished: FinishedRound, players: int) -> Json:
    return {
        "tricks": _tricks(finished.tricks, players),
        "raw": finished.raw,
        "points": finished.points,
        "shooter": finished.shooter,
        "choice": finished.choice,
        "bonus": finished.bonus,
        "kitty": texts(finished.kitty),
        "hands": [hand.texts for hand in finished.hands],
    }
