"""A judge of the Hearts referee: the game once more, written from the rulebook and nothing else.

It shares no line with the program, keeps everything in plain lists and dictionaries, and is slow and simple
on purpose. A card is two characters, rank then suit. :class:`Judge` plays a match; :meth:`Judge.state` and
:meth:`Judge.view` are what the referee has to answer, key by key.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Rules = dict[str, Any]
Json = dict[str, Any]

RANKS = "23456789TJQKA"
SUITS = "CDSH"
QUEEN = "QS"
FULL_DECK = [rank + suit for suit in SUITS for rank in RANKS]
PENALTY_CARDS = [card for card in FULL_DECK if card[1] == "H" or card == QUEEN]
SAFE_CARDS = [card for card in FULL_DECK if card not in PENALTY_CARDS]

# --- the rulebooks ------------------------------------------------------------------------------------------

CLASSIC: Rules = {
    "players": 4,
    "decks": 1,
    "removed": [],
    "kitty": "none",
    "pass_count": 3,
    "pass_cycle": ["left", "right", "across", "hold"],
    "opening": "lowest_club",
    "first_trick": "points",
    "broken_by": "heart",
    "queen_points": 13,
    "heart_points": 1,
    "bonus_card": None,
    "moon": "add",
    "moon_points": 26,
    "moon_needs_bonus": False,
    "target": 100,
    "tie": "play_on",
    "perfect_round": False,
    "cancellation": False,
}
KLASIK: Rules = CLASSIC | {"first_trick": "queen", "moon_points": 13, "tie": "share"}
PARLOUR: Rules = CLASSIC | {"broken_by": "heart_or_queen", "moon": "choice", "tie": "share"}
CANCELLATION: Rules = CLASSIC | {
    "players": 7,
    "decks": 2,
    "kitty": "first_trick",
    "pass_count": 0,
    "pass_cycle": ["hold"],
    "opening": "left_of_dealer",
    "broken_by": "heart_or_queen",
    "moon_points": 52,
    "target": 200,
    "tie": "share",
    "cancellation": True,
}
PRESETS: dict[str, Rules] = {
    "cardems": CLASSIC,
    "klasik": KLASIK,
    "ozel": KLASIK | {"tie": "play_on", "perfect_round": True},
    "parlour": PARLOUR,
    "omnibus": PARLOUR | {"bonus_card": "JD"},
    "cancellation": CANCELLATION,
}
PLAYER_COUNTS: dict[str, list[int]] = {
    "cardems": [4],
    "klasik": [4],
    "ozel": [4],
    "parlour": [3, 4, 5, 6, 7],
    "omnibus": [3, 4, 5, 6, 7],
    "cancellation": [6, 7, 8, 9, 10, 11],
}
PARLOUR_REMOVED: dict[int, list[str]] = {
    3: ["2D"],
    4: [],
    5: ["2C", "2D"],
    6: ["3C", "4C", "2D", "3D"],
    7: ["3C", "2D", "3D"],
}


def rules_of(preset: str, players: int | None = None, changes: Mapping[str, Any] | None = None) -> Rules:
    """Return the full rulebook of a preset for a number of players, with the fields of a table changed."""
    rules = dict(PRESETS[preset])
    rules["players"] = players or rules["players"]
    if preset in ("parlour", "omnibus"):
        rules["removed"] = PARLOUR_REMOVED[rules["players"]]
        if rules["players"] != 4:
            rules["pass_cycle"] = ["left", "right"]
    rules |= dict(changes or {})
    rules["removed"] = in_order(rules["removed"])
    return rules


# --- cards --------------------------------------------------------------------------------------------------


def strength(card: str) -> int:
    return RANKS.index(card[0])


def in_order(cards: Iterable[str]) -> list[str]:
    """Sort cards as everybody sees lists of them: clubs, diamonds, spades, hearts, each 2 to ace."""
    return sorted(cards, key=lambda card: (SUITS.index(card[1]), strength(card)))


def deck_of(rules: Rules) -> list[str]:
    """Return the deck before the shuffle: whole decks one after another, the removed cards out."""
    deck = [card for _ in range(rules["decks"]) for card in FULL_DECK]
    for card in rules["removed"]:
        deck.remove(card)
    return deck


def shuffled(cards: Sequence[str], text: str) -> list[str]:
    """Shuffle with the digits of SHAKE-256 in the mixed base n, n-1, … 2, from the last place down."""
    number = int.from_bytes(hashlib.shake_256(text.encode()).digest(128), "big")
    cards = list(cards)
    for last in range(len(cards) - 1, 0, -1):
        number, other = divmod(number, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def without(cards: Sequence[str], gone: Iterable[str]) -> list[str]:
    """Return cards without some of them, copy by copy; ValueError if one is not there."""
    rest = list(cards)
    for card in gone:
        rest.remove(card)
    return rest


def cards_of(trick: list[Json]) -> list[str]:
    return [play["card"] for play in trick]


# --- the match ----------------------------------------------------------------------------------------------


class Judge:
    """One match. The methods ``refusal_of_…`` tell a code or None; ``make_…`` are for what is not refused."""

    def __init__(
        self,
        rules: Rules,
        seed: str,
        hands: list[list[str]] | None = None,
        totals: list[int] | None = None,
        round_number: int = 0,
    ) -> None:
        self.rules = rules
        self.players: int = rules["players"]
        self.seed = seed
        self.round = round_number
        self.totals = list(totals or [0] * self.players)
        self.rounds: list[list[int]] = []
        self.last_round: Json | None = None
        self.extra_round: str | None = None
        self.perfect: list[int] = []
        self.winners: list[int] = []
        self.begin_round(hands)

    # The deal and the pass

    def begin_round(self, hands: list[list[str]] | None = None) -> None:
        deck = deck_of(self.rules)
        if hands is None:
            places = shuffled(deck, f"{self.seed}/{self.round}")
            dealt = len(deck) - len(deck) % self.players
            hands = [places[seat : dealt : self.players] for seat in range(self.players)]
            kitty = places[dealt:]
        else:
            kitty = without(deck, [card for hand in hands for card in hand])
        self.hands = [in_order(hand) for hand in hands]
        self.kitty = in_order(kitty)
        self.kitty_taker: int | None = None
        self.pile = list(kitty)
        self.passed: list[list[str] | None] = [None] * self.players
        self.received: list[list[str]] = [[] for _ in range(self.players)]
        self.trick: list[Json] = []
        self.tricks: list[Json] = []
        self.kitty_trick: int | None = None
        self.won: list[list[str]] = [[] for _ in range(self.players)]
        self.broken = False
        self.turn: int | None = None
        cycle = self.rules["pass_cycle"]
        passing = self.rules["pass_count"] > 0
        self.direction: str = cycle[self.round % len(cycle)] if passing else "hold"
        self.dealer = (self.round - 1) % self.players
        self.phase = "pass"
        if self.direction == "hold":
            self.begin_play()

    def receiver(self, seat: int) -> int:
        steps = {"left": 1, "right": -1, "across": self.players // 2}[self.direction]
        return (seat + steps) % self.players

    def giver(self, seat: int) -> int:
        return next(other for other in range(self.players) if self.receiver(other) == seat)

    def refusal_of_pass(self, seat: int, cards: list[str]) -> str | None:
        if self.phase != "pass":
            return "wrong_phase"
        if self.passed[seat] is not None:
            return "already_passed"
        if len(cards) != self.rules["pass_count"]:
            return "wrong_number_of_cards"
        hand = Counter(self.hands[seat])
        if any(number > max(hand[card], 1) for card, number in Counter(cards).items()):
            return "duplicate_card"
        if any(card not in hand for card in cards):
            return "not_your_card"
        return None

    def make_pass(self, seat: int, cards: list[str]) -> None:
        self.passed[seat] = in_order(cards)
        if None in self.passed:
            return
        kept = [without(hand, chosen or []) for hand, chosen in zip(self.hands, self.passed, strict=True)]
        self.received = [list(self.passed[self.giver(seat)] or []) for seat in range(self.players)]
        self.hands = [in_order(hand + new) for hand, new in zip(kept, self.received, strict=True)]
        self.begin_play()

    def begin_play(self) -> None:
        self.phase = "play"
        self.hands_at_start = [list(hand) for hand in self.hands]
        if self.rules["opening"] == "lowest_club":
            self.turn = next(seat for seat, hand in enumerate(self.hands) if self.lowest_club() in hand)
        else:
            self.turn = (self.dealer + 1) % self.players

    # Playing a card

    def lowest_club(self) -> str:
        return in_order(card for hand in self.hands for card in hand if card[1] == "C")[0]

    def barred(self, card: str) -> bool:
        """Tell whether the first trick bars a card, exceptions aside."""
        bar = self.rules["first_trick"]
        return (card == QUEEN and bar != "none") or (card[1] == "H" and bar == "points")

    def may_be_led(self, hand: list[str], card: str) -> bool:
        """Tell whether the hearts rule lets a card be led, the first trick's own rules aside."""
        return card[1] != "H" or self.broken or all(other[1] == "H" for other in hand)

    def legal(self) -> list[str]:
        """Return the cards that the seat to act may play, each once."""
        if self.phase != "play" or self.turn is None:
            return []
        hand = list(dict.fromkeys(self.hands[self.turn]))
        first = not self.tricks
        if self.trick:
            suit = [card for card in hand if card[1] == self.trick[0]["card"][1]]
            if suit:
                return suit
            choice = hand
        elif first and self.rules["opening"] == "lowest_club":
            return [self.lowest_club()]
        else:
            choice = [card for card in hand if self.may_be_led(hand, card)]
        if first:
            choice = [card for card in choice if not self.barred(card)] or hand
        return choice

    def refusal_of_play(self, seat: int, card: str) -> str | None:
        if self.phase != "play":
            return "wrong_phase"
        if seat != self.turn:
            return "not_your_turn"
        hand = self.hands[seat]
        if card not in hand:
            return "not_your_card"
        if card in self.legal():
            return None
        if self.trick:
            led = self.trick[0]["card"][1]
            return "must_follow_suit" if any(c[1] == led for c in hand) else "no_points_on_first_trick"
        if not self.tricks and self.rules["opening"] == "lowest_club":
            return "must_lead_opening_card"
        return "no_points_on_first_trick" if self.may_be_led(hand, card) else "hearts_not_broken"

    def make_play(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.trick.append({"seat": seat, "card": card})
        if card[1] == "H" or (card == QUEEN and self.rules["broken_by"] == "heart_or_queen"):
            self.broken = True
        if len(self.trick) < self.players:
            self.turn = (seat + 1) % self.players
        else:
            self.end_trick()

    # The end of a trick

    def trick_winner(self) -> int | None:
        """Return who takes the trick, or None when every card of the suit led is cancelled."""
        led = self.trick[0]["card"][1]
        copies = Counter(cards_of(self.trick))
        best: Json | None = None
        for play in self.trick:
            card = play["card"]
            cancelled = self.rules["cancellation"] and copies[card] == 2
            if card[1] == led and not cancelled and (best is None or strength(card) > strength(best["card"])):
                best = play
        return best["seat"] if best else None

    def raw_points(self, cards: Iterable[str]) -> int:
        values = {"H": self.rules["heart_points"]}
        return sum(self.rules["queen_points"] if c == QUEEN else values.get(c[1], 0) for c in cards)

    def end_trick(self) -> None:
        leader = self.trick[0]["seat"]
        winner = self.trick_winner()
        self.pile = in_order(self.pile + cards_of(self.trick))
        last = not any(self.hands)
        taker = leader if winner is None and last else winner
        points = 0
        if taker is not None:
            points = self.raw_points(self.pile)
            if self.kitty_taker is None:
                self.kitty_taker, self.kitty_trick = taker, len(self.tricks)
            self.won[taker] += self.pile
            self.pile = []
        self.tricks.append({"leader": leader, "cards": self.trick, "winner": winner, "points": points})
        self.trick = []
        self.turn = leader if winner is None else winner
        if last:
            self.end_round()

    # The end of a round and of the match

    def shooter(self) -> int | None:
        """Return who took every penalty card (and the bonus card, where the moon needs it)."""
        needed = Counter(PENALTY_CARDS * self.rules["decks"])
        if self.rules["moon_needs_bonus"]:
            bonus = self.rules["bonus_card"]
            needed[bonus] = deck_of(self.rules).count(bonus)
        for seat, cards in enumerate(self.won):
            if Counter(cards) >= needed:
                return seat
        return None

    def end_round(self) -> None:
        shooter = self.shooter()
        if shooter is not None and self.rules["moon"] == "choice":
            self.phase, self.turn = "moon", shooter
        else:
            self.write_points(None)

    def refusal_of_moon(self, seat: int, choice: str) -> str | None:
        if self.phase != "moon":
            return "wrong_phase"
        if seat != self.turn:
            return "not_your_turn"
        return None if choice in ("add", "subtract") else "bad_choice"

    def make_moon(self, choice: str) -> None:
        self.write_points(choice)

    def taken(self) -> list[int]:
        return [self.raw_points(cards) for cards in self.won]

    def points(self, choice: str | None) -> list[int]:
        shooter = self.shooter()
        points = self.taken()
        if shooter is not None:
            size = self.rules["moon_points"]
            adds = (choice or self.rules["moon"]) == "add"
            for seat in range(self.players):
                mine = seat == shooter
                points[seat] = (0 if mine else size) if adds else (-size if mine else 0)
        for seat, cards in enumerate(self.won):
            points[seat] -= 10 * cards.count(self.rules["bonus_card"])
        return points

    def write_points(self, choice: str | None) -> None:
        points = self.points(choice)
        bonus = self.rules["bonus_card"]
        self.rounds.append(points)
        self.totals = [total + new for total, new in zip(self.totals, points, strict=True)]
        self.last_round = {
            "tricks": self.tricks,
            "raw": self.taken(),
            "points": points,
            "shooter": self.shooter(),
            "choice": choice,
            "bonus": [seat for seat, cards in enumerate(self.won) if bonus in cards],
            "kitty": self.kitty,
            "hands": self.hands_at_start,
        }
        self.extra_round, self.perfect = None, []
        if max(self.totals) < self.rules["target"] or self.goes_on(points):
            self.round += 1
            self.begin_round()
        else:
            self.phase, self.turn = "over", None
            self.winners = self.leaders()

    def leaders(self) -> list[int]:
        return [seat for seat, total in enumerate(self.totals) if total == min(self.totals)]

    def goes_on(self, points: list[int]) -> bool:
        """Tell, the target being reached, whether there is another round all the same, and note why.

        The text asks for a perfect round only where one player leads; a lead that `share` lets several share
        ends the match.
        """
        leaders = self.leaders()
        if len(leaders) > 1 and self.rules["tie"] == "play_on":
            self.extra_round = "tie"
        elif self.rules["perfect_round"] and points[leaders[0]] > 0 and len(leaders) == 1:
            self.perfect = [seat for seat, new in enumerate(points) if new <= 0]
            self.extra_round = "perfect_round" if self.perfect else None
        return self.extra_round is not None

    # What is told

    def shared(self) -> Json:
        """Return what the state and every view hold alike."""
        return {
            "game": "hearts",
            "phase": self.phase,
            "rules": self.rules,
            "round": self.round,
            "direction": self.direction,
            "dealer": self.dealer,
            "turn": self.turn,
            "trick": self.trick,
            "broken": self.broken,
            "totals": self.totals,
            "rounds": self.rounds,
            "extra_round": self.extra_round,
            "perfect": self.perfect,
            "winners": self.winners,
        }

    def state(self) -> Json:
        """Return all that the referee knows."""
        return self.shared() | {
            "seed": self.seed,
            "hands": self.hands,
            "passed": self.passed,
            "received": self.received,
            "legal": self.legal(),
            "tricks": self.tricks,
            "pile": in_order(self.pile),
            "taken": self.taken(),
            "kitty": self.kitty,
            "last_round": self.last_round,
        }

    def view(self, seat: int) -> Json:
        """Return all that a seat may know."""
        my_pass = self.passed[seat]
        exchanged = bool(self.received[seat])
        tricks = [self.seen_trick(seat, number) for number in range(len(self.tricks))]
        last = self.last_round
        return self.shared() | {
            "seat": seat,
            "hand": self.hands[seat],
            "counts": [len(hand) for hand in self.hands],
            "passed": [cards is not None for cards in self.passed],
            "my_pass": None if my_pass is None else {"cards": my_pass, "to": self.receiver(seat)},
            "received": {"cards": self.received[seat], "from": self.giver(seat)} if exchanged else None,
            "legal": self.legal() if seat == self.turn else [],
            "last_trick": tricks[-1] if tricks else None,
            "tricks": [
                {"number": number, "winner": trick["winner"], "points": trick["points"]}
                for number, trick in enumerate(tricks, 1)
            ],
            "pile_count": len(self.pile),
            "taken": self.seen_taken(seat),
            "kitty": self.kitty if self.kitty and seat == self.kitty_taker else len(self.kitty),
            "last_round": last and {key: last[key] for key in ("raw", "points", "shooter", "choice")},
        }

    def seen_trick(self, seat: int, number: int) -> Json:
        """Return a finished trick as a seat knows it: the kitty's points are its taker's secret so far."""
        trick = self.tricks[number]
        if number == self.kitty_trick and seat != self.kitty_taker and self.phase != "over":
            return trick | {"points": trick["points"] - self.raw_points(self.kitty)}
        return trick

    def seen_taken(self, seat: int) -> list[int]:
        """Return the raw points taken as a seat knows them."""
        taken = self.taken()
        if self.kitty_taker not in (None, seat) and self.phase != "over":
            taken[self.kitty_taker] -= self.raw_points(self.kitty)
        return taken
