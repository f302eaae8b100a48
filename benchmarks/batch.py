"""Rounds a second in the batched environment, step by step with observations, against a loop over pyspiel.

Both choose at random among what is legal: the environment by its own random policy, the peer by Python's
``choice``. A second figure tells what is left if a learner chooses with NumPy functions over all 64
places of a mask. Every step makes every observation.
"""

from __future__ import annotations

import argparse
import statistics
from typing import Final

import numpy as np

from engine import PeerLoop, peer_flags, rate_table
from kupa.envs.batch import HeartsBatch
from kupa.hearts.presets import PRESETS
from kupa.hearts.rulebook import Rulebook
from report import (
    REPETITIONS,
    Comparison,
    alone,
    compared,
    keep_to_one_core,
    last_line,
    machine,
    positive_seconds,
)

ROUNDS: Final = 2_000
"""Rounds in the batch."""
PLACES: Final = np.arange(64)


class BatchLoop:
    """Batches of rounds, one after the other; whole batches only."""

    def __init__(self, rulebook: Rulebook, by_numpy: bool) -> None:
        self.batch, self.by_numpy = HeartsBatch(rulebook, ROUNDS), by_numpy
        self.rng = np.random.default_rng(1)
        self.seed = 0
        self.play(1)  # compiles what is not compiled yet, before anything is timed

    def play(self, batches: int) -> None:
        """Play some more batches."""
        for _ in range(batches):
            self.seed += 1
            self.batch.reset(self.seed)
            while not self.batch.is_over:
                self.batch.step(self.choices() if self.by_numpy else self.batch.chosen_by())

    def choices(self) -> np.ndarray:
        """Return a legal action for every round, each as likely as the others; -1 where it is over."""
        is_legal = self.batch.legal[:, None] >> PLACES & 1
        keys = self.rng.random(is_legal.shape, np.float32) * is_legal
        return np.where(self.batch.legal != 0, keys.argmax(axis=1), -1)


class PeerBatches:
    """As many rounds of OpenSpiel's, in a Python loop."""

    def __init__(self, loop: PeerLoop) -> None:
        self.loop = loop

    def play(self, batches: int) -> None:
        """Play as many rounds as some batches have."""
        self.loop.play(batches * ROUNDS)


def main() -> None:
    """Measure, and print the report."""
    parser = argparse.ArgumentParser(description="Rounds of Hearts a second in the batched environment.")
    parser.add_argument("--seconds", type=positive_seconds, default=20.0, help="CPU time to spend (20)")
    seconds = parser.parse_args().seconds
    keep_to_one_core()
    book = PRESETS["cardems"].rulebook()
    ours = BatchLoop(book, by_numpy=False)
    result: Comparison | None = None
    try:
        import pyspiel
    except ImportError:
        batches = alone(ours, seconds)
    else:
        result = compared(ours, PeerBatches(PeerLoop(pyspiel, peer_flags(book), "bench")), seconds * 0.8)
        batches = result.ours
    rates = tuple(rate * ROUNDS for rate in batches)
    peers = None if result is None else tuple(rate * ROUNDS for rate in result.peers)
    print(f"Rounds of cardems, {ROUNDS} in step, one core, CPU time; {machine()}")
    print(rate_table(rates, None if peers is None else Comparison(ROUNDS, rates, peers)))
    print(f"{REPETITIONS} repetitions, in turns.")
    by_numpy = statistics.median(alone(BatchLoop(book, by_numpy=True), seconds / 5, 3)) * ROUNDS
    print(f"With actions chosen by NumPy functions: {by_numpy:,.0f} rounds/s.")
    numbers = {
        "by_numpy_rounds_per_s": by_numpy,
        "kupa_rounds_per_s": statistics.median(rates),
        "peer_rounds_per_s": None if peers is None else statistics.median(peers),
        "ratio": None if result is None else result.ratio,
        "ratio_least": None if result is None else result.ratios[0],
        "ratio_most": None if result is None else result.ratios[-1],
        "rounds_in_step": ROUNDS,
    }
    print(last_line("batch", numbers))


if __name__ == "__main__":
    main()
