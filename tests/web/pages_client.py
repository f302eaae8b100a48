"""A client for the pages, and a reader for what they answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from typing import Any

from litestar.testing import TestClient

from kupa.server.app import create_app
from kupa.server.memory_store import MemoryStore


@contextmanager
def pages_client() -> Iterator[TestClient[Any]]:
    with TestClient(create_app(MemoryStore()), base_url="http://kupa.test") as client:
        client.headers["sec-fetch-site"] = "same-origin"
        yield client


class Page(HTMLParser):
    """What a page says: its elements, its visible text, and the text of every element with an id."""

    VOID = frozenset({"meta", "link", "input", "br", "use", "path"})

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.open: list[tuple[str, dict[str, str]]] = []
        self.labelled: set[str] = set()
        """The names of fields that stand inside a label."""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.elements.append((tag, given))
        if any(name == "label" for name, _ in self.open):
            self.labelled.add(given.get("id") or given.get("name", ""))
        if tag not in self.VOID:
            self.open.append((tag, given))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag in self.VOID:
            return
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1][0] == tag, f"</{tag}> closes <{self.open[-1][0]}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if not any(name == "script" for name, _ in self.open):
            self.words.append(data)

    @property
    def text(self) -> str:
        """The visible text, its spaces made single."""
        return " ".join("".join(self.words).split())

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def spoken(self) -> list[str]:
        """Texts that are read out or shown beside the visible text."""
        names = ("aria-label", "placeholder", "title", "alt")
        return [given[name] for _, given in self.elements for name in names if given.get(name)]
