"""Thousands of rounds at once, in NumPy arrays: the fast way to gather experience.

All rounds go on in step: each call does one action in every round that is not over. ``n`` is the number of
rounds, ``p`` that of the players; every array is written anew by each call, in place.

=========== ========= ======== ==============================================================================
array       type      shape    what it holds, for the seat on turn of each round
=========== ========= ======== ==============================================================================
turn        int64     (n,)     that seat; -1 where the round is over
legal       int64     (n,)     what it may do, as a mask: a bit for each action; 0 where the round is over
hands       int64     (n, 2)   its hand: mask of the cards held at least once, and of those held twice
passed      int64     (n, 2)   what it passed, or has chosen to pass, in the same way
tricks      int64     (n, p)   the trick on the table, by seat from itself on: a card, or -1
taken       int64     (n, p)   mask of the cards taken, by seat from itself on
shown       int64     (n, p)   mask of the cards that each has shown not to hold, by seat from itself on
outside     int64     (n,)     mask of the cards that it does not see, wherever they are
broken      int64     (n,)     1 when hearts are broken
direction   int64     (n,)     of the pass: 0 hold, 1 left, 2 right, 3 across
points      int64     (n, p)   by seat, what is written down; 0 before the round is over
=========== ========= ======== ==============================================================================

Cards and their bits are as in :mod:`kupa.cards`. An action is a card, or ``MOON_ADDS`` (13) or
``MOON_SUBTRACTS`` (14); while cards are passed, each seat chooses its cards one by one, seat 0 first. What a
seat has shown follows from the rules and its plays: see :mod:`kupa.sim.shown`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kupa.hearts.rulebook import Rulebook
from kupa.sim.playing import directions_of
from kupa.sim.policy import AT_RANDOM
from kupa.sim.round_row import BLOCKS, BROKEN, DIRECTION, POINTS, TURN, deck_of, knobs_of
from kupa.sim.stepping import (
    act_rows,
    choose_rows,
    deal_rows,
    empty_rows,
    empty_sights,
    legal_rows,
    observe_rows,
)

Numbers = NDArray[np.int64]


class HeartsBatch:
    """Some rounds that go on in step.

    Raises:
        ValueError: fewer than one round is asked for.
    """

    def __init__(self, rulebook: Rulebook, rounds: int) -> None:
        if rounds < 1:
            raise ValueError(f"a batch has at least one round, not {rounds}")
        self.rulebook, self.knobs = rulebook, knobs_of(rulebook)
        players = rulebook.players
        self._rows = empty_rows(rulebook, rounds)
        self._deck, self._directions = deck_of(rulebook), directions_of(rulebook)
        self._sights = empty_sights(rounds, players)
        self.hands, self.passed, self.tricks, self.taken, self.shown, self.outside = self._sights
        self.legal, self._chosen = np.zeros(rounds, np.int64), np.zeros(rounds, np.int64)
        self.turn: Numbers = self._rows[:, TURN]
        self.broken: Numbers = self._rows[:, BROKEN]
        self.direction: Numbers = self._rows[:, DIRECTION]
        self.points: Numbers = self._rows[:, BLOCKS + POINTS * players : BLOCKS + (POINTS + 1) * players]

    def reset(self, seed: int, first: int = 0) -> None:
        """Deal the rounds ``first``, ``first`` + 1, … of a seed; see :func:`kupa.sim.playing.play`."""
        numbers = np.arange(first, first + len(self._rows))
        deal_rows(self._rows, self.knobs, self._deck, self._directions, seed, numbers)
        self._look()

    def step(self, actions: Numbers) -> None:
        """Do an action in every round; NO_ACTION (-1) leaves a round as it is.

        Args:
            actions: shape (n,), int64.

        Raises:
            ValueError: the array has another shape, or an action is not legal; then nothing has been done.
        """
        actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != self.legal.shape:
            raise ValueError(f"actions have the shape {actions.shape}, not {self.legal.shape}")
        wrong = act_rows(self._rows, self.knobs, actions)
        if wrong >= 0:
            raise ValueError(f"{actions[wrong]} is not legal in round {wrong} of the batch")
        self._look()

    def chosen_by(self, policy: int = AT_RANDOM) -> Numbers:
        """Return an action for every round, by a policy of :mod:`kupa.sim.policy`; -1 where it is over."""
        policies = np.full(self.rulebook.players, policy, np.int64)
        choose_rows(self._rows, self.knobs, policies, self._chosen)
        return self._chosen

    @property
    def is_over(self) -> bool:
        """Whether every round is over."""
        return not self.legal.any()

    def _look(self) -> None:
        legal_rows(self._rows, self.knobs, self.legal)
        observe_rows(self._rows, self.knobs, self._sights)
