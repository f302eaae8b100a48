"""The page of a person's own: name, account, sessions, data, and the way out.

Somebody who has done nothing here yet is nobody, and becomes a guest only by doing something on this page.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from litestar import Response
from litestar.datastructures import Cookie
from litestar.handlers import HTTPRouteHandler
from litestar.response import Redirect

from kupa import catalogue
from kupa.refusal import Refusal
from kupa.server.circles import BLOCK
from kupa.server.errors import Problem
from kupa.server.guests import Visit, cookie_for, guest, no_cookie, people_of, renewed, visit
from kupa.server.language import language_of
from kupa.server.names import LONGEST_LOGIN, LONGEST_NAME, LONGEST_PASSPHRASE, SHORTEST_PASSPHRASE
from kupa.server.people import Session
from kupa.server.personal_data import export
from kupa.server.rendering import render
from kupa.server.requests import Asked, address_of, form_of, page_at, sent_to, with_cookies

DONE: Final = (
    "name",
    "signed-up",
    "signed-in",
    "signed-out",
    "passphrase",
    "ended",
    "ended-all",
    "let_near",
    "deleted",
)
"""What the page may have to tell of the form that led to it."""

LONGEST_SHOWN: Final = 100
"""How many characters of what was typed are shown again."""
ONWARD: Final = re.compile(r"/(?:lobby|new|[tm]/[A-Za-z0-9_-]{1,64})")
"""The pages that a form may lead on to."""


class ShownSession(msgspec.Struct, frozen=True):
    """A session as the page shows it."""

    key: str
    since: str
    """A date in the reader's language."""
    seen: str
    is_this: bool
    """Whether it is the one that asks."""


def shown_session(session: Session, language: str, this: str) -> ShownSession:
    """Return a session as the page shows it; ``this`` is the hash of the token that asks."""
    return ShownSession(
        session.key,
        date(session.created_at, language),
        date(session.seen_at, language),
        session.token_hash == this,
    )


def date(milliseconds: int, language: str) -> str:
    """Return the day of a time (UTC) in a language."""
    return catalogue.day(language, datetime.fromtimestamp(milliseconds // 1000, UTC).date())


async def show(
    request: Asked, *, form: str = "", refusal: Refusal | None = None, typed: dict[str, str] | None = None
) -> Response[str]:
    """Show the page.

    Args:
        request: what asks for it.
        form: which form has been refused, if one has: ``name``, ``sign-up``, ``sign-in``,
            ``passphrase`` or ``delete``.
        refusal: why.
        typed: what was typed there, passphrases left out.
    """
    here = await visit(request)
    people, language = people_of(request), language_of(request)
    person = await people.person(here.person) if here else None
    sessions = await people.sessions(here.person) if here else []
    sessions.sort(key=lambda session: here is None or session.token_hash != here.token_hash)
    kept_away = await people.keeps_away(here.person) if here else []
    names = await people.names([other for other, _ in kept_away])
    done = request.query_params.get("done", "")
    page = render(
        request,
        "account.html",
        status=422 if refusal else 200,
        person=person,
        since=date(person.created_at, language) if person else "",
        sessions=[shown_session(session, language, here.token_hash) for session in sessions] if here else [],
        kept_away=[(other, kind, names.get(other, "")) for other, kind in kept_away],
        done=done if done in DONE and not refusal else "",
        refused=form,
        fault=catalogue.refusal_text(language, refusal) if refusal else "",
        fault_code=refusal.code if refusal else "",
        typed=typed or {},
        longest_name=LONGEST_NAME,
        longest_login=LONGEST_LOGIN,
        shortest_passphrase=SHORTEST_PASSPHRASE,
        longest_passphrase=LONGEST_PASSPHRASE,
    )
    return with_cookies(page, renewed(request) if here else [])


def done_with(what: str, cookies: list[Cookie] | None = None, onward: str = "") -> Response[Any]:
    """Lead back to the page, which tells what was done, or on to where the form was shown."""
    path = onward if ONWARD.fullmatch(onward) else f"/account?done={what}"
    return Redirect(path, status_code=303, cookies=cookies or [])


async def known(request: Asked) -> Visit:
    """Return the session that asks.

    Raises:
        Problem: 403 ``signed_out``: it is nobody's.
    """
    here = await visit(request)
    if here is None:
        raise Problem(403, "signed_out")
    return here


@page_at("/account")
async def account(request: Asked) -> Response[str]:
    """Show who the browser is."""
    return await show(request)


@sent_to("/account/name")
async def change_name(request: Asked) -> Response[Any]:
    """Let a person be called something; ``next`` may name the page of a room or a match to go on to."""
    form = await form_of(request)
    typed = form.get("name", "")
    asking = await guest(request)
    name = await people_of(request).rename(asking.person, typed)
    if isinstance(name, Refusal):
        page = await show(request, form="name", refusal=name, typed={"name": typed[:LONGEST_SHOWN]})
        return with_cookies(page, asking.cookies)
    return done_with("name", asking.cookies, form.get("next", ""))


@sent_to("/account/let-near")
async def let_near(request: Asked) -> Response[Any]:
    """Take back that somebody is muted or blocked."""
    here = await known(request)
    form = await form_of(request)
    people, other = people_of(request), form.get("person", "")
    if form.get("kind") == BLOCK:
        await people.unblock(here.person, other)
    else:
        await people.unmute(here.person, other)
    return done_with("let_near")


@sent_to("/account/sign-up")
async def sign_up(request: Asked) -> Response[Any]:
    """Make an account of a guest."""
    form = await form_of(request)
    login = form.get("login", "")
    asking = await guest(request)
    refusal = await people_of(request).sign_up(
        asking.person, login, form.get("passphrase", ""), address_of(request)
    )
    if refusal is not None:
        page = await show(request, form="sign-up", refusal=refusal, typed={"login": login[:LONGEST_SHOWN]})
        return with_cookies(page, asking.cookies)
    return done_with("signed-up", asking.cookies)


@sent_to("/account/sign-in")
async def sign_in(request: Asked) -> Response[Any]:
    """Let the browser be an account's; what its guest had goes with it."""
    form = await form_of(request)
    login, people = form.get("login", ""), people_of(request)
    person = await people.sign_in(login, form.get("passphrase", ""), address_of(request))
    if isinstance(person, Refusal):
        return await show(request, form="sign-in", refusal=person, typed={"login": login[:LONGEST_SHOWN]})
    before = await visit(request)
    token = await people.new_session(person)
    if before is not None:
        await people.hand_over(before.person, person)
        await people.end_session(before.person, before.token_hash)
    return done_with("signed-in", [cookie_for(request, token)])


@sent_to("/account/passphrase")
async def change_passphrase(request: Asked) -> Response[Any]:
    """Let an account have another passphrase, and end its other sessions."""
    here, form = await known(request), await form_of(request)
    refusal = await people_of(request).change_passphrase(
        here.person, form.get("old", ""), form.get("passphrase", ""), here.token_hash, address_of(request)
    )
    if refusal is not None:
        return await show(request, form="passphrase", refusal=refusal)
    return done_with("passphrase")


@sent_to("/account/sign-out")
async def sign_out(request: Asked) -> Response[Any]:
    """Let the browser be nobody's."""
    here = await visit(request)
    if here is not None:
        await people_of(request).end_session(here.person, here.token_hash)
    return done_with("signed-out", [no_cookie()])


@sent_to("/account/end")
async def end_session(request: Asked) -> Response[Any]:
    """End the session that ``key`` names."""
    here, key = await known(request), (await form_of(request)).get("key", "")
    await people_of(request).end_session(here.person, key)
    return done_with("ended", [no_cookie()] if key and here.token_hash.startswith(key) else None)


@sent_to("/account/end-all")
async def end_all(request: Asked) -> Response[Any]:
    """End every session of the person, this one, too."""
    here = await known(request)
    await people_of(request).end_all_sessions(here.person)
    return done_with("ended-all", [no_cookie()])


@page_at("/account/data")
async def data(request: Asked) -> Response[bytes]:
    """Give everything that is kept of the person, as JSON to keep."""
    here = await known(request)
    told = await export(people_of(request), here.person)
    return Response(
        msgspec.json.format(msgspec.json.encode(told), indent=2),
        media_type="application/json; charset=utf-8",
        headers={"content-disposition": 'attachment; filename="kupa.json"'},
    )


@sent_to("/account/delete")
async def delete(request: Asked) -> Response[Any]:
    """Take the person out of the house, if the word that says so was typed."""
    here, typed = await known(request), (await form_of(request)).get("word", "")
    if not is_the_word(typed, language_of(request)):
        word = catalogue.text(language_of(request), "account.delete.word")
        refusal = Refusal("not_confirmed", params={"word": word})
        return await show(request, form="delete", refusal=refusal, typed={"word": typed[:LONGEST_SHOWN]})
    await people_of(request).delete(here.person)
    return done_with("deleted", [no_cookie()])


def is_the_word(typed: str, language: str) -> bool:
    """Tell whether somebody typed the word that confirms, in large letters or small, with or without dots."""
    return plain(typed) == plain(catalogue.text(language, "account.delete.word"))


def plain(word: str) -> str:
    """Return a word by which large and small letters of either language compare."""
    letters = unicodedata.normalize("NFKC", word.strip()).translate(str.maketrans("Iİı", "iii"))
    return letters.casefold().replace("\u0307", "")


def route_handlers() -> list[HTTPRouteHandler]:
    """Return the handlers of the account's page."""
    return [
        account,
        change_name,
        let_near,
        sign_up,
        sign_in,
        change_passphrase,
        sign_out,
        end_session,
        end_all,
        data,
        delete,
    ]
