"""Heart to Heart played in a real browser against a real server: taps, both ends, undo, codes, settings."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.server.process import Server

from .conftest import NewPage
from .heart_table import (
    SHOWN_DEAL,
    STUCK_AFTER_A_PAIR,
    STUCK_AT_ONCE,
    TAPS,
    WIN,
    HeartTable,
    begin,
    opened,
    seen,
    tap_from_afar,
)

pytestmark = pytest.mark.browser


def test_the_shown_deal_is_typed_in_and_won_in_turkish(new_page: NewPage, server: Server) -> None:
    """Its first pair is the tenth move, a win is 250 points, and undoing the win lets it be won again."""
    table = opened(new_page, server, begin(server, STUCK_AT_ONCE))
    table.enter_code(SHOWN_DEAL)
    expect(table.root.locator(".info .code dd")).to_have_text(SHOWN_DEAL)
    assert table.page.locator("html").get_attribute("lang") == "tr"

    first_pair = WIN["first_pair_on_move"]
    table.tap(*TAPS[: first_pair - 1])
    table.expect_figure("moves", str(first_pair - 1))
    table.expect_figure("score", "0")
    table.tap(*TAPS[first_pair - 1 : first_pair + 1])
    table.expect_figure("moves", str(first_pair))
    table.expect_figure("score", "10")

    table.tap(*TAPS[first_pair + 1 :])
    table.expect_status("won")
    table.expect_figure("score", "250")
    table.expect_figure("moves", str(WIN["moves"]))
    expect(table.page.get_by_role("heading", name="Kalp boşaldı")).to_be_visible()
    assert table.root.locator(".holes .hole").count() == 25

    table.page.get_by_role("button", name="Geri al").locator("visible=true").click()
    table.expect_status("playing")
    table.expect_figure("score", "230")
    table.expect_figure("moves", str(WIN["moves"] - 1))
    table.tap(*TAPS[-2:])
    table.expect_status("won")
    table.expect_figure("score", "250")


def test_no_move_left_covers_no_card_and_can_be_taken_back(new_page: NewPage, server: Server) -> None:
    """The notice comes with the pair after which nothing fits, covers no card, and goes with the undo."""
    table = opened(new_page, server, begin(server, STUCK_AFTER_A_PAIR))
    notice = table.page.get_by_role("region", name="Yapılabilecek hamle kalmadı")
    expect(notice).to_be_hidden()
    table.tap(25, "waste")
    table.expect_status("stuck")
    expect(notice).to_be_visible()
    for name in ("Geri al", "Aynı dağıtım", "Yeni oyun"):
        expect(notice.get_by_role("button", name=name)).to_be_visible()
    top = notice.bounding_box()
    assert top is not None
    for at in seen(server, table.match)["free"]:
        box = table.place(at).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= top["y"]
    notice.get_by_role("button", name="Geri al").click()
    table.expect_status("playing")
    expect(notice).to_be_hidden()
    table.expect_figure("score", "0")


@pytest.mark.parametrize("script", [True, False], ids=["live", "before any script"])
def test_a_deal_that_is_stuck_at_once_offers_no_undo(new_page: NewPage, server: Server, script: bool) -> None:
    """There is nothing to take back; the same deal again and a new game are offered."""
    match = begin(server, STUCK_AT_ONCE)
    page = new_page("phone", "en", java_script_enabled=script)
    page.goto(f"{server.url}/m/{match}")
    notice = page.get_by_role("region", name="No moves left")
    expect(notice.get_by_role("button", name="Undo")).to_be_hidden()
    expect(notice.get_by_role("button", name="New game")).to_be_visible()
    notice.get_by_role("button", name="Same deal").click()
    page.wait_for_url(lambda url: not url.endswith(match))
    expect(page.locator(".info .code dd")).to_have_text(STUCK_AT_ONCE)


def test_when_stuck_taps_still_work(new_page: NewPage, server: Server) -> None:
    """A wide window shows the stock beside the notice: it can be drawn from, and the game stays stuck."""
    table = opened(new_page, server, begin(server, STUCK_AT_ONCE), size="desktop")
    table.tap("stock", 25)
    table.expect_figure("moves", "1")
    expect(table.place(25)).to_have_attribute("aria-pressed", "true")
    table.expect_status("stuck")


def test_twenty_taps_at_once_equal_the_same_taps_one_by_one(new_page: NewPage, server: Server) -> None:
    """None is dropped or merged, in whatever order a pair, a mismatch and a draw follow one another."""
    slow, fast = begin(server), begin(server)
    taps = [*TAPS[:11], 24, 23, "stock", "stock", 23, "waste", 23, "stock", 22]
    tap_from_afar(server, slow, taps)
    table = opened(new_page, server, fast)
    took = table.page.evaluate(
        """taps => {
            const begun = performance.now();
            for (const at of taps) document.querySelector(`[data-at="${at}"]`).click();
            return performance.now() - begun;
        }""",
        taps,
    )
    assert took < 200
    wanted = seen(server, slow)
    table.expect_figure("moves", str(wanted["moves"]))
    expect(table.root).to_have_attribute("data-seq", str(server.seen(slow)["seq"]))
    assert seen(server, fast) == wanted
    assert table.shown() == opened(new_page, server, slow).shown()


def test_a_tap_is_taken_while_cards_are_still_in_flight(new_page: NewPage, server: Server) -> None:
    """Ten draws by a real pointer, as fast as it goes, are ten draws; what flies takes no tap."""
    table = opened(new_page, server, begin(server), reduced_motion="no-preference")
    x, y = table.middle("stock")
    for _ in range(10):
        table.page.mouse.click(x, y)
    table.expect_figure("moves", "10")
    table.expect_figure("stock", "16")


def test_settings_hold_at_once_after_a_reload_and_in_the_next_deal(new_page: NewPage, server: Server) -> None:
    """Help frames and dims, errors tell; both go on wherever the next deal is begun."""
    table = opened(new_page, server, begin(server))
    taps: tuple[int | str, ...] = (*(["stock"] * 9), 25, "waste", 24)
    table.tap(*taps)
    line = table.page.locator("[data-line]")
    expect(table.place("waste")).to_have_class("card dim")
    table.tap(23)
    expect(table.place(23)).to_have_attribute("aria-pressed", "true")
    expect(line).to_be_hidden()

    table.set_switch("Hamle hataları", True)
    table.tap(24)
    expect(line).to_have_text("Aynı değerde olmalı")
    table.set_switch("Yerleştirme yardımı", False)
    assert table.root.locator(".card.dim, .card.framed").count() == 0

    table.page.reload()
    expect_settings(table, errors=True, help_=False)
    table.page.get_by_role("button", name="Baştan").click()
    table.page.wait_for_load_state()
    table.expect_figure("moves", "0")
    expect_settings(table, errors=True, help_=False)
    table.page.get_by_role("button", name="Yeni oyun").locator("visible=true").first.click()
    table.page.wait_for_load_state()
    expect_settings(table, errors=True, help_=False)
    table.page.goto(f"{server.url}/heart")
    table.page.get_by_role("button", name="Dağıt", exact=True).click()
    expect_settings(table, errors=True, help_=False)
    table.enter_code("hh1-n-aaaaaaa")
    expect(table.root.locator(".info .code dd")).to_have_text(STUCK_AT_ONCE)
    expect_settings(table, errors=True, help_=False)


def expect_settings(table: HeartTable, errors: bool, help_: bool) -> None:
    """Check both switches of a page that has just been opened."""
    table.live()
    table.open_menu()
    expect(table.switch("Hamle hataları")).to_be_checked(checked=errors)
    expect(table.switch("Yerleştirme yardımı")).to_be_checked(checked=help_)
    table.close_menu()


@pytest.mark.parametrize("language", ["tr", "en"])
def test_a_wrong_code_is_explained_and_stays_typed(new_page: NewPage, server: Server, language: str) -> None:
    """The page stays, the sentence names what was typed, the field keeps it and has the focus."""
    match = begin(server)
    table = opened(new_page, server, match, language=language)
    table.enter_code("HH1-N-AAAA4AM")
    said = {"tr": "«HH1-N-AAAA4AM» bir dağıtım kodu değil.", "en": "“HH1-N-AAAA4AM” is not a deal code."}
    expect(table.page.locator("#fault-code")).to_contain_text(said[language])
    expect(table.page.locator("#code")).to_have_value("HH1-N-AAAA4AM")
    expect(table.page.locator("#code")).to_be_focused()
    expect(table.page.locator("#code")).to_have_attribute("aria-invalid", "true")
    assert table.match == match


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (" hh1-n-aaaaaam ", SHOWN_DEAL),
        ("hh1-n-kıskaai", "HH1-N-KISKAAI"),
        ("HH1-N-KİSKAAİ", "HH1-N-KISKAAI"),
    ],
)
def test_a_code_may_be_typed_in_small_letters_and_with_the_turkish_i(
    new_page: NewPage, server: Server, typed: str, code: str
) -> None:
    """What is dealt shows its code in capitals."""
    table = opened(new_page, server, begin(server, STUCK_AT_ONCE))
    table.enter_code(typed)
    expect(table.root.locator(".info .code dd")).to_have_text(code)


def test_the_page_tells_nothing_of_the_stock(new_page: NewPage, server: Server) -> None:
    """Neither the page nor a frame of the socket carries more of the stock than how many cards it has."""
    page = new_page("phone")
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda text: frames.append(str(text))))
    table = HeartTable(page, server).open(begin(server))
    table.tap(*TAPS[:11])
    table.expect_figure("moves", "10")
    told = [page.content(), *frames]
    assert len(frames) > 10
    # The stock of the shown deal as it lies after nine draws and a pair, in any way of writing it.
    rest = "TQ4787JJK5457J52A"
    for text in told:
        plain = "".join(character for character in text if character in "A23456789TJQK")
        assert rest not in text
        assert rest[:9] not in plain
