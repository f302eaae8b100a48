"""The link with which somebody goes on in their seat on another device."""

from __future__ import annotations

import re

import pytest

from kupa.server.seat_links import LASTS, HeldSeat, SeatLinks
from tests.server.in_company import InCompany, Person
from tests.server.test_in_company import ended, state_of


def link_for(company: InCompany, person: Person) -> str:
    """Have somebody ask for a link; returns its path."""
    page = company.client.post(f"/t/{company.room}/link", headers=person.headers)
    assert page.status_code == 200
    found = re.search(r'value="http://[^/"]+(/rejoin/[\w-]+)"', page.text)
    assert found is not None
    return found[1]


def test_a_seat_moves_to_the_browser_that_opens_its_link() -> None:
    """Cards, name and seat go along; the old browser is told, and gets no more; the link is good once."""
    with InCompany("AB") as company:
        a, b = company.start()
        hand = b.fresh_view()["hand"]
        path = link_for(company, b.person)
        phone = Person(company, "Y")
        asked = company.client.get(path, headers={**phone.headers, "accept-language": "en"})
        assert "Go on here as B?" in asked.text
        moved = company.client.post(path, headers=phone.headers, follow_redirects=False)
        assert (moved.status_code, moved.headers["location"]) == (303, f"/t/{company.room}")
        assert state_of(company).seats[1].person == phone.id
        assert ended(b) == (4410, "no_place")
        seat = phone.at_table()
        seat.until("view")
        assert seat.view["hand"] == hand
        assert seat.play(type="pass", cards=hand[:3])["type"] == "accepted"
        for method in ("get", "post"):
            again = getattr(company.client, method)(path, headers=phone.headers)
            assert again.status_code == 404
        assert a.fresh_view()["passed"][1]


def test_who_already_sits_at_the_table_does_not_take_another_seat() -> None:
    """The link stays good for whom it was meant."""
    with InCompany("AB") as company:
        a, b = company.start()
        path = link_for(company, b.person)
        refused = company.client.post(path, headers=a.person.headers)
        assert refused.status_code == 409
        assert state_of(company).seats[1].person == b.person.id
        own = company.client.post(path, headers=b.person.headers, follow_redirects=False)
        assert own.headers["location"] == f"/t/{company.room}"
        assert company.client.get(path).status_code == 200


def test_only_who_is_in_a_room_gets_a_link_there() -> None:
    """Anybody else is refused."""
    with InCompany("A") as company:
        stranger = Person(company, "Z")
        assert company.client.post(f"/t/{company.room}/link", headers=stranger.headers).status_code == 403
        assert company.client.post(f"/t/{company.room}/link").status_code == 403


@pytest.mark.parametrize("token", ["x", "a" * 22, "ı" * 22])
def test_a_link_that_nobody_made_leads_nowhere(token: str) -> None:
    """The same sentence as for one that is used up."""
    with InCompany("A") as company:
        assert company.client.get(f"/rejoin/{token}").status_code == 404
        assert company.client.post(f"/rejoin/{token}").status_code == 404


def test_a_link_is_good_for_some_minutes_and_a_new_one_ends_the_old() -> None:
    """Of two links for one seat only the newer is good, until its time is over."""
    with InCompany("A") as company:
        time = 1_000_000
        links = SeatLinks(lambda: company.store.database, lambda: time)
        place = HeldSeat(company.room, company.people[0].id)
        old = company.call(links.make, place)
        new = company.call(links.make, place)
        assert company.call(links.look, old) is None
        assert company.call(links.look, new) == place
        time += LASTS * 60_000
        assert company.call(links.look, new) is None
        assert company.call(links.use_up, new) is None
