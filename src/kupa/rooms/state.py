"""The state of a room."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from kupa.game import Json

GATHERING: Final = "gathering"
"""People come, sit down and leave; nothing is dealt yet."""
PLAYING: Final = "playing"
"""A match is being played."""
OVER: Final = "over"
"""The match is over and its deals have been revealed; the company may play another."""

Person = str
"""Who somebody is: an opaque id, never a name."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the host has chosen for a room; all its matches are played so."""

    rules: str
    """The name of a preset."""
    players: int
    """The number of seats."""
    set: Json = {}
    """Fields of the rulebook that house rules override."""
    end_early: bool = False
    """Whether rounds end once no points are left to take."""
    think: int | None = None
    """Seconds that a decision may take; None for any time."""
    listed: bool = False
    """Whether the lobby shows the room; else only its link and its code lead to it."""
    watch: bool = True
    """Whether somebody without a seat may watch."""
    hints: bool = False
    """Whether a player may ask what cards are expected to cost."""


class Seat(msgspec.Struct, frozen=True):
    """A seat: a person's, a bot's, or open."""

    person: Person | None = None
    level: str | None = None
    """The level of the bot that sits here; None for a person and for an open seat."""
    bot_plays: bool = False
    """Whether a bot plays for the person for the time being."""
    conceded: bool = False
    """Whether the person has given this match up; a bot plays it to its end."""

    @property
    def is_open(self) -> bool:
        """Whether nobody sits here."""
        return self.person is None and self.level is None


def seat_in(seats: Iterable[Seat], person: Person) -> int | None:
    """Return the number of the seat that a person has, or None."""
    return next((number for number, seat in enumerate(seats) if seat.person == person), None)


class Deal(msgspec.Struct, frozen=True):
    """What a fair deal is made of (:func:`kupa.shuffle.fair_seed`)."""

    commitment: str
    """SHA-256 of the secret, in hex: shown before anything is dealt."""
    secret: str
    """32 random bytes in hex; nobody's until the match is over."""
    contributions: tuple[str, ...] = ()
    """What each seat added, in hex, empty for a bot; filled in when the match begins."""
    seed: str = ""
    """The seed text that follows; known from the beginning of the match, secret until its end."""
    match: str = ""
    """The id of the match."""


class Room(msgspec.Struct, frozen=True, kw_only=True):
    """The whole truth about a room."""

    settings: Settings
    host: Person
    seats: tuple[Seat, ...]
    people: tuple[Person, ...]
    """Everybody in the room, seated or not, in the order in which they came."""
    removed: frozenset[Person] = frozenset()
    """Who was sent away, and may not come back."""
    phase: str = GATHERING
    deal: Deal
    """The deal that is sealed for the next match, or that of the match in play."""
    given: dict[Person, str] = {}
    """What people have contributed to the deal, in hex."""
    revealed: Deal | None = None
    """The deal of the last match, once it is over."""
    matches: int = 0
    """How many matches have begun."""
    companies: dict[str, tuple[Seat, ...]] = {}
    """Who sat where at the end of each match that is over, by the match's id."""

    def plays(self, match: str) -> bool:
        """Tell whether a match is the one that is being played."""
        return self.phase == PLAYING and self.deal.match == match

    def company_of(self, match: str) -> tuple[Seat, ...] | None:
        """Return who sits, or has sat, where at a match of this room; None if it has played no such match."""
        return self.seats if self.plays(match) else self.companies.get(match)

    def seat_of(self, person: Person) -> int | None:
        """Return where a person sits, or None."""
        return seat_in(self.seats, person)

    @property
    def seated(self) -> tuple[Person, ...]:
        """Everybody who sits, in seat order."""
        return tuple(seat.person for seat in self.seats if seat.person is not None)

    @property
    def open_seats(self) -> tuple[int, ...]:
        """The numbers of the seats in which nobody sits."""
        return tuple(i for i, seat in enumerate(self.seats) if seat.is_open)
