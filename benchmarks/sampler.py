"""Worlds sampled a second: deals of the unseen cards that agree with all that a seat knows.

All of them equally likely, or as likely as given weights of cards with seats say.

Measured in random rounds of Cardems at the first card of tricks 1, 5 and 9, for the seat on turn. The peer is
what one writes first: shuffle the unseen cards, deal them, look whether the deal agrees, shuffle again if
not. It is a kernel too, and draws from the same chance, so that the ratio is that of the methods.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine import KupaLoop
from kupa.hearts.presets import PRESETS
from kupa.hearts.state import PLAY, State
from kupa.sim.chance import below, stream_of
from kupa.sim.compiling import kernel
from kupa.sim.knowledge import Knowledge, known, seen_in
from kupa.sim.weighted_worlds import CARD_NUMBERS, WeightedWorlds
from kupa.sim.worlds import Worlds
from report import keep_to_one_core, last_line, machine, positive_seconds, table

TRICKS: Final = (1, 5, 9)
COUNT: Final = 4_000
"""Worlds drawn at once."""
POSITIONS: Final = 12
"""Positions for each of the tricks."""
Masks = NDArray[np.int64]


@kernel
def rejected_worlds(pool: Masks, room: Masks, ruled_out: Masks, seed: int, worlds: Masks) -> int:
    """Fill ``worlds``, of shape (worlds, holders), by trying; return how many deals were tried."""
    row = np.zeros(1, np.int64)
    row[0] = stream_of(seed, 0)
    tried = 0
    for world in range(len(worlds)):
        agrees = False
        while not agrees:
            tried += 1
            agrees = True
            left = len(pool)
            for holder in range(len(room)):
                mask = 0
                for _ in range(room[holder]):
                    place = below(row, 0, left)
                    left -= 1
                    card = pool[place]
                    pool[place], pool[left] = pool[left], card
                    mask |= 1 << card
                if mask & ruled_out[holder]:
                    agrees = False
                    break
                worlds[world, holder] = mask
    return tried


def positions(trick: int) -> list[State]:
    """Return positions in which somebody is to lead to a trick, each of another match."""
    book, found = PRESETS["cardems"].rulebook(), []
    for number in range(POSITIONS):
        loop = KupaLoop(book, f"sampler/{trick}/{number}")
        loop.rng = Random(number)
        state: State | None = None
        while state is None or not (
            state.phase == PLAY and len(state.tricks) == trick - 1 and not state.trick
        ):
            loop.step()
            state = loop.state
        found.append(state)
    return found


def seconds_of(work: Callable[[], Any], seconds: float) -> float:
    """Return the least CPU time of a piece of work that is done again and again for some CPU seconds."""
    work()
    end, least, times = time.process_time() + seconds, float("inf"), 0
    while times < 2 or time.process_time() < end:
        start = time.process_time()
        work()
        least, times = min(least, time.process_time() - start), times + 1
    return least


def measured(trick: int, seconds: float) -> dict[str, float]:
    """Return rates at a trick: the medians over its positions."""
    each = seconds / POSITIONS / 5
    ours, peers, tables, ratios = [], [], [], []
    weighted, weighted_tables = [], []
    weights = np.random.default_rng(1).uniform(0.2, 1.0, (CARD_NUMBERS, 5))
    for state in positions(trick):
        assert state.turn is not None
        seen = seen_in(state, state.turn)
        case: Knowledge = known(seen)[0]
        worlds = Worlds([case])
        ours.append(COUNT / seconds_of(partial(worlds.draw, COUNT, 1), each))
        tables.append(seconds_of(lambda seen=seen: Worlds(known(seen)), each))  # type: ignore[misc]
        by_weight = WeightedWorlds([case], weights)
        weighted.append(COUNT / seconds_of(partial(by_weight.draw, COUNT, 1), each))
        weighted_tables.append(seconds_of(partial(WeightedWorlds, [case], weights), each))
        pool, room = np.array(case.pool, np.int64), np.array(case.room, np.int64)
        out = np.array(case.ruled_out, np.int64)
        into = np.zeros((COUNT // 10, len(case.room)), np.int64)
        took = seconds_of(partial(rejected_worlds, pool, room, out, 1, into), each)
        peers.append(len(into) / took)
        ratios.append(ours[-1] / peers[-1])
    return {
        "worlds_per_s": statistics.median(ours),
        "rejection_per_s": statistics.median(peers),
        "ratio": statistics.median(ratios),
        "ratio_most": max(ratios),
        "setup_us": 1e6 * statistics.median(tables),
        "weighted_per_s": statistics.median(weighted),
        "weighted_setup_us": 1e6 * statistics.median(weighted_tables),
    }


def main() -> None:
    """Measure, and print the report."""
    parser = argparse.ArgumentParser(description="Worlds sampled a second.")
    parser.add_argument("--seconds", type=positive_seconds, default=15.0, help="CPU time to spend (15)")
    seconds = parser.parse_args().seconds
    keep_to_one_core()
    results = {str(trick): measured(trick, seconds / len(TRICKS)) for trick in TRICKS}
    print(f"Worlds for the seat that leads, cardems with 4 players, one core, CPU time; {machine()}")
    rows = (
        (
            trick,
            f"{each['worlds_per_s']:,.0f}",
            f"{each['rejection_per_s']:,.0f}",
            f"{each['ratio']:.1f}",
            f"{each['ratio_most']:.1f}",
            f"{each['setup_us']:.0f}",
            f"{each['weighted_per_s']:,.0f}",
            f"{each['weighted_setup_us']:.0f}",
        )
        for trick, each in results.items()
    )
    head = (
        "trick",
        "worlds/s",
        "by trying, worlds/s",
        "ratio",
        "most",
        "set-up, µs",
        "by weight, worlds/s",
        "set-up, µs",
    )
    print(table(head, rows))
    print(f"Medians over {POSITIONS} positions each; set-up is what comes before the first draw.")
    print(last_line("sampler", {"tricks": results}))


if __name__ == "__main__":
    main()
