"""What handlers of pages share: the routes that answer with a page, and what is asked of a request."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from litestar import HttpMethod, Request, Response, post, route
from litestar.datastructures import Cookie

from kupa.refusal import Refusal
from kupa.server.attempts import Limit
from kupa.server.rooms import RoomHost
from kupa.server.tables import Tables

MADE: Final = 120
"""How many matches and rooms somebody may make in a minute."""
MADE_FROM: Final = 600
"""How many may be made from one address in a minute, by whomever."""

Asked = Request[Any, Any, Any]
"""A request."""

page_at: Final = partial(route, http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False)
"""Answers with a page, or with its head alone."""
sent_to: Final = partial(post, status_code=303, include_in_schema=False)
"""Takes what a form sends, and leads on to a page."""


def tables_of(request: Asked) -> Tables:
    """Return the live matches of the server that a request has come to."""
    tables: Tables = request.app.state.tables
    return tables


def rooms_of(request: Asked) -> RoomHost:
    """Return the live rooms of the server that a request has come to."""
    rooms: RoomHost = request.app.state.rooms
    return rooms


async def form_of(request: Asked) -> dict[str, str]:
    """Return the texts of a form that was sent."""
    return {name: value for name, value in (await request.form()).items() if isinstance(value, str)}


def address_of(request: Asked) -> str:
    """Return the address that a request has come from, to count attempts by; "" where it is not known."""
    return request.client.host if request.client else ""


def check_making(request: Asked, person: str | None) -> Refusal | None:
    """Return why somebody may make no other match or room now, or None, and count it then.

    Whatever is made is kept for long, so nobody may make more than people do.
    """
    state = request.app.state
    if "made" not in state:
        state.made = Limit(MADE, MADE_FROM)
    made: Limit = state.made
    return None if made.allow(person, address_of(request)) else Refusal("too_fast", "matches")


def with_cookies(page: Response[str], cookies: Iterable[Cookie]) -> Response[str]:
    """Return a page with cookies to be kept."""
    page.cookies.extend(cookies)
    return page
