"""The pages of several people: the lobby, the way into a room, the waiting room.

What happens in a room goes over its socket; these pages show it as it is, and take what needs no socket: a
code, a name, the wish to come in, whom one does not want to read, a message that somebody should look at.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

import segno
from litestar import Response
from litestar.datastructures import Cookie
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Redirect

from kupa import catalogue
from kupa.bots.levels import DEFAULT_LEVEL, LEVELS, name_key
from kupa.catalogue import text
from kupa.game import Json
from kupa.refusal import Refusal
from kupa.rooms.state import PLAYING
from kupa.server.attempts import Limit
from kupa.server.errors import Problem
from kupa.server.guests import Guest, guest, people_of, visitor
from kupa.server.language import language_of
from kupa.server.live_room import LiveRoom
from kupa.server.rendering import render
from kupa.server.reports import report_message
from kupa.server.requests import Asked, address_of, form_of, page_at, rooms_of, sent_to, with_cookies
from kupa.server.room_codes import read_code
from kupa.server.room_context import room_context
from kupa.server.room_form import settings_of
from kupa.server.table_form import Form
from kupa.server.talk import REACTIONS

TRIES: Final = 12
"""How many codes somebody may try in a minute: guessing finds no table."""
TRIES_FROM: Final = 60
"""How many may be tried from one address in a minute, by whomever: a new guest is quickly made."""
MOST_MESSAGE_DIGITS: Final = 15
"""How long the number of a message may be."""

LONGEST_LINK: Final = 400
"""Longer ones are no address that anybody has; no camera would read them either."""

LEVEL_COOKIE: Final = "kupa_bots"
"""The cookie that keeps the level of bots that a table was set up with."""


def may_try(request: Asked, person: str | None) -> bool:
    """Tell whether another code may be tried, and count it, by who asks and by the address."""
    state, address = request.app.state, address_of(request)
    if "code_tries" not in state:
        state.code_tries = Limit(TRIES, TRIES_FROM)
    tries: Limit = state.code_tries
    return tries.allow(person or address, address)


async def room_or_404(request: Asked, room_id: str) -> LiveRoom:
    """Return a live room.

    Raises:
        Problem: 404 ``no_such_room``.
    """
    room = await rooms_of(request).open(room_id)
    if room is None:
        raise Problem(404, "no_such_room")
    return room


# The lobby


@page_at("/lobby")
async def lobby(request: Asked) -> Response[str]:
    """Show the open tables and the entry of a code; ``?code=`` fills it in."""
    return await lobby_page(request, request.query_params.get("code", "")[:20])


async def lobby_page(request: Asked, code: str, fault: Refusal | None = None) -> Response[str]:
    """Return the lobby, with why a code leads nowhere if it was tried."""
    language = language_of(request)
    frames = await rooms_of(request).listed(await visitor(request))
    return render(
        request,
        "lobby.html",
        status=200 if fault is None else 422,
        rooms=[room_context(frame, language)["room"] for frame in frames],
        code=code,
        fault="" if fault is None else catalogue.refusal_text(language, fault),
    )


@sent_to("/lobby")
async def enter_code(request: Asked) -> Response[Any]:
    """Lead to the room of a code, or show the lobby again with why there is none."""
    typed = (await form_of(request)).get("code", "")[:200]
    code = read_code(typed)
    if isinstance(code, Refusal):
        return await lobby_page(request, typed[:20], code)
    if not may_try(request, await visitor(request)):
        return await lobby_page(request, typed[:20], Refusal("too_many_tries"))
    room_id = await rooms_of(request).by_code(code)
    if room_id is None:
        return await lobby_page(request, typed[:20], Refusal("no_such_room"))
    return Redirect(f"/t/{room_id}", status_code=303)


async def name_of(request: Asked) -> str | None:
    """Return what the person of a request is called, None for somebody without a name."""
    person = await visitor(request)
    return await people_of(request).name(person) if person else None


async def open_room(request: Asked, form: Form, options: Json, host: Guest) -> Response[Any] | Refusal:
    """Open a room for the table that a form asks for and lead there, or return why there can be none.

    Args:
        request: the request.
        form: what was chosen and typed.
        options: the options of the match, as the form gives them.
        host: who asks; may be given a name with it.
    """
    settings = settings_of(form, options)
    if isinstance(settings, Refusal):
        return settings
    people = people_of(request)
    if form.get("name", "").strip() and await people.name(host.person) is None:
        named = await people.rename(host.person, form["name"])
        if isinstance(named, Refusal):
            return named
    level = options.get("bots", DEFAULT_LEVEL)
    room_id = await rooms_of(request).create(host.person, settings)
    if isinstance(room_id, Refusal):
        return room_id
    chosen = Cookie(key=LEVEL_COOKIE, value=level, path="/t", httponly=True, samesite="lax")
    return Redirect(f"/t/{room_id}", status_code=303, cookies=[*host.cookies, chosen])


def level_of(request: Asked) -> str:
    """Return the level of the bots that a host fills the open seats with: the one chosen with the table."""
    chosen = request.cookies.get(LEVEL_COOKIE, "")
    return chosen if chosen in LEVELS else DEFAULT_LEVEL


# A room


@page_at("/t/{room_id:str}")
async def room_page(request: Asked, room_id: FromPath[str]) -> Response[Any]:
    """Show a room to those in it, the way in to everybody else, and lead to a match that is played."""
    room = await room_or_404(request, room_id)
    person = await visitor(request) or ""
    if person not in room.room.people:
        return await door_page(request, room, person)
    if room.room.phase == PLAYING:
        return Redirect(f"/m/{room.room.deal.match}", status_code=303)
    return await waiting_page(request, room, person)


async def waiting_page(request: Asked, room: LiveRoom, person: str, **told: str) -> Response[str]:
    """Return the waiting room as somebody in it sees it.

    Args:
        request: the request.
        room: the room.
        person: who it is.
        told: ``name`` and ``fault`` of the entry of a name that was refused.
    """
    language = language_of(request)
    frame = await room.frame(person)
    context = room_context(frame, language)
    people = people_of(request)
    return render(
        request,
        "room.html",
        status=422 if told else 200,
        **context,
        levels=[(level, text(language, name_key(level))) for level in LEVELS],
        level=level_of(request),
        reactions=REACTIONS,
        names=dict(frame["names"]),
        muted=sorted(await people.muted_by(person)),
        link=link_of(request, room.id),
        qr=qr_of(link_of(request, room.id)),
        name=told.get("name", ""),
        fault=told.get("fault", ""),
    )


def link_of(request: Asked, room_id: str) -> str:
    """Return the address that leads others to a room, as they would type it."""
    return f"{request.url.scheme}://{request.url.netloc}/t/{room_id}"


def qr_of(link: str) -> str:
    """Return a link as an SVG that a camera reads, dark on light in any theme; "" for one too long."""
    if len(link) > LONGEST_LINK:
        return ""
    code = segno.make(link, error="m", micro=False)
    return code.svg_inline(omitsize=True, border=3, dark="#111", light="#fff", svgclass=None, lineclass=None)


async def door_page(
    request: Asked, room: LiveRoom, person: str, *, refused: str = "", name: str = "", fault: str = ""
) -> Response[str]:
    """Return the way into a room."""
    known = await people_of(request).name(person) if person else None
    return render(
        request,
        "room_door.html",
        status=422 if refused or fault else 200,
        **room_context(await room.frame(person), language_of(request)),
        has_name=known is not None,
        refused=refused,
        name=name,
        fault=fault,
    )


@sent_to("/t/{room_id:str}/join")
async def join(request: Asked, room_id: FromPath[str]) -> Response[Any]:
    """Let somebody into a room, with the name that they give themselves if they have none yet."""
    room = await room_or_404(request, room_id)
    form = await form_of(request)
    language = language_of(request)
    who = await guest(request)
    people = people_of(request)
    if await people.name(who.person) is None:
        if "name" not in form:
            return Redirect(f"/t/{room_id}", status_code=303, cookies=who.cookies)
        named = await people.rename(who.person, form["name"])
        if isinstance(named, Refusal):
            fault = catalogue.refusal_text(language, named)
            page = await door_page(request, room, who.person, name=form["name"][:60], fault=fault)
            return with_cookies(page, who.cookies)
    done = await room.do(who.person, new_command_id(), {"type": "join"})
    if isinstance(done, Refusal):
        why = catalogue.refusal_text(language, done)
        return with_cookies(await door_page(request, room, who.person, refused=why), who.cookies)
    return Redirect(f"/t/{room_id}", status_code=303, cookies=who.cookies)


@sent_to("/t/{room_id:str}/name")
async def name_oneself(request: Asked, room_id: FromPath[str]) -> Response[Any]:
    """Give oneself a name in the waiting room."""
    room, person = await room_of_member(request, room_id)
    typed = (await form_of(request)).get("name", "")
    named = await people_of(request).rename(person, typed)
    if isinstance(named, Refusal):
        fault = catalogue.refusal_text(language_of(request), named)
        return await waiting_page(request, room, person, name=typed[:60], fault=fault)
    return Redirect(f"/t/{room_id}", status_code=303)


async def room_of_member(request: Asked, room_id: str) -> tuple[LiveRoom, str]:
    """Return a room, and who asks, who has to be in it.

    Raises:
        Problem: 404 ``no_such_room``, 403 ``not_in_room``.
    """
    room = await room_or_404(request, room_id)
    person = await visitor(request)
    if person is None or person not in room.room.people:
        raise Problem(403, "not_in_room")
    return room, person


@sent_to("/t/{room_id:str}/mute")
async def mute(request: Asked, room_id: FromPath[str]) -> Response[Any]:
    """Read no more of somebody."""
    _, person = await room_of_member(request, room_id)
    other = (await form_of(request)).get("person", "")
    return done_or_refused(await people_of(request).mute(person, other), room_id)


@sent_to("/t/{room_id:str}/unmute")
async def unmute(request: Asked, room_id: FromPath[str]) -> Response[Any]:
    """Read somebody again."""
    _, person = await room_of_member(request, room_id)
    await people_of(request).unmute(person, (await form_of(request)).get("person", ""))
    return done_or_refused(None, room_id)


@sent_to("/t/{room_id:str}/block")
async def block(request: Asked, room_id: FromPath[str]) -> Response[Any]:
    """Meet somebody no more at listed tables, and read no more of them."""
    _, person = await room_of_member(request, room_id)
    other = (await form_of(request)).get("person", "")
    return done_or_refused(await people_of(request).block(person, other), room_id)


@sent_to("/t/{room_id:str}/report")
async def report(request: Asked, room_id: FromPath[str]) -> Response[Any]:
    """Keep that somebody wants a message to be looked at."""
    _, person = await room_of_member(request, room_id)
    number = (await form_of(request)).get("message", "")
    if not (number.isascii() and number.isdecimal() and len(number) <= MOST_MESSAGE_DIGITS):
        raise Problem(404, "no_such_message")
    return done_or_refused(await report_message(people_of(request), room_id, person, int(number)), room_id)


def done_or_refused(refusal: Refusal | None, room_id: str) -> Response[Any]:
    """Lead back to the room after what was done.

    Raises:
        Problem: 409 with the code of a refusal.
    """
    if refusal is not None:
        raise Problem(409, refusal.code)
    return Redirect(f"/t/{room_id}", status_code=303)


def new_command_id() -> str:
    """Return a name that no other command has."""
    return secrets.token_urlsafe(12)


def route_handlers() -> list[HTTPRouteHandler]:
    """Return the handlers of these pages."""
    return [lobby, enter_code, room_page, join, name_oneself, mute, unmute, block, report]
