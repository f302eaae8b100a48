"""The page that tells whether a deal was fair, and the record to check it with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient
from msgspec.structs import replace

from kupa.catalogue import messages, text
from kupa.game import replay
from kupa.hearts.game import HEARTS
from kupa.hearts.presets import PRESETS
from kupa.record import Record, read_record, write_record
from kupa.rooms import events as room_events
from kupa.rooms.room import ROOMS
from kupa.server.app import create_app
from kupa.server.fair_pages import OF_THE_SEAL, fair_context
from kupa.server.memory_store import MemoryStore
from kupa.server.room_index import RoomIndex
from kupa.server.store import MatchRecord, NewEvent
from kupa.verification import KEPT, check_record
from tests.fair_matches import FairRoom, changed
from tests.hearts.random_play import started
from tests.web.pages_client import Page

OVER, PLAYING, ROOM = "over-over-over-over-oo", "play-play-play-play-pp", "room-room-room-room-rr"


@cache
def company() -> FairRoom:
    """Return a room with a match that is over, and one in play."""
    room = FairRoom("page")
    room.play(OVER)
    room.again()
    room.play(PLAYING, rounds=1)
    return room


def record_of(match_id: str, game: Any, *, over: bool, room: str | None = None) -> MatchRecord:
    """Return what the store keeps of a match of four, or of a room."""
    facts: dict[str, Any] = {
        "preset": "klasik", "changed": [], "players": 4, "names": [None, "Deniz", "Elif", "Kerem"],
        "bots": "beginner", "luck": "luck",
    }  # fmt: skip
    if room is not None:
        facts["room"] = room
    return MatchRecord(match_id, game.name, None, facts if game is HEARTS else {}, 1, 1, over=over)


Logs = list[tuple[MatchRecord, list[Any]]]


@contextmanager
def client_of(logs: Logs) -> Iterator[TestClient[Any]]:
    """Return a client of a server that keeps these logs: that of the host, if there is a room among them."""
    store = MemoryStore()
    with TestClient(create_app(store), base_url="http://kupa.test") as client, client.portal() as portal:
        client.headers.update({"sec-fetch-site": "same-origin", "accept-language": "en"})
        people = client.app.state.people
        host, token = portal.call(people.new_guest)
        portal.call(people.rename, host, "Ayşe")

        def written(event: Any, game: Any) -> NewEvent:
            text = msgspec.json.encode(game.write_event(event)).decode()
            return NewEvent(1, msgspec.json.decode(text.replace('"ayşe"', f'"{host}"')))

        for record, events in logs:
            game: Any = ROOMS if record.game == ROOMS.name else HEARTS
            portal.call(store.create, record, [written(event, game) for event in events])
            if game is ROOMS and isinstance(events[0], room_events.Opened):
                index = RoomIndex(lambda: store.database, lambda: 1)
                portal.call(index.add, record.id, replay(ROOMS, events))
        client.headers["authorization"] = f"Bearer {people.tokens.signed(token)}"
        yield client


def of_the_room(log: list[Any]) -> Logs:
    """Return a room's log with its two matches."""
    matches = company().matches
    return [
        (record_of(ROOM, ROOMS, over=False), log),
        (record_of(OVER, HEARTS, over=True, room=ROOM), matches[OVER]),
        (record_of(PLAYING, HEARTS, over=False, room=ROOM), matches[PLAYING]),
    ]


def test_after_the_match_everything_is_shown_and_kept() -> None:
    """Commitment, secret, seed, every contribution and every round; nothing is "not kept"."""
    fair = company().record(OVER).fair
    assert fair is not None
    with client_of(of_the_room(company().events)) as client:
        answer = client.get(f"/m/{OVER}/fair")
        assert answer.status_code == 200
        shown = Page(answer.text).text
        assert fair.commitment in shown
        assert fair.secret is not None
        assert fair.secret in shown
        assert company().matches[OVER][0].seed in shown
        assert all(given in shown for given in fair.contributions)
        assert shown.count("a bot: nothing") == 2
        assert "not kept" not in shown
        rounds = len(check_record(company().record(OVER)).rounds)
        assert f"Round {rounds} kept Rules kept" in shown
        assert text("en", "fair.lead.kept") in shown


def test_the_record_to_download_has_the_seal_and_is_kept() -> None:
    """What the page offers is what `kupa verify` takes."""
    with client_of(of_the_room(company().events)) as client:
        page = Page(client.get(f"/m/{OVER}/fair").text)
        assert f"/m/{OVER}/record" in [link.get("href") for link in page.all("a")]
    record = company().record(OVER)
    read = read_record(write_record(record))
    assert read == record
    assert check_record(record).verdict == KEPT


def test_before_the_end_only_the_commitment_is_shown() -> None:
    """No secret, no seed, no contribution and no card is on the page of a match in play."""
    deal = company().room.deal  # type: ignore[union-attr]
    assert deal.match == PLAYING
    with client_of(of_the_room(company().events)) as client:
        answer = client.get(f"/m/{PLAYING}/fair")
        assert answer.status_code == 200
        assert deal.commitment in answer.text
        hidden = [deal.secret, deal.seed, *filter(None, deal.contributions)]
        assert len(hidden) == 4
        assert not [value for value in hidden if value in answer.text]
        assert "/record" not in answer.text
        assert text("en", "fair.lead.sealed") in Page(answer.text).text


def test_a_contribution_that_is_not_what_was_given_is_told() -> None:
    """The page looks into the room's log, not only at what was shown."""
    log = changed(company().events, room_events.Contributed, 0, given="00" * 16)
    with client_of(of_the_room(log)) as client:
        shown = Page(client.get(f"/m/{OVER}/fair").text).text
    assert text("en", "fair.lead.broken") in shown
    assert "what the deal was made of is not what was given" in shown


@pytest.mark.parametrize("over", [True, False])
def test_a_match_against_bots_has_no_seal_and_its_seed_only_at_the_end(over: bool) -> None:
    """While it is played its seed would tell every hand."""
    solo: list[Any] = company().matches[OVER]
    if not over:
        _, solo = started(PRESETS["klasik"].rulebook(), "a seed of its own", "klasik")
    with client_of([(record_of(OVER, HEARTS, over=over), solo)]) as client:
        answer = client.get(f"/m/{OVER}/fair")
    assert answer.status_code == 200
    assert (solo[0].seed in answer.text) == over
    assert text("en", "fair.lead.seed") in Page(answer.text).text


def test_what_is_no_match_of_hearts_has_no_such_page() -> None:
    """Nobody's id, a room, a patience: 404; a damaged room: an error of ours, and no traceback."""
    with client_of(of_the_room(company().events)) as client:
        assert client.get("/m/nobodynobodynobodynobo/fair").status_code == 404
        body = {"game": "heart-to-heart", "code": "HH1-N-AAAAAAM"}
        patience = client.post("/api/matches", json=body).json()["id"]
        assert client.get(f"/m/{patience}/fair").status_code == 404
        assert client.get(f"/m/{patience}/record").status_code == 200


def test_who_has_no_place_at_a_match_learns_nothing_of_it_before_it_is_over() -> None:
    """For somebody else, and somebody unknown, there is no such match; one that is over anybody may check."""
    with client_of(of_the_room(company().events)) as client, client.portal() as portal:
        _, token = portal.call(client.app.state.people.new_guest)
        client.headers["authorization"] = f"Bearer {client.app.state.people.tokens.signed(token)}"
        assert client.get(f"/m/{OVER}/fair").status_code == 200
        assert client.get(f"/m/{PLAYING}/fair").status_code == 404
        del client.headers["authorization"]
        assert client.get(f"/m/{PLAYING}/fair").status_code == 404


def test_the_page_is_in_both_languages_and_valid() -> None:
    """Every element is closed, and the language of the page is the reader's."""
    with client_of(of_the_room(company().events)) as client:
        for language in ("tr", "en"):
            answer = client.get(f"/m/{OVER}/fair", headers={"accept-language": language})
            assert f'<html lang="{language}"' in answer.text
            assert text(language, "fair.title") in Page(answer.text).text


def test_every_fault_has_its_place_on_the_page() -> None:
    """No fault that there can be is left out; the names of the seats stand in its sentence."""
    rounds = {"other_cards", "other_kitty", "other_hands"}
    placed = set().union(*OF_THE_SEAL.values()) | rounds
    keys = {key.removeprefix("fair.fault.") for key in messages("en") if key.startswith("fair.fault.")}
    assert placed == keys
    record: Record = company().record(OVER)
    assert record.fair is not None
    forged = replace(record, fair=replace(record.fair, contributions=("xy", *record.fair.contributions[1:])))
    context = fair_context("en", forged, ["Ayşe", None, None, None], check_record(forged))
    assert context["faults"]["contributions"] == ["Contribution, Ayşe: it is not 16 bytes."]
