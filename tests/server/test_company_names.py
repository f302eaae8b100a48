"""What people and bots in a company are called, also after they have left, and what may be checked then."""

from __future__ import annotations

import re

from kupa.server.bots import NAMES, names_for
from tests.server.in_company import InCompany, Person
from tests.server.test_in_company import ended, play_out, state_of, until


def test_who_has_left_can_still_check_the_deal_and_is_still_called_by_name() -> None:
    """After the match its pages are whose who knows the address or sat there; B is "B" to the end."""
    with InCompany("AB", set={"target": 20}) as company:
        a, b = company.start()
        assert b.ask({"type": "say", "text": "bye"})["type"] == "accepted"
        b.socket.send_json({"type": "room", "id": "go", "command": {"type": "leave"}})
        assert ended(b) == (4410, "no_place")
        fair, record = f"/m/{company.match}/fair", f"/m/{company.match}/record"
        assert company.client.get(fair, headers=b.person.headers).status_code == 404
        again = company.people[0].at_table()
        assert again.until("room")["names"][b.person.id] == "B"
        assert again.until("messages")["names"] == {b.person.id: "B"}
        play_out(company, [a])
        until(lambda: state_of(company).phase == "over")
        assert company.client.get(fair, headers=b.person.headers).status_code == 200
        assert "fair secret" in company.client.get(record, headers=b.person.headers).text
        again_seen = b.person.at_table().until("view")
        assert again_seen["info"]["seat"] == 1
        assert again_seen["info"]["names"][:2] == ["A", "B"]
        assert (again_seen["info"]["gave_up"], again_seen["info"]["room"]) == ([1], None)
        stranger = Person(company, "Z")
        assert company.client.get(f"/m/{company.match}", headers=stranger.headers).status_code == 404


def test_eleven_seats_have_eleven_names_whoever_has_taken_those_of_bots() -> None:
    """Also when people are called as bots usually are."""
    seats = range(2, 11)
    named = names_for(seats, NAMES)
    assert len({*named.values(), *NAMES}) == len(seats) + len(NAMES)


def test_who_has_given_up_is_not_told_that_the_points_of_the_bot_are_their_own() -> None:
    """The end of the match says that a bot has played it, and nothing else of it to the others."""
    with InCompany("AB", players=3, rules="parlour", set={"target": 5}) as company:
        a, b = company.start()
        assert b.room(type="concede")["type"] == "accepted"
        play_out(company, [a])
        until(lambda: state_of(company).phase == "over")
        english = {"accept-language": "en"}
        told = []
        for seat in (a, b):
            page = company.client.get(f"/m/{company.match}", headers={**seat.person.headers, **english}).text
            told += re.findall(r'<h2 tabindex="-1">(.*?)</h2><p class="lead-p">(.*?)</p>', page)
        assert "bot in your place" not in " ".join(told[0])
        assert "You gave this match up; the bot in your place finished in place" in told[1][1]
        assert told[1][0] in {"The bot in your place won", "A won", "Elif won", "Kerem won", "Zeynep won"}


def test_an_earlier_match_of_a_room_shows_who_sat_there_then() -> None:
    """Seats that were changed for the next match, and names that were changed since, are told rightly."""
    with InCompany("AB", set={"target": 20}) as company:
        a, b = company.start()
        first = company.match
        play_out(company, [a, b])
        until(lambda: state_of(company).phase == "over")
        for command in ({"type": "rematch"}, {"type": "swap", "a": 0, "b": 1}):
            assert a.ask({"type": "room", "command": command})["type"] == "accepted"
        company.start()
        company.match = first
        seen = company.people[1].at_table().until("view")
        assert (seen["info"]["names"][:2], seen["info"]["seat"]) == (["A", "B"], 1)
        assert seen["info"]["past_room"] == company.room


def test_of_two_people_with_one_name_the_later_has_a_number() -> None:
    """Nobody at a table is mistaken for somebody else, in seats and in the room."""
    with InCompany(["Ali", "Ali", "Ali 2"]) as company:
        seats = company.start()
        seats[2].socket.send_json({"type": "sync"})
        assert seats[2].until("view")["info"]["names"][:3] == ["Ali", "Ali 3", "Ali 2"]
        assert list(seats[0].fresh_room()["names"].values()) == ["Ali", "Ali 3", "Ali 2"]


def test_no_bot_is_called_as_somebody_in_the_room_is() -> None:
    """Elif sits in seat 1; the bots that would be called so have other names, all different."""
    with InCompany(["A", "Elif"], players=8, rules="cancellation") as company:
        seats = company.gather()
        frame = seats[0].fresh_room()
        assert sorted(frame["bots"]) == [str(seat) for seat in range(2, 8)]
        names = [*frame["bots"].values(), *frame["names"].values()]
        assert len(set(names)) == 8
