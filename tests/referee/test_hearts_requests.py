"""The Hearts requests of the referee: what begins a match, what each of them takes and tells."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.referee.asking import Asking, Json, new
from tests.referee.judge import PLAYER_COUNTS, PRESETS, Judge, in_order, rules_of

VECTORS = Path(__file__).parents[1] / "vectors" / "hearts-deals.json"


def test_rules_spells_out_every_preset() -> None:
    """Each preset is told with every field for its default number of players."""
    told = Asking().accepted({"do": "rules"})["rules"]
    assert set(told) == set(PRESETS)
    for name, rules in told.items():
        removed = rules.pop("removed_by_players", {})
        assert rules == rules_of(name)
        expected = {str(players): rules_of(name, players)["removed"] for players in PLAYER_COUNTS[name]}
        differing = {key for key, cards in expected.items() if cards != rules["removed"]}
        assert differing <= set(removed) <= set(expected)
        assert all(cards == expected[key] for key, cards in removed.items())


@pytest.mark.parametrize(
    ("preset", "players"), [(name, number) for name, numbers in PLAYER_COUNTS.items() for number in numbers]
)
def test_a_preset_fits_each_of_its_numbers_of_players(preset: str, players: int) -> None:
    """The hands come out equal, and the kitty is what the rulebook counts."""
    state = Asking().new(preset, players=players, seed="kupa")
    size = {3: 17, 4: 13, 5: 10, 6: 8, 7: 7}.get(players, 0) if preset != "cancellation" else 104 // players
    assert [len(hand) for hand in state["hands"]] == [size] * players
    kitty = {6: 2, 7: 6, 8: 0, 9: 5, 10: 4, 11: 5}[players] if preset == "cancellation" else 0
    assert len(state["kitty"]) == kitty
    assert state["rules"] == rules_of(preset, players)


def test_the_known_deals_come_out() -> None:
    """The deal of a seed is the published one, for the referee and for the judge."""
    for name, expected in json.loads(VECTORS.read_text()).items():
        preset, players, _, _, seed, _, number = name.replace(",", "").split()
        asking = Asking()
        state = asking.new(preset, players=int(players), seed=seed, round=int(number))
        hands = [in_order(hand.split()) for hand in expected["hands"]]
        assert state["hands"] == hands
        assert state["kitty"] == in_order(expected["kitty"].split())
        judge = Judge(rules_of(preset, int(players)), seed, round_number=int(number))
        assert judge.hands == hands


def test_a_seed_left_out_is_a_fresh_one() -> None:
    """Two matches without a seed are two deals, and each can be had again by the seed it tells."""
    asking = Asking()
    first, second = asking.new("cardems"), asking.new("cardems")
    assert first["seed"] != second["seed"]
    assert first["hands"] != second["hands"]
    assert asking.new("cardems", seed=first["seed"]) == first


@pytest.mark.parametrize("seed", ["", "0", "Iıİi", "\u00e9", "e\u0301", "🂱", "\x00", "a" * 5000])
def test_seeds_are_used_as_given(seed: str) -> None:
    """Any valid text is a seed, and nothing in it is changed before the deal."""
    state = Asking().new("parlour", players=3, seed=seed)
    judge = Judge(rules_of("parlour", 3), seed)
    assert state == judge.state()


def test_cards_are_read_in_lower_case_and_with_a_written_ten() -> None:
    """`10h`, `th` and `TH` are one card, on every way in; replies write it one way."""
    hands = [["2c", "3c", "10s"], ["4C", "th", "10H"], ["5c", "6c", "TS"]]
    changes = {"removed": ["ks"], "pass_cycle": ["left"]}
    asking = Asking()
    asking.refused(new("parlour", players=3, set=changes, hands=hands))  # not the deck: read all the same
    state = asking.new("parlour", players=4, seed="tens")
    seat = next(seat for seat, hand in enumerate(state["hands"]) if "TH" in hand)
    others = [card.lower() for card in state["hands"][seat] if card[0] != "T"]
    asking.accepted({"do": "pass", "seat": seat, "cards": ["10h", *others[:2]]})
    assert asking.state()["passed"][seat] == in_order(["TH", *(card.upper() for card in others[:2])])
    spelled = [[card.lower().replace("t", "10") for card in hand] for hand in state["hands"]]
    again = asking.new("parlour", players=4, seed="tens", hands=spelled)
    assert again == state
    opening = asking.new("parlour", players=3, set={"pass_count": 0, "removed": ["2c"]}, seed="x")
    assert opening["legal"] == ["3C"]
    assert asking.accepted({"do": "play", "seat": opening["turn"], "card": "3c"})["state"]["trick"] == [
        {"seat": opening["turn"], "card": "3C"}
    ]


def test_totals_and_rounds_played_before_are_taken_over() -> None:
    """A match may begin in the middle: score sheet, passing direction and the number of the deal go on."""
    state = Asking().new("cardems", seed="kupa", totals=[12, -3, 150, 0], round=6)
    assert state["totals"] == [12, -3, 150, 0]
    assert (state["round"], state["direction"], state["dealer"], state["rounds"]) == (6, "across", 1, [])
    assert state["phase"] == "pass"
    assert state["hands"] == Judge(rules_of("cardems"), "kupa", round_number=6).hands


@pytest.mark.parametrize("players", range(6, 12))
def test_dealer_and_opening_seat_move_to_the_left(players: int) -> None:
    """In round r of the double deck seat r (counted around the table) leads first, left of the dealer."""
    for number in (0, 1, players - 1, players, 3 * players + 2):
        state = Asking().new("cancellation", players=players, seed="kupa", round=number)
        assert state["turn"] == number % players
        assert state["dealer"] == (number - 1) % players


@pytest.mark.parametrize(
    ("direction", "steps"), [("left", 1), ("right", 3), ("across", 2)], ids=["left", "right", "across"]
)
def test_cards_change_hands_when_the_last_seat_has_passed(direction: str, steps: int) -> None:
    """Nobody sees what is coming before everybody has chosen; then each is told from whom and to whom."""
    asking = Asking()
    before = asking.new("cardems", seed="kupa", set={"pass_cycle": [direction]})["hands"]
    for seat in (2, 0, 3):
        state = asking.accepted({"do": "pass", "seat": seat, "cards": before[seat][:3]})["state"]
        assert state["hands"] == before
        assert state["received"] == [[], [], [], []]
        assert asking.view(1)["received"] is None
        assert asking.view(1)["passed"][seat] is True
    state = asking.accepted({"do": "pass", "seat": 1, "cards": before[1][:3]})["state"]
    assert state["phase"] == "play"
    for seat in range(4):
        receiver = (seat + steps) % 4
        assert state["received"][receiver] == state["passed"][seat] == before[seat][:3]
        assert state["hands"][receiver] == in_order(before[receiver][3:] + before[seat][:3])
        assert asking.view(seat)["my_pass"] == {"cards": before[seat][:3], "to": receiver}
        assert asking.view(receiver)["received"] == {"cards": before[seat][:3], "from": seat}


def test_one_process_answers_as_the_referee_in_process_does() -> None:
    """`python -m kupa.referee` gives the same bytes, line for line."""
    asking = Asking()
    requests = [
        new("parlour", players=3, seed="process"),
        {"do": "view", "seat": 2},
        {"do": "pass", "seat": 3},
    ]
    state = asking.accepted(requests[0])["state"]
    while not state["rounds"]:
        request: Json = {"do": "play", "seat": state["turn"], "card": (state["legal"] or [""])[0]}
        if state["phase"] == "pass":
            seat = state["passed"].index(None)
            request = {"do": "pass", "seat": seat, "cards": state["hands"][seat][:3]}
        elif state["phase"] == "moon":
            request = {"do": "moon", "seat": state["turn"], "choice": "add"}
        requests += [request, {"do": "view", "seat": len(requests) % 3}]
        state = asking.accepted(request)["state"]
    lines = [json.dumps(request).encode() for request in requests]
    done = subprocess.run(
        [sys.executable, "-m", "kupa.referee"],
        input=b"\n".join(lines),
        capture_output=True,
        timeout=60,
        check=True,
    )
    asking = Asking()
    assert done.stdout == b"".join(asking.raw(line) for line in lines)
