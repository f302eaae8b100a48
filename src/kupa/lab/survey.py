"""The survey: random deals counted, and codes solved and played, in portions that are added up.

Two kinds of portions make a survey. Of *deals*, each is a million random hearts, decided and counted by their
features. Of *codes*, each is 4,096 codes; those that can be won are solved for the fewest moves and played in
every way. Both depend on the seed and on the portion's number alone, no code comes twice, and a survey may be
made larger at any time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kupa.heart_to_heart.codes import EDITION, RANKS, code_of
from kupa.lab.features import FEATURES, VALUES
from kupa.lab.keccak import LANES
from kupa.lab.sampling import count_deals, first_code, solved_codes
from kupa.lab.ways import GIVEN_UP, WAYS
from kupa.long_work.journal import Result
from kupa.long_work.portions import Portion

DEALS_EACH: Final = 1_000_000
CODES_EACH: Final = 4096
BUDGET: Final = 20_000_000
"""Decisions that a search for the fewest moves may take."""
EXTREMES: Final = 20
"""How many of the hardest and of the easiest codes are told."""
STUCK_SHARE: Final = 2024 / 20825
"""The share of deals that are stuck before the first move: C(24, 3) / C(51, 3), since the other three of the
tip's rank then lie among the other 24 cards of the heart."""
_Z: Final = 1.959963984540054
"""Standard deviations to either side of the middle that hold 95 %."""
QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def work_of(seed: int) -> dict[str, Any]:
    """Return what tells the journal of a survey from any other."""
    return {"kupa": "survey", "version": 1, "edition": EDITION, "seed": seed, "features": list(FEATURES)}


def portions(seed: int, deals: int, codes: int) -> list[Portion]:
    """Return the portions of a survey of at least so many deals and codes."""
    return [
        *(Portion((f"deals {n}",), ("deals", seed, n)) for n in range(-(-deals // DEALS_EACH))),
        *(Portion((f"codes {n}",), ("codes", seed, n)) for n in range(-(-codes // CODES_EACH))),
    ]


def work_out(kind: str, seed: int, portion: int) -> list[Result]:
    """Work out a portion; returns it as JSON."""
    return [_deals_portion(seed, portion) if kind == "deals" else _codes_portion(seed, portion)]


def _deals_portion(seed: int, portion: int) -> Result:
    counts = np.zeros((len(FEATURES), VALUES, 2), np.int64)
    winnable, stuck = count_deals(seed, portion, DEALS_EACH, counts)
    features = {
        name: [
            [value, int(lost + won), int(won)] for value, (lost, won) in enumerate(counts[n]) if lost + won
        ]
        for n, name in enumerate(FEATURES)
    }
    return {"deals": DEALS_EACH, "winnable": int(winnable), "stuck": int(stuck), "features": features}


def _codes_portion(seed: int, portion: int) -> Result:
    blocks = CODES_EACH // LANES
    firsts = np.array([first_code(seed, portion * blocks + n) for n in range(blocks)])
    solved = solved_codes(firsts, BUDGET)
    return {
        "codes": CODES_EACH,
        "numbers": solved.numbers.tolist(),
        "moves": solved.moves.tolist(),
        "redeals": solved.redeals.tolist(),
        "ways": {way: solved.ways[:, n].tolist() for n, way in enumerate(WAYS)},
    }


# ---------------------------------------------------------------- what it all comes to


def interval(hits: int, of: int) -> tuple[float, float]:
    """Return the interval that holds the true share with 95 % confidence (Wilson's)."""
    if not of:
        return 0.0, 1.0
    share, spread = hits / of, _Z * _Z / of
    middle = share + spread / 2
    width = _Z * sqrt(share * (1 - share) / of + spread / (4 * of))
    return (middle - width) / (1 + spread), (middle + width) / (1 + spread)


def _share(hits: int, of: int) -> dict[str, Any]:
    low, high = interval(hits, of)
    return {"share": hits / of if of else None, "low": low, "high": high}


def _deals_summary(parts: Iterable[Result]) -> dict[str, Any]:
    """Add up the portions of deals."""
    deals = winnable = stuck = 0
    counts: dict[str, Counter[tuple[int, str]]] = {name: Counter() for name in FEATURES}
    for part in parts:
        deals += part["deals"]
        winnable += part["winnable"]
        stuck += part["stuck"]
        for name, rows in part["features"].items():
            for value, of, won in rows:
                counts[name][value, "deals"] += of
                counts[name][value, "winnable"] += won
    return {
        "deals": deals,
        "winnable": winnable,
        **_share(winnable, deals),
        "stuck": {"deals": stuck, **_share(stuck, deals), "exact": STUCK_SHARE},
        "features": {name: _feature_rows(name, counts[name]) for name in FEATURES},
    }


def _feature_rows(name: str, counts: Mapping[tuple[int, str], int]) -> list[dict[str, Any]]:
    values = sorted({value for value, _ in counts})
    return [
        {
            "value": RANKS[value] if name == "tip_rank" else value,
            "deals": counts[value, "deals"],
            "winnable": counts[value, "winnable"],
            **_share(counts[value, "winnable"], counts[value, "deals"]),
        }
        for value in values
    ]


class Codes:
    """The codes of a survey that can be won, as arrays of one length.

    Args:
        parts: the portions of codes.
    """

    def __init__(self, parts: Iterable[Result]) -> None:
        parts = list(parts)
        self.examined = sum(part["codes"] for part in parts)
        self.numbers = _joined(part["numbers"] for part in parts)
        self.moves = _joined(part["moves"] for part in parts)
        self.redeals = _joined(part["redeals"] for part in parts)
        self.ways = {way: _joined(part["ways"][way] for part in parts) for way in WAYS}


def _joined(lists: Iterable[list[int]]) -> NDArray[np.int64]:
    return np.array([entry for each in lists for entry in each], np.int64)


def _spread(values: NDArray[np.int64]) -> dict[str, Any]:
    """Return mean, deviation, ends, quantiles and counts of whole numbers."""
    if not len(values):
        return {"count": 0}
    found, times = np.unique(values, return_counts=True)
    return {
        "count": len(values),
        "mean": float(values.mean()),
        "deviation": float(values.std()),
        "least": int(values.min()),
        "most": int(values.max()),
        "quantiles": {str(q): int(np.quantile(values, q, method="inverted_cdf")) for q in QUANTILES},
        "counts": {str(value): int(count) for value, count in zip(found, times, strict=True)},
    }


def _way_summary(moves: NDArray[np.int64], fewest: NDArray[np.int64]) -> dict[str, Any]:
    """Return how a way of playing did, against the fewest moves."""
    won = moves != GIVEN_UP
    above = (moves - fewest)[won & (fewest > 0)]
    return {
        "won": int(won.sum()),
        **_share(int(won.sum()), len(moves)),
        "optimal": int((above == 0).sum()),
        "above": _spread(above),
    }


def _extremes(codes: Codes, *, hardest: bool) -> list[dict[str, Any]]:
    """Return the codes with the most, or the fewest, moves."""
    solved = np.flatnonzero(codes.moves)
    order = solved[np.lexsort((codes.numbers[solved], codes.moves[solved] * (-1 if hardest else 1)))]
    return [
        {
            "code": code_of(int(codes.numbers[n])),
            "moves": int(codes.moves[n]),
            "redeals": int(codes.redeals[n]),
        }
        for n in order[:EXTREMES]
    ]


def codes_of(results: Mapping[str, Result]) -> Codes:
    """Return the codes of a journal that can be won, in the order of the survey."""
    return Codes(results[name] for name in _in_order(results, "codes"))


def _in_order(results: Mapping[str, Result], kind: str) -> list[str]:
    names = [name for name in results if name.startswith(f"{kind} ")]
    return sorted(names, key=lambda name: int(name.partition(" ")[2]))


def summary(seed: int, results: Mapping[str, Result]) -> dict[str, Any]:
    """Return what a survey has come to so far; of JSON, and the same in whatever order portions came."""
    codes = codes_of(results)
    return {
        **work_of(seed),
        "random": _deals_summary(results[name] for name in _in_order(results, "deals")),
        "codes": {
            "examined": codes.examined,
            "winnable": len(codes.moves),
            "unfinished": int((codes.moves == 0).sum()),
            **_share(len(codes.moves), codes.examined),
            "moves": _spread(codes.moves[codes.moves > 0]),
            "redeals": _spread(codes.redeals[codes.moves > 0]),
            "ways": {way: _way_summary(codes.ways[way], codes.moves) for way in WAYS},
            "hardest": _extremes(codes, hardest=True),
            "easiest": _extremes(codes, hardest=False),
        },
    }
