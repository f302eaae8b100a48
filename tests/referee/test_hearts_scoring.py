"""What a round of Hearts scores, and when a match is over: positions played to the end of their round.

What must come out stands here in numbers; the judge beside the referee checks the rest of each state.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.referee.asking import deal
from tests.referee.judge import in_order


def cards(text: str) -> list[str]:
    """Read cards that are written apart."""
    return text.split()


# --- the moon -----------------------------------------------------------------------------------------------

MOON = ("AC AH KH QH JH TH", "KC 9H 8H 7H 6H 5H", "JC QC QS 4H 3H 2H")
MOON_PLAYS = cards("JC AC KC AH 9H 4H KH 8H 3H QH 7H 2H JH 6H QS TH 5H QC")
"""Seat 2 opens; seat 0 takes every trick."""

WITH_JACK = ("AC AH KH QH JH TH", "KC 9H 8H 7H 6H 5H", "JC JD QS 4H 3H 2H")
WITH_JACK_PLAYS = [card.replace("QC", "JD") for card in MOON_PLAYS]

JACK_AWAY = ("AC AS AH KH QH JH 2D", "KC TH 9H 8H 7H 6H 3D", "JC JD QS 5H 4H 3H 2H")
JACK_AWAY_PLAYS = cards("JC AC KC 2D 3D JD QS AS 6H AH TH 5H KH 9H 4H QH 8H 3H JH 7H 2H")
"""Seat 0 takes every penalty card, seat 2 the jack of diamonds."""


@pytest.mark.parametrize(
    ("choice", "totals", "after", "winners"),
    [
        ("add", [50, 90, 80], [50, 116, 106], [0]),
        ("subtract", [50, 90, 80], [24, 90, 80], []),
        ("add", [0, 0, 0], [0, 26, 26], []),
        ("subtract", [0, 0, 0], [-26, 0, 0], []),
        ("add", [200, 10, 20], [200, 36, 46], [1]),
        ("subtract", [200, 170, 180], [174, 170, 180], [1]),
        ("subtract", [110, 84, 99], [84, 84, 99], []),
        ("subtract", [126, 100, 130], [100, 100, 130], [0, 1]),
    ],
)
def test_the_match_waits_for_the_shooter_and_is_judged_after_the_choice(
    choice: str, totals: list[int], after: list[int], winners: list[int]
) -> None:
    """Nothing is written before the choice; then the points, and the end of the match by them."""
    table = deal("parlour", *MOON, totals=totals)
    table.play_out(*MOON_PLAYS)
    state = table.state()
    assert (state["phase"], state["turn"], state["totals"]) == ("moon", 0, totals)
    assert state["taken"] == [26, 0, 0]
    assert state["legal"] == state["rounds"] == state["winners"] == []
    table.check_views()
    table.make_moon(0, choice)
    table.check_views()
    state = table.state()
    assert state["totals"] == after
    assert state["winners"] == winners
    assert state["phase"] == ("over" if winners else "play")
    last = state["last_round"]
    assert (last["shooter"], last["choice"], last["raw"]) == (0, choice, [26, 0, 0])


@pytest.mark.parametrize(
    ("changes", "points"),
    [
        ({"moon": "add"}, [0, 26, 26]),
        ({"moon": "subtract"}, [-26, 0, 0]),
        ({"moon": "add", "moon_points": 13}, [0, 13, 13]),
        ({"moon": "subtract", "moon_points": 13}, [-13, 0, 0]),
        ({"moon": "add", "queen_points": 0, "heart_points": 0}, [0, 26, 26]),
        ({"moon": "add", "queen_points": 7, "heart_points": 2}, [0, 26, 26]),
    ],
)
def test_a_moon_without_a_choice_is_written_at_once(changes: dict[str, Any], points: list[int]) -> None:
    """What decides is the set of cards taken, never their sum; there is no choice to tell of."""
    table = deal("parlour", *MOON, set=changes)
    table.play_out(*MOON_PLAYS)
    state = table.state()
    assert state["rounds"] == [points]
    assert (state["last_round"]["shooter"], state["last_round"]["choice"]) == (0, None)
    raw = 13 * state["rules"]["heart_points"] + state["rules"]["queen_points"]
    assert state["last_round"]["raw"] == [raw, 0, 0]


def test_all_the_points_are_no_moon_without_all_the_penalty_cards() -> None:
    """Where hearts count nothing, the taker of the queen has all the points, and writes just them."""
    table = deal("ozel", *ROUND, set={"heart_points": 0})
    table.play_out(*ROUND_PLAYS)
    last = table.state()["last_round"]
    assert (last["raw"], last["points"], last["shooter"]) == ([13, 0, 0, 0], [13, 0, 0, 0], None)


@pytest.mark.parametrize(
    ("hands", "plays", "changes", "choice", "points"),
    [
        (WITH_JACK, WITH_JACK_PLAYS, {}, "add", [-10, 26, 26]),
        (WITH_JACK, WITH_JACK_PLAYS, {}, "subtract", [-36, 0, 0]),
        (WITH_JACK, WITH_JACK_PLAYS, {"moon_needs_bonus": True}, "add", [-10, 26, 26]),
        (JACK_AWAY, JACK_AWAY_PLAYS, {}, "add", [0, 26, 16]),
        (JACK_AWAY, JACK_AWAY_PLAYS, {}, "subtract", [-26, 0, -10]),
        (JACK_AWAY, JACK_AWAY_PLAYS, {"moon_needs_bonus": True}, None, [26, 0, -10]),
        (JACK_AWAY, JACK_AWAY_PLAYS, {"bonus_card": None}, "add", [0, 26, 26]),
    ],
)
def test_the_bonus_counts_besides_the_moon(
    hands: tuple[str, ...], plays: list[str], changes: dict[str, Any], choice: str | None, points: list[int]
) -> None:
    """The jack is worth -10 to its taker, shooter or not; only a rule can make the moon need it."""
    table = deal("omnibus", *hands, set=changes)
    table.play_out(*plays)
    if choice is not None:
        table.make_moon(0, choice)
    table.check_views()
    state = table.state()
    assert state["rounds"] == [points]
    bonus = [seat for seat, written in enumerate(points) if state["rules"]["bonus_card"] and written % 13]
    assert state["last_round"]["bonus"] == bonus
    assert state["last_round"]["shooter"] == (None if choice is None else 0)


def test_only_the_shooter_chooses_and_only_between_the_two() -> None:
    """Another seat, another word and another request are refused while the match waits."""
    table = deal("parlour", *MOON)
    assert table.code({"do": "moon", "seat": 2, "choice": "add"}) == "wrong_phase"
    table.play_out(*MOON_PLAYS)
    assert table.code({"do": "moon", "seat": 1, "choice": "add"}) == "not_your_turn"
    assert table.code({"do": "moon", "seat": 0, "choice": "both"}) == "bad_choice"
    assert table.code({"do": "moon", "seat": 0, "choice": "Add"}) == "bad_choice"
    assert table.code({"do": "play", "seat": 0, "card": "2C"}) == "wrong_phase"
    assert table.code({"do": "pass", "seat": 0, "cards": []}) == "wrong_phase"
    table.make_moon(0, "subtract")


# --- the end of the match -----------------------------------------------------------------------------------

ROUND = ("2C 2H 3H QH", "3C AH KH 4H", "JH TH 9H 8H", "QS 7H 6H 5H")
ROUND_PLAYS = cards("2C 3C JH 7H AH TH 6H 2H KH 9H 5H 3H 4H 8H QS QH")
"""Seat 0 writes 16, seat 1 writes 10, the other two nothing."""

SHOT = ("2C 2H 3H 4H", "3C AH KH QH", "JH TH 9H 8H", "QS 7H 6H 5H")
SHOT_PLAYS = cards("2C 3C JH 7H AH TH 6H 2H KH 9H 5H 3H QH 8H QS 4H")
"""Seat 1 takes every penalty card."""


@pytest.mark.parametrize(
    ("preset", "totals", "reason", "perfect", "winners"),
    [
        ("ozel", [0, 95, 50, 50], "perfect_round", [2, 3], []),
        ("klasik", [0, 95, 50, 50], None, [], [0]),
        ("cardems", [0, 95, 50, 50], None, [], [0]),
        ("ozel", [80, 95, 10, 50], None, [], [2]),
        ("ozel", [0, 95, 16, 50], "tie", [], []),
        ("klasik", [0, 95, 16, 50], None, [], [0, 2]),
        ("cardems", [0, 95, 16, 50], "tie", [], []),
        ("ozel", [90, 95, 20, 20], "tie", [], []),
        ("ozel", [0, 89, 50, 50], None, [], []),
        ("ozel", [0, 90, 50, 50], "perfect_round", [2, 3], []),
        ("cardems", [0, 90, 16, 16], "tie", [], []),
        ("klasik", [94, 100, 110, 110], None, [], [0, 1, 2, 3]),
    ],
)
def test_when_a_match_ends_and_why_it_may_go_on(
    preset: str, totals: list[int], reason: str | None, perfect: list[int], winners: list[int]
) -> None:
    """At the target the lowest total wins, save for a shared lead and for the perfect round of Özel."""
    table = deal(preset, *ROUND, totals=totals, set={"first_trick": "queen", "target": 100})
    table.play_out(*ROUND_PLAYS)
    table.check_views()
    state = table.state()
    assert state["rounds"] == [[16, 10, 0, 0]]
    told = (state["extra_round"], state["perfect"], state["winners"])
    assert told == (reason, perfect, winners)
    assert state["phase"] == ("over" if winners else "play")
    assert state["round"] == (0 if winners else 1)


@pytest.mark.parametrize(
    ("changes", "points", "totals", "reason", "perfect", "winners"),
    [
        ({}, [13, 0, 13, 13], [0, 50, 95, 60], "perfect_round", [1], []),
        ({}, [13, 0, 13, 13], [90, 0, 95, 60], None, [], [1]),
        ({"moon": "subtract"}, [0, -13, 0, 0], [10, 90, 100, 60], None, [], [0]),
        ({"moon": "subtract"}, [0, -13, 0, 0], [77, 90, 100, 90], "tie", [], []),
    ],
)
def test_the_shooter_of_a_moon_counts_as_perfect(
    changes: dict[str, Any],
    points: list[int],
    totals: list[int],
    reason: str | None,
    perfect: list[int],
    winners: list[int],
) -> None:
    """Nought or less written down is a perfect round, whatever cards were taken."""
    table = deal("ozel", *SHOT, totals=totals, set=changes)
    table.play_out(*SHOT_PLAYS)
    state = table.state()
    assert state["rounds"] == [points]
    assert (state["extra_round"], state["perfect"], state["winners"]) == (reason, perfect, winners)


def test_less_than_nought_is_perfect_too() -> None:
    """A round that ends below nought, by the bonus card, is a perfect round as one of nought is."""
    hands = [f"{hand} {card}" for hand, card in zip(ROUND, ["2D", "3D", "JD", "4D"], strict=True)]
    table = deal("ozel", *hands, totals=[0, 95, 50, 50], set={"bonus_card": "JD"})
    table.play_out(*ROUND_PLAYS, "2D", "3D", "JD", "4D")
    state = table.state()
    assert state["rounds"] == [[16, 10, -10, 0]]
    assert (state["extra_round"], state["perfect"]) == ("perfect_round", [2, 3])


def test_ozel_asks_again_after_every_further_round() -> None:
    """One extra round may be followed by another, for the same reason or the other one, until none holds."""
    reasons: Counter[tuple[str | None, str | None]] = Counter()
    for number in range(400):
        rng = random.Random(number)
        totals = rng.choice([[0, 95, 50, 50], [0, 95, 16, 50], [60, 95, 50, 55]])
        table = deal("ozel", *ROUND, totals=totals)
        table.play_out(*ROUND_PLAYS)
        while table.judge.phase != "over" and len(table.judge.rounds) < 6:
            before, rounds = table.state()["extra_round"], len(table.judge.rounds)
            while len(table.judge.rounds) == rounds:
                table.play_out(rng.choice(table.judge.legal()))
            state = table.state()
            reasons[before, state["extra_round"]] += 1
            check_extra_round(state)
        if all(reasons[pair] for pair in EXTRA_ROUNDS):
            return
    raise AssertionError(f"never seen: {set(EXTRA_ROUNDS) - set(reasons)}")


EXTRA_ROUNDS = [
    ("perfect_round", "perfect_round"),
    ("perfect_round", None),
    ("tie", "perfect_round"),
    ("tie", None),
]


def check_extra_round(state: dict[str, Any]) -> None:
    """Check the rule of Özel by the score sheet alone (somebody is at the target all along)."""
    lowest = min(state["totals"])
    leaders = [seat for seat, total in enumerate(state["totals"]) if total == lowest]
    perfect = [seat for seat, points in enumerate(state["rounds"][-1]) if points <= 0]
    if len(leaders) > 1:
        expected: tuple[str | None, list[int], list[int]] = ("tie", [], [])
    elif perfect and leaders[0] not in perfect:
        expected = ("perfect_round", perfect, [])
    else:
        expected = (None, [], leaders)
    assert (state["extra_round"], state["perfect"], state["winners"]) == expected


def test_after_the_end_nothing_more_is_played_and_all_may_be_seen() -> None:
    """A finished match refuses every move and still answers; the last round's hands lie open."""
    table = deal("klasik", *ROUND, totals=[0, 95, 50, 50])
    table.play_out(*ROUND_PLAYS)
    state = table.state()
    assert (state["phase"], state["turn"], state["legal"]) == ("over", None, [])
    assert state["last_round"]["hands"] == [in_order(hand.split()) for hand in ROUND]
    for request in (
        {"do": "play", "seat": 0, "card": "2C"},
        {"do": "pass", "seat": 0, "cards": []},
        {"do": "moon", "seat": 0, "choice": "add"},
    ):
        assert table.code(request) == "wrong_phase"
    table.check_views()
