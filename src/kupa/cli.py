"""The command ``kupa``: reads the command line, then imports what the command needs, and only that.

Every page of help and every sentence is in the catalogues (``locale/*/cli.po``); the language is that of
``KUPA_LANG``, else of the environment, else English. What goes wrong is told in one line, ``kupa: code:
sentence``, and the exit status is 2; nothing has been changed then.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from kupa import __version__
from kupa.catalogue import text
from kupa.command_line import CommandError, Parser, RefusedError, content_of
from kupa.refusal import Refusal

INTERRUPTED: Final = 130


def language_of(environment: dict[str, str]) -> str:
    """Return the language of a terminal: ``tr`` or ``en``."""
    for name in ("KUPA_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = environment.get(name, "")
        if value:
            return "tr" if value.startswith("tr") else "en"
    return "en"


# ---------------------------------------------------------------- what can be asked


def _add_serve(parser: Parser) -> None:
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_number("--port", 5252)
    parser.add_argument("--database", type=Path)
    parser.add_argument("--operator", default="")


def _serve(given: argparse.Namespace, language: str) -> int:
    if not 0 <= given.port <= 65535:
        raise CommandError("bad_port", port=given.port)
    from kupa.server.serve import run

    return run(
        given.host, given.port, given.database, language=language, operator=given.operator, compiles=True
    )


def _add_nothing(parser: Parser) -> None:
    """Leave a parser as it is: the command has no flags."""


def _referee(given: argparse.Namespace, language: str) -> int:  # noqa: ARG001 - every command is called so
    from kupa.referee.loop import main as referee

    return referee(sys.stdin.buffer, sys.stdout.buffer)


def _add_rules(parser: Parser) -> None:
    parser.add_argument("name", nargs="?")
    parser.add_number("--players")
    parser.add_argument("--json", action="store_true")


def _rules(given: argparse.Namespace, language: str) -> int:
    from kupa.hearts.presets import PRESETS, chosen_rulebook

    if given.name is None:
        for name in PRESETS:
            print(f"{name:<14}{text(language, f'rules.{name}')}")
        return 0
    rulebook = chosen_rulebook(given.name, given.players)
    if isinstance(rulebook, Refusal):
        raise RefusedError(rulebook)
    import msgspec

    if given.json:
        print(msgspec.json.encode(rulebook).decode())
    else:
        for field, value in msgspec.to_builtins(rulebook).items():
            print(f"{field:<18}{msgspec.json.encode(value).decode()}")
    return 0


def _add_deal(parser: Parser) -> None:
    parser.add_argument("code", nargs="?")
    parser.add_argument("--rules", default="cardems")
    parser.add_number("--players")
    parser.add_argument("--seed")
    parser.add_number("--round", 0)


def _deal(given: argparse.Namespace, language: str) -> int:
    of_hearts = (given.rules, given.players, given.round) != ("cardems", None, 0)
    if (given.code is None) == (given.seed is None) or (given.code is not None and of_hearts):
        raise CommandError("code_or_seed")
    if given.round < 0:
        raise CommandError("bad_round", round=given.round)
    lines = _heart_deal(given.code) if given.seed is None else _hearts_deal(given, language)
    print("\n".join(lines))
    return 0


def _heart_deal(typed: str) -> list[str]:
    from kupa.heart_to_heart.codes import deck_of, read_code

    code = read_code(typed)
    if isinstance(code, Refusal):
        raise RefusedError(code)
    deck = iter(deck_of(code))
    rows = (4, 6, 5, 4, 3, 2, 1)
    heart = [" ".join(next(deck) for _ in range(length)).center(11).rstrip() for length in rows]
    heart[0] = f"  {'   '.join([heart[0].strip()[:3], heart[0].strip()[4:]])}"
    return [code, *heart, " ".join(deck)]


def _hearts_deal(given: argparse.Namespace, language: str) -> list[str]:
    from kupa.hearts.commands import StartMatch
    from kupa.hearts.engine import decide
    from kupa.hearts.events import RoundDealt
    from kupa.hearts.presets import chosen_rulebook

    rulebook = chosen_rulebook(given.rules, given.players)
    if isinstance(rulebook, Refusal):
        raise RefusedError(rulebook)
    events = decide(None, StartMatch(rulebook=rulebook, seed=given.seed, round=given.round))
    if isinstance(events, Refusal):
        raise RefusedError(events)
    dealt = next(event for event in events if isinstance(event, RoundDealt))
    lines = [f"{seat}: {' '.join(hand)}" for seat, hand in enumerate(dealt.hands)]
    if dealt.kitty:
        lines.append(f"{text(language, 'cli.kitty')}: {' '.join(dealt.kitty)}")
    return lines


def _add_record(parser: Parser) -> None:
    parser.add_argument("file", nargs="?")


def _record(given: argparse.Namespace, language: str) -> int:
    from kupa.record import read_record, verified

    if given.file is None:
        raise CommandError("no_file")
    record = read_record(content_of(given.file))
    if isinstance(record, Refusal):
        raise RefusedError(record)
    refusal = verified(record)
    if refusal is not None:
        raise RefusedError(refusal)
    print(text(language, "cli.record_holds", game=record.game, n=len(record.events)))
    return 0


def _add_verify(parser: Parser) -> None:
    parser.add_argument("names", nargs="*")
    parser.add_argument("--database", type=Path)
    parser.add_argument("--json", action="store_true")


def _verify(given: argparse.Namespace, language: str) -> int:
    if given.database is None and not given.names:
        raise CommandError("no_file")
    from kupa import verify_command

    tell = verify_command.Telling(language, as_json=given.json)
    if given.database is not None:
        verify_command.verify_database(given.database, given.names, tell)
    for name in given.names if given.database is None else ():
        try:
            content = content_of(name)
        except CommandError as error:
            tell.unread(name, error.code, error.sentence(language))
        else:
            verify_command.verify_text(name, content, tell)
    return tell.status


def _add_reports(parser: Parser) -> None:
    parser.add_argument("--database", type=Path)
    parser.add_argument("--json", action="store_true")


def _reports(given: argparse.Namespace, language: str) -> int:
    from kupa import reports_command

    return reports_command.tell(given.database, language, as_json=given.json)


def _add_lab(parser: Parser) -> None:
    parser.add_argument("arguments", nargs=argparse.REMAINDER)


def _lab(given: argparse.Namespace, language: str) -> int:
    if not given.arguments:
        return _help(["lab"], language)
    try:
        from kupa.lab.commands import run
    except ImportError as error:
        raise CommandError("missing_extra", extra="lab") from error
    return run(given.arguments, language)


def _add_arena(parser: Parser) -> None:
    for flag in ("--seats", "--dask", "--json", "--plot"):
        parser.add_argument(flag)
    parser.add_argument("--rules", default="cardems")
    parser.add_number("--players")
    parser.add_argument("--set", action="append", default=[])
    parser.add_number("--deals")
    parser.add_number("--matches")
    parser.add_number("--time-ms", 100)
    parser.add_number("--grace-ms", 1000)
    parser.add_number("--start-ms", 60_000)
    parser.add_argument("--seed", default="arena")
    parser.add_number("--jobs", 1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--quiet", action="store_true")


def _arena(given: argparse.Namespace, language: str) -> int:
    from kupa.arena.command import run

    return run(given, language)


def _add_bot(parser: Parser) -> None:
    parser.add_argument("level", nargs="?")
    parser.add_number("--time-ms")
    parser.add_argument("--seed")


def _bot(given: argparse.Namespace, language: str) -> int:
    from kupa.programs.command import run

    return run(given, language)


_Add = Callable[[Parser], None]
_Run = Callable[[argparse.Namespace, str], int]

COMMANDS: Final[dict[str, tuple[_Add, _Run]]] = {
    "serve": (_add_serve, _serve),
    "referee": (_add_nothing, _referee),
    "rules": (_add_rules, _rules),
    "deal": (_add_deal, _deal),
    "record": (_add_record, _record),
    "verify": (_add_verify, _verify),
    "reports": (_add_reports, _reports),
    "lab": (_add_lab, _lab),
    "arena": (_add_arena, _arena),
    "bot": (_add_bot, _bot),
}
"""Every command: what it reads, and what it does. Its page of help is ``cli.help.<command>``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks; returns the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    language = language_of(dict(os.environ))
    _open_what_is_closed()
    try:
        status = _run(given, language)
        sys.stdout.flush()
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            _leave_the_output()
            return 0
        _leave_the_output()
        print(f"kupa: cannot_write: {text(language, 'cli.error.cannot_write')}", file=sys.stderr)
        return 2
    except CommandError as error:
        print(f"kupa: {error.code}: {error.sentence(language)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _open_what_is_closed() -> None:
    """Give a process whose streams were closed (`kupa rules >&-`) empty ones, and let any text be written."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - lives as we do
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _leave_the_output() -> None:
    """Write no more: whoever read us has gone (`kupa rules | head -1`), or the disk is full."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - lives as long as we do


def _run(given: list[str], language: str) -> int:
    name = given[0] if given else "--help"
    if name in {"-h", "--help", "help"}:
        return _help(given[1:], language)
    if name in {"-V", "--version"}:
        print(f"kupa {__version__}")
        return 0
    if name not in COMMANDS:
        raise CommandError("unknown_command", command=name, known=", ".join(COMMANDS))
    add, run = COMMANDS[name]
    parser = Parser(name)
    add(parser)
    options = parser.read(given[1:])
    return _help([name], language) if options.help else run(options, language)


def _help(topics: Sequence[str], language: str) -> int:
    """Print a page of help: of one command, or of the whole."""
    topic = topics[0] if topics and not topics[0].startswith("-") else "kupa"
    if topic != "kupa" and topic not in COMMANDS:
        raise CommandError("unknown_command", command=topic, known=", ".join(COMMANDS))
    print(text(language, f"cli.help.{topic}", version=__version__).strip("\n"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
