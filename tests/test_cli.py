"""The command kupa: its help, its answers, and bad input."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kupa import __version__
from kupa.catalogue import LANGUAGES, messages, text
from kupa.cli import COMMANDS, language_of, main
from kupa.command_line import Parser

RECORD = Path(__file__).parent / "records" / "hearts-parlour-5.txt"


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUPA_LANG", "en")


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The first page lists all there is."""
    assert main([]) == main(["--help"]) == main(["help"]) == 0
    out = capsys.readouterr().out
    assert all(f"kupa {command}" in out for command in COMMANDS)
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_names_exactly_its_flags(
    command: str, language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No flag is undocumented, and none is documented that does not exist."""
    monkeypatch.setenv("KUPA_LANG", language)
    assert main([command, "--help"]) == 0
    told = capsys.readouterr().out
    parser = Parser(command)
    COMMANDS[command][0](parser)
    flags = {flag for action in parser._actions for flag in action.option_strings}
    assert set(re.findall(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*", told)) - {"--help"} == flags - {"-h", "--help"}
    assert max(map(len, told.splitlines())) <= 80
    assert isinstance(parser, argparse.ArgumentParser)


def test_help_of_a_command_can_be_asked_either_way(capsys: pytest.CaptureFixture[str]) -> None:
    """`kupa help deal` and `kupa deal -h` are one page."""
    main(["help", "deal"])
    first = capsys.readouterr().out
    main(["deal", "-h"])
    assert capsys.readouterr().out == first


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """The version is the package's."""
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"kupa {__version__}\n"


def test_rules_lists_the_rulebooks_and_tells_one_field_by_field(capsys: pytest.CaptureFixture[str]) -> None:
    """As a table, and as JSON that the referee would take."""
    main(["rules"])
    assert len(capsys.readouterr().out.splitlines()) == 6
    main(["rules", "parlour", "--players", "5"])
    assert 'removed           ["2C","2D"]' in capsys.readouterr().out
    main(["rules", "parlour", "--players", "5", "--json"])
    assert json.loads(capsys.readouterr().out)["removed"] == ["2C", "2D"]


def test_deal_shows_a_known_deal(capsys: pytest.CaptureFixture[str]) -> None:
    """The first hand of the known answers, and the heart of AAAAAAM with its ten at position 1."""
    main(["deal", "--seed", "kupa"])
    assert capsys.readouterr().out.startswith("0: 5C 7C 9C 3D 4D 5D 6D 9D TD 5S TS 3H KH\n")
    main(["deal", "--seed", "kupa", "--rules", "cancellation", "--players", "6"])
    assert capsys.readouterr().out.splitlines()[-1] == "kitty: TC QH"
    main(["deal", " hh1-n-aaaaaam "])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "HH1-N-AAAAAAM"
    assert lines[1].split()[0] == "T"
    assert lines[7].split() == ["4"]
    assert len("".join(lines[1:]).replace(" ", "")) == 52


def test_record_checks_a_match(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A golden record holds; with a card changed it does not."""
    assert main(["record", str(RECORD)]) == 0
    assert "by the rules" in capsys.readouterr().out
    forged = tmp_path / "forged.txt"
    forged.write_text(RECORD.read_text().replace("takes 0", "takes 1", 1))
    assert main(["record", str(forged)]) == 2
    assert capsys.readouterr().err.startswith("kupa: bad_record: ")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["bridge"], "unknown_command"),
        (["help", "bridge"], "unknown_command"),
        (["rules", "bridge"], "unknown_rules"),
        (["rules", "cardems", "--players", "9"], "bad_rules"),
        (["rules", "--colour", "red"], "bad_arguments"),
        (["rules", "a", "b"], "bad_arguments"),
        (["deal"], "code_or_seed"),
        (["deal", "HH1-N-AAAAAAM", "--round", "5"], "code_or_seed"),
        (["deal", "HH1-N-AAAAAAM", "--seed", "x"], "code_or_seed"),
        (["deal", "HH1-N-AAAAAA"], "bad_code"),
        (["deal", "--seed", "x", "--round", "-1"], "bad_round"),
        (["deal", "--seed", "x", "--round", "one"], "bad_arguments"),
        (["deal", "--seed", "\udc80"], "bad_seed"),
        (["record"], "no_file"),
        (["record", "/nowhere/at/all"], "unreadable"),
        (["record", str(RECORD.parent)], "unreadable"),
        (["serve", "--port", "70000"], "bad_port"),
        (["serve", "--port", "http"], "bad_arguments"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_bad_input_is_one_line_with_a_code(
    arguments: list[str],
    code: str,
    language: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No traceback: a code, a sentence, and exit status 2, in either language."""
    monkeypatch.setenv("KUPA_LANG", language)
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert re.fullmatch(rf"kupa: {code}: .+\n", told.err)


@pytest.mark.parametrize(
    ("arguments", "english", "turkish"),
    [
        (
            ["rules", "parlour", "--players", "x"],
            "--players needs a whole number, not “x”.",
            "--players bir tam sayı ister, «x» değil.",
        ),
        (
            ["deal", "--seed"],
            "--seed needs a value after it.",
            "--seed seçeneğinden sonra bir değer gerekir.",
        ),
        (["rules", "--json=1"], "--json takes no value.", "--json seçeneği değer almaz."),
        (["rules", "-hx"], "-h/--help takes no value.", "-h/--help seçeneği değer almaz."),
        (
            ["serve", "--colour", "red"],
            "This is not known here: “--colour”.",
            "Burada böyle bir şey bilinmiyor: «--colour».",
        ),
        (["rules", "a", "b"], "This is not known here: “b”.", "Burada böyle bir şey bilinmiyor: «b»."),
    ],
)
def test_a_wrong_command_line_is_told_in_one_language(
    arguments: list[str],
    english: str,
    turkish: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No sentence of the parser's own, which are English, is mixed into ours."""
    for language, sentence, see in (("en", english, "See"), ("tr", turkish, "Bakınız")):
        monkeypatch.setenv("KUPA_LANG", language)
        assert main(arguments) == 2
        told = capsys.readouterr().err
        assert told == f"kupa: bad_arguments: {sentence} {see}: kupa {arguments[0]} --help\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_begins_alike(language: str) -> None:
    """With a capital letter, as the sentences of the refusals do, or with the flag that it is about."""
    sentences = [found for key, found in messages(language).items() if key.startswith("cli.error.")]
    assert sentences
    for sentence in sentences:
        first = str(sentence)[0]
        assert first.isupper() or str(sentence).startswith(("{flag}", "{round}", "“", "«")), sentence


def test_a_file_that_is_no_text_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes that are not UTF-8 are told as such."""
    path = tmp_path / "bytes"
    path.write_bytes(b"\xff\xfe")
    assert main(["record", str(path)]) == 2
    assert "not_text" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "tr_TR.UTF-8"}, "tr"),
        ({"LANG": "tr_TR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "KUPA_LANG": "tr"}, "tr"),
    ],
)
def test_the_language_is_that_of_the_environment(environment: dict[str, str], language: str) -> None:
    """KUPA_LANG first, then the locale, else English."""
    assert language_of(environment) == language


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    """`kupa rules | head -0` leaves no traceback."""
    command = f'"{sys.executable}" -m kupa.cli help | true'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, env=os.environ)
    assert done.stderr == ""


def test_every_error_has_a_sentence_in_both_languages() -> None:
    """The codes that the command line raises itself are all in the catalogues."""
    source = (Path(__file__).parents[1] / "src" / "kupa" / "cli.py").read_text(encoding="utf-8")
    for code in re.findall(r'CommandError\("(\w+)"', source):
        for language in LANGUAGES:
            params = dict.fromkeys(("command", "message", "known", "port", "round", "file", "extra"), "x")
            assert text(language, f"cli.error.{code}", **params)


@pytest.mark.parametrize(
    ("line", "status", "told"),
    [
        ("rules >&-", 0, ""),
        ("rules >/dev/full", 2, "kupa: cannot_write: What there is to say cannot be written.\n"),
        ("record - <&-", 2, "kupa: bad_record: Line 1: a record begins with “Kupa record 1”.\n"),
        ("referee <&-", 0, ""),
    ],
)
def test_closed_and_full_streams_are_no_crash(line: str, status: int, told: str) -> None:
    """Whatever a shell hands over, there is a status and at most a sentence."""
    command = f'"{sys.executable}" -m kupa.cli {line}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, env=os.environ)
    assert (done.returncode, done.stderr) == (status, told)


def test_a_terminal_that_knows_no_turkish_letters_gets_what_it_can_show() -> None:
    """In a plain ASCII terminal the letters are escaped, and nothing crashes."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "KUPA_LANG": "tr"}
    command = [sys.executable, "-m", "kupa.cli", "rules"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert "\\xc7ift Deste" in done.stdout


def test_a_byte_order_mark_is_no_part_of_a_record(tmp_path: Path) -> None:
    """Some editors write one in front."""
    path = tmp_path / "marked.txt"
    path.write_bytes(b"\xef\xbb\xbf" + RECORD.read_bytes())
    assert main(["record", str(path)]) == 0
