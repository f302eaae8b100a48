"""Every screen of Kupa and how one gets there: pictures and tests are made from this list alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from kupa.server.help_pages import HELP_PAGES
from kupa.server.store import MatchRecord
from tests.browser.heart_table import (
    SHOWN_DEAL,
    STUCK_AFTER_A_PAIR,
    STUCK_AT_ONCE,
    TAPS,
    At,
    begin,
    tap_from_afar,
)
from tests.browser.hearts_table import Written, new_record
from tests.screens import moments, people
from tests.screens.fair_deals import broken_deal, fair_deal
from tests.screens.played import in_company, played
from tests.screens.rooms import ROOMS
from tests.screens.still_server import StillServer
from tests.screens.visit import Screen, Visitor

PLAYING_MS: Final = 451_300
"""The playing time of a game of Heart to Heart that is in play."""
RECORD_MS: Final = 754_000
"""The best time that the browser remembers."""

LOSE: Final = """() => {
  window.WebSocket = class { close() {} };
  dispatchEvent(new Event("offline"));
}"""
"""Takes the line down, and keeps it down."""


# ---------------------------------------------------------------- pages


def page(path: str) -> Callable[[Visitor], None]:
    """Return the way to a page."""
    return lambda visitor: visitor.open(path)


def front_with_matches(visitor: Visitor) -> None:
    """Two matches can be gone on with."""
    token, person = people.guest(visitor.server)
    moments.own_turn(4).stored(visitor.server, person)
    cookie = {"cookie": f"kupa_guest={token}"}
    body = {"game": "heart-to-heart", "code": SHOWN_DEAL}
    made = visitor.server.client.post("/api/matches", json=body, headers=cookie).json()["id"]
    tap_from_afar(visitor.server, made, TAPS[:20])
    visitor.set_cookies({"guest": token})
    visitor.open("/")


def house_rules(visitor: Visitor) -> None:
    """The house rules are open, and two of them are changed."""
    visitor.open("/new?rules=omnibus")
    visitor.page.locator("details.house summary").click()
    visitor.page.locator("#house-pass_count").select_option(index=2)
    visitor.page.locator("#house-queen_points").fill("26")
    visitor.page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")


def refused_table(visitor: Visitor) -> None:
    """The cards taken out do not leave each player the same number."""
    house_rules(visitor)
    visitor.page.locator("#house-removed").fill("2C 2D 3C")
    visitor.page.locator(".sticky .btn.primary").click()
    visitor.page.wait_for_selector(".doc.faulty")


def refused_code(visitor: Visitor) -> None:
    """The code of a deal has a slip in it."""
    visitor.open("/heart?code=HH1-N-AAAA")
    visitor.page.locator("#code").press("Enter")
    visitor.page.wait_for_selector(".fault")


def error_of_ours(visitor: Visitor) -> None:
    """A match whose log cannot be read."""
    record: MatchRecord = new_record("whist", {}, None, over=False)
    visitor.server.keep(record, [])
    visitor.open(f"/m/{record.id}")


def saved_settings(visitor: Visitor) -> None:
    """The settings have just been saved."""
    visitor.open("/settings")
    visitor.page.locator(".sticky .btn.primary").click()
    visitor.page.wait_for_url("**/settings?saved")


def own_page(make: Callable[[StillServer], tuple[str, str]]) -> Callable[[Visitor], None]:
    """Return the way to the account of somebody."""

    def show(visitor: Visitor) -> None:
        visitor.set_cookies({"guest": make(visitor.server)[0]})
        visitor.open("/account")

    return show


def refused_account(visitor: Visitor) -> None:
    """A login that cannot be was chosen."""
    visitor.open("/account")
    visitor.page.locator("#new-login").fill("ada lovelace")
    visitor.page.locator("#new-passphrase").fill("dört sözcük yeter herhalde")
    visitor.page.locator("#sign-up .btn").click()
    visitor.page.wait_for_selector(".fault")


def farewell(visitor: Visitor) -> None:
    """Everything is about to be deleted, but the word that confirms it is another."""
    own_page(people.account)(visitor)
    visitor.page.locator("#data summary").click()
    visitor.page.locator("#word").fill("yes")
    visitor.page.locator("#data form .btn").click()
    visitor.page.wait_for_selector(".fault")


def other_passphrase(visitor: Visitor) -> None:
    """The passphrase is about to be changed."""
    own_page(people.account)(visitor)
    visitor.page.locator("#mine summary").click()


def name_saved(visitor: Visitor) -> None:
    """A guest has just chosen a name."""
    own_page(people.guest)(visitor)
    visitor.page.locator("#name .btn").click()
    visitor.page.wait_for_url("**/account?done=name")


FOR_WEAK_EYES: Final = {"contrast": "more", "deck": "four", "index": "turkish"}
IN_CONTRAST: Final = {
    "front": "/", "new": "/new", "heart-begin": "/heart", "help": "/help", "deck": "/deck",
    "played": "/played",
}  # fmt: skip
"""Pages that are looked at in high contrast, too, by name."""

PAGES: Final = [
    Screen("front", page("/")),
    Screen("front-resume", front_with_matches),
    Screen("new", page("/new")),
    Screen("new-seats", page("/new?rules=cancellation")),
    Screen("new-house", house_rules),
    Screen("new-refused", refused_table),
    Screen("heart-begin", page("/heart")),
    Screen("heart-refused", refused_code),
    *(Screen(f"help-{name}", page(f"/help/{name}")) for name in HELP_PAGES),
    Screen("settings", page("/settings")),
    Screen("settings-saved", saved_settings),
    Screen(
        "settings-all", page("/settings"),
        settings={"contrast": "more", "deck": "four", "hand": "left", "index": "turkish", "speed": "slow"},
    ),
    Screen("account", page("/account")),
    Screen("account-guest", own_page(people.guest)),
    Screen("account-named", name_saved),
    Screen("account-refused", refused_account),
    Screen("account-known", own_page(people.account)),
    Screen("account-passphrase", other_passphrase),
    Screen("account-delete", farewell),
    Screen("played", page("/played")),
    Screen("played-few", in_company),
    Screen("played-many", played(60)),
    Screen("played-older", played(30, older=True)),
    Screen("privacy", page("/privacy")),
    Screen("error-404", page("/nowhere")),
    Screen("error-500", error_of_ours),
    Screen("missing", page("/m/AAAAAAAAAAAAAAAAAAAAAA")),
    Screen("fair", fair_deal(over=True)),
    Screen("fair-sealed", fair_deal(over=False)),
    Screen("fair-broken", broken_deal),
    Screen("deck", page("/deck")),
    *(Screen(f"{name}-contrast", page(path), settings=FOR_WEAK_EYES) for name, path in IN_CONTRAST.items()),
]  # fmt: skip


# ---------------------------------------------------------------- the table of Hearts

Moment = Callable[..., Written]


def hearts(moment: Moment, *args: Any) -> Callable[[Visitor], None]:
    """Return the way to a match of Hearts at a moment."""

    def show(visitor: Visitor) -> None:
        visitor.hearts(moment(*args))

    return show


def end_of(moment: Moment, *args: Any) -> Callable[[Visitor], None]:
    """Return the way to the end of the round before a moment."""
    return lambda visitor: visitor.end_of_round(moment(*args))


def cards_chosen(visitor: Visitor) -> None:
    """Three cards lie in the slots."""
    table = visitor.hearts(moments.passing())
    for card in table.hand()[2:8:2]:
        table.click(card)


def cards_received(visitor: Visitor) -> None:
    """The cards that were received stand out of the hand."""
    cards_chosen(visitor)
    visitor.hold("--d-rest")
    visitor.page.locator(".pass .btn.primary").click()
    visitor.page.wait_for_selector(".hand .card.got")


def card_refused(visitor: Visitor) -> None:
    """A card that may not be played was."""
    table = visitor.hearts(moments.opening())
    table.click("5H")
    visitor.page.wait_for_selector(".hand .card.refused")


def trick_taken(visitor: Visitor) -> None:
    """The trick lies complete, with its taker."""
    table = visitor.hearts(moments.last_to_play())
    visitor.hold("--d-rest")
    table.click(table.playable()[0])
    visitor.page.wait_for_selector(".laid .tag")


def last_trick(players: int) -> Callable[[Visitor], None]:
    """Return the way to a table whose last trick is looked back at."""

    def show(visitor: Visitor) -> None:
        visitor.hearts(moments.own_turn(players))
        visitor.page.keyboard.press("l")
        visitor.page.wait_for_selector("#last-trick[aria-pressed=true]")

    return show


def connection_lost(visitor: Visitor) -> None:
    """The line is down."""
    visitor.hearts(moments.own_turn(4))
    visitor.page.evaluate(LOSE)
    visitor.page.wait_for_selector("#table[data-connection=lost]")


def score_sheet(moment: Moment, *args: Any) -> Callable[[Visitor], None]:
    """Return the way to the score sheet: a page where the table has no panel beside it."""

    def show(visitor: Visitor) -> None:
        visitor.hearts(moment(*args))
        visitor.page.locator("#open-scores").click()
        visitor.page.wait_for_selector("#scores[open]")

    return show


def table_menu(visitor: Visitor) -> None:
    """The menu of the table is open."""
    visitor.hearts(moments.own_turn(4))
    visitor.page.locator("#open-menu").click()
    visitor.page.wait_for_selector("#menu[open]")


def moon_chosen(visitor: Visitor) -> None:
    """A way to write the moon is chosen, and not written yet."""
    visitor.hearts(moments.own_moon())
    visitor.page.locator("[data-choice=add]").click()


def tables() -> Iterator[Screen]:
    """Yield the tables of every number of players: one's own turn, another's, and late in a round."""
    for players in range(3, 12):
        yield Screen(f"hearts-{players}", hearts(moments.own_turn, players), fits=True)
        yield Screen(f"hearts-{players}-waiting", hearts(moments.waiting, players), fits=True)
        yield Screen(f"hearts-{players}-late", hearts(moments.late, players), fits=True)


HEARTS: Final = [
    Screen("pass", hearts(moments.passing), fits=True),
    Screen("pass-ready", cards_chosen, fits=True),
    Screen("pass-given", hearts(moments.chosen), fits=True),
    Screen("pass-received", cards_received, fits=True),
    Screen("pass-one", hearts(moments.passing, "parlour", 4, 1), fits=True),
    Screen("pass-four", hearts(moments.passing, "parlour", 3, 4), fits=True),
    Screen("pass-7", hearts(moments.passing, "parlour", 7), fits=True),
    *tables(),
    Screen("hearts-full", hearts(moments.full_hand), fits=True),
    Screen("hearts-opening", hearts(moments.opening), fits=True),
    Screen("hearts-refused", card_refused, fits=True),
    Screen("hearts-taken", trick_taken, fits=True),
    Screen("hearts-kitty-7", hearts(moments.kitty, 7), fits=True),
    Screen("hearts-kitty-11", hearts(moments.kitty, 11), fits=True),
    Screen("hearts-cancelled-7", hearts(moments.cancelled, 7), fits=True),
    Screen("hearts-cancelled-11", hearts(moments.cancelled, 11), fits=True),
    Screen("hearts-last-trick", last_trick(4), fits=True),
    Screen("hearts-last-trick-9", last_trick(9), fits=True),
    *(
        Screen(f"hearts-claim-{players}", hearts(moments.claimable, players), fits=True)
        for players in (3, 4, 7, 11)
    ),
    Screen("hearts-offline", connection_lost, fits=True),
    Screen("hearts-left", hearts(moments.own_turn, 4), fits=True, settings={"hand": "left"}),
    Screen("hearts-left-11", hearts(moments.own_turn, 11), fits=True, settings={"hand": "left"}),
    Screen("hearts-contrast", hearts(moments.own_turn, 4), fits=True, settings={"contrast": "more"}),
    Screen("hearts-four", hearts(moments.own_turn, 4), fits=True, settings={"deck": "four"}),
    Screen(
        "hearts-turkish", hearts(moments.own_turn, 4), fits=True,
        settings={"deck": "four", "index": "turkish", "contrast": "more", "hand": "left"},
    ),
    Screen("menu", table_menu, fits=True),
    Screen("score", score_sheet(moments.own_turn, 4)),
    Screen("score-long", score_sheet(moments.long_match, 4)),
    Screen("score-7", score_sheet(moments.long_match, 7)),
    Screen("score-11", score_sheet(moments.long_match, 11)),
    Screen("moon-ask", hearts(moments.own_moon)),
    Screen("moon-ask-5", hearts(moments.own_moon, 5)),
    Screen("moon-chosen", moon_chosen),
    Screen("moon-waiting", hearts(moments.other_moon), fits=True),
    Screen("moon", end_of(moments.moon_told)),
    Screen("round", end_of(moments.round_over, 4)),
    Screen("round-7", end_of(moments.round_over, 7)),
    Screen("round-11", end_of(moments.round_over, 11)),
    Screen("round-tie", end_of(moments.tied)),
    Screen("round-perfect", end_of(moments.perfect)),
    Screen("end", hearts(moments.won)),
    Screen("end-shared", hearts(moments.shared)),
    Screen("end-5", hearts(moments.lost, 5)),
    Screen("end-11", hearts(moments.lost, 11)),
]  # fmt: skip


# ---------------------------------------------------------------- the table of Heart to Heart


def heart(taps: list[At], code: str = SHOWN_DEAL, **settings: bool) -> Callable[[Visitor], None]:
    """Return the way to a game of Heart to Heart after some taps."""

    def show(visitor: Visitor) -> None:
        match = begin(visitor.server, code, **settings)
        tap_from_afar(visitor.server, match, taps, PLAYING_MS)
        visitor.page.evaluate("time => localStorage.setItem('kupa.best', time)", str(RECORD_MS))
        visitor.heart(match)

    return show


def heart_menu(visitor: Visitor) -> None:
    """The menu with the settings and the entry of a code is open."""
    heart(TAPS[:20])(visitor)
    visitor.page.locator("[data-do=menu]").click()
    visitor.page.wait_for_selector("#menu[open]")


def heart_menu_keys(visitor: Visitor) -> None:
    """The menu with everything unfolded, and a code that is none."""
    heart_menu(visitor)
    visitor.page.locator("#menu summary").click()
    visitor.page.locator("#code").fill("HH1-N-AAAA")


def heart_offline(visitor: Visitor) -> None:
    """The line is down."""
    heart(TAPS[:20])(visitor)
    visitor.page.evaluate(LOSE)
    visitor.page.wait_for_selector("[data-line]:not([hidden])")


SELECTED: Final[list[At]] = TAPS[:53]
"""One card is selected, and two others make a pair with it."""
HEART: Final = [
    Screen("heart-start", heart([]), fits=True),
    Screen("heart-framed", heart(TAPS[:9]), fits=True),
    Screen("heart", heart(SELECTED), fits=True),
    Screen("heart-waste", heart([*TAPS[:11], "waste"]), fits=True),
    Screen("heart-unhelped", heart(SELECTED, placement_help=False, move_errors=True), fits=True),
    Screen("heart-late", heart(TAPS[:60]), fits=True),
    Screen("heart-redeal", heart([*TAPS[:11], *["stock"] * 17]), fits=True),
    Screen("heart-stuck", heart([], STUCK_AT_ONCE), fits=True),
    Screen("heart-stuck-late", heart([25, "waste"], STUCK_AFTER_A_PAIR), fits=True),
    Screen("heart-win", heart(TAPS), fits=True),
    Screen("heart-menu", heart_menu, fits=True),
    Screen("heart-menu-keys", heart_menu_keys),
    Screen("heart-offline", heart_offline, fits=True),
    Screen("heart-left", heart(SELECTED), fits=True, settings={"hand": "left"}),
    Screen("heart-left-stuck", heart([], STUCK_AT_ONCE), fits=True, settings={"hand": "left"}),
    Screen(
        "heart-contrast", heart(SELECTED), fits=True, settings={"contrast": "more", "index": "turkish"}
    ),
]  # fmt: skip


SCREENS: Final[tuple[Screen, ...]] = (*PAGES, *ROOMS, *HEARTS, *HEART)
"""All of them; no two have one name."""
