"""Heart to Heart: deals decided a second against the plain search of the tests, and the time of fewest moves.

All on one core and in CPU time, in one run. The plain search (``tests/lab/plain.py``) tries every order in
which the cards can leave the heart, in Python; it decides the same kind of random deals in turns with the
kernel, each in slices of its own size, and the ratio is taken slice by slice. For the fewest moves, every
deal is searched until its moves are proved to be the fewest, and is timed by itself.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path
from random import Random
from typing import Final

import numpy as np

from kupa.heart_to_heart.codes import code_of
from kupa.heart_to_heart.layout import SIZE
from kupa.lab.bound import HOPELESS
from kupa.lab.keccak import LANES
from kupa.lab.sampling import count_codes, decide_deals, first_code, solve_blocks
from kupa.lab.shortest import fewest
from kupa.lab.solving import Table, state_of_deal, table_of
from kupa.lab.ways import WAYS
from kupa.lab.winnable import WON
from report import REPETITIONS, keep_to_one_core, last_line, machine, table

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.lab.plain import can_be_won, dealt, random_deck

WANTED_RATIO: Final = 500
WANTED_MEAN: Final = 0.3
WANTED_P99: Final = 4.0
WANTED_MAX: Final = 100.0
WANTED_CODE: Final = 2.0
_FAST: Final = 1000
"""How many deals the kernel decides for each of the plain search."""


def decided(slices: int, plain_deals: int) -> list[tuple[float, float]]:
    """Return the deals a second of the kernel and of the plain search, slice by slice."""
    chance = Random(1)
    rates = []
    for number in range(slices):
        decks = [dealt(random_deck(chance)) for _ in range(plain_deals)]
        start = time.process_time()
        for deck in decks:
            can_be_won(deck)
        plain = plain_deals / (time.process_time() - start)
        start = time.process_time()
        decide_deals(1, number, plain_deals * _FAST)
        rates.append((plain_deals * _FAST / (time.process_time() - start), plain))
    return rates


def winnable_tables(number: int) -> list[Table]:
    """Return so many random codes that can be won, as the solver takes them."""
    found: list[Table] = []
    step = 0
    while len(found) < number:
        firsts = np.array([first_code(2, step + n) for n in range(64)])
        step += 64
        rows = np.zeros((len(firsts) * LANES, 4 + len(WAYS)), np.int64)
        rows = rows[: solve_blocks(firsts, 0, rows, False)]
        found += [table_of(state_of_deal(code_of(code))) for code in rows[:, 0].tolist()]
    return found[:number]


def searched(tables: list[Table]) -> tuple[list[float], int]:
    """Return the milliseconds that each deal took, and how many were not proved."""
    times, unproved = [], 0
    for each in tables:
        start = time.process_time_ns()
        found = fewest(each.ranks, each.left, each.tape, len(each.tape), each.mark, HOPELESS << 20)
        times.append((time.process_time_ns() - start) / 1e6)
        unproved += found.answer != WON
    return times, unproved


def code_time(codes: int) -> float:
    """Return the microseconds of a code of the census."""
    bits = np.zeros(codes // 8, np.uint8)
    start = time.process_time()
    count_codes(26**6, codes, bits)
    return (time.process_time() - start) / codes * 1e6


def _verdict(value: float, wanted: float, *, least: bool = False) -> str:
    return "met" if (value >= wanted if least else value <= wanted) else "MISSED"


def main() -> None:
    """Measure, and print the report."""
    parser = argparse.ArgumentParser(description="Heart to Heart: deals decided, and fewest moves.")
    parser.add_argument("--deals", type=int, default=100_000, help="deals to find the fewest moves of")
    parser.add_argument("--plain", type=int, default=2000, help="deals for the plain search, a slice")
    asked = parser.parse_args()
    if asked.deals < 1 or asked.plain < 1:
        parser.error("--deals and --plain are 1 at least")
    keep_to_one_core()
    decided(1, 1)
    searched(winnable_tables(1))
    code_time(LANES)

    rates = decided(REPETITIONS, asked.plain)
    ratio = statistics.median(ours / plain for ours, plain in rates)
    ours, plain = (statistics.median(side) for side in zip(*rates, strict=True))
    times, unproved = searched(winnable_tables(asked.deals))
    mean, slowest = statistics.fmean(times), max(times)
    p99 = float(np.quantile(times, 0.99))
    code = code_time(1_000_000)

    print(f"Heart to Heart, a heart of {SIZE} cards, one core, CPU time; {machine()}")
    rows = [
        ("random deals decided a second", f"{ours:,.0f}", ""),
        ("the same by plain search", f"{plain:,.0f}", ""),
        ("ratio", f"{ratio:,.0f}", _verdict(ratio, WANTED_RATIO, least=True)),
        (f"fewest moves of {asked.deals:,} deals: mean, ms", f"{mean:.3f}", _verdict(mean, WANTED_MEAN)),
        ("99 % under, ms", f"{p99:.2f}", _verdict(p99, WANTED_P99)),
        ("slowest, ms", f"{slowest:.1f}", _verdict(slowest, WANTED_MAX)),
        ("not proved", str(unproved), _verdict(unproved, 0)),
        ("a code of the census, µs", f"{code:.3f}", _verdict(code, WANTED_CODE)),
    ]
    print(table(("", "figure", "target"), rows))
    numbers = {
        "decided_per_s": ours,
        "plain_per_s": plain,
        "ratio": ratio,
        "fewest_ms_mean": mean,
        "fewest_ms_p99": p99,
        "fewest_ms_max": slowest,
        "fewest_deals": asked.deals,
        "fewest_unproved": unproved,
        "census_us_per_code": code,
    }
    print(last_line("heart", numbers))


if __name__ == "__main__":
    main()
