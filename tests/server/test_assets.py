"""Files of the pages: found, kept by browsers as long as they are the same, and nothing else given out."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from kupa.server.app import create_app
from kupa.server.assets import Assets, assets
from kupa.server.memory_store import MemoryStore

Client = TestClient[Litestar]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with TestClient(create_app(MemoryStore())) as made:
        yield made


def test_a_file_has_a_lasting_address_and_one_that_is_asked_again(client: Client) -> None:
    """The address with the version may be kept for good, the plain one is asked for again; both work."""
    lasting = client.get(assets().url("css/base.css"))
    plain = client.get("/static/css/base.css")
    assert lasting.content == plain.content
    assert lasting.headers["content-type"] == "text/css; charset=utf-8"
    assert "immutable" in lasting.headers["cache-control"]
    assert plain.headers["cache-control"] == "no-cache"


def test_an_unchanged_file_is_not_sent_again(client: Client) -> None:
    """Who has the file gets a short answer; who has another one gets the file."""
    tag = client.get("/static/favicon.svg").headers["etag"]
    short = client.get("/static/favicon.svg", headers={"if-none-match": tag})
    assert (short.status_code, short.content) == (304, b"")
    assert client.get("/static/favicon.svg", headers={"if-none-match": '"x"'}).status_code == 200


def test_the_head_of_a_file_is_told_without_the_file(client: Client) -> None:
    """Checkers of links and caches ask so."""
    for path in ("/static/css/base.css", "/help/klasik"):
        whole, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"] == whole.headers["content-type"]


def test_a_page_that_was_open_during_an_update_still_gets_its_files(client: Client) -> None:
    """An address of another version is answered with today's file, which may not be kept for good."""
    old = client.get("/static/v-000000000000/css/base.css")
    assert old.status_code == 200
    assert old.headers["cache-control"] == "no-cache"


def test_large_files_come_compressed(client: Client) -> None:
    """The drawings are sent in gzip to who takes it, else as they are."""
    small = client.get("/static/cards.svg")
    assert small.headers["content-encoding"] == "gzip"
    assert int(small.headers["content-length"]) < len(small.content) / 5
    plain = client.get("/static/cards.svg", headers={"accept-encoding": "identity"})
    assert plain.content == small.content
    assert "content-encoding" not in plain.headers


@pytest.mark.parametrize(
    "path",
    [
        "/static/",
        "/static/nothing.css",
        "/static/css",
        "/static/../templates/base.html",
        "/static/..%2ftemplates%2fbase.html",
        "/static/%2e%2e/templates/base.html",
        "/static//etc/passwd",
        "/static/v-1",
        "/static/v-1/",
        "/static/css/base.css%00",
    ],
)
def test_nothing_but_the_files_is_given_out(client: Client, path: str) -> None:
    """Addresses that lead nowhere, or out of the folder, are not found."""
    assert client.get(path).status_code == 404


def test_the_version_changes_with_any_file(tmp_path: Path) -> None:
    """One digest is of all files together, by name and content; a folder that is not there holds nothing."""
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "a.js").write_text("1")
    first = Assets(tmp_path)
    assert Assets(tmp_path).version == first.version
    (tmp_path / "js" / "a.js").write_text("2")
    second = Assets(tmp_path)
    (tmp_path / "js" / "a.js").rename(tmp_path / "js" / "b.js")
    third = Assets(tmp_path)
    assert len({first.version, second.version, third.version}) == 3
    assert third.url("js/b.js") == f"/static/{third.version}/js/b.js"
    assert Assets(tmp_path / "nothing").find("js/b.js") is None


def test_compressed_content_is_the_content(tmp_path: Path) -> None:
    """What is kept in gzip is the file; a file that would not get smaller is not kept twice."""
    (tmp_path / "long.css").write_text("a { color: red }\n" * 100)
    (tmp_path / "short.css").write_text("a {}")
    made = Assets(tmp_path)
    long, short = made.find("long.css"), made.find("short.css")
    assert long is not None
    assert short is not None
    assert long[0].gzipped is not None
    assert gzip.decompress(long[0].gzipped) == long[0].content
    assert short[0].gzipped is None
