"""What people and bots in a company are called, also after they have left, and what may be checked then."""

from __future__ import annotations

from tests.server.in_company import InCompany
from tests.server.test_in_company import ended, play_out, state_of, until


def test_who_has_left_can_still_check_the_deal_and_is_still_called_by_name() -> None:
    """After the match fair page and record are whose who knows the address; B is "B" to the end."""
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
        assert company.client.get(f"/m/{company.match}", headers=b.person.headers).status_code == 404


def test_no_bot_is_called_as_somebody_in_the_room_is() -> None:
    """Elif sits in seat 1; the bots that would be called so have other names, all different."""
    with InCompany(["A", "Elif"], players=8, rules="cancellation") as company:
        seats = company.gather()
        frame = seats[0].fresh_room()
        assert sorted(frame["bots"]) == [str(seat) for seat in range(2, 8)]
        names = [*frame["bots"].values(), *frame["names"].values()]
        assert len(set(names)) == 8
