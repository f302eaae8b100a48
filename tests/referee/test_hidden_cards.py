"""What a seat cannot see changes nothing of what it is told.

A deal is played for a while. Then cards that one seat has never seen change places (among the hands of
others, what they pass each other, and the kitty), the same public history is played again, and every byte
that the seat is told must stay as it was: its view, and the refusals of whatever it might try.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from tests.referee.asking import Asking, Json, new
from tests.referee.judge import FULL_DECK, Judge, Rules, deck_of, rules_of
from tests.referee.test_random_matches import MATCHES, TABLES, random_changes

SWAPS = 30
"""How many swaps are tried for a seat; those that contradict the public history are dropped."""


class Deal:
    """A deal whose cards are told apart even where they are equal: card number ``n`` shows ``faces[n]``."""

    def __init__(self, rng: random.Random, rules: Rules, preset: str) -> None:
        self.rules = rules
        self.faces = deck_of(rules)
        rng.shuffle(self.faces)
        size = len(self.faces) // rules["players"]
        self.hands = [list(range(seat * size, (seat + 1) * size)) for seat in range(rules["players"])]
        self.request = new(
            preset, players=rules["players"], seed="hidden", round=rng.randint(0, 3), set=rules
        )
        self.kitty = list(range(rules["players"] * size, len(self.faces)))
        self.seen = [set(hand) for hand in self.hands]
        self.acts: list[tuple[int, list[int]]] = []
        self.held = [list(hand) for hand in self.hands]

    def judge(self) -> Judge:
        return Judge(self.rules, "hidden", self.show(), round_number=self.request["round"])

    def show(self) -> list[list[str]]:
        return [[self.faces[number] for number in hand] for hand in self.hands]

    def act(self, judge: Judge, seat: int, numbers: list[int]) -> None:
        """Pass some cards, or play the one, and note who has seen which."""
        self.acts.append((seat, numbers))
        if judge.phase == "pass":
            self.pass_cards(judge, seat, numbers)
            return
        self.held[seat].remove(numbers[0])
        for seen in self.seen:
            seen.add(numbers[0])
        untaken = judge.kitty_taker is None
        judge.make_play(seat, self.faces[numbers[0]])
        if untaken and judge.kitty_taker is not None:
            self.seen[judge.kitty_taker].update(self.kitty)

    def pass_cards(self, judge: Judge, seat: int, numbers: list[int]) -> None:
        judge.make_pass(seat, [self.faces[number] for number in numbers])
        if judge.phase == "pass":
            return
        for giver, cards in self.acts:
            receiver = judge.receiver(giver)
            self.held[receiver] += cards
            self.held[giver] = [number for number in self.held[giver] if number not in cards]
            self.seen[receiver].update(cards)

    def requests(self) -> Iterator[Json]:
        yield {**self.request, "hands": self.show()}
        passing = self.judge().phase == "pass"
        for count, (seat, numbers) in enumerate(self.acts):
            faces = [self.faces[number] for number in numbers]
            if passing and count < self.rules["players"]:
                yield {"do": "pass", "seat": seat, "cards": faces}
            else:
                yield {"do": "play", "seat": seat, "card": faces[0]}

    def replayed(self) -> Judge | None:
        """Play the history again before a judge; returns None if it would break a rule by now."""
        try:
            judge = self.judge()
        except (IndexError, StopIteration):  # pragma: no cover (no club is in any hand)
            return None
        for request in list(self.requests())[1:]:
            if request["do"] == "pass":
                judge.make_pass(request["seat"], request["cards"])
            elif judge.refusal_of_play(request["seat"], request["card"]):
                return None
            else:
                judge.make_play(request["seat"], request["card"])
        return judge

    def rearrange(self, rng: random.Random, seat: int) -> int:
        """Swap cards that a seat has not seen, the public history staying possible; returns how many."""
        hidden = [number for number in range(len(self.faces)) if number not in self.seen[seat]]
        before = self.replayed()
        assert before is not None
        swapped = 0
        for _ in range(SWAPS if len(hidden) > 1 else 0):
            one, other = rng.sample(hidden, 2)
            if self.faces[one] == self.faces[other]:
                continue
            self.faces[one], self.faces[other] = self.faces[other], self.faces[one]
            after = self.replayed()
            if after is not None and after.turn == before.turn:
                swapped += 1
            else:
                self.faces[one], self.faces[other] = self.faces[other], self.faces[one]
        return swapped


def play_until(deal: Deal, rng: random.Random) -> Judge:
    """Play a deal at random, up to a random moment before its round is over."""
    judge = deal.judge()
    passes = deal.rules["players"] if judge.phase == "pass" else 0
    plays = len(deal.faces) - len(deal.kitty)
    for _ in range(rng.randrange(passes + rng.choice([1, plays]))):
        if judge.phase == "pass":
            seat = judge.passed.index(None)
            numbers = rng.sample(deal.held[seat], deal.rules["pass_count"])
        else:
            assert judge.turn is not None
            seat, card = judge.turn, rng.choice(judge.legal())
            numbers = [next(number for number in deal.held[seat] if deal.faces[number] == card)]
        deal.act(judge, seat, numbers)
    return judge


def told(deal: Deal, seat: int, own: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield all that a seat is told where a deal stands: its view, and the answers to what it must not do."""
    asking = Asking()
    for request in deal.requests():
        asking.accepted(request)
    view = asking.raw({"do": "view", "seat": seat})
    yield "view", view
    legal = json.loads(view)["view"]["legal"]
    strange = [card for card in FULL_DECK if card not in own]
    tries: list[Json] = [
        {"do": "play", "seat": seat, "card": card} for card in FULL_DECK if card not in legal
    ]
    count = deal.rules["pass_count"]
    tries += [{"do": "pass", "seat": seat, "cards": [card] * count} for card in strange if count]
    tries += [{"do": "moon", "seat": seat, "choice": "add"}]
    for request in tries:
        yield str(request), asking.raw(request)


@pytest.mark.soak
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_what_a_seat_cannot_see_changes_no_byte_of_what_it_is_told(preset: str, players: int) -> None:
    """A seat is told the same whatever lies where it cannot look."""
    swapped = 0
    for match in range(max(MATCHES, 8)):
        rng = random.Random(f"hidden {preset} {players} {match}")
        base = rules_of(preset, players)
        rules = base if match % 2 == 0 else rules_of(preset, players, random_changes(rng, base))
        deal = Deal(rng, rules, preset)
        judge = play_until(deal, rng)
        seat = rng.randrange(players)
        before = dict(told(deal, seat, judge.hands[seat]))
        swapped += deal.rearrange(rng, seat)
        after = dict(told(deal, seat, judge.hands[seat]))
        assert before == after, list(deal.requests())
    assert swapped, "nothing was hidden anywhere: the test showed nothing"
