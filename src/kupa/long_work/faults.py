"""What can go wrong with long work; its sentences are ``work.error.<code>`` (``locale/*/work.po``)."""

from __future__ import annotations

from kupa.catalogue import text
from kupa.command_line import CommandError


class WorkError(CommandError):
    """Long work cannot begin, or cannot go on."""

    def sentence(self, language: str) -> str:
        """Return the sentence that tells a person."""
        return text(language, f"work.error.{self.code}", **self.params)
