"""The benchmark of the sampler runs and tells its result as promised."""

from __future__ import annotations

from tests.benchmarks.result import result_of


def test_the_last_line_is_the_result() -> None:
    """The last line is a JSON object with the rates at the three tricks."""
    result = result_of("sampler", "--seconds", "0.5")
    assert set(result["tricks"]) == {"1", "5", "9"}
    for each in result["tricks"].values():
        assert each["worlds_per_s"] > 0
        assert each["setup_us"] > 0
        assert each["weighted_per_s"] > 0
        assert each["weighted_setup_us"] > 0
        assert 0 < each["ratio"] <= each["ratio_most"]
