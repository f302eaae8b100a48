"""The pages: everything that is read, and the page of a match, which is then played live.

Every page works without a script. What a form asked for and could not have, it shows again with the reason,
and with all that was typed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from litestar import Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Redirect

from kupa import catalogue
from kupa.cards import TEXT
from kupa.catalogue import LANGUAGES
from kupa.heart_to_heart.codes import deck_of
from kupa.heart_to_heart.game import SETTINGS as HEART_SETTINGS
from kupa.heart_to_heart.layout import SPOTS, Spot
from kupa.refusal import Refusal
from kupa.server import room_pages
from kupa.server.errors import Problem
from kupa.server.guests import guest, renewed, visitor
from kupa.server.help_pages import HEART_PAGE, HELP_PAGES, help_context
from kupa.server.language import language_cookie, language_of
from kupa.server.place import RefusedPlaceError, place_at_match
from kupa.server.rendering import render
from kupa.server.requests import (
    Asked,
    check_making,
    form_of,
    page_at,
    rooms_of,
    sent_to,
    tables_of,
    with_cookies,
)
from kupa.server.resumes import MOST, resumes_for, rooms_for
from kupa.server.room_form import company_context, is_for_people
from kupa.server.room_pages import name_of, open_room
from kupa.server.settings import CHOICES, PREFIX, setting_cookies, settings_from
from kupa.server.table_form import EMBLEMS, Form, form_context, options_of
from kupa.server.talk import REACTIONS

SHOWN_DEAL: Final = "HH1-N-AAAAAAM"
"""The deal that stands for Heart to Heart wherever one is only looked at."""

MATCH_PATH: Final = re.compile(r"/[mt]/[A-Za-z0-9_-]{1,64}")
"""The path of a match's page, or of a room's."""

TEMPLATES: Final = {"hearts": "hearts.html", "heart-to-heart": "heart.html"}
"""The template of a match's page by game."""

OWN_WORDS: Final = frozenset({"bad_request", "not_found", "internal_error"})
"""The codes that say no more than the words of their error page do."""

ERROR_CARDS: Final = {404: ("AS", "back", "3D"), 500: ("2C", "7H", "QS")}
"""The three cards on an error page; other errors have those of the nearest."""


def shown_heart() -> list[tuple[str, Spot]]:
    """Return the cards of a heart to look at, each with its place."""
    deck = deck_of(SHOWN_DEAL)
    return [(f"{deck[position - 1]}H", spot) for position, spot in SPOTS.items()]


@page_at("/")
async def front(request: Asked) -> Response[str]:
    """Show the two games, and the matches that can be gone on with."""
    person = await visitor(request)
    language = language_of(request)
    resumes = [
        *await rooms_for(rooms_of(request), person, language),
        *await resumes_for(tables_of(request), person, language),
    ][:MOST]
    page = render(request, "front.html", resumes=resumes, is_known=person is not None, heart=shown_heart())
    return with_cookies(page, renewed(request) if person else [])


# Beginning a match


@page_at("/new")
async def new_table(request: Asked) -> Response[str]:
    """Show the form for a table of Hearts; ``?rules=`` chooses a rulebook, ``?company=people`` open seats."""
    rules = request.query_params.get("rules", "")
    form = {"rules": rules} if rules in EMBLEMS else {}
    company = request.query_params.get("company", "")
    return await new_page(request, {**form, "company": company} if company else form)


async def new_page(request: Asked, form: Form, fault: str = "", field: str = "") -> Response[str]:
    """Return the form of a new table, with why it was refused if it was."""
    language = language_of(request)
    context = form_context(language, form, fault, field) | company_context(
        language, form, await name_of(request)
    )
    return render(request, "new.html", status=422 if fault else 200, **context)


@page_at("/heart")
async def heart_start(request: Asked) -> Response[str]:
    """Show how a game of Heart to Heart begins; ``?code=`` fills in a code."""
    code = request.query_params.get("code", "")[:60]
    return render(request, "heart_start.html", heart=shown_heart(), code=code, fault="")


@page_at("/matches")
async def matches_are_made(request: Asked) -> Response[Any]:  # noqa: ARG001
    """Lead to the form of a new table whoever comes by the address that it was sent to."""
    return Redirect("/new", status_code=303)


@sent_to("/matches")
async def make_match(request: Asked) -> Response[Any]:
    """Make a match of what a form asks for and go to its page, or show the form again with the reason."""
    form = await form_of(request)
    game = form.get("game", "")
    if game not in TEMPLATES:
        raise Problem(400, "bad_request")
    options = options_of(form) if game == "hearts" else heart_options(form, request.cookies)
    refusal = check_making(request, await visitor(request))
    if refusal is not None:
        return await refused_form(request, game, form, refusal)
    if game == "hearts" and is_for_people(form):
        host = await guest(request)
        opened = await open_room(request, form, options, host)
        if isinstance(opened, Response):
            return opened
        return with_cookies(await refused_form(request, game, form, opened), host.cookies)
    planned = tables_of(request).plan(game, options)
    if isinstance(planned, Refusal):
        return await refused_form(request, game, form, planned)
    maker = await guest(request)
    made = await tables_of(request).make(planned, maker.person)
    return Redirect(f"/m/{made}", status_code=303, cookies=maker.cookies)


def heart_options(form: Form, cookies: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of a game of Heart to Heart: the ``code`` of a form that has one, and the settings.

    A setting is the form's own, which is that of the game it was sent from, else what the browser kept last;
    without either it is as at first.
    """
    options: dict[str, Any] = {"code": form["code"]} if "code" in form else {}
    for name in HEART_SETTINGS:
        value = form.get(name, cookies.get(PREFIX + name))
        if value in {"true", "false"}:
            options[name] = value == "true"
    return options


async def refused_form(request: Asked, game: str, form: Form, refusal: Refusal) -> Response[str]:
    """Show the form of a match that cannot be, with the reason at its field and all that was typed."""
    language = language_of(request)
    fault = form_sentence(language, refusal)
    if game == "hearts":
        return await new_page(request, form, fault, "name" if refusal.code == "bad_name" else refusal.field)
    return render(
        request, "heart_start.html", status=422, heart=shown_heart(), code=form.get("code", ""), fault=fault
    )


def form_sentence(language: str, refusal: Refusal) -> str:
    """Return why a form was refused, with fields and cards named as the form names them."""
    params = dict(refusal.params)
    label = f"new.field.{refusal.field}"
    if "field" in params and label in catalogue.messages(language):
        params["field"] = catalogue.text(language, label)
    if params.get("card") in TEXT.values():
        params["card"] = catalogue.text(language, f"card.{params['card']}")
    return catalogue.text(language, refusal.message_key, **params)


# A match


@page_at("/m/{match_id:str}")
async def match_page(request: Asked, match_id: FromPath[str]) -> Response[str]:
    """Show a match as the person's seat may see it now; the page's script then plays it live."""
    try:
        place = await place_at_match(request.app.state, match_id, await visitor(request))
    except RefusedPlaceError as refused:
        raise Problem(404, "not_found") from refused
    table = place.table
    assert table is not None
    view, info = table.view(place.viewer), await place.info()
    match = {"seq": table.seq, "view": msgspec.to_builtins(view), "info": info}
    shown: dict[str, Any] = {
        "match": match,
        "view": view,
        "info": info,
        "seq": table.seq,
        "reactions": REACTIONS,
    }
    return render(request, TEMPLATES[table.game.name], **shown)


# Help


@page_at(["/help", "/help/{page:str}"])
async def help_page(request: Asked, page: FromPath[str] = HELP_PAGES[0]) -> Response[str]:
    """Tell how a game is played."""
    if page not in HELP_PAGES:
        raise Problem(404, "not_found")
    heart = shown_heart() if page == HEART_PAGE else []
    return render(request, "help.html", heart=heart, **help_context(page))


# Settings and language


@page_at("/settings")
async def show_settings(request: Asked) -> Response[str]:
    """Show the form of the settings; ``?from=`` is the page to go back to, else the one that led here."""
    asked = request.query_params.get("from")
    back = own_page(urlsplit(came_from(request)).path if asked is None else asked)
    saved = "saved" in request.query_params
    return render(request, "settings.html", choices=CHOICES, saved=saved, back=back)


@sent_to("/settings")
async def keep_settings(request: Asked) -> Response[Any]:
    """Keep settings in the browser; what a form leaves out is as at first."""
    form = await form_of(request)
    cookies = setting_cookies(settings_from(form))
    if form.get("language") in LANGUAGES:
        cookies.append(language_cookie(form["language"]))
    back = own_page(form.get("from", ""))
    address = "/settings?saved" if back == "/" else f"/settings?saved&from={back}"
    return Redirect(address, status_code=303, cookies=cookies)


def own_page(path: str) -> str:
    """Return a path if it is a match's or a room's, else that of the front page; no other."""
    return path if MATCH_PATH.fullmatch(path) else "/"


@page_at("/language/{language:str}")
async def choose_language(request: Asked, language: FromPath[str]) -> Response[Any]:
    """Keep a language and go back to the page that asked."""
    if language not in LANGUAGES:
        raise Problem(404, "not_found")
    return Redirect(came_from(request), status_code=303, cookies=[language_cookie(language)])


def came_from(request: Asked) -> str:
    """Return the page of ours that a link was followed on, or the front page."""
    try:
        referrer = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return "/"
    # A path that began with two slashes would lead to another host.
    if referrer.netloc != request.headers.get("host", "") or referrer.path.startswith("//"):
        return "/"
    path = referrer.path if referrer.path.startswith("/") else "/"
    return f"{path}?{referrer.query}" if referrer.query else path


# The deck, and errors


@page_at("/deck")
async def deck(request: Asked) -> Response[str]:
    """Show every card, state and piece that pages are made of."""
    return render(request, "deck.html")


def error_kind(status: int) -> int:
    """Return which of the error pages tells of a status."""
    if status in {403, 404, 405, 409, 429, 503}:
        return status
    return 500 if status >= 500 else 400


def error_words(language: str, kind: int, code: str) -> str:
    """Return what an error page says: the sentence of the code, or the kind's words if they tell more."""
    for key in (f"server.error.{code}", f"refusal.{code}"):
        sentence = catalogue.messages(language).get(key)
        # One that names something cannot be told by its code alone.
        if isinstance(sentence, str) and "{" not in sentence and code not in OWN_WORDS:
            return sentence
    return catalogue.text(language, f"error.text.{kind}")


def render_error(request: Asked, status: int, code: str) -> Response[str]:
    """Return the page that tells of an error.

    Args:
        request: the request that failed.
        status: the HTTP status to answer with.
        code: the stable code of the error; the page shows it small, for whoever writes to us.
    """
    kind = error_kind(status)
    is_table = kind == 404 and MATCH_PATH.fullmatch(request.url.path) is not None
    retry = request.url.path if kind >= 500 and request.method == "GET" else ""
    cards = ERROR_CARDS.get(kind, ERROR_CARDS[500 if kind >= 500 else 404])
    return render(
        request,
        "error.html",
        status=status,
        kind="table" if is_table else str(kind),
        told=error_words(language_of(request), kind, code),
        code=code,
        number=status,
        cards=cards,
        retry=retry,
    )


def route_handlers() -> list[HTTPRouteHandler]:
    """Return the handlers of all pages."""
    return [
        front,
        new_table,
        heart_start,
        make_match,
        matches_are_made,
        match_page,
        help_page,
        show_settings,
        keep_settings,
        choose_language,
        deck,
        *room_pages.route_handlers(),
    ]
