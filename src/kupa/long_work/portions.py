"""Working portions out with a crew, and writing each down as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from typing import Any, Final, NamedTuple

from kupa.long_work.crews import Crew
from kupa.long_work.faults import WorkError
from kupa.long_work.journal import Journal, Result

AHEAD: Final = 3
"""How many portions each worker has waiting, so that none is idle."""
LOOK_EVERY: Final = 5.0
"""Seconds after which it is looked whether anybody still works, if nothing is finished."""
MOST_LOSSES: Final = 3
"""How often in a row workers may be lost without anything being finished between."""


class Portion(NamedTuple):
    """A piece of work; it may have several results, each with a name in the journal."""

    names: tuple[str, ...]
    arguments: tuple[Any, ...]


def work_through(
    portions: Iterable[Portion],
    work: Callable[..., Sequence[Result]],
    workers: Crew,
    journal: Journal,
    tell: Callable[[int], None],
) -> None:
    """Work portions out and write down what they come to.

    Args:
        portions: none of their results may be in the journal yet.
        work: what to do: returns a result for each name of the portion, in that order.
        workers: who does it.
        journal: takes the results.
        tell: is called after each portion was written down, with the number of its results.

    Raises:
        WorkError: ``workers_lost`` or ``workers_without_kupa``; what has been written down stays.
    """
    todo, again = iter(portions), list[Portion]()
    running: dict[Future[Any], Portion] = {}
    ahead = 1 if workers.size == 1 else AHEAD * workers.size

    def start() -> None:
        free = ahead - len(running)
        taken = [again.pop() for _ in range(min(free, len(again)))]
        for portion in (*taken, *islice(todo, free - len(taken))):
            running[workers.submit(work, *portion.arguments)] = portion

    losses = 0
    try:
        start()
        while running:
            done, _ = wait(running, LOOK_EVERY, FIRST_COMPLETED)
            if not done and workers.has_ended():
                raise WorkError("workers_lost")
            lost = []
            for future in done:
                portion = running.pop(future)
                if _is_lost(future, workers):
                    lost.append(portion)
                else:
                    _write_down(portion, _result_of(future, workers), journal, tell)
                    losses = 0
            if lost:
                losses += 1
                if losses > MOST_LOSSES:
                    raise WorkError("workers_lost")
                again += lost + _take_back(running, workers)
            start()
    finally:
        # Where nobody can be told any more, nothing can be cancelled.
        for future in () if workers.has_ended() else running:
            future.cancel()


def _is_lost(future: Future[Any], workers: Crew) -> bool:
    if future.cancelled():
        return True
    error = future.exception()
    return error is not None and workers.is_lost(error)


def _result_of(future: Future[Any], workers: Crew) -> Sequence[Result]:
    error = future.exception()
    if error is not None and workers.lacks_kupa(error):
        raise WorkError("workers_without_kupa") from error
    results: Sequence[Result] = future.result()
    return results


def _take_back(running: dict[Future[Any], Portion], workers: Crew) -> list[Portion]:
    """Get workers anew, and return the portions that went down with the others."""
    if not workers.renew():
        return []
    # What nobody waits for any more cannot be counted twice, even if a worker still finishes it.
    gone = [future for future in running if not future.done() or _is_lost(future, workers)]
    return [running.pop(future) for future in gone]


def _write_down(
    portion: Portion, results: Sequence[Result], journal: Journal, tell: Callable[[int], None]
) -> None:
    for name, result in zip(portion.names, results, strict=True):
        journal.add(name, result)
    tell(len(results))
