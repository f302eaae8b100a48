"""The ways to the page that tells whether a deal was fair."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from msgspec.structs import replace

from kupa.hearts.game import HEARTS
from kupa.rooms.events import Contributed
from kupa.rooms.room import ROOMS
from kupa.server.bots import names_at
from kupa.server.live_log import new_events
from tests.browser.hearts_table import new_record
from tests.fair_matches import FairRoom, changed
from tests.screens.visit import Visitor


@cache
def company(name: str) -> FairRoom:
    """A room with one match that is over, and one in play that is sealed; their ids begin with a name."""
    room = FairRoom("screens")
    room.play(f"{name}-over")
    room.again()
    room.play(f"{name}-sealed", rounds=1)
    return room


def fair_deal(name: str, which: str, **forged: str) -> Callable[[Visitor], None]:
    """Return the way to the page of a match.

    Args:
        name: what the ids begin with.
        which: ``over`` or ``sealed``.
        forged: what is another in the room's log than the person gave.
    """

    def show(visitor: Visitor) -> None:
        room = company(name)
        log: list[Any] = changed(room.events, Contributed, 0, **forged) if forged else room.events
        of_room = replace(new_record("room", {}, None, over=False), id=f"{name}-room")
        visitor.server.keep(of_room, new_events(ROOMS, log))
        facts = {"preset": "klasik", "changed": [], "players": 4, "names": names_at(4), "room": of_room.id}
        match = replace(new_record("hearts", facts, None, over=which == "over"), id=f"{name}-{which}")
        visitor.server.keep(match, new_events(HEARTS, room.matches[match.id]))
        visitor.open(f"/m/{match.id}/fair")

    return show
