"""``kupa bot``: one of our levels as a program that takes a seat, wherever a host seats it."""

from __future__ import annotations

import json
import sys
from typing import BinaryIO, Final, TextIO

from kupa.bots.levels import ChosenLevel
from kupa.bots.player import Player
from kupa.catalogue import refusal_text
from kupa.game import Json
from kupa.programs.following import QUESTIONS, Following, check_message, read_hello
from kupa.referee.lines import lines
from kupa.refusal import Refusal
from kupa.strict_json import read_object

BAD_HELLO: Final = 2
"""The exit status when the first message cannot be understood."""
INTERRUPTED: Final = 130


class LevelBot:
    """Answers the messages of a host.

    Args:
        name: what it is called.
        chosen: the level.
        luck: a text from which its dice follow, the seat apart.
        time_ms: the most that it may spend on a decision, whatever the host allows; None for that.
    """

    def __init__(self, name: str, chosen: ChosenLevel, luck: str, time_ms: int | None) -> None:
        self._name, self._chosen, self._luck, self._time_ms = name, chosen, luck, time_ms
        self._player: Player | None = None
        self._following: Following | None = None

    def answer(self, line: bytes | Refusal) -> Json | Refusal | None:
        """Return the answer to a line, None where there is none to give, or why it was not understood."""
        message = line if isinstance(line, Refusal) else read_object(line)
        if isinstance(message, Refusal):
            return message
        refusal = check_message(message)
        if refusal is not None:
            return refusal
        if message["type"] == "hello":
            return self._greet(message)
        if self._player is None or self._following is None:
            return Refusal("no_game")
        try:
            if message["type"] not in QUESTIONS:
                self._following.follow(message)
                return None
            return self._choice(self._player, self._following, message)
        except (ValueError, KeyError, IndexError, TypeError):
            return Refusal("cannot_be", params={"type": message["type"]})

    @property
    def is_greeted(self) -> bool:
        """Whether a host has said hello."""
        return self._player is not None

    def _greet(self, message: Json) -> Json | Refusal:
        greeting = read_hello(message)
        if isinstance(greeting, Refusal):
            return greeting
        allowed = max(1, greeting.time_ms)
        time_ms = allowed if self._time_ms is None else min(allowed, self._time_ms)
        player = self._chosen.player(f"{self._luck}/{greeting.seat}", time_ms)
        self._player, self._following = player, Following(greeting, player.told)
        return {"type": "ready", "name": self._name}

    @staticmethod
    def _choice(player: Player, following: Following, question: Json) -> Json:
        chosen = player.choose(following.view(question))
        answer = {key: value for key, value in chosen.items() if key != "type"}
        return {"id": question["id"], **answer}


def serve(bot: LevelBot, stdin: BinaryIO, stdout: BinaryIO, stderr: TextIO) -> int:
    """Answer a host until it closes the input; returns the exit status.

    What cannot be understood is told on standard error, ``kupa: code: sentence``, and is passed over; a first
    message that cannot be understood is the end.
    """
    try:
        for line in lines(stdin):
            answer = bot.answer(line)
            if isinstance(answer, Refusal):
                stderr.write(f"kupa: {answer.code}: {refusal_text('en', answer)}\n")
                stderr.flush()
                if not bot.is_greeted:
                    return BAD_HELLO
            elif answer is not None:
                stdout.write(json.dumps(answer, separators=(",", ":")).encode("ascii") + b"\n")
                stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        pass  # the host has gone
    return 0


def main(bot: LevelBot) -> int:
    """Answer over the streams of the process."""
    return serve(bot, sys.stdin.buffer, sys.stdout.buffer, sys.stderr)
