"""The PettingZoo environment: its own conformance tests, the engine's legal sets, and no leaks."""

from __future__ import annotations

import warnings
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from pettingzoo.test import api_test, seed_test

from kupa.cards import CardSet, cards_in
from kupa.envs.aec import HeartsEnv
from kupa.envs.observation import ADD, PLACE, observation_length, observed
from kupa.hearts.engine import legal
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import PASS, PLAY
from kupa.sim.knowledge import known, seen_in
from kupa.sim.worlds import Worlds
from tests.sim.rulebooks import ALL

EVERY = pytest.mark.parametrize("book", ALL.values(), ids=ALL.keys())


def choice(env: HeartsEnv, rng: Random) -> int:
    return int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))


@EVERY
def test_it_conforms_to_pettingzoo(book: Rulebook) -> None:
    """PettingZoo's own tests of the interface and of seeding pass."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it warns of observations that are no pictures
        api_test(HeartsEnv(book), num_cycles=150)
        seed_test(lambda: HeartsEnv(book), num_cycles=60)


@EVERY
def test_masks_are_the_engines_legal_sets(book: Rulebook) -> None:
    """At every decision the mask of the seat on turn is the engine's legal set, and every other seat's is
    empty; at the end the rewards are the points written down.
    """
    env, rng = HeartsEnv(book), Random(3)
    for number in range(4):
        env.reset(seed=number, options={"round": number})
        while not env.is_over:
            state = env.state_of_match
            assert state is not None
            for agent in env.agents:
                mask = env.observe(agent)["action_mask"]
                assert mask.any() == (agent == env.agent_selection)
            if state.phase == PLAY:
                mask = env.observe(env.agent_selection)["action_mask"]
                assert set(np.flatnonzero(mask)) == {PLACE[card] for card in cards_in(legal(state))}
                assert env.agent_selection == f"seat_{state.turn}"
            env.step(choice(env, rng))
        state = env.state_of_match
        assert state is not None
        assert [-env.rewards[agent] for agent in env.possible_agents] == list(state.rounds[-1])


@EVERY
def test_nothing_that_is_hidden_is_observed(book: Rulebook) -> None:
    """In another world that agrees with all that a seat knows, it observes the same, number for number."""
    env, rng = HeartsEnv(book), Random(4)
    env.reset(seed=1)
    compared = 0
    while not env.is_over:
        state = env.state_of_match
        assert state is not None
        seat = rng.randrange(book.players)
        world = Worlds(known(seen_in(state, seat))).draw(1, rng.randrange(2**60))[0]
        other = replace(
            state,
            hands=tuple(CardSet(int(held), int(twice)) for held, twice in world.T[: book.players]),
            start_hands=(),
            kitty=tuple(CardSet(*map(int, world.T[book.players]))),
        )
        mine = env.choosing[seat]
        assert (observed(state, seat, mine, False) == observed(other, seat, mine, False)).all()
        compared += other.hands != state.hands
        env.step(choice(env, rng))
    assert compared > 10


@EVERY
def test_what_a_seat_has_shown_stays_observed(book: Rulebook) -> None:
    """Who did not follow has no card of that suit, and that is observed to the end of the round; so is every
    card played, in order and by whom. Nobody is said to lack a card that it holds.
    """
    env, rng, players = HeartsEnv(book), Random(6), book.players
    env.reset(seed=3)
    voids: set[tuple[int, int]] = set()
    plays: list[tuple[int, int]] = []
    while not env.is_over:
        state = env.state_of_match
        assert state is not None
        action, actor = choice(env, rng), env.possible_agents.index(env.agent_selection)
        if state.phase == PLAY:
            seen = env.observe(env.agent_selection)["observation"]
            start = 52 * 5 + 52 * 2 * players
            shown = seen[start : start + 52 * players].reshape(players, 52)
            order, who = seen[start + shown.size :][: 2 * book.hand_size * players].reshape(2, -1)
            listed = [(seat, card) for card, seat in zip(order, who, strict=True) if card]
            assert listed == [((seat - actor) % players + 1, card + 1) for seat, card in plays]
            for seat, suit in voids:
                assert shown[(seat - actor) % players, 13 * suit : 13 * suit + 13].all()
            for seat, hand in enumerate(state.hands):
                assert not any(shown[(seat - actor) % players, PLACE[card]] for card in hand)
            plays.append((actor, action))
            if state.trick and action // 13 != state.trick[0] >> 4:
                voids.add((actor, state.trick[0] >> 4))
        env.step(action)
    assert len(voids) > 2


def test_passing_one_by_one_tells_nobody_anything() -> None:
    """While seats choose what to pass, the observations of the others stay as they are."""
    env, rng = HeartsEnv(ALL["cardems-4"]), Random(5)
    env.reset(seed=2)
    before = {agent: env.observe(agent)["observation"] for agent in env.agents}
    chosen = 0
    while env.state_of_match is not None and env.state_of_match.phase == PASS:
        actor = env.agent_selection
        for agent in env.agents:
            if agent > actor:
                assert (env.observe(agent)["observation"] == before[agent]).all()
        env.step(choice(env, rng))
        chosen += 1
    assert chosen == 12
    assert env.observe("seat_1")["observation"].shape == (observation_length(ALL["cardems-4"]),)


def test_two_environments_do_not_disturb_each_other() -> None:
    """Stepped in turns, each plays as it does alone; a seed says what is dealt."""

    def played(envs: list[HeartsEnv]) -> list[list[Any]]:
        rngs, logs = [Random(7) for _ in envs], [[] for _ in envs]  # type: list[Random], list[list[Any]]
        for number, env in enumerate(envs):
            env.reset(seed=number)
        while not all(env.is_over for env in envs):
            for env, rng, log in zip(envs, rngs, logs, strict=True):
                if not env.is_over:
                    action = choice(env, rng)
                    log.append((env.agent_selection, action))
                    env.step(action)
        return logs

    book = ALL["parlour-5"]
    together = played([HeartsEnv(book), HeartsEnv(book)])
    assert together[0] == played([HeartsEnv(book)])[0]
    assert together[0] != together[1]


def test_options_hold_until_others_are_given() -> None:
    """A round and a deal that were asked for come again after `reset(seed)`, until others are asked for."""
    env = HeartsEnv(ALL["cardems-4"])
    env.reset(seed=1, options={"round": 3, "seed_text": "a text"})
    state = env.state_of_match
    env.reset(seed=9)
    assert state is not None
    assert env.state_of_match == state
    assert state.direction == "hold"
    for wrong in (
        {"round": -1},
        {"round": "one"},
        {"round": True},
        {"seed_text": 7},
        {"seed_text": "\ud800"},
    ):
        with pytest.raises(ValueError, match="not"):
            env.reset(options=wrong)
        assert env.state_of_match == state
        assert env.options == {"round": 3, "seed_text": "a text"}
    env.reset(options={"round": 1})
    assert env.state_of_match is not None
    assert env.state_of_match.direction == "right"
    assert env.state_of_match.hands != state.hands


def test_an_action_that_is_not_open_is_refused_and_changes_nothing() -> None:
    """No silent penalty: the error says so, and the round goes on as if nothing had been asked."""
    env = HeartsEnv(ALL["cardems-4"])
    env.reset(seed=1)
    state = env.state_of_match
    for wrong in (ADD, -1, 99, None):
        with pytest.raises(ValueError, match="cannot do"):
            env.step(wrong)
    assert env.state_of_match == state
    env.step(choice(env, Random(1)))
