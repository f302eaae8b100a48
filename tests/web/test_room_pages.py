"""The pages of several people: the way in, the waiting room, the lobby."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import segno

from tests.server.company import Company, Guest
from tests.server.process import Server
from tests.web.pages_client import Page


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(Path(tmp_path_factory.mktemp("rooms")) / "kupa.sqlite3") as running:
        yield running


@pytest.fixture
def come(server: Server) -> Iterator[Callable[..., Guest]]:
    """Lets somebody come with a browser of their own."""
    came: list[Guest] = []

    def made(name: str = "") -> Guest:
        came.append(Guest(server, name))
        return came[-1]

    yield made
    for guest in came:
        guest.client.close()


@pytest.fixture
def company(server: Server) -> Iterator[Company]:
    """Deniz, the host, and Elif, at a table for four that everybody may see."""
    with Company(server, "Deniz", "Elif", listed="yes") as made:
        yield made


Come = Callable[..., Guest]


def page_of(who: httpx.Client, path: str, status: int = 200, language: str = "tr") -> Page:
    answer = who.get(path, headers={"accept-language": language})
    assert answer.status_code == status, answer.text
    return Page(answer.text)


def commands_on(page: Page) -> list[str]:
    """Return what the buttons of a page do in the room."""
    return [given["data-do"] for _, given in page.elements if "data-do" in given]


def test_a_table_for_people_leads_to_its_waiting_room(come: Come) -> None:
    """Its host sits, has a name, and sees the code that others come with."""
    host = come("Deniz")
    room = host.open_room(think="60", players="", rules="parlour")
    page = page_of(host.client, f"/t/{room}")
    assert "Bekleme odası" in page.text
    assert "Salon · 4 kişi" in page.text
    assert "hamle başına 60 saniye" in page.text
    assert "1/4" in page.text


def test_the_form_of_a_table_keeps_what_was_chosen_for_people_when_it_is_refused(come: Come) -> None:
    answer = come("Deniz").client.post(
        "/matches",
        data={
            "game": "hearts",
            "company": "people",
            "rules": "klasik",
            "think": "120",
            "house-queen_points": "x",
        },
    )
    assert answer.status_code == 422
    page = Page(answer.text)
    chosen = {given["name"]: given["value"] for given in page.all("input") if "checked" in given}
    assert chosen["company"] == "people"
    assert chosen["think"] == "120"
    assert "watch" not in chosen


def test_a_name_that_cannot_be_is_told_at_its_field(come: Come) -> None:
    form = {"game": "hearts", "company": "people", "rules": "klasik", "name": "x" * 60}
    answer = come().client.post("/matches", data=form)
    assert answer.status_code == 422
    fields = {given.get("name"): given for given in Page(answer.text).all("input")}
    assert fields["name"]["aria-invalid"] == "true"


@pytest.mark.parametrize("language", ["tr", "en"])
def test_the_way_in_shows_the_table_and_asks_for_a_name(come: Come, company: Company, language: str) -> None:
    """Looking at it brings nobody in: links are looked at by programs, too."""
    stranger = come("Kerem")
    page = page_of(stranger.client, f"/t/{company.room}", language=language)
    assert "Deniz" in page.text
    assert any(given.get("name") == "name" for given in page.all("input"))
    assert "kupa_guest" not in stranger.client.cookies
    assert len([1 for given in page.all("span") if given.get("class") == "pip"]) == 2


def test_who_comes_in_sits_in_the_first_open_seat(come: Come, company: Company) -> None:
    kerem = come("Kerem")
    kerem.join(company.room)
    page = page_of(kerem.client, f"/t/{company.room}")
    assert "3/4" in page.text
    assert "Maçı başlatacak olan" not in page.text  # a seat is open, which is said first
    assert "1 yer boş" in page.text


def test_a_name_has_to_be_one(come: Come, company: Company) -> None:
    answer = come().client.post(f"/t/{company.room}/join", data={"name": " \u200b "})
    assert answer.status_code == 422
    assert "aria-invalid" in answer.text


def test_the_host_sees_what_a_host_can_do_and_others_do_not(company: Company) -> None:
    host = commands_on(page_of(company.host.client, f"/t/{company.room}"))
    friend = commands_on(page_of(company.guests[1].client, f"/t/{company.room}"))
    for kind in ("fill", "remove", "host", "bot"):
        assert any(f'"type": "{kind}"' in command for command in host), kind
        assert not any(f'"type": "{kind}"' in command for command in friend), kind
    assert any('"type": "sit"' in command for command in friend)


def test_the_waiting_room_holds_its_address_as_a_picture(company: Company) -> None:
    """The dark squares are those of a code of the very link that can be copied."""
    page = company.host.client.get(f"/t/{company.room}").text
    link = f"{company.host.client.base_url}/t/{company.room}".replace("//t", "/t")
    assert f'data-copy="{link}"' in page
    squares = re.search(r'class="qr-code".*?stroke="#111" d="([^"]+)"', page)
    assert squares is not None
    lines = sum(int(run) for run in re.findall(r"h(\d+)", squares[1]))
    assert lines == sum(map(sum, segno.make(link, error="m", micro=False).matrix))


def test_who_was_removed_cannot_come_back(company: Company) -> None:
    """The door says why, and stays closed."""
    friend = company.guests[1]
    person = company.host.room()["view"]["people"][1]
    company.host.do(type="remove", whom=person)
    answer = friend.client.post(f"/t/{company.room}/join", data={})
    assert answer.status_code == 422
    assert "Bu masadan çıkarıldın" in answer.text


def test_the_lobby_shows_tables_that_are_listed_while_somebody_is_there(
    server: Server, company: Company
) -> None:
    rooms = [given.get("data-room") for given in page_of(server.client, "/lobby").all("li")]
    assert company.room in rooms
    with Company(server, "Selin") as hidden:
        assert hidden.room not in server.client.get("/lobby").text
    for guest in company.guests:
        guest.go_away()
    assert company.room not in server.client.get("/lobby").text


def test_a_code_leads_to_its_table_however_it_is_typed(come: Come, company: Company) -> None:
    code = company.host.room()["code"]
    typed = f" {code[:3].swapcase()} {code[3:]} "
    answer = come().client.post("/lobby", data={"code": typed})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{company.room}")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("K7MPRı", "Kodlarda I, O, 0 ve 1 yoktur"),
        ("K7M", "Kodlar 6 harf ya da rakamdır"),
        ("ŞŞŞŞŞŞ", "İngilizce harflerden"),
        ("222222", "Bu kodla açık bir masa yok"),
    ],
)
def test_a_code_that_leads_nowhere_is_answered_with_why(come: Come, typed: str, told: str) -> None:
    answer = come().client.post("/lobby", data={"code": typed})
    assert answer.status_code == 422
    page = Page(answer.text)
    assert told in page.text
    assert next(given for given in page.all("input") if given.get("name") == "code")["value"] == typed


def test_codes_cannot_be_guessed_for_ever(tmp_path: Path) -> None:
    """After a dozen tries within a minute even the right code is not looked up."""
    with Server(tmp_path / "kupa.sqlite3") as server, Company(server, "Deniz") as company:
        code = company.host.room()["code"]
        answers = [server.client.post("/lobby", data={"code": "222222"}).text for _ in range(12)]
        assert all("Bu kodla açık bir masa yok" in answer for answer in answers)
        assert "Çok fazla denedin" in server.client.post("/lobby", data={"code": code}).text


def test_messages_of_somebody_who_is_hidden_are_read_no_more(company: Company) -> None:
    """And are read again when that is taken back."""
    host, friend = company.guests
    person = host.room()["view"]["people"][1]
    friend.ask("say", text="Merhaba")
    assert host.client.post(f"/t/{company.room}/mute", data={"person": person}).status_code == 303
    assert messages_of(host, company.room) == []
    assert host.client.post(f"/t/{company.room}/unmute", data={"person": person}).status_code == 303
    assert [message["text"] for message in messages_of(host, company.room)] == ["Merhaba"]


def messages_of(guest: Guest, room: str) -> list[dict[str, Any]]:
    """Return what somebody is told has been said, on coming in."""
    guest.be_at(f"/t/{room}")
    assert guest.socket is not None
    while True:
        frame = json.loads(guest.socket.recv(timeout=30))
        if frame["type"] == "messages":
            return list(frame["messages"])


def test_a_message_can_be_reported_by_who_could_read_it(come: Come, company: Company) -> None:
    """Twice is once, one's own is none, and from outside the room there is nothing to report."""
    host, friend = company.guests
    friend.ask("say", text="Merhaba")
    number = messages_of(host, company.room)[0]["id"]
    report = f"/t/{company.room}/report"
    assert host.client.post(report, data={"message": number}).status_code == 303
    assert host.client.post(report, data={"message": number}).status_code == 303
    assert friend.client.post(report, data={"message": number}).status_code == 409
    assert host.client.post(report, data={"message": number + 1}).status_code == 409
    assert host.client.post(report, data={"message": "٣"}).status_code == 404
    assert come().client.post(report, data={"message": number}).status_code == 403


def test_there_is_no_page_of_a_room_that_is_not(server: Server) -> None:
    for path in ("/t/AAAAAAAAAAAAAAAAAAAAAA", "/t/x"):
        assert server.client.get(path).status_code == 404
        assert server.client.post(f"{path}/join", data={}).status_code == 404


def test_the_waiting_room_leads_to_the_match_and_the_match_shows_ones_own_hand(company: Company) -> None:
    match = company.start()
    hands = []
    for guest in company.guests:
        answer = guest.client.get(f"/t/{company.room}")
        assert (answer.status_code, answer.headers["location"]) == (303, f"/m/{match}")
        page = page_of(guest.client, f"/m/{match}")
        cards = [given["data-card"] for given in page.all("button") if "data-card" in given]
        assert len(cards) == 13
        hands.append(set(cards))
    assert not hands[0] & hands[1]


def test_a_match_of_a_room_is_nobody_elses(come: Come, company: Company) -> None:
    """Whoever is not in the room is told that there is no such page; who comes in to watch sees no hand."""
    match = company.start()
    stranger = come("İzci")
    assert stranger.client.get(f"/m/{match}").status_code == 404
    stranger.join(company.room)
    page = page_of(stranger.client, f"/m/{match}")
    assert not [given for given in page.all("button") if "data-card" in given]
    assert "İzliyorsun" in page.text


def test_who_is_blocked_is_met_no_more_at_listed_tables_until_it_is_taken_back(server: Server) -> None:
    """The host blocks a guest at the table, who sees it no more in the lobby, until that is undone."""
    with Company(server, "Ayşe", "Can", listed="yes") as company:
        host, other = company.guests
        lobby = other.client.get("/lobby").text
        assert company.room in lobby
        person = host.room()["view"]["people"][1]
        done = host.client.post(f"/t/{company.room}/block", data={"person": person})
        assert (done.status_code, done.headers["location"]) == (303, f"/t/{company.room}")
        assert company.room not in other.client.get("/lobby").text
        mine = host.client.get("/account", headers={"accept-language": "en"}).text
        assert "Blocked" in mine
        assert "Can" in mine
        undone = host.client.post("/account/let-near", data={"person": person, "kind": "block"})
        assert undone.headers["location"] == "/account?done=let_near"
        assert "Blocked" not in host.client.get("/account", headers={"accept-language": "en"}).text
        assert company.room in other.client.get("/lobby").text
