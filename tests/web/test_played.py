"""The page of what somebody has played, as a browser without scripts sees it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient

from kupa import catalogue
from kupa.server.app import create_app
from kupa.server.memory_store import MemoryStore
from kupa.server.played_pages import A_PAGE
from tests.browser.heart_table import SHOWN_DEAL, TAPS
from tests.server.ended_matches import BEGUN, HEART, HEARTS, heart_events, hearts_match, keep, taps
from tests.web.pages_client import Page

Client = TestClient[Any]
DAY = 24 * 3600 * 1000


@pytest.fixture
def client() -> Iterator[Client]:
    with TestClient(create_app(MemoryStore()), base_url="http://kupa.test") as made:
        made.headers["sec-fetch-site"] = "same-origin"
        made.follow_redirects = False
        yield made


def somebody(client: Client) -> str:
    """Make a guest, who the client is from now on; returns the person."""
    client.post("/account/name", data={"name": "Ada"})
    return str(client.get("/account/data").json()["person"])


def kept(client: Client, *matches: Any, **more: Any) -> None:
    with client.portal() as portal:
        portal.call(lambda: keep(client.app.state.store, *matches, **more))


def wins(client: Client, person: str, count: int) -> None:
    """Let a person have won a patience on each of some days, the last named first."""
    events = heart_events(SHOWN_DEAL, taps(TAPS))
    for number in range(count):
        kept(client, f"won{number}", person, HEART, events, BEGUN + 1 + (count - number) * DAY)


def read(client: Client, path: str = "/played", language: str = "en") -> Page:
    answer = client.get(path, headers={"accept-language": language})
    assert answer.status_code == 200, answer.text
    return Page(answer.text)


def listed(page: Page) -> list[str]:
    """Return the matches whose pages are led to, in order."""
    found = [re.fullmatch(r"/m/(\w+)", link["href"]) for link in page.all("a")]
    return [match[1] for match in found if match]


def ways(page: Page) -> dict[str, str]:
    """Return where the links to older and newer matches lead."""
    return {link["rel"]: link["href"] for link in page.all("a") if link.get("rel")}


@pytest.mark.parametrize("is_known", [False, True])
def test_who_has_played_nothing_is_invited_to(client: Client, is_known: bool) -> None:
    """With a button for each game, which begins one; looking makes nobody of anybody."""
    if is_known:
        somebody(client)
    answer = client.get("/played")
    assert "set-cookie" not in answer.headers
    page = read(client)
    assert catalogue.text("en", "played.empty") in page.text
    games = [field["value"] for field in page.all("input") if field.get("name") == "game"]
    assert games == ["hearts", "heart-to-heart"]
    assert catalogue.text("en", "played.list") not in page.text


def test_a_match_is_told_with_its_rules_company_place_and_points(client: Client) -> None:
    """In the reader's language, and it leads to its page and to its record, which are there."""
    person = somebody(client)
    events, state, _ = hearts_match("parlour", 5, "page")
    kept(client, "h" * 22, person, HEARTS, events, BEGUN + 1, preset="parlour")
    kept(client, "w" * 22, person, HEART, heart_events(SHOWN_DEAL, taps(TAPS)), BEGUN + 2)
    place = 1 + sum(total < state.totals[0] for total in state.totals)
    mean = state.totals[0] / len(state.rounds)
    english, turkish = read(client).text, read(client, language="tr").text
    told = "You won" if 0 in state.winners else f"Place {place} of 5"
    assert f"Parlour November 14, 2023 · 5 players · with bots {told}" in english
    assert f"{state.totals[0]} point" in english
    assert f"Points a round {mean:.1f}" in english
    told = "Kazandın" if 0 in state.winners else f"5 kişide {place}. sıra"
    assert f"Salon 14 Kasım 2023 · 5 kişi · botlarla {told} {state.totals[0]} puan" in turkish
    assert f"Tur başına puan {mean:.1f}".replace(".", ",") in turkish
    assert "Heart to Heart 14 Kasım 2023" in turkish
    assert "Kazandın 250 puan" in turkish
    for link in read(client).all("a"):
        if link["href"].startswith("/m/"):
            assert client.get(link["href"]).status_code == 200, link


def test_older_matches_are_on_the_next_pages(client: Client) -> None:
    """Twenty-five a page, each match on one of them; the figures stand on the first alone."""
    wins(client, somebody(client), 2 * A_PAGE)
    read(client)  # a part is noted each time
    pages = [read(client), read(client, "/played?page=2")]
    assert [len(listed(page)) for page in pages] == [A_PAGE, A_PAGE]
    assert listed(pages[0]) + listed(pages[1]) == [f"won{number}" for number in range(2 * A_PAGE)]
    assert [ways(page) for page in pages] == [{"next": "/played?page=2"}, {"prev": "/played"}]
    label = catalogue.text("en", "played.figure.fewest")
    assert [label in page.text for page in pages] == [True, False]
    assert client.get("/played?page=3").status_code == 404


def test_who_has_played_for_long_is_told_that_more_is_to_come(client: Client) -> None:
    """And after some visits everything is there."""
    wins(client, somebody(client), 2 * A_PAGE)
    sentence = catalogue.text("en", "played.more")
    assert [sentence in read(client).text for _ in range(3)] == [True, False, False]


@pytest.mark.parametrize(
    "asked",
    ["0", "-1", "1.5", "abc", "", "2", "99999999999999999999", "٢", "1&page=1", "1%00", "%3Cscript%3E", "+1"],
)
@pytest.mark.parametrize("language", ["tr", "en"])
def test_a_page_that_is_none_is_answered_with_a_sentence(client: Client, asked: str, language: str) -> None:
    """Whatever stands in the address, for somebody known and for a stranger."""
    for _ in range(2):
        answer = client.get(f"/played?page={asked}", headers={"accept-language": language})
        assert answer.status_code == 404
        assert catalogue.text(language, "server.error.no_such_page") in html.unescape(answer.text)
        somebody(client)


def test_nobody_sees_what_another_has_played(client: Client) -> None:
    """Not with an address, not with a cookie that is forged, and not signed out."""
    person = somebody(client)
    wins(client, person, 1)
    assert listed(read(client)) == ["won0"]
    token = client.cookies["kupa_guest"]
    for cookie in ("", person, token[:-1] + ("A" if token[-1] != "A" else "B")):
        client.cookies.clear()
        client.cookies.set("kupa_guest", cookie)
        assert listed(read(client, f"/played?person={person}")) == []
    client.cookies.clear()
    somebody(client)
    assert listed(read(client)) == []


def test_a_match_that_is_not_kept_any_more_is_told_without_a_way_to_it(client: Client) -> None:
    """What came of it stays; the list leads nowhere where nothing is."""
    wins(client, somebody(client), 2)
    assert listed(read(client)) == ["won0", "won1"]
    with client.portal() as portal:
        portal.call(client.app.state.store.drop, ["won0"])
    page = read(client)
    assert listed(page) == ["won1"]
    assert page.text.count("You won") == 2


def test_who_is_known_is_led_to_the_page(client: Client) -> None:
    """From the front page, beside what can be gone on with, and from the page of one's own."""
    for path in ("/", "/account"):
        assert "/played" not in {link["href"] for link in read(client, path).all("a")}
    somebody(client)
    for path in ("/", "/account"):
        assert "/played" in {link["href"] for link in read(client, path).all("a")}


@pytest.mark.parametrize("language", ["tr", "en"])
def test_the_page_on_privacy_tells_of_it(client: Client, language: str) -> None:
    """What is kept, why, and for how long."""
    page = read(client, "/privacy", language)
    for key in ("", ".why", ".long"):
        assert catalogue.text(language, f"privacy.kept.results{key}") in page.text
