"""The headers that every answer carries, whatever it is."""

from __future__ import annotations

import re
from typing import Final

from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import Message, Scope

_HOST: Final = re.compile(r"[A-Za-z0-9.\-]+(:\d+)?|\[[0-9A-Fa-f:.]+\](:\d+)?")

POLICY: Final = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    # A card's place is a custom property on its own element.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
)
"""What a page may load and do: nothing from elsewhere, and no script of its own text."""

FIXED: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

STATIC: Final = "/static/"


def policy_for(host: str) -> str:
    """Return the content security policy of pages of a host.

    The socket is named, since not every browser takes ``'self'`` to mean it.
    """
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    return "; ".join((*POLICY, f"connect-src 'self'{sockets}"))


async def add_headers(message: Message, scope: Scope) -> None:
    """Add what is missing to the head of an answer; what a handler has set stays."""
    if message["type"] != "http.response.start" or scope["type"] != ScopeType.HTTP:
        return
    headers = MutableScopeHeaders(message)
    for name, value in FIXED.items():
        headers.setdefault(name, value)
    headers.setdefault("content-security-policy", policy_for(Headers.from_scope(scope).get("host", "")))
    if not scope["path"].startswith(STATIC):
        # Pages and answers tell the state of a match, the person's language and settings.
        headers.setdefault("cache-control", "no-store")
