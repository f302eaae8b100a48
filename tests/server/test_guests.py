"""Who asks, over HTTP and over a socket: the person of a token of ours, and nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from litestar import Litestar, Request, Response, WebSocket, get, post, websocket
from litestar.testing import TestClient

from kupa.server.app import create_app
from kupa.server.guests import COOKIE, guest, renewed, visitor
from kupa.server.memory_store import MemoryStore
from kupa.server.people import People
from kupa.server.tokens import KEPT_FOR, hash_of, new_token
from tests.server.toy import BOTS, GAMES, NoPages

Client = TestClient[Litestar]


@get("/who", include_in_schema=False)
async def who(request: Request[Any, Any, Any]) -> str:
    return await visitor(request) or ""


@post("/come", include_in_schema=False, status_code=200)
async def come(request: Request[Any, Any, Any]) -> Any:
    made = await guest(request)
    return Response(made.person, cookies=made.cookies)


@get("/renewed", include_in_schema=False)
async def fresh(request: Request[Any, Any, Any]) -> list[str]:
    return [cookie.value or "" for cookie in renewed(request)]


@websocket("/who/live")
async def who_live(socket: WebSocket[Any, Any, Any]) -> None:
    await socket.accept()
    await socket.send_text(await visitor(socket) or "")
    await socket.close()


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    app = create_app(MemoryStore(), GAMES, BOTS, NoPages())
    for handler in (who, come, fresh, who_live):
        app.register(handler)
    with TestClient(app) as made:
        yield made


@pytest.fixture(autouse=True)
def nobody(client: Client) -> None:
    client.cookies.clear()


def people_of(client: Client) -> People:
    people: People = client.app.state.people
    return people


def asked(client: Client, cookie: str) -> str:
    return client.get("/who", headers={"cookie": f"{COOKIE}={cookie}"}).text


def test_the_first_act_makes_a_guest_and_the_next_is_the_same(client: Client) -> None:
    """One cookie, which no script reads and no other site sends, and over https no open line either."""
    assert client.get("/who").text == ""
    first = client.post("/come")
    cookie = first.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    for part in ("HttpOnly", "SameSite=lax", "Path=/", f"Max-Age={KEPT_FOR}"):
        assert part in cookie
    assert "Secure" not in cookie
    again = client.post("/come")
    assert again.text == first.text == client.get("/who").text
    assert "set-cookie" not in again.headers
    client.cookies.clear()
    assert "Secure" in client.post("https://testserver.local/come").headers["set-cookie"]


def test_a_socket_knows_who_opens_it(client: Client) -> None:
    """Cookie and bearer count as they do over HTTP."""
    person = client.post("/come").text
    signed = client.cookies[COOKIE]
    with client.websocket_connect("/who/live") as socket:
        assert socket.receive_text() == person
    client.cookies.clear()
    with client.websocket_connect("/who/live") as socket:
        assert socket.receive_text() == ""
    with client.websocket_connect("/who/live", headers={"authorization": f"Bearer {signed}"}) as socket:
        assert socket.receive_text() == person


def test_a_bearer_is_known_and_goes_before_the_cookie(client: Client) -> None:
    """A program shows the token in a header; one that is wrong there is not made good by a cookie."""
    program = client.post("/come").text
    signed = client.cookies[COOKIE]
    client.cookies.clear()
    browser = client.post("/come").text
    assert client.get("/who", headers={"authorization": f"bearer  {signed} "}).text == program
    assert client.get("/who", headers={"authorization": "Bearer x"}).text == ""
    assert client.get("/who", headers={"authorization": "Bearer"}).text == ""
    assert client.get("/who", headers={"authorization": "Basic YTpi"}).text == browser
    # A program has no cookies to renew.
    assert client.get("/renewed", headers={"authorization": f"Bearer {signed}"}).json() == []


def test_forged_foreign_and_malformed_tokens_are_nobodys(client: Client) -> None:
    """Another signature, another key, no signature, a signature of nothing of ours: all the same as none."""
    person = client.post("/come").text
    signed = client.cookies[COOKIE]
    client.cookies.clear()
    token, at, signature = signed.split(".")
    tokens = people_of(client).tokens
    wrong = [
        "",
        token,
        f"{token}.{at}",
        f"{token}.{at}.{signature[:-1]}",
        f"{token}.{at}.{signature[::-1]}",
        f"{new_token()}.{at}.{signature}",
        f"{token}.{at[::-1]}.{signature}",
        tokens.signed(new_token()),
        tokens.signed("x"),
        tokens.signed(hash_of(token)),
        "x" * 10_000,
        "%C3%A9",
    ]
    assert asked(client, signed) == person
    assert [text for text in wrong if asked(client, text) != ""] == []


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters=';,"\\'), max_size=90))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_a_cookie_says_it_is_somebody_or_nobody(client: Client, text: str) -> None:
    """No cookie is the cause of an error."""
    answer = client.get("/who", headers={"cookie": f"{COOKIE}={text}"})
    assert (answer.status_code, answer.text) == (200, "")


def test_an_ended_session_is_nobodys_and_its_browser_becomes_a_new_guest(client: Client) -> None:
    """The old token never counts again, and what the browser does next gives it another."""
    first = client.post("/come").text
    signed = client.cookies[COOKIE]
    portal = client.blocking_portal
    portal.call(people_of(client).end_all_sessions, first)
    assert asked(client, signed) == ""
    second = client.post("/come").text
    assert second not in {"", first}
    assert client.cookies[COOKIE] != signed


def test_a_signature_is_renewed_in_time_and_ends_after_four_hundred_days(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who comes at least once in 400 days is known for ever; who does not is nobody's."""
    person = client.post("/come").text
    signed = client.cookies[COOKIE]
    people = people_of(client)
    now = people.now()

    def later(days: float) -> None:
        monkeypatch.setattr(people.tokens, "_now", lambda: now + int(days * 86_400_000))
        monkeypatch.setattr(people.tokens._signer, "_now", lambda: now + int(days * 86_400_000))

    later(29)
    assert client.get("/renewed").json() == []
    later(31)
    (renewed_once,) = client.get("/renewed").json()
    assert renewed_once.split(".")[0] == signed.split(".")[0]
    assert renewed_once != signed
    assert client.post("/come").headers["set-cookie"].split("=")[1].split(";")[0] == renewed_once
    later(401)
    assert asked(client, signed) == ""
    assert asked(client, renewed_once) == person
