"""A referee in process, asked in JSON, and a table where the judge sits beside it."""

from __future__ import annotations

import copy
import json
import secrets
from collections import Counter
from collections.abc import Iterator
from typing import Any

from kupa.referee.loop import Referee, desks
from tests.referee.judge import PRESETS, SAFE_CARDS, Judge, deck_of, in_order, rules_of

Json = dict[str, Any]

CODES = (
    "bad_request",
    "no_game",
    "unknown_rules",
    "bad_rules",
    "bad_deal",
    "bad_seed",
    "wrong_phase",
    "not_your_turn",
    "already_passed",
    "wrong_number_of_cards",
    "duplicate_card",
    "not_your_card",
    "must_lead_opening_card",
    "must_follow_suit",
    "hearts_not_broken",
    "no_points_on_first_trick",
    "bad_choice",
)
"""Every code of the protocol, in the order in which one goes before another."""


class Asking:
    """Somebody who asks a referee, line by line."""

    def __init__(self) -> None:
        self.referee = Referee(desks(secrets.randbelow))

    def raw(self, request: Json | bytes) -> bytes:
        """Return the reply to a request, as it is written."""
        line = request if isinstance(request, bytes) else json.dumps(request).encode()
        reply = self.referee.reply(line)
        assert reply.endswith(b"\n")
        assert reply.count(b"\n") == 1
        return reply

    def ask(self, request: Json | bytes) -> Json:
        """Return the reply to a request, read."""
        reply: Json = json.loads(self.raw(request))
        return reply

    def accepted(self, request: Json | bytes) -> Json:
        """Return the reply to a request that must not be refused."""
        reply = self.ask(request)
        assert reply.get("ok") is True, (request, reply)
        return reply

    def refused(self, request: Json | bytes) -> Json:
        """Return the error of a request that must be refused, after looking at its form."""
        reply = self.ask(request)
        assert reply.get("ok") is False, (request, reply)
        assert set(reply) == {"ok", "error"}
        error: Json = reply["error"]
        assert isinstance(error["message"], str)
        assert error["message"]
        assert error["code"] in CODES, (request, error)
        return error

    def code(self, request: Json | bytes) -> str:
        """Return the code of a refusal, having seen that the refused request changed nothing."""
        before = self.raw({"do": "state"})
        code: str = self.refused(request)["code"]
        assert self.raw({"do": "state"}) == before, request
        return code

    def state(self) -> Json:
        state: Json = self.accepted({"do": "state"})["state"]
        return state

    def view(self, seat: int) -> Json:
        view: Json = self.accepted({"do": "view", "seat": seat})["view"]
        return view

    def new(self, rules: str, **keys: Any) -> Json:
        """Begin a match of Hearts; returns its state."""
        state: Json = self.accepted(new(rules, **keys))["state"]
        return state


def new(rules: str, **keys: Any) -> Json:
    """Return a request for a new match of Hearts."""
    return {"do": "new", "game": "hearts", "rules": rules, **keys}


class Table(Asking):
    """A referee and a judge who are told the same, and must agree on all of it after every request."""

    def __init__(self, request: Json, judge: Judge) -> None:
        """Begin the match that both the request and the judge stand for."""
        super().__init__()
        self.judge = judge
        self.history: list[Json] = []
        self.tell(request)

    def tell(self, request: Json) -> None:
        """Send a request that must be accepted, and compare the whole state."""
        self.history.append(request)
        reply = self.ask(request)
        assert reply.get("ok") is True, (reply, self.story())
        assert set(reply) == {"ok", "state"}, self.story()
        self.compare(reply["state"], self.judge.state())
        self.check_sums(reply["state"])

    def make_pass(self, seat: int, cards: list[str]) -> None:
        self.judge.make_pass(seat, cards)
        self.tell({"do": "pass", "seat": seat, "cards": cards})

    def make_play(self, seat: int, card: str) -> None:
        self.judge.make_play(seat, card)
        self.tell({"do": "play", "seat": seat, "card": card})

    def make_moon(self, seat: int, choice: str) -> None:
        self.judge.make_moon(choice)
        self.tell({"do": "moon", "seat": seat, "choice": choice})

    def play_out(self, *cards: str) -> None:
        """Let the seats to act play these cards, one after another."""
        for card in cards:
            assert self.judge.turn is not None
            assert card in self.judge.legal(), (card, self.story())
            self.make_play(self.judge.turn, card)

    def check_views(self) -> None:
        """Compare what each seat is shown with what it may know."""
        for seat in range(self.judge.players):
            self.compare(self.view(seat), self.judge.view(seat))

    def compare(self, got: Json, expected: Json) -> None:
        if got != expected:
            differing = "\n".join(differences("", got, expected))
            raise AssertionError(f"{differing}\nafter\n{self.story()}")

    def check_sums(self, state: Json) -> None:
        """Check by the reply alone that no card and no point is lost or made."""
        rules = state["rules"]
        deck = deck_of(rules)
        seen = [card for hand in state["hands"] for card in hand] + state["kitty"]
        seen += [play["card"] for play in state["trick"]]
        seen += [play["card"] for trick in state["tricks"] for play in trick["cards"]]
        assert Counter(seen) == Counter(deck), self.story()
        all_points = rules["decks"] * (13 * rules["heart_points"] + rules["queen_points"])
        if state["phase"] in ("moon", "over"):
            assert sum(state["taken"]) == all_points, self.story()
        if state["last_round"] is not None:
            assert sum(state["last_round"]["raw"]) == all_points, self.story()
        else:
            assert not state["rounds"], self.story()
        given = self.history[0].get("totals", [0] * rules["players"])
        assert state["totals"] == [sum(column) for column in zip(given, *state["rounds"], strict=True)]

    def try_hand(self) -> None:
        """Try every card of the hand to act: the legal ones on copies, the others on the table itself."""
        judge = self.judge
        seat = judge.turn
        assert seat is not None
        before = self.raw({"do": "state"})
        for card in dict.fromkeys(judge.hands[seat]):
            expected = judge.refusal_of_play(seat, card)
            if expected is None:
                copy.deepcopy(self).make_play(seat, card)
                continue
            error = self.refused({"do": "play", "seat": seat, "card": card})
            assert error["code"] == expected, (seat, card, error, expected, self.story())
            assert self.raw({"do": "state"}) == before, self.story()

    def story(self) -> str:
        """Return the lines that lead here."""
        return "\n".join(json.dumps(request) for request in self.history)


def deal(preset: str, *hands: str, kitty: str = "", **keys: Any) -> Table:
    """Begin a match at these hands, playing at once, with every other card taken out of the deck."""
    lists = [hand.split() for hand in hands]
    changes: Json = {"pass_count": 0, "pass_cycle": ["hold"], **keys.pop("set", {})}
    in_play = Counter(card for cards in [*lists, kitty.split()] for card in cards)
    decks: int = (PRESETS[preset] | changes)["decks"]
    changes["removed"] = [card for card in SAFE_CARDS for _ in range(decks - in_play[card])]
    request = new(preset, players=len(hands), set=changes, hands=lists, seed="position", **keys)
    rules = rules_of(preset, len(hands), changes)
    judge = Judge(rules, "position", lists, keys.get("totals"), keys.get("round", 0))
    table = Table(request, judge)
    assert table.state()["hands"] == [in_order(cards) for cards in lists]
    assert table.state()["kitty"] == in_order(kitty.split())
    return table


def legal(table: Table) -> str:
    """Return what the seat to act may play, after trying its whole hand."""
    table.try_hand()
    table.check_views()
    return " ".join(table.state()["legal"])


def differences(path: str, got: object, expected: object) -> Iterator[str]:
    """Yield a sentence for each place where an answer is not what it should be."""
    if got == expected:
        return
    if isinstance(got, dict) and isinstance(expected, dict):
        for key in sorted(got.keys() | expected.keys()):
            if key not in got or key not in expected:
                yield f"{path}.{key}: {'missing' if key in expected else 'not a key of the protocol'}"
            else:
                yield from differences(f"{path}.{key}", got[key], expected[key])
    elif isinstance(got, list) and isinstance(expected, list) and len(got) == len(expected):
        for index, pair in enumerate(zip(got, expected, strict=True)):
            yield from differences(f"{path}[{index}]", *pair)
    else:
        yield f"{path}: got {got!r}, expected {expected!r}"
