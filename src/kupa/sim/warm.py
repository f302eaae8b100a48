"""Compiles every kernel that is not on the disk yet: ``python -m kupa.sim.warm``.

The server starts this in a process of its own, so that whoever needs a kernel first does not wait for it. It
steps back for others where the system knows how.
"""

from __future__ import annotations

import os
from contextlib import suppress

import numpy as np

from kupa.cards import CardSet
from kupa.hearts.presets import PRESETS
from kupa.hearts.rules import HOLD
from kupa.sim.knowledge import Knowledge, Seen, known
from kupa.sim.playing import directions_of, play
from kupa.sim.policy import AT_RANDOM, BY_RULE
from kupa.sim.round_row import deck_of, knobs_of
from kupa.sim.stepping import (
    act_rows,
    choose_rows,
    deal_rows,
    empty_rows,
    empty_sights,
    legal_rows,
    observe_rows,
    row_of,
)
from kupa.sim.weighted_worlds import WeightedWorlds
from kupa.sim.worlds import Worlds

NICENESS = 10
"""How far the process steps back, of 19."""


def warm() -> None:
    """Use every kernel once, which compiles it or finds it on the disk."""
    book = PRESETS["cardems"].rulebook()
    hands = [CardSet.of(book.deck[seat :: book.players]) for seat in range(book.players)]
    for policy in (AT_RANDOM, BY_RULE):
        play(book, 1, policies=policy)
    rows, knobs, choices = empty_rows(book, 1), knobs_of(book), np.zeros(1, np.int64)
    deal_rows(rows, knobs, deck_of(book), directions_of(book), 0, choices)
    choose_rows(rows, knobs, np.zeros(book.players, np.int64), choices)
    act_rows(rows, knobs, choices)
    legal_rows(rows, knobs, choices)
    observe_rows(rows, knobs, empty_sights(1, book.players))
    row_of(book, hands, CardSet(), HOLD, 0)
    cases: tuple[Knowledge, ...] = known(Seen(book, 1, hands[1], opener=0, plays=((0, book.deck[0]),)))
    Worlds(cases).draw(1, 0)
    WeightedWorlds(cases, np.ones((64, book.players + 1))).draw(1, 0)


def main() -> None:
    """Step back, and compile."""
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    warm()


if __name__ == "__main__":
    main()
