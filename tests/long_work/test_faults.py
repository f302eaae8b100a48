"""Every fault of long work can be told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kupa.catalogue import LANGUAGES, messages
from kupa.long_work import faults


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_has_a_sentence_and_no_sentence_is_of_none(language: str) -> None:
    """The codes that the sources raise, and no other, are in the catalogues."""
    raised = {
        code
        for path in Path(faults.__file__).parent.glob("*.py")
        for code in re.findall(r'WorkError\(\s*"(\w+)"', path.read_text(encoding="utf-8"))
    }
    keys = {key for key in messages(language) if key.startswith("work.error.")}
    assert keys == {f"work.error.{code}" for code in raised}
