"""The ways to the page that tells whether a deal was fair."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from random import Random
from typing import Any

from kupa.hearts.events import MatchStarted
from kupa.hearts.state import OVER, State
from tests.fair_matches import changed
from tests.hearts.random_play import done, random_command
from tests.screens import moments
from tests.screens.visit import Visitor
from tests.server.company import Company


def to_the_end(state: State) -> list[Any]:
    """Return all that happens until a match, played at random, is over."""
    events: list[Any] = []
    rng = Random("fair")
    while state.phase != OVER:
        state, more = done(state, random_command(state, rng))
        events += more
    return events


def fair_deal(*, over: bool) -> Callable[[Visitor], None]:
    """Return the way to the page of a match of two people and two bots, over or still sealed."""

    def show(visitor: Visitor) -> None:
        company = visitor.guests.enter_context(Company(visitor.server, "Deniz", "Şule Işık"))
        match = company.start()
        if over:
            visitor.server.played_on(match, to_the_end)
        visitor.set_cookies({"guest": company.host.token})
        visitor.open(f"/m/{match}/fair")

    return show


def broken_deal(visitor: Visitor) -> None:
    """The rounds of a short match against bots do not come from the seed that the match says it has."""
    written = copy(moments.won())
    written.events = changed(written.events, MatchStarted, seed="another seed")
    visitor.open(f"/m/{written.stored(visitor.server)}/fair")
