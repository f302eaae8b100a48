"""The benchmark of Heart to Heart runs and tells its result as promised."""

from __future__ import annotations

from tests.benchmarks.result import result_of


def test_the_last_line_is_the_result() -> None:
    """The last line is a JSON object with the rates, their ratio, and the times."""
    result = result_of("heart", "--deals", "50", "--plain", "20")
    assert result["decided_per_s"] > result["plain_per_s"] > 0
    assert result["ratio"] > 1
    assert 0 < result["fewest_ms_mean"] <= result["fewest_ms_max"]
    assert result["fewest_ms_p99"] <= result["fewest_ms_max"]
    assert result["fewest_unproved"] == 0
    assert result["census_us_per_code"] > 0
