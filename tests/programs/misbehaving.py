"""A bot that keeps the rules, and the ways in which it may fail: ``python misbehaving.py WAY``.

It shares nothing with Kupa, as a stranger's program would not.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable

RANKS = "23456789TJQKA"


def say(message: object) -> None:
    print(json.dumps(message), flush=True)


def answer(question: dict, hand: list) -> dict:
    if question["type"] == "choose_pass":
        return {"id": question["id"], "cards": hand[: question["count"]]}
    if question["type"] == "choose_moon":
        return {"id": question["id"], "choice": question["options"][0]}
    return {"id": question["id"], "card": min(question["legal"], key=lambda card: RANKS.index(card[0]))}


def words(way: str, question: dict, right: dict) -> list | None:
    """Return what a way of failing says in place of the right answer, None where it says that."""
    own = question["id"]
    said: dict[str, list] = {
        "not_an_object": [[right]],
        "no_id": [{key: value for key, value in right.items() if key != "id"}],
        "wrong_key": [{"id": own, "move": "2C"}],
        "no_card": [{"id": own, "card": "1X", "cards": ["1X"] * question.get("count", 0)}],
        "not_a_text": [{"id": own, "card": {"of": ["2C"]}, "cards": 3}],
        "illegal": [{"id": own, "card": "QS", "cards": ["QS"] * question.get("count", 0)}],
        "other_id": [right | {"id": other} for other in (own + 1, str(own), True, [own])],
    }
    return said.get(way)


def flood() -> None:
    with contextlib.suppress(BrokenPipeError):
        while True:
            sys.stdout.write('{"id": -1}\n' * 1000)


def die() -> None:
    print("good-bye \x1b[2J", file=sys.stderr, flush=True)
    os._exit(3)


def close() -> None:
    os.close(1)
    time.sleep(600)


def leave_a_child(*, end: bool) -> None:
    """The child keeps the pipes open and does not care about its parent."""
    if os.fork() and end:
        os._exit(0)
    time.sleep(600)


def run_away() -> None:
    """The child leaves the group, so that killing the group does not reach it."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
    time.sleep(600)


DEEDS: dict[str, Callable[[], object]] = {
    "rubbish": lambda: print("what? ☃", flush=True),
    "long_line": lambda: print("x" * (1 << 21), flush=True),
    "flood": flood,
    "dies": die,
    "closes": close,
    "late": lambda: time.sleep(0.5),
    "child": lambda: leave_a_child(end=False),
    "runaway": run_away,
    "orphan": lambda: leave_a_child(end=True),
    "silent": lambda: time.sleep(600),
}


def fail(way: str, question: dict, hand: list) -> None:
    """Do to a question what the way says."""
    right = answer(question, hand)
    said = words(way, question, right)
    if way in DEEDS:
        DEEDS[way]()
    if way not in {"rubbish", "long_line"}:
        for message in [right] if said is None else said:
            say(message)


def main(way: str) -> None:
    if way == "never_ready":
        time.sleep(600)
    if way == "not_ready":
        say({"type": "hello"})
    if way == "complains":
        sys.stderr.write("x" * 200_000 + "\n")
    hand: list = []
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            say({"type": "ready", "name": way})
            if way == "deaf":
                time.sleep(600)
        elif kind == "deal":
            hand = message["hand"]
        elif kind.startswith("choose"):
            fail(way, message, hand)
    if way == "stays":
        time.sleep(600)


if __name__ == "__main__":
    main(sys.argv[1])
