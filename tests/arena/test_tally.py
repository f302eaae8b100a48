"""How notes become figures."""

from __future__ import annotations

import math
from random import Random
from statistics import mean, stdev

import pytest

from kupa.arena.tally import Figure, Tally, read_tally, share_of_win


def test_a_figure_of_equal_boards_is_the_mean_and_its_usual_error() -> None:
    """As the statistics of Python have it, whatever the number of rounds on each board."""
    rng = Random(1)
    values = [rng.gauss(6.5, 3) for _ in range(50)]
    found = Figure.of((4 * value, 4) for value in values)
    assert found.mean == pytest.approx(mean(values))
    assert found.error == pytest.approx(stdev(values) / math.sqrt(50))


def test_a_figure_of_unequal_boards_weighs_them() -> None:
    """Three rounds count three times as much as one; the error is that of a ratio."""
    assert Figure.of([(9, 3), (1, 1)]).mean == 2.5
    rng = Random(3)
    draws = [(rng.randint(1, 9), rng.gauss(2, 1)) for _ in range(400)]
    found = Figure.of((weight * value, weight) for weight, value in draws)
    assert abs(found.mean - 2) < 4 * found.error
    assert 0.03 < found.error < 0.09


def test_too_few_boards_have_no_error_and_none_has_no_mean() -> None:
    assert math.isnan(Figure.of([(5, 4)]).error)
    assert math.isnan(Figure.of([]).mean)
    assert math.isnan(Figure.of([(0, 0)]).mean)


def test_a_tie_shares_the_win() -> None:
    """The shares of all seats are one win."""
    assert [share_of_win((0, 3, 0, 23), seat) for seat in range(4)] == [0.5, 0, 0.5, 0]
    assert [share_of_win((-26, 0, 0), seat) for seat in range(3)] == [1, 0, 0]


def test_times_within_a_percentile_are_right_within_one_per_cent() -> None:
    """Against the sorted times themselves."""
    rng, tally = Random(2), Tally()
    times = sorted(rng.lognormvariate(1, 1) for _ in range(5000))
    for time in times:
        tally.decided(time)
    for share in (0.5, 0.9, 0.99, 1.0):
        within = tally.ms_within(share)
        assert within == pytest.approx(times[math.ceil(share * 5000) - 1], rel=0.011)
    assert tally.ms_mean == pytest.approx(mean(times))
    assert Tally().ms_within(0.99) is None
    assert Tally().ms_mean is None


def test_tallies_add_up_and_come_back_from_what_was_written() -> None:
    """To the last number, faults and times too."""
    one, other, both = Tally(), Tally(), Tally()
    for place, tally in enumerate((one, other)):
        for into in (tally, both):
            into.scored((0, 20 + place, 6 - place, 0), place, None)
            into.scored((0, 26, 26, 26), place, 0)
            into.decided(3.5 + place)
            into.charged("illegal", f"detail {place}")
            into.charged("too_late", "")
    assert read_tally(one.write()) == one
    total = Tally()
    for tally in (one, other):
        total.add(read_tally(tally.write()))
    assert total.others == pytest.approx(both.others)
    total.others = both.others
    assert total == both
    assert (total.moons, total.against, total.fault_count) == (1, 1, 4)
    assert total.detail == "detail 0"
    with pytest.raises(ValueError, match="rounds"):
        read_tally({"rounds": "many"})
