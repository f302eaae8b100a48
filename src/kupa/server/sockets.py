"""The sockets: of a match, where its seats see events as they happen, and of a room that waits for one.

Two tasks serve a socket. One reads a frame, does what it says and puts the answer into the outbox, then reads
the next; the other sends what the outbox holds. The reader waits while too many answers are unsent, so that
nothing grows without bound.

Who somebody is follows from the socket's session and is asked anew before every frame, in and out: a session
that has ended, a seat that has been moved, a person who has been sent away get nothing more and do no more.
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
    Frame,
    FrameError,
    SyncFrame,
    accepted_frame,
    error_frame,
    read_frame,
    refused_frame,
)
from kupa.server.guests import visitor
from kupa.server.language import language_of
from kupa.server.origins import is_foreign
from kupa.server.outbox import Due, Outbox
from kupa.server.place import Place, RefusedPlaceError, place_at_match, place_in_room

FOREIGN: Final = 4403
"""The close code for a page that is not ours (sent before the socket opens, browsers see a failure)."""
NO_SUCH_MATCH: Final = 4404
"""The close code when there is no such match or room; trying again is no use."""
SIGNED_OUT: Final = 4401
"""The close code when the session of the socket has ended."""
NO_PLACE: Final = 4410
"""The close code when the place that the socket was for is no longer the person's."""
OUR_FAULT: Final = 1011
"""The close code when the match cannot be opened because of an error of ours."""

_CLOSING: Final = {"no_such_match": NO_SUCH_MATCH, "no_such_room": NO_SUCH_MATCH, "signed_out": SIGNED_OUT}
"""The close codes by why a place is refused; any other reason means that there is no place any more."""

BAD_FRAME: Final = errors.Problem(400, "bad_request", "frame")

Socket = WebSocket[Any, Any, Any]


@websocket("/m/{match_id:str}/live")
async def live(socket: Socket, match_id: FromPath[str]) -> None:
    """Serve a socket of a match until the client goes away."""
    await _serve(socket, lambda person: place_at_match(socket.app.state, match_id, person))


@websocket("/t/{room_id:str}/live")
async def live_room(socket: Socket, room_id: FromPath[str]) -> None:
    """Serve a socket of a room until the client goes away."""
    await _serve(socket, lambda person: place_in_room(socket.app.state, room_id, person))


async def _serve(socket: Socket, find_place: Any) -> None:
    if is_foreign(socket):
        await socket.close(FOREIGN)
        return
    await socket.accept()
    language = language_of(socket)
    try:
        person = await visitor(socket)
        place: Place = await find_place(person)
    except RefusedPlaceError as refused:
        await _refuse(socket, refused.problem, language, _CLOSING.get(refused.problem.code, NO_PLACE))
        return
    except Exception as error:
        errors.note(error)
        await _refuse(socket, errors.problem_of(error), language, OUR_FAULT)
        return
    await _Service(socket, place, person, language).run()


async def _refuse(socket: Socket, problem: errors.Problem, language: str, close_code: int) -> None:
    await socket.send_text(error_frame(problem.code, problem.message(language)))
    await socket.close(close_code)


class _Service:
    """What is done for one socket."""

    def __init__(self, socket: Socket, place: Place, person: str | None, language: str) -> None:
        self._socket = socket
        self._place = place
        self._person = person
        self._language = language
        self._outbox = Outbox()
        self._has_ended = False

    async def run(self) -> None:
        """Serve the socket to its end."""
        await self._place.listen(self._outbox)
        sender = asyncio.create_task(self._send(), name="send to a socket")
        try:
            await self._read()
        finally:
            self._place.leave(self._outbox)
            sender.cancel()
            await asyncio.wait({sender})

    async def _send(self) -> None:
        """Send what the outbox holds, until the client has gone away or has no place any more."""
        try:
            while True:
                frame = await self._outbox.next()
                await self._check()
                await self._socket.send_text(await self._made(frame))
        except RefusedPlaceError as refused:
            await self._end(refused.problem)
        except (WebSocketDisconnect, OSError):
            return  # the reader learns of it by itself
        except Exception as error:
            errors.note(error)
            await self._end(errors.problem_of(error), OUR_FAULT)

    async def _made(self, frame: str | Due) -> str:
        """Return a frame as it is sent; what is due is made now: it holds whatever was told before."""
        return await self._place.made(frame) if isinstance(frame, Due) else frame

    async def _check(self) -> None:
        """See that the session lasts and the place is still the person's.

        Raises:
            RefusedPlaceError: it does not, or is not.
        """
        if self._person is not None and await visitor(self._socket) != self._person:
            raise RefusedPlaceError(errors.Problem(401, "signed_out"))
        self._place.check()

    async def _end(self, problem: errors.Problem, close_code: int | None = None) -> None:
        """Say why, and close the socket for good; the reader is told by the socket itself."""
        if self._has_ended:
            return
        self._has_ended = True
        try:
            code = _CLOSING.get(problem.code, NO_PLACE) if close_code is None else close_code
            await _refuse(self._socket, problem, self._language, code)
        except (WebSocketDisconnect, OSError, RuntimeError):
            return  # it was closed from the other side meanwhile

    async def _read(self) -> None:
        """Read frames and do what they say, until the client goes away."""
        while not self._has_ended:
            await self._outbox.room()
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            try:
                # A binary frame has no text; the empty text in its place is no frame either.
                frame = read_frame(str(message.get("text") or ""))
            except FrameError:
                self._outbox.answer(error_frame(BAD_FRAME.code, BAD_FRAME.message(self._language)))
                continue
            try:
                await self._check()
            except RefusedPlaceError as refused:
                await self._end(refused.problem)
                return
            if isinstance(frame, SyncFrame):
                self._place.sync(self._outbox)
            else:
                self._outbox.answer(await self._do(frame))

    async def _do(self, frame: Frame) -> str:
        """Do what a frame asks for; returns the answer."""
        assert not isinstance(frame, SyncFrame)
        try:
            answer = (
                await self._place.command(frame.id, frame.command)
                if isinstance(frame, CommandFrame)
                else await self._place.ask_room(frame)
            )
        except Exception as error:
            errors.note(error)
            problem = errors.problem_of(error)
            return refused_frame(frame.id, problem.code, problem.message(self._language))
        if isinstance(answer, Refusal):
            return refused_frame(frame.id, answer.code, catalogue.refusal_text(self._language, answer))
        return accepted_frame(frame.id)
