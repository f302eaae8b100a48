"""A journal counts every portion once, whatever happens to the process that writes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kupa.lab.faults import LabError
from kupa.lab.journal import Journal
from kupa.lab.portions import Portion, crew, work_through

WORK = {"kupa": "test", "seed": 1}


def squared(number: int) -> dict[str, int]:
    """Be the work of a portion."""
    return {"square": number * number}


def portions(number: int) -> list[Portion]:
    return [Portion(f"p {n}", (n,)) for n in range(number)]


def total(path: Path, number: int, jobs: int = 1) -> tuple[int, int]:
    """Work a journal up to so many portions; return the sum and how many were worked out now."""
    told: list[None] = []
    with Journal(path, WORK) as journal, crew(jobs, None) as workers:
        work_through(portions(number), squared, workers, journal, lambda: told.append(None))
        return sum(result["square"] for result in journal.results.values()), len(told)


def test_work_goes_on_where_it_was(tmp_path: Path) -> None:
    """A second run works out only what is missing, and a larger one only what is new."""
    path = tmp_path / "folder" / "journal"
    assert total(path, 4) == (14, 4)
    assert total(path, 4) == (14, 0)
    assert total(path, 6) == (55, 2)
    assert len(path.read_text().splitlines()) == 7


@given(st.integers(1, 1000))
def test_a_journal_cut_off_anywhere_loses_no_more_than_a_line(cut: int) -> None:
    """After a crash at any byte, the same total comes out."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "journal")
        total(path, 8)
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) - cut % len(whole)])
        assert total(path, 8)[0] == 140
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        assert sorted(line["portion"] for line in lines[1:]) == [f"p {n}" for n in range(8)]


def test_several_processes_come_to_the_same(tmp_path: Path) -> None:
    """Two processes of this computer write the same portions, each once."""
    assert total(tmp_path / "one", 12) == total(tmp_path / "two", 12, jobs=2)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"no journal\n", "journal_unreadable"),
        (b"[]\n", "journal_unreadable"),
        (b"no journal, and no end", "journal_unreadable"),
        (b'{"kupa":"test","seed":2}\n', "journal_of_other_work"),
        (b'{"kupa":"test","seed":1}\n{"square":1}\n', "journal_unreadable"),
        (b'{"kupa":"test","seed":1}\n{"portion":"a"}\n{"portion":"a"}\n', "journal_unreadable"),
    ],
)
def test_what_is_no_journal_of_this_work_is_refused_and_left_alone(
    tmp_path: Path, content: bytes, code: str
) -> None:
    """Other files, other seeds, and portions that stand there twice."""
    path = tmp_path / "journal"
    path.write_bytes(content)
    with pytest.raises(LabError) as caught:
        Journal(path, WORK)
    assert caught.value.code == code
    assert path.read_bytes() == content


def test_only_one_run_writes_a_journal(tmp_path: Path) -> None:
    """A second one is told, and nothing is counted twice; nor is a portion added again."""
    with Journal(tmp_path / "journal", WORK) as journal:
        with pytest.raises(LabError) as caught:
            Journal(tmp_path / "journal", WORK)
        assert caught.value.code == "journal_in_use"
        journal.add("p", {})
        with pytest.raises(ValueError, match="there already"):
            journal.add("p", {})


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    """A file where the folder should be."""
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError) as caught:
        Journal(tmp_path / "file" / "journal", WORK)
    assert caught.value.code == "journal_unwritable"
