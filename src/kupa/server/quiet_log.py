"""The log of the process: little, on standard error, and without secrets.

The text of an exception may name a card or hold what somebody sent; so an exception is logged by its kind and
by the places in our source that it came through, never by its text. What goes wrong again and again is logged
once a minute.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from types import TracebackType
from typing import Any, Final, TextIO

LOG = logging.getLogger(__name__)

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class QuietFormatter(logging.Formatter):
    """Writes time, level, logger and message, and of an exception its kind and places."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatException(self, ei: ExceptionInfo) -> str:  # noqa: N802 (the name is logging's)
        """Return the kind of an exception and where it came through."""
        kind, _, places = ei
        return f"{kind.__name__ if kind else 'no exception'}\n{''.join(traceback.format_tb(places))}".rstrip()


class OnceAMinute(logging.Filter):
    """Leaves out what was logged less than a minute ago, and counts it.

    A server without file descriptors, or with a full disk, would otherwise fill the log as well.
    """

    EVERY: Final = 60.0
    """Seconds between two lines that say the same."""
    MOST: Final = 256
    """How many lines are remembered."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[tuple[str, str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a line is to be written; says at the end of it how many like it were not."""
        key = (record.name, record.getMessage(), _origin(record.exc_info))
        at, left_out = self._said.get(key, (float("-inf"), 0))
        if 0 <= record.created - at < self.EVERY:
            self._said[key] = (at, left_out + 1)
            return False
        if left_out:
            record.msg, record.args = f"{key[1]} (and {left_out} more like this)", None
        self._said.pop(key, None)
        self._said[key] = (record.created, 0)
        if len(self._said) > self.MOST:
            del self._said[next(iter(self._said))]
        return True


def _origin(info: Any) -> str:
    """Return the kind of an exception and the place that it comes from."""
    if not info or info[0] is None:
        return ""
    places = traceback.extract_tb(info[2])
    return f"{info[0].__name__} {places[-1].filename}:{places[-1].lineno}" if places else info[0].__name__


def set_up_logging(stream: TextIO) -> None:
    """Send warnings and errors of the whole process to a stream."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(QuietFormatter())
    handler.addFilter(OnceAMinute())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


def log_stray_error(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error that nobody waited for; to be set as the event loop's exception handler.

    The loop's own handler would write the error's text and the arguments of what was called.
    """
    error = context.get("exception")
    LOG.error("a stray error", exc_info=error if isinstance(error, BaseException) else None)
