"""What a bot can be charged with: why the host chose in its place. Codes that never change their meaning."""

from __future__ import annotations

from typing import Final

NO_START: Final = "no_start"
"""The program could not be started, or did not say that it is ready in time."""
NONSENSE: Final = "nonsense"
"""What it said is no JSON object, or no answer to the question."""
ILLEGAL: Final = "illegal"
"""It wanted what the rules do not allow."""
TOO_LATE: Final = "too_late"
"""It did not answer in time."""
ENDED: Final = "ended"
"""The program has ended, has closed its output, or was killed as it hung."""
CRASHED: Final = "crashed"
"""One of Kupa's own levels raised an error."""

CODES: Final = (NO_START, NONSENSE, ILLEGAL, TOO_LATE, ENDED, CRASHED)


_SHOWN: Final = 120
"""How many characters of what a bot said are shown."""


def said(raw: bytes) -> str:
    """Return what a program said so that it can be shown: its beginning, and nothing that moves a cursor."""
    told = raw[: 4 * _SHOWN].decode("utf-8", "replace").strip()
    told = "".join(sign if sign.isprintable() else " " for sign in told)
    return told if len(told) <= _SHOWN else told[:_SHOWN] + "…"


class FaultError(Exception):
    """A bot did not make a decision of its own.

    Args:
        code: one of :data:`CODES`.
        detail: what a person who looks for the reason wants to see: what the bot said, the code of a refusal,
            the system's own words. In no language of ours; may be empty.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
