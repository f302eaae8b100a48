"""What happens in a match of Hearts, and what each seat is told of it.

Events are the truth that is stored: each carries its own results, so that a log replays to the same state in
every later release. Cards are written as texts. ``for_seat`` is an allow-list: it builds what one seat is
told, and the rest of the event never leaves the server. The seat None is a watcher, who holds no cards and is
shown nobody's.
"""

from __future__ import annotations

from typing import Any

import msgspec

from kupa.cards import CardText
from kupa.game import Json
from kupa.hearts.rulebook import Rulebook


class Event(msgspec.Struct, frozen=True, tag_field="type"):
    """Something that happened. Unless a kind says otherwise, every seat may see all of it."""

    def for_seat(self, seat: int | None) -> Json:  # noqa: ARG002 - most events look the same from every seat
        """Return what a seat is told, as JSON built-ins."""
        told: Json = msgspec.to_builtins(self)
        return told


class MatchStarted(Event, frozen=True, tag="match_started", kw_only=True):
    """A match began. The seed, and hands given beforehand, are the server's alone."""

    rulebook: Rulebook
    preset: str
    seed: str
    totals: tuple[int, ...]
    round: int
    end_early: bool
    hands: tuple[tuple[CardText, ...], ...] | None

    def for_seat(self, seat: int | None) -> Json:  # noqa: ARG002
        """Return the rules and the score sheet, without what the deal comes from."""
        return {
            "type": "match_started",
            "rules": msgspec.to_builtins(self.rulebook),
            "totals": list(self.totals),
            "round": self.round,
        }


class RoundDealt(Event, frozen=True, tag="round_dealt"):
    """A round was dealt: a hand a seat, and the kitty."""

    round: int
    direction: str
    dealer: int
    hands: tuple[tuple[CardText, ...], ...]
    """In deck order, so that the order tells nothing."""
    kitty: tuple[CardText, ...]

    def for_seat(self, seat: int | None) -> Json:
        """Return the seat's own hand, if it is one, and the number of cards in the kitty."""
        told: Json = {
            "type": "round_dealt",
            "round": self.round,
            "direction": self.direction,
            "dealer": self.dealer,
        }
        if seat is not None:
            told["hand"] = list(self.hands[seat])
        told["kitty"] = len(self.kitty)
        return told


class PassChosen(Event, frozen=True, tag="pass_chosen"):
    """A seat chose what it passes; the others learn that it did."""

    seat: int
    cards: tuple[CardText, ...]

    def for_seat(self, seat: int | None) -> Json:
        """Return who chose, and the cards to that seat alone."""
        told: Json = {"type": "pass_chosen", "seat": self.seat}
        if seat == self.seat:
            told["cards"] = list(self.cards)
        return told


class PassesMade(Event, frozen=True, tag="passes_made"):
    """All have chosen, and the cards changed hands."""

    received: tuple[tuple[CardText, ...], ...]
    """What each seat received."""
    givers: tuple[int, ...]
    """From whom."""

    def for_seat(self, seat: int | None) -> Json:
        """Return what the seat received, and from whom; to a watcher only that it happened."""
        if seat is None:
            return {"type": "passes_made"}
        return {"type": "passes_made", "received": list(self.received[seat]), "from": self.givers[seat]}


class PlayBegan(Event, frozen=True, tag="play_began"):
    """Passing is over, or there was none; the leader leads to the first trick."""

    leader: int


class CardPlayed(Event, frozen=True, tag="card_played"):
    """A card fell."""

    seat: int
    card: CardText
    breaks: bool
    """Whether this card broke hearts."""


class TrickTaken(Event, frozen=True, tag="trick_taken"):
    """A trick is complete."""

    leader: int
    winner: int | None
    """None where every card of the suit led cancelled."""
    taker: int | None
    """Whose the cards are now: the winner, or the leader of a last trick that cancelled; else they wait."""
    points: int
    """Raw points that came to the taker with the cards that all have seen."""
    kitty_points: int
    """Raw points that came to the taker with the kitty; nobody else is told."""

    def for_seat(self, seat: int | None) -> Json:
        """Return the trick; the kitty's points are counted for its taker alone."""
        hidden = self.kitty_points if seat is not None and seat == self.taker else 0
        return {
            "type": "trick_taken",
            "leader": self.leader,
            "winner": self.winner,
            "taker": self.taker,
            "points": self.points + hidden,
        }


class KittyTaken(Event, frozen=True, tag="kitty_taken"):
    """The kitty went to the taker of the first trick, who alone sees it until the round is over."""

    seat: int
    cards: tuple[CardText, ...]

    def for_seat(self, seat: int | None) -> Json:
        """Return how many cards it was, and the cards to their taker alone."""
        told: Json = {"type": "kitty_taken", "seat": self.seat, "count": len(self.cards)}
        if seat == self.seat:
            told["cards"] = list(self.cards)
        return told


class Claimed(Event, frozen=True, tag="claimed"):
    """A seat asked to end the round, as nothing that counts was left to be taken."""

    seat: int


class MoonMade(Event, frozen=True, tag="moon_made"):
    """A seat shot the moon and has to say what it shall do."""

    seat: int


class MoonChosen(Event, frozen=True, tag="moon_chosen"):
    """The shooter said what the moon does: ``add`` or ``subtract``."""

    seat: int
    choice: str


class RoundScored(Event, frozen=True, tag="round_scored"):
    """The points of a round were written down."""

    raw: tuple[int, ...]
    """The penalty values of the cards that each seat took."""
    points: tuple[int, ...]
    """What was written down."""
    totals: tuple[int, ...]
    shooter: int | None
    choice: str | None
    """What the shooter chose; None where there was nothing to choose."""
    bonus: tuple[int, ...]
    """The seats that took a bonus card, ascending."""


class ExtraRound(Event, frozen=True, tag="extra_round"):
    """The match goes on although the target is reached."""

    reason: str
    """``tie`` or ``perfect_round``."""
    perfect: tuple[int, ...]
    """The seats that played the perfect round, where that is the reason."""


class MatchOver(Event, frozen=True, tag="match_over"):
    """The match is over."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]


AnyEvent = (
    MatchStarted
    | RoundDealt
    | PassChosen
    | PassesMade
    | PlayBegan
    | CardPlayed
    | TrickTaken
    | KittyTaken
    | Claimed
    | MoonMade
    | MoonChosen
    | RoundScored
    | ExtraRound
    | MatchOver
)


def write_event(event: Event) -> Json:
    """Write an event for the log, as JSON built-ins with its kind under ``type``."""
    written: Json = msgspec.to_builtins(event)
    return written


def read_event(data: dict[str, Any], version: int) -> Event:
    """Read an event of a log of any version.

    Raises:
        ValueError: the data is no event of that version.
    """
    if version != 1:
        raise ValueError(f"events of version {version} are not known")
    event: Event = msgspec.convert(data, AnyEvent)  # a ValidationError is a ValueError
    return event
