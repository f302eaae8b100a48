"""The application: what answers where, and what holds for every answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

from litestar import Litestar, Request, Response, Router
from litestar.config.compression import CompressionConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import Message, Scope

import kupa
from kupa.game import Game
from kupa.server import (
    accounts,
    api,
    fair_pages,
    played_pages,
    privacy,
    records,
    room_pages,
    seat_links,
    sockets,
)
from kupa.server import pages as own_pages
from kupa.server.assets import static_file
from kupa.server.bots import PLAYERS, PlayerMaker
from kupa.server.errors import Problem, answer
from kupa.server.headers import add_headers
from kupa.server.origins import OwnPagesOnly
from kupa.server.people import People
from kupa.server.retention import keep_to_it
from kupa.server.rooms import RoomHost
from kupa.server.store import Store
from kupa.server.tables import Tables

SCHEMA_PATH: Final = "/api/openapi.json"
"""Where the schema of the API is."""
LARGEST_BODY: Final = 64 * 1024
"""How large the body of a request may be, in bytes."""


def only_the_schema(connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
    """Refuse all that Litestar would serve beside the schema: pages whose scripts come from elsewhere."""
    if connection.url.path != SCHEMA_PATH:
        raise Problem(404, "not_found")


async def drop_body(message: Message, scope: Scope) -> None:
    """Take the body off the answer to a request for the head alone."""
    if (
        message["type"] == "http.response.body"
        and scope["type"] == ScopeType.HTTP
        and scope["method"] == "HEAD"
    ):
        message["body"] = b""


class Pages(Protocol):
    """What the module of the pages offers."""

    def route_handlers(self) -> Sequence[HTTPRouteHandler]:
        """Return the handlers of all pages."""
        ...

    def render_error(self, request: Request[Any, Any, Any], status: int, code: str) -> Response[Any]:
        """Return the page that tells of an error."""
        ...


def create_app(
    store: Store,
    games: Mapping[str, Game] | None = None,
    bots: Mapping[str, PlayerMaker] = PLAYERS,
    pages: Pages | None = None,
    operator: str = "",
) -> Litestar:
    """Return the application over a store, which is opened and closed with it.

    Handlers find the log as ``request.app.state.store``, the live matches as ``….tables``, the live
    rooms as ``….rooms``, and who is who as ``….people``.

    Args:
        store: the log of all matches.
        games: the games by name; all of Kupa if left out.
        bots: the bots by level.
        pages: what is served beside the API; the pages of Kupa if left out.
        operator: who runs the server, as the page on privacy names them.
    """
    shown = own_pages if pages is None else pages
    tables = Tables(store, games, bots)

    @asynccontextmanager
    async def tables_run(app: Litestar) -> AsyncIterator[None]:
        async with tables.running():
            app.state.people = await People.opened(store)
            app.state.people.watch(tables.people_changed)
            app.state.rooms = RoomHost(store, app.state.people, tables)
            keeper = asyncio.create_task(keep_to_it(app.state.people), name="keep nothing for too long")
            try:
                async with app.state.rooms.running():
                    yield
            finally:
                keeper.cancel()
                await asyncio.wait({keeper})

    handlers = [*shown.route_handlers(), *records.route_handlers()]
    handlers += [*fair_pages.route_handlers(), *accounts.route_handlers(), *privacy.route_handlers()]
    handlers += [*played_pages.route_handlers()]
    handlers += [*room_pages.route_handlers(), *seat_links.route_handlers()]
    page_routes = Router("/", route_handlers=handlers, include_in_schema=False)
    return Litestar(
        route_handlers=[api.API, sockets.live, sockets.live_room, static_file, page_routes],
        lifespan=[tables_run],
        state=State(
            {"store": store, "tables": tables, "error_page": shown.render_error, "operator": operator}
        ),
        middleware=[OwnPagesOnly()],
        before_send=[add_headers, drop_body],
        exception_handlers={HTTPException: answer, Exception: answer},
        compression_config=CompressionConfig(
            "gzip", minimum_size=1_000, gzip_compress_level=6, exclude="^/static/"
        ),
        request_max_body_size=LARGEST_BODY,
        openapi_config=_schema(),
        logging_config=None,
        debug=False,
    )


def _schema() -> OpenAPIConfig:
    router = Router("/api", route_handlers=[], include_in_schema=False, guards=[only_the_schema])
    return OpenAPIConfig(
        title="Kupa",
        version=kupa.__version__,
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        openapi_router=router,
        use_handler_docstrings=True,
    )
