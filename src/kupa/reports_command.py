"""What ``kupa reports`` does: shows whoever runs a server the messages that somebody has reported."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from kupa.catalogue import text
from kupa.server.serve import default_database
from kupa.server.store import StoreError
from kupa.server.stored_logs import StoredReport, stored_logs

NOT_READ: Final = 2
"""What the command ends with when the database cannot be read."""


def tell(database: Path | None, language: str, *, as_json: bool) -> int:
    """Write a line for each reported message, the oldest first; returns the exit status.

    Args:
        database: the file; the person's own if left out.
        language: ``"tr"`` or ``"en"``.
        as_json: whether each line is a JSON object.
    """
    try:
        path = default_database() if database is None else database
        with stored_logs(path) as logs:
            reports = logs.reports()
    except FileNotFoundError:
        return _unread("unreadable", text(language, "cli.error.unreadable", file=str(database or path)))
    except StoreError as error:
        return _unread(error.code, text(language, f"server.error.{error.code}", path=error.path))
    for report in reports:
        line = msgspec.json.encode(report._asdict()).decode() if as_json else line_of(report, language)
        sys.stdout.write(line + "\n")
    if not reports and not as_json:
        sys.stdout.write(text(language, "reports.none") + "\n")
    return 0


def line_of(report: StoredReport, language: str) -> str:
    """Return one reported message as a line."""
    at = datetime.fromtimestamp(report.at / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    nobody = text(language, "reports.nobody")
    return text(
        language,
        "reports.line",
        at=at,
        room=report.room,
        name=report.name or report.person or nobody,
        reporter=report.reporter or nobody,
        text=report.text,
    )


def _unread(code: str, sentence: str) -> int:
    sys.stderr.write(f"kupa: {code}: {sentence}\n")
    return NOT_READ
