"""What a program knows of its match: messages become the events and the view that our own players are shown.

A level of Kupa that runs as a program is told by its host exactly what a seat may know. From that its view
is put together again, and the events too, so that it plays as it does at our own tables. Two things of a view
are not in the protocol: who else has passed already, and whether the rest of a round may be skipped. In this
view nobody has, and it may not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from kupa.cards import TEXT, Card, CardSet, card_of, texts
from kupa.game import Json
from kupa.hearts import rules
from kupa.hearts.rulebook import FIELDS, Rulebook, rulebook_of
from kupa.hearts.state import MOON, PASS, PLAY
from kupa.hearts.view import Given, LastRound, Received, SeatCard, TrickNote, TrickView, View
from kupa.keys import COUNT, INTEGER, OBJECT, TEXTS, Kind, bad_request, check_keys, is_integer, is_text
from kupa.programs.messages import PROTOCOL
from kupa.refusal import Refusal

_WORD: Final = Kind("not_text", is_text)
_NUMBERS: Final = Kind("not_integers", lambda value: isinstance(value, list) and all(map(is_integer, value)))
_SEAT_OR_NONE: Final = Kind("not_a_count", lambda value: value is None or COUNT.fits(value))

_BODIES: Final[dict[str, dict[str, Kind]]] = {
    "hello": {"protocol": INTEGER, "seat": COUNT, "players": COUNT, "rules": OBJECT, "time_ms": COUNT},
    "deal": {"round": COUNT, "direction": _WORD, "hand": TEXTS, "totals": _NUMBERS},
    "choose_pass": {"id": INTEGER, "count": COUNT},
    "passed": {"cards": TEXTS, "to": COUNT},
    "received": {"cards": TEXTS, "from": COUNT},
    "played": {"seat": COUNT, "card": _WORD},
    "trick": {"winner": _SEAT_OR_NONE, "points": INTEGER},
    "choose_play": {"id": INTEGER, "legal": TEXTS},
    "choose_moon": {"id": INTEGER, "options": TEXTS},
    "moon": {"seat": COUNT, "choice": _WORD},
    "round": {"points": _NUMBERS, "totals": _NUMBERS},
    "match": {"totals": _NUMBERS, "winners": _NUMBERS},
}
"""The messages, and what each must have; what a host adds is passed over."""
QUESTIONS: Final = {"choose_pass": PASS, "choose_play": PLAY, "choose_moon": MOON}
"""The messages that ask, and the phase in which they do."""


def check_message(data: Json) -> Refusal | None:
    """Refuse a message that has not what one of its type must have."""
    kind = data.get("type")
    body = _BODIES.get(kind) if isinstance(kind, str) else None
    if body is None:
        return bad_request("unknown_type", type=str(kind))
    return check_keys({key: data[key] for key in body if key in data}, body)


class Greeting(msgspec.Struct, frozen=True):
    """What the first message says."""

    seat: int
    rulebook: Rulebook
    time_ms: int


def read_hello(data: Json) -> Greeting | Refusal:
    """Read the first message, which has been checked; ``bad_request`` or ``bad_rules`` where it cannot be."""
    if data["protocol"] != PROTOCOL:
        return bad_request("protocol", protocol=data["protocol"], ours=PROTOCOL)
    missing = next((field for field in FIELDS if field not in data["rules"]), None)
    if missing is not None:
        return bad_request("missing_key", key=missing)
    rulebook = rulebook_of(data["rules"])
    if isinstance(rulebook, Refusal):
        return rulebook
    if data["players"] != rulebook.players or data["seat"] >= rulebook.players:
        return bad_request("no_seat", seat=data["seat"], last=rulebook.players - 1)
    return Greeting(data["seat"], rulebook, data["time_ms"])


def _cards(written: list[str]) -> list[Card]:
    return [card_of(text) for text in written]


class Following:
    """What one seat knows, kept up to date message by message.

    Args:
        greeting: what the first message said.
        tell: is called with every event, as the seat would be told it at our own tables.
    """

    def __init__(self, greeting: Greeting, tell: Callable[[Json], None]) -> None:
        self._tell = tell
        self._seat = greeting.seat
        self._book = greeting.rulebook
        self._knobs = greeting.rulebook.knobs()
        self._totals: tuple[int, ...] | None = None
        self._rounds: tuple[tuple[int, ...], ...] = ()
        self._last_round: LastRound | None = None
        self._extra_round: str | None = None
        self._perfect: tuple[int, ...] = ()
        self._deal(0, "hold", ())

    def _deal(self, number: int, direction: str, hand: tuple[Card, ...]) -> None:
        """Begin a round."""
        players = self._knobs.players
        self._round, self._direction = number, direction
        self._hand = CardSet.of(hand)
        self._counts = [self._knobs.hand_size] * players
        self._my_pass: Given | None = None
        self._received: Received | None = None
        self._has_begun = self._has_moon = self._broken = False
        self._leader = 0
        self._trick: list[Card] = []
        self._waiting: list[Card] = []
        self._tricks: list[TrickView] = []
        self._taken_points = [0] * players
        self._taken = [CardSet()] * players
        self._fallen: list[Card] = []
        self._kitty: tuple[Card, ...] | None = None
        self._kitty_taker: int | None = None
        self._choice: str | None = None

    def follow(self, message: Json) -> None:
        """Take in a message that has been checked; questions are for :meth:`view`.

        Raises:
            ValueError, KeyError, IndexError: it cannot be true.
        """
        take = _TAKE.get(message["type"])
        if take is not None:
            take(self, message)

    # ---------------------------------------------------------------- messages

    def _dealt(self, message: Json) -> None:
        totals = tuple(message["totals"])
        if len(totals) != self._knobs.players or message["direction"] not in _DIRECTIONS:
            raise ValueError("no deal of these rules")
        if totals != self._totals:
            # A score sheet of which we know nothing: the first deal, or one that is scored by itself.
            self._totals, self._rounds, self._last_round = totals, (), None
            self._extra_round, self._perfect = None, ()
            sheet = {"rules": msgspec.to_builtins(self._book), "totals": list(totals)}
            self._tell({"type": "match_started", **sheet, "round": message["round"]})
        hand = tuple(sorted(_cards(message["hand"])))
        if len(hand) != self._knobs.hand_size:
            raise ValueError("no hand of these rules")
        self._deal(message["round"], message["direction"], hand)
        self._tell(
            {
                "type": "round_dealt",
                "round": self._round,
                "direction": self._direction,
                "dealer": rules.dealer_of(self._round, self._knobs.players),
                "hand": list(texts(hand)),
                "kitty": self._knobs.kitty_size,
            }
        )

    def _passed(self, message: Json) -> None:
        cards = sorted(_cards(message["cards"]))
        if not self._hand.holds(cards):
            raise ValueError("cards that are not held")
        self._my_pass = Given(texts(cards), message["to"])
        self._tell({"type": "pass_chosen", "seat": self._seat, "cards": list(texts(cards))})

    def _was_given(self, message: Json) -> None:
        cards = sorted(_cards(message["cards"]))
        given = () if self._my_pass is None else _cards(list(self._my_pass.cards))
        self._hand = self._hand.without_all(given).with_cards(cards)
        self._received = Received(texts(cards), message["from"])
        for seat in range(self._knobs.players):
            if seat != self._seat:
                self._tell({"type": "pass_chosen", "seat": seat})
        self._tell({"type": "passes_made", "received": list(texts(cards)), "from": message["from"]})

    def _begin(self, leader: int) -> None:
        if not self._has_begun:
            self._has_begun = True
            self._tell({"type": "play_began", "leader": leader})

    def _played(self, message: Json) -> None:
        seat, card = message["seat"], card_of(message["card"])
        self._begin(seat)
        self._counts[seat] -= 1
        if seat == self._seat:
            self._hand = self._hand.without(card)
        if not self._trick:
            self._leader = seat
        breaks = not self._broken and rules.breaks_hearts(card, self._knobs.queen_breaks)
        self._broken = self._broken or breaks
        self._trick.append(card)
        self._fallen.append(card)
        self._tell({"type": "card_played", "seat": seat, "card": TEXT[card], "breaks": breaks})

    def _trick_taken(self, message: Json) -> None:
        winner, points, leader = message["winner"], message["points"], self._leader
        # If everything cancels in the last trick, its leader takes what lies there.
        taker = leader if winner is None and not any(self._counts) else winner
        cards = tuple(
            SeatCard((leader + place) % self._knobs.players, TEXT[card])
            for place, card in enumerate(self._trick)
        )
        self._tricks.append(TrickView(leader, cards, winner, points))
        self._waiting += self._trick
        self._trick = []
        told = {"type": "trick_taken", "leader": leader, "winner": winner, "taker": taker, "points": points}
        self._tell(told)
        if taker is None:
            return
        self._taken_points[taker] += points
        self._taken[taker] = self._taken[taker].with_cards(self._waiting)
        self._waiting, self._leader = [], taker
        if self._knobs.kitty_size and self._kitty_taker is None:
            self._take_kitty(taker, message.get("kitty"))

    def _take_kitty(self, taker: int, cards: Any) -> None:
        self._kitty_taker = taker
        told: Json = {"type": "kitty_taken", "seat": taker, "count": self._knobs.kitty_size}
        if taker == self._seat and TEXTS.fits(cards):
            self._kitty = tuple(sorted(_cards(cards)))
            self._taken[taker] = self._taken[taker].with_cards(self._kitty)
            told["cards"] = list(texts(self._kitty))
        self._tell(told)

    def _show_moon(self, seat: int) -> None:
        if not self._has_moon:
            self._has_moon = True
            self._tell({"type": "moon_made", "seat": seat})

    def _moon_chosen(self, message: Json) -> None:
        self._show_moon(message["seat"])
        self._choice = message["choice"]
        self._tell({"type": "moon_chosen", "seat": message["seat"], "choice": message["choice"]})

    def _scored(self, message: Json) -> None:
        points, totals = tuple(message["points"]), tuple(message["totals"])
        if len(points) != self._knobs.players or len(totals) != len(points):
            raise ValueError("no score of these rules")
        taken, knobs = self._all_taken(), self._knobs
        raw = tuple(rules.penalty_of(tuple(cards), knobs.heart_points, knobs.queen_points) for cards in taken)
        shooter = next(
            (
                seat
                for seat, cards in enumerate(taken)
                if rules.shot_the_moon(
                    cards.held, cards.twice, knobs.decks, knobs.bonus, knobs.moon_needs_bonus
                )
            ),
            None,
        )
        choice = self._choice
        self._totals, self._rounds = totals, (*self._rounds, points)
        self._last_round = LastRound(raw, points, shooter, choice)
        bonus = [
            seat for seat, cards in enumerate(taken) if rules.copies(cards.held, cards.twice, knobs.bonus)
        ]
        scored = {"raw": list(raw), "points": list(points), "totals": list(totals), "shooter": shooter}
        self._tell({"type": "round_scored", **scored, "choice": choice, "bonus": bonus})
        self._note_extra_round(message.get("extra_round"), points, totals)

    def _note_extra_round(self, reason: Any, points: tuple[int, ...], totals: tuple[int, ...]) -> None:
        self._extra_round, self._perfect = None, ()
        if isinstance(reason, str):
            lowest, self._extra_round = min(totals), reason
            if reason == "perfect_round":
                perfect = (s for s, total in enumerate(totals) if total > lowest and points[s] <= 0)
                self._perfect = tuple(perfect)
            self._tell({"type": "extra_round", "reason": reason, "perfect": list(self._perfect)})

    def _all_taken(self) -> list[CardSet]:
        """Return what each seat took; as all cards have fallen, what is missing is the kitty of another."""
        taken = list(self._taken)
        if self._kitty_taker is not None and self._kitty is None:
            left = list(self._book.deck)
            for card in self._fallen:
                left.remove(card)
            taken[self._kitty_taker] = taken[self._kitty_taker].with_cards(left)
        return taken

    def _over(self, message: Json) -> None:
        self._tell({"type": "match_over", "winners": message["winners"], "totals": message["totals"]})

    # ---------------------------------------------------------------- what is seen

    def view(self, question: Json) -> View:
        """Return the view of the seat, which is asked a question that has been checked.

        Raises:
            ValueError: it is the question of another moment, or names no cards.
        """
        phase, knobs = QUESTIONS[question["type"]], self._knobs
        if self._totals is None or (phase == PASS and self._hand.held and self._direction == "hold"):
            raise ValueError("nothing was dealt, or there is nothing to pass")
        if phase == PLAY:
            self._begin(self._seat)
        elif phase == MOON:
            self._show_moon(self._seat)
        players, kitty = knobs.players, self._kitty
        return View(
            game="hearts",
            phase=phase,
            rules=self._book,
            round=self._round,
            direction=self._direction,
            dealer=rules.dealer_of(self._round, players),
            turn=None if phase == PASS else self._seat,
            seat=self._seat,
            hand=self._hand.texts,
            counts=tuple(self._counts),
            passed=tuple([self._received is not None] * players),
            my_pass=self._my_pass,
            received=self._received,
            legal=texts(sorted(set(_cards(question["legal"])))) if phase == PLAY else (),
            trick=tuple(
                SeatCard((self._leader + place) % players, TEXT[card])
                for place, card in enumerate(self._trick)
            ),
            last_trick=self._tricks[-1] if self._tricks else None,
            tricks=tuple(
                TrickNote(number, trick.winner, trick.points) for number, trick in enumerate(self._tricks, 1)
            ),
            pile_count=len(self._waiting) + (knobs.kitty_size if self._kitty_taker is None else 0),
            broken=self._broken,
            taken=tuple(self._taken_points),
            kitty=knobs.kitty_size if kitty is None else texts(kitty),
            totals=self._totals,
            rounds=self._rounds,
            last_round=self._last_round,
            extra_round=self._extra_round,
            perfect=self._perfect,
            winners=(),
            can_claim=False,
        )


_DIRECTIONS: Final = ("left", "right", "across", "hold")

_TAKE: Final[dict[str, Callable[[Following, Json], None]]] = {
    "deal": Following._dealt,
    "passed": Following._passed,
    "received": Following._was_given,
    "played": Following._played,
    "trick": Following._trick_taken,
    "moon": Following._moon_chosen,
    "round": Following._scored,
    "match": Following._over,
}
