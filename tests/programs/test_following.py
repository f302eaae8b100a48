"""A level that runs as a program knows what its seat knows, and plays as it does at our own tables."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kupa.arena.contestants import SEATABLE
from kupa.arena.hosting import begun, tell
from kupa.bots.levels import ChosenLevel, Level, Setup
from kupa.bots.player import Player
from kupa.game import Json
from kupa.hearts.engine import decide, to_act
from kupa.hearts.evolution import evolve
from kupa.hearts.game import HEARTS
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import State
from kupa.hearts.view import View, view
from kupa.programs.bot import LevelBot, serve
from kupa.programs.messages import Teller, hello
from kupa.refusal import Refusal
from tests.bots.scenes import TABLES, Scene, rulebook
from tests.hearts.random_play import played
from tests.hearts.test_view import _with_other_secrets as told_other_secrets

TIME_MS = 1
"""What a level that searches gets for each of the many decisions here."""
HELLO = hello(1, rulebook("cardems"), 100)


class Watched:
    """A player that writes down what it is told and shown."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.events: list[Json] = []
        self.views: list[View] = []

    def told(self, event: Json) -> None:
        self.events.append(event)
        self._player.told(event)

    def choose(self, view: View) -> Json:
        self.views.append(view)
        return self._player.choose(view)


class AsProgram:
    """A level behind the protocol, line by line as over pipes, but in this process."""

    def __init__(self, level: str, seat: int, book: Rulebook, luck: str) -> None:
        def make(setup: Setup) -> Player:
            self.watched = Watched(SEATABLE[level].make(setup))
            return self.watched

        self._bot = LevelBot("name", ChosenLevel(Level(make)), luck, None)
        self._teller = Teller(seat, book)
        self._id = 0
        assert self._say(hello(seat, book, TIME_MS)) == {"type": "ready", "name": "name"}

    def _say(self, message: Json) -> Any:
        answer = self._bot.answer(json.dumps(message).encode())
        assert not isinstance(answer, Refusal), (answer, message)
        return answer

    def told(self, event: Json) -> None:
        for message in self._teller.told(event):
            assert self._say(message) is None

    def choose(self, view: View) -> Json:
        for message in self._teller.rest():
            assert self._say(message) is None
        self._id += 1
        questions: dict[str, tuple[str, Json]] = {
            "pass": ("choose_pass", {"count": view.rules.pass_count}),
            "play": ("choose_play", {"legal": view.legal}),
            "moon": ("choose_moon", {"options": ["add", "subtract"]}),
        }
        kind, more = questions[view.phase]
        answer = self._say({"type": kind, "id": self._id, **more})
        assert answer.pop("id") == self._id
        return {"type": view.phase, **answer}


def play_beside(
    levels: Sequence[str], book: Rulebook, seed: str, scene: Scene | None = None
) -> list[tuple[Watched, AsProgram]]:
    """Play a match; beside each player a twin of it is told the same by messages. Choices must agree.

    A scene stands for the seed where the first hands are given.
    """
    pairs = [
        (Watched(SEATABLE[level](f"luck/{seat}", TIME_MS)), AsProgram(level, seat, book, "luck"))
        for seat, level in enumerate(levels)
    ]
    seated = [Both(*pair) for pair in pairs]
    if scene is None:
        state: State = begun(book, seed, 0, seated)
    else:
        state = scene.state
        for event in scene.events:
            tell(seated, event)
    while seats := to_act(state):
        own, twin = pairs[seats[0]]
        seen = view(state, seats[0])
        wanted = own.choose(seen)
        assert twin.choose(seen) == json.loads(json.dumps(wanted))
        command = HEARTS.read_command(wanted, seats[0])
        assert not isinstance(command, Refusal)
        events = decide(state, command)
        assert not isinstance(events, Refusal)
        for event in events:
            state = evolve(state, event)
            tell(seated, event)
    return pairs


class Both:
    """Tells two players the same."""

    def __init__(self, one: Watched, other: AsProgram) -> None:
        self._players = (one, other)

    def told(self, event: Json) -> None:
        for player in self._players:
            player.told(event)


def company(level: str, seats: int) -> list[str]:
    others = ("beginner", "random", "club", "ducker")
    return [level, *(others[seat % len(others)] for seat in range(seats - 1))]


@pytest.mark.parametrize("level", SEATABLE)
@pytest.mark.parametrize(("name", "players"), TABLES[::5])
def test_a_level_plays_as_a_program_as_it_plays_here(level: str, name: str, players: int) -> None:
    """At every decision of a match it chooses the same from what the messages told it."""
    book = rulebook(name, players, target=40)
    pairs = play_beside(company(level, players), book, f"twins {level}")
    assert sum(len(own.views) for own, _ in pairs) > 50


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_it_sees_and_is_told_what_its_seat_does(name: str, players: int) -> None:
    """Views agree field by field, save who passed already and whether the rest may be skipped. Events agree
    in their order, save that it hears of all passes of others at once.
    """
    agree(play_beside(company("random", players), rulebook(name, players, target=40), "seen"))


def test_a_moon_and_its_choice_are_seen_and_told() -> None:
    """With thirteen winners the shooter is asked what the moon shall do, and all are told."""
    hands = ["2C 3C 4C 5C 2D 3D 4D 5D 2S 3S 4S 2H 3H", "AC KC QC JC AD KD QD JD AS KS QS AH KH"]
    scene = Scene(rulebook("parlour", target=50), hands)
    assert scene.state.direction == "hold"
    pairs = play_beside(["ducker", "club", "ducker", "random"], scene.book, "", scene)
    agree(pairs)
    for _, twin in pairs:
        kinds = [event["type"] for event in twin.watched.events]
        assert kinds.index("moon_made") + 1 == kinds.index("moon_chosen")
    assert any(seen.phase == "moon" for seen in pairs[1][1].watched.views)


def agree(pairs: Sequence[tuple[Watched, AsProgram]]) -> None:
    """Compare what players saw and were told with what their twins did."""
    for seat, (own, twin) in enumerate(pairs):
        assert len(own.views) == len(twin.watched.views) > 10
        for seen, made in zip(own.views, twin.watched.views, strict=True):
            passed = made.passed if seen.phase == "pass" else seen.passed
            assert made == replace(seen, passed=passed, can_claim=False)
        passes = [passes_of_others(player.events, seat) for player in (own, twin.watched)]
        assert passes[0] == passes[1]
        assert all_but_passes(twin.watched.events, seat) == all_but_passes(own.events, seat)


def is_pass_of_another(event: Json, seat: int) -> bool:
    return bool(event["type"] == "pass_chosen" and event["seat"] != seat)


def passes_of_others(events: Sequence[Json], seat: int) -> list[int]:
    return sorted(event["seat"] for event in events if is_pass_of_another(event, seat))


def all_but_passes(events: Sequence[Json], seat: int) -> Any:
    return json.loads(json.dumps([event for event in events if not is_pass_of_another(event, seat)]))


@pytest.mark.parametrize(("name", "players"), TABLES[::4])
def test_a_program_is_told_nothing_that_follows_from_hidden_cards(name: str, players: int) -> None:
    """With other hands, passes and kitty behind what a seat may see, the messages are the same."""
    compared = 0
    for seat in range(players):
        one, other = Teller(seat, rulebook(name, players)), Teller(seat, rulebook(name, players))
        for state, events in played(rulebook(name, players), "secrets", Random(players)):
            if state.round > 1:
                break
            for event in events:
                changed = told_other_secrets(event, seat)
                assert one.told(event.for_seat(seat)) == other.told(changed.for_seat(seat))
                compared += changed != event
    assert compared


# ---------------------------------------------------------------- what a host may do wrong


def served(*lines: bytes) -> tuple[int, list[Json], list[str]]:
    """Serve some lines; return the exit status, the answers, and what was complained of."""
    out, err = io.BytesIO(), io.StringIO()
    bot = LevelBot("Kupa club", ChosenLevel(SEATABLE["club"]), "luck", 100)
    status = serve(bot, io.BytesIO(b"\n".join(lines)), out, err)
    return status, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue().splitlines()


def line(message: object) -> bytes:
    return json.dumps(message).encode()


HAND = ["2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC", "AC"]
DEAL = {"type": "deal", "round": 3, "direction": "hold", "hand": HAND, "totals": [0, 0, 0, 0]}
PLAY = {"type": "choose_play", "id": 7, "legal": ["2C"]}


def test_a_bot_says_ready_plays_and_ends_with_its_input() -> None:
    """Answers carry the id of the question."""
    status, answers, complaints = served(line(HELLO), line(DEAL), line(PLAY))
    assert (status, complaints) == (0, [])
    assert answers == [{"type": "ready", "name": "Kupa club"}, {"id": 7, "card": "2C"}]


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"what?",
        b"\xff",
        b"[1]",
        line({"type": "dance"}),
        line({"no": "type"}),
        line({"type": ["deal"]}),
        line({"type": "played", "seat": 1}),
        line({"type": "played", "seat": 1, "card": "1X"}),
        line({"type": "played", "seat": 9, "card": "2D"}),
        line({"type": "played", "seat": 1, "card": "KH"}),
        line({"type": "deal", "round": 3, "direction": "up", "hand": HAND, "totals": [0, 0, 0, 0]}),
        line({"type": "deal", "round": 3, "direction": "hold", "hand": HAND[1:], "totals": [0, 0, 0, 0]}),
        line({"type": "deal", "round": 3, "direction": "hold", "hand": HAND, "totals": [0, 0]}),
        line({"type": "choose_pass", "id": 1, "count": 3}),
        line({"type": "choose_play", "id": 1, "legal": ["1X"]}),
        line({"type": "choose_play", "id": 1, "legal": []}),
        line({"type": "passed", "cards": ["QS"], "to": 2}),
        line({"type": "trick", "winner": 44, "points": 0}),
        line({"type": "round", "points": [1, 2], "totals": [1, 2]}),
        b"[" * 100_000,
    ],
)
def test_what_cannot_be_understood_is_told_and_passed_over(wrong: bytes) -> None:
    """One line with a code on standard error; the bot goes on with the next deal."""
    status, answers, complaints = served(line(HELLO), line(DEAL), wrong, line(DEAL), line(PLAY))
    assert status == 0
    assert answers[-1] == {"id": 7, "card": "2C"}
    assert len(answers) == 2
    assert all(re.match(r"kupa: (bad_request|cannot_be): [A-Z]", complaint) for complaint in complaints)
    assert len(complaints) == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"protocol": 2}, "bad_request"),
        ({"seat": 4}, "bad_request"),
        ({"players": 5}, "bad_request"),
        ({"rules": {}}, "bad_request"),
        ({"rules": {**HELLO["rules"], "target": 0}}, "bad_rules"),
        ({"rules": {**HELLO["rules"], "colour": 1}}, "bad_rules"),
        ({"time_ms": "soon"}, "bad_request"),
        ({"type": "deal"}, "bad_request"),
    ],
)
def test_a_first_message_that_cannot_be_understood_is_the_end(change: Json, code: str) -> None:
    """With a code on standard error and exit status 2."""
    status, answers, complaints = served(line({**HELLO, **change}), line(DEAL))
    assert (status, answers) == (2, [])
    assert complaints[0].startswith(f"kupa: {code}: ")


def test_questions_before_hello_are_not_answered() -> None:
    """There is no game yet."""
    status, answers, complaints = served(line(PLAY))
    assert (status, answers) == (2, [])
    assert complaints[0].startswith("kupa: no_game: ")


def test_a_second_hello_begins_anew() -> None:
    """A host may seat the same program again."""
    _, answers, complaints = served(line(HELLO), line(DEAL), line(HELLO), line(DEAL), line(PLAY))
    assert [answer.get("type") for answer in answers] == ["ready", "ready", None]
    assert complaints == []
