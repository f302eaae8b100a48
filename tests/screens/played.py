"""The ways to the page of what somebody has played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from msgspec.structs import replace

from kupa.game import replay
from kupa.server.bots import names_at
from kupa.server.live_log import new_events
from kupa.server.starts import facts_of
from tests.browser.heart_table import SHOWN_DEAL, STUCK_AFTER_A_PAIR, TAPS, At
from tests.browser.hearts_table import Written, new_record
from tests.screens import moments, people
from tests.screens.fair_deals import to_the_end
from tests.screens.still_server import StillServer
from tests.screens.visit import Visitor
from tests.server.company import Company
from tests.server.ended_matches import HEART, HEARTS, heart_events, taps

NEWEST: Final = 1_785_000_000_000
"""When the newest match ended: July 25, 2026."""
APART: Final = 29 * 3600 * 1000
"""How far two ends lie apart."""


@cache
def finished() -> tuple[Written, ...]:
    """Return matches that have ended, of several rulebooks."""
    over = (
        Written(preset, players, seed="played", target=50).until(lambda state: state.phase == "over")
        for preset, players in (("klasik", 4), ("ozel", 4), ("cardems", 4), ("parlour", 6))
    )
    house = Written("klasik", seed="house", pass_count=2).until(lambda state: state.phase == "over")
    return (*over, house, moments.won(), moments.lost(5), moments.lost(11))


def keep_hearts(server: StillServer, person: str, written: Written, at: int) -> None:
    """Keep a finished match against bots."""
    players = written.state.players
    options = {"rules": written.preset, "set": dict.fromkeys(written.changed)}
    facts = facts_of(options, players, names_at(players), "club", "")
    record = new_record("hearts", facts, person, over=True)
    server.keep(replace(record, created_at=at - 900_000, updated_at=at), new_events(HEARTS, written.events))


def keep_heart(server: StillServer, person: str, code: str, places: Sequence[At], at: int) -> None:
    """Keep a patience."""
    events = heart_events(code, taps(places))
    facts = facts_of({}, 1, [None], "club", "")
    record = new_record("heart-to-heart", facts, person, over=HEART.is_over(replay(HEART, events)))
    server.keep(replace(record, created_at=at - 900_000, updated_at=at), new_events(HEART, events))


def played(count: int, *, older: bool = False) -> Callable[[Visitor], None]:
    """Return the way to the page of a guest with a number of matches, or to the older ones of them."""

    def show(visitor: Visitor) -> None:
        token, person = people.guest(visitor.server)
        keep(visitor.server, person, count)
        visitor.set_cookies({"guest": token})
        visitor.open("/played")
        if older:
            visitor.page.locator("a[rel=next]").click()
            visitor.page.wait_for_url("**/played?page=2")

    return show


def keep(server: StillServer, person: str, count: int) -> None:
    """Keep a number of matches of a person's own."""
    for number in range(count):
        at = NEWEST - number * APART
        if number % 5 == 2:
            keep_heart(server, person, SHOWN_DEAL, TAPS, at)
        elif number % 5 == 4:
            keep_heart(server, person, STUCK_AFTER_A_PAIR, [25, "waste"], at)
        else:
            keep_hearts(server, person, finished()[number % len(finished())], at)


def in_company(visitor: Visitor) -> None:
    """Somebody has played with another, and some matches alone."""
    company = visitor.guests.enter_context(Company(visitor.server, "Deniz", people.NAME))
    host = company.host
    visitor.server.played_on(company.start(), to_the_end)
    keep(visitor.server, host.client.get("/account/data").json()["person"], 4)
    visitor.set_cookies({"guest": host.token})
    visitor.open("/played")
