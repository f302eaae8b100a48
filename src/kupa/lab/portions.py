"""Long work in portions, over processes of this computer or a Dask cluster: one interface for both.

A portion is a name and the arguments of a function; its result depends on nothing else, so that it may be
worked out anywhere, and again if whoever had it is gone.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, Final, NamedTuple

from kupa.lab.faults import LabError
from kupa.lab.journal import Journal, Result

_AHEAD: Final = 3
"""How many portions each worker has waiting, so that none is idle."""
_MOST_JOBS: Final = 512


class Portion(NamedTuple):
    """A piece of work."""

    name: str
    arguments: tuple[Any, ...]


class _HereAndNow(Executor):
    """Works out what it is given at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Work a call out; return what it came to."""
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


class Crew(NamedTuple):
    """Who works."""

    executor: Executor
    size: int
    """How many portions are worked on at a time."""


@contextlib.contextmanager
def crew(jobs: int, dask: str | None) -> Iterator[Crew]:
    """Get workers together.

    Args:
        jobs: how many processes of this computer; 1 is this process itself.
        dask: the address of a Dask scheduler, whose workers are taken instead.

    Raises:
        LabError: ``bad_jobs``, ``missing_extra`` or ``no_scheduler``.
    """
    if not 1 <= jobs <= _MOST_JOBS:
        raise LabError("bad_jobs", jobs=jobs, most=_MOST_JOBS)
    if dask is not None:
        with _dask_crew(dask) as found:
            yield found
    elif jobs == 1:
        yield Crew(_HereAndNow(), 1)
    else:
        # Forking a process whose kernels run in threads is not safe.
        context = multiprocessing.get_context("spawn")
        # A key that interrupts reaches every process of a terminal; this one tells the others.
        ignoring = (signal.SIGINT, signal.SIG_IGN)
        with ProcessPoolExecutor(
            jobs, mp_context=context, initializer=signal.signal, initargs=ignoring
        ) as pool:
            try:
                yield Crew(pool, jobs)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


@contextlib.contextmanager
def _dask_crew(address: str) -> Iterator[Crew]:
    try:
        import distributed
    except ImportError as error:
        raise LabError("missing_extra", extra="lab") from error
    try:
        # Its functions have no types.
        cluster: Any = distributed
        client = cluster.Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise LabError("no_scheduler", address=address) from error
    with client:
        workers = sum(client.nthreads().values())
        yield Crew(client.get_executor(pure=False), max(1, workers))


def work_through(
    portions: Iterable[Portion],
    work: Callable[..., Result],
    workers: Crew,
    journal: Journal,
    tell: Callable[[], None],
) -> None:
    """Work out the portions that a journal does not hold yet, and write each down as it comes.

    Args:
        portions: all that the journal shall hold in the end.
        work: what to do; importable by name, so that other processes find it.
        workers: who does it.
        journal: takes the results.
        tell: is called after each was written down.

    Raises:
        LabError: ``workers_lost`` or ``workers_without_kupa``; what has been written down stays.
    """
    todo = iter([portion for portion in portions if portion.name not in journal.results])
    running: dict[Future[Any], str] = {}

    def start(number: int) -> None:
        for portion in islice(todo, number):
            running[workers.executor.submit(work, *portion.arguments)] = portion.name

    try:
        start(1 if workers.size == 1 else _AHEAD * workers.size)
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                name = running.pop(future)
                result = _result_of(future)
                journal.add(name, result)
                tell()
            start(len(done))
    finally:
        for future in running:
            future.cancel()


def _result_of(future: Future[Any]) -> Result:
    try:
        result: Result = future.result()
    except (BrokenProcessPool, CancelledError) as error:
        raise LabError("workers_lost") from error
    except ImportError as error:
        raise LabError("workers_without_kupa") from error
    except Exception as error:
        # Dask is not imported for those who do not use it.
        if type(error).__module__.partition(".")[0] == "distributed":
            raise LabError("workers_lost") from error
        raise
    return result
