"""Every error that a client can be answered with: a status, a stable code, and a sentence in its language.

Under ``/api`` an error is ``{"error": {"code", "message"}}``; anywhere else it is a page. What goes wrong on
our side is logged by its kind and place alone, since the text of an exception may name cards.
"""

from __future__ import annotations

import logging
import traceback
from typing import Any, Final

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException

from kupa import catalogue
from kupa.refusal import Refusal
from kupa.server.language import language_of
from kupa.server.store import StoreError, UnreadableMatchError

LOG = logging.getLogger(__name__)

CODES: Final = {
    400: "bad_request",
    403: "foreign_origin",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    500: "internal_error",
    503: "store_failed",
}
"""The code that goes with a status where nothing more precise is known."""


class ErrorDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """What went wrong."""

    code: str
    """A stable name in snake_case."""
    message: str
    """A sentence in the language of the request."""
    field: str = ""
    """The field of a rulebook that is at fault, with the code ``bad_rules``."""


class ErrorBody(msgspec.Struct, frozen=True):
    """The shape of every error under ``/api``."""

    error: ErrorDetail


class Problem(Exception):  # noqa: N818 (it is an answer like any other)
    """An error answer that a handler decides on.

    Args:
        status: the HTTP status.
        code: a stable name in snake_case.
        reason: which of the sentences of this code fits; empty where there is one only.
        params: what the sentence names.
    """

    def __init__(self, status: int, code: str, reason: str = "", **params: str | int) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.reason = reason
        self.params = params
        self.field = ""

    def message(self, language: str) -> str:
        """Return the sentence: ``server.error.<code>``, or ``server.error.<code>.<reason>``."""
        key = f"{self.code}.{self.reason}" if self.reason else self.code
        return catalogue.text(language, f"server.error.{key}", **self.params)


class Refused(Problem):
    """The answer to what a game has refused, with the game's own code and sentence."""

    def __init__(self, refusal: Refusal, status: int) -> None:
        super().__init__(400 if refusal.code == "bad_request" else status, refusal.code)
        self.refusal = refusal
        self.field = refusal.field

    def message(self, language: str) -> str:
        """Return the game's sentence."""
        return catalogue.refusal_text(language, self.refusal)


def problem_of(error: Exception) -> Problem:
    """Return how an exception is answered."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, StoreError):
        return Problem(503, "store_failed")
    if isinstance(error, UnreadableMatchError):
        return Problem(500, "match_unreadable")
    if isinstance(error, RecursionError):
        return Problem(400, "bad_request")  # a body nested deeper than any reader goes
    if isinstance(error, HTTPException):
        key = _key_at_fault(error)
        if error.status_code == 400 and key:
            return Problem(400, "bad_request", "key", key=key)
        status = error.status_code
        return Problem(status, CODES.get(status, "bad_request" if status < 500 else "internal_error"))
    return Problem(500, "internal_error")


def _key_at_fault(error: HTTPException) -> str:
    """Return the key of a body that does not fit, as far as the reader of the body tells."""
    for entry in error.extra if isinstance(error.extra, list) else []:
        # "data" is the whole body: there is no key to name then.
        if isinstance(entry, dict) and entry.get("key", "data") != "data":
            return str(entry["key"])[:40]
    return ""


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Answer a request that ended in an exception."""
    problem = problem_of(error)
    if problem.status >= 500:
        note(error)
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    if request.url.path == "/api" or request.url.path.startswith("/api/"):
        body = ErrorBody(ErrorDetail(problem.code, problem.message(language_of(request)), problem.field))
        return Response(body, status_code=problem.status, headers=headers, media_type=MediaType.JSON)
    return _page(request, problem)


def _page(request: Request[Any, Any, Any], problem: Problem) -> Response[Any]:
    """Return an error as a page; as a line of text if the page itself fails."""
    try:
        page: Response[Any] = request.app.state.error_page(request, problem.status, problem.code)
    except Exception as error:  # an error page must never be the cause of another
        note(error)
    else:
        return page
    text = problem.message(language_of(request))
    return Response(text, status_code=problem.status, media_type=MediaType.TEXT)


def note(error: BaseException) -> None:
    """Log an error of our own: its kind and where it happened, and its text only if that is a code."""
    text = f": {error}" if isinstance(error, StoreError | UnreadableMatchError) else ""
    LOG.error("%s%s\n%s", type(error).__name__, text, "".join(traceback.format_tb(error.__traceback__)))
