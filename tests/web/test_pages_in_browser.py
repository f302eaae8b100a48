"""What only a real browser can tell of the pages: that they fit, load nothing amiss, and can be read."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page

from kupa.cards import TEXT
from kupa.server.app import create_app
from kupa.server.memory_store import MemoryStore

pytestmark = pytest.mark.browser

SIZES = {360: 740, 768: 1024, 1440: 900}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server of its own, on a port that was free."""
    taken = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        create_app(MemoryStore()), log_config=None, access_log=False, lifespan="on", ws="websockets-sansio"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]})
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{taken.getsockname()[1]}"
    server.should_exit = True
    thread.join()


def opened_page(browser: Browser, width: int, language: str = "tr", **more: Any) -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": SIZES[width]},
        locale=language,
        extra_http_headers={"accept-language": language},
        **more,
    )
    return context.new_page()


def test_the_browser_builds_a_card_as_the_templates_write_it(browser: Browser, address: str) -> None:
    """Both languages of the code give one markup: all 52 faces and the back, on the sheet of the deck."""
    page = opened_page(browser, 1440)
    page.goto(f"{address}/deck", wait_until="load")
    messages = page.evaluate("document.getElementById('messages').textContent")
    assert json.loads(messages)["card.QS"] == "maça kızı"
    build = """async (texts) => {
      const style = document.querySelector('link[rel=stylesheet]').href;
      const address = style.replace('css/tokens.css', 'js/card.js');
      const { cardElement } = await import(address);
      const drawn = [...document.querySelectorAll('.card')].map((card) => card.outerHTML);
      return texts.filter((text) => !drawn.includes(cardElement(text).outerHTML));
    }"""
    assert page.evaluate(build, [*TEXT.values(), "back"]) == []
    page.context.close()


def test_the_foot_of_the_new_table_says_what_is_chosen(browser: Browser, address: str) -> None:
    page = opened_page(browser, 1440, "en")
    page.goto(f"{address}/new")
    page.get_by_text("Cancellation", exact=False).first.click()
    page.locator(".of-book[data-rules=cancellation] label", has_text="9").click()
    page.locator("summary").click()
    page.get_by_label("Decks", exact=True).select_option("2")
    assert page.locator(".summary").inner_text() == "Cancellation · 9 players · target 200 · house rules"
    assert page.locator("summary small").inner_text() == "1 change"
    page.context.close()


def test_a_house_rule_says_what_the_chosen_rulebook_says(browser: Browser, address: str) -> None:
    """And says it anew as soon as another rulebook or number of players is chosen."""
    page = opened_page(browser, 1440, "en")
    page.goto(f"{address}/new")
    moon = page.locator("#house-moon_points option").first
    assert moon.text_content() == "Rule: 13"
    page.get_by_text("Cancellation", exact=False).first.click()
    assert moon.text_content() == "Rule: 52"
    page.locator("label.book", has_text="Parlour").first.click()
    page.locator(".of-book[data-rules=parlour] label", has_text="5").first.click()
    removed = page.locator("#house-removed")
    assert removed.get_attribute("placeholder") == "Rule: 2C 2D"
    assert page.locator("[data-says=pass_cycle]").text_content() == "Rule: left, right"
    page.context.close()


def test_a_table_can_be_set_up_without_a_script(browser: Browser, address: str) -> None:
    """Only what belongs to the chosen rulebook shows, and the form does the rest."""
    page = opened_page(browser, 360, "en", java_script_enabled=False)
    page.goto(f"{address}/new")
    page.locator("label.book", has_text="3–7").first.click()
    shown = page.locator(".of-book:visible")
    assert shown.count() == 1
    assert "13 cards each" in shown.inner_text()
    shown.locator("label", has_text="5").first.click()
    assert "out: two of clubs, two of diamonds" in shown.inner_text()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/m/*")
    page.context.close()


def test_a_setting_shows_at_once_and_is_kept(browser: Browser, address: str) -> None:
    page = opened_page(browser, 768)
    page.goto(f"{address}/settings")
    page.get_by_text("Koyu", exact=True).click()
    page.get_by_text("A P K V", exact=True).click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.locator(".prev use").first.get_attribute("href", timeout=1000)
    assert "cards-tr.svg" in str(page.locator(".prev use").first.get_attribute("href"))
    page.locator(".saved", has_text="Kaydedildi.").wait_for()
    assert page.url == f"{address}/settings"
    page.goto(f"{address}/")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.context.close()


def test_another_language_shows_at_once_and_does_not_forget_the_way_back(
    browser: Browser, address: str
) -> None:
    page = opened_page(browser, 768)
    page.goto(f"{address}/settings?from=/m/some-table")
    page.get_by_text("English", exact=True).click()
    page.get_by_role("heading", name="Settings").wait_for()
    assert page.get_by_role("link", name="Back").get_attribute("href") == "/m/some-table"
    page.context.close()


def test_settings_can_be_saved_without_a_script(browser: Browser, address: str) -> None:
    page = opened_page(browser, 768, java_script_enabled=False)
    page.goto(f"{address}/settings")
    page.get_by_text("Koyu", exact=True).click()
    page.get_by_role("button", name="Kaydet").click()
    page.wait_for_url("**/settings?saved")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.context.close()


def test_impatient_presses_make_one_match(browser: Browser, address: str) -> None:
    """A form that is sent again while the answer is on its way makes nothing more."""
    page = opened_page(browser, 360)
    page.goto(address)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.evaluate(
        "for (let n = 0; n < 5; n++) document.querySelector('form[action=\"/matches\"] button').click()"
    )
    page.wait_for_url("**/m/*")
    page.goto(address)
    assert page.locator(".resumes .resume").count() == 1
    assert len(sent) == 1
    page.context.close()


@pytest.mark.parametrize(("language", "words"), [("tr", "JavaScript’i aç"), ("en", "switch on JavaScript")])
def test_a_table_without_scripts_says_what_is_missing(
    browser: Browser, address: str, language: str, words: str
) -> None:
    """The cards are there; a sentence tells why nothing can be pressed."""
    page = opened_page(browser, 360, language, java_script_enabled=False)
    page.goto(address)
    page.locator("form[action='/matches'] button").last.click()
    page.wait_for_url("**/m/*")
    assert page.get_by_role("alert").is_visible()
    assert words in page.get_by_role("alert").inner_text()
    page.context.close()
