"""Matches as texts over HTTP: one that may be told is written, and one that was written is taken in.

A record of Hearts holds every hand, so it is told only once the match is over; what a sealed deal was made of
stands in it. A record that is taken in has to hold by today's rules, and becomes a match of its own, which
goes on where the record ends.
"""

from __future__ import annotations

import asyncio
from typing import Final

from litestar import MediaType, Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from kupa.record import Record, read_record, verified, write_record
from kupa.refusal import Refusal
from kupa.server.api import MatchMade, maker_of, table_to_tell
from kupa.server.errors import Problem, Refused
from kupa.server.fair_pages import sealed_record
from kupa.server.requests import Asked, page_at, tables_of

LARGEST_RECORD: Final = 512 * 1024
"""How many bytes a record may have here; a long match of eleven has some 40,000."""


@page_at("/m/{match_id:str}/record")
async def show_record(request: Asked, match_id: FromPath[str]) -> Response[str]:
    """Tell a match as a text to keep; 409 ``match_not_over`` while it would give hands away."""
    table = await table_to_tell(request, match_id)
    if table.game.name == "hearts" and not table.game.is_over(table.state):
        raise Problem(409, "match_not_over")
    record, _ = await sealed_record(request.app.state.store, table.id, table.game, table.facts)
    return Response(
        write_record(record),
        media_type=MediaType.TEXT,
        headers={"content-disposition": f'attachment; filename="kupa-{match_id}.txt"'},
    )


@post("/api/records", include_in_schema=False, request_max_body_size=LARGEST_RECORD)
async def take_record(request: Asked) -> Response[MatchMade]:
    """Take in a record, the body as UTF-8 text, as a match of the guest's own."""
    try:
        text = (await request.body()).decode()
    except UnicodeDecodeError:
        raise Problem(400, "bad_request") from None
    record = await asyncio.to_thread(checked, text)
    if isinstance(record, Refusal):
        raise Refused(record, 422)
    maker = await maker_of(request)
    made = await tables_of(request).adopt(record.game, record.events, maker.person)
    return Response(MatchMade(made, f"/m/{made}"), status_code=201, cookies=maker.cookies)


def checked(text: str) -> Record | Refusal:
    """Read a record and ask the rules; takes long for a long one, so not to be called in the event loop."""
    record = read_record(text)
    return record if isinstance(record, Refusal) else verified(record) or record


def route_handlers() -> list[HTTPRouteHandler]:
    """Return both handlers."""
    return [show_record, take_record]
