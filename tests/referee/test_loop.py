"""The referee's loop: one reply a line whatever comes in, and nothing changed by what is refused."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import IO, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kupa.catalogue import messages
from kupa.game import Json
from kupa.referee.desk import Answer
from kupa.referee.lines import LONGEST, lines
from kupa.referee.loop import OWNERS, Referee, serve
from kupa.refusal import Refusal

from .conversation import asked, code_of, replies_to

HEART = {"do": "new", "game": "heart-to-heart", "code": "HH1-N-AAAAAAM"}
HEARTS = {"do": "new", "game": "hearts", "rules": "cardems", "seed": "kupa"}
STATE = {"do": "state"}

BAD_LINES = {
    "an empty line": b"",
    "a blank line": b"  \t ",
    "a carriage return alone": b"\r",
    "no JSON": b"hello",
    "half an object": b'{"do":"state"',
    "two objects": b'{"do":"state"}{"do":"state"}',
    "a comment": b'{"do":"state"} // please',
    "single quotes": b"{'do':'state'}",
    "a comma too many": b'{"do":"state",}',
    "a byte order mark": b'\xef\xbb\xbf{"do":"state"}',
    "invalid UTF-8": b'{"do":"\xff"}',
    "a surrogate in UTF-8": b'{"do":"\xed\xa0\x80"}',
    "UTF-16": '{"do":"state"}'.encode("utf-16"),
    "a null byte": b"\0",
    "a raw control character in a text": b'{"do":"\x01"}',
    "a list": b"[]",
    "a text": b'"state"',
    "a number": b"1",
    "true": b"true",
    "null": b"null",
    "NaN for an object": b"NaN",
    "NaN for a value": b'{"do":"tap","at":NaN}',
    "infinity": b'{"do":"tap","at":Infinity}',
    "minus infinity": b'{"do":"tap","at":-Infinity}',
    "a number too large for a float": b'{"do":"tap","at":1e999}',
    "a number of many digits": b'{"do":"tap","at":' + b"9" * 1000 + b"}",
    "a number of far too many digits": b'{"do":"tap","at":' + b"9" * 100_000 + b"}",
    "lists nested deeply": b"[" * 200_000,
    "objects nested deeply": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "a value nested deeply": b'{"do":"tap","at":' + b"[" * 900 + b"]" * 900 + b"}",
    "a key twice": b'{"do":"tap","at":"stock","at":"stock"}',
    "a request named twice": b'{"do":"state","do":"state"}',
    "no request": b"{}",
    "an unknown request": b'{"do":"draw"}',
    "a request in capitals": b'{"do":"STATE"}',
    "a request of none": b'{"do":null}',
    "a request of a number": b'{"do":1}',
    "a request of a list": b'{"do":["state"]}',
    "a lone surrogate for a request": b'{"do":"\\ud800"}',
    "a lone surrogate for a key": b'{"do":"state","\\ud800":1}',
    "an unknown key": b'{"do":"state","seat":0}',
    "an empty key": b'{"do":"state","":0}',
    "a new game of no kind": b'{"do":"new"}',
    "a new game of an unknown kind": b'{"do":"new","game":"heart_to_heart"}',
    "a new game of a number": b'{"do":"new","game":1}',
    "a code and a deck": b'{"do":"new","game":"heart-to-heart","code":"HH1-N-AAAAAAM","deck":"A"}',
    "a code of none": b'{"do":"new","game":"heart-to-heart","code":null}',
    "a code of a number": b'{"do":"new","game":"heart-to-heart","code":12}',
    "a deck of a number": b'{"do":"new","game":"heart-to-heart","deck":52}',
    "a deck of numbers": b'{"do":"new","game":"heart-to-heart","deck":[2,3]}',
    "a setting for a new game": b'{"do":"new","game":"heart-to-heart","move_errors":true}',
    "a seed for Heart to Heart": b'{"do":"new","game":"heart-to-heart","seed":"x"}',
    "a tap nowhere": b'{"do":"tap"}',
    "a tap at 0": b'{"do":"tap","at":0}',
    "a tap at 26": b'{"do":"tap","at":26}',
    "a tap at -1": b'{"do":"tap","at":-1}',
    "a tap at true": b'{"do":"tap","at":true}',
    "a tap at 25.0": b'{"do":"tap","at":25.0}',
    "a tap at a text of a number": b'{"do":"tap","at":"25"}',
    "a tap at the Stock": b'{"do":"tap","at":"Stock"}',
    "a tap at none": b'{"do":"tap","at":null}',
    "a tap at a list": b'{"do":"tap","at":[25]}',
    "a tap with a clock": b'{"do":"tap","at":25,"elapsed_ms":1}',
    "an undo with a number": b'{"do":"undo","moves":2}',
    "no setting": b'{"do":"settings"}',
    "a setting of a number": b'{"do":"settings","move_errors":1}',
    "a setting of none": b'{"do":"settings","placement_help":null}',
    "an unknown setting": b'{"do":"settings","move_errors":true,"sound":true}',
    "a view without a seat": b'{"do":"view"}',
    "a view for a seat of true": b'{"do":"view","seat":true}',
    "rules of a name": b'{"do":"rules","name":"cardems"}',
    "a line over 1 MiB": b'{"do":"state"' + b" " * LONGEST + b"}",
}


@pytest.mark.parametrize("game", [None, HEART, HEARTS], ids=["no game", "heart-to-heart", "hearts"])
@pytest.mark.parametrize("line", BAD_LINES.values(), ids=BAD_LINES.keys())
def test_a_bad_line_is_refused_and_changes_nothing(line: bytes, game: Json | None) -> None:
    """Every kind of bad line is a bad_request, in play or before; the state's bytes stay the same."""
    if game is None:
        assert [code_of(reply) for reply in asked(line, STATE)] == ["bad_request", "no_game"]
        return
    _, before, refused, after = asked(game, STATE, line, STATE)
    assert code_of(refused) == "bad_request"
    assert before["ok"]
    assert json.dumps(before) == json.dumps(after)


REFUSED = {
    "bad_code": {"do": "new", "game": "heart-to-heart", "code": "AAAAAAM"},
    "bad_deal": {"do": "new", "game": "heart-to-heart", "deck": "A" * 52},
    "nothing_to_undo": {"do": "undo"},
}


@pytest.mark.parametrize(("code", "request_"), REFUSED.items())
def test_a_refused_request_changes_nothing(code: str, request_: Json) -> None:
    """A deal that does not exist leaves the game in play, its selection and its settings as they were."""
    tap = {"do": "tap", "at": 25}
    change = {"do": "settings", "move_errors": True}
    *_, before, refused, after = asked(HEART, tap, change, STATE, request_, STATE)
    assert code_of(refused) == code
    assert before == after
    assert before["state"]["selected"] == 25


@pytest.mark.parametrize(
    "request_",
    [
        STATE,
        {"do": "undo"},
        {"do": "tap", "at": 25},
        {"do": "settings", "move_errors": True},
        {"do": "view", "seat": 0},
        {"do": "play", "seat": 0, "card": "2C"},
        {"do": "pass", "seat": 0, "cards": []},
        {"do": "moon", "seat": 0, "choice": "add"},
    ],
)
def test_without_a_game_there_is_none_to_ask(request_: Json) -> None:
    """Every request that needs a game is refused with no_game before the first one."""
    (reply,) = asked(request_)
    assert code_of(reply) == "no_game"


@pytest.mark.parametrize(
    ("game", "request_"),
    [
        (HEARTS, {"do": "tap", "at": 25}),
        (HEARTS, {"do": "undo"}),
        (HEARTS, {"do": "settings", "move_errors": True}),
        (HEART, {"do": "view", "seat": 0}),
        (HEART, {"do": "play", "seat": 0, "card": "2C"}),
        (HEART, {"do": "pass", "seat": 0, "cards": []}),
        (HEART, {"do": "moon", "seat": 0, "choice": "add"}),
    ],
)
def test_a_request_of_the_other_game_finds_no_game(game: Json, request_: Json) -> None:
    """There is no game of that kind in play, and the one that is goes on untouched."""
    _, before, refused, after = asked(game, STATE, request_, STATE)
    assert code_of(refused) == "no_game"
    assert before == after


def test_the_request_rules_needs_no_game_and_leaves_the_one_in_play() -> None:
    """The rules of Hearts can be asked for first, and in the middle of a game of Heart to Heart."""
    before, _, between, state = asked({"do": "rules"}, HEART, {"do": "rules"}, STATE)
    assert before["ok"]
    assert before == between
    assert state["state"]["game"] == "heart-to-heart"


def test_a_new_game_replaces_the_one_in_play() -> None:
    """Of two games the last begun is current; an unsuccessful new one leaves it so."""
    replies = asked(HEART, HEARTS, STATE, HEART | {"code": "?"}, STATE, HEART, STATE)
    games = [reply["state"]["game"] if reply["ok"] else code_of(reply) for reply in replies]
    heart = "heart-to-heart"
    assert games == [heart, "hearts", "hearts", "bad_code", "hearts", heart, heart]


def test_every_line_is_answered_in_order() -> None:
    """Good and bad lines mixed get one reply each, in their order."""
    taps = [{"do": "tap", "at": "stock"}] * 3
    replies = asked(HEART, b"?", *taps, b"", {"do": "undo"}, b"[]", STATE)
    assert [reply["ok"] for reply in replies] == [True, False, True, True, True, False, True, False, True]
    assert replies[-1]["state"]["moves"] == 2


def test_the_last_line_needs_no_end() -> None:
    """A line that ends with the input is answered like any other."""
    assert len(replies_to(json.dumps(HEART).encode())) == 1
    assert len(replies_to(json.dumps(HEART).encode() + b'\n{"do":"state"}')) == 2


def test_no_input_has_no_reply() -> None:
    """The end of the input is no line."""
    assert replies_to(b"") == []


def test_lines_may_end_as_on_windows() -> None:
    """A carriage return before the end of the line is white space."""
    (reply,) = replies_to(json.dumps(HEART).encode() + b"\r\n")
    assert reply["ok"]


def test_a_line_of_exactly_the_longest_length_is_read() -> None:
    """1 MiB is allowed with and without an end of line; a byte more is not."""
    line = json.dumps(HEART).encode()
    longest = line[:-1] + b" " * (LONGEST - len(line)) + b"}"
    assert len(longest) == 1_048_576
    longer = longest[:-1] + b" }"
    assert [reply["ok"] for reply in replies_to(longest)] == [True]
    assert [reply["ok"] for reply in replies_to(longest + b"\n" + longest)] == [True, True]
    assert [code_of(reply) for reply in replies_to(longer)] == ["bad_request"]
    replies = replies_to(longer + b"\n" + longest + b"\n" + longer)
    assert [reply["ok"] for reply in replies] == [False, True, False]


class Endless(io.RawIOBase):
    """A line of 64 MiB that is never whole in memory, then a request; notes the largest piece asked for."""

    def __init__(self) -> None:
        self.left = 64 << 20
        self.largest = 0
        self.after = io.BytesIO(b'\n{"do":"state"}\n')

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size > 0, "a line of unknown length was asked for whole"
        self.largest = max(self.largest, size)
        if self.left:
            piece = min(size, self.left)
            self.left -= piece
            return b"[" * piece
        return self.after.readline(size)


def test_an_endless_line_is_never_held_whole() -> None:
    """A line of 64 MiB is skipped in pieces of a little over 1 MiB at most, and the next line is read."""
    stream = Endless()
    first, second = lines(stream)  # type: ignore[arg-type]
    assert isinstance(first, Refusal)
    assert first.code == "bad_request"
    assert second == b'{"do":"state"}'
    assert stream.largest <= LONGEST + 1


def test_a_refusal_repeats_little_of_what_came() -> None:
    """A key of a megabyte does not come back in the message."""
    (reply,) = asked({"do": "state", "x" * 1_000_000: 1})
    assert code_of(reply) == "bad_request"
    assert len(reply["error"]["message"]) < 200


def test_a_lone_surrogate_goes_out_as_it_came_in() -> None:
    """What is not Unicode is written as an escape, like all that is not ASCII."""
    (reply,) = asked(b'{"do":"\\udc80\xc4\xb1"}')
    # Compared as ASCII: a failure that quotes a lone surrogate cannot be sent by pytest's workers.
    assert ascii(reply["error"]["message"]) == ascii("There is no request named “\udc80ı”.")


# -- fuzz ---------------------------------------------------------------------------------------------------

words = st.sampled_from(
    [
        *OWNERS, "new", "state", "do", "game", "hearts", "heart-to-heart", "code", "deck", "at", "stock",
        "waste", "HH1-N-AAAAAAM", "rules", "cardems", "cancellation", "seat", "card", "cards", "2C", "QS",
        "choice", "add", "players", "set", "seed", "hands", "totals", "round", "move_errors",
        "placement_help",
    ]
)  # fmt: skip
keys = words | st.text(max_size=3)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | keys | st.integers(-1, 27),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=8,
)
requests = st.dictionaries(keys, values, max_size=4)
named = st.builds(lambda data, do: data | {"do": do}, requests, words)
likely = st.one_of(
    st.builds(lambda at: {"do": "tap", "at": at}, st.integers(0, 26) | st.sampled_from(["stock", "waste"])),
    st.builds(lambda seat, card: {"do": "play", "seat": seat, "card": card}, st.integers(-1, 4), words),
    st.builds(lambda data: HEART | data, requests),
    st.builds(lambda data: HEARTS | data, requests),
    st.builds(
        lambda key, value: {"do": "new", "game": "hearts", "rules": "parlour", key: value},
        st.sampled_from(["players", "set", "seed", "hands", "totals", "round"]),
        values,
    ),
    st.sampled_from([HEART, HEARTS, STATE, {"do": "undo"}, {"do": "rules"}, {"do": "view", "seat": 0}]),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(requests | named | likely, max_size=6))
def test_whatever_object_comes_in_gets_one_reply_and_no_fault(objects: list[Json]) -> None:
    """Random requests: one reply each, never an inner error; a refused one leaves the state's bytes alone."""
    conversation = [STATE]
    for data in objects:
        conversation += [data, STATE]
    replies = asked(*conversation)
    assert len(replies) == len(conversation)
    for place in range(1, len(replies), 2):
        before, reply, after = replies[place - 1 : place + 2]
        if not reply["ok"]:
            assert code_of(reply) != "internal_error"
            assert json.dumps(before) == json.dumps(after)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.binary(max_size=40) | st.text(max_size=20).map(str.encode)))
def test_whatever_bytes_come_in_get_one_reply_a_line(pieces: list[bytes]) -> None:
    """Random bytes: as many replies as lines, every one a refusal for what is no request."""
    stream = b"\n".join(pieces)
    count = stream.count(b"\n") + (not stream.endswith(b"\n") and bool(stream))
    replies = replies_to(stream)
    assert len(replies) == count
    assert {code_of(reply) for reply in replies} <= {"bad_request"}


# -- faults of our own, and of the world --------------------------------------------------------------------


class FaultyDesk:
    """A desk with faults, as none should be: it raises, or answers with what cannot be written."""

    def read(self, data: Json) -> Any:
        """Take every request as it is."""
        return data

    def answer(self, state: Any, request: Any) -> Answer | Refusal:
        """Count the requests, and fail when told to."""
        match request.get("fail"):
            case "raise":
                raise RuntimeError("a secret")
            case "recurse":
                return self.answer(state, request)
            case "unwritable":
                return Answer(99, {"state": float("nan")})
        return Answer((state or 0) + 1, {"state": state})


@pytest.mark.parametrize(
    ("fail", "code"),
    [("raise", "internal_error"), ("recurse", "bad_request"), ("unwritable", "internal_error")],
)
def test_a_fault_inside_is_told_calmly_and_changes_nothing(
    fail: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error of the program's own becomes a reply; the state, the process and standard output are safe."""
    referee = Referee({"hearts": FaultyDesk(), "heart-to-heart": FaultyDesk()})
    stream = [HEART, STATE, {"do": "undo", "fail": fail}, STATE, STATE]
    stdin = io.BytesIO(b"".join(json.dumps(data).encode() + b"\n" for data in stream))
    stdout = io.BytesIO()
    assert serve(referee, stdin, stdout) == 0
    replies = [json.loads(line) for line in stdout.getvalue().splitlines()]
    assert code_of(replies[2]) == code
    assert "secret" not in replies[2]["error"]["message"]
    assert [reply["state"] for reply in replies if reply["ok"]] == [None, 1, 2, 3]
    assert capsys.readouterr().out == ""


def test_every_bad_request_has_a_sentence_in_both_languages() -> None:
    """The same keys are in both catalogues, each with a text."""
    english, turkish = messages("en"), messages("tr")
    ours = {key for key in english if key.startswith(("refusal.bad_request", "refusal.no_game"))}
    assert len(ours) > 20
    assert all(english[key] and turkish[key] for key in ours)


@contextlib.contextmanager
def running() -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes], IO[bytes]]]:
    """Run the referee as a process of its own; gives it and its three streams."""
    command = [sys.executable, "-m", "kupa.referee"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        yield process, process.stdin, process.stdout, process.stderr


def test_the_process_answers_at_once_and_ends_with_its_input() -> None:
    """Each reply is there before the next request is sent; the process ends calmly when its input does."""
    with running() as (process, stdin, stdout, stderr):
        for request in (HEART, {"do": "tap", "at": 25}, b"?", STATE):
            line = request if isinstance(request, bytes) else json.dumps(request).encode()
            stdin.write(line + b"\n")
            stdin.flush()
            assert json.loads(stdout.readline())["ok"] is (request != b"?")
        stdin.close()
        assert stdout.read() == b""
        assert stderr.read() == b""
        assert process.wait(timeout=20) == 0


def test_a_reader_that_goes_away_is_no_fault() -> None:
    """When nobody reads the replies any more the process ends without complaint."""
    with running() as (process, stdin, stdout, stderr):
        stdin.write(json.dumps(HEART).encode() + b"\n")
        stdin.flush()
        assert stdout.readline()
        stdout.close()
        stdin.write(b'{"do":"state"}\n')
        stdin.flush()
        assert stderr.read() == b""
        assert process.wait(timeout=20) == 0


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_the_keyboard_may_interrupt() -> None:
    """An interrupt ends the process calmly, with the exit code that shells know."""
    with running() as (process, stdin, stdout, stderr):
        stdin.write(json.dumps(HEART).encode() + b"\n")
        stdin.flush()
        assert stdout.readline()
        process.send_signal(signal.SIGINT)
        assert stderr.read() == b""
        assert process.wait(timeout=20) == 130
