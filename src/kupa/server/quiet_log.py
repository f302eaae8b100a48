"""The log of the process: little, on standard error, and without secrets.

The text of an exception may name a card or hold what somebody sent; so an exception is logged by its kind and
by the places in our source that it came through, never by its text.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from types import TracebackType
from typing import Any, TextIO

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


def set_up_logging(stream: TextIO) -> None:
    """Send warnings and errors of the whole process to a stream."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(QuietFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


def log_stray_error(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error that nobody waited for; to be set as the event loop's exception handler.

    The loop's own handler would write the error's text and the arguments of what was called.
    """
    error = context.get("exception")
    LOG.error("a stray error", exc_info=error if isinstance(error, BaseException) else None)
