"""What the earlier matches of a room are to it, and to who was there: over, unchanged, and found again."""

from __future__ import annotations

from typing import Any

import pytest

from kupa.server.attempts import Attempts
from tests.server.identity import PASSPHRASE
from tests.server.in_company import InCompany, Seat
from tests.server.test_in_company import play_out, state_of, until

SHORT = {"target": 20}


def leave(seat: Seat) -> None:
    """Have somebody at a table leave the room."""
    seat.socket.send_json({"type": "room", "id": "go", "command": {"type": "leave"}})
    company = seat.person.company
    until(lambda: seat.person.id not in state_of(company).people)


def length(company: InCompany, match: str) -> int:
    """Return how many events a log has, when no bot has anything to do any more."""
    tables = company.client.app.state.tables
    company.call(tables.open, match)
    company.call(tables.bots_rest, match)
    return len(company.call(company.store.events, match))


def test_bots_do_not_play_on_what_all_have_left() -> None:
    """Its deal has been shown; the room plays another match, and who looks at the old one moves nothing."""
    with InCompany("AB") as company:
        a, b = company.start()
        old = company.match
        leave(a)
        leave(b)
        until(lambda: state_of(company).phase == "over")
        events = length(company, old)
        host = company.people[0].at_room()
        sit, fill = {"type": "sit", "seat": 0}, {"type": "fill", "level": "beginner"}
        for command in ({"type": "join"}, {"type": "rematch"}, sit, fill):
            assert host.room(**command)["type"] == "accepted"
        assert host.room(type="contribute", given="ab" * 16)["type"] == "accepted"
        company.begin(host)
        assert length(company, old) == events
        company.match = old
        watcher = company.people[1].at_table()
        watcher.until("view")
        assert watcher.play(type="pass", cards=[])["type"] == "refused"
        assert length(company, old) == events


def test_the_clock_of_the_match_in_play_is_not_set_back_by_an_earlier_one() -> None:
    """Only the table that the room plays at is listened to."""
    with InCompany("AB", think=60) as company:
        a, b = company.start()
        old = company.client.app.state.tables.live(company.match)
        leave(a)
        leave(b)
        until(lambda: state_of(company).phase == "over")
        room = company.rooms._rooms[company.room]
        before = [room.presence.open_for(seat) for seat in range(4)]
        company.rooms._table_moved(room, old)
        assert [room.presence.open_for(seat) is None for seat in range(4)] == [one is None for one in before]


def test_of_two_people_with_one_name_each_keeps_theirs_when_one_leaves() -> None:
    """Who stays is not taken for who has gone, in the match and when it is over."""
    with InCompany(["Ali", "Ali"], players=3, rules="parlour", set={"target": 5}) as company:
        a, b = company.start()
        leave(a)
        b.socket.send_json({"type": "sync"})
        assert b.until("view")["info"]["names"][:2] == ["Ali", "Ali 2"]
        play_out(company, [b])
        until(lambda: state_of(company).phase == "over")
        b.socket.send_json({"type": "sync"})
        assert b.until("view")["info"]["names"][:2] == ["Ali", "Ali 2"]
        fair = company.client.get(f"/m/{company.match}/fair", headers=b.person.headers).text
        assert "Ali 2" in fair


def test_a_match_that_is_over_cannot_be_given_up_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in the moment before the room has said that it is over."""
    with InCompany("AB", players=3, rules="parlour", set={"target": 5}) as company:
        seats = company.start()
        monkeypatch.setattr(company.rooms, "_do_soon", lambda _room: None)
        play_out(company, seats)
        assert state_of(company).phase == "playing"
        assert seats[1].room(type="concede")["code"] == "wrong_phase"
        companies = state_of(company).companies
        assert not any(seat.conceded for seat in companies[company.match])


def test_nobody_begins_matches_without_end_in_a_room() -> None:
    """As by every other door."""
    with InCompany("A") as company:
        company.rooms._starts = Attempts(0, 60.0)
        seats = company.gather()
        assert seats[0].room(type="start")["code"] == "too_fast"


def signed_in(company: InCompany, number: int, login: str) -> str:
    """Make an account, and have a guest sign in to it; returns the account's person."""
    people = company.client.app.state.people
    account, _ = company.call(people.new_guest)
    assert company.call(people.sign_up, account, login, PASSPHRASE) is None
    company.call(people.hand_over, company.people[number].id, account)
    return str(account)


def test_who_signs_in_after_leaving_finds_the_matches_of_before() -> None:
    """Seat and result are the account's, and a new browser that only has the seat now has neither."""
    with InCompany("AB", set=SHORT) as company:
        a, b = company.start()
        play_out(company, [a, b])
        until(lambda: state_of(company).phase == "over")
        moved: Any = company.call(company.rooms.open, company.room)
        assert company.call(company.rooms.move_seat, moved, company.people[0].id, "another") is None
        assert moved.viewer_at(company.match, company.people[0].id) == 0
        leave(b)
        account = signed_in(company, 1, "bora")
        assert moved.viewer_at(company.match, account) == 1
        results = company.call(company.rooms.results.of, account, 0, 10)
        assert [result.match for result in results] == [company.match]


def test_signing_in_at_a_table_passes_no_block() -> None:
    """Where the host has blocked the account, its guest is at the listed table no more."""
    with InCompany("AB", listed=True) as company:
        guest = company.people[1].at_room()
        assert guest.room(type="join")["type"] == "accepted"
        people = company.client.app.state.people
        account, _ = company.call(people.new_guest)
        assert company.call(people.sign_up, account, "bora", PASSPHRASE) is None
        company.call(people.block, company.people[0].id, account)
        company.call(people.hand_over, company.people[1].id, account)
        assert state_of(company).people == (company.people[0].id,)


@pytest.mark.parametrize("kind", [["a"], {}, 1, None, True])
def test_a_command_whose_type_is_no_text_is_refused(kind: Any) -> None:
    """With the code of any request that makes no sense."""
    with InCompany("A") as company:
        seat = company.people[0].at_room()
        assert seat.room(type=kind)["code"] == "bad_request"


def test_an_address_too_long_for_a_picture_has_none() -> None:
    """The waiting room is shown all the same."""
    with InCompany("A") as company:
        headers = {**company.people[0].headers, "host": "a" * 3000}
        page = company.client.get(f"/t/{company.room}", headers=headers)
        assert page.status_code == 200
        assert "qr-code" not in page.text
