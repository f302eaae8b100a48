"""The benchmark of the batched environment runs and tells its result as promised."""

from __future__ import annotations

from tests.benchmarks.result import result_of


def test_the_last_line_is_the_result() -> None:
    """The last line is a JSON object with the rates and their ratio."""
    result = result_of("batch", "--seconds", "1")
    assert result["kupa_rounds_per_s"] > 0
    assert result["by_numpy_rounds_per_s"] > 0
    if result["peer_rounds_per_s"] is None:  # OpenSpiel is not installed
        assert result["ratio"] is None
    else:
        assert 0 < result["ratio_least"] <= result["ratio"] <= result["ratio_most"]
