"""The page on privacy: what is kept of people, why, for how long, and what they may ask for."""

from __future__ import annotations

from typing import Final

from litestar import Response
from litestar.handlers import HTTPRouteHandler

from kupa.server.rendering import render
from kupa.server.requests import Asked, page_at
from kupa.server.retention import (
    MATCHES_KEPT,
    MESSAGES_KEPT,
    REPORTS_KEPT,
    ROOMS_KEPT,
    SESSIONS_KEPT,
    UNPLAYED_KEPT,
)

SECTIONS: Final[dict[str, int]] = {"who": 1, "short": 2, "basis": 2, "rights": 2, "cookies": 1, "others": 2}
"""The sections that are texts, with the number of their paragraphs."""
KEPT: Final[dict[str, int]] = {
    "session": SESSIONS_KEPT,
    "name": 0,
    "login": 0,
    "matches": MATCHES_KEPT,
    "results": 0,
    "rooms": ROOMS_KEPT,
    "messages": MESSAGES_KEPT,
    "blocks": 0,
    "reports": REPORTS_KEPT,
    "address": 0,
}
"""What is kept, and the days that its sentence names."""
LONGEST_OPERATOR: Final = 300
"""How many characters of the operator are shown."""


@page_at("/privacy")
async def privacy(request: Asked) -> Response[str]:
    """Tell what is kept of people."""
    operator = str(request.app.state.operator)[:LONGEST_OPERATOR]
    return render(
        request, "privacy.html", sections=SECTIONS, kept=KEPT, unplayed=UNPLAYED_KEPT, operator=operator
    )


def route_handlers() -> list[HTTPRouteHandler]:
    """Return the handler of the page."""
    return [privacy]
