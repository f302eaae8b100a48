"""The HTTP side of the contract: make a match, look at it, do something in it.

A program without a socket can play by this alone; whoever knows the id of a match holds the person's seat.
"""

from __future__ import annotations

import re
from typing import Final, TypeVar

import msgspec
from litestar import Response, Router, get, post
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody
from msgspec import UNSET, UnsetType

from kupa.game import Json
from kupa.refusal import Refusal
from kupa.server.errors import ErrorBody, Problem, Refused
from kupa.server.frames import CommandId
from kupa.server.guests import Guest, guest, visitor
from kupa.server.place import Place, RefusedPlaceError, place_at_match
from kupa.server.requests import Asked, check_making, tables_of
from kupa.server.table import Table
from kupa.strict_json import read_object

Found = TypeVar("Found")
Read = TypeVar("Read")

_KEY_AT_FAULT: Final = re.compile(r"at `\$\.(\w{1,40})")
"""Where msgspec says that a value is of the wrong kind."""


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a new match is to be like; which keys fit depends on the game."""

    game: str
    """``hearts`` or ``heart-to-heart``."""
    rules: str | UnsetType = UNSET
    """Hearts: the name of a preset."""
    players: int | UnsetType = UNSET
    """Hearts: the number of seats, the person's among them."""
    set: Json | UnsetType = UNSET
    """Hearts: fields of the rulebook to override."""
    bots: str | UnsetType = UNSET
    """Hearts: the level of the bots, ``beginner`` or ``club``; the latter if left out."""
    end_early: bool | UnsetType = UNSET
    """Hearts: whether rounds end as soon as nothing that counts is left to be taken."""
    seed: str | UnsetType = UNSET
    """Hearts: the text that all rounds are dealt from; random if left out."""
    code: str | UnsetType = UNSET
    """Heart to Heart: the code of a deal; random if left out."""
    move_errors: bool | UnsetType = UNSET
    """Heart to Heart: whether a mismatch is told."""
    placement_help: bool | UnsetType = UNSET
    """Heart to Heart: whether what may be paired is framed."""


class MatchMade(msgspec.Struct, frozen=True):
    """Where a new match is."""

    id: str
    url: str
    """The address of its page, from the root of this server."""


class MatchSeen(msgspec.Struct, frozen=True):
    """A match as the person's seat may know it."""

    id: str
    game: str
    seq: int
    """The number of the last event."""
    view: Json


class NewCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to be done in the person's seat."""

    id: CommandId
    """The client's name for it: sent again, it is not done again."""
    command: Json


class CommandDone(msgspec.Struct, frozen=True):
    """The command has been done, now or before."""

    seq: int
    """The number of the last event."""
    ok: bool = True


def may_fail(*statuses: int) -> dict[int, ResponseSpec]:
    """Return the error answers of a handler, for the schema."""
    return {
        status: ResponseSpec(ErrorBody, description="An error.", generate_examples=False)
        for status in (400, *statuses, 500, 503)
    }


async def body_of(request: Asked, kind: type[Read]) -> Read:
    """Read the body of a request strictly.

    Litestar has read it already, and has made numbers of texts and one key of two on the way; the contract
    does not.

    Raises:
        Problem: 400, ``bad_request``.
    """
    data = read_object(await request.body())
    if isinstance(data, Refusal):
        raise Refused(data, 400) if data.reason == "duplicate_key" else Problem(400, "bad_request")
    try:
        return msgspec.convert(data, type=kind)
    except msgspec.ValidationError as error:
        key = _KEY_AT_FAULT.search(str(error))
        raise Problem(400, "bad_request", "key", key=key[1]) if key else Problem(400, "bad_request") from None


def found(what: Found | None) -> Found:
    """Return what belongs to a match; None means that there is no such match.

    Raises:
        Problem: 404, ``no_such_match``.
    """
    if what is None:
        raise Problem(404, "no_such_match")
    return what


async def place_of(request: Asked, match_id: str) -> Place:
    """Return the place of whoever asks at a match.

    Raises:
        Problem: 404, ``no_such_match``; also where there is one that is none of theirs.
    """
    try:
        return await place_at_match(request.app.state, match_id, await visitor(request))
    except RefusedPlaceError as refused:
        raise refused.problem from None


async def table_to_tell(request: Asked, match_id: str) -> Table:
    """Return a match that may be told to whoever asks: one at which they have a place, or one that is over.

    When a match is over nothing of it is a secret any more, and who has left it may check it as well.

    Raises:
        Problem: 404, ``no_such_match``.
    """
    try:
        return found((await place_of(request, match_id)).table)
    except Problem:
        table = await tables_of(request).open(match_id)
        if table is None or table.room is None or not table.game.is_over(table.state):
            raise
        return table


async def maker_of(request: Asked) -> Guest:
    """Return who makes a match, a new guest if need be.

    Raises:
        Refused: 429 ``too_fast``; nobody has become a guest then.
    """
    refusal = check_making(request, await visitor(request))
    if refusal is not None:
        raise Refused(refusal, 429)
    return await guest(request)


@post("/matches", responses=may_fail(403, 413, 422, 429))
async def create_match(
    request: Asked,
    data: JSONBody[NewMatch],  # noqa: ARG001 (for the schema)
) -> Response[MatchMade]:
    """Make a match; the guest who makes it finds it again on the front page."""
    wanted = await body_of(request, NewMatch)
    options = {name: value for name, value in msgspec.structs.asdict(wanted).items() if value is not UNSET}
    planned = tables_of(request).plan(options.pop("game"), options)
    if isinstance(planned, Refusal):
        raise Refused(planned, 422)
    maker = await maker_of(request)
    made = await tables_of(request).make(planned, maker.person)
    return Response(
        MatchMade(made, f"/m/{made}"),
        status_code=201,
        cookies=maker.cookies,
        headers={"location": f"/api/matches/{made}"},
    )


@get("/matches/{match_id:str}", responses=may_fail(404))
async def show_match(request: Asked, match_id: FromPath[str]) -> MatchSeen:
    """Tell all that the person's seat may know."""
    place = await place_of(request, match_id)
    table = found(place.table)
    return MatchSeen(match_id, table.game.name, table.seq, msgspec.to_builtins(table.view(place.viewer)))


@post("/matches/{match_id:str}/commands", status_code=200, responses=may_fail(403, 404, 409, 413))
async def do_command(
    request: Asked,
    match_id: FromPath[str],
    data: JSONBody[NewCommand],  # noqa: ARG001 (for the schema)
) -> CommandDone:
    """Do something in the person's seat; the bots act after it, and are not waited for."""
    wanted = await body_of(request, NewCommand)
    place = await place_of(request, match_id)
    answer = await place.command(wanted.id, wanted.command)
    if isinstance(answer, Refusal):
        raise Refused(answer, 409)
    return CommandDone(answer)


API: Final = Router("/api", route_handlers=[create_match, show_match, do_command])
