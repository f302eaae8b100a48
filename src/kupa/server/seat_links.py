"""Links with which somebody goes on in their seat on another device: good once, and for a few minutes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Redirect
from sqlalchemy import delete, insert, select

from kupa import catalogue
from kupa.refusal import Refusal
from kupa.server.database import Database
from kupa.server.errors import Problem
from kupa.server.guests import guest, people_of, visitor
from kupa.server.language import language_of
from kupa.server.live_room import LiveRoom
from kupa.server.rendering import render
from kupa.server.requests import Asked, page_at, rooms_of, sent_to, with_cookies
from kupa.server.room_context import room_context
from kupa.server.room_pages import room_of_member
from kupa.server.schema import SEAT_LINKS
from kupa.server.store import milliseconds_now
from kupa.server.tokens import hash_of, new_token

LASTS: Final = 10
"""How many minutes a link is good for."""


class HeldSeat(NamedTuple):
    """What a link leads to: somebody's place in a room."""

    room: str
    person: str


class SeatLinks:
    """The links of one server. Only their hashes are kept: who reads the database cannot use one.

    Args:
        database: where they are kept.
        now: the time, in milliseconds since 1970, UTC.
    """

    def __init__(self, database: Callable[[], Database], now: Callable[[], int] = milliseconds_now) -> None:
        self._database = database
        self._now = now

    async def make(self, held: HeldSeat) -> str:
        """Return the token of a new link; an older one for the same seat is good no more."""
        token = new_token()
        row = {
            "token_hash": hash_of(token),
            "room": held.room,
            "person": held.person,
            "expires_at": self._now() + LASTS * 60_000,
        }
        async with self._database().writing() as connection:
            await connection.execute(
                delete(SEAT_LINKS).where(SEAT_LINKS.c.room == held.room, SEAT_LINKS.c.person == held.person)
            )
            await connection.execute(insert(SEAT_LINKS).values(row))
        return token

    async def look(self, token: str) -> HeldSeat | None:
        """Return what a link leads to, or None if it is good no more."""
        query = select(SEAT_LINKS.c.room, SEAT_LINKS.c.person).where(
            SEAT_LINKS.c.token_hash == hash_of(token), SEAT_LINKS.c.expires_at > self._now()
        )
        async with self._database().reading() as connection:
            found = (await connection.execute(query)).first()
        return None if found is None else HeldSeat(*found)

    async def use_up(self, token: str) -> None:
        """Take a link away."""
        async with self._database().writing() as connection:
            await connection.execute(delete(SEAT_LINKS).where(SEAT_LINKS.c.token_hash == hash_of(token)))


def links_of(request: Asked) -> SeatLinks:
    """Return the links of the server that a request has come to."""
    store = request.app.state.store
    return SeatLinks(lambda: store.database)


@post("/t/{room_id:str}/link", status_code=200, include_in_schema=False)
async def make_link(request: Asked, room_id: FromPath[str]) -> Response[str]:
    """Show somebody who is in a room a link with which they go on elsewhere."""
    room, person = await room_of_member(request, room_id)
    token = await links_of(request).make(HeldSeat(room_id, person))
    address = f"{request.url.scheme}://{request.url.netloc}/rejoin/{token}"
    frame = await room.frame(person)
    context = room_context(frame, language_of(request))
    return render(request, "seat_link.html", **context, link=address, minutes=LASTS)


@page_at("/rejoin/{token:str}")
async def show_link(request: Asked, token: FromPath[str]) -> Response[str]:
    """Ask whoever has come by a link whether they want to go on here."""
    held, room = await led_to(request, token)
    return await ask_page(request, room, held, token)


async def led_to(request: Asked, token: str) -> tuple[HeldSeat, LiveRoom]:
    """Return what a link leads to, and the room.

    Raises:
        Problem: 404 ``link_used_up``.
    """
    held = await links_of(request).look(token)
    room = None if held is None else await rooms_of(request).open(held.room)
    if held is None or room is None:
        raise Problem(404, "link_used_up")
    return held, room


async def ask_page(
    request: Asked, room: LiveRoom, held: HeldSeat, token: str, refused: str = ""
) -> Response[str]:
    """Return the page that asks whether to go on here, with why it cannot be if it has been tried."""
    context = room_context(await room.frame(held.person), language_of(request))
    return render(
        request,
        "rejoin.html",
        status=409 if refused else 200,
        **context,
        name=await people_of(request).name(held.person) or "",
        token=token,
        refused=refused,
    )


@sent_to("/rejoin/{token:str}")
async def use_link(request: Asked, token: FromPath[str]) -> Response[Any]:
    """Move a seat to the browser that a link was opened in."""
    held, room = await led_to(request, token)
    if await visitor(request) == held.person:
        return Redirect(f"/t/{held.room}", status_code=303)
    who = await guest(request)
    people = people_of(request)
    name = await people.name(held.person)
    kept_from = await people.kept_from(who.person)
    refusal = await rooms_of(request).move_seat(room, held.person, who.person, kept_from)
    if isinstance(refusal, Refusal):
        page = await ask_page(
            request, room, held, token, catalogue.refusal_text(language_of(request), refusal)
        )
        return with_cookies(page, who.cookies)
    await links_of(request).use_up(token)
    if name is not None and await people.name(who.person) is None:
        await people.rename(who.person, name)
    return Redirect(f"/t/{held.room}", status_code=303, cookies=who.cookies)


def route_handlers() -> list[HTTPRouteHandler]:
    """Return the handlers of these pages."""
    return [make_link, show_link, use_link]
