"""Links with which somebody goes on in their seat on another device: good once, and for a few minutes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from litestar import HttpMethod, Request, Response, post, route
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
from kupa.server.room_context import room_context
from kupa.server.room_pages import room_of_member
from kupa.server.rooms import RoomHost
from kupa.server.schema import SEAT_LINKS
from kupa.server.store import milliseconds_now
from kupa.server.tokens import hash_of, new_token

LASTS: Final = 10
"""How many minutes a link is good for."""

page_at: Final = partial(route, http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False)
sent_to: Final = partial(post, include_in_schema=False)

Asked = Request[Any, Any, Any]


class Place(NamedTuple):
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

    async def make(self, place: Place) -> str:
        """Return the token of a new link; an older one of the same place is good no more."""
        token = new_token()
        row = {
            "token_hash": hash_of(token),
            "room": place.room,
            "person": place.person,
            "expires_at": self._now() + LASTS * 60_000,
        }
        async with self._database().writing() as connection:
            await connection.execute(
                delete(SEAT_LINKS).where(SEAT_LINKS.c.room == place.room, SEAT_LINKS.c.person == place.person)
            )
            await connection.execute(insert(SEAT_LINKS).values(row))
        return token

    async def look(self, token: str) -> Place | None:
        """Return what a link leads to, or None if it is good no more."""
        query = select(SEAT_LINKS.c.room, SEAT_LINKS.c.person).where(
            SEAT_LINKS.c.token_hash == hash_of(token), SEAT_LINKS.c.expires_at > self._now()
        )
        async with self._database().reading() as connection:
            found = (await connection.execute(query)).first()
        return None if found is None else Place(*found)

    async def use_up(self, token: str) -> Place | None:
        """Return what a link leads to and take it away; of two who use it at once, one gets None."""
        place = await self.look(token)
        if place is None:
            return None
        async with self._database().writing() as connection:
            gone = await connection.execute(
                delete(SEAT_LINKS).where(SEAT_LINKS.c.token_hash == hash_of(token))
            )
        return place if gone.rowcount else None


def links_of(request: Asked) -> SeatLinks:
    """Return the links of the server that a request has come to."""
    store = request.app.state.store
    return SeatLinks(lambda: store.database)


@sent_to("/t/{room_id:str}/link", status_code=200)
async def make_link(request: Asked, room_id: FromPath[str]) -> Response[str]:
    """Show somebody who is in a room a link with which they go on elsewhere."""
    room, person = await room_of_member(request, room_id)
    token = await links_of(request).make(Place(room_id, person))
    address = f"{request.url.scheme}://{request.url.netloc}/rejoin/{token}"
    frame = await room.frame(person)
    context = room_context(frame, language_of(request))
    return render(request, "seat_link.html", **context, link=address, minutes=LASTS)


@page_at("/rejoin/{token:str}")
async def show_link(request: Asked, token: FromPath[str]) -> Response[str]:
    """Ask whoever has come by a link whether they want to go on here."""
    place = await links_of(request).look(token)
    room = None if place is None else await rooms_of(request).open(place.room)
    if place is None or room is None:
        raise Problem(404, "link_used_up")
    return await ask_page(request, room, place, token)


async def ask_page(
    request: Asked, room: LiveRoom, place: Place, token: str, refused: str = ""
) -> Response[str]:
    """Return the page that asks whether to go on here, with why it cannot be if it has been tried."""
    context = room_context(await room.frame(place.person), language_of(request))
    return render(
        request,
        "rejoin.html",
        status=409 if refused else 200,
        **context,
        name=await people_of(request).name(place.person) or "",
        token=token,
        refused=refused,
    )


@sent_to("/rejoin/{token:str}", status_code=303)
async def use_link(request: Asked, token: FromPath[str]) -> Response[Any]:
    """Move a seat to the browser that a link was opened in."""
    links = links_of(request)
    place = await links.look(token)
    room = None if place is None else await rooms_of(request).open(place.room)
    if place is None or room is None:
        raise Problem(404, "link_used_up")
    if await visitor(request) == place.person:
        return Redirect(f"/t/{place.room}", status_code=303)
    who = await guest(request)
    people = people_of(request)
    name = await people.name(place.person)
    refusal = await rooms_of(request).move_seat(room, place.person, who.person)
    if isinstance(refusal, Refusal):
        page = await ask_page(
            request, room, place, token, catalogue.refusal_text(language_of(request), refusal)
        )
        page.cookies.extend(who.cookies)
        return page
    await links.use_up(token)
    if name is not None and await people.name(who.person) is None:
        await people.rename(who.person, name)
    return Redirect(f"/t/{place.room}", status_code=303, cookies=who.cookies)


def rooms_of(request: Asked) -> RoomHost:
    """Return the live rooms of the server that a request has come to."""
    rooms: RoomHost = request.app.state.rooms
    return rooms


def route_handlers() -> list[HTTPRouteHandler]:
    """Return the handlers of these pages."""
    return [make_link, show_link, use_link]
