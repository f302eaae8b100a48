"""A refusal: the value that an engine answers with when it will not do what was asked.

Nothing is raised across the core: bad input is an expected answer. The ``code`` is stable for ever and public
(``docs/codes.md`` lists all); the sentence for people comes from the catalogues, in either language.
"""

from __future__ import annotations

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """Why a request was refused.

    The sentence is the catalogue entry ``refusal.<code>`` or, where a code has several reasons,
    ``refusal.<code>.<reason>``, with ``params`` filled in.
    """

    code: str
    """A stable name in snake_case."""
    reason: str = ""
    """Which of the sentences of this code fits; empty where there is one only."""
    field: str = ""
    """The field of a rulebook that is at fault, with the code ``bad_rules``."""
    params: dict[str, str | int] = {}
    """What the sentence names."""

    @property
    def message_key(self) -> str:
        """The key of the sentence in the catalogues."""
        return f"refusal.{self.code}.{self.reason}" if self.reason else f"refusal.{self.code}"
