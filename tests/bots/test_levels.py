"""Every level keeps the rules at every table, knows nothing it may not know, and can be made anew."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from kupa import catalogue
from kupa.bots import levels
from kupa.bots.levels import LEVELS, new_player
from kupa.bots.player import Player
from kupa.hearts.events import RoundDealt
from kupa.hearts.game import HEARTS
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import State
from kupa.hearts.view import view
from kupa.refusal import Refusal
from tests.bots.measuring import PLAYERS, play_match
from tests.bots.scenes import TABLES, as_told, rulebook
from tests.hearts.random_play import done, played, started
from tests.hearts.test_view import _with_other_secrets as told_other_secrets
from tests.hearts.test_view import with_other_secrets

each_level = pytest.mark.parametrize("level", LEVELS)
each_table = pytest.mark.parametrize(("name", "players"), TABLES)


def test_whoever_asks_for_a_level_that_is_none_is_told() -> None:
    with pytest.raises(KeyError):
        new_player("grandmaster", "luck")
    assert levels.DEFAULT_LEVEL in LEVELS


@each_level
def test_every_level_has_a_name_in_both_languages(level: str) -> None:
    """The name differs from level to level."""
    for language in catalogue.LANGUAGES:
        names = {catalogue.text(language, levels.name_key(one)) for one in LEVELS}
        assert catalogue.text(language, levels.name_key(level)) in names
        assert len(names) == len(LEVELS)


# Whole matches


def table_of(level: str, book: Rulebook) -> list[Player]:
    """Seat a level beside every other player that there is, itself among them."""
    company = [level, *PLAYERS]
    return [PLAYERS[company[seat % len(company)]](f"luck {seat}") for seat in range(book.players)]


@each_level
@each_table
def test_a_match_is_played_to_its_end_without_a_refusal(level: str, name: str, players: int) -> None:
    """In company of every kind; a refused card would stop the match with an error."""
    book = rulebook(name, players, target=60)
    over = play_match(book, f"{level} {name}", table_of(level, book))
    assert max(over.totals) >= 60


@each_level
@each_table
@pytest.mark.soak
def test_a_match_to_its_real_target_is_played_to_its_end(level: str, name: str, players: int) -> None:
    """Among its like."""
    book = rulebook(name, players)
    over = play_match(book, f"{level} {name}", [new_player(level, f"{seat}") for seat in range(players)])
    assert max(over.totals) >= book.target


ODD: list[dict[str, Any]] = [
    {"name": "cardems", "queen_points": 0, "moon": "subtract"},
    {"name": "cardems", "heart_points": 0},
    {"name": "cardems", "pass_count": 4, "pass_cycle": ["right"], "first_trick": "none"},
    {"name": "parlour", "players": 7, "pass_count": 0, "opening": "left_of_dealer"},
    {"name": "omnibus", "bonus_card": "TD", "moon_needs_bonus": True, "moon": "add"},
    {"name": "cancellation", "players": 8, "pass_count": 4, "pass_cycle": ["across"], "bonus_card": "JD"},
    {"name": "cancellation", "players": 6, "cancellation": False, "pass_count": 3, "pass_cycle": ["left"]},
    {"name": "klasik", "queen_points": 100, "heart_points": 7},
]


@each_level
@pytest.mark.parametrize("fields", ODD, ids=lambda fields: " ".join(map(str, fields.values())))
def test_odd_rulebooks_are_played_too(level: str, fields: dict[str, Any]) -> None:
    """Fields that a table may override lead to no refusal and no error."""
    fields = {"target": 60, **fields}
    book = rulebook(fields.pop("name"), fields.pop("players", None), **fields)
    over = play_match(book, f"odd {level}", table_of(level, book))
    assert max(over.totals) >= book.target


# What it may know, and nothing else


def moments(level: str, name: str, players: int, rounds: int) -> Iterator[tuple[State, int, list[Any]]]:
    """Play with one level in every seat; yield each decision with its seat and all events up to then."""
    book = rulebook(name, players)
    table = [new_player(level, f"luck {seat}") for seat in range(players)]
    state, events = started(book, f"moments {level} {name}")
    happened: list[Any] = []
    while True:
        happened += events
        for seat, player in enumerate(table):
            for event in events:
                player.told(as_told(event, seat))
        seats = HEARTS.to_act(state)
        if not seats or state.round >= rounds:
            return
        yield state, seats[0], happened
        command = HEARTS.read_command(table[seats[0]].choose(view(state, seats[0])), seats[0])
        assert not isinstance(command, Refusal)
        state, events = done(state, command)


def told_anew(level: str, seat: int, events: list[Any]) -> Player:
    """Make a player in the middle of a round, and tell it the round alone."""
    dealt = max(place for place, event in enumerate(events) if isinstance(event, RoundDealt))
    player = new_player(level, f"luck {seat}")
    for event in events[dealt:]:
        player.told(as_told(event, seat))
    return player


@each_level
@pytest.mark.parametrize(("name", "players"), TABLES[::2])
def test_a_player_made_anew_and_told_the_round_chooses_the_same(level: str, name: str, players: int) -> None:
    """At every decision of two rounds, as after a restart of the server."""
    old: dict[int, Player] = {seat: new_player(level, f"luck {seat}") for seat in range(players)}
    told = compared = 0
    for state, seat, events in moments(level, name, players, rounds=2):
        for event in events[told:]:
            for other, player in old.items():
                player.told(as_told(event, other))
        told = len(events)
        seen = view(state, seat)
        assert old[seat].choose(seen) == told_anew(level, seat, events).choose(seen)
        compared += 1
    assert compared >= 100


@each_level
@pytest.mark.parametrize(("name", "players"), TABLES[::2])
def test_cards_that_a_seat_cannot_see_change_no_choice(level: str, name: str, players: int) -> None:
    """With other hands, passes, kitty and seed behind the same view and the same events, it does the same."""
    rng, compared = Random(players), 0
    for state, seat, events in moments(level, name, players, rounds=2):
        other = with_other_secrets(state, seat, rng)
        player, twin = (new_player(level, "luck") for _ in range(2))
        for event in events:
            player.told(as_told(event, seat))
            twin.told(as_told(told_other_secrets(event, seat), seat))
        assert player.choose(view(state, seat)) == twin.choose(view(other, seat))
        compared += other.hands != state.hands
    assert compared >= 50


def test_a_beginner_with_other_luck_slips_elsewhere() -> None:
    """Luck decides nothing but slips: among the same decisions some differ, and most do not."""
    decisions = differing = 0
    for state, _ in played(rulebook("cardems"), "slips", Random(1)):
        if state.round > 3:
            break
        for seat in HEARTS.to_act(state):
            seen = view(state, seat)
            answers = [new_player("beginner", luck).choose(seen) for luck in ("a", "b")]
            decisions += 1
            differing += answers[0] != answers[1]
    assert 0 < differing < decisions / 2
