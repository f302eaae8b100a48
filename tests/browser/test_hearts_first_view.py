"""The first view of a table of Hearts comes from the server, and the page's module writes the very same."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from kupa.hearts.game import HEARTS
from kupa.hearts.state import State
from tests.browser.conftest import NewPage
from tests.browser.hearts_table import MOON_HANDS, HeartsTable, Written, by_strength
from tests.server.process import Server

pytestmark = pytest.mark.browser

MARKUP = """() => {
  const table = document.querySelector('#table').cloneNode(true);
  table.removeAttribute('data-connection');
  for (const style of table.querySelectorAll('[style]')) {
    const all = style.getAttribute('style').split(';').map((one) => one.trim().replace(/:\\s+/, ':'));
    style.setAttribute('style', all.filter(Boolean).sort().join(';'));
  }
  const lines = [];
  const walk = (node, depth) => {
    if (node.nodeType === 3) {
      if (node.data.trim()) lines.push(' '.repeat(depth) + node.data.replace(/\\s+/g, ' '));
      return;
    }
    const attributes = [...node.attributes].map(({name, value}) => `${name}=${value.trim()}`).sort();
    lines.push(' '.repeat(depth) + [node.tagName.toLowerCase(), ...attributes].join(' '));
    for (const child of node.childNodes) walk(child, depth + 1);
  };
  walk(table, 0);
  return lines;
}"""
"""Everything on the table, a line an element, without what only a live page has."""


def held_in_last_trick(state: State, card: str) -> bool:
    """Whether a card lies in the trick that was taken last in the running round."""
    view = HEARTS.view(state, 0)
    last = view.last_trick if view.tricks else None
    return last is not None and card in {played.card for played in last.cards}


def moments() -> dict[str, Written]:
    """Matches at the moments that a page may be loaded at."""
    return {
        "passing": Written("cardems"),
        "first trick": Written("klasik", totals=(3, 0, -4, 12)).until(
            lambda state: state.turn == 0 and not state.tricks and bool(state.trick)
        ),
        "later": Written("parlour", 5, seed="five").until(
            lambda state: (
                len(state.rounds) > 4 and state.turn == 0 and len(state.tricks) == 6 and state.broken
            )
        ),
        "three": Written("parlour", 3).until(lambda state: state.turn == 0 and len(state.trick) == 2),
        "kitty": Written("cancellation", 11).until(lambda state: state.turn == 0 and len(state.trick) > 6),
        "cancelled": Written("cancellation", 7, seed="pairs").until(
            lambda state: state.turn == 0 and len(set(state.trick)) < len(state.trick)
        ),
        "bonus": Written("omnibus").until(lambda state: state.turn == 0 and held_in_last_trick(state, "JD")),
        "over": Written("klasik", moon_points=26).until(lambda state: state.phase == "over"),
        "over for seven": Written("omnibus", 7).until(lambda state: state.phase == "over"),
    }


MOMENTS = moments()


def seq_at_rest(server: Server, match: str) -> str:
    """The number of the last event, once the bots have nothing to do."""
    while (seen := server.seen(match))["view"]["phase"] == "pass" and seen["view"]["passed"].count(False) > 1:
        time.sleep(0.02)
    return str(seen["seq"])


@pytest.mark.parametrize("language", ["tr", "en"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_the_module_writes_what_the_server_wrote(
    server: Server, new_page: NewPage, moment: str, language: str
) -> None:
    """Nothing on the page changes when the module takes over: the two can never tell different things."""
    match = MOMENTS[moment].stored(server)
    live = HeartsTable(new_page(language=language), server).open(match)
    shown = "seq => document.querySelector('#table').dataset.seq === seq"
    live.page.wait_for_function(shown, arg=seq_at_rest(server, match))
    still = new_page(language=language, java_script_enabled=False)
    still.goto(f"{server.url}/m/{match}")
    assert live.page.evaluate(MARKUP) == still.evaluate(MARKUP)


@pytest.mark.parametrize("script", [True, False], ids=["live", "before any script"])
def test_the_sheet_waits_for_the_choice_after_a_moon(server: Server, new_page: NewPage, script: bool) -> None:
    """Until then the points of the moon stand nowhere: the totals are those that the choices begin from."""
    written = Written("parlour", pass_count=0, hands=MOON_HANDS, totals=(34, 42, 27, 79))
    match = written.until(lambda state: state.phase == "moon", by_strength).stored(server)
    page = new_page(java_script_enabled=script)
    page.goto(f"{server.url}/m/{match}")
    if script:
        HeartsTable(page, server).live()
    sheet = page.locator(".side .sheet").first
    assert sheet.locator("tfoot td").all_inner_texts() == ["34", "42", "27", "79"]
    expect(sheet.locator("tbody tr")).to_have_count(1)
    expect(sheet.locator(".note").first).to_have_text("Bu tur, sen seçince yazılır. Ötekiler bekliyor.")
