"""What an arena found: a standing for each contestant, as figures, as JSON, and as a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from kupa.arena.plan import Plan
from kupa.arena.tally import Figure, Tally, read_tally
from kupa.catalogue import text
from kupa.long_work.faults import WorkError
from kupa.programs.faults import CODES


class Standing(NamedTuple):
    """How one contestant did."""

    name: str
    label: str
    """The name, numbered where several have it."""
    tally: Tally
    """All boards together."""
    points: Figure
    """A round."""
    difference: Figure
    """Its points less the mean of the other seats, a round: below 0 is good."""
    rounds_won: Figure
    matches_won: Figure


def standings(plan: Plan, results: Mapping[str, Any], units: int) -> list[Standing]:
    """Return how every contestant did, in the order of the seats.

    Args:
        plan: what was played.
        results: what each unit came to, by its name; those that are not there yet are left out.
        units: how many there shall be: a journal may hold more.

    Raises:
        WorkError: ``journal_unreadable``.
    """
    boards: dict[int, list[Tally]] = {}
    for unit in plan.units(units):
        if unit.name in results:
            tallies = _tallies(results[unit.name], plan)
            for tally, more in zip(boards.setdefault(unit.board, _blank(plan)), tallies, strict=True):
                tally.add(more)
    labels = labelled([contestant.name for contestant in plan.contestants])
    found = []
    for place, contestant in enumerate(plan.contestants):
        found.append(_standing(contestant.name, labels[place], [board[place] for board in boards.values()]))
    return found


def _blank(plan: Plan) -> list[Tally]:
    return [Tally() for _ in plan.contestants]


def _tallies(result: Any, plan: Plan) -> list[Tally]:
    try:
        tallies = [read_tally(written) for written in result["contestants"]]
    except (ValueError, TypeError, KeyError) as error:
        raise WorkError("journal_unreadable", file="--out") from error
    if len(tallies) != len(plan.contestants):
        raise WorkError("journal_unreadable", file="--out")
    return tallies


def _standing(name: str, label: str, boards: Sequence[Tally]) -> Standing:
    whole = Tally()
    for tally in boards:
        whole.add(tally)
    return Standing(
        name,
        label,
        whole,
        points=Figure.of((tally.points, tally.rounds) for tally in boards),
        difference=Figure.of((tally.points - tally.others, tally.rounds) for tally in boards),
        rounds_won=Figure.of((tally.rounds_won, tally.rounds) for tally in boards),
        matches_won=Figure.of((tally.matches_won, tally.matches) for tally in boards),
    )


def labelled(names: Sequence[str]) -> list[str]:
    """Return names of which no two are the same: those that come several times are numbered."""
    return [
        f"{name} ({names[: place + 1].count(name)})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


# ---------------------------------------------------------------- JSON


def as_json(plan: Plan, units: int, found: Sequence[Standing]) -> dict[str, Any]:
    """Return the results as JSON built-ins; what cannot be told of so few boards is null."""
    return {
        "deals": units,
        "rules": plan.rules,
        "seed": plan.seed,
        "contestants": [
            {
                "name": one.name,
                "rounds": one.tally.rounds,
                "points_mean": _number(one.points.mean),
                "points_se": _number(one.points.error),
                "difference_mean": _number(one.difference.mean),
                "difference_se": _number(one.difference.error),
                "wins": _number((one.matches_won if plan.whole_matches else one.rounds_won).mean),
                "moons": one.tally.moons,
                "ms_mean": _number(one.tally.ms_mean),
                "ms_p99": _number(one.tally.ms_within(0.99)),
                "faults": one.tally.fault_count,
            }
            for one in found
        ],
    }


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


# ---------------------------------------------------------------- the table


def as_table(plan: Plan, found: Sequence[Standing], language: str) -> str:
    """Write the results as a table in Markdown, and under it what the faults were."""
    columns = ["name", "points", "difference", "rounds_won"]
    columns += ["matches_won"] if plan.whole_matches else []
    columns += ["moons", "against", "stopped", "failed", "ms", "p99", "faults"]
    head = [text(language, f"arena.column.{column}") for column in columns]
    rows = [[_cell(column, one, language) for column in columns] for one in found]
    widths = [max(map(len, cells)) for cells in zip(head, *rows, strict=True)]
    lines = [_row(head, widths), _row(["-" * width for width in widths], widths)]
    lines += [_row(row, widths) for row in rows]
    return "\n".join([*lines, *_faults(found, language)])


def _row(cells: Iterable[str], widths: Sequence[int]) -> str:
    padded = [
        cell.ljust(width) if place == 0 else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return f"| {' | '.join(padded)} |"


def _cell(column: str, one: Standing, language: str) -> str:
    tally = one.tally
    figures = {"points": one.points, "difference": one.difference}
    shares = {"rounds_won": one.rounds_won, "matches_won": one.matches_won}
    times = {"ms": tally.ms_mean, "p99": tally.ms_within(0.99)}
    if column == "name":
        return one.label
    if column in figures:
        return figure_text(figures[column], language)
    if column in shares:
        return text(language, "arena.percent", share=decimal_text(100 * shares[column].mean, 1, language))
    if column in times:
        time = times[column]
        return "-" if time is None else decimal_text(time, 2, language)
    return str(tally.fault_count if column == "faults" else getattr(tally, column))


def decimal_text(value: float, digits: int, language: str) -> str:
    """Write a number as a language does, with as many digits after its point or comma."""
    if math.isnan(value):
        return "-"
    written = f"{value:.{digits}f}".replace("-", "−")
    return written.replace(".", ",") if language == "tr" else written


def figure_text(figure: Figure, language: str) -> str:
    """Write a mean, and its standard error where there is one."""
    mean = decimal_text(figure.mean, 2, language)
    return mean if math.isnan(figure.error) else f"{mean} ± {decimal_text(figure.error, 2, language)}"


def _faults(found: Sequence[Standing], language: str) -> list[str]:
    """Tell for each contestant with faults how many of which kind, and what its first one was."""
    lines = []
    for one in found:
        if one.tally.faults:
            kinds = ", ".join(
                f"{code} {one.tally.faults.get(code)}" for code in CODES if code in one.tally.faults
            )
            key = "arena.faults_with_detail" if one.tally.detail else "arena.faults"
            lines.append(text(language, key, name=one.label, kinds=kinds, detail=one.tally.detail))
    return ["", *lines] if lines else []
