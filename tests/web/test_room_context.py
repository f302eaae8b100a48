"""What the pages of a room tell follows from its frame alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import kupa
from kupa.refusal import Refusal
from kupa.rooms import commands
from kupa.rooms.room import ROOMS
from kupa.rooms.state import Room, Settings
from kupa.server.room_context import HEADS, room_context

FACTS = Path(kupa.__file__).parent / "web" / "templates" / "hearts" / "facts.html"
HOST, FRIEND, GUEST = "host", "friend", "guest"
SECRET = "ab" * 32
SETTINGS = Settings(rules="parlour", players=3, think=30, listed=True)


def room_of(*asked: Any, settings: Settings = SETTINGS) -> Room:
    """Return a room in which some things have been asked for."""
    state: Room | None = None
    for command in (commands.OpenRoom(host=HOST, settings=settings, secret=SECRET), *asked):
        events = ROOMS.decide(state, command)
        assert not isinstance(events, Refusal), events
        for event in events:
            state = ROOMS.evolve(state, event)
    assert state is not None
    return state


def told(state: Room, person: str, language: str = "en", **more: Any) -> dict[str, Any]:
    frame = {
        "id": "A" * 22,
        "code": "K7MPRD",
        "view": ROOMS.view(state, person),
        "names": {HOST: "Deniz", FRIEND: "Elif"},
        "bots": {"2": "Kerem"},
        "presence": {HOST: "here", FRIEND: "away"},
        **more,
    }
    room: dict[str, Any] = room_context(frame, language)["room"]
    return room


def given(person: str) -> commands.Contribute:
    return commands.Contribute(person, "0" * 32)


def test_faces_are_those_of_the_table() -> None:
    """Whoever sits in a seat of the waiting room has the same face at the table."""
    listed = re.search(r"set heads = \[(.*?)\]", FACTS.read_text(encoding="utf-8"))
    assert listed is not None
    assert tuple(re.findall(r'"(\w+)"', listed[1])) == HEADS


def test_one_sees_oneself_at_the_bottom_and_the_others_to_the_left() -> None:
    """Places are counted from one's own seat; somebody without one sees seat 0 at the bottom."""
    state = room_of(commands.Join(FRIEND), commands.Join(GUEST))
    assert [seat.place for seat in told(state, HOST)["seats"]] == [0, 1, 2]
    assert [seat.place for seat in told(state, FRIEND)["seats"]] == [2, 0, 1]
    assert [seat.place for seat in told(state, "nobody")["seats"]] == [0, 1, 2]


def test_a_host_without_a_name_is_called_by_the_seat_wherever_the_host_is_named() -> None:
    """In the seat, over the door and in why the match cannot begin; who stands is a guest."""
    room = told(room_of(commands.Join(FRIEND)), FRIEND, names={FRIEND: "Elif"})
    assert room["seats"][0].name == room["host"] == "Player 1"
    standing = told(room_of(commands.Join(GUEST), commands.Stand(GUEST)), HOST, names={})
    assert [who.name for who in standing["standing"]] == ["Guest"]


def test_seats_tell_who_sits_there_and_how_they_are() -> None:
    state = room_of(commands.Join(FRIEND), commands.SeatBot(HOST, 2, "club"))
    mine, friend, bot = told(state, HOST)["seats"]
    assert (mine.name, mine.note, mine.is_me, mine.is_host) == ("You", "Host", True, True)
    assert (friend.name, friend.note, friend.is_away) == ("Elif", "Connection lost", True)
    assert (bot.name, bot.note, bot.kind) == ("Kerem", "Bot · Club player", "bot")


def test_an_open_seat_says_what_can_be_done_about_it() -> None:
    """The host may put a bot there, others in the room may sit, whoever is outside may do nothing."""
    state = room_of(commands.Join(FRIEND))
    notes = [told(state, person, "tr")["seats"][2].note for person in (HOST, FRIEND, "nobody")]
    assert notes == ["Bot oturt", "Otur", ""]


def test_who_has_no_name_is_called_by_the_seat() -> None:
    state = room_of(commands.Join(GUEST))
    assert told(state, HOST, "tr")["seats"][1].name == "2. oyuncu"
    assert not told(state, GUEST)["has_name"]


@pytest.mark.parametrize(
    ("asked", "can_start", "why"),
    [
        ((), False, "2 seats are open"),
        ((commands.SeatBot(HOST, 2, "club"),), False, "1 seat is open"),
        ((commands.FillSeats(HOST, "club"),), False, "Waiting for the seal of Deniz"),
        ((commands.FillSeats(HOST, "club"), given(HOST)), True, ""),
        ((commands.Stand(HOST), commands.FillSeats(HOST, "club")), False, "Somebody has to sit down first"),
    ],
)
def test_why_the_match_cannot_start_is_told_as_the_rules_of_rooms_have_it(
    asked: tuple[commands.Command, ...], can_start: bool, why: str
) -> None:
    """The page says "start" exactly where the room would not refuse it."""
    state = room_of(*asked)
    room = told(state, HOST)
    assert (room["can_start"], room["why_not"]) == (can_start, why)
    refused = isinstance(ROOMS.decide(state, commands.StartPlay(HOST, "B" * 22)), Refusal)
    assert refused is not can_start


def test_the_secret_of_the_deal_is_in_nothing_that_is_told() -> None:
    state = room_of(commands.Join(FRIEND), given(FRIEND))
    assert SECRET not in repr(told(state, FRIEND))
    assert "0" * 32 not in repr(told(state, FRIEND))


def test_settings_are_told_in_words() -> None:
    """A target of one's own is no house rule; anything else that was changed is."""
    plain = told(room_of(settings=Settings(rules="klasik", players=4, set={"target": 50})), HOST, "tr")
    assert plain["subtitle"] == "Klasik · 4 kişi · hedef 50"
    assert ("Düşünme süresi", "süresiz") in plain["facts"]
    changed = told(
        room_of(settings=Settings(rules="klasik", players=4, set={"moon": "subtract"})), HOST, "tr"
    )
    assert changed["subtitle"].endswith("ev kuralları")
    assert changed["house"] == ["moon"]
    assert ("Düşünme süresi", "hamle başına 30 saniye") in told(room_of(), HOST, "tr")["facts"]
