"""Only our own pages may change anything: requests that another site's page makes are refused.

Browsers say where a request comes from; a program that is no browser says nothing, holds no one's cookies,
and is let through. A proxy in front of the server must pass on the name that it was asked for (``Host``).
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from kupa.server.errors import Problem

READING: Final = {"GET", "HEAD", "OPTIONS"}
"""Methods that change nothing."""


def is_foreign(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Tell whether a request or a socket was opened by a page that is not ours."""
    headers = connection.headers
    if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return True
    origin = headers.get("origin")
    if origin is None:
        return False
    try:
        return urlsplit(origin).netloc != headers.get("host", "")
    except ValueError:
        return True


class OwnPagesOnly(ASGIMiddleware):
    """Refuses requests of foreign pages that would change something."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass a request on, or raise the refusal."""
        if scope["type"] == ScopeType.HTTP and scope["method"] not in READING:
            connection: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
            if is_foreign(connection):
                raise Problem(403, "foreign_origin")
        await next_app(scope, receive, send)
