"""The commands ``kupa lab …``: what each reads, and which part of the laboratory does it.

Pages of help are ``lab.help.<command>``, sentences of errors ``lab.error.<code>`` (``locale/*/lab.po``); the
faults of long work tell themselves (:mod:`kupa.long_work.faults`).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Final

from kupa.catalogue import text
from kupa.command_line import CommandError, Parser
from kupa.lab import long_runs, single_deals
from kupa.lab.faults import LabError

Add = Callable[[Parser], None]
Run = Callable[[argparse.Namespace, str], int]

COMMANDS: Final[dict[str, tuple[Add, Run]]] = {
    "solve": (single_deals.add_solve, single_deals.run_solve),
    "deal": (single_deals.add_deal, single_deals.run_deal),
    "find": (single_deals.add_find, single_deals.run_find),
    "play": (single_deals.add_play, single_deals.run_play),
    "survey": (long_runs.add_survey, long_runs.run_survey),
    "census": (long_runs.add_census, long_runs.run_census),
}
"""Every command of the laboratory: what it reads, and what it does."""


class LabCommandError(CommandError):
    """A fault of the laboratory, for the command line."""

    def sentence(self, language: str) -> str:
        """Return the sentence of the fault."""
        return text(language, f"lab.error.{self.code}", **self.params)


def run(arguments: Sequence[str], language: str) -> int:
    """Do what a command line asks of the laboratory; returns the exit status.

    Raises:
        CommandError: it cannot be done.
    """
    name = arguments[0]
    if name not in COMMANDS:
        raise LabCommandError("unknown_lab_command", command=name, known=", ".join(COMMANDS))
    add, do = COMMANDS[name]
    parser = Parser(f"lab {name}")
    add(parser)
    given = parser.read(list(arguments[1:]))
    if given.help:
        single_deals.write(text(language, f"lab.help.{name}").strip("\n"))
        return 0
    try:
        return do(given, language)
    except LabError as error:
        raise LabCommandError(error.code, **error.params) from error
