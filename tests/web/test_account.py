"""The page of a person's own, and the page on privacy, as a browser without scripts sees them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from sqlalchemy import update

from kupa import catalogue
from kupa.rooms.state import Settings
from kupa.server import retention
from kupa.server.app import create_app
from kupa.server.memory_store import MemoryStore
from kupa.server.passphrases import Passphrases
from kupa.server.people import People
from kupa.server.schema import SESSIONS
from kupa.server.tokens import hash_of
from tests.server.identity import PASSPHRASE, quick_hasher

Client = TestClient[Litestar]
LOGIN = {"login": "İris.Işık", "passphrase": PASSPHRASE}


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def client(store: MemoryStore) -> Iterator[Client]:
    with TestClient(create_app(store, operator="Ada <ada@example.org>")) as made:
        made.follow_redirects = False
        made.app.state.people._passphrases = Passphrases(quick_hasher())
        made.cookies.set("kupa_lang", "en")
        yield made


def send(client: Client, form: str, **data: str) -> Any:
    return client.post(f"/account/{form}", data=data)


def sent(client: Client, form: str, **data: str) -> str:
    """Send a form that leads on; returns where to."""
    answer = send(client, form, **data)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def refused(client: Client, form: str, **data: str) -> str:
    """Send a form that is refused; returns the sentence at its field."""
    answer = send(client, form, **data)
    assert answer.status_code == 422
    found = re.search(r'<p class="fault" id="fault-([\w-]+)">.*?<span>(.*?)</span>', answer.text)
    assert found
    # The field says that it is at fault, and the page begins there.
    field = re.search(rf'<input[^>]*id="{found[1]}"[^>]*>', answer.text)
    assert field
    assert 'aria-invalid="true"' in field[0]
    assert "autofocus" in field[0]
    assert PASSPHRASE not in answer.text
    return html.unescape(found[2])


def page(client: Client) -> str:
    answer = client.get("/account")
    assert answer.status_code == 200
    return html.unescape(answer.text)


def person_of(client: Client) -> str:
    return str(client.get("/account/data").json()["person"])


def in_another_browser(client: Client) -> None:
    """Forget who the client is."""
    client.cookies.delete("kupa_guest")


def become(client: Client, token: str) -> None:
    """Let the client hold a token, as if a browser of this host did."""
    client.cookies.set("kupa_guest", token, domain="testserver.local")


def test_looking_makes_nobody_of_anybody(client: Client) -> None:
    """A guest is made by doing something, not by reading."""
    for path in ("/account", "/privacy", "/"):
        assert "set-cookie" not in client.get(path).headers
    assert "Download" not in page(client)
    assert client.get("/account/data").status_code == 403
    for form in ("end", "end-all", "delete"):
        assert send(client, form, key="x", word="DELETE").status_code == 403
    assert "signed out" in client.get("/account/data").text


def test_a_name_is_saved_shown_and_told(client: Client) -> None:
    """The name stands in its field afterwards, tidied, and a line says that it was saved."""
    assert sent(client, "name", name="  Şule   Işık ") == "/account?done=name"
    assert 'value="Şule Işık"' in page(client)
    assert "Your name is saved." in client.get("/account?done=name").text
    assert "?done=" not in client.get("/account?done=<script>").text
    assert refused(client, "name", name="\u202eabc") == catalogue.text("en", "refusal.bad_name.characters")
    assert refused(client, "name") == catalogue.text("en", "refusal.bad_name.empty")
    assert 'value="Şule Işık"' in page(client)


@pytest.mark.parametrize(
    ("onward", "to"),
    [
        ("/t/AbC-_1", "/t/AbC-_1"),
        ("/lobby", "/lobby"),
        ("//evil.example", "/account?done=name"),
        ("https://evil.example/t/x", "/account?done=name"),
        ("/t/x/../../y", "/account?done=name"),
        ("/t/x\r\nset-cookie: a=b", "/account?done=name"),
    ],
)
def test_a_name_leads_on_to_pages_of_ours_alone(client: Client, onward: str, to: str) -> None:
    """The form may stand on the page of a room, and leads back there and nowhere else."""
    assert sent(client, "name", name="Ada", next=onward) == to


def test_what_was_typed_cannot_become_part_of_the_page(client: Client) -> None:
    """Names and logins are texts."""
    sent(client, "name", name="<b>\"'&</b>")
    assert '<b>"' not in client.get("/account").text
    answer = send(client, "sign-up", login="<script>alert(1)</script>", passphrase=PASSPHRASE)
    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;alert" in answer.text


def test_an_account_is_made_left_and_found_again(client: Client) -> None:
    """Sign up, sign out, sign in with other letters: the same person, with name and matches."""
    sent(client, "name", name="İris")
    match = client.post("/api/matches", json={"game": "heart-to-heart"}).json()["id"]
    person = person_of(client)
    assert sent(client, "sign-up", **LOGIN) == "/account?done=signed-up"
    assert "iris.işik" in page(client)
    answer = send(client, "sign-out")
    assert 'kupa_guest=""' in answer.headers["set-cookie"] or "Max-Age=0" in answer.headers["set-cookie"]
    assert "iris.işik" not in page(client)
    assert f"/m/{match}" not in client.get("/").text
    assert sent(client, "sign-in", login="IRIS.IŞIK", passphrase=PASSPHRASE) == "/account?done=signed-in"
    assert person_of(client) == person
    assert 'value="İris"' in page(client)
    assert f"/m/{match}" in client.get("/").text


def test_a_wrong_login_and_a_wrong_passphrase_tell_the_same(client: Client) -> None:
    """Nobody learns from it who has an account; what was typed as login is there again."""
    sent(client, "sign-up", **LOGIN)
    in_another_browser(client)
    wrong = {
        refused(client, "sign-in", login=login, passphrase="wrong wrong")
        for login in ("iris.işik", "x y", "")
    }
    assert wrong == {catalogue.text("en", "refusal.wrong_login")}
    assert 'value="x y"' in send(client, "sign-in", login="x y", passphrase="z").text
    assert "kupa_guest" not in client.cookies


def test_a_refused_account_says_why_at_the_field(client: Client) -> None:
    """Login and passphrase have their faults at their own fields."""
    assert "3 to 32" in refused(client, "sign-up", login="ab", passphrase=PASSPHRASE)
    assert "10 characters" in refused(client, "sign-up", login="abc", passphrase="short")
    sent(client, "sign-up", **LOGIN)
    in_another_browser(client)
    assert "taken" in refused(client, "sign-up", login="iris.ışık", passphrase=PASSPHRASE)


def test_the_matches_of_this_browser_go_with_it_to_the_account(client: Client) -> None:
    """Somebody plays as a guest, then signs in: nothing is lost, and the guest is no more."""
    sent(client, "sign-up", **LOGIN)
    account = person_of(client)
    in_another_browser(client)
    match = client.post("/api/matches", json={"game": "heart-to-heart"}).json()["id"]
    guest_token = client.cookies["kupa_guest"]
    sent(client, "sign-in", **LOGIN)
    assert person_of(client) == account
    assert f"/m/{match}" in client.get("/").text
    become(client, guest_token)
    assert client.get("/account/data").status_code == 403


def test_sessions_are_listed_and_can_be_ended(client: Client) -> None:
    """Each has a button; this one is marked; ending all signs out here, too."""
    sent(client, "sign-up", **LOGIN)
    first = client.cookies["kupa_guest"]
    in_another_browser(client)
    sent(client, "sign-in", **LOGIN)
    text = page(client)
    assert (text.count("This browser"), text.count("Another browser")) == (1, 1)
    keys = re.findall(r'name="key" value="(\w+)"', text)
    assert len(keys) == 2
    # This one stands first.
    assert sent(client, "end", key=keys[1]) == "/account?done=ended"
    assert "Another browser" not in page(client)
    here = client.cookies["kupa_guest"]
    become(client, first)
    assert "Another browser" not in page(client)
    assert client.get("/account/data").status_code == 403
    become(client, here)
    assert sent(client, "end-all") == "/account?done=ended-all"
    become(client, here)
    assert client.get("/account/data").status_code == 403


def test_a_passphrase_is_changed_with_the_old_one(client: Client) -> None:
    """Each field tells its own fault; this browser stays signed in."""
    other = "başka sözcükler de olur"
    sent(client, "sign-up", **LOGIN)
    said = catalogue.text("en", "refusal.wrong_passphrase")
    assert refused(client, "passphrase", old="wrong", passphrase=other) == said
    assert "10 characters" in refused(client, "passphrase", old=PASSPHRASE, passphrase="short")
    assert sent(client, "passphrase", old=PASSPHRASE, passphrase=other) == "/account?done=passphrase"
    assert "iris.işik" in page(client)
    in_another_browser(client)
    assert refused(client, "sign-in", **LOGIN) == catalogue.text("en", "refusal.wrong_login")
    sent(client, "sign-in", login=LOGIN["login"], passphrase=other)
    assert client.get("/account/data").status_code == 200


def test_what_is_kept_can_be_taken_along(client: Client) -> None:
    """A file, with everything and in JSON."""
    sent(client, "name", name="Ada")
    match = client.post("/api/matches", json={"game": "hearts", "rules": "cardems"}).json()["id"]
    answer = client.get("/account/data")
    assert answer.headers["content-disposition"] == 'attachment; filename="kupa.json"'
    told = answer.json()
    assert (told["name"], [entry["id"] for entry in told["matches"]]) == ("Ada", [match])
    assert "luck" not in answer.text


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ["DELETE", " delete ", "Delete"]), ("tr", ["SİL", "sil", "SIL", "sıl", "si\u0307l"])],
)
def test_everything_is_deleted_once_the_word_is_typed(
    client: Client, store: MemoryStore, language: str, words: list[str]
) -> None:
    """Any letters of either language will do for the word; anything else deletes nothing."""
    client.cookies.set("kupa_lang", language)
    for word in words:
        match = client.post("/api/matches", json={"game": "heart-to-heart"}).json()["id"]
        person = person_of(client)
        for wrong in ("", "yes", "evet", word + "x"):
            assert send(client, "delete", word=wrong).status_code == 422
        assert person_of(client) == person
        assert match in store._matches
        assert sent(client, "delete", word=word) == "/account?done=deleted"
        assert match not in store._matches
        assert client.get("/account/data").status_code == 403


def a_room_of(client: Client, person: str) -> str:
    """Open a room whose host somebody is; returns its id."""
    rooms = client.app.state.rooms
    made = client.blocking_portal.call(rooms.create, person, Settings(rules="cardems", players=4))
    assert isinstance(made, str)
    return made


def people_in(client: Client, room: str) -> tuple[str, ...]:
    live = client.blocking_portal.call(client.app.state.rooms.open, room)
    people: tuple[str, ...] = live.room.people
    return people


def test_who_is_deleted_leaves_the_rooms(client: Client) -> None:
    """Nobody sits at a table who is not in the house."""
    sent(client, "name", name="Ada")
    person = person_of(client)
    room = a_room_of(client, person)
    assert people_in(client, room) == (person,)
    sent(client, "delete", word="DELETE")
    assert people_in(client, room) == ()


def test_a_guest_who_signs_in_keeps_the_seat(client: Client) -> None:
    """The place in a room goes to the account with everything else."""
    sent(client, "sign-up", **LOGIN)
    account = person_of(client)
    in_another_browser(client)
    sent(client, "name", name="Guest")
    room = a_room_of(client, person_of(client))
    sent(client, "sign-in", **LOGIN)
    assert person_of(client) == account
    assert people_in(client, room) == (account,)


def test_another_sites_page_cannot_send_these_forms(client: Client) -> None:
    """The cookie alone is not enough."""
    sent(client, "name", name="Ada")
    for form in ("name", "sign-up", "sign-in", "passphrase", "sign-out", "end", "end-all", "delete"):
        answer = client.post(
            f"/account/{form}", data={"name": "x"}, headers={"origin": "https://evil.example"}
        )
        assert answer.status_code == 403, form
    assert 'value="Ada"' in page(client)


def test_cookies_of_version_1_are_exchanged(client: Client, store: MemoryStore) -> None:
    """A browser that holds a token without a signature is known, and holds a signed one from then on."""
    sent(client, "name", name="Ada")
    token = client.cookies["kupa_guest"].partition(".")[0]
    become(client, token)
    assert client.get("/account/data").status_code == 403

    async def make_old() -> None:
        async with store.database.writing() as connection:
            await connection.execute(update(SESSIONS).values(unsigned=True))
        people: People = client.app.state.people
        people._sessions.forget(hash_of(token))

    client.blocking_portal.call(make_old)
    answer = client.get("/account")
    assert 'value="Ada"' in answer.text
    signed = re.search(r"kupa_guest=([^;]+)", answer.headers["set-cookie"])
    assert signed
    assert signed[1].startswith(f"{token}.")


@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_the_page_on_privacy_says_what_the_server_does(client: Client, language: str) -> None:
    """Its numbers are those that are kept to, and who runs the server is named, as a text."""
    client.cookies.set("kupa_lang", language)
    answer = client.get("/privacy")
    text = html.unescape(answer.text)
    assert f'<html lang="{language}"' in text
    for days in (
        retention.MATCHES_KEPT,
        retention.MESSAGES_KEPT,
        retention.REPORTS_KEPT,
        retention.SESSIONS_KEPT,
    ):
        assert re.search(rf"\b{days} (days|gün)\b", text)
    assert "Ada &lt;ada@example.org&gt;" in answer.text
    assert "KVKK" in text
    assert "GDPR" in text
    assert 'href="/account"' in text
    assert 'href="/privacy"' in page(client)
    assert 'href="/privacy"' in client.get("/settings").text
    assert 'href="/account"' in client.get("/settings").text


def test_a_server_without_an_operator_says_so() -> None:
    """Nobody is named where nobody gave a name."""
    with TestClient(create_app(MemoryStore())) as plain:
        text = plain.get("/privacy", headers={"accept-language": "en"}).text
    assert "does not say who runs it" in text
