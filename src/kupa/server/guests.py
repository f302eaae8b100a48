"""Who asks: the person of a request or of a socket.

A browser that does something for the first time gets a random token in a cookie, and a program may send the
same as a bearer. What is forged, foreign, ended or malformed is nobody's.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from kupa.server.people import People
from kupa.server.tokens import KEPT_FOR, ReadToken

COOKIE: Final = "kupa_guest"
"""The cookie that holds the signed token."""
RENEWED_AFTER: Final = 30 * 24 * 3600
"""Seconds after which a browser that comes again gets a fresh signature, so that it never ends in use."""

Connection = ASGIConnection[Any, Any, Any, Any]


class Guest(NamedTuple):
    """Who asks."""

    person: str
    """The person's id."""
    cookies: list[Cookie]
    """The cookies to set with the answer; empty if the browser has what it needs."""


class Visit(NamedTuple):
    """A session in use."""

    person: str
    token_hash: str
    """Names the session among the person's."""


def people_of(connection: Connection) -> People:
    """Return the people of the server that a request or a socket has come to."""
    people: People = connection.app.state.people
    return people


def shown_token(connection: Connection) -> str:
    """Return the signed token of a request, of the header ``Authorization``, else the cookie; or ""."""
    scheme, _, bearer = connection.headers.get("authorization", "").partition(" ")
    if scheme.casefold() == "bearer":
        return bearer.strip()
    return connection.cookies.get(COOKIE, "")


def read_token(connection: Connection) -> ReadToken | None:
    """Return the token that a request shows, or None if there is none that we have signed."""
    return people_of(connection).tokens.read(shown_token(connection))


async def visit(connection: Connection) -> Visit | None:
    """Return the session of a request or of a socket, or None for somebody we do not know.

    Raises:
        StoreError: the database cannot be read.
    """
    token = read_token(connection)
    if token is None:
        return None
    person = await people_of(connection).person_shown(token)
    return None if person is None else Visit(person, token.hash)


async def visitor(connection: Connection) -> str | None:
    """Return the person of a request or of a socket, or None for somebody we do not know.

    Raises:
        StoreError: the database cannot be read.
    """
    found = await visit(connection)
    return None if found is None else found.person


async def guest(request: Request[Any, Any, Any]) -> Guest:
    """Return who asks; somebody we do not know becomes a guest with the cookies of the answer.

    Raises:
        StoreError: the database cannot be used.
    """
    person = await visitor(request)
    if person is not None:
        return Guest(person, renewed(request))
    person, token = await people_of(request).new_guest()
    return Guest(person, [cookie_for(request, token)])


def renewed(request: Request[Any, Any, Any]) -> list[Cookie]:
    """Return the cookie that a known browser shall have from now on, if its own has grown old."""
    token = read_token(request)
    shown = request.cookies.get(COOKIE, "")
    if token is None or shown != shown_token(request):
        return []
    if token.age is not None and token.age < RENEWED_AFTER:
        return []
    return [cookie_for(request, shown.partition(".")[0])]


def cookie_for(request: Request[Any, Any, Any], token: str) -> Cookie:
    """Return the cookie that lets a browser be known by a token."""
    return Cookie(
        key=COOKIE,
        value=people_of(request).tokens.signed(token),
        path="/",
        max_age=KEPT_FOR,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def no_cookie() -> Cookie:
    """Return the cookie that has a browser forget who it is."""
    return Cookie(key=COOKIE, value="", path="/", max_age=0, httponly=True, samesite="lax")
