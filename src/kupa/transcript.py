"""What the transcripts of all games share: numbered lines, and the error that names one."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """A line of a record that means something."""

    number: int
    """Counted from 1, in the whole text."""
    text: str


class TranscriptError(ValueError):
    """A line cannot be read, or cannot have happened where it stands.

    ``reason`` is that of the refusal ``bad_record``.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason
