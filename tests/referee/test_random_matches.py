"""Random matches of Hearts, told to the referee and to the judge at once."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from tests.referee.asking import Table, new
from tests.referee.judge import (
    PENALTY_CARDS,
    PLAYER_COUNTS,
    SAFE_CARDS,
    Judge,
    Rules,
    deck_of,
    rules_of,
    strength,
)

MATCHES = {"full": 200, "ci": 20, "": 2}[os.environ.get("KUPA_SOAK", "")]
"""Matches for each rulebook and number of players."""

MOST_ROUNDS = 12 if MATCHES > 2 else 5
"""Rounds after which a match is left: with strange rules some would never end."""

VIEWS_SHARE = 0.1
"""How often all the views are compared besides at every seam of a round (all states are)."""

TRIED_SHARE = 0.02
"""How often the whole hand of the seat to act is tried, card by card."""

TABLES = [(preset, players) for preset, counts in PLAYER_COUNTS.items() for players in counts]

CHOICES: dict[str, list[Any]] = {
    "pass_count": [0, 1, 2, 3, 4],
    "first_trick": ["points", "queen", "none"],
    "broken_by": ["heart", "heart_or_queen"],
    "queen_points": [0, 1, 5, 13, 20],
    "heart_points": [0, 1, 2, 3],
    "bonus_card": [None, "JD", "TD"],
    "moon": ["add", "subtract", "choice"],
    "moon_points": [13, 26, 52],
    "moon_needs_bonus": [False, True],
    "target": [1, 20, 50, 77, 150],
    "tie": ["play_on", "share"],
    "perfect_round": [False, True],
    "opening": ["lowest_club", "left_of_dealer"],
    "kitty": ["none", "first_trick"],
    "cancellation": [False, True],
}


def random_removed(rng: random.Random, rules: Rules) -> list[str]:
    """Choose cards to take out, few or nearly all, so that the rest deals out as the rulebook can have it."""
    copies = [card for card in SAFE_CARDS * rules["decks"] if card != rules["bonus_card"]]
    most = len(copies) if rng.random() < 0.5 else 6
    removed = rng.sample(copies, rng.randint(0, most))
    while rules["kitty"] == "none" and len(deck_of(rules | {"removed": removed})) % rules["players"]:
        if not removed:
            return random_removed(rng, rules)
        removed.pop()
    return removed


def random_changes(rng: random.Random, base: Rules) -> Rules:
    """Choose fields that a table overrides, all possible together."""
    players = base["players"]
    rules = dict(base)
    for field, values in CHOICES.items():
        if rng.random() < 0.4:
            rules[field] = rng.choice(values)
    if players in (6, 7):
        rules["decks"] = rng.choice([1, 2])
    if rules["decks"] == 1:
        rules["cancellation"] = False
        rules["moon_points"] = min(rules["moon_points"], 26)
    else:
        rules["opening"] = "left_of_dealer"
    if rules["bonus_card"] is None:
        rules["moon_needs_bonus"] = False
    if rng.random() < 0.5:
        ways = ["left", "right", "hold", "across"][: 4 if players % 2 == 0 else 3]
        rules["pass_cycle"] = rng.choices(ways, k=rng.randint(1, 5))
    if rng.random() < 0.6 or rules["kitty"] == "none":
        rules["removed"] = random_removed(rng, rules)
    deck = deck_of(rules)
    clubs = sum(card[1] == "C" for card in deck)
    if clubs <= len(deck) % players:
        rules["opening"] = "left_of_dealer"
    rules["pass_count"] = min(rules["pass_count"], len(deck) // players)
    return {field: value for field, value in rules.items() if value != base[field]}


def random_hands(rng: random.Random, rules: Rules) -> list[list[str]]:
    """Deal at random, or so that one seat can take everything."""
    deck = deck_of(rules)
    rng.shuffle(deck)
    if rng.random() < 0.5:
        deck.sort(key=lambda card: -strength(card))
    size = len(deck) // rules["players"]
    hands = [deck[seat * size : (seat + 1) * size] for seat in range(rules["players"])]
    rng.shuffle(hands)
    return hands


def random_table(rng: random.Random, preset: str, players: int, plain: bool) -> Table:
    """Begin a match: the bare preset, or one with overrides, own hands, totals and rounds before it."""
    request = new(preset, players=players, seed=f"{rng.random()} ışık 🂱")
    changes: Rules = {}
    if not plain and rng.random() < 0.8:
        changes = request["set"] = random_changes(rng, rules_of(preset, players))
    rules = rules_of(preset, players, changes)
    if not plain and rng.random() < 0.5:
        request["hands"] = random_hands(rng, rules)
    if not plain and rng.random() < 0.5:
        request["totals"] = [rng.randint(-40, rules["target"] + 10) for _ in range(players)]
    if not plain and rng.random() < 0.5:
        request["round"] = rng.choice([rng.randint(0, 12), rng.randint(0, 10**12)])
    judge = Judge(
        rules, request["seed"], request.get("hands"), request.get("totals"), request.get("round", 0)
    )
    return Table(request, judge)


class Style:
    """How the seats play: at random, or all of them so that one takes every point."""

    def __init__(self, rng: random.Random, players: int) -> None:
        self.rng = rng
        self.hunter = rng.randrange(players) if rng.random() < 0.3 else None

    def card(self, judge: Judge) -> str:
        legal = judge.legal()
        if self.hunter is None or self.rng.random() < 0.05:
            return self.rng.choice(legal)
        led = judge.trick[0]["card"][1] if judge.trick else None
        if judge.turn == self.hunter:
            return max(legal, key=strength)
        if led is None or legal[0][1] == led:
            return min(legal, key=strength)
        hunted = judge.trick_winner() == self.hunter
        return min(legal, key=lambda card: ((card in PENALTY_CARDS) != hunted, strength(card)))

    def move(self, table: Table) -> None:
        """Let the seat to act do something (of those who still have to pass, any)."""
        judge = table.judge
        if judge.phase == "pass":
            seat = self.rng.choice([seat for seat, cards in enumerate(judge.passed) if cards is None])
            table.make_pass(seat, self.rng.sample(judge.hands[seat], judge.rules["pass_count"]))
            return
        assert judge.turn is not None
        if judge.phase == "moon":
            table.make_moon(judge.turn, self.rng.choice(["add", "subtract"]))
        else:
            assert judge.legal()
            table.make_play(judge.turn, self.card(judge))


def play_some(table: Table, rng: random.Random) -> None:
    """Play a match to its end, or for as many rounds as there is time for."""
    judge = table.judge
    style = Style(rng, judge.players)
    while judge.phase != "over" and len(judge.rounds) < MOST_ROUNDS:
        rounds = len(judge.rounds)
        if judge.phase == "play" and rng.random() < TRIED_SHARE:
            table.try_hand()
        style.move(table)
        if len(judge.rounds) > rounds or judge.phase == "moon" or rng.random() < VIEWS_SHARE:
            table.check_views()


@pytest.mark.soak
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_referee_and_judge_agree_on_random_matches(preset: str, players: int) -> None:
    """Through whole matches the states, the views, what is legal and what is refused are the rulebook's."""
    for number in range(MATCHES):
        rng = random.Random(f"{preset} {players} {number}")
        play_some(random_table(rng, preset, players, plain=number % 2 == 0), rng)
