"""What a host tells a program: the events of its seat, as messages of the protocol.

A program is told what its seat may know and nothing else: messages are made of the seat's own views of events
(``Event.for_seat``), never of events or states.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from kupa.game import Json
from kupa.hearts import rules
from kupa.hearts.rulebook import Rulebook

PROTOCOL: Final = 1
"""The version that the first message names."""

_DIRECTIONS: Final = {"left": rules.LEFT, "right": rules.RIGHT, "across": rules.ACROSS, "hold": rules.HOLD}


def hello(seat: int, rulebook: Rulebook, time_ms: int) -> Json:
    """Return the first message: which seat it is, by which rules, and the time for a decision."""
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "seat": seat,
        "players": rulebook.players,
        "rules": msgspec.to_builtins(rulebook),
        "time_ms": time_ms,
    }


class Teller:
    """Turns what a seat is told of events into messages.

    Two messages tell of two events each: a trick of the kitty that came with it, a round of the reason why
    the match goes on. They wait for the next event, or for the next question.

    Args:
        seat: whose messages these are.
        rulebook: of the match.
    """

    def __init__(self, seat: int, rulebook: Rulebook) -> None:
        self._seat = seat
        self._players = rulebook.players
        self._direction = rules.HOLD
        self._totals: list[int] = [0] * rulebook.players
        self._waiting: Json | None = None

    def told(self, event: Json) -> list[Json]:
        """Take in an event as the seat is told it; return the messages that can go out now."""
        kind = event["type"]
        if self._waiting is not None:
            if kind == "kitty_taken":
                if "cards" in event:
                    self._waiting["kitty"] = event["cards"]
                return self.rest()
            if kind == "extra_round":
                self._waiting["extra_round"] = event["reason"]
                return self.rest()
        out = self.rest()
        write = _WRITE.get(kind)
        if write is not None:
            message = write(self, event)
            if message is not None and message["type"] in {"trick", "round"}:
                self._waiting = message
            elif message is not None:
                out.append(message)
        return out

    def rest(self) -> list[Json]:
        """Return the message that waited, if one did; it is complete when a question is asked."""
        out = [] if self._waiting is None else [self._waiting]
        self._waiting = None
        return out

    def _started(self, event: Json) -> None:
        self._totals = event["totals"]

    def _deal(self, event: Json) -> Json:
        self._direction = _DIRECTIONS[event["direction"]]
        return {
            "type": "deal",
            "round": event["round"],
            "direction": event["direction"],
            "hand": event["hand"],
            "totals": self._totals,
        }

    def _passed(self, event: Json) -> Json | None:
        if event["seat"] != self._seat:
            return None
        to = rules.pass_target(self._seat, self._direction, self._players)
        return {"type": "passed", "cards": event["cards"], "to": to}

    def _received(self, event: Json) -> Json:
        return {"type": "received", "cards": event["received"], "from": event["from"]}

    def _played(self, event: Json) -> Json:
        return {"type": "played", "seat": event["seat"], "card": event["card"]}

    def _trick(self, event: Json) -> Json:
        return {"type": "trick", "winner": event["winner"], "points": event["points"]}

    def _moon(self, event: Json) -> Json:
        return {"type": "moon", "seat": event["seat"], "choice": event["choice"]}

    def _round(self, event: Json) -> Json:
        self._totals = event["totals"]
        return {"type": "round", "points": event["points"], "totals": event["totals"], "extra_round": None}

    def _match(self, event: Json) -> Json:
        return {"type": "match", "totals": event["totals"], "winners": event["winners"]}


_WRITE: Final[dict[str, Callable[[Teller, Json], Json | None]]] = {
    "match_started": Teller._started,
    "round_dealt": Teller._deal,
    "pass_chosen": Teller._passed,
    "passes_made": Teller._received,
    "card_played": Teller._played,
    "trick_taken": Teller._trick,
    "moon_chosen": Teller._moon,
    "round_scored": Teller._round,
    "match_over": Teller._match,
}
