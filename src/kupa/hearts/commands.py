"""What can be asked of a match of Hearts, and how a client's JSON becomes a command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from kupa.cards import Card, card_of
from kupa.hearts.presets import chosen_rulebook
from kupa.hearts.rulebook import Rulebook
from kupa.keys import FLAG, INTEGER, OBJECT, TEXT, TEXTS, Kind, bad_request, check_keys
from kupa.refusal import Refusal


class StartMatch(msgspec.Struct, frozen=True, kw_only=True):
    """Begin a match and deal its first round."""

    rulebook: Rulebook
    seed: str
    """The seed text that all rounds are dealt from; refused unless it is valid Unicode."""
    preset: str = ""
    """The name of the preset that the rulebook came from; for people, the rules do not ask for it."""
    hands: tuple[tuple[Card, ...], ...] | None = None
    """The hands of the first round, instead of the seed's; what the deck has left is the kitty."""
    totals: tuple[int, ...] | None = None
    """Points already on the score sheet, a number a seat."""
    round: int = 0
    """Rounds already played: it sets passing direction, dealer and the number in the shuffle."""
    end_early: bool = False
    """Whether a round ends as soon as nothing that counts is left to be taken."""


class PassCards(msgspec.Struct, frozen=True):
    """Choose the cards to pass."""

    seat: int
    cards: tuple[Card, ...]


class PlayCard(msgspec.Struct, frozen=True):
    """Play a card to the trick."""

    seat: int
    card: Card


class ChooseMoon(msgspec.Struct, frozen=True):
    """Say what the moon that one has shot shall do: ``add`` or ``subtract``."""

    seat: int
    choice: str


class Claim(msgspec.Struct, frozen=True):
    """Ask to end the round, as nothing that counts is left to be taken."""

    seat: int


Command = StartMatch | PassCards | PlayCard | ChooseMoon | Claim


_BODIES: Final[dict[str, dict[str, Kind]]] = {
    "pass": {"type": TEXT, "cards": TEXTS},
    "play": {"type": TEXT, "card": TEXT},
    "moon": {"type": TEXT, "choice": TEXT},
    "claim": {"type": TEXT},
}
_START: Final = {"rules": TEXT, "seed": TEXT}
_START_OPTIONAL: Final = {"players": INTEGER, "set": OBJECT, "end_early": FLAG}


def read_command(data: Mapping[str, Any], seat: int) -> Command | Refusal:
    """Read what a client asks for its seat: ``pass`` with ``cards``, ``play`` with ``card``, ``moon`` with
    ``choice``, or ``claim``; ``bad_request`` where it is none of them.
    """
    kind = data.get("type")
    body = _BODIES.get(kind) if isinstance(kind, str) else None
    if body is None:
        return bad_request("unknown_type", type=str(kind))
    refusal = check_keys(data, body)
    if refusal is not None:
        return refusal
    try:
        if kind == "pass":
            return PassCards(seat, tuple(map(card_of, data["cards"])))
        if kind == "play":
            return PlayCard(seat, card_of(data["card"]))
        if kind == "claim":
            return Claim(seat)
    except ValueError:
        return bad_request("not_a_card")
    return ChooseMoon(seat, data["choice"])


def read_start(data: Mapping[str, Any]) -> StartMatch | Refusal:
    """Read what a new match is to be like: a preset's name under ``rules``, a ``seed`` and, optional,
    ``players``, the fields to override under ``set``, and ``end_early``.
    """
    refusal = check_keys(data, _START, _START_OPTIONAL)
    if refusal is not None:
        return refusal
    rulebook = chosen_rulebook(data["rules"], data.get("players"), data.get("set"))
    if isinstance(rulebook, Refusal):
        return rulebook
    return StartMatch(
        rulebook=rulebook,
        seed=data["seed"],
        preset=data["rules"],
        end_early=data.get("end_early", False),
    )
