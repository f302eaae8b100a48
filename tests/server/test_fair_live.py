"""A match of several people, played over sockets and stored in a file: everybody finds its deal fair."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kupa.cli import main
from kupa.record import Record, read_record
from kupa.server.sqlite_store import SqliteStore
from kupa.verification import KEPT, check_record
from tests.server.in_company import InCompany
from tests.web.pages_client import Page


def test_a_match_that_was_played_is_fair_by_its_page_its_record_and_its_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In play it is sealed, by page and by database; when it is over everything agrees, names and all."""
    monkeypatch.setenv("KUPA_LANG", "en")
    path = tmp_path / "kupa.sqlite3"

    def verdicts() -> dict[str, str]:
        assert main(["verify", "--database", str(path), "--json"]) == 0
        lines = map(json.loads, capsys.readouterr().out.splitlines())
        return {line["name"]: f"{line['kind']} {line['verdict']}" for line in lines}

    with InCompany("AB", SqliteStore(path), set={"target": 20}) as company:
        company.client.headers.update({"accept-language": "en", **company.people[1].headers})
        seats = company.start()
        address = f"/m/{company.match}"
        assert "The deal is sealed." in Page(company.client.get(f"{address}/fair").text).text
        assert company.client.get(f"{address}/record").status_code == 409
        assert verdicts() == {company.match: "fair sealed"}
        for _ in range(2_000):
            if not any(seat.act() for seat in seats) and seats[0].fresh_view()["phase"] == "over":
                break
        while company.call(company.rooms.open, company.room).room.phase != "over":
            seats[0].fresh_view()
        shown = Page(company.client.get(f"{address}/fair").text).text
        assert "Every card was dealt as it had been sealed before the match." in shown
        assert f"A {'00' * 16} B {'01' * 16}" in shown
        assert shown.count("a bot: nothing") == 2
        record = read_record(company.client.get(f"{address}/record").text)
        assert verdicts() == {company.match: "fair kept"}
    assert isinstance(record, Record)
    assert record.fair is not None
    assert record.fair.contributions == ("00" * 16, "01" * 16, "", "")
    assert check_record(record).verdict == KEPT
