"""``kupa bot``: what is asked is read and checked, then a level answers a host."""

from __future__ import annotations

import argparse
import secrets

from kupa.bots.levels import LEVELS, LONGEST_TIME_MS, chosen_level
from kupa.command_line import CommandError, RefusedError
from kupa.programs.bot import LevelBot, main
from kupa.refusal import Refusal
from kupa.shuffle import is_seed_text


def run(given: argparse.Namespace, language: str) -> int:  # noqa: ARG001 - every command is called so
    """Answer a host over standard input and output; returns the exit status.

    Raises:
        CommandError: the command line asks for something that there is not.
    """
    if given.level is None:
        raise CommandError("no_level", known=", ".join(LEVELS))
    chosen = chosen_level(given.level)
    if isinstance(chosen, Refusal):
        raise RefusedError(chosen)
    if given.time_ms is not None and not 1 <= given.time_ms <= LONGEST_TIME_MS:
        raise CommandError(
            "out_of_range", flag="--time-ms", least=1, most=LONGEST_TIME_MS, given=given.time_ms
        )
    seed = secrets.token_hex(16) if given.seed is None else given.seed
    if not is_seed_text(seed):
        raise RefusedError(Refusal("bad_seed"))
    time_ms = chosen.time_ms if chosen.time_ms is not None else given.time_ms
    return main(LevelBot(f"Kupa {given.level}", chosen, seed, time_ms))
