"""The commands of the laboratory: what they tell, their help, and bad input."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from kupa.catalogue import LANGUAGES, messages
from kupa.cli import main
from kupa.command_line import Parser
from kupa.heart_to_heart.codes import deck_of
from kupa.lab import census, long_runs
from kupa.lab.commands import COMMANDS
from kupa.lab.solving import state_of_deal
from kupa.lab.survey import EXTREMES
from tests.heart_to_heart.playing import tapped
from tests.lab.plain import can_be_won

RECORDS = Path(__file__).parents[1] / "records"
RECORD = RECORDS / "heart-to-heart-AAAAAAM.txt"
SHOWN = "HH1-N-AAAAAAM"


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUPA_LANG", "en")


def told(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    """Return what a command of the laboratory tells."""
    assert main(["lab", *arguments]) == status
    found = capsys.readouterr()
    assert found.err == ""
    return found.out


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_names_exactly_its_flags(
    command: str, language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No flag is undocumented, and none is documented that does not exist."""
    monkeypatch.setenv("KUPA_LANG", language)
    out = told(capsys, command, "--help")
    parser = Parser(f"lab {command}")
    COMMANDS[command][0](parser)
    flags = {flag for action in parser._actions for flag in action.option_strings}
    assert set(re.findall(r"(?<![\w-])--?[a-z]+", out)) == flags - {"-h", "--help"}
    assert max(map(len, out.splitlines())) <= 80


def test_the_first_page_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """`kupa lab` alone, and `kupa help lab`."""
    out = told(capsys)
    assert all(f"kupa lab {command}" in out for command in COMMANDS)
    main(["help", "lab"])
    assert capsys.readouterr().out == out


def test_solve_tells_a_code_a_deck_and_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    """As an object with four keys; the taps win in the engine with as many moves."""
    of_code = json.loads(told(capsys, "solve", " hh1-n-aaaaaam ", "--json"))
    of_deck = json.loads(told(capsys, "solve", "--deck", deck_of(SHOWN), "--json"))
    assert of_code == of_deck
    assert list(of_code) == ["winnable", "moves", "taps", "optimal"]
    end = tapped(state_of_deal(SHOWN), *of_code["taps"])
    assert (end.status, end.board.moves) == ("won", of_code["moves"])
    at_first = json.loads(told(capsys, "solve", "--record", str(RECORD), "--after", "0", "--json"))
    assert at_first == of_code
    later = json.loads(told(capsys, "solve", "--record", str(RECORD), "--after", "9", "--json"))
    assert later["moves"] == of_code["moves"] - 9
    won = json.loads(told(capsys, "solve", "--record", str(RECORD), "--json"))
    assert won == {"winnable": True, "moves": 0, "taps": [], "optimal": True}


def test_solve_says_what_it_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    """A deal that cannot be won, and budgets that do not last."""
    lost = json.loads(told(capsys, "solve", "HH1-N-AAAAAAA", "--json"))
    assert lost == {"winnable": False, "moves": None, "taps": None, "optimal": False}
    unfinished = json.loads(told(capsys, "solve", SHOWN, "--budget", "0", "--json"))
    assert unfinished == {"winnable": None, "moves": None, "taps": None, "optimal": False}
    partly = json.loads(told(capsys, "solve", SHOWN, "--budget", "20", "--json"))
    assert (partly["winnable"], partly["optimal"]) == (True, False)
    assert "does not know" not in told(capsys, "solve", SHOWN)
    assert "the budget did not last" in told(capsys, "solve", SHOWN, "--budget", "0")


def test_solve_tells_a_line_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    """Its last line has as many moves as the first one promises."""
    lines = told(capsys, "solve", SHOWN).splitlines()
    assert lines[0] == f"{SHOWN}: can be won, in 73 moves and in no fewer."
    assert lines[1].split(maxsplit=1) == ["9", "tap the stock 9 times"]
    assert lines[-1].split()[0] == "73"


def test_deal_tells_all_that_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    """As sentences and as an object."""
    assert "73 moves" in told(capsys, "deal", SHOWN)
    found = json.loads(told(capsys, "deal", SHOWN, "--json"))
    assert (found["winnable"], found["moves"], found["redeals"], found["stuck"]) == (True, 73, 2, False)
    assert found["features"]["tip_rank"] == "4"
    assert set(found["ways"]) == {"eager", "waste", "careful", "foresight"}


def test_find_gives_codes_as_wanted_and_the_same_for_a_seed(capsys: pytest.CaptureFixture[str]) -> None:
    """Moves within the range, deals that cannot be won, and how many were asked for."""
    asked = ("find", "--winnable", "--moves", "60..70", "-n", "5", "--seed", "3", "--json")
    found = [json.loads(line) for line in told(capsys, *asked).splitlines()]
    assert len(found) == 5
    for each in found:
        solved = json.loads(told(capsys, "solve", each["code"], "--json"))
        assert each["moves"] == solved["moves"]
        assert 60 <= each["moves"] <= 70
    assert [json.loads(line) for line in told(capsys, *asked).splitlines()] == found
    lost = told(capsys, "find", "--lost", "-n", "4").split()
    assert len(lost) == 4
    assert not any(can_be_won(state_of_deal(code)) for code in lost)


def test_find_says_when_there_are_too_few(capsys: pytest.CaptureFixture[str]) -> None:
    """The exit status is 1, and a sentence goes to standard error."""
    assert main(["lab", "find", "--moves", "5", "--tries", "100"]) == 1
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.startswith("Found 0 among")


def test_play_plays_as_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """The taps do in the engine what is told."""
    for way in ("eager", "careful"):
        found = json.loads(told(capsys, "play", "--as", way, SHOWN, "--json"))
        end = tapped(state_of_deal(SHOWN), *found["taps"])
        assert (found["way"], found["won"]) == (way, end.status == "won")
        assert found["fewest"] == 73
    assert "careful" in told(capsys, "play", SHOWN)


def test_survey_writes_what_it_tells(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """JSON, Parquet and pictures agree; made larger, only more is added and nothing done again."""
    asked = ("survey", "--out", str(tmp_path), "--deals", "1", "--codes", "1", "--quiet")
    out = told(capsys, *asked)
    results = json.loads((tmp_path / "results.json").read_text())
    assert f"{100 * results['random']['share']:.4f} %" in out
    assert results["random"]["deals"] == 1_000_000
    assert results["random"]["low"] < 0.286035 < results["random"]["high"]
    codes = pq.read_table(tmp_path / "codes.parquet").to_pydict()
    assert len(codes["code"]) == results["codes"]["winnable"]
    assert sum(codes["moves"]) == pytest.approx(results["codes"]["moves"]["mean"] * len(codes["code"]))
    hardest = max(zip(codes["moves"], codes["code"], strict=True))
    assert hardest[0] == results["codes"]["hardest"][0]["moves"]
    assert len(results["codes"]["easiest"]) == EXTREMES
    features = pq.read_table(tmp_path / "features.parquet").to_pydict()
    assert sum(
        n for name, n in zip(features["feature"], features["deals"], strict=True) if name == "over"
    ) == (1_000_000)
    pictures = {path.name for path in tmp_path.glob("*.png")}
    assert {"fewest-moves.png", "ways-of-playing.png", "winnable-by-over.png"} <= pictures
    before = (tmp_path / "portions.jsonl").read_bytes()
    more = ("survey", "--out", str(tmp_path), "--deals", "1000001", "--codes", "1", "--quiet", "--json")
    assert json.loads(told(capsys, *more))["codes"] == results["codes"]
    after = (tmp_path / "portions.jsonl").read_bytes()
    assert after.startswith(before)
    assert json.loads((tmp_path / "results.json").read_text())["random"]["deals"] == 2_000_000


def test_census_counts_and_checks_a_shard(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small shards in place of real ones: counted, summed up, checked, and a forged one found out."""
    monkeypatch.setattr(census, "SHARD", 5000)
    out = told(capsys, "census", "--out", str(tmp_path), "--shards", "AA..AB", "--quiet", "--json")
    found = json.loads(out)["asked"]
    both = [census.count_range(census.first_of(name), 5000) for name in ("AA", "AB")]
    assert (found["shards"], found["codes"]) == (2, 10_000)
    assert (found["winnable"], found["stuck"]) == (
        sum(shard.winnable for shard in both), sum(shard.stuck for shard in both),
    )  # fmt: skip
    assert "agrees" not in told(capsys, "census", "--out", str(tmp_path), "--check", "AB")
    journal = tmp_path / long_runs.JOURNAL
    journal.write_text(journal.read_text().replace(both[1].sha256, both[0].sha256))
    assert "does not" in told(capsys, "census", "--out", str(tmp_path), "--check", "AB", status=1)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["chess"], "unknown_lab_command"),
        (["solve"], "one_deal"),
        (["solve", SHOWN, "--deck", "A"], "one_deal"),
        (["solve", SHOWN, "--record", str(RECORD)], "one_deal"),
        (["solve", "HH1-N-AAAAAA"], "bad_code"),
        (["solve", "--deck", "A2"], "bad_deal"),
        (["solve", SHOWN, "--after", "3"], "after_what"),
        (["solve", SHOWN, "--budget", "-1"], "bad_number"),
        (["solve", SHOWN, "--budget", "much"], "bad_arguments"),
        (["solve", SHOWN, "--colour"], "bad_arguments"),
        (["solve", "--record", "/nowhere/at/all"], "unreadable"),
        (["solve", "--record", str(RECORDS / "hearts-klasik-4.txt")], "other_game"),
        (["solve", "--record", str(RECORD), "--after", "100000"], "bad_number"),
        (["deal"], "one_deal"),
        (["find", "--moves", "many"], "bad_range"),
        (["find", "--moves", "70..60"], "bad_range"),
        (["find", "--moves", "9" * 5000], "bad_range"),
        (["find", "--lost", "--moves", "60"], "lost_or_won"),
        (["find", "-n", "none"], "bad_arguments"),
        (["find", "-n", "0"], "bad_number"),
        (["play", "--as", "god", SHOWN], "unknown_way"),
        (["survey"], "no_folder"),
        (["survey", "--out", "x", "--deals", "-1"], "bad_number"),
        (["survey", "--out", str(RECORD), "--deals", "1"], "journal_unwritable"),
        (["census"], "no_folder"),
        (["census", "--out", "x", "--shards", "ab"], "bad_shards"),
        (["census", "--out", "x", "--shards", "AB..AA"], "bad_shards"),
        (["census", "--out", "x", "--check", "A"], "bad_shards"),
        (["census", "--out", "/nowhere/at/all", "--check", "AA"], "no_such_shard"),
        (["census", "--out", "x", "--check", "AA", "--shards", "AA"], "shards_or_check"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_bad_input_is_one_line_with_a_code(
    arguments: list[str], code: str, language: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """No traceback: a code, a sentence, and exit status 2, in either language; and nothing is made."""
    monkeypatch.setenv("KUPA_LANG", language)
    monkeypatch.chdir(tmp_path)
    assert main(["lab", *arguments]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert re.fullmatch(rf"kupa: {code}: .+\n", found.err)
    assert not list(tmp_path.iterdir())


def test_workers_and_schedulers_that_are_not_there_are_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A number of jobs that cannot be, and an address that is none."""
    out = ("--out", str(tmp_path), "--deals", "1", "--codes", "0")
    assert main(["lab", "survey", *out, "--jobs", "0"]) == 2
    assert capsys.readouterr().err.startswith("kupa: bad_jobs: ")
    for address in ("nonsense://there", "", " "):
        assert main(["lab", "survey", *out, "--dask", address]) == 2
        assert re.fullmatch(r"kupa: no_scheduler: .+\n", capsys.readouterr().err)


def test_without_its_extra_the_laboratory_says_what_is_missing() -> None:
    """Where Numba is not installed, one line tells what to install."""
    code = (
        "import sys; sys.modules['numba'] = None; from kupa.cli import main; "
        "sys.exit(main(['lab', 'solve', 'HH1-N-AAAAAAM']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"kupa: missing_extra: .+\n", done.stderr)


def test_every_error_of_the_laboratory_has_a_sentence_in_both_languages() -> None:
    """The codes that its sources raise, and no other, are in the catalogues."""
    folder = Path(long_runs.__file__).parent
    raised = {
        code
        for path in folder.glob("*.py")
        for code in re.findall(r'Lab(?:Command)?Error\(\s*"(\w+)"', path.read_text(encoding="utf-8"))
    }
    for language in LANGUAGES:
        keys = {key for key in messages(language) if key.startswith("lab.error.")}
        assert keys == {f"lab.error.{code}" for code in raised}
