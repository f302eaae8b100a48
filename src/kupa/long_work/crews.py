"""Who does long work: this process, processes of this computer, or a Dask cluster. One interface for all.

A portion is a function of its arguments and of nothing else. It may therefore be worked out anywhere, and
again if whoever had it is gone: a worker that is killed costs time, and no portion.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final, Protocol

from kupa.command_line import CommandError
from kupa.long_work.faults import WorkError

MOST_JOBS: Final = 512
_NOT_READ: Final = "Error during deserialization of the task graph"
"""What Dask says if its scheduler cannot import what it is given; there is no type for it."""
_TERMINATE_AFTER: Final = 2.0
"""Seconds that workers get to end by themselves when the work is broken off."""


class Crew(Protocol):
    """Workers that can be given portions."""

    size: int
    """How many portions are worked on at a time."""

    def submit(self, work: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Have a portion worked out: ``work(*arguments)``, importable by name and picklable."""
        ...

    def is_lost(self, error: BaseException) -> bool:
        """Tell whether an error of a future means that its worker is gone, not that the work went wrong."""
        ...

    def lacks_kupa(self, error: BaseException) -> bool:
        """Tell whether an error of a future means that its worker does not have the Kupa that is here."""
        ...

    def has_ended(self) -> bool:
        """Tell whether nothing will come of anything any more, although no future says so."""
        ...

    def renew(self) -> bool:
        """Get workers anew in place of those that are gone.

        Returns:
            Whether all that was submitted and is not finished has to be submitted again.
        """
        ...


class _Here:
    """Works out what it is given at once, in this process."""

    size = 1

    def submit(self, work: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(work(*arguments))
        except Exception as error:
            done.set_exception(error)
        return done

    def is_lost(self, error: BaseException) -> bool:  # noqa: ARG002 - what is here is not lost
        return False

    def lacks_kupa(self, error: BaseException) -> bool:  # noqa: ARG002 - it is this Kupa
        return False

    def has_ended(self) -> bool:
        return False

    def renew(self) -> bool:
        return False


def _end_with_parent() -> None:
    """End as if terminated once the process that hands out the work is gone, whatever ended it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _prepare(begin: Callable[[], None] | None) -> None:
    """Begin as a worker: the keyboard interrupts the process that hands out the work, not the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if begin is not None:
        begin()
    threading.Thread(target=_end_with_parent, daemon=True).start()


class _Processes:
    """Processes of this computer."""

    def __init__(self, jobs: int, begin: Callable[[], None] | None) -> None:
        self.size = jobs
        self._begin = begin
        self._others = set(multiprocessing.active_children())
        self._pool = self._new()

    def _new(self) -> ProcessPoolExecutor:
        # Forking a process that may run threads is not safe.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(
            self.size, mp_context=context, initializer=_prepare, initargs=(self._begin,)
        )

    def submit(self, work: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        try:
            return self._pool.submit(work, *arguments)
        except BrokenProcessPool as error:
            lost: Future[Any] = Future()
            lost.set_exception(error)
            return lost

    def is_lost(self, error: BaseException) -> bool:
        return isinstance(error, BrokenProcessPool)

    def lacks_kupa(self, error: BaseException) -> bool:  # noqa: ARG002 - it is this Kupa
        return False

    def has_ended(self) -> bool:
        return False

    def renew(self) -> bool:
        # One worker gone, and the pool takes the others down with it.
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._new()
        return True

    def close(self, *, at_once: bool) -> None:
        """Let the workers go; if need be at once, in the middle of their work."""
        if at_once:
            self._pool.shutdown(wait=False, cancel_futures=True)
            workers = [child for child in multiprocessing.active_children() if child not in self._others]
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.join(_TERMINATE_AFTER)
                if worker.is_alive():
                    worker.kill()
        self._pool.shutdown()


class _Cluster:
    """The workers of a Dask cluster."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor: Executor = client.get_executor(pure=False)
        self.size = max(1, sum(client.nthreads().values()))

    def submit(self, work: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        try:
            return self._executor.submit(work, *arguments)
        except Exception as error:  # what a client raises that is closed has no type of its own
            if self.has_ended():
                raise WorkError("workers_lost") from error
            raise

    def is_lost(self, error: BaseException) -> bool:
        # The scheduler gives a portion to another worker by itself; it gives up when that is of no use.
        return type(error).__module__.partition(".")[0] == "distributed"

    def lacks_kupa(self, error: BaseException) -> bool:
        return isinstance(error, ImportError) or str(error).startswith(_NOT_READ)

    def has_ended(self) -> bool:
        # It tries to find the scheduler again first.
        status: str = self._client.status
        return status in ("closing", "closed")

    def renew(self) -> bool:
        return False


@contextlib.contextmanager
def crew(jobs: int, dask: str | None = None, begin: Callable[[], None] | None = None) -> Iterator[Crew]:
    """Get workers together.

    Args:
        jobs: how many processes of this computer; 1 is this process itself.
        dask: the address of a Dask scheduler, whose workers are taken instead.
        begin: what each process of this computer does first; importable by name.

    Raises:
        WorkError: ``bad_jobs`` or ``no_scheduler``.
        CommandError: ``missing_extra``.
    """
    if not 1 <= jobs <= MOST_JOBS:
        raise WorkError("bad_jobs", jobs=jobs, most=MOST_JOBS)
    if dask is not None:
        with _cluster(dask) as found:
            yield found
    elif jobs == 1:
        yield _Here()
    else:
        processes = _Processes(jobs, begin)
        try:
            yield processes
        except BaseException:
            processes.close(at_once=True)
            raise
        processes.close(at_once=False)


@contextlib.contextmanager
def _cluster(address: str) -> Iterator[Crew]:
    try:
        import distributed
    except ImportError as error:
        raise CommandError("missing_extra", extra="dask") from error
    # A worker that is gone is no news for whoever waits; what there is to tell, Kupa tells in their language.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    if not address.strip():  # Dask would make a cluster of its own
        raise WorkError("no_scheduler", address=address)
    try:
        # Its functions have no types.
        dask: Any = distributed
        client = dask.Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise WorkError("no_scheduler", address=address) from error
    with client:
        yield _Cluster(client)
