"""Whatever happens in a company, no frame holds a card that its receiver could not know at that moment."""

from __future__ import annotations

import os
import re
from random import Random
from typing import Any, Final

import msgspec
import pytest

from kupa.cards import texts
from kupa.game import replay
from kupa.hearts.game import HEARTS
from kupa.hearts.presets import PRESETS
from kupa.hearts.state import OVER, State
from tests.server.in_company import InCompany, Seat

MATCHES: Final = {"full": 200, "ci": 20, "": 6}[os.environ.get("KUPA_SOAK", "")]
CARD: Final = re.compile(r'"([2-9TJQKA][CDSH])"')
"""A card as frames name it."""


def of_the_rules(state: State) -> set[str]:
    """The cards that the rulebook itself names."""
    return set(CARD.findall(msgspec.json.encode(state.rulebook).decode()))


def known(state: State, viewer: int | None) -> set[str]:
    """The cards that a seat, or a watcher, may know in a state: told by the truth, not by the view."""
    cards = {card for trick in state.tricks for card in texts(trick.cards)} | set(texts(state.trick))
    cards |= of_the_rules(state)
    if viewer is not None:
        cards |= set(state.hands[viewer].texts) | set(texts(state.passed[viewer] or ()))
        cards |= set(texts(state.received[viewer] or ()))
        if state.kitty_taker == viewer:
            cards |= set(texts(state.kitty))
    return cards


def test_what_may_be_known_is_less_than_everything() -> None:
    """The checker itself sees a hand that is shown to another seat."""
    start = HEARTS.read_start({"rules": "klasik", "seed": "kupa"})
    state = replay(HEARTS, HEARTS.decide(None, start))  # type: ignore[arg-type]
    shown = set(CARD.findall(msgspec.json.encode(HEARTS.view(state, 1)).decode()))
    assert shown <= known(state, 1)
    assert not shown <= known(state, 0)
    assert not shown <= known(state, None)


class Telling:
    """A match in which everything is written down that anybody is sent.

    Args:
        company: the company, in play.
        seed: what chance does.
    """

    def __init__(self, company: InCompany, seats: list[Seat], seed: int) -> None:
        self.company = company
        self.chance = Random(seed)
        self.seats = seats
        self.past: list[Seat] = []

    def over(self) -> bool:
        return any(seat.view["phase"] == "over" for seat in self.seats)

    def act(self, number: int) -> None:
        """Have somebody do what is theirs to do, or something that disturbs."""
        seat = self.seats[number]
        view = seat.fresh_view()
        if self.chance.random() < 0.15:
            self.disturb(number)
            seat = self.seats[number]
            view = seat.fresh_view()
        me = view["seat"]
        if me is None or view["phase"] == "over":
            return
        if view["phase"] == "pass" and not view["passed"][me]:
            count = view["rules"]["pass_count"]
            seat.play(type="pass", cards=self.chance.sample(view["hand"], count))
        elif view["phase"] == "moon" and view["turn"] == me:
            seat.play(type="moon", choice=self.chance.choice(["add", "subtract"]))
        elif view["turn"] == me and view["legal"]:
            seat.play(type="play", card=self.chance.choice(view["legal"]))

    def disturb(self, number: int) -> None:
        """Come again, talk, and ask for what is refused."""
        seat = self.seats[number]
        what = self.chance.randrange(6)
        if what == 0:
            self.past.append(seat)
            self.seats[number] = seat.person.at_table()
            self.seats[number].until("view")
        elif what == 1:
            seat.ask({"type": "say", "text": f"round {number}"})
        elif what == 2:
            seat.ask({"type": "react", "text": "bravo"})
        elif what == 3:
            seat.play(type="play", card=self.chance.choice(["QS", "2C", "XX", "AH"]))
        elif what == 4:
            seat.room(type=self.chance.choice(["start", "swap", "rematch", "back", "fly"]))
        else:
            seat.socket.send_text('{"type": "view", "seat": 1}')
            seat.until("error")

    def frames(self) -> list[tuple[int | None, Any]]:
        """Everything that was sent, with who it was sent to: a seat, or None."""
        room = self.company.rooms._rooms[self.company.room].room
        return [
            (room.seat_of(seat.person.id), frame)
            for seat in [*self.past, *self.seats]
            for frame in seat.frames
        ]


def check(company: InCompany, frames: list[tuple[int | None, Any]]) -> int:
    """See that every frame names known cards only; returns how many frames named any."""
    stored = company.call(company.store.events, company.match, 0)
    events = [HEARTS.read_event(entry.data, entry.version) for entry in stored]
    states: list[State] = []
    for event in events:
        states.append(HEARTS.evolve(states[-1] if states else None, event))
    named = 0
    for viewer, frame in frames:
        parts = [frame] if frame["type"] != "events" else frame["events"]
        for part in parts:
            cards = set(CARD.findall(msgspec.json.encode(part).decode()))
            if frame["type"] in {"view", "events"}:
                state = states[part["seq"] - 1]
                named += bool(cards)
                if state.phase != OVER:
                    assert cards <= known(state, viewer), (viewer, part["seq"], cards - known(state, viewer))
            else:
                # A refusal repeats what was asked for; nothing else outside the match names a card.
                told = of_the_rules(states[0]) if frame["type"] == "room" else set()
                assert cards <= told, frame
    return named


TABLES: Final = [(name, players) for name, preset in PRESETS.items() for players in preset.player_counts]
"""Every rulebook with every number of players."""


@pytest.mark.parametrize("number", range(MATCHES))
@pytest.mark.soak
def test_no_frame_of_a_match_holds_a_card_that_its_receiver_could_not_know(number: int) -> None:
    """Two who play, one who watches, bots: views, events, reconnects, talk, refusals, the export."""
    preset, players = TABLES[(number * 7) % len(TABLES)]
    with InCompany("ABW", rules=preset, players=players, set={"target": 30}) as company:
        seats = company.start(watchers=1)
        assert [seat.view["seat"] for seat in seats] == [0, 1, None]
        telling = Telling(company, seats, number)
        for _ in range(1500):
            telling.act(telling.chance.randrange(3))
            if telling.over():
                break
        for who in (0, 1, 2):
            telling.seats[who].fresh_view()
        assert check(company, telling.frames()) > 20
        watcher = seats[2].person
        for path in ("/m/{}", "/m/{}/record", "/api/matches/{}"):
            answer = company.client.get(path.format(company.match), headers=watcher.headers)
            is_over = telling.over()
            assert answer.status_code == (200 if is_over or not path.endswith("record") else 409)


def test_while_others_choose_what_they_pass_frames_tell_nothing_by_their_number_or_size() -> None:
    """Whichever cards others choose, a seat and a watcher get frames of the same number and sizes."""
    sizes = []
    for chosen in (slice(0, 3), slice(4, 7), slice(10, 13)):
        with InCompany("ABW") as company:
            seats = company.start(watchers=1)
            host, other, watcher = seats
            before = len(host.raw), len(watcher.raw)
            hand = other.view["hand"]
            assert other.play(type="pass", cards=hand[chosen])["type"] == "accepted"
            for seat in (host, watcher):
                seat.fresh_view()
            sizes.append(
                [
                    [len(re.sub(r'"(?:id|person|code)":"[^"]*"', "", raw)) for raw in seat.raw[start:]]
                    for seat, start in zip((host, watcher), before, strict=True)
                ]
            )
    assert sizes[0] == sizes[1] == sizes[2]
