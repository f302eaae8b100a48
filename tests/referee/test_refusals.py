"""What the referee refuses in Hearts, with which code, and which code goes before which.

Each refusal here is also seen to change nothing: :meth:`Asking.code` compares the state before and after.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.referee.asking import CODES, Asking, Json, Table, deal, new
from tests.referee.judge import FULL_DECK, SAFE_CARDS, Judge, rules_of
from tests.referee.test_random_matches import MATCHES, TABLES, Style, random_table

# --- the form of a request ----------------------------------------------------------------------------------

WELL_FORMED: list[Json] = [
    {"do": "rules"},
    {"do": "state"},
    {"do": "view", "seat": 0},
    {"do": "pass", "seat": 0, "cards": ["2C", "3C", "4C"]},
    {"do": "play", "seat": 0, "card": "2C"},
    {"do": "moon", "seat": 0, "choice": "add"},
    new("cardems"),
    new("cardems", players=4, set={}, seed="s", totals=[0, 0, 0, 0], round=0),
    new("cardems", hands=Judge(rules_of("cardems"), "kupa").hands),
]
OPTIONAL = {"players", "set", "seed", "hands", "totals", "round"}

ILL_TYPED: dict[str, list[Any]] = {
    "do": [None, 1, [], {}, True, "Play", "play ", "", "deal"],
    "game": [None, 1, [], "Hearts", ""],
    "rules": [None, 1, [], {}],
    "seat": [None, "0", 1.5, [], {}, True, -1, 4, 99, 10**30],
    "cards": [None, "2C3C4C", {}, 3, [1, 2, 3], ["2C", "3C", None], [["2C"], "3C", "4C"], ["2C", "3C", "1C"]],
    "card": [
        None,
        2,
        ["2C"],
        {},
        "",
        "2",
        "C",
        "2CC",
        "1C",
        "11C",
        "2X",
        "C2",
        "10",
        " 2C",
        "2C ",
        "2♣",
        "２C",
    ],
    "choice": [None, 1, [], True],
    "players": [None, "4", 4.5, [], {}, True],
    "set": [None, "target", [], 1],
    "seed": [None, 1, [], {}, True],
    "hands": [None, "2C", {}, 1, [1, 2, 3, 4], [None] * 4, ["2C", "3C", "4C", "5C"], [[1], [2], [3], [4]]],
    "totals": [
        None,
        "0",
        {},
        1,
        ["0"] * 4,
        [0.5, 0, 0, 0],
        [None] * 4,
        [0, 0, 0],
        [0] * 5,
        [],
        [True, 0, 0, 0],
    ],
    "round": [None, "0", [], {}, 0.5, -1, True],
}


def at_a_table() -> Asking:
    asking = Asking()
    asking.new("cardems", seed="kupa")
    return asking


@pytest.mark.parametrize("request_", WELL_FORMED, ids=" ".join)
def test_unknown_missing_and_ill_typed_keys_are_bad_requests(request_: Json) -> None:
    """Each request refuses every key it does not know, needs, or can read, wherever the match stands."""
    asking = at_a_table()
    for key in ("x", "", "Seat", "DO"):
        assert asking.code(request_ | {key: 1}) == "bad_request"
    for key in request_:
        if key not in OPTIONAL:
            assert asking.code({k: v for k, v in request_.items() if k != key}) == "bad_request", key
        for wrong in ILL_TYPED[key]:
            assert asking.code(request_ | {key: wrong}) == "bad_request", (key, wrong)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"play"',
        b"0",
        b"{}",
        b"\xff",
        b'{"do":"state"} {}',
        b"play 2C",
        b"\xef\xbb\xbf{}",
    ],
)
def test_what_is_not_an_object_is_a_bad_request(line: bytes) -> None:
    """A line that is not one JSON object with a known `do` is refused and changes nothing."""
    assert at_a_table().code(line) == "bad_request"


@pytest.mark.parametrize("request_", WELL_FORMED[1:6], ids=lambda request: request["do"])
def test_there_must_be_a_game(request_: Json) -> None:
    """Before the first `new` every move and question about it is `no_game`, if it is well formed at all."""
    asking = Asking()
    assert asking.refused(request_)["code"] == "no_game"
    assert asking.refused(request_ | {"x": 1})["code"] == "bad_request"
    asking.refused(new("nonsense"))
    assert asking.refused(request_)["code"] == "no_game"


def test_rules_can_be_asked_before_a_game() -> None:
    """The rulebooks are known before a match begins."""
    assert Asking().accepted({"do": "rules"})["rules"]


# --- a new match --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "Cardems", "cardems ", "hearts", "özel", "salon"])
def test_a_rulebook_must_be_known(name: str) -> None:
    """Only the six names of the presets are known, as they are written."""
    assert at_a_table().code(new(name)) == "unknown_rules"


@pytest.mark.parametrize(
    ("field", "preset", "changes"),
    [
        ("players", "cardems", {"players": 2}),
        ("players", "cardems", {"players": 0}),
        ("players", "cardems", {"players": 8}),
        ("players", "parlour", {"players": 12}),
        ("players", "cancellation", {"players": 5}),
        ("players", "cancellation", {"players": 12}),
        ("decks", "cardems", {"decks": 0}),
        ("decks", "cardems", {"decks": 3}),
        ("removed", "cardems", {"removed": ["QS", "2C", "3C", "4C"]}),
        ("removed", "cardems", {"removed": ["AH", "2C", "3C", "4C"]}),
        ("removed", "cardems", {"removed": ["2D", "2D", "3C", "4C"]}),
        ("removed", "cancellation", {"removed": ["2D", "2D", "2D"]}),
        ("kitty", "cardems", {"kitty": "last_trick"}),
        ("kitty", "cardems", {"removed": ["2D"]}),
        ("kitty", "parlour", {"players": 5, "removed": []}),
        ("kitty", "cancellation", {"kitty": "none"}),
        ("pass_count", "cardems", {"pass_count": 5}),
        ("pass_count", "cardems", {"pass_count": -1}),
        ("pass_cycle", "cardems", {"pass_cycle": []}),
        ("pass_cycle", "cardems", {"pass_cycle": ["left", "up"]}),
        ("pass_cycle", "parlour", {"players": 5, "pass_cycle": ["across"]}),
        ("pass_cycle", "cancellation", {"pass_count": 3, "pass_cycle": ["left", "across"]}),
        ("opening", "cardems", {"opening": "highest_club"}),
        ("opening", "cancellation", {"opening": "lowest_club"}),
        ("first_trick", "cardems", {"first_trick": "hearts"}),
        ("broken_by", "cardems", {"broken_by": "queen"}),
        ("bonus_card", "cardems", {"bonus_card": "QD"}),
        ("bonus_card", "cardems", {"bonus_card": "JH"}),
        ("moon", "cardems", {"moon": "multiply"}),
        ("moon_points", "cardems", {"moon_points": 52}),
        ("moon_points", "cardems", {"moon_points": 27}),
        ("moon_needs_bonus", "cardems", {"moon_needs_bonus": True}),
        ("target", "cardems", {"target": 0}),
        ("target", "cardems", {"target": -100}),
        ("tie", "cardems", {"tie": "nobody"}),
        ("cancellation", "cardems", {"cancellation": True}),
    ],
)
def test_an_impossible_rulebook_is_refused_with_the_field(
    field: str, preset: str, changes: dict[str, Any]
) -> None:
    """What a rulebook cannot hold is `bad_rules`, and the field's name tells where to look."""
    asking = at_a_table()
    request = new(preset, set=changes, seed="s")
    assert asking.code(request) == "bad_rules"
    error = asking.refused(request)
    assert set(error) == {"code", "field", "message"}
    assert error["field"] == field


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("cardems", {"moon_points": 13}),
        ("cardems", {"target": 1}),
        ("cardems", {"target": 10**9}),
        ("cardems", {"pass_count": 0}),
        ("cardems", {"pass_count": 4}),
        ("cardems", {"pass_cycle": ["hold"] * 9}),
        ("cardems", {"opening": "left_of_dealer"}),
        ("cardems", {"bonus_card": "TD", "moon_needs_bonus": True}),
        ("cardems", {"players": 5, "kitty": "first_trick", "pass_cycle": ["left", "right"]}),
        ("omnibus", {"bonus_card": "TD"}),
        ("parlour", {"players": 3, "removed": ["2C"]}),
        ("parlour", {"players": 7, "removed": ["2D", "3D", "4D"]}),
        ("cancellation", {"moon_points": 26, "bonus_card": "JD"}),
        ("cancellation", {"cancellation": False}),
        ("cancellation", {"removed": ["2D", "2D", "2C", "2C", "3C", "3C"], "kitty": "none"}),
    ],
)
def test_what_a_rulebook_may_hold_is_accepted(preset: str, changes: dict[str, Any]) -> None:
    """A table may override any field within the values of the rulebook, and the state tells them all."""
    state = Asking().new(preset, set=changes, seed="s")
    rules = rules_of(preset, changes.get("players"), changes)
    assert state == Judge(rules, "s").state()


def test_any_whole_number_from_one_is_a_target() -> None:
    """The rulebook sets no upper limit to the target."""
    assert Asking().new("cardems", set={"target": 10**20})["rules"]["target"] == 10**20


def test_the_bonus_card_may_be_written_in_every_way_a_card_is_read() -> None:
    """`10D` and lower case are cards on input, in a rulebook too."""
    for written, card in (("10D", "TD"), ("td", "TD"), ("jd", "JD")):
        assert Asking().new("omnibus", set={"bonus_card": written})["rules"]["bonus_card"] == card


def test_players_given_twice_must_agree() -> None:
    """The number of players may stand beside `set` and in it, but only as one number."""
    asking = at_a_table()
    assert asking.refused(new("parlour", players=3, set={"players": 4}))["field"] == "players"
    assert asking.code(new("parlour", players=3, set={"players": 4})) == "bad_rules"
    assert asking.new("parlour", players=5, set={"players": 5}, seed="s")["rules"]["players"] == 5
    assert asking.new("parlour", set={"players": 5}, seed="s") == Judge(rules_of("parlour", 5), "s").state()


def hands_of(seed: str = "kupa") -> list[list[str]]:
    return Judge(rules_of("cardems"), seed).hands


def spoiled_hands() -> dict[str, list[list[str]]]:
    hands = hands_of()
    first, second, *rest = hands
    return {
        "a card short": [first[1:], second, *rest],
        "a card twice": [[first[1], *first[1:]], second, *rest],
        "a card too many": [[*first, second[0]], second, *rest],
        "uneven": [[*first, second[0]], second[1:], *rest],
        "a hand short": hands[1:],
        "a hand too many": [*hands, []],
        "no hands": [],
        "empty hands": [[], [], [], []],
        "all in one": [first + second + rest[0] + rest[1], [], [], []],
    }


@pytest.mark.parametrize("name", spoiled_hands())
def test_hands_must_be_the_deck(name: str) -> None:
    """Hands that are not exactly the deck of these rules, dealt out evenly, are `bad_deal`."""
    assert at_a_table().code(new("cardems", hands=spoiled_hands()[name])) == "bad_deal"


def test_removed_cards_are_no_part_of_the_deck() -> None:
    """A hand may not hold what was taken out, nor leave a kitty where there is none to be."""
    hands = Judge(rules_of("parlour", 3), "kupa").hands
    other = [["2D" if card == hands[0][0] else card for card in hand] for hand in hands]
    assert Asking().ask(new("parlour", players=3, hands=hands))["ok"]
    assert at_a_table().code(new("parlour", players=3, hands=other)) == "bad_deal"
    double = Judge(rules_of("cancellation", 6), "kupa").hands
    assert (
        at_a_table().code(new("cancellation", players=6, hands=[hand[1:] for hand in double])) == "bad_deal"
    )
    assert Asking().new("cancellation", players=6, hands=double)["kitty"]


@pytest.mark.parametrize("escape", [rb"\ud800", rb"a\udfffb", rb"\udc00\ud800", rb"\ud83d \ude00"])
def test_a_seed_must_be_valid_unicode(escape: bytes) -> None:
    """Half a character cannot be written in UTF-8, so it is no seed; a whole one in two escapes is."""
    line = b'{"do":"new","game":"hearts","rules":"cardems","seed":"' + escape + b'"}'
    assert at_a_table().code(line) == "bad_seed"
    whole = b'{"do":"new","game":"hearts","rules":"cardems","seed":"\\ud83d\\ude00"}'
    assert Asking().accepted(whole)["state"]["seed"] == "\U0001f600"


FAULTS: dict[str, Json] = {
    "bad_request": {"x": 1},
    "unknown_rules": {"rules": "bridge"},
    "bad_rules": {"set": {"target": 0}},
    "bad_deal": {"hands": [[], [], [], []]},
    "bad_seed": {"seed": "\ud800"},
}


@pytest.mark.parametrize("first", FAULTS)
@pytest.mark.parametrize("second", FAULTS)
def test_of_two_faults_of_a_new_match_the_first_is_told(first: str, second: str) -> None:
    """The codes have an order, and a request with two faults gets the earlier one."""
    request = new("cardems") | FAULTS[first] | FAULTS[second]
    assert at_a_table().code(request) == min(first, second, key=CODES.index)


@pytest.mark.parametrize("second", ["bad_deal", "bad_seed"])
def test_a_bad_request_goes_first_even_where_the_rules_must_be_known_to_see_it(second: str) -> None:
    """Totals for another number of seats are a `bad_request`, which goes before `bad_deal` and `bad_seed`."""
    request = new("cardems", totals=[0, 0, 0])
    assert at_a_table().code(request) == "bad_request"
    assert at_a_table().code(request | FAULTS[second]) == "bad_request"


# --- moves --------------------------------------------------------------------------------------------------


def passing() -> Table:
    """Seat 0 has passed; seat 1 holds TC, JC, 2D, … but no 2C, which is seat 3's."""
    table = Table(new("cardems", seed="kupa"), Judge(rules_of("cardems"), "kupa"))
    table.make_pass(0, ["5C", "7C", "9C"])
    return table


@pytest.mark.parametrize(
    ("code", "request_"),
    [
        ("wrong_phase", {"do": "play", "seat": 1, "card": "TC"}),
        ("wrong_phase", {"do": "moon", "seat": 1, "choice": "add"}),
        ("wrong_phase", {"do": "moon", "seat": 1, "choice": "nonsense"}),
        ("already_passed", {"do": "pass", "seat": 0, "cards": ["5C", "7C", "9C"]}),
        ("already_passed", {"do": "pass", "seat": 0, "cards": ["3D", "4D", "5D"]}),
        ("already_passed", {"do": "pass", "seat": 0, "cards": ["5C", "5C"]}),
        ("wrong_number_of_cards", {"do": "pass", "seat": 1, "cards": []}),
        ("wrong_number_of_cards", {"do": "pass", "seat": 1, "cards": ["TC", "JC"]}),
        ("wrong_number_of_cards", {"do": "pass", "seat": 1, "cards": ["TC", "JC", "2D", "JD"]}),
        ("wrong_number_of_cards", {"do": "pass", "seat": 1, "cards": ["2C", "2C", "TC", "TC"]}),
        ("duplicate_card", {"do": "pass", "seat": 1, "cards": ["TC", "TC", "JC"]}),
        ("duplicate_card", {"do": "pass", "seat": 1, "cards": ["TC", "tc", "JC"]}),
        ("duplicate_card", {"do": "pass", "seat": 1, "cards": ["TC", "10C", "2C"]}),
        ("duplicate_card", {"do": "pass", "seat": 1, "cards": ["2C", "2C", "TC"]}),
        ("not_your_card", {"do": "pass", "seat": 1, "cards": ["2C", "TC", "JC"]}),
        ("bad_request", {"do": "pass", "seat": 4, "cards": ["TC", "JC", "2D"]}),
        ("bad_request", {"do": "play", "seat": 4, "card": "TC"}),
        ("bad_request", {"do": "play", "seat": 1, "card": "ZZ"}),
    ],
)
def test_refusals_while_cards_are_passed(code: str, request_: Json) -> None:
    """Each fault of a pass has its code, and of two the earlier one is told."""
    assert passing().code(request_) == code


def opening() -> Table:
    """Seat 0 must lead the 2C."""
    hands = ("2C AC 3D QS 2H", "3C 4D 5D 3H 4H", "5C 6D 5H 6H 7H", "7D 8H 9H TH JH", "8D 9D QH KH AH")
    return deal("cardems", *hands)


def following() -> Table:
    """Clubs were led to the first trick; seat 1 can follow."""
    table = opening()
    table.play_out("2C")
    return table


def void_first() -> Table:
    """Clubs were led to the first trick; seat 3 has none, but a diamond."""
    table = following()
    table.play_out("3C", "5C")
    return table


def by_the_dealer() -> Table:
    """Seat 0 opens with any card but what is barred."""
    hands = ("2C AC 3D QS 2H", "3C 4D 5D 3H 4H", "5C 6D 5H 6H 7H", "7D 8H 9H TH JH", "8D 9D QH KH AH")
    return deal("cardems", *hands, set={"opening": "left_of_dealer"})


def shooting() -> Table:
    """Seat 0 has shot the moon and must choose."""
    table = deal("parlour", "AC AH KH QH JH TH", "KC 9H 8H 7H 6H 5H", "JC QC QS 4H 3H 2H")
    while table.judge.phase == "play":
        table.play_out(table.judge.legal()[-1])
    return table


POSITIONS = {
    position.__name__: position for position in (opening, following, void_first, by_the_dealer, shooting)
}


@pytest.mark.parametrize(
    ("position", "code", "request_"),
    [
        ("opening", "wrong_phase", {"do": "pass", "seat": 0, "cards": ["2C", "AC", "3D"]}),
        ("opening", "wrong_phase", {"do": "pass", "seat": 1, "cards": []}),
        ("opening", "wrong_phase", {"do": "moon", "seat": 0, "choice": "add"}),
        ("opening", "not_your_turn", {"do": "play", "seat": 1, "card": "3C"}),
        ("opening", "not_your_turn", {"do": "play", "seat": 1, "card": "2C"}),
        ("opening", "not_your_card", {"do": "play", "seat": 0, "card": "3C"}),
        ("opening", "not_your_card", {"do": "play", "seat": 0, "card": "AH"}),
        ("opening", "must_lead_opening_card", {"do": "play", "seat": 0, "card": "AC"}),
        ("opening", "must_lead_opening_card", {"do": "play", "seat": 0, "card": "3D"}),
        ("opening", "must_lead_opening_card", {"do": "play", "seat": 0, "card": "2H"}),
        ("opening", "must_lead_opening_card", {"do": "play", "seat": 0, "card": "QS"}),
        ("following", "not_your_turn", {"do": "play", "seat": 0, "card": "AC"}),
        ("following", "not_your_card", {"do": "play", "seat": 1, "card": "2C"}),
        ("following", "not_your_card", {"do": "play", "seat": 1, "card": "AH"}),
        ("following", "must_follow_suit", {"do": "play", "seat": 1, "card": "4D"}),
        ("following", "must_follow_suit", {"do": "play", "seat": 1, "card": "3H"}),
        ("void_first", "no_points_on_first_trick", {"do": "play", "seat": 3, "card": "8H"}),
        ("void_first", "not_your_card", {"do": "play", "seat": 3, "card": "QS"}),
        ("by_the_dealer", "not_your_turn", {"do": "play", "seat": 3, "card": "8H"}),
        ("by_the_dealer", "hearts_not_broken", {"do": "play", "seat": 0, "card": "2H"}),
        ("by_the_dealer", "no_points_on_first_trick", {"do": "play", "seat": 0, "card": "QS"}),
        ("shooting", "wrong_phase", {"do": "play", "seat": 0, "card": "2C"}),
        ("shooting", "wrong_phase", {"do": "pass", "seat": 0, "cards": []}),
        ("shooting", "not_your_turn", {"do": "moon", "seat": 1, "choice": "add"}),
        ("shooting", "not_your_turn", {"do": "moon", "seat": 1, "choice": "nonsense"}),
        ("shooting", "bad_choice", {"do": "moon", "seat": 0, "choice": "nonsense"}),
        ("shooting", "bad_choice", {"do": "moon", "seat": 0, "choice": ""}),
        ("shooting", "bad_request", {"do": "moon", "seat": 3, "choice": "add"}),
    ],
)
def test_refusals_at_the_table(position: str, code: str, request_: Json) -> None:
    """Each fault of a card or a choice has its code, and of two the earlier one is told."""
    assert POSITIONS[position]().code(request_) == code


def test_hearts_are_not_led_before_they_are_broken() -> None:
    """Later in the round a heart that may not be led yet is refused for that."""
    table = deal(
        "cardems", "2C AC 3D QS", "3C 2H 3H 4H", "4C 5H 6H 7H", "5C 8H 9H TH", "KC JH QH 4D", "6C KH AH 5D"
    )
    table.play_out("2C", "3C", "4C", "5C", "KC", "6C")
    assert table.code({"do": "play", "seat": 4, "card": "JH"}) == "hearts_not_broken"
    table.play_out("4D")


def random_request(rng: random.Random, judge: Judge) -> Json:
    """Return a well-formed move that has as good as no sense."""
    seat = rng.choice([judge.turn or 0, rng.randrange(judge.players)])
    cards = rng.choice([judge.hands[seat] or FULL_DECK, FULL_DECK, SAFE_CARDS[:3]])
    kind = rng.choice(["pass", "play", "play", "moon"])
    if kind == "play":
        return {"do": "play", "seat": seat, "card": rng.choice(cards)}
    if kind == "moon":
        return {"do": "moon", "seat": seat, "choice": rng.choice(["add", "subtract", "both"])}
    count = rng.choice([judge.rules["pass_count"], rng.randint(0, 5)])
    return {"do": "pass", "seat": seat, "cards": rng.choices(cards, k=count)}


def expected_code(judge: Judge, request: Json) -> str | None:
    seat = request["seat"]
    if request["do"] == "play":
        return judge.refusal_of_play(seat, request["card"])
    if request["do"] == "moon":
        return judge.refusal_of_moon(seat, request["choice"])
    return judge.refusal_of_pass(seat, request["cards"])


@pytest.mark.soak
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_referee_and_judge_refuse_alike(preset: str, players: int) -> None:
    """At any moment of any match a senseless move is refused with the code that comes first."""
    refused: set[str] = set()
    for number in range(max(2, MATCHES // 4)):
        rng = random.Random(f"refusals {preset} {players} {number}")
        table = random_table(rng, preset, players, plain=False)
        judge, style = table.judge, Style(rng, players)
        while judge.phase != "over" and not judge.rounds:
            for _ in range(2):
                request = random_request(rng, judge)
                code = expected_code(judge, request)
                if code is not None:
                    assert table.code(request) == code, (request, table.story())
                    refused.add(code)
            style.move(table)
    assert {"wrong_phase", "not_your_turn", "not_your_card"} <= refused
