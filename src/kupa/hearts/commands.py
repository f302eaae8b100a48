"""What can be asked of a match of Hearts, and how a client's JSON becomes a command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from kupa.cards import Card, card_of
from kupa.hearts.presets import chosen_rulebook
from kupa.hearts.rulebook import Rulebook
from kupa.refusal import Refusal
from kupa.shuffle import is_seed_text


class StartMatch(msgspec.Struct, frozen=True, kw_only=True):
    """Begin a match and deal its first round."""

    rulebook: Rulebook
    seed: str
    """The seed text that all rounds are dealt from; valid Unicode."""
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


Command = StartMatch | PassCards | PlayCard | ChooseMoon


class _PassBody(msgspec.Struct, forbid_unknown_fields=True, tag="pass"):
    cards: list[str]


class _PlayBody(msgspec.Struct, forbid_unknown_fields=True, tag="play"):
    card: str


class _MoonBody(msgspec.Struct, forbid_unknown_fields=True, tag="moon"):
    choice: str


class _StartBody(msgspec.Struct, forbid_unknown_fields=True):
    rules: str
    seed: str
    players: int | None = None
    set: dict[str, Any] = {}
    end_early: bool = False


def read_command(data: Mapping[str, Any], seat: int) -> Command | Refusal:
    """Read what a client asks for its seat; ``bad_request`` where it is no command of Hearts."""
    try:
        body = msgspec.convert(dict(data), _PassBody | _PlayBody | _MoonBody)
        if isinstance(body, _PassBody):
            return PassCards(seat, tuple(map(card_of, body.cards)))
        if isinstance(body, _PlayBody):
            return PlayCard(seat, card_of(body.card))
    except msgspec.ValidationError:
        return Refusal("bad_request", "no_command")
    except ValueError:
        return Refusal("bad_request", "no_card")
    return ChooseMoon(seat, body.choice)


def read_start(data: Mapping[str, Any]) -> StartMatch | Refusal:
    """Read what a new match is to be like: a preset's name, players, fields to override, the seed."""
    try:
        body = msgspec.convert(dict(data), _StartBody)
    except msgspec.ValidationError:
        return Refusal("bad_request", "no_start")
    rulebook = chosen_rulebook(body.rules, body.players, body.set)
    if isinstance(rulebook, Refusal):
        return rulebook
    if not is_seed_text(body.seed):
        return Refusal("bad_seed")
    return StartMatch(rulebook=rulebook, seed=body.seed, preset=body.rules, end_early=body.end_early)
