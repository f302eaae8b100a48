"""Writing pages: the Jinja environment, and what every template can use.

Templates lie in ``web/templates``. They escape everything, and a name that is not there is an error, not an
empty place. Each gets:

    t(key, **params)      a sentence of the reader's language, from the catalogues
    messages(*prefixes)   those sentences as JSON, for the page's scripts
    lang, settings        the language, and the reader's settings
    static(name)          the address of a file of ``web/static``
    sprite                the address of the deck's drawings, with the index letters that are set
"""

from __future__ import annotations

from functools import cache, partial
from importlib import resources
from typing import Any, Final

import jinja2
import msgspec
from litestar import Request, Response
from litestar.enums import MediaType
from markupsafe import Markup

from kupa import catalogue
from kupa.server.assets import assets
from kupa.server.language import language_of
from kupa.server.settings import Settings, settings_of_cookies

SPRITES: Final = {"international": "cards.svg", "turkish": "cards-tr.svg"}
"""The drawings of the deck by the letters of its indices."""


def static(name: str) -> str:
    """Return the lasting address of a file of ``web/static``, named from there: ``css/base.css``."""
    return assets().url(name)


def as_json(value: Any) -> Markup:
    """Write a value as JSON that may stand inside a ``<script>`` element."""
    text = msgspec.json.encode(value).decode()
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 (no tag can begin where there is no "<")


@cache
def message_json(language: str, *prefixes: str) -> Markup:
    """Return the messages whose keys begin with one of the prefixes: key to sentence, or to plural forms."""
    found = catalogue.messages(language)
    return as_json({key: text for key, text in sorted(found.items()) if key.startswith(prefixes)})


@cache
def environment() -> jinja2.Environment:
    """Return the environment that all pages are written with."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(str(resources.files("kupa").joinpath("web", "templates"))),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(static=static)
    made.filters["json"] = as_json
    return made


def page_text(template: str, language: str, settings: Settings, **context: Any) -> str:
    """Write a page.

    Args:
        template: the name of a file of ``web/templates``.
        language: ``"tr"`` or ``"en"``.
        settings: how the reader has set the pages.
        context: what else the template names.
    """
    return (
        environment()
        .get_template(template)
        .render(
            t=partial(catalogue.text, language),
            messages=partial(message_json, language),
            lang=language,
            settings=settings,
            sprite=static(SPRITES[settings.index]),
            **context,
        )
    )


def render(
    request: Request[Any, Any, Any], template: str, *, status: int = 200, **context: Any
) -> Response[str]:
    """Answer a request with a page in its language and with its settings."""
    text = page_text(template, language_of(request), settings_of_cookies(request.cookies), **context)
    return Response(text, status_code=status, media_type=MediaType.HTML)
