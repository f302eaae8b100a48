"""The part of the form of a new table that makes it one for several people."""

from __future__ import annotations

from typing import Any, Final

from kupa.catalogue import text
from kupa.game import Json
from kupa.games import registry
from kupa.hearts.presets import PRESETS
from kupa.keys import bad_request
from kupa.refusal import Refusal
from kupa.rooms.state import Settings
from kupa.server.starts import with_chance
from kupa.server.table_form import Form

PEOPLE: Final = "people"
"""The value of the field ``company`` for a table with open seats; anything else means bots alone."""
THINKS: Final = (15, 30, 60, 120)
"""Seconds that a decision may take, as the form offers them; without one it takes any time."""
LISTED: Final = "yes"
"""The value of the field ``listed`` for a table that everybody may see."""


def is_for_people(form: Form) -> bool:
    """Tell whether a form asks for a table with open seats."""
    return form.get("company") == PEOPLE


def settings_of(form: Form, options: Json) -> Settings | Refusal:
    """Return the settings of the room that a form asks for, or why there can be no such table.

    Args:
        form: what was chosen.
        options: the options of the match, as :func:`kupa.server.table_form.options_of` reads them.
    """
    rules = {name: value for name, value in options.items() if name != "bots"}
    refusal = registry()["hearts"].read_start(with_chance("hearts", rules))
    if isinstance(refusal, Refusal):
        return refusal
    think = form.get("think", "")
    if think and think not in {str(seconds) for seconds in THINKS}:
        return bad_request("bad_think", least=THINKS[0], most=THINKS[-1])
    name = str(rules["rules"])
    return Settings(
        rules=name,
        players=rules.get("players", PRESETS[name].default_players),
        set=rules["set"],
        end_early=rules.get("end_early", False),
        think=int(think) if think else None,
        listed=form.get("listed") == LISTED,
        watch="watch" in form,
        hints="hints" in form,
    )


def company_context(language: str, form: Form, name: str | None) -> dict[str, Any]:
    """Return what the template of the form names besides, for a table of several people.

    Args:
        language: the reader's.
        form: what was chosen so far.
        name: what the person is called, None for one who has not said so.
    """
    is_sent = "company" in form and "rules" in form
    return {
        "company": PEOPLE if is_for_people(form) else "bots",
        "thinks": [
            ("", text(language, "new.think.off")),
            *((str(seconds), str(seconds)) for seconds in THINKS),
        ],
        # Switches that are off are not sent, so before the form is sent they stand as at first.
        "is_watched": "watch" in form or not is_sent,
        "has_hints": "hints" in form,
        "has_name": name is not None,
    }
