"""The screens of several people: the lobby, the waiting room, and what a table has for its company."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.screens.visit import Screen, Visitor
from tests.server.company import Company, Guest

NAMES: Final = (
    "Deniz", "Elif", "Kerem", "Zeynep", "Mert", "Ayşe", "Can", "Defne", "Ozan", "Selin", "Barış",
)  # fmt: skip
THREE: Final = {"rules": "parlour", "players-parlour": "3"}
FIVE: Final = {"rules": "parlour", "players-parlour": "5"}
SEVEN: Final = {"rules": "parlour", "players-parlour": "7"}
ELEVEN: Final = {"rules": "cancellation", "players-cancellation": "11"}
OPEN: Final = "html[data-connection=open]"
LOSE: Final = """() => {
  window.WebSocket = class { close() {} };
  dispatchEvent(new Event("offline"));
}"""

Show = Callable[[Visitor], None]
Form = Mapping[str, str]
PLAIN: Final[Form] = {}


def company_of(visitor: Visitor, count: int, **form: str) -> Company:
    """Bring some people together; they stay until the visitor looks at something else."""
    company: Company = visitor.guests.enter_context(Company(visitor.server, *NAMES[:count], **form))
    return company


def be(visitor: Visitor, guest: Guest) -> None:
    """Let the visitor be somebody who has come already."""
    visitor.set_cookies({"guest": guest.token})


# Before a match


def lobby(visitor: Visitor) -> None:
    """Three tables are open."""
    for count, form in ((3, {}), (2, {**FIVE, "think": "30"}), (6, {**ELEVEN, "target-cancellation": "200"})):
        company_of(visitor, count, listed="yes", **form)
    visitor.open("/lobby")


def refused_code(visitor: Visitor) -> None:
    """A code has a letter in it that no code has."""
    visitor.open("/lobby?code=K7M+PRI")
    visitor.page.locator("#code").press("Enter")
    visitor.page.wait_for_selector(".fault")


def way_in(visitor: Visitor) -> None:
    """A stranger has followed a link."""
    visitor.open(f"/t/{company_of(visitor, 3, **FIVE).room}")


def waiting(visitor: Visitor, company: Company, who: int = 0) -> None:
    be(visitor, company.guests[who])
    visitor.open(f"/t/{company.room}")
    visitor.page.wait_for_selector(OPEN)


def room(count: int, form: Form, who: int = 0, *, sealed: bool = False) -> Show:
    """Return the way to a waiting room with some people in it."""

    def show(visitor: Visitor) -> None:
        company = company_of(visitor, count, **form)
        if sealed:
            company.host.do(type="fill", level="club")
            company.seal()
        waiting(visitor, company, who)
        if sealed and who == 0:
            visitor.page.wait_for_selector(".start .btn.primary")

    return show


def nameless(visitor: Visitor) -> None:
    """The host has not said what to call them."""
    host = Guest(visitor.server, "")
    visitor.guests.callback(host.client.close)
    path = f"/t/{host.open_room()}"
    be(visitor, host)
    visitor.open(path)
    visitor.page.wait_for_selector(OPEN)


def seat_menu(visitor: Visitor) -> None:
    """The host looks at what can be done about somebody, and is asked once more."""
    room(3, FIVE)(visitor)
    visitor.page.locator(".spot[data-seat='1'] button").click()
    visitor.page.locator("#remove-seat-1 summary").click()


def open_seat_menu(visitor: Visitor) -> None:
    """The host looks at what can be done about an open seat."""
    room(3, FIVE)(visitor)
    visitor.page.locator(".spot[data-seat='3'] button").click()


def some_away(visitor: Visitor) -> None:
    """Somebody has lost the connection, and somebody has no seat."""
    company = company_of(visitor, 4, **FIVE)
    company.guests[3].do(type="stand")
    company.guests[1].go_away()
    waiting(visitor, company)
    visitor.page.wait_for_selector(".spot.away")


def talked(visitor: Visitor) -> None:
    """Something has been said."""
    company = company_of(visitor, 3, **FIVE)
    talk(company)
    waiting(visitor, company)
    visitor.page.wait_for_selector(".said li")


def talk(company: Company) -> None:
    """Have people say something."""
    company.guests[1].ask("say", text="Selam, kolay gelsin!")
    company.guests[2].ask("react", text="hello")
    company.host.ask("say", text="Hoş geldiniz. Bir kişi daha bekleyelim, sonra başlarız.")


def lost(visitor: Visitor) -> None:
    """The line is down."""
    room(3, FIVE)(visitor)
    visitor.page.evaluate(LOSE)
    visitor.page.wait_for_selector("html[data-connection=lost]")


def removed(visitor: Visitor) -> None:
    """The host has sent the visitor away."""
    company = company_of(visitor, 3, **FIVE)
    whom = company.host.room()["view"]["people"][2]
    waiting(visitor, company, 2)
    company.host.do(type="remove", whom=whom)
    visitor.page.wait_for_selector("html[data-connection=final]")


def qr_open(visitor: Visitor) -> None:
    """The host shows the others the way by a picture, and wants to know how the deal is sealed."""
    room(3, FIVE)(visitor)
    visitor.page.locator("#qr summary").click()
    visitor.page.locator("#whole-digest summary").click()


def blocking(visitor: Visitor) -> None:
    """The host is asked once more before somebody is blocked."""
    room(3, FIVE)(visitor)
    visitor.page.locator(".spot[data-seat='1'] button").click()
    visitor.page.locator("#seat-1 .sure:last-of-type summary").click()


def seat_link(visitor: Visitor) -> None:
    """The host has asked for the link that moves the seat."""
    room(3, FIVE)(visitor)
    visitor.page.locator("[popovertarget='room-menu']").first.click()
    visitor.page.locator("#room-menu form[action$='/link'] button").click()
    visitor.page.wait_for_selector("#link")


def link_of(company: Company) -> str:
    """Return the path of a link that moves the host's seat."""
    page = company.host.client.post(f"/t/{company.room}/link").text
    return page.partition("/rejoin/")[1] + page.partition("/rejoin/")[2].partition('"')[0]


def rejoining(visitor: Visitor) -> None:
    """A stranger has opened the link that moves a seat."""
    visitor.open(link_of(company_of(visitor, 3, **FIVE)))


def kept_away(visitor: Visitor) -> None:
    """The visitor has muted somebody and blocked somebody else."""
    company = company_of(visitor, 3)
    people = company.host.room()["view"]["people"]
    for action, person in (("mute", people[1]), ("block", people[2])):
        company.host.client.post(f"/t/{company.room}/{action}", data={"person": person})
    be(visitor, company.host)
    visitor.open("/account")


# At the table


def table(count: int, form: Form = PLAIN, then: Callable[[Visitor, Company], Any] | None = None) -> Show:
    """Return the way to a table of several people, as its host sees it, and what is done there."""

    def show(visitor: Visitor) -> None:
        company = company_of(visitor, count, think="120", **form)
        match = company.start()
        be(visitor, company.host)
        visitor.open(f"/m/{match}")
        visitor.page.wait_for_selector("#table[data-connection=open]")
        if then is not None:
            then(visitor, company)

    return show


NO_PASS: Final = {"house-pass_count": "0"}


def away(visitor: Visitor, company: Company) -> None:
    """Two others are away, and one has given up."""
    company.guests[2].do(type="concede")
    company.guests[1].go_away()
    visitor.page.wait_for_selector(".seat[data-seat='1'] .state.away")


def gave_up(visitor: Visitor, company: Company) -> None:
    """The visitor has given the match up."""
    company.host.do(type="concede")
    visitor.page.wait_for_selector(".stand-in:not([hidden])", state="attached")


def talk_open(visitor: Visitor, company: Company) -> None:
    """The talk is open over the table, or stands beside it."""
    talk(company)
    visitor.page.locator("#open-talk").click()
    visitor.page.wait_for_selector(".said li:nth-child(3)")


def menu_open(visitor: Visitor, company: Company) -> None:
    """The menu is open, and asks once more before the match is given up."""
    visitor.page.locator("#open-menu").click()
    visitor.page.locator("#concede summary").click()


def line_lost(visitor: Visitor, company: Company) -> None:
    """The line is down while cards are chosen to be passed."""
    visitor.page.evaluate(LOSE)
    visitor.page.wait_for_selector("#net-line:not([hidden])")


def moved_on(visitor: Visitor, company: Company) -> None:
    """The visitor's seat has been moved to another device."""
    other = Guest(visitor.server, "")
    visitor.guests.callback(other.client.close)
    other.client.post(link_of(company))
    visitor.page.wait_for_selector("#table[data-connection=final]")


def match_over(visitor: Visitor) -> None:
    """The company has played its match to the end."""
    company = company_of(visitor, 3, **{**THREE, **NO_PASS, "target-parlour": "5"})
    match = company.start()
    company.play_out()
    be(visitor, company.host)
    visitor.open(f"/m/{match}")
    visitor.page.wait_for_selector("#end-stage .rank")


def watched(form: Form = PLAIN) -> Show:
    """Return the way to a table that is watched."""

    def show(visitor: Visitor) -> None:
        company = company_of(visitor, 3, **form)
        match = company.start()
        watcher = Guest(visitor.server, "İzci")
        visitor.guests.callback(watcher.client.close)
        watcher.join(company.room)
        be(visitor, watcher)
        visitor.open(f"/m/{match}")
        visitor.page.wait_for_selector("#table[data-watching][data-connection=open]")

    return show


ROOMS: Final = [
    Screen("lobby", lobby),
    Screen("lobby-empty", lambda visitor: visitor.open("/lobby")),
    Screen("lobby-refused", refused_code),
    Screen("new-people", lambda visitor: visitor.open("/new?company=people")),
    Screen("door", way_in),
    Screen("room", room(3, FIVE)),
    Screen("room-full", room(3, FIVE, sealed=True)),
    Screen("room-guest", room(3, FIVE, 1, sealed=True)),
    Screen("room-3", room(2, {"rules": "parlour", "players-parlour": "3", "target-parlour": "50"})),
    Screen("room-7", room(5, SEVEN)),
    Screen("room-11", room(9, ELEVEN)),
    Screen("room-nameless", nameless),
    Screen("room-away", some_away),
    Screen("room-seat", seat_menu),
    Screen("room-open-seat", open_seat_menu),
    Screen("room-talk", talked),
    Screen("room-lost", lost),
    Screen("room-removed", removed),
    Screen("room-qr", qr_open),
    Screen("room-block", blocking),
    Screen("room-link", seat_link),
    Screen("room-rejoin", rejoining),
    Screen("account-apart", kept_away),
    Screen("room-contrast", room(3, FIVE), settings={"contrast": "more", "deck": "four"}),
    Screen("company-pass", table(3), fits=True),
    Screen("company-away", table(3, NO_PASS, away), fits=True),
    Screen("company-away-7", table(5, {**SEVEN, **NO_PASS}, away), fits=True),
    Screen("company-away-11", table(9, {**ELEVEN, **NO_PASS}, away), fits=True),
    Screen("company-gave-up", table(3, NO_PASS, gave_up), fits=True),
    Screen("company-gave-up-7", table(3, {**SEVEN, **NO_PASS}, gave_up), fits=True),
    Screen("company-watch", watched(), fits=True),
    Screen("company-watch-7", watched({**SEVEN, **NO_PASS}), fits=True),
    Screen("company-talk", table(3, then=talk_open), fits=True),
    Screen("company-pass-lost", table(3, then=line_lost), fits=True),
    Screen("company-moved", table(3, then=moved_on), fits=True),
    Screen("company-over", match_over),
    Screen("company-menu", table(3, then=menu_open), fits=True),
]  # fmt: skip
"""All of them."""
