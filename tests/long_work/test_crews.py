"""Portions over processes: a worker that is killed loses none and counts none twice."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from kupa.long_work.crews import crew
from kupa.long_work.faults import WorkError
from kupa.long_work.journal import Journal, Result
from kupa.long_work.portions import MOST_LOSSES, Portion, work_through
from kupa.long_work.progress import Progress, bar


def double(*numbers: int) -> list[Result]:
    return [{"is": 2 * number} for number in numbers]


def double_or_die(mark: str, *numbers: int) -> list[Result]:
    """Kill the worker at 7, the first time that it comes to it."""
    if 7 in numbers and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.002)
    return double(*numbers)


def die(*_: int) -> list[Result]:
    os.kill(os.getpid(), signal.SIGKILL)
    return []


def fail(*_: int) -> list[Result]:
    raise ZeroDivisionError("ours")


def sleep(*_: int) -> list[Result]:
    time.sleep(600)
    return []


def in_twos(numbers: range, *before: str) -> list[Portion]:
    return [
        Portion((str(number), str(number + 1)), (*before, number, number + 1))
        for number in numbers
        if number % 2 == 0
    ]


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_portion_is_worked_out_once(jobs: int) -> None:
    """In this process or two, and told of as it comes."""
    told: list[int] = []
    with Journal(None, {}) as journal, crew(jobs) as workers:
        work_through(in_twos(range(40)), double, workers, journal, told.append)
    assert journal.results == {str(number): {"is": 2 * number} for number in range(40)}
    assert told == [2] * 20


def test_a_killed_worker_loses_nothing_and_counts_nothing_twice(tmp_path: Path) -> None:
    """The journal would refuse a second result of a name."""
    told: list[int] = []
    mark = str(tmp_path / "mark")
    with Journal(tmp_path / "journal", {}) as journal, crew(2) as workers:
        work_through(in_twos(range(60), mark), double_or_die, workers, journal, told.append)
    assert Path(mark).exists()
    assert journal.results == {str(number): {"is": 2 * number} for number in range(60)}
    assert sum(told) == 60
    assert len((tmp_path / "journal").read_bytes().splitlines()) == 61


def test_workers_that_die_again_and_again_are_given_up() -> None:
    """With a word, and without an end that never comes."""
    with (
        Journal(None, {}) as journal,
        pytest.raises(WorkError, match="workers_lost"),
        crew(2) as workers,
    ):
        work_through(in_twos(range(2 * (MOST_LOSSES + 9))), die, workers, journal, lambda _: None)
    assert journal.results == {}


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_goes_wrong_in_the_work_itself_is_raised(jobs: int) -> None:
    """A fault of the work is no lost worker."""
    with Journal(None, {}) as journal, pytest.raises(ZeroDivisionError), crew(jobs) as workers:
        work_through(in_twos(range(4)), fail, workers, journal, lambda _: None)


class FarAway:
    """A crew at the end of a line: it takes what it is given, and what comes back is set beforehand."""

    size = 1

    def __init__(self, error: Exception | None) -> None:
        self.error = error

    def submit(self, work: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.error is not None:
            future.set_exception(self.error)
        return future

    def is_lost(self, error: BaseException) -> bool:
        return False

    def lacks_kupa(self, error: BaseException) -> bool:
        return isinstance(error, ImportError)

    def has_ended(self) -> bool:
        return self.error is None

    def renew(self) -> bool:
        return False


@pytest.mark.parametrize(
    ("error", "told", "code"),
    [
        (None, WorkError, "workers_lost"),
        (ModuleNotFoundError("kupa"), WorkError, "workers_without_kupa"),
        (ZeroDivisionError("ours"), ZeroDivisionError, "ours"),
    ],
)
def test_workers_that_cannot_work_are_told_apart(
    error: Exception | None, told: type[Exception], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that are out of reach, without waiting for ever; those that have no Kupa; and faulty work."""
    monkeypatch.setattr("kupa.long_work.portions.LOOK_EVERY", 0.01)
    with Journal(None, {}) as journal, pytest.raises(told, match=code):
        work_through(in_twos(range(4)), double, FarAway(error), journal, lambda _: None)


def test_work_that_is_broken_off_ends_its_workers() -> None:
    """At once, although they are in the middle of something."""
    before = set(multiprocessing.active_children())
    began = time.monotonic()
    with contextlib.suppress(KeyboardInterrupt), crew(2) as workers:
        workers.submit(sleep)
        raise KeyboardInterrupt
    assert set(multiprocessing.active_children()) <= before
    assert time.monotonic() - began < 60


@pytest.mark.parametrize("jobs", [0, -1, 10_000])
def test_a_number_of_processes_that_cannot_be_is_refused(jobs: int) -> None:
    with pytest.raises(WorkError, match="bad_jobs"), crew(jobs):
        pass


def test_progress_is_a_line_with_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    """Where nobody looks at a terminal, one now and then; none at all when it is not wanted."""
    assert bar(3, 12, 3725, "en") == "[######------------------] 3 of 12, 1:02:05 to go"
    assert bar(12, 12, 0, "tr") == "[########################] 12/12, kalan süre 0:00:00"
    progress = Progress(10, 2, "en", quiet=False)
    progress.note(1)
    progress.close()
    assert capsys.readouterr().err == ""
