"""Reading a command line, and telling what is wrong with it: what every command of ``kupa`` shares.

An error has a stable code; its sentence is in the catalogues (``cli.error.<code>``), in either language.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from kupa.catalogue import refusal_text, text
from kupa.keys import shown
from kupa.refusal import Refusal

_LARGEST_FILE: Final = 32 * 2**20
"""How much of a file is read at most, in bytes: more than any record may have."""


class CommandError(Exception):
    """What was asked cannot be done; carries a stable code and what its sentence names."""

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    def sentence(self, language: str) -> str:
        """Return the sentence that tells a person."""
        return text(language, f"cli.error.{self.code}", **self.params)


class RefusedError(CommandError):
    """An engine refused what was asked."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal

    def sentence(self, language: str) -> str:
        """Return the refusal's own sentence."""
        return refusal_text(language, self.refusal)


class BadArgumentsError(CommandError):
    """The command line itself is wrong.

    Args:
        reason: ``number``, ``missing``, ``no_value`` or ``unknown``: which sentence tells it.
        command: whose page of help to look at.
        flag: the flag at fault, if it is one.
        given: what was written in its place.
    """

    def __init__(self, reason: str, command: str, *, flag: str = "", given: str = "") -> None:
        super().__init__("bad_arguments", command=command, flag=flag, given=shown(" ".join(given.split())))
        self.reason = reason

    def sentence(self, language: str) -> str:
        """Return the sentence of the reason."""
        return text(language, f"cli.error.bad_arguments.{self.reason}", **self.params)


class Parser(argparse.ArgumentParser):
    """Parses one command; help and errors are told by the catalogues, since argparse knows English only."""

    def __init__(self, command: str) -> None:
        super().__init__(prog=f"kupa {command}", add_help=False, allow_abbrev=False, exit_on_error=False)
        self.command = command
        self.add_argument("-h", "--help", action="store_true")

    def add_number(self, flag: str, default: int | None = None) -> None:
        """Add a flag that takes a whole number."""

        def whole_number(typed: str) -> int:
            try:
                return int(typed)
            except ValueError:
                raise BadArgumentsError("number", self.command, flag=flag, given=typed) from None

        self.add_argument(flag, type=whole_number, default=default)

    def read(self, arguments: list[str]) -> argparse.Namespace:
        """Return what a command line gives.

        Raises:
            BadArgumentsError: it gives something that the command does not take, or too little.
        """
        try:
            given, unknown = self.parse_known_args(arguments)
        except argparse.ArgumentError as error:
            flag = error.argument_name or ""
            flagged = [action for action in self._actions if "/".join(action.option_strings) == flag]
            takes_none = any(action.nargs == 0 for action in flagged)
            raise BadArgumentsError(
                "no_value" if takes_none else "missing", self.command, flag=flag
            ) from error
        if unknown:
            raise BadArgumentsError("unknown", self.command, given=unknown[0])
        return given


def content_of(name: str) -> str:
    """Return the text of a file, ``-`` for standard input."""
    try:
        if name == "-":
            raw = sys.stdin.buffer.read(_LARGEST_FILE)
        else:
            with Path(name).open("rb") as file:
                raw = file.read(_LARGEST_FILE)
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError("not_text", file=name) from error
    except (OSError, ValueError) as error:  # a name with a null byte is a ValueError
        raise CommandError("unreadable", file=name) from error
