"""Records: matches as texts, golden ones among them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kupa.catalogue import LANGUAGES, refusal_text
from kupa.hearts.events import MatchStarted
from kupa.hearts.presets import PRESETS
from kupa.record import LONGEST, Record, read_record, verified, write_record
from kupa.refusal import Refusal
from tests.hearts.random_play import played

RECORDS = Path(__file__).parent / "records"
GOLDEN = sorted(RECORDS.glob("*.txt"))
TABLES = [(name, players) for name, preset in PRESETS.items() for players in preset.player_counts]


def record_of(text: str) -> Record:
    """Read a record that must be good."""
    record = read_record(text)
    assert isinstance(record, Record), record
    return record


def test_every_preset_has_a_golden_record() -> None:
    """A preset without one fails the suite; the parlour game has one for each number of players."""
    wanted = {f"hearts-{name}-{preset.default_players}" for name, preset in PRESETS.items()}
    wanted |= {f"hearts-parlour-{players}" for players in (3, 5, 6, 7)}
    wanted.add("heart-to-heart-AAAAAAM")
    assert {path.stem for path in GOLDEN} >= wanted


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_record_is_played_again_event_by_event(path: Path) -> None:
    """Today's rules lead from every command to the very events that were recorded."""
    text = path.read_text(encoding="utf-8")
    record = record_of(text)
    assert verified(record) is None
    assert write_record(record) == text
    if isinstance(record.events[0], MatchStarted):
        _, preset, players = path.stem.split("-")
        assert record.events[0].rulebook == PRESETS[preset].rulebook(int(players))
        assert record.state().phase == "over"
    else:
        assert record.state().status == "won"


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_record_reads_back_to_the_same_match_wherever_it_ends(name: str, players: int) -> None:
    """Cut off after any command, a match is written, read and replayed to the same state."""
    events: list[object] = []
    for number, (state, happened) in enumerate(played(PRESETS[name].rulebook(players), "r", Random(2), name)):
        events += happened
        if number % 7 and state.phase != "over" and number > 60:
            continue
        record = Record("hearts", tuple(events))
        read = record_of(write_record(record))
        assert read == record
        assert read.state() == state
        if state.round > 4:
            break
    assert verified(read) is None


def test_a_record_with_one_thing_changed_does_not_hold() -> None:
    """A card, a winner, a point or a total changed: the record is unreadable or against the rules."""
    text = (RECORDS / "hearts-cardems-4.txt").read_text(encoding="utf-8")
    changes = [
        ("seat 2 opens", "seat 1 opens"),
        ("takes 0", "takes 1"),
        ("pass left", "pass right"),
        ("dealer 3", "dealer 2"),
        ("rule target 100", "rule target 90"),
        ('seed "golden', 'seed "silver'),
        ("winners ", "winners 1 "),
    ]
    for old, new in changes:
        assert old in text
        record = read_record(text.replace(old, new, 1))
        refusal = record if isinstance(record, Refusal) else verified(record)
        assert refusal is not None, (old, new)
        assert refusal.code == "bad_record"
        assert all(refusal_text(language, refusal) for language in LANGUAGES)


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ("", "no_record", 1),
        ("\n\nhello\n", "no_record", 3),
        ("Kupa record 2\ngame hearts\n", "unknown_version", 1),
        ("Kupa record 1\n", "unknown_game", 1),
        ("Kupa record 1\ngame bridge\n", "unknown_game", 2),
        ("Kupa record 1\ngame hearts\n", "ends_early", 1),
        ("Kupa record 1\ngame hearts\npreset 5\n", "bad_line", 3),
        ('Kupa record 1\ngame hearts\nseed "a"\nseed "a"\n', "bad_line", 4),
        ("Kupa record 1\ngame hearts\nrule target " + "[" * 100_000, "bad_line", 3),
        ("Kupa record 1\ngame heart-to-heart\n", "ends_early", 1),
        ("Kupa record 1\ngame heart-to-heart\ncode HH1-N-AAAAAAM\nnonsense\n", "bad_line", 4),
        ("x" * (LONGEST + 1), "too_long", 1),
    ],
)
def test_a_text_that_is_no_record_is_refused_with_its_line(text: str, reason: str, line: int) -> None:
    """The refusal has a code, a reason, and the number of the line at fault."""
    refusal = read_record(text)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.reason, refusal.params["line"]) == ("bad_record", reason, line)
    assert all(refusal_text(language, refusal) for language in LANGUAGES)


@given(st.data())
def test_a_damaged_record_never_raises(data: st.DataObject) -> None:
    """Lines of a good record are dropped, doubled, swapped or garbled: it reads, or is refused."""
    path = data.draw(st.sampled_from(GOLDEN))
    lines = path.read_text(encoding="utf-8").split("\n")[:80]
    place = data.draw(st.integers(0, len(lines) - 1))
    change = data.draw(st.sampled_from(["drop", "double", "swap", "garble"]))
    if change == "drop":
        del lines[place]
    elif change == "double":
        lines.insert(place, lines[place])
    elif change == "swap":
        lines[place], lines[-1] = lines[-1], lines[place]
    else:
        lines[place] = lines[place][:-1] + data.draw(st.text(max_size=5))
    record = read_record("\n".join(lines))
    if isinstance(record, Record):
        refusal = verified(record)
        assert refusal is None or refusal.code == "bad_record"
