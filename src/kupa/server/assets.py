"""The files of ``web/static``: read once, served from memory.

Every file has two addresses. ``/static/css/base.css`` is always the newest and is asked for again each time
(a short answer if nothing has changed). ``/static/v-<digest>/css/base.css``, which :meth:`Assets.url` gives,
is kept by browsers for good: the digest is of all files together, so that a module's relative imports lead to
files of the same version.
"""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from mimetypes import guess_type
from typing import Any, Final

import msgspec
from litestar import HttpMethod, Request, Response, route
from litestar.params import FromPath

from kupa.server.errors import Problem

SHORTEST_GZIP: Final = 500
"""Files below this are sent as they are, in bytes."""
FOR_GOOD: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"

_TYPES: Final = {
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".css": "text/css",
}
"""Types that not every system knows, or names otherwise."""


class Asset(msgspec.Struct, frozen=True):
    """One file."""

    content: bytes
    gzipped: bytes | None
    """The content made smaller, or None if that is no use."""
    media_type: str
    etag: str


class Assets:
    """All files of a folder.

    Args:
        folder: the folder; one that does not exist holds nothing.
    """

    def __init__(self, folder: Traversable) -> None:
        self._files = {name: _asset(name, content) for name, content in _read(folder, "")}
        digest = hashlib.sha256()
        for name in sorted(self._files):
            digest.update(f"{name}\0{self._files[name].etag}\0".encode())
        self.version = f"v-{digest.hexdigest()[:12]}"

    def url(self, name: str) -> str:
        """Return the lasting address of a file, named from the folder: ``css/base.css``."""
        return f"/static/{self.version}/{name}"

    def find(self, path: str) -> tuple[Asset, bool] | None:
        """Return what is at a path behind ``/static/``, and whether it stays the same for good.

        A file of another version is answered with today's, not for good: a page that was open during an
        update goes on.
        """
        name = path
        if path.startswith("v-"):
            version, _, name = path.partition("/")
        asset = self._files.get(name)
        return None if asset is None else (asset, name != path and version == self.version)


def _read(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    if not folder.is_dir():
        return []
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _read(entry, f"{prefix}{entry.name}/")
        else:
            found.append((prefix + entry.name, entry.read_bytes()))
    return found


def _asset(name: str, content: bytes) -> Asset:
    ending = name[name.rfind(".") :]
    media_type = _TYPES.get(ending) or guess_type(name)[0] or "application/octet-stream"
    smaller = gzip.compress(content, mtime=0) if len(content) >= SHORTEST_GZIP else content
    return Asset(
        content=content,
        gzipped=smaller if len(smaller) < len(content) else None,
        media_type=media_type,
        etag=f'"{hashlib.sha256(content).hexdigest()[:32]}"',
    )


@cache
def assets() -> Assets:
    """Return the files of ``web/static`` as they were when first asked for."""
    return Assets(resources.files("kupa").joinpath("web", "static"))


@route("/static/{path:path}", http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False)
async def static_file(request: Request[Any, Any, Any], path: FromPath[str]) -> Response[bytes]:
    """Answer with a file."""
    found = assets().find(path.lstrip("/"))
    if found is None:
        raise Problem(404, "not_found")
    asset, for_good = found
    headers = {
        "etag": asset.etag,
        "cache-control": FOR_GOOD if for_good else ASK_AGAIN,
        "vary": "accept-encoding",
    }
    if asset.etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers, media_type=asset.media_type)
    if asset.gzipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(
            asset.gzipped, headers={**headers, "content-encoding": "gzip"}, media_type=asset.media_type
        )
    return Response(asset.content, headers=headers, media_type=asset.media_type)
