"""What somebody without a seat sees: the table, and nobody's cards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from kupa.cards import card_of
from kupa.heart_to_heart.game import HEART_TO_HEART
from kupa.hearts import commands
from kupa.hearts.events import KittyTaken, PassChosen, PassesMade, RoundDealt
from kupa.hearts.game import HEARTS
from kupa.hearts.presets import PRESETS, chosen_rulebook
from kupa.hearts.state import OVER, State
from kupa.hearts.view import view
from kupa.refusal import Refusal
from tests.hearts.random_play import done, played
from tests.referee.judge import rules_of
from tests.referee.test_hidden_cards import Deal, play_until
from tests.referee.test_random_matches import random_changes

TABLES = [(name, players) for name, preset in PRESETS.items() for players in preset.player_counts]


def asked(deal: Deal) -> Iterator[commands.Command]:
    """Return the commands that lead to where a deal stands, as the engine takes them."""
    for request in deal.requests():
        if request["do"] == "new":
            rulebook = chosen_rulebook(request["rules"], request["players"], request["set"])
            assert not isinstance(rulebook, Refusal)
            hands = tuple(tuple(map(card_of, hand)) for hand in request["hands"])
            yield commands.StartMatch(
                rulebook=rulebook, seed=request["seed"], hands=hands, round=request["round"]
            )
        elif request["do"] == "pass":
            yield commands.PassCards(request["seat"], tuple(map(card_of, request["cards"])))
        else:
            yield commands.PlayCard(request["seat"], card_of(request["card"]))


def told(deal: Deal) -> Iterator[bytes]:
    """Yield all that a watcher is told from the beginning of a deal: each event, each view."""
    state: State | None = None
    for command in asked(deal):
        state, events = done(state, command)
        for event in events:
            # The round after this one comes from the seed, and is nothing of this deal's.
            if not isinstance(event, RoundDealt) or event.round == deal.request["round"]:
                yield msgspec.json.encode(HEARTS.event_view(event, None))
        yield msgspec.json.encode(HEARTS.view(state, None))


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_what_a_watcher_cannot_see_changes_no_byte_of_what_a_watcher_is_told(
    preset: str, players: int
) -> None:
    """Cards that have not fallen change places, the same cards fall again: a watcher is told the same."""
    swapped = 0
    for match in range(6):
        rng = random.Random(f"watched {preset} {players} {match}")
        rules = rules_of(preset, players)
        if match % 2:
            rules = rules_of(preset, players, random_changes(rng, rules))
        deal = Deal(rng, rules, preset)
        deal.seen.append(set())  # whoever watches has seen nothing but what falls
        play_until(deal, rng)
        before = list(told(deal))
        swapped += deal.rearrange(rng, players)
        assert list(told(deal)) == before
    assert swapped, "nothing was hidden anywhere: the test showed nothing"


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_watcher_sees_no_hand_no_pass_and_no_kitty_at_any_moment(name: str, players: int) -> None:
    """Through a whole match a watcher's view holds no card but those on the table, and no choice to make."""
    for state, happened in played(PRESETS[name].rulebook(players), f"watch {name}", random.Random(4)):
        seen = view(state, None)
        assert (seen.seat, seen.hand, seen.legal, seen.can_claim) == (None, (), (), False)
        assert (seen.my_pass, seen.received, seen.kitty) == (None, None, len(state.kitty))
        assert seen.counts == view(state, 0).counts
        if state.phase == OVER:
            assert sum(seen.taken) == sum(state.last_round.raw if state.last_round else ())
        for event in happened:
            keys = set(HEARTS.event_view(event, None) or ())
            if isinstance(event, RoundDealt | PassChosen | PassesMade | KittyTaken):
                assert not keys & {"hand", "hands", "cards", "received", "from"}


def test_the_points_of_a_kitty_are_no_watchers_before_the_match_is_over() -> None:
    """While its taker's points count the kitty, a watcher's do not; at the end all are whole."""
    hidden = 0
    for state, _ in played(PRESETS["cancellation"].rulebook(7), "kitty", random.Random(3)):
        if state.kitty_taker is not None and state.phase != OVER:
            taker = state.kitty_taker
            hidden += view(state, None).taken[taker] != view(state, taker).taken[taker]
    assert hidden
    assert sum(view(state, None).taken) == 52


def test_a_view_knows_whose_it_is() -> None:
    """`me` is the seat; asked of a watcher's view it is an error and no number."""
    state, _ = next(played(PRESETS["klasik"].rulebook(), "me", random.Random(1)))
    assert view(state, 3).me == 3
    with pytest.raises(ValueError, match="no seat"):
        _ = view(state, None).me


def test_the_patience_shows_everybody_what_its_player_sees() -> None:
    """Heart to Heart has one seat and no secrets of seats: its view does not ask who looks."""
    start: Any = HEART_TO_HEART.read_start({"code": "HH1-N-AAAAAAM"})
    events: Any = HEART_TO_HEART.decide(None, start)
    state = HEART_TO_HEART.evolve(None, events[0])
    assert HEART_TO_HEART.view(state, None) == HEART_TO_HEART.view(state, 0)
    assert HEART_TO_HEART.event_view(events[0], None) == HEART_TO_HEART.event_view(events[0], 0)
