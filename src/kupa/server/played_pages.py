"""The page of what somebody has played: how it went on the whole, and every match, the newest first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec
from litestar import Response
from litestar.handlers import HTTPRouteHandler

from kupa import catalogue
from kupa.cards import CardText
from kupa.catalogue import text
from kupa.hearts.presets import PRESETS
from kupa.server.accounts import date
from kupa.server.errors import Problem, note
from kupa.server.guests import renewed, visitor
from kupa.server.language import language_of
from kupa.server.rendering import render
from kupa.server.requests import Asked, page_at, rooms_of, with_cookies
from kupa.server.results import Result, Tally
from kupa.server.resumes import EMBLEMS as GAME_EMBLEMS
from kupa.server.rooms import RoomHost
from kupa.server.store import StoreError, UnreadableMatchError
from kupa.server.table_form import EMBLEMS as BOOK_EMBLEMS

A_PAGE: Final = 25
"""How many matches a page lists."""
ROOMS_LOOKED_AT: Final = 8
"""In how many of somebody's rooms, the last first, is looked for matches that are not noted yet."""
NUMBER: Final = re.compile(r"[1-9][0-9]{0,5}")
"""The number of a page."""


class Figure(msgspec.Struct, frozen=True):
    """A number of a tally."""

    label: str
    shown: str
    """The number as the language writes it; "" where there is none yet."""


class ShownTally(msgspec.Struct, frozen=True):
    """How the matches of one game by one rulebook went."""

    title: str
    emblem: tuple[CardText, ...]
    figures: tuple[Figure, ...]


class Past(msgspec.Struct, frozen=True):
    """A match that was played, as the list shows it."""

    url: str
    """The path of its page; "" if the match is not kept any more."""
    title: str
    is_house: bool
    """Whether a rulebook that the title names was changed by house rules."""
    emblem: tuple[CardText, ...]
    day: str
    told: tuple[str, ...]
    """Who was there, or how many moves it took."""
    won: bool
    outcome: str
    points: str


def shown_tally(tally: Tally, language: str) -> ShownTally:
    """Return a tally in a language."""
    if tally.game == "heart-to-heart":
        figures = {
            "games": str(tally.matches),
            "won": str(tally.won),
            "fewest": "" if tally.fewest_moves is None else str(tally.fewest_moves),
            "best": str(tally.best_points or 0),
        }
        title, emblem = text(language, f"game.{tally.game}"), GAME_EMBLEMS[tally.game]
    else:
        mean = catalogue.decimal(language, tally.written / tally.rounds) if tally.rounds else ""
        figures = {
            "matches": str(tally.matches),
            "won": str(tally.won),
            "mean": mean,
            "moons": str(tally.moons),
        }
        title, emblem = text(language, f"rules.{tally.rules or 'custom'}"), emblem_of(tally.game, tally.rules)
    return ShownTally(
        title,
        emblem,
        tuple(Figure(text(language, f"played.figure.{name}"), shown) for name, shown in figures.items()),
    )


def emblem_of(game: str, rules: str | None) -> tuple[CardText, ...]:
    """Return the cards that stand for a rulebook; those of the game for rules of the house."""
    return BOOK_EMBLEMS.get(rules or "", GAME_EMBLEMS[game])


def past(result: Result, language: str, *, is_there: bool) -> Past:
    """Return a match in a language."""
    is_hearts = result.game == "hearts"
    known = result.preset if result.preset in PRESETS else None
    if is_hearts:
        company = text(language, "played.people" if result.company else "played.bots")
        told: tuple[str, ...] = (text(language, "players.count", n=result.players), company)
    else:
        told = (text(language, "played.moves", n=result.moves or 0),)
    return Past(
        url=f"/m/{result.match}" if is_there else "",
        title=text(language, f"rules.{known or 'custom'}" if is_hearts else f"game.{result.game}"),
        is_house=is_hearts and known is not None and result.changed,
        emblem=emblem_of(result.game, known if is_hearts else None),
        day=date(result.at, language),
        told=told,
        won=result.won,
        outcome=outcome(result, language),
        points=text(language, "played.points", n=result.points),
    )


def outcome(result: Result, language: str) -> str:
    """Return how a match ended for the person."""
    if result.gave_up:
        return text(language, "played.gave_up")
    if result.won:
        return text(language, "played.won")
    if result.place is None:
        return text(language, "played.stuck")
    return text(language, "played.place", place=result.place, players=result.players)


def page_number(request: Asked) -> int:
    """Return the number of the page that is asked for, from 1.

    Raises:
        Problem: 404 ``no_such_page``: it is no such number.
    """
    asked = request.query_params.getall("page", ["1"])
    if len(asked) != 1 or NUMBER.fullmatch(asked[0]) is None:
        raise Problem(404, "no_such_page")
    return int(asked[0])


async def note_what_ended(rooms: RoomHost, person: str) -> bool:
    """Note what has come of somebody's matches up to now; tells whether some are left for the next time."""
    for room_id in (await rooms.of(person))[:ROOMS_LOOKED_AT]:
        try:
            room = await rooms.open(room_id)
            if room is not None:
                await rooms.settle(room)
                await rooms.results.note_missing(room.room.companies)
        except (UnreadableMatchError, StoreError) as error:
            note(error)  # the rest can be told all the same
    return await rooms.results.bring_up_to_date(person)


@page_at("/played")
async def played(request: Asked) -> Response[str]:
    """Show what the one who asks has played; ``?page=`` goes back in time."""
    number, person = page_number(request), await visitor(request)
    rooms, language = rooms_of(request), language_of(request)
    is_more = False if person is None else await note_what_ended(rooms, person)
    found: Sequence[Result] = ()
    if person is not None:
        found = await rooms.results.of(person, (number - 1) * A_PAGE, A_PAGE + 1)
    if not found and number > 1:
        raise Problem(404, "no_such_page")
    listed = found[:A_PAGE]
    there = await rooms.results.still_there([result.match for result in listed])
    tallies = await rooms.results.tallies(person) if person is not None and number == 1 else []
    page = render(
        request,
        "played.html",
        tallies=[shown_tally(tally, language) for tally in tallies],
        has_hearts=any(tally.game == "hearts" for tally in tallies),
        past=[past(result, language, is_there=result.match in there) for result in listed],
        number=number,
        is_last=len(found) <= A_PAGE,
        is_more=is_more,
    )
    return with_cookies(page, renewed(request) if person else [])


def route_handlers() -> list[HTTPRouteHandler]:
    """Return the handler of the page."""
    return [played]
