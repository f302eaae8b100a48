"""What an arena plays: boards, each a deal or a match that is played with the contestants in other seats.

A *board* is one seed. In duplicate play a board is one deal, and it is played once for each seat of the
table, the contestants moved on by one seat each time. In matches a board is the seed of a match; it is played
once for each seat of the table too, and each of these matches counts by itself, so that of ten matches at a
table of four the first four are one board, the last two half of one. Everything follows from the plan's seed.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from kupa.arena.contestants import Contestant, Seated
from kupa.arena.hosting import play
from kupa.arena.tally import Tally
from kupa.hearts.rulebook import Rulebook
from kupa.long_work.journal import Result
from kupa.long_work.portions import Portion
from kupa.programs.seat import Limits

FORMAT: Final = 1
"""Of the journal's lines."""
_DEALS_OF_A_PROGRAM: Final = 10
"""How many deals a program plays before it is started anew: starting takes long, and portions must not."""


class Unit(NamedTuple):
    """What is counted once: a deal in every rotation, or one match."""

    board: int
    rotations: tuple[int, ...]
    """By how many seats the contestants are moved on, for each time that it is played."""
    name: str
    """In the journal."""


class Plan(NamedTuple):
    """All that the results follow from, save how many there are."""

    contestants: tuple[Contestant, ...]
    rules: str
    """The preset's name."""
    rulebook: Rulebook
    seed: str
    limits: Limits
    whole_matches: bool

    @property
    def has_programs(self) -> bool:
        """Whether a program takes part."""
        return any(contestant.is_program for contestant in self.contestants)

    def work(self) -> dict[str, Any]:
        """Return what tells this plan from any other, as JSON built-ins."""
        return {
            "kupa_arena": FORMAT,
            "seats": [contestant.name for contestant in self.contestants],
            "rules": self.rules,
            "rulebook": msgspec.to_builtins(self.rulebook),
            "seed": self.seed,
            "limits": self.limits._asdict(),
            "plays": "matches" if self.whole_matches else "deals",
        }

    def units(self, number: int) -> Iterator[Unit]:
        """Return the first units: so many deals, or so many matches."""
        seats = len(self.contestants)
        for i in range(number):
            if self.whole_matches:
                board, rotation = divmod(i, seats)
                yield Unit(board, (rotation,), f"{board}.{rotation}")
            else:
                yield Unit(i, tuple(range(seats)), str(i))

    def portions(self, number: int, done: Container[str]) -> Iterator[Portion]:
        """Return what is still to be done, in portions.

        Args:
            number: how many units there shall be.
            done: the names of those that are there.
        """
        size = _DEALS_OF_A_PROGRAM if self.has_programs and not self.whole_matches else 1
        todo = (unit for unit in self.units(number) if unit.name not in done)
        while units := tuple(islice(todo, size)):
            yield Portion(tuple(unit.name for unit in units), (self, units))


def play_units(plan: Plan, units: Sequence[Unit]) -> list[Result]:
    """Play some units, and return what each came to: a tally for each contestant.

    A program keeps its seat from one unit to the next; our own players sit down anew for each.
    """
    seats = len(plan.contestants)
    noted = [[Tally() for _ in plan.contestants] for _ in units]
    for rotation in sorted({rotation for unit in units for rotation in unit.rotations}):
        order = [(seat - rotation) % seats for seat in range(seats)]
        with ExitStack() as table:
            programs: dict[int, Seated] = {}
            for unit, tallies in zip(units, noted, strict=True):
                if rotation in unit.rotations:
                    bots = _sat_down(plan, f"{plan.seed} {unit.board}", order, programs, table)
                    _play_unit(plan, unit, bots, [tallies[i] for i in order])
    return [{"contestants": [tally.write() for tally in tallies]} for tallies in noted]


def _sat_down(
    plan: Plan, seed: str, order: Sequence[int], programs: dict[int, Seated], table: ExitStack
) -> list[Seated]:
    """Return who sits in each seat; programs that sit there already stay."""
    bots = []
    for seat, place in enumerate(order):
        bot = programs.get(seat)
        if bot is None:
            contestant = plan.contestants[place]
            bot = contestant.sit_down(seat, plan.rulebook, f"{seed}/{seat}", plan.limits)
            table.enter_context(closing(bot))
            if contestant.is_program:
                programs[seat] = bot
        bots.append(bot)
    return bots


def _play_unit(plan: Plan, unit: Unit, bots: Sequence[Seated], tallies: Sequence[Tally]) -> None:
    number = 0 if plan.whole_matches else unit.board
    seed = f"{plan.seed} {unit.board}"
    play(plan.rulebook, seed, number, bots, tallies, whole=plan.whole_matches)
