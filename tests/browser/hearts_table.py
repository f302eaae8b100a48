"""The table of Hearts as the tests drive it, and matches written up to the moment that a test wants."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, Self

from playwright.sync_api import Locator, Page, expect

from kupa.bots import simple
from kupa.bots.levels import DEFAULT_LEVEL
from kupa.cards import card_of
from kupa.hearts.commands import StartMatch
from kupa.hearts.game import HEARTS
from kupa.hearts.presets import chosen_rulebook
from kupa.hearts.state import State
from kupa.refusal import Refusal
from kupa.server.bots import names_at
from kupa.server.store import MatchRecord, milliseconds_now
from kupa.server.table import new_events
from tests.server.process import Server

AT_REST: Final = """(impatient) => {
  const table = document.querySelector('#table');
  if (impatient) document.querySelector('#play-stage').dispatchEvent(new Event('pointerdown'));
  if (table.dataset.stage === 'round') return true;
  if (table.dataset.busy !== undefined) return false;
  return table.dataset.stage !== 'play' || document.querySelector('.hand .card.ok') !== null;
}"""
"""Whether the table waits for the person: for a card, or for the button of another stage; a tap goes on."""

SEEN_AT: Final = """async (card) => {
  for (;;) {
    const moving = card.closest('.hand').getAnimations({ subtree: true });
    await Promise.allSettled(moving.map(({ finished }) => finished));
    const { left, top, width, height } = card.getBoundingClientRect();
    for (const down of [0.5, 0.3, 0.15, 0.7]) for (const across of [0.14, 0.08, 0.25, 0.5, 0.8]) {
      const [x, y] = [left + across * width, top + down * height];
      if (document.elementFromPoint(x, y)?.closest('.card') === card) return [x, y];
    }
    await new Promise(requestAnimationFrame);
  }
}"""
"""A point of the window at which a card is not covered, once the hand lies still: what is laid out anew is in
its new place some frames later, however short the motion, and a script presses sooner than a finger."""

LATER: Final = "seq => Number(document.querySelector('#table').dataset.seq) > seq"
"""Whether an event after a number is shown."""


MOON_HANDS: Final = (
    "KC AC QS KS AS 7H 8H 9H TH JH QH KH AH",
    "2C 5C 8C JC 3D 6D 9D QD 3S 6S 9S 2H 5H",
    "3C 6C 9C QC 4D 7D TD KD 4S 7S TS 3H 6H",
    "4C 7C TC 2D 5D 8D JD AD 2S 5S 8S JS 4H",
)
"""Hands with which seat 0 takes every penalty card, however the others play."""
SHOOTING: Final = ("AC", "KC", "AS", "KS", "QS", "AH", "KH", "QH", "JH", "TH", "9H", "8H", "7H")
"""The order in which seat 0 plays them."""


def by_strength(legal: Sequence[str]) -> str:
    """The card with which the shooter goes on."""
    return min(legal, key=SHOOTING.index)


class Written:
    """A match in the making: the engine's own events, chosen card by card.

    Args:
        preset: the rulebook's name.
        players: how many seats.
        hands: the first round's hands, as texts with a card every two letters; the seed's if left out.
        seed: what the rounds are dealt from.
        totals: points already on the score sheet.
        overrides: fields of the rulebook.
    """

    def __init__(
        self,
        preset: str = "cardems",
        players: int = 4,
        *,
        hands: Sequence[str] | None = None,
        seed: str = "browser",
        totals: Sequence[int] | None = None,
        **overrides: Any,
    ) -> None:
        rulebook = chosen_rulebook(preset, players, overrides)
        assert not isinstance(rulebook, Refusal)
        self.preset = preset
        self.changed = sorted(overrides)
        self.events: list[Any] = []
        self.state: Any = None
        self._do(
            StartMatch(
                rulebook=rulebook,
                seed=seed,
                preset=preset,
                hands=None if hands is None else tuple(tuple(map(card_of, hand.split())) for hand in hands),
                totals=None if totals is None else tuple(totals),
            )
        )

    def _do(self, command: Any) -> None:
        events = HEARTS.decide(self.state, command)
        assert not isinstance(events, Refusal), events
        for event in events:
            self.events.append(event)
            self.state = HEARTS.evolve(self.state, event)

    def until(
        self,
        is_there: Callable[[State], bool],
        wish: Callable[[Sequence[str]], str] | None = None,
        wisher: int = 0,
    ) -> Self:
        """Let the bots play, and one seat what it wishes of its legal cards, up to a moment."""
        while not is_there(self.state):
            seat = HEARTS.to_act(self.state)[0]
            view = HEARTS.view(self.state, seat)
            command = simple.choose(view, Random(0))
            if seat == wisher and wish is not None and view.phase == "play":
                command = {"type": "play", "card": wish(view.legal)}
            self._do(HEARTS.read_command(command, seat))
        return self

    def others_pass(self) -> Self:
        """Let the bots choose what they pass; the round waits for seat 0."""
        for seat in range(1, HEARTS.seats(self.state)):
            command = simple.choose(HEARTS.view(self.state, seat), Random(0))
            self._do(HEARTS.read_command(command, seat))
        return self

    def stored(self, server: Server, owner: str | None = None) -> str:
        """Put the match into a server's store, without asking the server; returns its id.

        Args:
            server: the server that will show it.
            owner: the id of a person, if the match is somebody's.
        """
        players = HEARTS.seats(self.state)
        facts = {
            "preset": self.preset,
            "changed": self.changed,
            "players": players,
            "names": names_at(players),
            "bots": DEFAULT_LEVEL,
        }
        record = new_record("hearts", facts, owner, over=HEARTS.is_over(self.state))
        server.keep(record, new_events(HEARTS, self.events))
        return record.id


def new_record(game: str, facts: dict[str, Any], owner: str | None, *, over: bool) -> MatchRecord:
    """Return the record of a match that begins now, under an id that nobody has."""
    now = milliseconds_now()
    return MatchRecord(
        id=secrets.token_urlsafe(16), game=game, owner=owner, facts=facts,
        created_at=now, updated_at=now, over=over,
    )  # fmt: skip


class HeartsTable:
    """One page with a table of Hearts on it."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        self.server = server
        self.root = page.locator("#table")
        self.status = page.locator(".status")
        self.match = ""

    def open(self, match: str) -> Self:
        """Go to a match and wait until it is live."""
        self.match = match
        self.page.goto(f"{self.server.url}/m/{match}")
        return self.live()

    def arrived(self) -> Self:
        """Wait until the page, led to a match by itself, is live."""
        self.page.wait_for_url("**/m/*")
        self.match = self.page.url.rpartition("/")[2]
        return self.live()

    def live(self) -> Self:
        """Wait until the page is connected and nothing moves."""
        expect(self.root).to_have_attribute("data-connection", "open")
        expect(self.root).not_to_have_attribute("data-busy", "")
        return self

    def view(self) -> dict[str, Any]:
        """What the server knows for this seat."""
        view: dict[str, Any] = self.server.seen(self.match)["view"]
        return view

    @property
    def stage(self) -> str:
        """``pass``, ``play``, ``moon``, ``round`` or ``over``."""
        return self.root.get_attribute("data-stage") or ""

    @property
    def seq(self) -> int:
        """The number of the last event that is shown."""
        return int(self.root.get_attribute("data-seq") or 0)

    def rest(self, *, impatient: bool = True) -> str:
        """Wait until the table waits for the person, tapping meanwhile; returns the stage."""
        self.page.wait_for_function(AT_REST, arg=impatient)
        return self.stage

    def hand(self) -> list[str]:
        """The cards that are seen in the hand."""
        return self._texts(".hand .card:not(.gone)")

    def playable(self) -> list[str]:
        """The cards of the hand that are raised."""
        return self._texts(".hand .card.ok")

    def on_table(self) -> list[str]:
        """The cards of the trick."""
        return self._texts(".laid .card[data-seat]")

    def slots(self) -> list[str]:
        """The cards that are chosen to be passed."""
        return self._texts(".slots .card")

    def _texts(self, selector: str) -> list[str]:
        found: list[str] = self.page.eval_on_selector_all(
            selector, "cards => cards.map((card) => card.dataset.card)"
        )
        return found

    def card(self, text: str) -> Locator:
        """A card of the hand."""
        return self.page.locator(f'.hand .card[data-card="{text}"]:not(.gone)').first

    def point_of(self, text: str) -> tuple[float, float]:
        """A point at which a card of the hand is seen: it is turned, and the next lies over most of it."""
        x, y = self.card(text).evaluate(SEEN_AT)
        return x, y

    def click(self, text: str) -> None:
        """Click a card of the hand where it is seen."""
        self.page.mouse.click(*self.point_of(text))

    def play(self, text: str) -> str:
        """Play a card and wait until the table waits again; returns the stage."""
        before = self.seq
        self.click(text)
        self.page.wait_for_function(LATER, arg=before)
        return self.rest()

    def give(self, *texts: str) -> None:
        """Pass cards, and wait until the play begins."""
        self.offer(*texts)
        expect(self.root).not_to_have_attribute("data-stage", "pass")
        self.rest()

    def offer(self, *texts: str) -> None:
        """Pass cards, whether or not all others have."""
        for text in texts:
            self.click(text)
        self.page.locator(".pass .btn.primary").click()

    def said(self) -> str:
        """All that has been read out."""
        return self.page.locator("#announcements").inner_text()

    def seen(self) -> dict[str, Any]:
        """All that tells the state of the table."""
        return {
            "seq": self.seq,
            "stage": self.stage,
            "hand": self.hand(),
            "playable": self.playable(),
            "trick": self.on_table(),
            "status": self.status.inner_text(),
            "totals": self.page.locator(".side tfoot").text_content(),
            "title": self.page.locator("h1").inner_text(),
            "last": self.page.locator("#last-trick .card use.c").evaluate_all(
                "all => all.map((use) => use.getAttribute('href'))"
            ),
        }
