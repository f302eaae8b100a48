"""The picture of what an arena found: each contestant's difference to the others, with its error, as SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import Final

from kupa.arena.plan import Plan
from kupa.arena.standings import Standing, decimal_text, figure_text
from kupa.catalogue import text

WIDTH: Final = 760
_LEFT: Final = 230
_RIGHT: Final = 150
_TOP: Final = 74
_ROW: Final = 34
_BOTTOM: Final = 58
_NAME: Final = 30
"""How many characters of a name are shown."""
_INTERVAL: Final = 1.96
"""Standard errors to either side within which the true value lies in 95 of 100 cases."""
_TICKS: Final = 7
_STEPS: Final = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)

_STYLE: Final = (
    "text{font:13px system-ui,sans-serif;fill:#1d2b26}.title{font-weight:600;font-size:15px}"
    ".pale{fill:#5d6b66;font-size:12px}.grid{stroke:#d9d4c7}.zero{stroke:#1d2b26}"
    ".bar{stroke:#1f5d4c;stroke-width:3;stroke-linecap:round}.mean{fill:#b3243b}"
)


def as_svg(plan: Plan, units: int, found: Sequence[Standing], language: str) -> str:
    """Draw the results.

    Args:
        plan: what was played.
        units: how many deals, or matches.
        found: the standings, in the order in which they are shown.
        language: ``"tr"`` or ``"en"``.
    """
    height = _TOP + _ROW * len(found) + _BOTTOM
    step, low, high = _scale(found)

    def across(value: float) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * (value - low) / (high - low)

    foot = _TOP + _ROW * len(found)
    units_key = "arena.plot.matches" if plan.whole_matches else "arena.plot.deals"
    about = text(language, units_key, n=units, rules=plan.rules, seed=plan.seed)
    size = f'width="{WIDTH}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {WIDTH} {height}" lang="{language}">',
        f"<title>{_shown(text(language, 'arena.plot.title'))}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect {size} fill="#fffdf7"/>',
        f'<text class="title" x="20" y="30">{_shown(text(language, "arena.plot.title"))}</text>',
        f'<text class="pale" x="20" y="50">{_shown(about)}</text>',
    ]
    for i in range(round((high - low) / step) + 1):
        value = low + i * step
        x, kind = across(value), "zero" if abs(value) < step / 2 else "grid"
        tick = decimal_text(value + 0.0, 1 if step < 1 else 0, language)
        parts.append(f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 6}" y2="{foot}"/>')
        parts.append(f'<text class="pale" x="{x:.1f}" y="{foot + 18}" text-anchor="middle">{tick}</text>')
    axis = _shown(text(language, "arena.plot.axis"))
    parts.append(f'<text class="pale" x="{_LEFT}" y="{foot + 42}">{axis}</text>')
    for place, one in enumerate(found):
        parts += _row(one, _TOP + _ROW * place + _ROW / 2, across, language)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(one: Standing, y: float, across: Callable[[float], float], language: str) -> list[str]:
    name = one.label if len(one.label) <= _NAME else one.label[: _NAME - 1] + "…"
    mean, error = one.difference
    parts = [f'<text x="20" y="{y + 4:.1f}">{_shown(name)}</text>']
    if math.isnan(mean):
        return parts
    if not math.isnan(error):
        x1, x2 = across(mean - _INTERVAL * error), across(mean + _INTERVAL * error)
        parts.append(f'<line class="bar" x1="{x1:.1f}" x2="{x2:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
    parts.append(f'<circle class="mean" cx="{across(mean):.1f}" cy="{y:.1f}" r="5"/>')
    told = figure_text(one.difference, language)
    parts.append(f'<text x="{WIDTH - 20}" y="{y + 4:.1f}" text-anchor="end">{told}</text>')
    return parts


def _scale(found: Sequence[Standing]) -> tuple[float, float, float]:
    """Return the step between two ticks and the ends of the axis, which takes in 0 and every interval."""
    ends = [0.0]
    for one in found:
        mean, error = one.difference
        if not math.isnan(mean):
            wide = 0.0 if math.isnan(error) else _INTERVAL * error
            ends += [mean - wide, mean + wide]
    span = max(max(ends) - min(ends), 0.2)
    step = next((step for step in _STEPS if span / step <= _TICKS), span / _TICKS)
    low, high = math.floor(min(ends) / step) * step, math.ceil(max(ends) / step) * step
    return step, low, max(high, low + step)


def _shown(written: str) -> str:
    """Write a text into SVG; what no XML may hold is left out."""
    return escape("".join(sign for sign in written if sign.isprintable()))
