"""A first visit: the cards are there before any script; little has to come, and all of it from here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from kupa.heart_to_heart.layout import SPOTS
from tests.browser.heart_table import TAPS, HeartTable, begin, tap_from_afar
from tests.browser.hearts_table import HeartsTable
from tests.screens import moments
from tests.screens.faults import layout_faults
from tests.screens.still_server import StillServer
from tests.screens.visit import SIZES

pytestmark = pytest.mark.browser

MOST_BYTES: Final = 150_000
"""What a browser that keeps nothing may have to fetch before it can play: heads and bodies as they travel."""

BOXES: Final = """(selector) => [...document.querySelectorAll(selector)].map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return [left, top, width, height].map((length) => Math.round(length * 2) / 2);
})"""
"""Where elements lie, to half a pixel: left, top, width, height."""

OpenedPage = Callable[..., Page]
WINDOWS: Final = [(width, SIZES[width]) for width in (390, 1440)]


@pytest.fixture(scope="module")
def server() -> Iterator[StillServer]:
    """A server whose bots wait."""
    with StillServer() as running:
        yield running


@pytest.fixture
def opened(browser: Browser) -> Iterator[OpenedPage]:
    """Opens pages in browsers that have kept nothing."""
    contexts = []

    def new_page(window: tuple[int, int], **options: Any) -> Page:
        width, height = window
        viewport = {"width": width, "height": height}
        contexts.append(browser.new_context(**{"viewport": viewport, "reduced_motion": "reduce", **options}))
        return contexts[-1].new_page()

    yield new_page
    for context in contexts:
        context.close()


def in_play(server: StillServer) -> str:
    """Begin a game of Heart to Heart and pair some cards; returns its id."""
    match = begin(server)
    tap_from_afar(server, match, TAPS[:20], 61_000)
    return match


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("players", [4, 7])
def test_the_table_of_hearts_stands_before_any_script(
    server: StillServer, opened: OpenedPage, window: tuple[int, int], players: int
) -> None:
    """Hand, trick, seats and status lie where the live page has them, and nothing is covered."""
    match = moments.own_turn(players).stored(server)
    still = opened(window, java_script_enabled=False)
    still.goto(f"{server.url}/m/{match}")
    hand = still.locator(".hand .card").all()
    assert [card.get_attribute("data-card") for card in hand] == server.seen(match)["view"]["hand"]
    assert all(card.is_visible() for card in hand)
    assert layout_faults(still, fits=True) == []
    live = HeartsTable(opened(window), server).open(match).page
    for selector in (".hand .card", ".laid > *", ".seat", ".status"):
        assert still.evaluate(BOXES, selector) == live.evaluate(BOXES, selector)


@pytest.mark.parametrize("window", WINDOWS)
def test_the_heart_lies_there_before_any_script(
    server: StillServer, opened: OpenedPage, window: tuple[int, int]
) -> None:
    """Every card that is left can be seen, in the window, where the live page has it."""
    match = in_play(server)
    still = opened(window, java_script_enabled=False)
    still.goto(f"{server.url}/m/{match}")
    view = server.seen(match)["view"]
    for at in SPOTS:
        assert still.locator(f'.heart [data-at="{at}"]').is_visible() == (view["heart"][at - 1] is not None)
    assert still.locator('.pile [data-at="stock"]').is_visible()
    assert layout_faults(still, fits=True) == []
    live = HeartTable(opened(window), server).open(match).page
    for selector in (".heart .card", ".pile .card", ".tool", ".info"):
        assert still.evaluate(BOXES, selector) == live.evaluate(BOXES, selector)


def fetched(page: Page, address: str) -> dict[str, int]:
    """Go to a page for the first time; returns the bytes of each response, as they travelled, by address."""
    sizes: dict[str, int] = {}
    addresses: dict[str, str] = {}
    spy = page.context.new_cdp_session(page)
    spy.on(
        "Network.requestWillBeSent",
        lambda told: addresses.update({told["requestId"]: told["request"]["url"]}),
    )
    spy.on(
        "Network.loadingFinished",
        lambda told: sizes.update({addresses[told["requestId"]]: int(told["encodedDataLength"])}),
    )
    spy.send("Network.enable")
    page.goto(address, wait_until="load")
    page.wait_for_load_state("networkidle")
    return sizes


@pytest.mark.parametrize("game", ["hearts", "hearts of eleven", "heart to heart", "front"])
def test_a_first_visit_fetches_little_and_all_of_it_here(
    server: StillServer, opened: OpenedPage, game: str
) -> None:
    """A playable table takes 150 kB at most, all responses together, and asks no other host for anything."""
    paths: dict[str, Callable[[], str]] = {
        "hearts": lambda: "/m/" + moments.own_turn(4).stored(server),
        "hearts of eleven": lambda: "/m/" + moments.own_turn(11).stored(server),
        "heart to heart": lambda: "/m/" + in_play(server),
        "front": lambda: "/",
    }
    page = opened((390, 844))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    sizes = fetched(page, server.url + paths[game]())
    assert {urlsplit(url).netloc for url in asked} == {urlsplit(server.url).netloc}
    assert {url for url in asked if url.startswith("http")} == set(sizes)
    assert 10_000 < sum(sizes.values()) <= MOST_BYTES, sorted(sizes.items(), key=lambda item: -item[1])
