"""Players against each other in tests: the arena's own play and figures, and no fault let pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from kupa.arena.contestants import SEATABLE, Contestant
from kupa.arena.hosting import begun
from kupa.arena.hosting import moves as hosted
from kupa.arena.plan import Plan, play_units
from kupa.arena.standings import Standing, standings
from kupa.arena.tally import Figure, Tally, read_tally
from kupa.bots import simple
from kupa.bots.player import Player
from kupa.game import Json
from kupa.hearts.events import Event, MatchOver, RoundScored
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import State
from kupa.hearts.view import View
from kupa.long_work.crews import crew
from kupa.long_work.journal import Journal
from kupa.long_work.portions import work_through
from kupa.programs.faults import FaultError
from kupa.programs.seat import Limits


class Simple:
    """The bot that the server began with, which remembers nothing."""

    def __init__(self, luck: str) -> None:
        pass

    def told(self, event: Json) -> None:
        """Remember nothing."""

    def choose(self, view: View) -> Json:
        return simple.choose(view, Random(0))


PLAYERS: dict[str, Callable[[str], Player]] = {**SEATABLE, "simple": Simple}


class NoFaults:
    """A book in which nothing may have to be noted."""

    def decided(self, seat: int, ms: float) -> None:
        """Let it take its time."""

    def charged(self, seat: int, fault: FaultError) -> None:
        raise AssertionError(f"seat {seat}: {fault.code} {fault.detail}")


def moves(state: State, players: Sequence[Player]) -> Iterator[tuple[State, Event]]:
    """Play on, and yield every event with the state after it."""
    return hosted(state, players, NoFaults())


def play_round(book: Rulebook, seed: str, number: int, players: Sequence[Player]) -> RoundScored:
    """Play one round."""
    for _, event in moves(begun(book, seed, number, players), players):
        if isinstance(event, RoundScored):
            return event
    raise AssertionError("the round did not end")


def play_match(book: Rulebook, seed: str, players: Sequence[Player]) -> MatchOver:
    """Play a whole match."""
    for _, event in moves(begun(book, seed, 0, players), players):
        if isinstance(event, MatchOver):
            return event
    raise AssertionError("the match did not end")


def plan_among(subject: str, company: str, book: Rulebook, seed: str) -> Plan:
    """Return the plan of duplicate play in which a subject sits among copies of the company."""
    names = [subject] + [company] * (book.players - 1)
    return Plan(tuple(map(Contestant, names)), "", book, seed, Limits(100), whole_matches=False)


class Comparison(NamedTuple):
    """How the subject did."""

    own: Figure
    """Its points a round."""
    difference: Figure
    """Its points less the mean of the other seats, a round: below 0 is good."""
    boards: tuple[Tally, ...]
    """Its tally of each deal."""

    def points_above(self, other: Comparison) -> Figure:
        """Return how many points more this subject took than another on the same deals, deal by deal."""
        pairs = zip(self.boards, other.boards, strict=True)
        return Figure.of((one.points - same.points, one.rounds) for one, same in pairs)


def compare(
    subject: str, company: str, book: Rulebook, deals: int, seed: str = "measuring", jobs: int = 1
) -> Comparison:
    """Play deals, each with the subject in every seat among copies of the company."""
    plan = plan_among(subject, company, book, seed)
    with Journal(None, plan.work()) as journal, crew(jobs) as workers:
        work_through(plan.portions(deals, ()), play_units, workers, journal, lambda _: None)
    found: Standing = standings(plan, journal.results, deals)[0]
    assert not found.tally.faults, found.tally
    boards = [read_tally(journal.results[unit.name]["contestants"][0]) for unit in plan.units(deals)]
    return Comparison(found.points, found.difference, tuple(boards))
