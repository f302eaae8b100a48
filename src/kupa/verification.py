"""Whether matches went as they were promised: a record, a stored match, every match of a room. Pure.

A match is checked from its seal to its last trick: what was sealed (:mod:`kupa.fairness`), the cards of every
round, and everything that followed by today's rules (:func:`kupa.record.verified`). The log of a room tells
besides what each person gave to a deal, and in which order things were shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from kupa.catalogue import text
from kupa.fairness import FairDeal, Fault, RoundCheck, round_checks, start_faults
from kupa.hearts.events import MatchStarted
from kupa.hearts.presets import chosen_rulebook
from kupa.record import Record, verified
from kupa.rooms import events as room_events
from kupa.rooms.evolution import evolve
from kupa.rooms.state import Room, Settings

KEPT: Final = "kept"
BROKEN: Final = "broken"
SEALED: Final = "sealed"
UNREADABLE: Final = "unreadable"
"""What can be said of a match: all is as promised; something is not; what was sealed is not revealed yet, and
the rest is as promised; its log makes no sense."""

FAIR: Final = "fair"
SEED: Final = "seed"
PATIENCE: Final = "patience"
"""What a match promised: a sealed deal, a deal by a seed, or the deal of a patience."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What can be said of one match."""

    verdict: str
    """``kept``, ``broken``, ``sealed`` or ``unreadable``."""
    kind: str
    """``fair``, ``seed`` or ``patience``."""
    rounds: tuple[RoundCheck, ...] = ()
    """Every round of Hearts, dealt again."""
    faults: tuple[Fault, ...] = ()
    """All that is not as promised, those of the rounds among it."""


class RoomDeal(msgspec.Struct, frozen=True, kw_only=True):
    """What the log of a room tells of one of its matches."""

    match: str
    fair: FairDeal
    """Without secret and contributions while they are not revealed."""
    people: tuple[str | None, ...]
    """Who sat in each seat when the match began, None for a bot."""
    seed: str
    settings: Settings
    """How the room's matches are to be played."""
    faults: tuple[Fault, ...]
    """What is wrong with it by the room's log alone."""


def check_record(record: Record) -> Verdict:
    """Check a match; one that was sealed and not revealed is ``sealed`` if nothing else is wrong."""
    kind = PATIENCE if record.game != "hearts" else SEED if record.fair is None else FAIR
    if not record.events:
        return Verdict(verdict=UNREADABLE, kind=kind)
    try:
        rounds, faults = _of_hearts(record) if kind != PATIENCE else ((), ())
        if not faults:
            faults = _against_the_rules(record)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        # Events that are none of this game's, or fit no state: a damaged log.
        return Verdict(verdict=UNREADABLE, kind=kind)
    is_sealed = record.fair is not None and record.fair.secret is None
    verdict = BROKEN if faults else SEALED if is_sealed else KEPT
    return Verdict(verdict=verdict, kind=kind, rounds=rounds, faults=faults)


def _of_hearts(record: Record) -> tuple[tuple[RoundCheck, ...], tuple[Fault, ...]]:
    started = record.events[0]
    if not isinstance(started, MatchStarted):
        raise TypeError("a match begins with its start")
    rounds = () if started.hands is not None else round_checks(record.events)
    of_rounds = tuple(fault for check in rounds for fault in check.faults)
    return rounds, start_faults(started, record.fair) + of_rounds


def _against_the_rules(record: Record) -> tuple[Fault, ...]:
    refusal = verified(record)
    return () if refusal is None else (Fault("against_the_rules", {"event": int(refusal.params["event"])}),)


# Rooms


def deals_of_room(events: Sequence[Any]) -> tuple[RoomDeal, ...]:
    """Return the deals of all matches of a room, in the order in which they were played.

    Args:
        events: the room's log from its beginning.

    Raises:
        ValueError: the events cannot have happened one after the other.
    """
    deals: list[RoomDeal] = []
    known: set[str] = set()
    room: Room | None = None
    for event in events:
        if room is not None and isinstance(event, room_events.Started):
            deals.append(_begun(room, event, known))
        elif room is not None and isinstance(event, room_events.Revealed) and deals:
            secret, given = room.deal.secret, room.deal.contributions
            known.add(secret)
            shown = replace(deals[-1].fair, secret=secret, contributions=given)
            deals[-1] = replace(deals[-1], fair=shown)
        room = evolve(room, event)
    return tuple(deals)


def _begun(room: Room, event: room_events.Started, known: set[str]) -> RoomDeal:
    """Return a deal as it is when its match begins; its secret is not told yet."""
    given = tuple(room.given.get(seat.person, "") if seat.person else "" for seat in room.seats)
    faults = []
    if len(event.contributions) != len(given):
        faults.append(Fault("other_seats"))
    for seat, (shown, own) in enumerate(zip(event.contributions, given, strict=False)):
        if shown != own:
            faults.append(Fault("other_contribution", {"seat": seat}))
    if room.deal.secret in known:
        faults.append(Fault("known_secret"))
    return RoomDeal(
        match=event.match,
        fair=FairDeal(commitment=room.deal.commitment),
        people=tuple(seat.person for seat in room.seats),
        seed=event.seed,
        settings=room.settings,
        faults=tuple(faults),
    )


def check_of_room(deal: RoomDeal, events: Sequence[Any]) -> Verdict:
    """Check a match of a room, with what the room's log tells of it."""
    checked = check_record(Record("hearts", tuple(events), deal.fair))
    if checked.verdict == UNREADABLE:
        return checked
    found = (*deal.faults, *checked.faults, *_against_the_room(deal, events[0]))
    # The seed may be wrong by the room's log and by the seal: that is one fault.
    faults = tuple(fault for place, fault in enumerate(found) if fault not in found[:place])
    return replace(checked, faults=faults, verdict=BROKEN if faults else checked.verdict)


def _against_the_room(deal: RoomDeal, started: MatchStarted) -> tuple[Fault, ...]:
    faults = []
    if started.seed != deal.seed:
        faults.append(Fault("other_seed"))
    settings = deal.settings
    promised = chosen_rulebook(settings.rules, settings.players, settings.set)
    told = (settings.rules, promised, settings.end_early)
    if (started.preset, started.rulebook, started.end_early) != told:
        faults.append(Fault("other_rules"))
    return tuple(faults)


# Telling it


def fault_text(language: str, fault: Fault, names: Sequence[str] = ()) -> str:
    """Return the sentence that tells what is wrong.

    Args:
        language: ``"tr"`` or ``"en"``.
        fault: what is wrong.
        names: what the seats are called; by their numbers, from 0, where that is left out.
    """
    params: dict[str, str | int] = dict(fault.params)
    seat = fault.params.get("seat")
    if seat is not None:
        params["who"] = names[seat] if seat < len(names) else text(language, "fair.seat", seat=seat)
    return text(language, fault.message_key, **params)
