"""The matches of rooms: what the room's log promised, against what was played."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

from kupa.hearts.events import MatchStarted
from kupa.rooms import events as room_events
from kupa.rooms.commands import Rematch
from kupa.rooms.state import Settings
from kupa.verification import BROKEN, KEPT, SEALED, UNREADABLE, check_of_room, deals_of_room
from tests.fair_matches import FairRoom, changed


@cache
def company() -> FairRoom:
    """Return a room in which two matches have been played and a third is in play."""
    room = FairRoom("company")
    room.play("first")
    room.again()
    room.play("second")
    room.do(Rematch("bora"))
    room.play("third", rounds=1)
    return room


def verdicts(log: list[Any], matches: dict[str, list[Any]]) -> dict[str, tuple[str, list[str]]]:
    """Return what can be said of every match of a room."""
    found = {}
    for deal in deals_of_room(log):
        checked = check_of_room(deal, matches[deal.match])
        found[deal.match] = (checked.verdict, [fault.code for fault in checked.faults])
    return found


def test_every_match_of_an_honest_room_is_kept_and_the_one_in_play_sealed() -> None:
    """Two matches over, each with its own secret; of the third only the commitment is known."""
    room = company()
    assert verdicts(room.events, room.matches) == {
        "first": (KEPT, []),
        "second": (KEPT, []),
        "third": (SEALED, []),
    }
    first, second, third = deals_of_room(room.events)
    assert first.fair.secret != second.fair.secret
    assert (third.fair.secret, third.fair.contributions) == (None, ())
    assert len({deal.fair.commitment for deal in (first, second, third)}) == 3


def test_a_room_before_its_first_match_has_no_deals() -> None:
    """Sealed, but nothing is dealt yet."""
    assert deals_of_room(FairRoom().events) == ()


FORGERIES: dict[str, tuple[type[Any], int, dict[str, Any], str]] = {
    "what a person gave": (room_events.Contributed, 0, {"given": "00" * 16}, "other_contribution"),
    "the sealed secret": (room_events.Opened, 0, {"secret": "00" * 32}, "other_commitment"),
    "the shown commitment": (room_events.Opened, 0, {"commitment": "00" * 32}, "other_commitment"),
    "the contributions": (room_events.Started, 0, {"contributions": ("",) * 4}, "other_contribution"),
    "the number of seats": (room_events.Started, 0, {"contributions": ("",) * 3}, "other_seats"),
    "the seed": (room_events.Started, 0, {"seed": "00" * 32}, "other_seed"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_whatever_is_changed_in_the_log_of_a_room_is_named(name: str) -> None:
    """One event of the log is another: the first match is broken, the second is not touched by it."""
    kind, number, fields, code = FORGERIES[name]
    room = company()
    found = verdicts(changed(room.events, kind, number, **fields), room.matches)
    assert found["first"][0] == BROKEN
    assert code in found["first"][1]
    assert found["second"] == (KEPT, [])


def test_a_bot_that_contributed_and_seats_in_another_order_are_named() -> None:
    """The server would choose the cards by what it adds for a bot, or by the order."""
    room = company()
    given = next(event for event in room.events if isinstance(event, room_events.Started)).contributions
    for other in ((*given[:2], "11" * 16, ""), (given[1], given[0], "", "")):
        forged = changed(room.events, room_events.Started, 0, contributions=other)
        verdict, codes = verdicts(forged, room.matches)["first"]
        assert verdict == BROKEN
        assert codes.count("other_contribution") == sum(map(str.__ne__, given, other))


def test_a_secret_that_everybody_knows_already_seals_nothing() -> None:
    """The deal after a revealed one is sealed with the same secret again."""
    room = company()
    opened = room.events[0]
    revealed = [event for event in room.events if isinstance(event, room_events.Revealed)]
    assert opened.secret != revealed[0].secret
    forged = changed(room.events, room_events.Revealed, 0, secret=opened.secret, commitment=opened.commitment)
    verdict, codes = verdicts(forged, room.matches)["second"]
    assert verdict == BROKEN
    assert codes[0] == "known_secret"


def test_a_match_of_other_rules_than_its_table_is_named() -> None:
    """Fewer seats cannot be; another rulebook, a house rule of nobody's, or rounds that end early, can."""
    room = company()
    book = room.matches["first"][0].rulebook
    other_target = msgspec.structs.replace(book, target=book.target + 1)
    for fields in ({"preset": "ozel"}, {"rulebook": other_target}, {"end_early": True}):
        matches = {**room.matches, "first": changed(room.matches["first"], MatchStarted, **fields)}
        assert "other_rules" in verdicts(room.events, matches)["first"][1]


def test_a_match_dealt_from_another_seed_than_the_rooms_is_named_once() -> None:
    """By the seal and by the log of the room it is one fault."""
    room = company()
    matches = {**room.matches, "first": changed(room.matches["first"], MatchStarted, seed="other")}
    codes = verdicts(room.events, matches)["first"][1]
    assert codes.count("other_seed") == 1


def test_a_sealed_match_is_still_bound_by_what_people_gave() -> None:
    """Before the secret is shown, a contribution that is another one is found all the same."""
    room = company()
    contributed = [event for event in room.events if isinstance(event, room_events.Contributed)]
    forged = changed(room.events, room_events.Contributed, len(contributed) - 1, given="00" * 16)
    assert verdicts(forged, room.matches)["third"] == (BROKEN, ["other_contribution"])


def test_a_damaged_match_of_a_room_is_unreadable() -> None:
    """Its first event is gone."""
    room = company()
    matches = {**room.matches, "first": room.matches["first"][1:]}
    assert verdicts(room.events, matches)["first"] == (UNREADABLE, [])


def test_a_log_that_does_not_begin_at_its_beginning_is_no_room() -> None:
    """It cannot be replayed, and says so."""
    with pytest.raises(ValueError, match="not open"):
        deals_of_room(company().events[1:])


def test_other_rulebooks_are_dealt_fairly_too() -> None:
    """Cancellation with seven, kitty and all."""
    room = FairRoom("seven", Settings(rules="cancellation", players=7))
    room.play("one")
    assert verdicts(room.events, room.matches) == {"one": (KEPT, [])}
