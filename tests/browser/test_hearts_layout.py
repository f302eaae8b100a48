"""The table of Hearts fits: nothing overlaps, is cut off or too small, with 3 to 11 seats, on any screen."""

from __future__ import annotations

import pytest

from tests.browser.conftest import SIZES, NewPage
from tests.browser.hearts_table import HeartsTable, Written
from tests.server.process import Server

pytestmark = pytest.mark.browser

FAULTS = """() => {
  const faults = [], [W, H] = [innerWidth, innerHeight];
  const isSeen = (one) => one.getBoundingClientRect().width > 0;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isSeen);
  const name = (one) => `${one.className} ${one.dataset.card ?? ''} ${one.textContent.trim().slice(0, 20)}`;
  const apart = (first, second) => {
    for (const a of all(first)) for (const b of all(second)) {
      if (a === b || a.contains(b) || b.contains(a)) continue;
      const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
      const x = Math.min(p.right, q.right) - Math.max(p.left, q.left);
      const y = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      if (x > 1 && y > 1) faults.push(`${name(a)} lies over ${name(b)}, ${x} by ${y}`);
    }
  };
  if (document.documentElement.scrollWidth > W) faults.push('the page is wider than the screen');
  if (document.documentElement.scrollHeight > H) faults.push('the page is longer than the screen');
  const laid = '.laid > .card, .laid > .slot';
  apart('#play-stage .seat', `${laid}, .status, #play-stage .seat, .bar > *`);
  apart(laid, '.status, .own > *, .turnrow > *, .bar > *, .kitty, .hand .card');
  apart('.status', '.own > *, .turnrow > .seat, .turnrow > .btn, .hand .card');
  apart('.own > *, .turnrow > *', '.hand .card');
  for (const card of all('.hand .card, .laid > .card, .seat, .status, .btn')) {
    const box = card.getBoundingClientRect();
    const isIn = box.left > -1 && box.right < W + 1 && box.bottom < H + 1 && box.top > -1;
    if (!isIn) faults.push(`${name(card)} is cut off`);
  }
  const hand = all('.hand .card');
  hand.slice(1).forEach((card, index) => {
    const [p, q] = [hand[index].getBoundingClientRect(), card.getBoundingClientRect()];
    const isCovered = Math.abs(p.top - q.top) < 40 && q.left - p.left < 28;
    if (isCovered) faults.push(`of ${name(hand[index])} less than 28 px are seen`);
  });
  for (const card of all('.laid > .card')) {
    const box = card.getBoundingClientRect();
    for (const [x, y] of [[0.2, 0.16], [0.2, 0.36], [0.3, 0.2]]) {
      const spot = [box.left + box.width * x, box.top + box.height * y];
      const top = document.elementFromPoint(...spot)?.closest('.card');
      if (top && top !== card) faults.push(`the index of ${name(card)} is covered by ${name(top)}`);
    }
  }
  for (const button of all('button, a')) {
    const box = button.getBoundingClientRect();
    if (button.closest('.hand') || (box.width > 43.5 && box.height > 43.5)) continue;
    faults.push(`${name(button)} is too small`);
  }
  for (const text of all('.who, .pts, .status b, .status .sub, .btn, h1, h2')) {
    const isCut = text.scrollWidth > text.clientWidth + 1 && getComputedStyle(text).overflowX === 'hidden';
    if (isCut) faults.push(`${name(text)} does not fit`);
  }
  return faults;
}"""


def full_table(players: int) -> Written:
    """A match of many seats in the middle of a full trick, some points taken."""
    preset = "cancellation" if players > 7 else "parlour" if players != 4 else "cardems"
    written = Written(preset, players, seed=f"seats-{players}")
    return written.until(
        lambda state: (
            state.turn == 0
            and len(state.trick) == players - 1
            and bool(state.rounds or players != 4)
            and (len(state.tricks) > 2 or state.round > 0)
        )
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7, 8, 9, 10, 11])
def test_a_full_trick_fits(server: Server, new_page: NewPage, players: int, size: str) -> None:
    """Seats, trick, status and hand keep apart; every index is seen; every target is large enough."""
    table = HeartsTable(new_page(size), server).open(full_table(players).stored(server))
    assert len(table.on_table()) == players - 1
    assert table.page.evaluate(FAULTS) == []


@pytest.mark.parametrize(
    ("width", "height"), [(320, 568), (412, 915), (844, 390), (1024, 768), (1366, 620), (1920, 1080)]
)
def test_a_full_trick_fits_on_screens_of_all_shapes(
    server: Server, new_page: NewPage, width: int, height: int
) -> None:
    """The smallest phone, one that lies, and the low window of a laptop show all of a table for four."""
    page = new_page(viewport={"width": width, "height": height})
    table = HeartsTable(page, server).open(full_table(4).stored(server))
    assert table.page.evaluate(FAULTS) == []


@pytest.mark.parametrize("players", [7, 11])
def test_the_kitty_lies_clear_of_the_first_trick(server: Server, new_page: NewPage, players: int) -> None:
    """The cards left over lie in the middle, under nothing, with their number."""
    written = Written("cancellation", players, seed="kitty").until(lambda state: state.turn == 0)
    table = HeartsTable(new_page("phone"), server).open(written.stored(server))
    left_over = 104 % players
    assert " ".join(table.page.locator(".kitty").inner_text().split()) == f"Artan {left_over} kart"
    assert table.page.evaluate(FAULTS) == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 4])
def test_the_pass_fits(server: Server, new_page: NewPage, count: int, size: str) -> None:
    """One slot or four, full: nothing scrolls, nothing is cut off."""
    table = HeartsTable(new_page(size, "en"), server)
    table.open(server.new(game="hearts", rules="cardems", seed="slots", set={"pass_count": count}))
    for card in table.hand()[:count]:
        table.click(card)
    assert len(table.slots()) == count
    assert table.page.evaluate(FAULTS) == []


def test_the_left_hand_and_four_colours_move_nothing_over_another(server: Server, new_page: NewPage) -> None:
    """With every setting for the eye and the hand turned, the table still fits."""
    page = new_page("phone")
    page.request.post(
        f"{server.url}/settings",
        form={"hand": "left", "deck": "four", "contrast": "more", "index": "turkish", "theme": "dark"},
        headers={"sec-fetch-site": "same-origin"},
    )
    table = HeartsTable(page, server).open(full_table(4).stored(server))
    assert page.locator("html").get_attribute("data-hand") == "left"
    own = page.locator(".own .seat").bounding_box()
    assert own is not None
    assert own["x"] > 180
    assert "cards-tr.svg" in (page.locator(".hand .card use").first.get_attribute("href") or "")
    assert table.page.evaluate(FAULTS) == []


@pytest.mark.parametrize("size", [(360, 740), (1280, 600), (1440, 900)], ids=str)
@pytest.mark.parametrize("players", [4, 11])
def test_the_end_of_a_match_begins_at_the_top_with_its_buttons_in_sight(
    server: Server, new_page: NewPage, players: int, size: tuple[int, int]
) -> None:
    """However long the list of places is, nothing sticks out of the top, and every button is in sight."""
    preset = "cancellation" if players > 7 else "klasik"
    match = Written(preset, players).until(lambda state: state.phase == "over").stored(server)
    page = new_page(viewport={"width": size[0], "height": size[1]})
    HeartsTable(page, server).open(match)
    boxes = page.evaluate(
        "['.bar', '.victor', '.final .acts', '.final .rank', '.desk > .felt'].map((one) => "
        "{ const box = document.querySelector(one).getBoundingClientRect(); return [box.top, box.bottom]; })"
    )
    bar, victor, buttons, places, felt = boxes
    assert victor[0] >= bar[1] - 1
    assert buttons[1] <= size[1]
    assert places[1] <= felt[1]
