"""Complete random rounds a second through the engine of Hearts, against OpenSpiel's Python loop.

Kupa's loop plays whole matches: it deals, passes, plays and scores through ``decide`` and ``evolve``, and
every choice is uniform among what is allowed. The peer's loop does the same with OpenSpiel's C++ Hearts:
``legal_actions``, a uniform choice, ``apply_action``, for the deal, the passes and the play. Both run in one
process on one core and take turns.

Where the time goes is sampled in a run of its own: a timer of CPU time interrupts Kupa's loop, and the part
that is running is counted. A tracing profiler would slow the small functions down most, and mislead.
"""

from __future__ import annotations

import argparse
import signal
import statistics
import time
from collections import Counter
from random import Random
from types import CodeType, FrameType
from typing import Any, Final

from kupa.cards import cards_in
from kupa.hearts import engine
from kupa.hearts.commands import ChooseMoon, Command, PassCards, PlayCard, StartMatch
from kupa.hearts.engine import decide, legal, to_act
from kupa.hearts.events import RoundScored
from kupa.hearts.evolution import evolve
from kupa.hearts.presets import PRESETS, chosen_rulebook
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import MOON, OVER, State
from kupa.refusal import Refusal
from kupa.shuffle import shuffled
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

TARGET: Final = 0.1
"""The share of OpenSpiel's rate that the engine is to reach at least."""
SAMPLE_EVERY: Final = 0.001
"""Seconds of CPU time between samples; many systems make it four milliseconds."""
LOOP: Final = "the loop around it"
CHOICE: Final = "the choice"
DECIDE: Final = "decide: its own work"
EVOLVE: Final = "evolve: called by the loop"
LEGAL: Final = "legal: called by the loop"
DEAL: Final = "decide: the deal, without its shuffle"
SHUFFLE: Final = "decide: the shuffle"
EVOLVE_WITHIN: Final = "decide: evolve, to see what follows"
LEGAL_WITHIN: Final = "decide: legal"


class KupaLoop:
    """Random rounds of whole matches, one after the other, through the engine."""

    def __init__(self, rulebook: Rulebook, seed: str) -> None:
        self.rulebook, self.seed = rulebook, seed
        self.rng = Random(seed)
        self.matches = 0
        self.state: State | None = None

    def play(self, rounds: int) -> None:
        """Play some more rounds."""
        while rounds:
            rounds -= self.step()

    def step(self) -> int:
        """Do one thing; return how many rounds it ended, 0 or 1."""
        events = decide(self.state, self.next_command())
        if isinstance(events, Refusal):
            raise RuntimeError(f"a random command was refused: {events}")
        for event in events:
            self.state = evolve(self.state, event)
        return sum(isinstance(event, RoundScored) for event in events)

    def next_command(self) -> Command:
        """Return what is done next: a random choice, or the start of another match."""
        if self.state is None or self.state.phase == OVER:
            self.matches += 1
            return StartMatch(rulebook=self.rulebook, seed=f"{self.seed}/{self.matches}")
        return self.choice(self.state)

    def choice(self, state: State) -> Command:
        """Return a choice that is uniform among all that is allowed."""
        if state.turn is None:
            seat = to_act(state)[0]
            return PassCards(seat, tuple(self.rng.sample(tuple(state.hands[seat]), state.knobs.pass_count)))
        if state.phase == MOON:
            return ChooseMoon(state.turn, self.rng.choice(("add", "subtract")))
        return PlayCard(state.turn, self.rng.choice(cards_in(legal(state))))


class PeerLoop:
    """Random rounds of OpenSpiel's Hearts, one after the other."""

    def __init__(self, pyspiel: Any, flags: dict[str, bool], seed: str) -> None:
        self.game = pyspiel.load_game("hearts", flags)
        self.rng = Random(seed)

    def play(self, rounds: int) -> None:
        """Play some more rounds."""
        choice, new_state = self.rng.choice, self.game.new_initial_state
        for _ in range(rounds):
            state = new_state()
            while not state.is_terminal():
                state.apply_action(choice(state.legal_actions()))


def peer_flags(book: Rulebook) -> dict[str, bool]:
    """Return the flags of OpenSpiel's game that come closest to a rulebook."""
    return {
        "pass_cards": book.pass_count > 0,
        "no_pts_on_first_trick": book.first_trick == "points",
        "jd_bonus": book.bonus_card == "JD",
        "qs_breaks_hearts": book.broken_by == "heart_or_queen",
    }


# ---------------------------------------------------------------- where the time goes


PARTS: Final[dict[CodeType, str]] = {
    KupaLoop.choice.__code__: CHOICE,
    engine.decide.__code__: DECIDE,
    engine.legal.__code__: LEGAL,
    engine._deal.__code__: DEAL,
    shuffled.__code__: SHUFFLE,
    evolve.__code__: EVOLVE,
}
"""The functions that a sample is counted for, the innermost that is running."""
WITHIN_DECIDE: Final = {LEGAL: LEGAL_WITHIN, EVOLVE: EVOLVE_WITHIN}
"""The parts that the loop calls and that ``decide`` calls too."""


def part_running(frame: FrameType | None) -> str:
    """Return the part of the loop that a stack of frames is in."""
    inside = LOOP
    while frame is not None:
        part = PARTS.get(frame.f_code)
        if part is not None and inside == LOOP:
            inside = part
        elif part == DECIDE:
            inside = WITHIN_DECIDE.get(inside, inside)
        frame = frame.f_back
    return inside


def samples(loop: KupaLoop, seconds: float) -> Counter[str]:
    """Let a loop play for some CPU seconds; return how often it was met in each of its parts, nothing where
    the system has no timer of CPU time.
    """
    met: Counter[str] = Counter()
    if not hasattr(signal, "setitimer"):
        return met

    def count(_signal: int, frame: FrameType | None) -> None:
        met[part_running(frame)] += 1

    before = signal.signal(signal.SIGPROF, count)
    signal.setitimer(signal.ITIMER_PROF, SAMPLE_EVERY, SAMPLE_EVERY)
    try:
        end = time.process_time() + seconds
        while time.process_time() < end:
            loop.play(10)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return met


# ---------------------------------------------------------------- the report


def rate_table(ours: tuple[float, ...], result: Comparison | None) -> str:
    """Return the rates, and the ratio where there is a peer."""
    rows = [_row("kupa, rounds/s", ours, ",.0f")]
    if result is not None:
        rows.append(_row("OpenSpiel, rounds/s", result.peers, ",.0f"))
        rows.append(_row("kupa / OpenSpiel", result.ratios, ".3f"))
    return table(("", "median", "least", "most"), rows)


def _row(name: str, values: tuple[float, ...], form: str) -> tuple[str, ...]:
    return (name, *(format(value, form) for value in (statistics.median(values), min(values), max(values))))


def _peer_loop(book: Rulebook) -> PeerLoop | None:
    try:
        import pyspiel
    except ImportError:
        return None
    return PeerLoop(pyspiel, peer_flags(book), "bench")


def _asked() -> tuple[argparse.Namespace, Rulebook]:
    parser = argparse.ArgumentParser(description="Complete random rounds of Hearts a second.")
    parser.add_argument("--seconds", type=positive_seconds, default=20.0, help="CPU time to spend (20)")
    parser.add_argument("--rules", choices=tuple(PRESETS), default="cardems", help="a preset (cardems)")
    parser.add_argument("--players", type=int, help="number of seats (the preset's own)")
    asked = parser.parse_args()
    book = chosen_rulebook(asked.rules, asked.players)
    if isinstance(book, Refusal):
        parser.error(f"--players {asked.players} with --rules {asked.rules}: {book.code}, {book.reason}")
    return asked, book


def main() -> None:
    """Measure, and print the report."""
    asked, book = _asked()
    keep_to_one_core()
    ours, peer = KupaLoop(book, "bench"), _peer_loop(book)
    spent_on_rates = asked.seconds * 0.8
    result = None if peer is None else compared(ours, peer, spent_on_rates)
    rates = alone(ours, spent_on_rates) if result is None else result.ours
    met = samples(ours, asked.seconds * 0.2)
    parts = {part: count / met.total() for part, count in met.most_common()}

    print(f"Random rounds of {asked.rules} with {book.players} players, one core, CPU time; {machine()}")
    print(rate_table(rates, result))
    if result is None:
        print("OpenSpiel is not installed (pip install 'kupa[oracle]'): nothing to compare with.")
    else:
        print(f"{REPETITIONS} repetitions of {result.units} rounds on either side, in turns.")
        if book.players != 4:
            print(f"OpenSpiel plays with 4 players, not {book.players}: the ratio compares different rounds.")
        print(f"Target: at least {TARGET}, {'met' if result.ratio >= TARGET else 'MISSED'}.")
    print()
    if parts:
        shares = ((part, f"{share:.1%}") for part, share in parts.items())
        print(table(("where Kupa's time goes", "share"), shares))
    print(f"Sampled {met.total()} times by a timer of CPU time, in a run of its own.")
    numbers = {
        "kupa_rounds_per_s": statistics.median(rates),
        "peer_rounds_per_s": None if result is None else statistics.median(result.peers),
        "ratio": None if result is None else result.ratio,
        "ratio_least": None if result is None else result.ratios[0],
        "ratio_most": None if result is None else result.ratios[-1],
        "target": TARGET,
        "rules": asked.rules,
        "players": book.players,
        "repetitions": REPETITIONS,
        "samples": met.total(),
        "shares": parts,
    }
    print(last_line("engine", numbers))


if __name__ == "__main__":
    main()
