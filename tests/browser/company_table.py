"""People at the pages of a company's table, as the tests have them come, look and play."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from typing import Any, Final

from playwright.sync_api import Page

from tests.browser.hearts_table import LATER, HeartsTable
from tests.server.company import Guest
from tests.server.process import Server

OPEN: Final = "html[data-connection=open]"
"""A page of a waiting room that is connected."""
RANKS: Final = "23456789TJQKA"

LOOK: Final = """() => {
  const table = document.querySelector('#table');
  if (!table) return { does: 'nothing', turn: -1 };
  document.querySelector('#play-stage').dispatchEvent(new Event('pointerdown'));
  const { stage, busy, seq } = table.dataset;
  const texts = (selector) => [...document.querySelectorAll(selector)].map(({ dataset }) => dataset.card);
  const trick = [...document.querySelectorAll('.laid .card[data-seat]')];
  const look = {
    ok: texts('.hand .card.ok'),
    hand: texts('.hand .card:not(.gone)'),
    trick: trick.map(({ dataset }) => [dataset.card, Number(dataset.seat)]),
    at: [stage, seq, busy],
    turn: Number(document.querySelector('.felt .seat.turn')?.dataset.seat ?? -1),
  };
  if (stage === 'round') return { ...look, does: 'go on' };
  if (busy !== undefined) return { ...look, does: 'nothing' };
  const isEmpty = document.querySelector('#pass-stage .slots .slot') !== null;
  const isWatched = table.dataset.watching !== undefined;
  const does = {
    play: look.ok.length ? 'play' : '',
    pass: isEmpty && !isWatched ? 'pass' : '',
    over: 'stop',
  }[stage];
  return { ...look, does: does || 'nothing' };
}"""
"""What the page waits for its person to do, and what is seen on it; a tap on the felt ends what moves."""


class Human:
    """Somebody at a page.

    Args:
        name: what they are called.
        page: their page, with cookies of their own.
        url: where their browser finds the server.
        server: the server.
    """

    def __init__(self, name: str, page: Page, url: str, server: Server) -> None:
        self.name = name
        self.page = page
        self.url = url
        self.table = HeartsTable(page, server)
        self.seat = -1
        self.given = 0
        """How many times cards were passed on."""

    def be(self, guest: Guest) -> None:
        """Be somebody who has come already."""
        self.page.context.add_cookies([{"name": "kupa_guest", "value": guest.token, "url": self.url}])

    def come_by_code(self, code: str) -> None:
        """Type the code in the lobby, and one's name at the door."""
        self.page.goto(f"{self.url}/lobby")
        self.page.locator("#code").fill(code)
        self.page.locator("#code").press("Enter")
        self.come_in()

    def come_by_link(self, path: str) -> None:
        """Follow the link of a room, and give one's name at the door."""
        self.page.goto(self.url + path)
        self.come_in()

    def come_in(self) -> None:
        """Give one's name at the door."""
        self.page.locator("#name").fill(self.name)
        self.page.locator("#name").press("Enter")

    def sit_down(self, match: str = "") -> None:
        """Wait for the table, or go to a match; see which seat is one's own."""
        if match:
            self.table.open(match)
        else:
            self.table.arrived()
        self.seat = int(self.table.root.get_attribute("data-me") or -1)

    def look(self) -> dict[str, Any]:
        """What the page waits for, and what is seen on it."""
        found: dict[str, Any] = self.page.evaluate(LOOK)
        return found

    def state_of(self, seat: int) -> str:
        """What stands at a seat beside its points: "koptu", "bot" or nothing."""
        state = self.page.locator(f".felt .seat[data-seat='{seat}'] .state")
        return state.inner_text() if state.count() else ""

    def sheet(self) -> list[list[str]]:
        """The figures of the score sheet, a row a round and the totals."""
        rows: list[list[str]] = self.page.locator(".side .sheet").first.evaluate(
            "sheet => [...sheet.querySelectorAll('tbody tr, tfoot tr')]"
            ".map((row) => [...row.querySelectorAll('td')].map((cell) => cell.lastChild.textContent))"
        )
        return rows


def strength(card: str) -> int:
    """How high a card is in its suit."""
    return RANKS.index(card[0])


def chosen(look: dict[str, Any], seat: int) -> str:
    """The card that somebody plays: seat 0 takes what there is, the others let it, so it ends soon."""
    playable: list[str] = look["ok"]
    if seat == 0:
        return max(playable, key=lambda card: (card[1] == "H", strength(card)))
    is_void = bool(look["trick"]) and len({card[1] for card in playable}) > 1
    if is_void:
        return max(playable, key=lambda card: (card == "QS", card[1] == "H", strength(card)))
    return min(playable, key=strength)


def passed_on(look: dict[str, Any], seat: int) -> list[str]:
    """The cards that somebody passes: seat 0 its lowest, the others their highest."""
    ordered = sorted(look["hand"], key=strength)
    return ordered[:3] if seat == 0 else ordered[-3:]


class Played:
    """A match as people at pages play it: whoever is there does what the own page waits for.

    Args:
        humans: who plays; bots have the other seats.
    """

    def __init__(self, humans: Sequence[Human]) -> None:
        self.humans = list(humans)
        self.absent: set[Human] = set()
        """Who does nothing for the time being."""
        self.clicked: list[tuple[int, str]] = []
        """Every card that was clicked, with the seat of who did."""

    def play(self, cards: int = 1000) -> None:
        """Play until so many cards are clicked, the match is over, or those who are there have to wait."""
        until = len(self.clicked) + cards
        quiet_since = time.monotonic()
        next_one = 0
        while len(self.clicked) < until:
            human = self.humans[next_one]
            next_one = (next_one + 1) % len(self.humans)
            if human in self.absent:
                continue
            look = human.look()
            if self.act(human, look) != "nothing":
                quiet_since = time.monotonic()
                if look["does"] == "stop" and all(one.look()["does"] == "stop" for one in self.humans):
                    return
            elif time.monotonic() - quiet_since > (3 if self.absent else 60):
                assert self.absent, [one.look() for one in self.humans]
                return
            # Whose turn it is every page tells; where none does, everybody is looked at by turns.
            on_turn = [one for one in self.humans if one.seat == look["turn"] and one is not human]
            if on_turn:
                next_one = self.humans.index(on_turn[0])

    def play_until_turn_of(self, human: Human) -> None:
        """Play until somebody has to follow to a trick, and leave it to them."""
        deadline = time.monotonic() + 120
        while (look := human.look())["does"] != "play" or not look["trick"]:
            assert time.monotonic() < deadline, [one.look() for one in self.humans]
            self.act(human, look)
            for other in self.humans:
                if other is not human:
                    self.act(other, other.look())

    def settle(self) -> None:
        """Wait until all pages show the same moment of a trick; go on from the end of a round, and pass."""
        deadline = time.monotonic() + 60
        while True:
            looks = [human.look() for human in self.humans]
            moments = {str(look["at"]) for look in looks}
            if [look["does"] for look in looks].count("play") == 1 and len(moments) == 1:
                return
            assert time.monotonic() < deadline, looks
            for human, look in zip(self.humans, looks, strict=True):
                if look["does"] in {"pass", "go on"}:
                    self.act(human, look)

    def act(self, human: Human, look: dict[str, Any]) -> str:
        """Have somebody do what their page waits for; returns what that is."""
        does = str(look["does"])
        if does == "play":
            self.click(human, chosen(look, human.seat))
        elif does == "pass":
            human.table.offer(*passed_on(look, human.seat))
            human.given += 1
        elif does == "go on":
            human.page.locator("#next-round").click()
        return does

    def click(self, human: Human, card: str) -> None:
        """Have somebody play a card, and wait until the page shows it played."""
        before = human.table.seq
        human.table.click(card)
        self.clicked.append((human.seat, card))
        human.page.wait_for_function(LATER, arg=before)


def stored(server: Server, log: str) -> list[tuple[int, dict[str, Any], str | None]]:
    """The events of a log as they are in the file: number, event, the command that it followed from."""
    with closing(sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)) as file:
        rows = file.execute(
            "SELECT seq, data, command_id FROM events WHERE match_id = ? ORDER BY seq", (log,)
        ).fetchall()
    return [(seq, json.loads(data), command) for seq, data, command in rows]
