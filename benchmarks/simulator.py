"""Complete random rounds a second in the simulator, against OpenSpiel's C++ loop ``evaluate_bots``.

Both deal, pass, play and score whole rounds with uniformly random players, in one call from Python for all of
them (Kupa, by a kernel of the rulebook's own) or for each (OpenSpiel), in one process on one core, in turns.
Then come the rounds of every preset with every number of players, at random and by the rule policy, by the
kernels for any rulebook (one of its own for each would take longer to compile than to time), and how long the
first round takes in a new process: cold, when the kernels have to be compiled, and warm, when they are on the
disk.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from engine import peer_flags, rate_table
from kupa.hearts.presets import PRESETS
from kupa.hearts.rulebook import Rulebook
from kupa.sim.playing import play
from kupa.sim.policy import AT_RANDOM, BY_RULE
from report import (
    REPETITIONS,
    Comparison,
    alone,
    compared,
    keep_to_one_core,
    last_line,
    machine,
    positive_seconds,
    table,
)

TARGET: Final = 30.0
"""How many times OpenSpiel's rate the simulator is to reach at least."""
FIRST_ROUND: Final = """
import time
from kupa.hearts.presets import PRESETS
from kupa.sim.playing import play
play(PRESETS["cardems"].rulebook(), 1)
print(time.process_time())
"""


KINDS: Final = {"random": (AT_RANDOM, False), "by_rule": (BY_RULE, False)}
"""What is timed for each table: the policy, and whether by a kernel of its own rather than that for any."""


class KupaLoop:
    """Rounds of the simulator, each with a number of its own."""

    def __init__(self, rulebook: Rulebook, policy: int, specialised: bool) -> None:
        self.rulebook, self.policy, self.specialised, self.first = rulebook, policy, specialised, 0
        self.play(1)  # compiles what is not compiled yet, before anything is timed

    def play(self, rounds: int) -> None:
        """Play some more rounds."""
        play(
            self.rulebook,
            rounds,
            seed=1,
            first=self.first,
            policies=self.policy,
            specialised=self.specialised,
        )
        self.first += rounds


class PeerLoop:
    """Rounds of OpenSpiel's Hearts, each played by its C++ loop with its C++ bots."""

    def __init__(self, pyspiel: Any, flags: dict[str, bool]) -> None:
        self.evaluate = pyspiel.evaluate_bots
        self.game = pyspiel.load_game("hearts", flags)
        self.bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(4)]
        self.seed = 0

    def play(self, rounds: int) -> None:
        """Play some more rounds."""
        new_state, evaluate, bots = self.game.new_initial_state, self.evaluate, self.bots
        for seed in range(self.seed, self.seed + rounds):
            evaluate(new_state(), bots, seed)
        self.seed += rounds


def against_peer(ours: KupaLoop, seconds: float) -> Comparison | None:
    """Return the comparison with OpenSpiel, or None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    return compared(ours, PeerLoop(pyspiel, peer_flags(ours.rulebook)), seconds)


def rates_of_tables(seconds: float) -> dict[str, dict[str, float]]:
    """Return the rates of every preset with every number of players, for each of KINDS."""
    tables = {
        f"{preset.name}-{players}": preset.rulebook(players)
        for preset in PRESETS.values()
        for players in preset.player_counts
    }
    each = seconds / len(tables) / len(KINDS)
    return {
        name: {kind: statistics.median(alone(KupaLoop(book, *how), each, 3)) for kind, how in KINDS.items()}
        for name, book in tables.items()
    }


def first_rounds() -> dict[str, float]:
    """Return the CPU seconds until a new process has played its first round, imports and all."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(Path(folder))}
        seconds = [
            float(
                subprocess.run(
                    [sys.executable, "-c", FIRST_ROUND],
                    env=environment,
                    stdout=subprocess.PIPE,
                    text=True,
                    check=True,
                ).stdout
            )
            for _ in range(2)
        ]
    return {"cold_s": seconds[0], "warm_s": seconds[1]}


def main() -> None:
    """Measure, and print the report."""
    parser = argparse.ArgumentParser(description="Complete rounds of Hearts a second in the simulator.")
    parser.add_argument("--seconds", type=positive_seconds, default=20.0, help="CPU time to spend (20)")
    seconds = parser.parse_args().seconds
    keep_to_one_core()
    ours = KupaLoop(PRESETS["cardems"].rulebook(), AT_RANDOM, specialised=True)
    result = against_peer(ours, seconds / 2)
    rates = alone(ours, seconds / 4) if result is None else result.ours
    tables = rates_of_tables(seconds / 2)
    by_rule = statistics.median(alone(KupaLoop(ours.rulebook, BY_RULE, specialised=True), seconds / 20, 3))
    starts = first_rounds()

    print(f"Complete random rounds of cardems with 4 players, one core, CPU time; {machine()}")
    print(rate_table(rates, result))
    if result is None:
        print("OpenSpiel is not installed (pip install 'kupa[oracle]'): nothing to compare with.")
    else:
        print(f"{REPETITIONS} repetitions of {result.units} rounds on either side, in turns.")
        print(f"Target: at least {TARGET:.0f} times, {'met' if result.ratio >= TARGET else 'MISSED'}.")
    print()
    rows = ((name, *(f"{each[kind]:,.0f}" for kind in KINDS)) for name, each in tables.items())
    print(table(("rounds/s, any rulebook", "at random", "by rule"), rows))
    print(f"cardems-4 by a kernel of its own, by rule: {by_rule:,.0f}.")
    print()
    print(
        f"First round of a process: {starts['cold_s']:.1f} s cold, {starts['warm_s']:.1f} s warm, CPU time."
    )
    numbers = {
        "kupa_rounds_per_s": statistics.median(rates),
        "peer_rounds_per_s": None if result is None else statistics.median(result.peers),
        "ratio": None if result is None else result.ratio,
        "ratio_least": None if result is None else result.ratios[0],
        "ratio_most": None if result is None else result.ratios[-1],
        "target": TARGET,
        "general_rounds_per_s": tables["cardems-4"]["random"],
        "rule_rounds_per_s": by_rule,
        "repetitions": REPETITIONS,
        **starts,
        "tables": tables,
    }
    print(last_line("simulator", numbers))


if __name__ == "__main__":
    main()
