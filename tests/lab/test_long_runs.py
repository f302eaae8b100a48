"""Surveys and the census as long work: what is done is read again, whoever did it, and counted once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kupa.cli import INTERRUPTED, main
from kupa.lab import census, survey
from kupa.lab.long_runs import JOURNAL

PUBLISHED = Path(__file__).parents[2] / "docs" / "heart" / "census.jsonl"


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUPA_LANG", "en")


def test_the_published_journal_is_read_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its shards are summed up without working one out again, and not a byte of it changes."""
    journal = tmp_path / JOURNAL
    journal.write_bytes(PUBLISHED.read_bytes())
    assert main(["lab", "census", "--out", str(tmp_path), "--shards", "AA..AZ", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["asked"] == found["all"]
    assert found["all"] == {"shards": 26, "codes": 26**6, "winnable": 88_362_189, "stuck": 30_017_812}
    assert journal.read_bytes() == PUBLISHED.read_bytes()


def test_a_census_goes_on_after_an_interruption(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was done stays, and only the rest is worked out; small shards in place of real ones."""
    monkeypatch.setattr(census, "SHARD", 2000)
    count, counted = census.count_shard, list[str]()

    def interrupted(name: str) -> census.Shard:
        if name == "AC" and "AC" not in counted:
            counted.append(name)
            raise KeyboardInterrupt
        counted.append(name)
        return count(name)

    monkeypatch.setattr(census, "count_shard", interrupted)
    asked = ["lab", "census", "--out", str(tmp_path), "--shards", "AA..AD", "--quiet", "--json"]
    assert main(asked) == INTERRUPTED
    assert len((tmp_path / JOURNAL).read_bytes().splitlines()) == 3
    assert main(asked) == 0
    assert counted == ["AA", "AB", "AC", "AC", "AD"]
    found = json.loads(capsys.readouterr().out)["all"]
    assert (found["shards"], found["codes"]) == (4, 8000)


@pytest.mark.parametrize(
    ("asked", "work"),
    [
        (["survey", "--seed", "2", "--deals", "0", "--codes", "0"], survey.work_of(1)),
        (["survey", "--deals", "0", "--codes", "0"], census.WORK),
        (["census", "--shards", "AA"], survey.work_of(1)),
        (["census", "--check", "AA"], {**census.WORK, "edition": 0}),
    ],
)
def test_a_journal_of_other_work_is_refused_and_left_alone(
    asked: list[str], work: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another seed, another edition of codes, a survey for a census."""
    before = json.dumps(work, separators=(",", ":")) + "\n"
    (tmp_path / JOURNAL).write_text(before)
    assert main(["lab", *asked, "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("kupa: journal_of_other_work: ")
    assert (tmp_path / JOURNAL).read_text() == before
