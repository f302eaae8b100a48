"""A program in a seat: told what its seat is told, asked when its seat is to act, charged when it fails."""

from __future__ import annotations

import json
import time
from typing import Final, NamedTuple

from kupa.game import Json
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.view import View
from kupa.programs.faults import ENDED, NO_START, NONSENSE, TOO_LATE, FaultError, said
from kupa.programs.messages import Teller, hello
from kupa.programs.program import Program
from kupa.refusal import Refusal
from kupa.strict_json import read_object

HANGS_AFTER: Final = 3
"""How many questions in a row a program may leave without an answer before it is killed."""

MOON_OPTIONS: Final = ("add", "subtract")


class Limits(NamedTuple):
    """The time that a program has, in milliseconds."""

    time_ms: int
    """For a decision, as it is told."""
    grace_ms: int = 1000
    """What a decision may take longer before it is a fault: a busy computer is not the program's."""
    start_ms: int = 60_000
    """Until it says that it is ready."""


class ProgramSeat:
    """A seat that a program plays, from its start to its end: one match, or some single rounds.

    A program that cannot be started, or that dies, leaves a seat whose every decision is a fault.

    Args:
        command: what runs.
        seat: which seat it has.
        rulebook: of the match.
        limits: the time that it has.
    """

    def __init__(self, command: str, seat: int, rulebook: Rulebook, limits: Limits) -> None:
        self._limits = limits
        self._teller = Teller(seat, rulebook)
        self._id = 0
        self._silent = 0
        self._totals: list[int] | None = None
        """The last score, until the program has been told that the match is over."""
        self.fault: FaultError | None = None
        """Why the program is gone for good, if it is."""
        self._program: Program | None = None
        try:
            self._program = Program(command)
            self._start(self._program, hello(seat, rulebook, limits.time_ms))
        except FaultError as fault:
            self._leave(FaultError(NO_START, fault.detail or fault.code))

    def _start(self, program: Program, first: Json) -> None:
        deadline = time.monotonic() + self._limits.start_ms / 1000
        program.send(_line(first), deadline)
        line = program.line(deadline)
        data = read_object(line)
        if isinstance(data, Refusal) or data.get("type") != "ready":
            raise FaultError(NONSENSE, said(line))

    def _leave(self, fault: FaultError) -> None:
        """Let the program go for good; from now on the fault stands for every decision."""
        self.fault = fault
        if self._program is not None:
            self._program.kill()

    def _deadline(self) -> float:
        return time.monotonic() + (self._limits.time_ms + self._limits.grace_ms) / 1000

    def told(self, event: Json) -> None:
        """Tell the program an event as its seat is told it."""
        messages = self._teller.told(event)
        if event["type"] == "round_scored":
            self._totals = event["totals"]
        elif event["type"] == "match_over":
            self._totals = None
        self._send(messages)

    def _send(self, messages: list[Json]) -> None:
        if self._program is None or self.fault is not None:
            return
        try:
            for message in messages:
                self._program.send(_line(message), self._deadline())
        except FaultError as fault:
            # One that does not even read what it is told will not answer either.
            self._leave(FaultError(ENDED, fault.detail))

    def choose(self, view: View) -> Json:
        """Ask the program, and return its answer as a command, whether the rules allow it or not.

        Raises:
            FaultError: it has no answer.
        """
        self._send(self._teller.rest())
        if self._program is None or self.fault is not None:
            raise self.fault or FaultError(NO_START)
        self._id += 1
        try:
            answer = self._asked(self._program, self._question(view))
        except FaultError as fault:
            self._silent = self._silent + 1 if fault.code == TOO_LATE else 0
            if fault.code == ENDED or self._silent == HANGS_AFTER:
                self._leave(FaultError(ENDED, fault.detail))
            raise
        self._silent = 0
        key = {"pass": "cards", "moon": "choice"}.get(view.phase, "card")
        return {"type": view.phase, key: answer[key]} if key in answer else {"type": view.phase}

    def _question(self, view: View) -> Json:
        if view.phase == "pass":
            return {"type": "choose_pass", "id": self._id, "count": view.rules.pass_count}
        if view.phase == "moon":
            return {"type": "choose_moon", "id": self._id, "options": MOON_OPTIONS}
        return {"type": "choose_play", "id": self._id, "legal": view.legal}

    def _asked(self, program: Program, question: Json) -> Json:
        """Ask, and return the answer with the question's id; what has another id is dropped."""
        deadline = self._deadline()
        program.send(_line(question), deadline)
        while True:
            line = program.line(deadline)
            data = read_object(line)
            if isinstance(data, Refusal) or "id" not in data:
                raise FaultError(NONSENSE, said(line))
            if type(data["id"]) is int and data["id"] == self._id:
                return data
            if time.monotonic() >= deadline:
                raise FaultError(TOO_LATE, said(line))

    def close(self) -> None:
        """Tell the program that its match is over, and end it."""
        self._send(self._teller.rest())
        if self._totals is not None:
            winners = [seat for seat, total in enumerate(self._totals) if total == min(self._totals)]
            self._send([{"type": "match", "totals": self._totals, "winners": winners}])
        if self._program is not None:
            self._program.close()


def _line(message: Json) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"
