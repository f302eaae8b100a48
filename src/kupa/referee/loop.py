"""The referee's loop: a request on each line, a reply on each line, in order (docs/protocol.md, section 1).

Nothing but replies is written to the output. Whatever comes in, each line gets exactly one reply; a refused
request changes nothing; the process ends only at the end of its input.
"""

from __future__ import annotations

import contextlib
import json
import logging
import secrets
from collections.abc import Mapping
from typing import Any, BinaryIO, Final

import msgspec

from kupa import keys
from kupa.catalogue import refusal_text
from kupa.game import Json
from kupa.referee.desk import Answer, Desk, RandomBelow
from kupa.referee.lines import lines
from kupa.refusal import Refusal
from kupa.strict_json import read_object

log = logging.getLogger(__name__)

HEARTS: Final = "hearts"
HEART_TO_HEART: Final = "heart-to-heart"

OWNERS: Final[Mapping[str, str]] = {
    "rules": HEARTS,
    "pass": HEARTS,
    "play": HEARTS,
    "moon": HEARTS,
    "view": HEARTS,
    "tap": HEART_TO_HEART,
    "undo": HEART_TO_HEART,
    "settings": HEART_TO_HEART,
}
"""The game that each request belongs to. ``new`` names its game; ``state`` goes to the current one."""

NEED_NO_GAME: Final = frozenset({"new", "rules"})
"""Requests that need no game in play."""

INTERRUPTED: Final = 130
"""What a process returns that the keyboard has interrupted."""


class Referee:
    """Both games behind one protocol: which of them is in play, and the last state of each."""

    def __init__(self, desks: Mapping[str, Desk]) -> None:
        """Begin without a game.

        Args:
            desks: each game's desk by the name of the game.
        """
        self._desks = desks
        self._current: str | None = None
        self._states: dict[str, Any] = {}

    def reply(self, line: bytes | Refusal) -> bytes:
        """Return the reply to a line, its end included; never raises.

        Args:
            line: a line without its end, or the reason why it could not be read.
        """
        try:
            data = line if isinstance(line, Refusal) else read_object(line)
            return self._reply_to(data)
        except RecursionError:
            return _written(_refused(keys.bad_request("too_deep")))
        except Exception as error:
            # A host must not lose its referee, and its game, through a fault of ours.
            log.error("internal error: %r", error)
            log.debug("where it happened", exc_info=True)
            return _written(_refused(Refusal("internal_error")))

    def _reply_to(self, data: Json | Refusal) -> bytes:
        """Answer a request; what changes by it is kept only once the reply could be written."""
        if isinstance(data, Refusal):
            return _written(_refused(data))
        game = self._game_of(data)
        if isinstance(game, Refusal):
            return _written(_refused(game))
        answer = self._answer(game, data)
        if isinstance(answer, Refusal):
            return _written(_refused(answer))
        written = _written({"ok": True, **answer.extra})
        self._states[game] = answer.state
        if data["do"] == "new":
            self._current = game
        return written

    def _game_of(self, data: Json) -> str | Refusal:
        """Return the name of the game that a request is for."""
        refusal = keys.check_keys({key: data[key] for key in ("do",) if key in data}, {"do": keys.TEXT})
        if refusal is not None:
            return refusal
        if data["do"] == "new":
            return self._game_named_in(data)
        if data["do"] == "state":
            return keys.check_keys(data, {"do": keys.TEXT}) or self._current or Refusal("no_game")
        return OWNERS.get(data["do"]) or keys.bad_request("unknown_do", do=data["do"])

    def _game_named_in(self, data: Json) -> str | Refusal:
        """Return the game that a request for a new one names."""
        if "game" not in data:
            return keys.bad_request("missing_key", key="game")
        game = data["game"]
        if not isinstance(game, str):
            return keys.bad_request("not_text", key="game")
        return game if game in self._desks else keys.bad_request("unknown_game", game=game)

    def _answer(self, game: str, data: Json) -> Answer | Refusal:
        """Let a game's desk answer, if that game is the one in play or need not be."""
        desk = self._desks[game]
        request = desk.read(data)
        if isinstance(request, Refusal):
            return request
        if data["do"] not in NEED_NO_GAME and self._current != game:
            return Refusal("no_game", "other" if self._current else "")
        return desk.answer(self._states.get(game), request)


def desks(randbelow: RandomBelow) -> dict[str, Desk]:
    """Return the desks of both games.

    Args:
        randbelow: where random seeds and codes come from.
    """
    from kupa.referee.heart_to_heart import HeartToHeartDesk
    from kupa.referee.hearts import HeartsDesk

    return {HEARTS: HeartsDesk(randbelow), HEART_TO_HEART: HeartToHeartDesk(randbelow)}


def serve(referee: Referee, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """Answer every line of a stream; returns the process's exit code.

    Whoever reads the replies may go away, and the keyboard may interrupt: both end the loop calmly.
    """
    try:
        for line in lines(stdin):
            stdout.write(referee.reply(line))
            stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        with contextlib.suppress(OSError):
            stdout.close()  # otherwise Python would try once more to write, and complain, at its end
    return 0


def main(stdin: BinaryIO, stdout: BinaryIO, randbelow: RandomBelow = secrets.randbelow) -> int:
    """Run the referee over two binary streams; returns the process's exit code."""
    return serve(Referee(desks(randbelow)), stdin, stdout)


def _refused(refusal: Refusal) -> Json:
    """Return the reply that tells of a refusal."""
    error = {"code": refusal.code, "message": refusal_text("en", refusal)}
    if refusal.field:
        error["field"] = refusal.field
    return {"ok": False, "error": error}


def _written(reply: Json) -> bytes:
    """Write a reply as a line of JSON.

    Everything but ASCII is escaped: so a lone surrogate, which a request may have smuggled in, can go out,
    and no reader takes a line separator of Unicode within a text for the end of the line.
    """
    plain = msgspec.to_builtins(reply)
    return json.dumps(plain, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"
