"""The page of a match that tells whether its deal was fair, and has worked it out itself.

What was sealed, and what was shown when, is in the log of the match's room; a match against bots has none,
and is dealt from a random seed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from litestar import Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from kupa import catalogue
from kupa.fairness import FairDeal, Fault
from kupa.game import Game, Json
from kupa.hearts.events import MatchOver
from kupa.record import Record
from kupa.rooms.room import ROOMS
from kupa.server.api import table_to_tell
from kupa.server.bots import names_for
from kupa.server.errors import Problem
from kupa.server.language import language_of
from kupa.server.names import told_apart
from kupa.server.people import People
from kupa.server.rendering import render
from kupa.server.requests import Asked, page_at
from kupa.server.store import Store, UnreadableMatchError
from kupa.verification import (
    BROKEN,
    KEPT,
    SEALED,
    SEED,
    RoomDeal,
    Verdict,
    check_of_room,
    check_record,
    deals_of_room,
    fault_text,
)

ICONS: Final = {KEPT: "check", BROKEN: "warning", SEALED: "lock"}
"""The icon of each verdict; a log that cannot be read has that of a warning."""

OF_THE_SEAL: Final = {
    "commitment": {"not_a_secret", "other_commitment", "known_secret"},
    "contributions": {"not_a_contribution", "other_contribution", "other_seats"},
    "seed": {"other_seed", "other_beginning", "given_hands"},
    "rules": {"against_the_rules", "other_rules"},
}
"""The faults that each part of the promise may have, by their codes; those of rounds apart."""


@page_at("/m/{match_id:str}/fair")
async def show_fair(request: Asked, match_id: FromPath[str]) -> Response[str]:
    """Tell whether a match was dealt fairly; while it is sealed, with what."""
    table = await table_to_tell(request, match_id)
    if table.game.name != "hearts":
        raise Problem(404, "not_found")
    record, deal = await sealed_record(request.app.state.store, match_id, table.game, table.facts)
    verdict = None if deal is None else await asyncio.to_thread(check_of_room, deal, record.events)
    names = table.facts["names"] if deal is None else await _names(request.app.state.people, deal)
    return await render_fair(request, record, names, verdict)


async def _names(people: People, deal: RoomDeal) -> list[str | None]:
    """Return what the seats are called: people by the names they have now, bots by those of their seats."""
    called = told_apart(await people.names([person for person in deal.people if person is not None]))
    bots = names_for((seat for seat, person in enumerate(deal.people) if person is None), called.values())
    return [bots[seat] if person is None else called.get(person) for seat, person in enumerate(deal.people)]


async def sealed_record(
    store: Store, match_id: str, game: Game, facts: Json
) -> tuple[Record, RoomDeal | None]:
    """Return a match so far with what its deals are made of, as far as that may be known; the deal too.

    Args:
        store: the log.
        match_id: the match.
        game: its game.
        facts: what is kept beside it; ``room`` names the room whose match it is.

    Raises:
        StoreError: the log cannot be read.
        UnreadableMatchError: the log of the match, or of its room, cannot be replayed.
    """
    events = tuple(await _events(store, match_id, game))
    room: str | None = facts.get("room")
    if room is None:
        return Record(game.name, events), None
    try:
        deals = deals_of_room(await _events(store, room, ROOMS))
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise UnreadableMatchError(f"the room of the match: {type(error).__name__}") from None
    deal = next((deal for deal in deals if deal.match == match_id), None)
    return Record(game.name, events, None if deal is None else deal.fair), deal


async def _events(store: Store, log_id: str, game: Any) -> list[Any]:
    try:
        return [game.read_event(entry.data, entry.version) for entry in await store.events(log_id)]
    except ValueError as error:
        # The text of the error may name cards.
        raise UnreadableMatchError(type(error).__name__) from None


async def render_fair(
    request: Asked,
    record: Record,
    names: Sequence[str | None],
    verdict: Verdict | None = None,
) -> Response[str]:
    """Answer with the page that tells whether a match of Hearts was dealt fairly.

    What may not be known yet is not on it: the secret and the contributions come from ``record.fair``, which
    has none while they are sealed, and the seed is shown only when they are revealed or the match is over.

    Args:
        request: the request; its path has the id of the match as ``match_id``.
        record: the match, with what its deals were made of if they were sealed.
        names: what the seats are called; None for one without a name.
        verdict: what can be said of the match, if that has been worked out with its room's log
            (:func:`kupa.verification.check_of_room`); by the record alone if left out.

    Raises:
        Problem: ``not_found``: the match is a patience.
    """
    if record.game != "hearts":
        raise Problem(404, "not_found")
    if verdict is None:
        # It takes long for a long match.
        verdict = await asyncio.to_thread(check_record, record)
    context = fair_context(language_of(request), record, names, verdict)
    return render(request, "fair.html", match_id=request.path_params["match_id"], **context)


def fair_context(
    language: str, record: Record, names: Sequence[str | None], verdict: Verdict
) -> dict[str, Any]:
    """Return what the page says, as plain values for its template."""
    called = [name or catalogue.text(language, "table.player", n=seat + 1) for seat, name in enumerate(names)]
    fair, started = record.fair, record.events[0] if record.events else None
    is_revealed = fair is not None and fair.secret is not None
    is_shown = is_revealed or (fair is None and isinstance(record.events[-1:][0], MatchOver))

    def told(faults: Sequence[Fault]) -> list[str]:
        return [fault_text(language, fault, called) for fault in faults]

    return {
        "verdict": verdict.verdict,
        "icon_name": ICONS.get(verdict.verdict, "warning"),
        "lead": f"fair.lead.{SEED if verdict.kind == SEED and verdict.verdict == KEPT else verdict.verdict}",
        "fair": fair,
        "is_revealed": is_revealed,
        "contributions": _contributions(fair, called),
        "seed": started.seed if is_shown and started is not None else None,
        "faults": {
            part: told([fault for fault in verdict.faults if fault.code in codes])
            for part, codes in OF_THE_SEAL.items()
        },
        "rounds": [{"n": check.round + 1, "faults": told(check.faults)} for check in verdict.rounds],
    }


def _contributions(fair: FairDeal | None, called: Sequence[str]) -> list[dict[str, str]]:
    """Return what each seat added, with its name; an empty text for a bot."""
    given = () if fair is None else fair.contributions
    # A seat too many has a fault of its own, and no name.
    names = [*called, *("" for _ in given[len(called) :])]
    return [{"name": name, "given": one} for name, one in zip(names, given, strict=False)]


def route_handlers() -> list[HTTPRouteHandler]:
    """Return the handler of the page."""
    return [show_fair]
