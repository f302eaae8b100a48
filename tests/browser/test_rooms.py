"""Tables of several people in real browsers: they come, talk, seal, play, leave, play another match."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.server.company import Company, Guest
from tests.server.process import Server

pytestmark = pytest.mark.browser

OPEN = "html[data-connection=open]"


def opened(page: Page, server: Server, name: str, **chosen: str) -> str:
    """Set up a table for people by its form; returns the room's path."""
    page.goto(f"{server.url}/new?company=people")
    page.locator("#name").fill(name)
    for field, value in chosen.items():
        page.locator(f"[name={field}][value='{value}']").check(force=True)
    page.locator(".sticky .btn.primary").click()
    page.wait_for_selector(OPEN)
    return page.url.removeprefix(server.url)


def came_in(page: Page, server: Server, path: str, name: str) -> None:
    """Come to a room by its link."""
    page.goto(server.url + path)
    page.locator("#name").fill(name)
    page.locator(".door .btn.primary").click()


def as_guest(page: Page, server: Server, guest: Guest) -> Page:
    """Let a page be that of a guest who has come already."""
    page.context.add_cookies([{"name": "kupa_guest", "value": guest.token, "url": server.url}])
    return page


@pytest.fixture
def company(server: Server) -> Iterator[Company]:
    with Company(server, "Deniz", "Elif") as made:
        yield made


def test_two_people_meet_and_play(server: Server, new_page: NewPage) -> None:
    """From the form over the code, the talk and the seal to two hands that have no card in common."""
    host, friend = new_page(), new_page("phone")
    opened(host, server, "Deniz", think="120")
    code = host.locator(".invite .mono").inner_text()

    friend.goto(f"{server.url}/lobby")
    friend.locator("#code").fill(code.swapcase())
    friend.locator("#code").press("Enter")
    friend.locator("#name").fill("Elif")
    friend.locator("#name").press("Enter")
    friend.wait_for_selector(OPEN)
    expect(host.locator(".oval b")).to_have_text("2/4")
    expect(host.locator("#announcements")).to_contain_text("Elif geldi.")

    friend.locator("#say").fill("Kolay gelsin")
    friend.locator("#say").press("Enter")
    expect(host.locator(".said li")).to_contain_text("Kolay gelsin")
    host.locator("[data-react=thanks]").click()
    expect(friend.locator(".said .react")).to_contain_text("Sağ ol!")
    expect(friend.locator(".bubble")).to_be_visible()

    expect(host.locator(".start [aria-disabled=true]")).to_have_text("2 yer boş")
    host.locator(".start").get_by_role("button", name="Boş yerlere bot oturt").click()
    host.locator(".start .btn.primary").click()
    hands = []
    for page in (host, friend):
        page.wait_for_selector("#table[data-connection=open]")
        cards = page.locator(".hand .card").evaluate_all("cards => cards.map(({ dataset }) => dataset.card)")
        assert len(cards) == 13
        hands.append(set(cards))
    assert not hands[0] & hands[1]
    expect(host.locator(".own-deadline b")).to_have_text(re.compile(r"1[012]\d"))


def test_everything_in_the_waiting_room_can_be_done_with_the_keyboard(
    server: Server, company: Company, new_page: NewPage
) -> None:
    """A seat's menu opens, takes the keyboard, closes with Escape and gives it back; a bot is seated."""
    page = as_guest(new_page(), server, company.host)
    page.goto(f"{server.url}/t/{company.room}")
    page.wait_for_selector(OPEN)
    seat = page.locator(".spot[data-seat='2'] button")
    seat.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#seat-2 button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#seat-2")).to_be_hidden()
    expect(seat).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("#seat-2").get_by_role("button", name="Bot oturt: Acemi").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".spot[data-seat='2']")).to_contain_text("Bot · Acemi")


def test_seats_are_changed_by_the_host(server: Server, company: Company, new_page: NewPage) -> None:
    """Two seats change places; the host goes to another; who was made host sees what a host can do."""
    host, friend = as_guest(new_page(), server, company.host), as_guest(new_page(), server, company.guests[1])
    for page in (host, friend):
        page.goto(f"{server.url}/t/{company.room}")
        page.wait_for_selector(OPEN)
    host.locator(".spot[data-seat='1'] button").click()
    host.locator("#trade-1").select_option("2")
    host.locator("#seat-1 form.trade .btn").click()
    expect(host.locator(".spot[data-seat='2']")).to_contain_text("Elif")
    host.locator(".spot[data-seat='2'] button").click()
    host.locator("#seat-2").get_by_role("button", name="Masa sahibi yap").click()
    expect(friend.locator(".start")).to_contain_text("Boş yerlere bot oturt")
    expect(host.locator(".start")).not_to_contain_text("Boş yerlere bot oturt")
    expect(friend.locator("#announcements")).to_contain_text("Artık masa sahibi sensin.")


def test_who_is_removed_is_told_and_shown_the_way_out(
    server: Server, company: Company, new_page: NewPage
) -> None:
    """The host is asked once more; the page of who was removed says so for good."""
    company.guests[1].go_away()
    host, friend = as_guest(new_page(), server, company.host), as_guest(new_page(), server, company.guests[1])
    for page in (host, friend):
        page.goto(f"{server.url}/t/{company.room}")
        page.wait_for_selector(OPEN)
    host.locator(".spot[data-seat='1'] button").click()
    host.locator("#remove-seat-1 summary").click()
    expect(host.locator("#remove-seat-1 p")).to_be_visible()
    host.locator("#remove-seat-1 .btn:not(summary)").click()
    friend.wait_for_selector("html[data-connection=final]")
    expect(friend.locator(".room-line")).to_contain_text("Bu masadan çıkarıldın.")
    friend.locator(".room-line").get_by_role("link", name="Açık masalara dön").click()
    friend.wait_for_url("**/lobby")


def test_a_menu_about_somebody_closes_when_somebody_else_sits_there(
    server: Server, company: Company, new_page: NewPage
) -> None:
    """Nobody is removed by a press that was meant for another."""
    page = as_guest(new_page(), server, company.host)
    page.goto(f"{server.url}/t/{company.room}")
    page.wait_for_selector(OPEN)
    page.locator(".spot[data-seat='1'] button").click()
    expect(page.locator("#seat-1")).to_be_visible()
    company.guests[1].do(type="sit", seat=3)
    expect(page.locator("#seat-1")).to_be_hidden()


def test_what_is_open_and_typed_outlasts_a_change_of_the_room(
    server: Server, company: Company, new_page: NewPage
) -> None:
    """Somebody else's coming and going takes neither the keyboard nor a half-written message away."""
    page = as_guest(new_page(), server, company.host)
    page.goto(f"{server.url}/t/{company.room}")
    page.wait_for_selector(OPEN)
    page.locator("#whole-digest summary").click()
    page.locator("#say").fill("yarım")
    company.guests[1].do(type="stand")
    expect(page.locator(".standing")).to_contain_text("Elif")
    expect(page.locator("#say")).to_have_value("yarım")
    expect(page.locator("#say")).to_be_focused()
    assert page.locator("#whole-digest").get_attribute("open") is not None


def test_the_lobby_keeps_the_keyboard_while_tables_come_and_go(server: Server, new_page: NewPage) -> None:
    """The list is brought up to date quietly; the button that has the keyboard keeps it."""
    with Company(server, "Kerem", listed="yes") as first:
        page = new_page()
        page.clock.install()
        page.goto(f"{server.url}/lobby")
        button = page.locator(f"[data-room='{first.room}'] button")
        button.focus()
        with Company(server, "Selin", listed="yes") as second:
            page.clock.run_for(11_000)
            expect(page.locator(f"[data-room='{second.room}']")).to_be_visible()
            expect(button).to_be_focused()
        page.clock.run_for(11_000)
        expect(page.locator(f"[data-room='{second.room}']")).to_have_count(0)
        expect(button).to_be_focused()


def test_who_gives_up_is_asked_first_and_the_table_sees_a_bot(
    server: Server, company: Company, new_page: NewPage
) -> None:
    match = company.start()
    company.guests[1].go_away()
    host, friend = (
        as_guest(new_page(), server, company.host),
        as_guest(new_page("phone"), server, company.guests[1]),
    )
    for page in (host, friend):
        page.goto(f"{server.url}/m/{match}")
        page.wait_for_selector("#table[data-connection=open]")
    friend.locator("#open-menu").click()
    friend.locator("#concede summary").click()
    expect(friend.locator("#concede p")).to_contain_text("geri dönemezsin")
    friend.locator("#concede .btn:not(summary)").click()
    expect(friend.locator(".stand-in")).to_contain_text("Bu maçı bıraktın")
    expect(host.locator(".seat[data-seat='1'] .state")).to_have_text("bot")
    expect(host.locator("#announcements")).to_contain_text("Elif maçı bıraktı, bot oynuyor.")


def test_who_leaves_the_table_is_led_away(server: Server, company: Company, new_page: NewPage) -> None:
    match = company.start()
    company.guests[1].go_away()
    page = as_guest(new_page("phone"), server, company.guests[1])
    page.goto(f"{server.url}/m/{match}")
    page.wait_for_selector("#table[data-connection=open]")
    page.locator("#open-menu").click()
    page.locator("#leave summary").click()
    page.locator("#leave .btn:not(summary)").click()
    page.wait_for_url("**/lobby")


def test_a_watcher_sees_the_table_and_no_hand(server: Server, company: Company, new_page: NewPage) -> None:
    match = company.start()
    page = new_page("tablet", "en")
    came_in(page, server, f"/t/{company.room}", "Kerem")
    page.wait_for_url(f"**/m/{match}")
    page.wait_for_selector("#table[data-connection=open]")
    expect(page.locator(".status")).to_contain_text("You are watching")
    expect(page.locator(".hand .card")).to_have_count(0)
    expect(page.locator("#mine .who")).to_have_text("Deniz")


def test_talk_at_the_table_opens_over_it_on_a_phone_and_stands_beside_it_on_a_desk(
    server: Server, company: Company, new_page: NewPage
) -> None:
    match = company.start()
    wide, narrow = (
        as_guest(new_page(), server, company.host),
        as_guest(new_page("phone"), server, company.guests[1]),
    )
    for page in (wide, narrow):
        page.goto(f"{server.url}/m/{match}")
        page.wait_for_selector("#table[data-connection=open]")
    expect(wide.locator(".side #talk")).to_be_visible()
    expect(narrow.locator("#talk")).to_be_hidden()
    wide.locator("#say").fill("Selam")
    wide.locator("#say").press("Enter")
    expect(narrow.locator("#open-talk .unread")).to_be_visible()
    narrow.keyboard.press("t")
    expect(narrow.locator("#talk-dialog .said")).to_contain_text("Selam")
    expect(narrow.locator("#open-talk .unread")).to_be_hidden()
    narrow.locator("#say").fill("m s l t")
    expect(narrow.locator("#talk-dialog")).to_be_visible()


def test_a_rematch_brings_everybody_back_to_the_waiting_room(server: Server, new_page: NewPage) -> None:
    """At the end one presses it, and both pages are in the waiting room, with another deal sealed."""
    short = {"target-klasik": "other", "target-own-klasik": "5"}
    with Company(server, "Deniz", "Elif", **short) as company:
        match = company.start()
        pages = [as_guest(new_page(), server, guest) for guest in company.guests]
        for page in pages:
            page.goto(f"{server.url}/m/{match}")
            page.wait_for_selector("#table[data-connection=open]")
        for guest in company.guests:
            guest.do(type="concede")
            guest.go_away()
        for page in pages:
            page.wait_for_selector("#next-round, #table[data-phase=over]")
            page.reload()
            page.wait_for_selector("#table[data-stage=over][data-connection=open]")
        expect(pages[1].get_by_role("link", name="Dağıtımı doğrula")).to_be_visible()
        pages[0].get_by_role("button", name="Rövanş").click()
        for page in pages:
            page.wait_for_url(f"**/t/{company.room}")
            page.wait_for_selector(OPEN)
        expect(pages[0].locator(".start")).to_contain_text("Başlat")
