"""Measures players against each other on the same deals: ``python -m tests.bots.measuring club ducker``.

One player, the subject, sits among copies of another, the company, at every seat of the table in turn, and
every deal is played once for each of its seats. A deal's result is the mean over those rounds, so that what a
good or a bad hand does falls out; standard errors are taken over deals.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import nan, sqrt
from random import Random
from statistics import mean, stdev
from typing import NamedTuple

from kupa.bots import levels, simple
from kupa.bots.player import Player
from kupa.catalogue import refusal_text
from kupa.game import Json
from kupa.hearts.commands import StartMatch
from kupa.hearts.engine import decide, to_act
from kupa.hearts.events import Event, MatchOver, RoundScored
from kupa.hearts.evolution import evolve
from kupa.hearts.game import HEARTS
from kupa.hearts.presets import PRESETS, chosen_rulebook
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import State
from kupa.hearts.view import View, view
from kupa.refusal import Refusal
from tests.bots.yardsticks import Ducker, RandomPlayer


class Simple:
    """The bot that the server began with, which remembers nothing."""

    def __init__(self, luck: str) -> None:
        pass

    def told(self, event: Json) -> None:
        """Remember nothing."""

    def choose(self, view: View) -> Json:
        return simple.choose(view, Random(0))


PLAYERS: dict[str, Callable[[str], Player]] = {
    **levels.LEVELS,
    "simple": Simple,
    "ducker": Ducker,
    "random": RandomPlayer,
}


class RefusedError(AssertionError):
    """A player wanted what the rules refuse."""


class Clock:
    """How long one seat's decisions took."""

    def __init__(self) -> None:
        self.decisions = 0
        self.seconds = 0.0


def moves(state: State, players: Sequence[Player], clock: Clock, timed: int) -> Iterator[tuple[State, Event]]:
    """Play on, and yield every event with the state after it; events are told as the server tells them."""
    while seats := to_act(state):
        seat = seats[0]
        seen = view(state, seat)
        began = time.process_time()
        wanted = players[seat].choose(seen)
        if seat == timed:
            clock.seconds += time.process_time() - began
            clock.decisions += 1
        command = HEARTS.read_command(wanted, seat)
        events = command if isinstance(command, Refusal) else decide(state, command)
        if isinstance(events, Refusal):
            raise RefusedError(f"{events.code}: {wanted} with {seen.hand}, {seen.trick} lying")
        for event in events:
            state = evolve(state, event)
            tell(players, event)
            yield state, event


def tell(players: Sequence[Player], event: Event) -> None:
    for seat, player in enumerate(players):
        player.told(event.for_seat(seat))


def begun(book: Rulebook, seed: str, number: int, players: Sequence[Player]) -> State:
    """Deal round ``number`` of a match; it sets the passing direction and the dealer."""
    events = decide(None, StartMatch(rulebook=book, seed=seed, round=number))
    assert not isinstance(events, Refusal)
    state = None
    for event in events:
        state = evolve(state, event)
        tell(players, event)
    assert state is not None
    return state


def play_round(
    book: Rulebook, seed: str, number: int, players: Sequence[Player], clock: Clock, timed: int = 0
) -> RoundScored:
    """Play one round."""
    for _, event in moves(begun(book, seed, number, players), players, clock, timed):
        if isinstance(event, RoundScored):
            return event
    raise AssertionError("the round did not end")


def play_match(book: Rulebook, seed: str, players: Sequence[Player]) -> MatchOver:
    """Play a whole match."""
    for _, event in moves(begun(book, seed, 0, players), players, Clock(), 0):
        if isinstance(event, MatchOver):
            return event
    raise AssertionError("the match did not end")


# ---------------------------------------------------------------- comparing


class Deal(NamedTuple):
    """What a deal gave, as means over the seats of the subject."""

    own: float
    others: float
    moons: float
    moons_against: float
    decisions: int
    seconds: float


class Figure(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Figure:
        return cls(mean(values), stdev(values) / sqrt(len(values)) if len(values) > 1 else nan)

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.error:.2f}"


class Comparison(NamedTuple):
    """How the subject did, a round."""

    own: Figure
    """The subject's points."""
    others: Figure
    """The mean points of the other seats."""
    difference: Figure
    """The others' less its own: positive is good."""
    moons: float
    """Moons that it shot, a round."""
    moons_against: float
    """Moons that others shot, a round."""
    ms: float
    """Milliseconds of processor time a decision."""
    deals: tuple[Deal, ...]
    """In the order in which they were played."""

    def points_above(self, other: Comparison) -> Figure:
        """Return how many points more this subject took than another on the same deals, deal by deal."""
        pairs = zip(self.deals, other.deals, strict=True)
        return Figure.of([deal.own - same.own for deal, same in pairs])


def play_deal(subject: str, company: str, book: Rulebook, seed: str, number: int) -> Deal:
    """Play one deal with the subject in every seat."""
    results: list[Deal] = []
    clock = Clock()
    for place in range(book.players):
        names = [subject if seat == place else company for seat in range(book.players)]
        players = [PLAYERS[name](f"{seed}/{seat}") for seat, name in enumerate(names)]
        scored = play_round(book, seed, number, players, clock, place)
        own = scored.points[place]
        others = (sum(scored.points) - own) / (book.players - 1)
        moon = float(scored.shooter is not None)
        mine = float(scored.shooter == place)
        results.append(Deal(own, others, mine, moon - mine, 0, 0.0))
    return Deal(
        own=mean(result.own for result in results),
        others=mean(result.others for result in results),
        moons=mean(result.moons for result in results),
        moons_against=mean(result.moons_against for result in results),
        decisions=clock.decisions,
        seconds=clock.seconds,
    )


def compare(
    subject: str,
    company: str,
    book: Rulebook,
    rounds: int,
    seed: str = "measuring",
    jobs: int = 1,
) -> Comparison:
    """Play ``rounds`` deals, each with the subject in every seat among copies of the company."""
    play = partial(play_deal, subject, company, book)
    seeds, numbers = [f"{seed} {number}" for number in range(rounds)], range(rounds)
    if jobs > 1:
        with ProcessPoolExecutor(jobs) as pool:
            deals = list(pool.map(play, seeds, numbers, chunksize=10))
    else:
        deals = list(map(play, seeds, numbers))
    return Comparison(
        Figure.of([deal.own for deal in deals]),
        Figure.of([deal.others for deal in deals]),
        Figure.of([deal.others - deal.own for deal in deals]),
        mean(deal.moons for deal in deals),
        mean(deal.moons_against for deal in deals),
        1000 * sum(deal.seconds for deal in deals) / sum(deal.decisions for deal in deals),
        tuple(deals),
    )


HEAD = ("player", "among", "rules", "points a round", "the others", "better by", "moons", "against", "ms")


def row(subject: str, company: str, rules: str, found: Comparison) -> tuple[str, ...]:
    moons = (f"{100 * found.moons:.1f} %", f"{100 * found.moons_against:.1f} %")
    figures = (str(found.own), str(found.others), str(found.difference))
    return (subject, company, rules, *figures, *moons, f"{found.ms:.3f}")


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Write a table in Markdown."""
    lines = [HEAD, ("---",) * len(HEAD), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main() -> None:
    names = ", ".join(PLAYERS)
    parser = argparse.ArgumentParser(prog="python -m tests.bots.measuring", description=__doc__)
    parser.add_argument("subject", help=names)
    parser.add_argument("company", nargs="+", help="a row for each of them")
    parser.add_argument("--rules", default="cardems", help=", ".join(PRESETS))
    parser.add_argument("--players", type=int, help="seats; the rulebook's own number if left out")
    parser.add_argument("--rounds", type=int, default=200, help="deals, each played once for every seat")
    parser.add_argument("--seed", default="measuring")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    asked = parser.parse_args()
    book = chosen_rulebook(asked.rules, asked.players)
    if isinstance(book, Refusal):
        parser.error(refusal_text("en", book))
    for name in (asked.subject, *asked.company):
        if name not in PLAYERS:
            parser.error(f"there is no player {name}; there are {names}")
    if asked.rounds < 2 or asked.jobs < 1:
        parser.error("it takes 2 rounds and 1 process at least")
    rows = []
    for company in asked.company:
        found = compare(asked.subject, company, book, asked.rounds, asked.seed, asked.jobs)
        rows.append(row(asked.subject, company, f"{asked.rules} {book.players}", found))
    print(table(rows))


if __name__ == "__main__":
    main()
