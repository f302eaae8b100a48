"""`kupa reports`: whoever runs a server reads what people have reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kupa.cli import main
from kupa.server.reports import report_message
from kupa.server.sqlite_store import SqliteStore
from tests.server.in_company import InCompany


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUPA_LANG", "en")


def test_a_reported_message_is_read_with_who_wrote_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message, its author and its reporter; also as JSON; and none where nobody has complained."""
    path = tmp_path / "kupa.sqlite3"
    with InCompany("AB", SqliteStore(path)) as company:
        a, b = company.gather()
        assert main(["reports", "--database", str(path)]) == 0
        assert capsys.readouterr().out == "Nobody has reported a message.\n"
        a.ask({"type": "say", "text": "a rude word"})
        number = b.until("said")["message"]["id"]
        people = company.client.app.state.people
        assert company.call(report_message, people, company.room, b.person.id, number) is None
        assert main(["reports", "--database", str(path)]) == 0
        line = capsys.readouterr().out
        assert line.endswith(f"table {company.room}, A wrote (reported by B): a rude word\n")
        assert main(["reports", "--database", str(path), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["text"], told["name"], told["reporter"]) == ("a rude word", "A", "B")


def test_what_cannot_be_read_is_told_with_its_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is not there, and one that is no database."""
    (tmp_path / "text").write_text("no database", encoding="utf-8")
    for name, code in (("nowhere", "unreadable"), ("text", "database_damaged")):
        assert main(["reports", "--database", str(tmp_path / name)]) == 2
        assert capsys.readouterr().err.startswith(f"kupa: {code}: ")
    assert not (tmp_path / "nowhere").exists()
