"""Whether a match was dealt as it was promised: pure, for one match.

Before a fair deal, the SHA-256 of a secret is shown; then every person adds 16 bytes; the seed is the hex of
SHA-256(secret, then the contributions in seat order). Afterwards all of it is shown (:mod:`kupa.shuffle`),
and whoever knows it can find out whether the cards were those of that seed. What is wrong comes as
:class:`Fault` values, the sentence of each being the catalogue entry ``fair.fault.<code>``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from kupa.hearts.dealing import dealt_by
from kupa.hearts.events import MatchStarted, RoundDealt
from kupa.shuffle import CONTRIBUTION_BYTES, SECRET_BYTES, commitment, fair_seed

_SECRET: Final = re.compile(rf"[0-9a-f]{{{2 * SECRET_BYTES}}}")
_CONTRIBUTION: Final = re.compile(rf"(?:[0-9a-f]{{{2 * CONTRIBUTION_BYTES}}})?")


class FairDeal(msgspec.Struct, frozen=True, kw_only=True):
    """What the deals of one match are made of, all in lower-case hex."""

    commitment: str
    """SHA-256 of the secret: shown before anything was dealt."""
    secret: str | None = None
    """The server's 32 bytes; None until they are revealed."""
    contributions: tuple[str, ...] = ()
    """The 16 bytes that each seat added, an empty text for a bot; none until they are revealed."""


class Fault(msgspec.Struct, frozen=True):
    """One thing that is not as it was promised."""

    code: str
    """A stable name in snake_case."""
    params: dict[str, int] = {}
    """Where: ``seat`` and ``round`` count from 0, ``n`` is the round counted from 1, ``event`` from 1."""

    @property
    def message_key(self) -> str:
        """The key of the sentence in the catalogues."""
        return f"fair.fault.{self.code}"


class RoundCheck(msgspec.Struct, frozen=True):
    """Whether a round's cards are those of the seed."""

    round: int
    """Counted from 0."""
    faults: tuple[Fault, ...]


def seal_faults(fair: FairDeal, seed: str) -> tuple[Fault, ...]:
    """Return what is wrong between commitment, secret, contributions and seed.

    Args:
        fair: what was shown; nothing can be wrong before the secret is.
        seed: the seed text that the match was dealt from.
    """
    if fair.secret is None:
        return ()
    if not _SECRET.fullmatch(fair.secret):
        return (Fault("not_a_secret"),)
    secret = bytes.fromhex(fair.secret)
    faults = []
    if commitment(secret) != fair.commitment:
        faults.append(Fault("other_commitment"))
    malformed = [
        Fault("not_a_contribution", {"seat": seat})
        for seat, given in enumerate(fair.contributions)
        if not _CONTRIBUTION.fullmatch(given)
    ]
    if malformed:
        return (*faults, *malformed)
    if fair_seed(secret, tuple(map(bytes.fromhex, fair.contributions))) != seed:
        faults.append(Fault("other_seed"))
    return tuple(faults)


def start_faults(started: MatchStarted, fair: FairDeal | None) -> tuple[Fault, ...]:
    """Return what is wrong with the beginning of a match of Hearts, its seed and its seats."""
    faults: tuple[Fault, ...] = () if fair is None else seal_faults(fair, started.seed)
    if fair is not None and fair.secret is not None and len(fair.contributions) != started.rulebook.players:
        faults = (Fault("other_seats"), *faults)
    if fair is not None and (started.round or any(started.totals)):
        # Whoever knows the seed could choose the round to begin with, and so the cards.
        faults = (*faults, Fault("other_beginning"))
    # Hands that were given beforehand are no deal of the seed's, whatever they are.
    return faults if started.hands is None else (*faults, Fault("given_hands"))


def round_checks(events: Sequence[Any]) -> tuple[RoundCheck, ...]:
    """Deal every round of a match of Hearts again from its seed; return how each compares.

    Args:
        events: the match from its beginning; the first is its :class:`MatchStarted`.
    """
    started = events[0]
    dealt = [event for event in events if isinstance(event, RoundDealt)]
    return tuple(RoundCheck(event.round, tuple(_round_faults(started, event))) for event in dealt)


def _round_faults(started: MatchStarted, dealt: RoundDealt) -> Iterable[Fault]:
    place = {"round": dealt.round, "n": dealt.round + 1}
    hands, kitty = dealt_by(started.rulebook, started.seed, dealt.round)
    if len(dealt.hands) != len(hands):
        yield Fault("other_hands", place)
        return
    for seat, (hand, expected) in enumerate(zip(dealt.hands, hands, strict=True)):
        if tuple(hand) != expected:
            yield Fault("other_cards", {**place, "seat": seat})
    if tuple(dealt.kitty) != kitty:
        yield Fault("other_kitty", place)
