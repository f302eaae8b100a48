"""Hearts as a PettingZoo environment in which seats act one after the other (AEC), for every rulebook.

An episode is one round. Passing, which is simultaneous at a table, is made sequential: seat 0 chooses its
cards one by one, then seat 1, and so on; nobody observes anything of it before all have chosen. The reward,
given to all when the round has been scored, is the points written down, taken negative.
:mod:`kupa.envs.observation` tells what is observed.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from kupa.cards import PACK, TEXT, Card
from kupa.envs.observation import (
    ACTIONS,
    ADD,
    action_mask,
    observation_length,
    observed,
)
from kupa.hearts.commands import ChooseMoon, Command, PassCards, PlayCard, StartMatch
from kupa.hearts.engine import decide
from kupa.hearts.events import RoundScored
from kupa.hearts.evolution import evolve
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import MOON, PASS, State
from kupa.refusal import Refusal
from kupa.shuffle import is_seed_text

OPTIONS: Final = frozenset({"round", "seed_text"})


def checked_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that the environment knows.

    Raises:
        ValueError: one of them has a value that it cannot have.
    """
    known = {name: value for name, value in options.items() if name in OPTIONS}
    number, text = known.get("round", 0), known.get("seed_text", "")
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 0:
        raise ValueError(f"round is a whole number from 0, not {number!r}")
    if not isinstance(text, str) or not is_seed_text(text):
        raise ValueError(f"seed_text is a text that is valid Unicode, not {text!r}")
    return known


class HeartsEnv(AECEnv):  # type: ignore[misc]
    """One round of Hearts after the other.

    ``reset(seed, options)`` knows the options ``round``, the number of the round from 0, which sets the
    direction of the pass and the dealer, and ``seed_text``, which it is dealt from instead of chance. Options
    hold until others are given; what is no option of this environment is ignored, as PettingZoo's conformance
    test asks. Without a seed, the next round comes from the environment's own chance.

    Raises:
        ValueError: an action is not open, or an option has a value that it cannot have; nothing is changed.
    """

    metadata: Final = {"name": "kupa_hearts_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, rulebook: Rulebook, render_mode: str | None = None) -> None:
        super().__init__()
        self.rulebook, self.render_mode = rulebook, render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(rulebook.players)]
        self.agents = list(self.possible_agents)
        box = spaces.Box(-32768, 32767, (observation_length(rulebook),), np.int16)
        mask = spaces.Box(0, 1, (ACTIONS,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": box, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        self.options: dict[str, Any] = {}
        self.chance: np.random.Generator | None = None
        self.state_of_match: State | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a round."""
        if options is not None:
            self.options = checked_options(options)
        if seed is not None or self.chance is None:
            self.chance, _ = seeding.np_random(seed)
        text = self.options.get("seed_text", f"env/{self.chance.integers(2**63)}")
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.choosing: list[list[Card]] = [[] for _ in self.agents]
        self.is_over = False
        self.state_of_match = None
        number = int(self.options.get("round", 0))
        self._carry_out(StartMatch(rulebook=self.rulebook, seed=text, round=number))
        self.agent_selection = self.possible_agents[self._on_turn()]

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """Return what an agent observes, and what it may do: nothing, if it is not on turn."""
        seat = self.possible_agents.index(agent)
        assert self.state_of_match is not None
        is_on_turn = not self.is_over and seat == self._on_turn()
        return {
            "observation": observed(self.state_of_match, seat, self.choosing[seat], self.is_over),
            "action_mask": action_mask(self.state_of_match, seat, self.choosing[seat])
            if is_on_turn
            else np.zeros(ACTIONS, np.int8),
        }

    def step(self, action: int | None) -> None:
        """Do the action of the agent that is selected."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self.possible_agents.index(agent)
        state = self.state_of_match
        assert state is not None
        if action is None or not 0 <= action < ACTIONS or not self.observe(agent)["action_mask"][action]:
            raise ValueError(f"{agent} cannot do {action!r} now; its mask tells what it can do")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if state.phase == PASS:
            self._choose(seat, PACK[action])
        elif state.phase == MOON:
            self._carry_out(ChooseMoon(seat, "add" if action == ADD else "subtract"))
        else:
            self._carry_out(PlayCard(seat, PACK[action]))
        if not self.is_over:
            self.agent_selection = self.possible_agents[self._on_turn()]
        self._accumulate_rewards()
        if self.is_over:
            self._deads_step_first()

    def render(self) -> str | None:
        """Return the trick on the table as text, with the render mode ``ansi``."""
        if self.render_mode is None or self.state_of_match is None:
            return None
        state = self.state_of_match
        return f"{state.phase}: " + " ".join(TEXT[card] for card in state.trick)

    def close(self) -> None:
        """Do nothing: there is nothing to be closed."""

    def _on_turn(self) -> int:
        assert self.state_of_match is not None
        if self.state_of_match.phase != PASS:
            return self.state_of_match.turn or 0
        count = self.rulebook.pass_count
        return next(seat for seat, cards in enumerate(self.choosing) if len(cards) < count)

    def _choose(self, seat: int, card: Card) -> None:
        """Note one more card to pass; when all have chosen, the engine is told."""
        self.choosing[seat].append(card)
        if all(len(cards) == self.rulebook.pass_count for cards in self.choosing):
            for giver, cards in enumerate(self.choosing):
                self._carry_out(PassCards(giver, tuple(cards)))

    def _carry_out(self, command: Command) -> None:
        """Ask the engine; the events of a round that has been scored are the last that count."""
        events = decide(self.state_of_match, command)
        if isinstance(events, Refusal):
            raise ValueError(f"refused: {events.code}")
        for event in events:
            self.state_of_match = evolve(self.state_of_match, event)
            if isinstance(event, RoundScored):
                self.is_over = True
                for agent, points in zip(self.possible_agents, event.points, strict=True):
                    self.rewards[agent] = -float(points)
                    self.terminations[agent] = True
                return
