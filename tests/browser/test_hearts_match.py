"""Whole matches of Hearts, played through the page by clicking cards."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kupa.hearts.state import State
from tests.browser.conftest import NewPage
from tests.browser.hearts_table import HeartsTable, Written
from tests.server.process import Server

pytestmark = pytest.mark.browser


def test_a_cardems_match_is_played_to_100_in_turkish(server: Server, new_page: NewPage) -> None:
    """Every card is clicked; the page ends with the totals, the winners and the sheet that the server has."""
    table = HeartsTable(new_page(), server).open(server.new(game="hearts", rules="cardems", seed="kupa-41"))
    cards = rounds = 0
    while (stage := table.rest()) != "over":
        if stage == "pass":
            table.give(*table.hand()[-3:])
        elif stage == "round":
            rounds += 1
            expect(table.page.locator("#end-stage h2")).to_have_text(f"{rounds}. tur bitti")
            table.page.locator("#next-round").click()
        else:
            table.play(table.playable()[-1])
            cards += 1
    view = table.view()
    assert view["phase"] == "over"
    assert max(view["totals"]) >= 100
    assert cards == 13 * len(view["rounds"])
    assert rounds == len(view["rounds"]) - 1
    ranks = table.page.locator(".rank li")
    order = sorted(range(4), key=lambda seat: view["totals"][seat])
    assert [
        int(seat or -1) for seat in ranks.evaluate_all("all => all.map((one) => one.dataset.seat)")
    ] == order
    assert ranks.locator("b").all_inner_texts() == [str(view["totals"][seat]) for seat in order]
    sheet = table.page.locator(".side .sheet").first
    assert sheet.locator("tfoot td").all_inner_texts() == [str(total) for total in view["totals"]]
    assert sheet.locator("tbody tr").count() == len(view["rounds"])
    title = table.page.locator("#end-stage h2")
    names = ["Sen", "Deniz", "Elif", "Kerem"]
    winner = view["winners"][0]
    expect(title).to_have_text("Kazandın" if winner == 0 else f"{names[winner]} kazandı")


def test_the_rematch_has_the_same_rules(server: Server, new_page: NewPage) -> None:
    """The button at the end makes a new match of the same rulebook, house rules included."""
    written = Written("ozel", target=50, pass_count=2, heart_points=2)
    written.until(lambda state: state.phase == "over")
    table = HeartsTable(new_page(), server).open(written.stored(server))
    old = table.view()
    table.page.get_by_role("button", name="Rövanş").click()
    table.page.wait_for_url(lambda url: not url.endswith(table.match))
    table.match = table.page.url.rpartition("/")[2]
    table.live()
    new = table.view()
    assert new["rules"] == old["rules"]
    assert new["round"] == 0
    assert new["totals"] == [0, 0, 0, 0]


def test_the_last_card_of_a_round_is_seen_before_its_end(server: Server, new_page: NewPage) -> None:
    """The last trick lies on the table with its taker named, and only then come the points."""
    page = new_page(reduced_motion="no-preference")
    written = Written("klasik").until(lambda state: state.turn == 0 and len(state.tricks) == 12)
    table = HeartsTable(page, server).open(written.stored(server))
    table.click(table.hand()[0])
    expect(table.page.locator(".laid .card[data-seat]")).to_have_count(4)
    expect(table.page.locator(".laid .tag")).to_have_text("aldı")
    assert table.stage == "play"
    expect(table.root).to_have_attribute("data-stage", "round")
    assert table.page.locator(".tiles .plus").all_inner_texts() == [
        f"+{points}" for points in table.view()["rounds"][0]
    ]


def test_an_extra_round_says_why(server: Server, new_page: NewPage) -> None:
    """A tie for the lowest total keeps an Özel match going, and the end of the round tells so."""

    def begun(number: int) -> Written:
        return Written("ozel", seed=f"tie-{number}", target=1, pass_count=0)

    def scored(state: State) -> bool:
        return bool(state.rounds)

    tied = (
        n for n in range(200) if begun(n).until(lambda state: bool(state.rounds)).state.extra_round == "tie"
    )
    written = begun(next(tied)).until(lambda state: state.turn == 0 and len(state.tricks) == 12)
    table = HeartsTable(new_page(), server).open(written.stored(server))
    table.click(table.hand()[0])
    table.rest()
    expect(table.page.locator(".why b")).to_have_text("Bir tur daha oynanıyor: beraberlik")
    leaders = table.page.locator(".tiles .lead .nm").all_inner_texts()
    assert len(leaders) > 1
    expect(table.page.locator(".why p")).to_contain_text(" ve ".join([", ".join(leaders[:-1]), leaders[-1]]))
    table.page.locator("#next-round").click()
    expect(table.root).to_have_attribute("data-stage", "play")
