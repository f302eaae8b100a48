"""The HTTP side of the contract, and that every door answers bad input in its own clear way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from litestar import Litestar, get
from litestar.testing import TestClient

from kupa import catalogue
from kupa.server import pages
from kupa.server.app import LARGEST_BODY, create_app
from kupa.server.attempts import Limit
from kupa.server.memory_store import MemoryStore
from kupa.server.store import StoreError
from tests.server.playing import UNLIMITED
from tests.server.toy import BOTS, GAMES, NoPages

Client = TestClient[Litestar]
RECORDS: Final = Path(__file__).parents[1] / "records"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """Kupa as it is, over a store in memory."""
    with TestClient(create_app(MemoryStore()), raise_server_exceptions=False) as made:
        made.app.state.made = UNLIMITED
        yield made


@pytest.fixture
def toy() -> Iterator[Client]:
    app = create_app(MemoryStore(), GAMES, BOTS, NoPages())
    with TestClient(app, raise_server_exceptions=False) as made:
        yield made


def made(client: Client, **body: Any) -> str:
    answer = client.post("/api/matches", json=body)
    assert answer.status_code == 201, answer.text
    match_id = answer.json()["id"]
    assert answer.json() == {"id": match_id, "url": f"/m/{match_id}"}
    assert isinstance(match_id, str)
    return match_id


def assert_error(answer: Any, status: int, code: str) -> None:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert set(answer.json()) == {"error"}
    assert set(answer.json()["error"]) - {"field"} == {"code", "message"}
    assert answer.json()["error"]["code"] == code
    assert answer.json()["error"]["message"]


def test_a_field_at_fault_is_named(client: Client) -> None:
    """What a rulebook cannot be is told with the field, so that a form can show it there."""
    body = {"game": "hearts", "rules": "cardems", "set": {"target": 0}}
    error = client.post("/api/matches", json=body).json()["error"]
    assert (error["code"], error["field"]) == ("bad_rules", "target")


def test_a_match_of_heart_to_heart_is_made_seen_and_played(client: Client) -> None:
    """The whole contract without a socket, for the patience."""
    match = made(client, game="heart-to-heart", code="hh1-n-aaaaaam")
    seen = client.get(f"/api/matches/{match}").json()
    assert (seen["id"], seen["game"], seen["seq"]) == (match, "heart-to-heart", 1)
    assert seen["view"]["code"] == "HH1-N-AAAAAAM"
    command = {"id": "c1", "command": {"type": "tap", "at": "stock"}}
    for _ in range(2):
        assert client.post(f"/api/matches/{match}/commands", json=command).json() == {"ok": True, "seq": 2}
    assert client.get(f"/api/matches/{match}").json()["view"]["moves"] == 1


def test_a_match_of_hearts_is_made_seen_and_played(client: Client) -> None:
    """The whole contract without a socket, for Hearts: the person passes, the bots have passed already."""
    match = made(client, game="hearts", rules="parlour", players=5, set={"target": 50}, seed="ğüş")
    view = client.get(f"/api/matches/{match}").json()["view"]
    assert view["phase"] == "pass"
    assert view["rules"]["target"] == 50
    assert len(view["counts"]) == 5
    command = {"id": "c1", "command": {"type": "pass", "cards": view["hand"][: view["rules"]["pass_count"]]}}
    answer = client.post(f"/api/matches/{match}/commands", json=command)
    assert answer.json()["ok"] is True


def test_two_matches_without_a_deal_are_dealt_differently(client: Client) -> None:
    """Randomness comes in where none was asked for."""
    for body in ({"game": "hearts", "rules": "cardems"}, {"game": "heart-to-heart"}):
        views = [client.get(f"/api/matches/{made(client, **body)}").json()["view"] for _ in range(3)]
        deals = {str(view.get("hand") or view["code"]) for view in views}
        assert len(deals) == 3


def test_what_a_game_refuses_is_told_with_its_code_in_the_language_of_the_request(client: Client) -> None:
    """A refused start is 422, a refused command 409, a command that makes no sense 400."""
    match = made(client, game="hearts", rules="cardems")
    address = f"/api/matches/{match}/commands"
    play = {"id": "a", "command": {"type": "play", "card": "2C"}}
    assert_error(client.post("/api/matches", json={"game": "hearts", "rules": "whist"}), 422, "unknown_rules")
    assert_error(client.post("/api/matches", json={"game": "heart-to-heart", "code": "HH1"}), 422, "bad_code")
    assert_error(client.post(address, json=play), 409, "wrong_phase")
    assert_error(client.post(address, json={"id": "b", "command": {"type": "fly"}}), 400, "bad_request")
    sentences = {
        language: client.post(address, json=play, headers={"accept-language": language}).json()["error"][
            "message"
        ]
        for language in ("tr", "en")
    }
    assert sentences["tr"] != sentences["en"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"x"',
        b"{}",
        b'{"game": 3}',
        b'{"game": "chess"}',
        b'{"game": "hearts"}',
        b'{"game": "hearts", "rules": "cardems", "unknown": 1}',
        b'{"game": "hearts", "rules": "cardems", "players": "4"}',
        b'{"game": "hearts", "rules": "cardems", "set": []}',
        b'{"game": "hearts", "rules": "cardems", "code": "HH1-N-AAAAAAM"}',
        b'{"game": "heart-to-heart", "code": 1}',
        b'{"game": "\xff"}',
        b'{"game": "hearts", "rules": "cardems", "seed": "\\ud800"}',
        b'{"game": "hearts", "rules": "cardems", "rules": "klasik"}',
        b'{"game": "hearts", "rules": "cardems", "set": {"target": 50, "target": 60}}',
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b"1" * 60_000,
    ],
    ids=range(21),
)
def test_a_body_that_makes_no_sense_is_a_bad_request(client: Client, body: bytes) -> None:
    """Whatever is wrong with a body, the answer is 400 with the code bad_request."""
    answer = client.post("/api/matches", content=body, headers={"content-type": "application/json"})
    assert_error(answer, 400, "bad_request")


def test_a_body_that_names_a_key_wrongly_is_told_the_key(client: Client) -> None:
    """The sentence helps whoever wrote the request."""
    answer = client.post("/api/matches", json={"game": "hearts", "players": "four"})
    assert "players" in answer.json()["error"]["message"]


def test_bodies_and_ids_have_a_size(client: Client) -> None:
    """Too large is 413; a command's id of a strange shape is refused."""
    large = client.post("/api/matches", json={"game": "x" * (LARGEST_BODY + 1)})
    assert_error(large, 413, "too_large")
    match = made(client, game="heart-to-heart")
    for command_id in ("", "x" * 65, "ı", "a b", 1, None):
        body = {"id": command_id, "command": {"type": "undo"}}
        assert_error(client.post(f"/api/matches/{match}/commands", json=body), 400, "bad_request")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api", 404, "not_found"),
        ("GET", "/api/", 404, "not_found"),
        ("GET", "/api/nothing", 404, "not_found"),
        ("GET", "/api/openapi.json/x", 404, "not_found"),
        ("GET", "/api/matches/nothing", 404, "no_such_match"),
        ("GET", "/api/matches/AAAAAAAAAAAAAAAAAAAAAA", 404, "no_such_match"),
        ("GET", "/api/matches", 405, "method_not_allowed"),
        ("DELETE", "/api/matches/AAAAAAAAAAAAAAAAAAAAAA", 405, "method_not_allowed"),
        ("PUT", "/api/matches/AAAAAAAAAAAAAAAAAAAAAA/commands", 405, "method_not_allowed"),
    ],
)
def test_wrong_addresses_and_methods_are_errors_of_the_one_shape(
    client: Client, method: str, path: str, status: int, code: str
) -> None:
    """Nothing under /api answers with a page."""
    assert_error(client.request(method, path), status, code)


def test_a_command_for_no_match_is_not_found(client: Client) -> None:
    """An id that nobody has is told as such."""
    body = {"id": "a", "command": {"type": "undo"}}
    assert_error(client.post("/api/matches/AAAAAAAAAAAAAAAAAAAAAA/commands", json=body), 404, "no_such_match")


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://testserver.local.evil.example"},
        {"origin": "http://testserver.local:81"},
        {"origin": "http://[broken"},
        {"origin": ""},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_pages_of_others_change_nothing(client: Client, headers: dict[str, str]) -> None:
    """A request that another site's page makes is refused on the API and on the pages, before it is read."""
    answer = client.post("/api/matches", json={"game": "heart-to-heart"}, headers=headers)
    assert_error(answer, 403, "foreign_origin")
    page = client.post("/matches", data={"game": "heart-to-heart"}, headers=headers)
    assert page.status_code == 403
    assert page.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://testserver.local"},
        {"origin": "http://testserver.local", "sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "none"},
    ],
)
def test_our_own_pages_and_programs_are_let_through(client: Client, headers: dict[str, str]) -> None:
    """A browser on our page, and a program that is no browser, may make a match."""
    answer = client.post("/api/matches", json={"game": "heart-to-heart"}, headers=headers)
    assert answer.status_code == 201


def test_every_answer_carries_the_headers_that_protect(client: Client) -> None:
    """Pages, errors, files and API answers alike; pages and answers are never kept by a cache."""
    match = made(client, game="heart-to-heart")
    for path in ("/", f"/m/{match}", "/nothing", "/static/css/base.css", f"/api/matches/{match}", "/api/x"):
        answer = client.get(path)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert "ws://testserver.local " in policy
        kept = answer.headers["cache-control"]
        assert kept == ("no-cache" if path.startswith("/static") else "no-store")


def test_a_strange_host_does_not_get_into_the_policy(client: Client) -> None:
    """The header of the policy cannot be bent by the name that was asked for."""
    answer = client.get("/", headers={"host": "x; script-src *"})
    assert "script-src *" not in answer.headers["content-security-policy"]


def test_answers_are_compressed_for_who_understands_it(client: Client) -> None:
    """A page comes in gzip if the client takes it, and as it is if not."""
    assert client.get("/new").headers["content-encoding"] == "gzip"
    plain = client.get("/new", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == client.get("/new").text


def test_a_guest_gets_one_cookie_and_finds_the_own_matches(client: Client) -> None:
    """The token is not to be read by scripts; what the store keeps is not the token."""
    store = MemoryStore()
    with TestClient(create_app(store)) as guest:
        first = guest.post("/api/matches", json={"game": "heart-to-heart"})
        cookie = first.headers["set-cookie"]
        assert "kupa_guest=" in cookie
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        token = guest.cookies["kupa_guest"].partition(".")[0]
        assert len(token) == 22
        second = guest.post("/api/matches", json={"game": "heart-to-heart"})
        assert "set-cookie" not in second.headers
        owners = {record.owner for record in store._matches.values()}
        assert len(owners) == 1
        assert token not in str(owners)
        guest.cookies.set("kupa_guest", "forged")
        third = guest.post("/api/matches", json={"game": "heart-to-heart"})
        assert "set-cookie" in third.headers


def test_an_error_of_ours_tells_nothing_but_its_code(caplog: pytest.LogCaptureFixture) -> None:
    """A fault inside is a 500 with a sentence, on the API and as a page; its text goes nowhere."""
    secret = "the queen is in seat 2"

    @get("/api/broken", include_in_schema=False)
    async def broken() -> None:
        raise RuntimeError(secret)

    @get("/broken", include_in_schema=False)
    async def broken_page() -> None:
        raise RuntimeError(secret)

    app = create_app(MemoryStore())
    app.register(broken)
    app.register(broken_page)
    with TestClient(app, raise_server_exceptions=False) as client:
        answer, page = client.get("/api/broken"), client.get("/broken")
    assert_error(answer, 500, "internal_error")
    assert page.status_code == 500
    assert page.headers["content-type"].startswith("text/html")
    for said in (answer.text, page.text, caplog.text):
        assert secret not in said
    assert "RuntimeError" in caplog.text


def test_an_error_page_that_fails_itself_is_a_line_of_text(toy: Client) -> None:
    """There is an answer even when the page that should tell of an error is broken."""

    def fails(*_: Any) -> Any:
        raise RuntimeError

    assert toy.get("/nothing").text == "page 404 not_found"
    toy.app.state.error_page = fails
    answer = toy.get("/nothing", headers={"accept-language": "en"})
    assert (answer.status_code, answer.text) == (404, catalogue.text("en", "server.error.not_found"))


def test_a_store_that_fails_is_told_as_such(toy: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that cannot be written or read is 503 with its code."""

    async def fails(*_: Any, **__: Any) -> Any:
        raise StoreError("store_failed")

    match = made(toy, game="toy", seed="x")
    monkeypatch.setattr(MemoryStore, "create", fails)
    monkeypatch.setattr(MemoryStore, "append", fails)
    assert_error(toy.post("/api/matches", json={"game": "toy", "seed": "x"}), 503, "store_failed")
    body = {"id": "a", "command": {"type": "whisper", "text": "x"}}
    assert_error(toy.post(f"/api/matches/{match}/commands", json=body), 503, "store_failed")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
COMMANDS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["pass", "play", "moon", "tap", "undo", "settings", "x"]) | JSON,
        "card": st.sampled_from(["2C", "QS", "10h", "ıh", ""]) | JSON,
        "cards": st.lists(st.sampled_from(["2C", "QS"]) | JSON, max_size=5) | JSON,
        "choice": JSON,
        "at": st.integers(-1, 30) | st.sampled_from(["stock", "waste"]) | JSON,
        "elapsed_ms": JSON,
        "move_errors": JSON,
        "placement_help": JSON,
    },
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=COMMANDS | JSON, game=st.sampled_from(["hearts", "heart-to-heart"]))
def test_no_command_breaks_a_match(client: Client, data: Any, game: str) -> None:
    """Whatever is sent as a command, the answer is an answer, and the match can still be seen."""
    body: dict[str, Any] = {"game": game} | ({"rules": "parlour"} if game == "hearts" else {})
    match = made(client, **body)
    answer = client.post(f"/api/matches/{match}/commands", json={"id": "x", "command": data})
    assert answer.status_code in {200, 400, 409}, answer.text
    assert answer.status_code == 200 or answer.json()["error"]["message"]
    assert client.get(f"/api/matches/{match}").status_code == 200


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.fixed_dictionaries(
        {"game": st.sampled_from(["hearts", "heart-to-heart"]) | st.text()},
        optional={
            "rules": st.sampled_from(["cardems", "cancellation"]) | st.text(),
            "players": st.integers(),
            "set": st.dictionaries(
                st.sampled_from(["target", "removed", "pass_cycle", "bonus_card", "decks", "x"]),
                JSON,
                max_size=3,
            ),
            "seed": st.text(),
            "code": st.text() | st.just("HH1-N-AAAAAAM"),
            "move_errors": st.booleans(),
        },
    )
)
def test_no_start_breaks_the_server(client: Client, body: dict[str, Any]) -> None:
    """Whatever is asked for as a new match, it is made or refused with a sentence."""
    answer = client.post("/api/matches", json=body)
    assert answer.status_code in {201, 400, 422}, answer.text
    assert answer.status_code == 201 or answer.json()["error"]["message"]


def test_the_pages_are_those_of_kupa() -> None:
    """What is served beside the API by default is the module of the pages."""
    assert create_app(MemoryStore()).state.error_page is pages.render_error


def test_nobody_makes_matches_without_end(client: Client) -> None:
    """By the API, by the form and by a record alike; a new guest at the same address gains little."""
    client.cookies.clear()
    client.app.state.made = Limit(2, 5)
    hearts = {"game": "hearts", "rules": "klasik"}
    record = (RECORDS / "hearts-klasik-4.txt").read_text(encoding="utf-8")
    assert client.post("/api/matches", json=hearts).status_code == 201
    assert client.post("/api/records", content=record).status_code == 201
    assert client.post("/api/matches", json=hearts).status_code == 201
    for answer in (client.post("/api/matches", json=hearts), client.post("/api/records", content=record)):
        assert answer.status_code == 429
        assert answer.json()["error"]["code"] == "too_fast"
    form = client.post("/matches", data=hearts, headers={"accept-language": "en"}, follow_redirects=False)
    assert form.status_code == 422
    assert "Too many new games" in form.text
    for expected in (201, 201, 429):
        client.cookies.clear()
        assert client.post("/api/matches", json=hearts).status_code == expected
    client.app.state.made = UNLIMITED


@pytest.mark.parametrize("limit", [UNLIMITED, Limit(0, 0)])
def test_what_is_refused_makes_nobody_a_guest(client: Client, limit: Limit) -> None:
    """Whoever asks for what cannot be leaves nothing behind, neither here nor in the own browser."""
    client.app.state.made = limit
    client.cookies.clear()
    wrong = {"game": "hearts", "rules": "cardems", "target-cardems": "0"}
    answers = [
        client.post("/api/matches", json={"game": "hearts", "rules": "nope"}),
        client.post("/api/records", content="kupa record 1"),
        client.post("/matches", data=wrong, follow_redirects=False),
    ]
    client.app.state.made = UNLIMITED
    assert all(answer.status_code in {400, 422, 429} for answer in answers)
    assert not client.cookies


def test_a_record_that_was_taken_in_was_not_played_here(client: Client) -> None:
    """Also when something has been done in it since."""
    client.cookies.clear()
    record = (RECORDS / "heart-to-heart-AAAAAAM.txt").read_text(encoding="utf-8")
    match = client.post("/api/records", content=record).json()["id"]
    change = {"id": "a", "command": {"type": "settings", "move_errors": True}}
    assert client.post(f"/api/matches/{match}/commands", json=change).status_code == 200
    assert f"/m/{match}" not in client.get("/played").text
    assert client.get("/played").status_code == 200
