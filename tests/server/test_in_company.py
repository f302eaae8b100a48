"""A company at a table: who may do what, who is there, who stands in, and that nothing is lost."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from litestar.exceptions import WebSocketDisconnect

from kupa.rooms.state import Settings
from kupa.server import live_room, rooms
from kupa.server.sqlite_store import SqliteStore
from kupa.server.store import StoreError
from kupa.shuffle import is_fair
from tests.server.in_company import InCompany, Person, Seat

SPOKEN: list[dict[str, Any]] = [
    {"type": "sync"},
    {"type": "command", "id": "x1", "command": {"type": "pass", "cards": ["2C", "3C", "4C"]}},
    {"type": "command", "id": "x2", "command": {"type": "play", "card": "2C"}},
    {"type": "command", "id": "x3", "command": {"type": "moon", "choice": "add"}},
    {"type": "command", "id": "x4", "command": {"type": "claim"}},
    {"type": "say", "id": "x5", "text": "hello"},
    {"type": "react", "id": "x6", "text": "bravo"},
    *(
        {"type": "room", "id": f"r{number}", "command": command}
        for number, command in enumerate(
            [
                {"type": "sit", "seat": 0},
                {"type": "stand"},
                {"type": "leave"},
                {"type": "swap", "a": 0, "b": 1},
                {"type": "bot", "seat": 0, "level": "club"},
                {"type": "fill", "level": "club"},
                {"type": "open", "seat": 2},
                {"type": "remove", "whom": "b"},
                {"type": "host", "to": "b"},
                {"type": "contribute", "given": "00" * 16},
                {"type": "start"},
                {"type": "concede"},
                {"type": "back"},
                {"type": "rematch"},
            ]
        )
    ),
]
"""Every frame that a client can send."""
NOTHING = ("leave",)
"""What somebody without a place may ask for, and nothing comes of it."""


@pytest.fixture
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """People who are away are played for after a moment."""
    monkeypatch.setattr(rooms, "GRACE", 1.5)
    monkeypatch.setattr(live_room, "GRACE", 1.5)
    monkeypatch.setattr(rooms, "LOOKS_EVERY", 0.05)


def seqs(company: InCompany) -> tuple[int, int]:
    """How many events the room and the match have."""
    return (
        len(company.call(company.store.events, company.room, 0)),
        len(company.call(company.store.events, company.match, 0)),
    )


def ended(seat: Seat) -> tuple[int, str]:
    """Read a socket to its end; returns the code with which it is closed, and that of the error before it."""
    code = 0
    try:
        while True:
            seat.receive()
    except WebSocketDisconnect as closed:
        code = closed.code
    last = seat.frames[-1]
    assert last["type"] == "error"
    assert last["message"]
    return code, last["code"]


def told_off(seat: Seat) -> int:
    """Read a socket to its end; returns the code with which it is closed, after one frame that says why."""
    code, _ = ended(seat)
    assert len(seat.frames) == 1
    return code


def stranger(company: InCompany) -> Person:
    """Somebody with a good token of their own, and no business here."""
    return Person(company, "Z")


def forged(company: InCompany) -> Person:
    """Somebody whose token nobody has given out."""
    person = Person(company, "Z")
    token = person.headers["authorization"]
    person.headers["authorization"] = token[:-4] + ("AAAA" if not token.endswith("AAAA") else "BBBB")
    return person


def nobody(company: InCompany) -> Person:
    """Somebody without a token."""
    person = Person(company, "Z")
    person.headers = {}
    return person


@pytest.mark.parametrize("who", [stranger, forged, nobody])
def test_who_has_no_business_at_a_table_sees_and_does_nothing(who: Callable[[InCompany], Person]) -> None:
    """The match of a room does not exist for them: on its socket, its pages, its interface."""
    with InCompany("AB") as company:
        company.start()
        before = seqs(company)
        person = who(company)
        assert told_off(person.at_table()) == 4404
        for path in ("/m/{}", "/m/{}/record", "/m/{}/fair", "/api/matches/{}"):
            answer = company.client.get(path.format(company.match), headers=person.headers)
            assert answer.status_code == 404, path
        for number, frame in enumerate(SPOKEN):
            if frame["type"] == "command":
                answer = company.client.post(
                    f"/api/matches/{company.match}/commands",
                    json={"id": f"h{number}", "command": frame["command"]},
                    headers=person.headers,
                )
                assert answer.status_code == 404
        assert seqs(company) == before


def test_a_stranger_who_knows_the_address_of_a_room_may_look_and_do_nothing() -> None:
    """Every frame is refused and changes nothing, but for coming in."""
    with InCompany("AB") as company:
        company.start()
        before = seqs(company)
        seat = stranger(company).at_room()
        assert seat.until("room")["view"]["my_seat"] is None
        for frame in SPOKEN:
            if frame["type"] == "sync":
                continue
            seat.socket.send_json(frame)
            answer = seat.receive()
            while answer["type"] not in {"accepted", "refused"}:
                answer = seat.receive()
            kind = frame.get("command", {}).get("type")
            assert answer["type"] == ("accepted" if kind in NOTHING else "refused"), frame
        assert seqs(company) == before


def test_a_watcher_sees_the_table_and_can_do_nothing_at_it() -> None:
    """Every frame of the play is refused; the host's words are the host's."""
    with InCompany("ABW") as company:
        watcher = company.start(watchers=1)[2]
        before = seqs(company)
        assert watcher.view["hand"] == []
        for frame in SPOKEN:
            kind = frame.get("command", {}).get("type")
            if frame["type"] in {"sync", "say", "react"} or kind == "leave":
                continue
            watcher.socket.send_json(frame)
            answer = watcher.receive()
            while answer["type"] not in {"accepted", "refused"}:
                answer = watcher.receive()
            assert answer["type"] == "refused", frame
        answer = company.client.post(
            f"/api/matches/{company.match}/commands",
            json={"id": "h", "command": {"type": "claim"}},
            headers=watcher.person.headers,
        )
        assert answer.status_code == 409
        assert seqs(company) == before


def test_who_is_sent_away_is_told_so_and_gets_nothing_more() -> None:
    """The socket ends with a sentence; another is not opened; the others' talk is not heard."""
    with InCompany("AB") as company:
        host, other = (person.at_room() for person in company.people)
        other.until("room")
        other.room(type="join")
        assert host.room(type="remove", whom=other.person.id)["type"] == "accepted"
        assert ended(other) == (4410, "removed_from_room")
        assert told_off(other.person.at_room()) == 4410
        assert host.ask({"type": "say", "text": "gone"})["type"] == "accepted"


def test_who_has_signed_out_everywhere_gets_nothing_more() -> None:
    """An old socket, however long open, neither hears nor does anything once its session has ended."""
    with InCompany("AB") as company:
        seats = company.start()
        before = seqs(company)
        person = seats[1].person
        company.call(company.client.app.state.people.end_all_sessions, person.id)
        seats[1].socket.send_json(SPOKEN[5])
        assert ended(seats[1]) == (4401, "signed_out")
        assert seqs(company) == before
        assert told_off(person.at_table()) == 4404


def test_somebody_who_drops_and_returns_a_hundred_times_is_one_person_in_one_seat() -> None:
    """The roster has one entry, the seat the same owner, the view is what it was."""
    with InCompany("AB") as company:
        seats = company.start()
        view = seats[1].fresh_view()
        before = seqs(company)
        for _ in range(100):
            again = seats[1].person.at_table()
            again.until("view")
            assert again.view == view
            again.close()
        frame = seats[0].told
        assert [seat["person"] for seat in frame["view"]["seats"]].count(seats[1].person.id) == 1
        assert frame["view"]["people"].count(seats[1].person.id) == 1
        assert seqs(company) == before


def test_two_tabs_of_one_person_show_the_same() -> None:
    """What is played in one is seen in the other."""
    with InCompany("AB") as company:
        seats = company.start()
        other = seats[0].person.at_table()
        other.until("view")
        seats[0].play(type="pass", cards=seats[0].view["hand"][:3])
        assert other.fresh_view() == seats[0].fresh_view()
        assert other.fresh_view()["my_pass"] is not None


def until(what: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def state_of(company: InCompany) -> Any:
    """The room as it is."""
    return company.rooms._rooms[company.room].room


@pytest.mark.usefixtures("short_grace")
def test_a_bot_stands_in_for_who_is_away_and_yields_when_they_are_back() -> None:
    """The match goes on without B, by a bot with a name; B comes back to the own seat and plays."""
    with InCompany("AB") as company:
        a, b = company.start()
        b.close()
        until(lambda: state_of(company).seats[1].bot_plays)
        assert a.act()
        frame = a.fresh_room()
        assert frame["view"]["seats"][1]["bot_plays"]
        assert frame["presence"][b.person.id] == "away"
        assert frame["bots"]["1"]
        until(lambda: a.fresh_view()["phase"] == "play")
        back = b.person.at_table()
        back.until("view")
        until(lambda: not state_of(company).seats[1].bot_plays)
        for _ in range(30):
            for seat in (a, back):
                seat.act()
        assert back.view["seat"] == 1
        assert len(back.view["tricks"]) + back.view["round"] > 1


@pytest.mark.usefixtures("short_grace")
def test_a_blip_costs_nothing() -> None:
    """Who is back within the grace plays on as if nothing had been."""
    with InCompany("AB", think=30) as company:
        a, b = company.start()
        before = seqs(company)
        deadlines = a.fresh_room()["deadlines"]
        b.close()
        time.sleep(0.1)
        again = b.person.at_table()
        again.until("view")
        time.sleep(2.0)
        assert not state_of(company).seats[1].bot_plays
        assert seqs(company) == before
        assert 0 < deadlines["1"] <= 30_000


def test_who_takes_too_long_is_played_for_once_and_comes_back_by_playing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a think time the table does not wait for ever."""
    monkeypatch.setattr(rooms, "LOOKS_EVERY", 0.05)
    monkeypatch.setattr(rooms, "THINK", range(1, 100))
    with InCompany("AB", think=1) as company:
        a, b = company.start()
        until(lambda: all(seat.bot_plays for seat in state_of(company).seats[:2]))
        assert a.room(type="back")["type"] == "accepted"
        happened = [entry.data for entry in company.call(company.store.events, company.room, 0)]
        assert {"type": "came_back", "seat": 0} in happened
        assert b.ask({"type": "say", "text": "still here"})["type"] == "accepted"


@pytest.mark.usefixtures("short_grace")
def test_a_match_pauses_when_the_last_person_has_gone_and_goes_on_when_one_is_back() -> None:
    """Nobody there: no bot stands in, and no card falls."""
    with InCompany("AB") as company:
        seats = company.start()
        for seat in seats:
            seat.close()
        before = seqs(company)
        time.sleep(2.5)
        assert seqs(company) == before
        again = seats[0].person.at_table()
        again.until("view")
        assert again.view["phase"] == "pass"


@pytest.mark.usefixtures("short_grace")
def test_who_watches_alone_watches_nothing() -> None:
    """A watcher does not keep a match going whose players have gone."""
    with InCompany("ABW") as company:
        seats = company.start(watchers=1)
        for seat in seats[:2]:
            seat.close()
        before = seqs(company)
        time.sleep(2.5)
        assert seqs(company) == before


def test_who_concedes_is_played_for_to_the_end_and_may_watch() -> None:
    """The seat is given up for this match; nothing brings it back."""
    with InCompany("AB") as company:
        a, b = company.start()
        assert b.room(type="concede")["type"] == "accepted"
        assert b.room(type="back")["code"] == "seat_given_up"
        assert b.play(type="pass", cards=b.view["hand"][:3])["code"] == "seat_given_up"
        a.act()
        until(lambda: a.fresh_view()["phase"] == "play")


def play_out(company: InCompany, seats: list[Seat]) -> None:
    """Play the match to its end."""
    for _ in range(3000):
        for seat in seats:
            seat.act()
        if seats[0].view["phase"] == "over":
            return
    raise AssertionError("the match does not end")


@pytest.fixture
def sqlite(tmp_path: Path) -> SqliteStore:
    """A store in a file."""
    return SqliteStore(tmp_path / "kupa.sqlite3")


def test_after_the_match_the_deal_is_shown_and_the_company_plays_another(sqlite: SqliteStore) -> None:
    """What was promised was kept; everybody keeps the seat; the next deal is sealed anew."""
    with InCompany("AB", sqlite, set={"target": 20}) as company:
        seats = company.start()
        sealed = seats[0].told["view"]["commitment"]
        play_out(company, seats)
        until(lambda: state_of(company).phase == "over")
        frame = seats[1].until("room")
        while frame["view"]["revealed"] is None:
            frame = seats[1].until("room")
        shown = frame["view"]["revealed"]
        assert shown["commitment"] == sealed
        given = tuple(map(bytes.fromhex, shown["contributions"]))
        assert is_fair(sealed, bytes.fromhex(shown["secret"]), given, shown["seed"])
        for person in company.people:
            answer = company.client.get(f"/m/{company.match}/record", headers=person.headers)
            assert answer.status_code == 200
            assert f"fair secret {shown['secret']}" in answer.text
            assert company.client.get(f"/m/{company.match}/fair", headers=person.headers).status_code == 200
        assert seats[1].room(type="rematch")["type"] == "accepted"
        assert seats[0].room(type="swap", a=0, b=1)["type"] == "accepted"
        first = company.match
        for number, seat in enumerate(seats):
            assert seat.room(type="contribute", given=f"{number + 7:02x}" * 16)["type"] == "accepted"
        company.begin(seats[0])
        assert company.match != first
        # The sockets of the match before are told so, too, although its seats were others.
        swapped = [person.id for person in reversed(company.people)]
        assert [seat["person"] for seat in seats[1].fresh_room()["view"]["seats"][:2]] == swapped


def test_a_room_and_its_match_come_back_after_a_restart(sqlite: SqliteStore) -> None:
    """Another process on the same file: same people by the same tokens, same seats, same views."""
    with InCompany("AB", sqlite) as company:
        seats = company.start()
        assert seats[0].act()
        views = [seat.fresh_view() for seat in seats]
        tokens = [person.headers for person in company.people]
        room, match = company.room, company.match
    with InCompany("AB", SqliteStore(sqlite.path)) as again:
        again.room, again.match = room, match
        for person, token, view in zip(again.people, tokens, views, strict=True):
            person.headers = token
            seat = person.at_table()
            seat.until("view")
            assert seat.view == view


def test_a_match_that_a_crash_has_left_unmade_is_made_when_the_room_is_opened(sqlite: SqliteStore) -> None:
    """The room's log says that it began: whoever comes next finds it dealt as was sealed."""
    with InCompany("AB", sqlite) as company:
        seats = company.gather()
        begin = company.client.app.state.tables.begin

        async def crash(*_: Any) -> None:
            raise StoreError("store_failed")

        company.client.app.state.tables.begin = crash
        assert seats[0].room(type="start")["code"] == "store_failed"
        assert state_of(company).phase == "playing"
        company.client.app.state.tables.begin = begin
        company.match = state_of(company).deal.match
        person = company.people[1]
        page = company.client.get(f"/t/{company.room}", headers=person.headers, follow_redirects=False)
        assert page.headers["location"] == f"/m/{company.match}"
        assert person.at_table().until("view")["view"]["phase"] == "pass"


# -- the lobby


def test_the_lobby_shows_listed_rooms_whose_people_are_there() -> None:
    """Not private ones, not empty ones, not those of people whom one keeps away from."""
    with InCompany("AB", listed=True) as company:
        host, other = company.people
        people = company.client.app.state.people
        listed = company.rooms.listed
        assert company.call(listed, other.id) == []
        seat = host.at_room()
        seat.until("room")
        assert [frame["id"] for frame in company.call(listed, other.id)] == [company.room]
        assert [frame["id"] for frame in company.call(listed, None)] == [company.room]
        assert company.call(people.block, other.id, host.id) is None
        assert company.call(listed, other.id) == []
    with InCompany("A") as company:
        company.people[0].at_room().until("room")
        assert company.call(company.rooms.listed, None) == []


def test_a_code_leads_to_its_room_until_all_have_left() -> None:
    """Six letters and digits; the room of nobody has none."""
    with InCompany("A") as company:
        seat = company.people[0].at_room()
        code = seat.until("room")["code"]
        assert company.call(company.rooms.by_code, code) == company.room
        seat.room(type="leave")
        assert company.call(company.rooms.by_code, code) is None


def test_the_host_who_stays_away_is_replaced_by_who_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the others can begin."""
    monkeypatch.setattr(rooms, "HOST_MISSED_AFTER", 0.2)
    monkeypatch.setattr(rooms, "LOOKS_EVERY", 0.05)
    with InCompany("AB") as company:
        a, b = company.gather()
        a.close()
        until(lambda: state_of(company).host == b.person.id)


def test_a_room_with_rules_that_cannot_be_is_refused() -> None:
    """As a match would be, and with a think time that is none."""
    with InCompany("A") as company:
        for rules, players in (("whist", 4), ("klasik", 40)):
            settings = Settings(rules=rules, players=players)
            assert company.call(company.rooms.create, company.people[0].id, settings).code
        settings = Settings(rules="klasik", players=4, think=1)
        assert company.call(company.rooms.create, company.people[0].id, settings).code == "bad_request"


def test_the_front_page_leads_back_to_the_rooms_that_one_is_in() -> None:
    """While it waits and while it plays, with whose turn it is; not a stranger's, and not after leaving."""
    with InCompany("AB") as company:
        english = {"accept-language": "en"}
        person = company.people[0]
        company.gather()

        def front(who: Person) -> str:
            return company.client.get("/", headers={**who.headers, **english}).text

        assert f'href="/t/{company.room}"' in front(person)
        assert "waiting room" in front(person)
        seat = company.people[0].at_room()
        seat.until("room")
        company.begin(seat)
        assert "round 1" in front(person)
        assert "waiting room" not in front(person)
        assert company.room not in front(stranger(company))
        assert seat.room(type="leave")["type"] == "accepted"
        assert company.room not in front(person)
