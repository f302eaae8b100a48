"""The benchmark of the simulator runs and tells its result as promised."""

from __future__ import annotations

from tests.benchmarks.result import result_of
from tests.sim.rulebooks import TABLES


def test_the_last_line_is_the_result() -> None:
    """The last line is a JSON object with the rates, their ratio, a rate for every table, and both starts."""
    result = result_of("simulator", "--seconds", "1")
    assert result["kupa_rounds_per_s"] > 0
    if result["peer_rounds_per_s"] is None:  # OpenSpiel is not installed
        assert result["ratio"] is None
    else:
        assert 0 < result["ratio_least"] <= result["ratio"] <= result["ratio_most"]
    assert set(result["tables"]) == set(TABLES)
    kinds = {"random", "by_rule"}
    assert all(rates.keys() == kinds and min(rates.values()) > 0 for rates in result["tables"].values())
    assert result["cold_s"] > result["warm_s"] > 0
