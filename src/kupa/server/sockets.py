"""The socket of a match: the person's seat sees events as they happen and asks for things to be done.

Two tasks serve a socket. One reads a frame, does what it says and puts the answer into the outbox, then reads
the next; the other sends what the outbox holds. The reader waits while too many answers are unsent, so that
nothing grows without bound.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from kupa import catalogue
from kupa.refusal import Refusal
from kupa.server import errors
from kupa.server.frames import (
    CommandFrame,
    FrameError,
    accepted_frame,
    error_frame,
    read_frame,
    refused_frame,
)
from kupa.server.language import language_of
from kupa.server.origins import is_foreign
from kupa.server.outbox import Outbox
from kupa.server.table import PERSON, Table
from kupa.server.tables import Tables

FOREIGN: Final = 4403
"""The close code for a page that is not ours (sent before the socket opens, browsers see a failure)."""
NO_SUCH_MATCH: Final = 4404
"""The close code when there is no such match; trying again is no use."""
OUR_FAULT: Final = 1011
"""The close code when the match cannot be opened because of an error of ours."""

BAD_FRAME: Final = errors.Problem(400, "bad_request", "frame")

Socket = WebSocket[Any, Any, Any]


@websocket("/m/{match_id:str}/live")
async def live(socket: Socket, match_id: FromPath[str]) -> None:
    """Serve a socket until the client goes away."""
    if is_foreign(socket):
        await socket.close(FOREIGN)
        return
    await socket.accept()
    tables: Tables = socket.app.state.tables
    language = language_of(socket)
    try:
        table = await tables.open(match_id)
    except Exception as error:
        errors.note(error)
        await _refuse(socket, errors.problem_of(error), language, OUR_FAULT)
        return
    if table is None:
        await _refuse(socket, errors.Problem(404, "no_such_match"), language, NO_SUCH_MATCH)
        return
    await _serve(socket, tables, table, language)


async def _refuse(socket: Socket, problem: errors.Problem, language: str, close_code: int) -> None:
    await socket.send_text(error_frame(problem.code, problem.message(language)))
    await socket.close(close_code)


async def _serve(socket: Socket, tables: Tables, table: Table, language: str) -> None:
    outbox = Outbox()
    table.listen(outbox, PERSON)
    sender = asyncio.create_task(_send(socket, table, outbox), name="send to a socket")
    try:
        await _read(socket, tables, table, outbox, language)
    finally:
        table.leave(outbox)
        sender.cancel()
        await asyncio.wait({sender})


async def _send(socket: Socket, table: Table, outbox: Outbox) -> None:
    """Send what the outbox holds, until the client has gone away."""
    try:
        while True:
            frame = await outbox.next()
            # The view is made at the moment it is sent: it holds whatever was told before.
            await socket.send_text(table.view_frame(PERSON) if frame is None else frame)
    except (WebSocketDisconnect, OSError):
        return  # the reader learns of it by itself


async def _read(socket: Socket, tables: Tables, table: Table, outbox: Outbox, language: str) -> None:
    """Read frames and do what they say, until the client goes away."""
    while True:
        await outbox.room()
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        try:
            # A binary frame has no text; the empty text in its place is no frame either.
            frame = read_frame(str(message.get("text") or ""))
        except FrameError:
            outbox.answer(error_frame(BAD_FRAME.code, BAD_FRAME.message(language)))
            continue
        if isinstance(frame, CommandFrame):
            outbox.answer(await _do(tables, table.id, frame, language))
        else:
            outbox.resync()


async def _do(tables: Tables, match_id: str, frame: CommandFrame, language: str) -> str:
    """Do what a frame asks for; returns the answer."""
    try:
        answer = await tables.command(match_id, frame.id, frame.command)
    except Exception as error:
        errors.note(error)
        problem = errors.problem_of(error)
        return refused_frame(frame.id, problem.code, problem.message(language))
    if isinstance(answer, Refusal):
        return refused_frame(frame.id, answer.code, catalogue.refusal_text(language, answer))
    return accepted_frame(frame.id)
