"""The log tells what went wrong and where, and never what an exception says."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Iterator

import pytest

from kupa.server.quiet_log import OnceAMinute, log_stray_error, set_up_logging
from tests.server.playing import in_a_loop

SECRET = "the queen lies in seat 2"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    # Taken off first, so that setting up anew does not close what the test runner listens with.
    for handler in handlers:
        root.removeHandler(handler)
    made = io.StringIO()
    set_up_logging(made)
    yield made
    root.handlers[:] = handlers
    root.setLevel(level)


def fails() -> None:
    raise KeyError(SECRET)


def test_an_exception_is_logged_by_kind_and_place(stream: io.StringIO) -> None:
    """The kind, the function and the line of our source; not the text, also not of the cause."""
    try:
        try:
            fails()
        except KeyError as error:
            raise ValueError(SECRET) from error
    except ValueError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
    said = stream.getvalue()
    assert "Exception in ASGI application" in said
    assert "ValueError" in said
    assert "test_quiet_log.py" in said
    assert SECRET not in said


@in_a_loop
async def test_an_error_that_nobody_waited_for_is_logged_as_quietly(stream: io.StringIO) -> None:
    """A task that fails alone, and a callback that does."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(log_stray_error)
    loop.call_soon(fails)

    async def fail() -> None:
        raise KeyError(SECRET)

    task = asyncio.create_task(fail())
    await asyncio.wait({task})
    del task
    said = stream.getvalue()
    assert said.count("a stray error\nKeyError\n") == 2
    assert SECRET not in said


def test_only_warnings_and_errors_are_logged(stream: io.StringIO) -> None:
    """What goes well is not worth a line."""
    logging.getLogger("uvicorn.error").info('"WebSocket /m/secret-id/live" [accepted]')
    assert stream.getvalue() == ""


def test_what_goes_wrong_again_and_again_is_logged_once_a_minute(stream: io.StringIO) -> None:
    """The same line is left out for a minute, then told with the number of those left out; others are not."""
    limit = OnceAMinute()

    def logged(at: float, message: str) -> str | None:
        record = logging.LogRecord("asyncio", logging.ERROR, __file__, 1, message, None, None)
        record.created = at
        return record.getMessage() if limit.filter(record) else None

    assert logged(0, "no descriptors") == "no descriptors"
    assert [logged(second, "no descriptors") for second in range(1, 60)] == [None] * 59
    assert logged(30, "another") == "another"
    assert logged(61, "no descriptors") == "no descriptors (and 59 more like this)"
    assert logged(122, "no descriptors") == "no descriptors"
    for number in range(10_000):
        assert logged(200, f"line {number}") == f"line {number}"
    assert len(limit._said) == OnceAMinute.MOST

    for _ in range(100):
        try:
            fails()
        except KeyError:
            logging.getLogger("kupa").exception("it failed")
    assert stream.getvalue().count("it failed") == 1
