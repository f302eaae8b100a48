"""Matches leave the server as texts, and come in as texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from kupa.record import Record, read_record, verified, write_record
from kupa.server.app import create_app
from kupa.server.memory_store import MemoryStore

RECORDS = Path(__file__).parents[1] / "records"
Client = TestClient[Litestar]


@pytest.fixture
def client() -> Iterator[Client]:
    with TestClient(create_app(MemoryStore())) as made:
        yield made


def text_of(name: str) -> str:
    return (RECORDS / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDS.glob("*.txt")))
def test_a_record_taken_in_is_told_again_to_the_letter(client: Client, name: str) -> None:
    """In and out again, a whole match stays the same text."""
    made = client.post("/api/records", content=text_of(name).encode())
    assert made.status_code == 201, made.text
    told = client.get(f"{made.json()['url']}/record")
    assert told.status_code == 200
    assert told.headers["content-type"].startswith("text/plain")
    assert told.text == text_of(name)


def test_a_match_of_hearts_is_not_told_before_it_is_over(client: Client) -> None:
    """Its record would hold every hand."""
    match = client.post("/api/matches", json={"game": "hearts", "rules": "klasik", "seed": "kupa"}).json()
    answer = client.get(f"{match['url']}/record", headers={"accept-language": "en"})
    assert answer.status_code == 409
    assert "5C" not in answer.text


def test_an_unfinished_record_goes_on_where_it_ends(client: Client) -> None:
    """A match cut off in its second round is taken in, and waits for the person or has the bots act."""
    record = read_record(text_of("hearts-cardems-4"))
    assert isinstance(record, Record)
    for length in range(80, 120):
        part = Record("hearts", record.events[:length])
        if verified(part) is None:
            break
    made = client.post("/api/records", content=write_record(part).encode()).json()
    seen = client.get(f"/api/matches/{made['id']}").json()
    assert seen["seq"] >= length
    assert seen["view"]["round"] == part.state().round
    assert client.get(made["url"]).status_code == 200


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 422, "bad_record"),
        (b"\xff", 400, "bad_request"),
        (text_of("hearts-klasik-4").replace("takes 0", "takes 1", 1).encode(), 422, "bad_record"),
        (b"x" * 500_000, 422, "bad_record"),
        (b"x" * 600_000, 413, "too_large"),
    ],
)
def test_what_is_no_record_is_refused(client: Client, body: bytes, status: int, code: str) -> None:
    """Bytes that are no text, a text that is no record, a record that does not hold, and one too long."""
    answer = client.post("/api/records", content=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
