"""What people say to each other in a room: short messages, and reactions at the press of a button.

Messages are kept beside the log for a while, so that they can be read by who comes later, and reported.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection
from typing import Final

import msgspec
from sqlalchemy import insert, select

from kupa.refusal import Refusal
from kupa.server.attempts import Attempts
from kupa.server.database import Database
from kupa.server.schema import MESSAGES

REACTIONS: Final = ("hello", "bravo", "thanks", "ouch", "sorry", "hurry")
"""The reactions, by the sentences ``room.react.<name>``."""
SAY: Final = "say"
REACT: Final = "react"

LONGEST: Final = 200
"""The most characters of a message."""
SHOWN: Final = 30
"""How many messages somebody who comes in is shown."""
MOST: Final = 6
"""How many messages somebody may send within some seconds."""
WITHIN: Final = 10.0
"""Those seconds."""

_SPACES: Final = re.compile(r"\s+")
_LEFT_OUT: Final = {"Cc", "Cf", "Cn", "Co", "Cs"}
"""The kinds of characters that are not seen, or turn around what is seen."""
_JOINERS: Final = {"\u200c", "\u200d"}
"""Not seen either, but needed by scripts and by drawn faces."""
_MOST_MARKS: Final = 3
"""How many marks may stand on one letter."""


class Message(msgspec.Struct, frozen=True):
    """Something that was said."""

    id: int
    person: str
    kind: str
    """``say`` or ``react``."""
    text: str
    """What was said; of a reaction its name."""
    at: int
    """Milliseconds since 1970, UTC."""


def cleaned(text: str) -> str:
    """Return a message as it is shown: on one line, nothing unseen in it, few marks on each letter."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        if character.isspace():
            kept.append(" ")
            continue
        category = unicodedata.category(character)
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if marks <= _MOST_MARKS and (category not in _LEFT_OUT or character in _JOINERS):
            kept.append(character)
    return _SPACES.sub(" ", "".join(kept)).strip(" \u200c\u200d")


class Talk:
    """The messages of all rooms of a server.

    Args:
        database: where they are kept.
        now: the time, in milliseconds since 1970, UTC.
        clock: seconds that never run backwards.
    """

    def __init__(
        self, database: Callable[[], Database], now: Callable[[], int], clock: Callable[[], float]
    ) -> None:
        self._database = database
        self._now = now
        self._sent = Attempts(MOST, WITHIN, clock)

    async def add(self, room: str, person: str, kind: str, text: str) -> Message | Refusal:
        """Keep a message and return it, or refuse it: ``bad_message`` or ``too_fast``."""
        words = text if kind == REACT else cleaned(text)
        if kind == REACT and text not in REACTIONS:
            return Refusal("bad_message", "unknown_reaction")
        if not words:
            return Refusal("bad_message", "empty")
        if len(words) > LONGEST:
            return Refusal("bad_message", "too_long", params={"n": LONGEST})
        if not self._sent.allow(person):
            return Refusal("too_fast")
        row = {"room": room, "person": person, "kind": kind, "text": words, "at": self._now()}
        async with self._database().writing() as connection:
            result = await connection.execute(insert(MESSAGES).values(row))
            number = result.inserted_primary_key
        return Message(number[0] if number else 0, person, kind, words, row["at"])  # type: ignore[arg-type]

    async def last(self, room: str, without: Collection[str] = ()) -> list[Message]:
        """Return the last messages of a room, the oldest first, without those of some people."""
        query = (
            select(MESSAGES.c.id, MESSAGES.c.person, MESSAGES.c.kind, MESSAGES.c.text, MESSAGES.c.at)
            .where(MESSAGES.c.room == room, MESSAGES.c.person.not_in(list(without)))
            .order_by(MESSAGES.c.id.desc())
            .limit(SHOWN)
        )
        async with self._database().reading() as connection:
            rows = (await connection.execute(query)).all()
        return [Message(*row) for row in reversed(rows)]
