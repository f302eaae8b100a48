"""The pictures of a survey: what it says to whoever would rather look than read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
from matplotlib.figure import Figure

from kupa.catalogue import text
from kupa.lab.ways import WAYS

mpl.use("agg")

FELT: Final = "#1f5d4c"
HEART: Final = "#b3243b"
PALE: Final = "#d9d4c7"
_SIZE: Final = (7.2, 3.6)
_DPI: Final = 110
_ENOUGH: Final = 2000
"""Deals that a value has to have to be shown: below, its share is mostly chance."""

Draw = Callable[[Path], None]


def draw_survey(told: dict[str, Any], language: str) -> dict[str, Draw]:
    """Return the pictures that a survey has enough for: by the name of the file, what draws it."""
    pictures: dict[str, Draw] = {}
    random, codes = told["random"], told["codes"]
    if random["deals"]:
        for name in ("over", "tip_copies", "touching"):
            pictures[f"winnable-by-{name.replace('_', '-')}.png"] = _by_feature(random, name, language)
        pictures["winnable-by-fours-and-threes.png"] = _fours_and_threes(random, language)
    if codes["moves"]["count"]:
        pictures["fewest-moves.png"] = _fewest_moves(codes, language)
        pictures["ways-of-playing.png"] = _ways(codes, language)
    return pictures


def _figure(title: str, across: str, up: str) -> tuple[Figure, Any]:
    figure = Figure(figsize=_SIZE, dpi=_DPI, layout="constrained")
    axes = figure.subplots()
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color=PALE, linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _saving(figure: Figure) -> Draw:
    return lambda path: figure.savefig(path, format="png", metadata={"Software": None})


def _by_feature(random: dict[str, Any], name: str, language: str) -> Draw:
    rows = [row for row in random["features"][name] if row["deals"] >= _ENOUGH]
    figure, axes = _figure(
        text(language, f"lab.plot.{name}"),
        text(language, f"lab.feature.{name}"),
        text(language, "lab.plot.share"),
    )
    shares = [100 * row["share"] for row in rows]
    places = list(range(len(rows)))
    bars = axes.bar(places, shares, color=HEART)
    axes.set_xticks(places, [str(row["value"]) for row in rows])
    axes.bar_label(bars, [f"{share:.1f}" for share in shares], fontsize=7)
    axes.axhline(100 * random["share"], color=FELT, linewidth=1, linestyle="--")
    return _saving(figure)


def _fours_and_threes(random: dict[str, Any], language: str) -> Draw:
    rows = [row for row in random["features"]["fours_and_threes"] if row["deals"] >= _ENOUGH]
    figure, axes = _figure(
        text(language, "lab.plot.fours_and_threes"),
        text(language, "lab.feature.threes"),
        text(language, "lab.feature.fours"),
    )
    axes.grid(visible=False)
    most_fours = max(row["value"] // 10 for row in rows) if rows else 0
    most_threes = max(row["value"] % 10 for row in rows) if rows else 0
    table = [[float("nan")] * (most_threes + 1) for _ in range(most_fours + 1)]
    for row in rows:
        table[row["value"] // 10][row["value"] % 10] = 100 * row["share"]
    axes.imshow(table, cmap="RdYlGn", aspect="auto", origin="lower", vmin=0, vmax=100)
    for fours, line in enumerate(table):
        for threes, share in enumerate(line):
            if share == share:
                axes.text(threes, fours, f"{share:.0f}", ha="center", va="center", fontsize=8)
    axes.set_xticks(range(most_threes + 1))
    axes.set_yticks(range(most_fours + 1))
    return _saving(figure)


def _fewest_moves(codes: dict[str, Any], language: str) -> Draw:
    counts = {int(value): count for value, count in codes["moves"]["counts"].items()}
    figure, axes = _figure(
        text(language, "lab.plot.fewest"), text(language, "lab.plot.moves"), text(language, "lab.plot.deals")
    )
    axes.bar(list(counts), list(counts.values()), width=1.0, color=HEART)
    axes.axvline(codes["moves"]["mean"], color=FELT, linewidth=1, linestyle="--")
    return _saving(figure)


def _ways(codes: dict[str, Any], language: str) -> Draw:
    figure, axes = _figure(
        text(language, "lab.plot.ways"),
        text(language, "lab.plot.above"),
        text(language, "lab.plot.won_share"),
    )
    # How many of the deals that can be won are won within so many moves above the fewest.
    for way, colour in zip(WAYS, (PALE, "#8a8573", HEART, FELT), strict=True):
        fared = codes["ways"][way]
        counts = {int(value): count for value, count in fared["above"].get("counts", {}).items()}
        reached, shares = 0, []
        span = range(61)
        for above in span:
            reached += counts.get(above, 0)
            shares.append(100 * reached / codes["winnable"])
        axes.plot(list(span), shares, color=colour, label=text(language, f"lab.way.{way}"))
    axes.set_ylim(0, 100)
    axes.legend(frameon=False, fontsize=8, loc="lower right")
    return _saving(figure)
