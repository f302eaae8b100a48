"""The referee's desk for Heart to Heart: the replies of the protocol, key by key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kupa.game import Json
from tests.heart_to_heart.playing import SHOWN_STATE

from .conversation import asked

VECTORS = Path(__file__).parents[1] / "vectors"
NEW = {"do": "new", "game": "heart-to-heart", "code": "HH1-N-AAAAAAM"}
STATE = {"do": "state"}


def tap(at: object) -> Json:
    """Return the request to tap somewhere."""
    return {"do": "tap", "at": at}


def test_a_new_deal() -> None:
    """The reply is ok and the state, which has exactly the keys of the protocol."""
    (reply,) = asked(NEW)
    assert list(reply) == ["ok", "state"]
    assert list(reply["state"].items()) == list(SHOWN_STATE.items())


def test_the_code_comes_back_in_canonical_form() -> None:
    """However it was written, the state names the deal in capitals."""
    (reply,) = asked(NEW | {"code": " hh1-n-aaaaaaı "})
    assert reply["state"]["code"] == "HH1-N-AAAAAAI"


def test_without_a_code_the_deal_is_random() -> None:
    """The number of the deal comes from the source of randomness that the referee was given."""
    (reply,) = asked({"do": "new", "game": "heart-to-heart"})
    assert reply["state"]["code"] == "HH1-N-AAAAAAM"


@pytest.mark.parametrize("as_list", [False, True])
def test_a_deck_of_ones_own(as_list: bool) -> None:
    """As one text or as a list; it has no code."""
    deck = "A23456789TJQK" * 4
    (reply,) = asked({"do": "new", "game": "heart-to-heart", "deck": list(deck) if as_list else deck})
    assert reply["state"]["code"] is None
    assert reply["state"]["heart"] == list(deck[:25])
    assert reply["state"]["waste_top"] == "K"


def test_what_a_tap_is_called() -> None:
    """Each of the seven events under its name, with the state after it."""
    new = {"do": "new", "game": "heart-to-heart", "deck": deck_with_a_pair()}
    replies = asked(new, *map(tap, [25, 25, 1, "waste", 25, "stock"]))
    events = [reply["event"] for reply in replies[1:]]
    assert events == ["select", "deselect", "nothing", "select", "pair", "draw"]
    assert all(list(reply) == ["ok", "event", "state"] for reply in replies[1:])
    assert replies[5]["state"]["heart"][24] is None
    assert (replies[5]["state"]["score"], replies[5]["state"]["moves"]) == (10, 1)

    replies = asked(NEW, tap(25), tap("waste"), *[tap("stock")] * 27)
    assert replies[2]["event"] == "mismatch"
    assert [reply["event"] for reply in replies[3:]] == ["draw"] * 26 + ["redeal"]
    assert (replies[-1]["state"]["stock"], replies[-1]["state"]["waste"]) == (27, 0)
    assert replies[-1]["state"]["waste_top"] is None


def deck_with_a_pair() -> str:
    """Return a deck whose tip has its match on the waste."""
    deck = list("A23456789TJQK" * 4)  # a king ends it
    deck[12], deck[24] = deck[24], deck[12]
    return "".join(deck)


def test_the_known_win_through_the_protocol() -> None:
    """The shortest win of the shown deal, tap by tap: 73 moves, 250 points, then nothing but undo."""
    win = json.loads((VECTORS / "heart-win.json").read_text(encoding="utf-8"))
    replies = asked(NEW, *map(tap, win["taps"]), tap("stock"), {"do": "undo"}, STATE)
    pairs = [reply["state"]["moves"] for reply in replies[1:] if reply.get("event") == "pair"]
    assert pairs[0] == win["first_pair_on_move"]
    won, nothing, undone, state = replies[-4:]
    assert (won["state"]["status"], won["state"]["score"], won["state"]["moves"]) == ("won", 250, 73)
    assert (nothing["event"], nothing["state"]) == ("nothing", won["state"])
    assert (undone["state"]["score"], undone["state"]["undo"]) == (230, 72)
    assert undone["state"]["status"] == "playing"
    assert list(undone) == ["ok", "state"]
    assert state == undone


def test_the_notice_is_in_the_reply_to_a_mismatch_alone() -> None:
    """With move errors on; not in a later look, nor in the reply to a tap that does nothing."""
    on = {"do": "settings", "move_errors": True}
    *_, mismatch, state, nothing, again = asked(NEW, on, tap(25), tap("waste"), STATE, tap(1), tap(25))
    assert mismatch["state"]["notice"] == "must_match"
    assert state["state"] == mismatch["state"] | {"notice": None}
    assert (nothing["event"], nothing["state"]["notice"]) == ("nothing", None)
    assert (again["event"], again["state"]["notice"]) == ("mismatch", "must_match")
    *_, silent = asked(NEW, tap(25), tap("waste"))
    assert silent["state"]["notice"] is None


def test_settings_survive_a_new_deal_and_a_game_of_hearts() -> None:
    """Once set they hold for every later deal, until they are set again."""
    change = {"do": "settings", "move_errors": True, "placement_help": False}
    hearts = {"do": "new", "game": "hearts", "rules": "cardems"}
    for between in ([NEW], [hearts, NEW], [{"do": "new", "game": "heart-to-heart"}, NEW]):
        *_, selected, mismatch = asked(NEW, change, *between, tap(25), tap("waste"))
        assert selected["state"]["dimmed"] == []
        assert mismatch["state"]["notice"] == "must_match"


def test_a_setting_may_be_changed_alone() -> None:
    """Naming one leaves the other as it is, and the reply has the state under the new settings."""
    replies = asked(
        NEW,
        tap(25),
        {"do": "settings", "placement_help": False},
        {"do": "settings", "move_errors": True},
        {"do": "settings", "placement_help": True},
    )
    assert [reply["state"]["dimmed"] for reply in replies] == [[], ["waste"], [], [], ["waste"]]
    assert [list(reply) for reply in replies[2:]] == [["ok", "state"]] * 3


def test_a_new_deal_forgets_undo() -> None:
    """Moves of the last deal cannot be taken back in the next."""
    *_, refused, state = asked(NEW, tap("stock"), NEW, {"do": "undo"}, STATE)
    assert refused["error"]["code"] == "nothing_to_undo"
    assert state["state"]["undo"] == 0


def test_nothing_tells_what_lies_in_the_stock() -> None:
    """Two decks that differ in the order of the stock alone are answered byte for byte alike until a draw."""
    deck = "A23456789TJQK" * 4
    other = deck[:25] + deck[25:51][::-1] + deck[51]
    questions: list[Any] = [STATE, tap(25), tap("waste"), tap(1), {"do": "undo"}, STATE]
    one, two = (asked({"do": "new", "game": "heart-to-heart", "deck": d}, *questions) for d in (deck, other))
    assert json.dumps(one) == json.dumps(two)
