"""Pages are whole without a script, in one language at a time, and keep what was typed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient

from kupa import catalogue
from kupa.server.help_pages import HELP_PAGES
from kupa.server.pages import error_kind
from kupa.server.settings import CHOICES
from kupa.server.table_form import EMBLEMS
from tests.web.pages_client import Page, pages_client

READ = ["/", "/new", "/heart", "/settings", "/settings?saved", "/played", "/deck", "/help", "/nowhere"]
READ += [f"/help/{page}" for page in HELP_PAGES]
READ += [f"/new?rules={rules}" for rules in EMBLEMS]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient[Any]]:
    with pages_client() as made:
        yield made


@pytest.fixture(autouse=True)
def nobody(client: TestClient[Any]) -> None:
    """Every test begins as a browser that keeps nothing."""
    client.cookies.clear()


def read(client: TestClient[Any], path: str, language: str = "tr") -> tuple[str, Page]:
    answer = client.get(path, headers={"accept-language": language})
    assert answer.headers["content-type"].startswith("text/html")
    return answer.text, Page(answer.text)


@pytest.mark.parametrize("language", ["tr", "en"])
@pytest.mark.parametrize("path", READ)
def test_a_page_is_in_the_language_that_was_asked_for(
    client: TestClient[Any], path: str, language: str
) -> None:
    """`<html lang>` says it, and no sentence of the other language is on the page."""
    _, page = read(client, path, language)
    assert page.all("html")[0]["lang"] == language
    other = "en" if language == "tr" else "tr"
    said = [page.text, *page.spoken()]
    for key, found in catalogue.messages(other).items():
        own = catalogue.messages(language)[key]
        for sentence in found if isinstance(found, tuple) else (found,):
            owns = own if isinstance(own, tuple) else (own,)
            if len(sentence) < 12 or "{" in sentence or any(sentence in mine for mine in owns):
                continue
            assert not any(sentence in text for text in said), (key, sentence)


@pytest.mark.parametrize("path", READ)
def test_a_page_can_be_walked_without_eyes_or_mouse(client: TestClient[Any], path: str) -> None:
    """A title, one first heading, one main part, a name for every field, and no id twice."""
    _, page = read(client, path)
    assert len(page.all("title")) == 1
    assert len(page.all("h1")) == 1
    assert len(page.all("main")) == 1
    ids = [given["id"] for _, given in page.elements if "id" in given]
    assert len(ids) == len(set(ids))
    named = {given.get("for") for given in page.all("label")} | page.labelled
    for field in [*page.all("input"), *page.all("select")]:
        if field.get("type") != "hidden":
            assert {field.get("id"), field.get("name")} & named, field
    for _, given in page.elements:
        for name in ("aria-labelledby", "aria-describedby"):
            assert given.get(name, ids[0] if ids else "") in {*ids, ""}, given


@pytest.mark.parametrize("path", READ)
def test_every_file_and_page_that_a_page_leads_to_is_there(client: TestClient[Any], path: str) -> None:
    _, page = read(client, path)
    led = [given["href"] for tag in ("a", "link", "use") for given in page.all(tag)]
    led += [given["src"] for given in page.all("script") if "src" in given]
    led += [given["action"] for given in page.all("form")]
    files = {address.partition("#")[0].partition("?")[0] for address in led}
    assert all(address.startswith("/") for address in files if address)
    for address in files - {"", "/matches", "/settings"}:
        assert client.get(address, follow_redirects=False).status_code in {200, 303}, address


@pytest.mark.parametrize("path", ["/", "/new", "/settings", "/deck", "/help/klasik"])
def test_the_settings_of_a_browser_are_on_every_page(client: TestClient[Any], path: str) -> None:
    client.post(
        "/settings",
        data={
            "theme": "dark",
            "deck": "four",
            "contrast": "more",
            "hand": "left",
            "index": "turkish",
            "speed": "fast",
        },
    )
    source, page = read(client, path)
    html = page.all("html")[0]
    assert html | {"lang": "tr"} == {
        "lang": "tr",
        "data-theme": "dark",
        "data-deck": "four",
        "data-contrast": "more",
        "data-hand": "left",
        "data-index": "turkish",
        "data-speed": "fast",
    }
    assert "cards-tr.svg#" in source
    assert "/cards.svg#" not in source


def test_settings_that_are_none_are_as_at_first(client: TestClient[Any]) -> None:
    """Cookies come from outside: an unknown value changes nothing and reaches no page."""
    for name in CHOICES:
        client.cookies.set(f"kupa_{name}", '"><script>')
    source, page = read(client, "/settings")
    assert set(page.all("html")[0]) == {"lang", "data-index", "data-speed"}
    assert "<script>" not in source


def test_a_language_is_kept_and_leads_back_to_the_page(client: TestClient[Any]) -> None:
    answer = client.get(
        "/language/en", headers={"referer": "http://kupa.test/help/ozel?x=1"}, follow_redirects=False
    )
    assert (answer.status_code, answer.headers["location"]) == (303, "/help/ozel?x=1")
    _, page = read(client, "/", "tr")
    assert page.all("html")[0]["lang"] == "en"


@pytest.mark.parametrize(
    "referer",
    [
        "",
        "http://elsewhere.test/help",
        "http://kupa.test//elsewhere.test/",
        "//x",
        "http://[",
        "javascript:1",
    ],
)
def test_a_language_never_leads_to_another_host(client: TestClient[Any], referer: str) -> None:
    answer = client.get("/language/tr", headers={"referer": referer}, follow_redirects=False)
    assert answer.headers["location"] == "/"


def test_an_unknown_language_is_no_page(client: TestClient[Any]) -> None:
    assert client.get("/language/de").status_code == 404


def test_one_tap_on_the_front_page_begins_each_game(client: TestClient[Any]) -> None:
    """Each of the two forms needs nothing but its button."""
    source, _ = read(client, "/")
    forms = re.findall(r"<form[^>]*action=\"/matches\">(.*?)</form>", source, re.DOTALL)
    assert len(forms) == 2
    for form in forms:
        data = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
        answer = client.post("/matches", data=data, follow_redirects=False)
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/m/")


def test_a_match_that_was_left_is_on_the_front_page(client: TestClient[Any]) -> None:
    made = client.post("/matches", data={"game": "heart-to-heart"}, follow_redirects=False)
    client.post("/matches", data={"game": "hearts", "rules": "ozel"}, follow_redirects=False)
    _, page = read(client, "/")
    assert made.headers["location"] in [given["href"] for given in page.all("a")]
    assert "Özel · tur 1" in page.text
    assert "Devam et" in page.text


def test_deals_that_were_only_looked_at_push_no_match_out(client: TestClient[Any]) -> None:
    """The newest of them stays; the match of Hearts that came before them all stays too."""
    hearts = client.post("/matches", data={"game": "hearts", "rules": "ozel"}, follow_redirects=False)
    for _ in range(12):
        heart = client.post("/matches", data={"game": "heart-to-heart"}, follow_redirects=False)
    _, page = read(client, "/")
    listed = [given["href"] for given in page.all("a") if given["href"].startswith("/m/")]
    assert listed == [heart.headers["location"], hearts.headers["location"]]


def test_a_patience_that_was_played_stays_on_the_front_page(client: TestClient[Any]) -> None:
    """Played ones are told apart by the code of their deal, and listed beside the newest untouched one."""
    codes = ["HH1-N-AAAAAAM", "HH1-N-AAAAAAI"]
    for code in codes:
        data = {"game": "heart-to-heart", "code": code}
        made = client.post("/matches", data=data, follow_redirects=False).headers["location"]
        sent = {"id": "1", "command": {"type": "tap", "at": "stock"}}
        assert client.post(f"/api{made.replace('/m/', '/matches/')}/commands", json=sent).status_code == 200
    client.post("/matches", data={"game": "heart-to-heart"}, follow_redirects=False)
    _, page = read(client, "/", "en")
    assert all(f"{code} · 0 points" in page.text for code in codes)
    assert len([given for given in page.all("a") if given["href"].startswith("/m/")]) == 3


def test_up_to_eight_matches_can_be_gone_on_with(client: TestClient[Any]) -> None:
    for _ in range(9):
        client.post("/matches", data={"game": "hearts", "rules": "parlour"}, follow_redirects=False)
    _, page = read(client, "/")
    assert len([given for given in page.all("a") if given["href"].startswith("/m/")]) == 8
    assert "Salon · tur 1 · 4 kişi" in page.text


def test_a_stranger_sees_no_matches_of_others(client: TestClient[Any]) -> None:
    client.post("/matches", data={"game": "heart-to-heart"}, follow_redirects=False)
    client.cookies.clear()
    assert "Devam et" not in read(client, "/")[1].text


@pytest.mark.parametrize(("language", "sentence"), [("tr", "Hedef 1 ya da"), ("en", "The target must")])
def test_a_refused_table_is_shown_again_with_the_reason_and_all_that_was_typed(
    client: TestClient[Any], language: str, sentence: str
) -> None:
    data = {
        "game": "hearts",
        "rules": "parlour",
        "players-parlour": "6",
        "target-parlour": "other",
        "target-own-parlour": "yüz <b>",
        "house-queen_points": "20",
        "house-pass_cycle-0": "right",
        "house-end_early": "true",
        "house-tie": "play_on",
    }
    answer = client.post("/matches", data=data, headers={"accept-language": language})
    assert answer.status_code == 422
    page = Page(answer.text)
    assert sentence in page.text
    chosen = {
        given["name"]: given["value"]
        for given in page.all("input")
        if given.get("type") not in {"radio", "checkbox"} or "checked" in given
    }
    chosen |= selected(answer.text)
    assert {name: chosen[name] for name in data} == data
    fault = next(given for given in page.all("input") if "aria-invalid" in given)
    assert fault["id"] == "target-own-parlour"
    assert any(given.get("id") == fault["aria-describedby"] for _, given in page.elements)


def selected(source: str) -> dict[str, str]:
    """Return what is chosen in each list of a page."""
    return {
        name: value
        for name, inner in re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', source, re.DOTALL)
        for value in re.findall(r'<option value="([^"]*)" selected', inner)
    }


@pytest.mark.parametrize(
    ("house", "field"),
    [
        ({"house-players": "5"}, "house-kitty"),
        ({"house-decks": "2"}, "players"),
        ({"house-removed": "QS"}, "house-removed"),
        ({"house-removed": "kupa"}, "house-removed"),
        ({"house-heart_points": "1000"}, "house-heart_points"),
        ({"house-moon_needs_bonus": "true"}, "house-moon_needs_bonus"),
        ({"house-cancellation": "true"}, "house-cancellation"),
    ],
)
@pytest.mark.parametrize("language", ["tr", "en"])
def test_an_impossible_house_rule_is_told_at_its_field(
    client: TestClient[Any], house: dict[str, str], field: str, language: str
) -> None:
    """Also where the field at fault is one that was left alone; the folded part is then open."""
    data = {"game": "hearts", "rules": "klasik", **house}
    answer = client.post("/matches", data=data, headers={"accept-language": language})
    assert answer.status_code == 422
    page = Page(answer.text)
    assert catalogue.text(language, "new.fault") in page.text
    faults = [given["id"] for _, given in page.elements if given.get("id", "").startswith("fault-")]
    assert [name for name in faults if name == f"fault-{field}"], faults
    details = next(given for given in page.all("details"))
    assert "open" in details


def test_a_wrong_code_gets_a_sentence_and_stays_in_its_field(client: TestClient[Any]) -> None:
    answer = client.post("/matches", data={"game": "heart-to-heart", "code": 'HH1-"<x>'})
    assert answer.status_code == 422
    page = Page(answer.text)
    field = next(given for given in page.all("input") if given.get("id") == "code")
    assert field["value"] == 'HH1-"<x>'
    assert field["aria-describedby"] == "fault-code"
    assert page.text.count("HH1-N-AAAAAAM") == 1, "the hint does not say again what the fault says"


def test_a_code_may_be_typed_as_turkish_keyboards_do(client: TestClient[Any]) -> None:
    answer = client.post(
        "/matches", data={"game": "heart-to-heart", "code": " hh1-n-aaaaaıi "}, follow_redirects=False
    )
    assert answer.status_code == 303


def test_a_new_deal_takes_the_settings_of_the_last_one_along(client: TestClient[Any]) -> None:
    data = {
        "game": "heart-to-heart",
        "code": "HH1-N-AAAAAAM",
        "move_errors": "true",
        "placement_help": "false",
    }
    made = client.post("/matches", data=data, follow_redirects=False).headers["location"]
    view = client.get(f"/api{made.replace('/m/', '/matches/')}").json()["view"]
    assert (view["move_errors"], view["placement_help"]) == (True, False)


def test_a_table_with_another_target_is_still_named_by_its_rulebook(client: TestClient[Any]) -> None:
    data = {"game": "hearts", "rules": "klasik", "target-klasik": "50"}
    client.post("/matches", data=data, follow_redirects=False)
    client.post("/matches", data=data | {"house-tie": "play_on"}, follow_redirects=False)
    text = read(client, "/")[1].text
    assert "Klasik · tur 1" in text
    assert "Ev kuralları · tur 1" in text


def test_a_form_of_no_game_is_a_page_that_says_so(client: TestClient[Any]) -> None:
    answer = client.post("/matches", data={"game": "poker"})
    assert answer.status_code == 400
    assert Page(answer.text).all("h1")


@pytest.mark.parametrize("status", [400, 403, 404, 405, 409, 413, 429, 500, 503])
@pytest.mark.parametrize("language", ["tr", "en"])
def test_every_error_has_its_words(status: int, language: str) -> None:
    kind = error_kind(status)
    assert catalogue.text(language, f"error.title.{kind}")
    assert catalogue.text(language, f"error.text.{kind}")


def test_an_error_page_tells_its_number_and_code(client: TestClient[Any]) -> None:
    text = read(client, "/m/nosuchmatch")[1].text
    assert "Hata 404" in text
    assert "not_found" in text


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/m/{id}/record", 409, "match_not_over"),
        ("DELETE", "/new", 405, "method_not_allowed"),
        ("POST", "/matches", 413, "too_large"),
    ],
)
@pytest.mark.parametrize("language", ["tr", "en"])
def test_an_error_page_tells_the_sentence_of_its_code(
    client: TestClient[Any], method: str, path: str, status: int, code: str, language: str
) -> None:
    made = client.post("/matches", data={"game": "hearts"}, follow_redirects=False).headers["location"]
    large = "x" * 100_000 if method == "POST" else ""
    headers = {"accept-language": language, "content-type": "application/x-www-form-urlencoded"}
    answer = client.request(method, path.format(id=made[3:]), content=large, headers=headers)
    assert answer.status_code == status
    text = Page(answer.text).text
    assert catalogue.text(language, f"server.error.{code}") in text
    assert catalogue.text(language, f"error.title.{error_kind(status)}") in text


def test_the_address_that_matches_are_made_at_leads_to_the_form(client: TestClient[Any]) -> None:
    """Whoever reloads or visits the address of a form that was refused sees the form, not an error."""
    answer = client.get("/matches", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/new")


@pytest.mark.parametrize("path", ["/", "/new", "/heart", "/help", "/help/ozel", "/settings", "/deck", "/m/"])
def test_a_page_answers_for_its_head_alone(client: TestClient[Any], path: str) -> None:
    """The same status and kind as the page itself, and no body; of pages that are not there, too."""
    made = client.post("/matches", data={"game": "hearts"}, follow_redirects=False).headers["location"]
    where = made if path == "/m/" else path
    for address, status in ((where, 200), (f"{where}nowhere", 404)):
        head = client.head(address)
        assert (head.status_code, head.content) == (status, b"")
        assert head.headers["content-type"].startswith("text/html")


def back_of(source: str) -> str:
    """Return where the first link of a page leads, which is the way back."""
    return Page(source).all("a")[0]["href"]


def test_settings_lead_back_to_the_table_that_opened_them(client: TestClient[Any]) -> None:
    """By the address, or by the page that the link was followed on; saving does not forget it."""
    assert back_of(client.get("/settings?from=/m/some-Table_1").text) == "/m/some-Table_1"
    referer = {"referer": "http://kupa.test/m/some-Table_1"}
    assert back_of(client.get("/settings", headers=referer).text) == "/m/some-Table_1"
    answer = client.post("/settings", data={"from": "/m/some-Table_1"}, follow_redirects=False)
    assert answer.headers["location"] == "/settings?saved&from=/m/some-Table_1"
    assert back_of(client.get(answer.headers["location"]).text) == "/m/some-Table_1"


@pytest.mark.parametrize(
    "elsewhere",
    [
        "//elsewhere.test",
        "http://elsewhere.test/m/a",
        "/m//elsewhere.test",
        "/m/a/../x",
        "javascript:1",
        "/m/a\n",
        "",
    ],
)
def test_settings_never_lead_back_to_another_place(client: TestClient[Any], elsewhere: str) -> None:
    assert back_of(client.get("/settings", params={"from": elsewhere}).text) == "/"
    answer = client.post("/settings", data={"from": elsewhere}, follow_redirects=False)
    assert answer.headers["location"] == "/settings?saved"
    assert back_of(client.get("/settings", headers={"referer": "http://elsewhere.test/m/a"}).text) == "/"


@pytest.mark.parametrize("game", ["hearts", "heart-to-heart"])
@pytest.mark.parametrize("language", ["tr", "en"])
def test_the_page_of_a_match_carries_its_first_view(
    client: TestClient[Any], game: str, language: str
) -> None:
    """The same view as the API gives this seat, so that the script begins where the page stands."""
    made = client.post("/matches", data={"game": game}, follow_redirects=False).headers["location"]
    source, page = read(client, made, language)
    assert page.all("html")[0]["lang"] == language
    found = re.search(r'<script type="application/json" id="match">(.*?)</script>', source, re.DOTALL)
    assert found is not None
    match = client.get(f"/api/matches/{made.rpartition('/')[2]}").json()
    carried = json.loads(found[1])
    assert set(carried) >= {"seq", "view", "info"}
    assert set(carried["view"]) == set(match["view"])
    assert carried["info"]["seat"] == 0
