"""People who try to hold others up, to reach what is not theirs, or to break what others use."""

from __future__ import annotations

import asyncio
import html
import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from argon2 import PasswordHasher
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kupa import catalogue
from kupa.server.live_room import LiveRoom
from kupa.server.passphrases import MOST_WAITING, Passphrases
from kupa.server.presence import GRACE, Presence
from kupa.server.room_pages import TRIES, TRIES_FROM
from kupa.server.rooms import HOST_MISSED_AFTER, IDLE_AFTER
from kupa.server.store import UnreadableMatchError
from tests.server.in_company import InCompany, Person, Seat


class Clock:
    """A clock that stands still until it is moved."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def company(clock: Clock) -> Iterator[InCompany]:
    with InCompany("ABC", think=15) as company:
        company.rooms._clock = clock
        company.client.app.state.tables._clock = clock
        yield company


def begin(company: InCompany) -> list[Seat]:
    """Start the match; returns the sockets of the room."""
    seats = company.gather()
    assert seats[0].room(type="start")["type"] == "accepted"
    while seats[0].told["view"]["phase"] != "playing":
        seats[0].receive()
    company.match = seats[0].told["view"]["match"]
    return seats


def live_room(company: InCompany) -> LiveRoom:
    room: LiveRoom = company.call(company.rooms.open, company.room)
    return room


def gone(company: InCompany, seat: Seat) -> None:
    """Close a socket, and wait until the server knows."""
    seat.close()
    room = live_room(company)
    while room.presence.is_here(seat.person.id):
        company.client.get("/help")


# Time


@given(
    away=st.lists(st.floats(0.01, GRACE - 0.01), min_size=1, max_size=30),
    here=st.floats(0, 0.1),
    think=st.integers(5, 120),
)
def test_absences_hold_a_decision_up_no_longer_than_the_grace(
    away: list[float], here: float, think: int
) -> None:
    """However often somebody goes and comes back, the time is used up after think time and grace at most."""
    clock = Clock()
    presence = Presence(clock)
    presence.come("A", 0)
    presence.note_decisions([(0, "lead")])
    opened = clock.now
    for number, seconds in enumerate(away):
        presence.go("A", number)
        clock.now += seconds
        used = presence.used_by("A", 0)
        assert used is not None
        assert used >= clock.now - opened - GRACE - 1e-6
        presence.come("A", number + 1)
        presence.give_back(0, presence.was_away.pop("A"))
        clock.now += here
    used, passed = presence.used_by("A", 0), clock.now - opened
    assert used is not None
    assert used == pytest.approx(max(passed - GRACE, here * len(away)), abs=1e-6)
    assert passed < think + GRACE or used >= think - 1e-6


def test_whoever_comes_back_for_moments_alone_is_played_for(company: InCompany, clock: Clock) -> None:
    """Somebody who is never there when the server looks, and never away for long, does not stop the match."""
    rooms = begin(company)
    host = company.people[0].at_table()
    host.until("view")
    host.act()
    gone(company, rooms[1])
    for _ in range(3):
        clock.now += GRACE - 1
        company.call(company.rooms.tick)
        back = company.people[1].at_table()
        back.until("view")
        gone(company, back)
    company.call(company.client.app.state.tables.bots_rest, company.match)
    assert host.fresh_view()["passed"][1]


def test_the_host_is_replaced_though_somebody_who_has_left_looks_on(company: InCompany, clock: Clock) -> None:
    """Who has given up a seat may look at the room, and is in nobody's way as the heir of its host."""
    seats = begin(company)
    assert seats[1].room(type="leave")["type"] == "accepted"
    gone(company, seats[0])
    room = live_room(company)
    company.call(company.rooms.tick)
    clock.now += HOST_MISSED_AFTER
    company.call(company.rooms.tick)
    assert room.presence.is_here(company.people[1].id)
    assert room.room.host == company.people[2].id


def test_bots_play_on_for_a_company_that_comes_back_late(company: InCompany, clock: Clock) -> None:
    """A room is not forgotten before its table: the table's bots would wait for people of another life."""
    seats = begin(company)
    for seat in seats:
        gone(company, seat)
    clock.now += IDLE_AFTER + 1
    company.rooms.let_go_of_idle()
    players = [person.at_table() for person in company.people]
    for player in players:
        player.until("view")
    for _ in range(5):
        for player in players:
            player.act()
        company.call(company.client.app.state.tables.bots_rest, company.match)
        assert players[0].fresh_view()["turn"] != 3
    assert players[0].view["tricks"]


# What breaks for one


def test_a_room_that_cannot_be_looked_after_holds_up_no_other(company: InCompany, clock: Clock) -> None:
    """Whatever goes wrong with one room, time runs in the others."""
    seats = begin(company)
    room, broken = live_room(company), SimpleNamespace(is_watched=True)
    company.rooms._rooms = {"broken": broken, **company.rooms._rooms}  # type: ignore[dict-item]
    gone(company, seats[1])
    company.call(company.rooms.tick)
    clock.now += GRACE
    company.call(company.rooms.tick)
    assert room.room.seats[1].bot_plays


def test_somebody_who_is_deleted_leaves_every_room_though_one_cannot_be_read(company: InCompany) -> None:
    """A damaged log does not keep a person in the rooms that are whole."""
    seats = begin(company)
    people, person = company.client.app.state.people, company.people[1].id
    of, opened = company.rooms.of, company.rooms.open

    async def of_two(who: str) -> list[str]:
        return ["damaged", *await of(who)]

    async def open_damaged(room_id: str) -> LiveRoom | None:
        if room_id == "damaged":
            raise UnreadableMatchError("an event is missing")
        return await opened(room_id)

    company.rooms.of, company.rooms.open = of_two, open_damaged  # type: ignore[method-assign, assignment]
    company.call(people.delete, person)
    company.rooms.of, company.rooms.open = of, opened  # type: ignore[method-assign]
    assert person not in live_room(company).room.people
    assert seats[0].fresh_room()["view"]["seats"][1]["conceded"]


# What is sent


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    text=st.text(st.characters(categories=("Cs", "Lu", "Cc")), min_size=1, max_size=5),
    place=st.integers(0, 3),
)
def test_no_text_in_a_command_breaks_the_socket(company: InCompany, text: str, place: int) -> None:
    """Halves of characters, too: each frame has an answer, and the socket goes on."""
    host = company.people[0].at_room()
    host.until("room")
    commands: list[dict[str, Any]] = [
        {"type": text},
        {"type": "bot", "seat": 1, "level": text},
        {"type": "sit", text: 1},
        {"type": "sit", "seat": [text]},
    ]
    for kind in ("room", "command"):
        # The client of the tests would write no half characters.
        host.socket.send_text(json.dumps({"type": kind, "id": "x", "command": commands[place]}))
        while (answer := host.receive())["type"] not in {"error", "refused"}:
            pass
        assert answer["code"] in {"bad_request", "wrong_phase"}
    assert host.fresh_room()["type"] == "room"
    host.close()


# What is not theirs


@pytest.mark.parametrize("path", ["/m/{}", "/m/{}/record", "/m/{}/fair", "/api/matches/{}"])
def test_a_room_is_no_match(company: InCompany, path: str) -> None:
    """The log of a room cannot be reached by any address of a match, and is no damaged match either."""
    begin(company)
    answer = company.client.get(path.format(company.room), headers=company.people[0].headers)
    assert answer.status_code == 404


def test_nobody_plays_on_a_match_that_all_have_left(company: InCompany) -> None:
    """A match that was given up by everybody stays as it was left, though seats are taken anew later."""
    seats = begin(company)
    for seat in seats:
        assert seat.room(type="leave")["type"] == "accepted"
    assert seats[1].room(type="join")["type"] == "accepted"
    seats[1].room(type="sit", seat=2)
    table = company.people[1].at_table()
    view = table.until("view")["view"]
    seq = table.frames[-1]["seq"]
    answer = table.play(type="pass", cards=view["hand"][:3])
    assert (answer["type"], answer["code"]) == ("refused", "wrong_phase")
    table.socket.send_json({"type": "sync"})
    assert table.until("view")["seq"] == seq


def test_what_is_said_is_told_to_those_in_the_room_alone(company: InCompany) -> None:
    """Who knows the address looks on from outside, as does who has left; who comes in reads what was said."""
    host, guest, stranger = [person.at_room() for person in company.people]
    assert guest.room(type="join")["type"] == "accepted"
    assert host.ask({"type": "say", "text": "among us"})["type"] == "accepted"
    guest.until("said")
    assert guest.room(type="leave")["type"] == "accepted"
    assert host.ask({"type": "say", "text": "still among us"})["type"] == "accepted"
    for outside in (stranger, guest, company.people[1].at_room()):
        outside.fresh_room()
        assert "still among us" not in "".join(outside.raw)
    assert "among us" not in "".join(stranger.raw)
    assert stranger.room(type="join")["type"] == "accepted"
    stranger.fresh_room()
    told = [frame["messages"] for frame in stranger.frames if frame["type"] == "messages"][-1]
    assert [said["text"] for said in told] == ["among us", "still among us"]


def test_another_guest_for_each_few_codes_finds_no_table_sooner(company: InCompany) -> None:
    """Codes that are tried count for the address, too, whoever tries them."""
    tries = 0
    for _ in range(TRIES_FROM // TRIES + 1):
        somebody = Person(company, "E")
        for _ in range(TRIES):
            tries += 1
            page = company.client.post(
                "/lobby", data={"code": "KKKKKK"}, headers={**somebody.headers, "accept-language": "en"}
            )
            is_stopped = catalogue.text("en", "refusal.too_many_tries") in html.unescape(page.text)
            assert is_stopped == (tries > TRIES_FROM)


def test_many_unknown_logins_at_once_are_hashed_once_each(company: InCompany) -> None:
    """The hash that they are compared with is made once, however many come before it has been."""
    hasher = CountingHasher(time_cost=1, memory_cost=8, parallelism=1)
    passphrases = Passphrases(hasher)

    async def try_all() -> list[bool]:
        return list(await asyncio.gather(*(passphrases.fits("anything", None) for _ in range(MOST_WAITING))))

    assert company.call(try_all) == [False] * MOST_WAITING
    assert hasher.made == 1


class CountingHasher(PasswordHasher):
    """Counts the hashes that it makes."""

    made = 0

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self.made += 1
        return super().hash(password, salt=salt)
