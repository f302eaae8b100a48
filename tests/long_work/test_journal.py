"""A journal keeps what is finished, and nothing twice."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kupa.catalogue import LANGUAGES
from kupa.long_work.faults import WorkError
from kupa.long_work.journal import Journal

WORK: dict[str, Any] = {"kind": "test", "seed": "a"}


def refused(path: Path, work: dict[str, Any] = WORK) -> str:
    """Open a journal that cannot be opened; return the code, whose sentence is there in both languages."""
    with pytest.raises(WorkError) as caught:
        Journal(path, work)
    assert all(str(path) in caught.value.sentence(language) for language in LANGUAGES)
    return caught.value.code


def test_what_was_added_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    """In a folder that is made for it."""
    path = tmp_path / "new" / "journal.jsonl"
    with Journal(path, WORK) as journal:
        journal.add("1", {"points": 3})
    with Journal(path, WORK) as journal:
        assert journal.results == {"1": {"points": 3}}
        with pytest.raises(ValueError, match="portion 1"):
            journal.add("1", {"points": 4})
    assert len(path.read_bytes().splitlines()) == 2


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_line_that_was_cut_off_does_not_count(tmp_path: Path, cut: int) -> None:
    """The portion is worked out again, and the journal is whole after that."""
    path = tmp_path / "journal"
    with Journal(path, WORK) as journal:
        journal.add("1", {"n": 1})
        journal.add("2", {"n": 2})
    path.write_bytes(path.read_bytes()[:-cut])
    with Journal(path, WORK) as journal:
        assert journal.results == {"1": {"n": 1}}
        journal.add("2", {"n": 22})
    with Journal(path, WORK) as journal:
        assert journal.results == {"1": {"n": 1}, "2": {"n": 22}}


WHOLE = 137
"""Bytes of the journal that is cut off."""


@given(st.integers(0, WHOLE))
def test_a_journal_cut_off_anywhere_is_made_whole(left: int) -> None:
    """After a crash at any byte, the first line included, every portion counts that was there whole."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "journal")
        with Journal(path, WORK) as journal:
            for name in "12345":
                journal.add(name, {"n": int(name)})
        whole = path.read_bytes()
        assert len(whole) == WHOLE
        path.write_bytes(whole[:left])
        lines = whole[:left].count(b"\n")
        with Journal(path, WORK) as journal:
            kept = list(journal.results)
            assert len(kept) == max(0, lines - 1)
            for name in "12345"[len(kept) :]:
                journal.add(name, {"n": int(name)})
        assert path.read_bytes() == whole


def test_a_journal_that_nobody_keeps_is_written_nowhere() -> None:
    """Not every system can force /dev/null to the disk."""
    with Journal(Path("/dev/null"), WORK) as journal:
        journal.add("1", {"n": 1})
        assert journal.results == {"1": {"n": 1}}


def test_a_journal_of_other_work_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, WORK) as journal:
        journal.add("1", {})
    before = path.read_bytes()
    assert refused(path, {"kind": "test", "seed": "b"}) == "journal_of_other_work"
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [
        b"a letter to somebody",
        b"a letter\n",
        b"[1]\n",
        b'{"kind":"test","seed":"a"}\n{"n":1}\n',
        b'{"kind":"test","seed":"a"}\n{"portion":"1"}\n{"portion":"1"}\n',
        b'{"kind":"test","seed":"a"}\n\n',
        b"[" * 100_000 + b"\n",
    ],
)
def test_what_is_no_journal_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal"
    path.write_bytes(content)
    assert refused(path) == "journal_unreadable"
    assert path.read_bytes() == content


def test_work_may_be_told_with_tuples(tmp_path: Path) -> None:
    """Which are lists when the journal is read again."""
    for _ in range(2):
        with Journal(tmp_path / "journal", {"seats": ("a", "b")}):
            pass


def test_two_runs_cannot_write_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, WORK):
        assert refused(path) == "journal_in_use"
    with Journal(path, WORK):
        pass


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    assert refused(tmp_path) == "journal_unwritable"
    assert refused(Path("/dev/null/journal")) == "journal_unwritable"


def test_without_a_file_it_keeps_results_in_memory() -> None:
    with Journal(None, WORK) as journal:
        journal.add("1", {"n": 1})
        assert journal.results == {"1": {"n": 1}}
