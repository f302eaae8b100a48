"""What goes over a socket: the frames of a client, read strictly, and those of the server, written.

All are JSON texts. The contract, with every key, is in ARCHITECTURE.md.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec

from kupa.game import Json
from kupa.refusal import Refusal
from kupa.strict_json import read_object

CommandId = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z")]
"""The name that a client gives a command, unique in its match: sent again, the command is not done again."""

LONGEST: Final = 4_096
"""How long a client's frame may be, in bytes; a command is some hundred."""


class CommandFrame(msgspec.Struct, tag="command", frozen=True, forbid_unknown_fields=True):
    """A client asks for something to be done in its seat."""

    id: CommandId
    command: Json


class SyncFrame(msgspec.Struct, tag="sync", frozen=True, forbid_unknown_fields=True):
    """A client wants the whole view."""


class RoomFrame(msgspec.Struct, tag="room", frozen=True, forbid_unknown_fields=True):
    """A client asks for something to be done in the room."""

    id: CommandId
    command: Json


class SayFrame(msgspec.Struct, tag="say", frozen=True, forbid_unknown_fields=True):
    """A client says something to the room."""

    id: CommandId
    text: str


class ReactFrame(msgspec.Struct, tag="react", frozen=True, forbid_unknown_fields=True):
    """A client sends one of the reactions to the room."""

    id: CommandId
    text: str


Frame = CommandFrame | SyncFrame | RoomFrame | SayFrame | ReactFrame
"""What a client may send."""


class FrameError(Exception):
    """What came is no frame of a client: too long, not JSON, or not of a known shape."""


def read_frame(text: str) -> Frame:
    """Read a client's frame.

    Raises:
        FrameError: it is none.
    """
    try:
        raw = text.encode()
        if len(raw) > LONGEST:
            raise FrameError
        data = read_object(raw)
        if isinstance(data, Refusal):
            raise FrameError
        frame: Frame = msgspec.convert(data, Frame)
        if isinstance(frame, CommandFrame | RoomFrame):
            # Half a character (a lone surrogate) could not be sent back in the sentence of a refusal.
            msgspec.json.encode(frame.command)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise FrameError from error
    return frame


def view_frame(seq: int, view: msgspec.Struct, info: Json) -> str:
    """Write all that a seat knows after event ``seq``."""
    return written({"type": "view", "seq": seq, "view": view, "info": info})


def events_frame(entries: list[Json]) -> str:
    """Write events as a seat sees them, each ``{"seq", "event", "view"}``."""
    return written({"type": "events", "events": entries})


def accepted_frame(command_id: str) -> str:
    """Write that a command has been done, now or before."""
    return written({"type": "accepted", "id": command_id})


def refused_frame(command_id: str, code: str, message: str) -> str:
    """Write that a command has changed nothing, and why."""
    return written({"type": "refused", "id": command_id, "code": code, "message": message})


def error_frame(code: str, message: str) -> str:
    """Write that a frame made no sense, or that the match cannot be played."""
    return written({"type": "error", "code": code, "message": message})


def written(frame: dict[str, Any]) -> str:
    """Write a frame as a JSON text."""
    return msgspec.json.encode(frame).decode()
