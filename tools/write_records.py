"""Write the golden records that are missing: a whole match of every preset, under tests/records/.

A golden record is written once and kept: the suite holds every later engine to it. Each is the first match,
counting through seeds, that shows what its rulebook is known for (:data:`SHOWS`). To write one anew because a
rule was wrong, delete it first and say so in the changelog.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from kupa.bots import simple
from kupa.cards import cards_in
from kupa.hearts import events
from kupa.hearts.commands import Command, PassCards, PlayCard, StartMatch, read_command
from kupa.hearts.engine import decide, legal, to_act
from kupa.hearts.evolution import evolve
from kupa.hearts.presets import PRESETS
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import OVER, PASS, PLAY, State
from kupa.hearts.view import view
from kupa.record import Record, write_record
from kupa.refusal import Refusal

RECORDS = Path(__file__).resolve().parent.parent / "tests" / "records"
WHIMS = 0.2
"""The share of decisions that are left to chance, so that records hold more than one way of playing."""

Match = Sequence[events.Event]


def _has_shooter(match: Match) -> bool:
    return any(isinstance(event, events.RoundScored) and event.shooter is not None for event in match)


def _has_extra_round(reason: str) -> Callable[[Match], bool]:
    return lambda match: any(
        isinstance(event, events.ExtraRound) and event.reason == reason for event in match
    )


def _has_cancelled_trick(match: Match) -> bool:
    return any(isinstance(event, events.TrickTaken) and event.winner is None for event in match)


def _has_bonus(match: Match) -> bool:
    return _has_shooter(match) and any(
        isinstance(event, events.RoundScored) and event.bonus for event in match
    )


SHOWS: dict[str, Callable[[Match], bool]] = {
    "cardems": _has_shooter,
    "klasik": _has_shooter,
    "ozel": _has_extra_round("perfect_round"),
    "parlour": _has_shooter,
    "omnibus": _has_bonus,
    "cancellation": _has_cancelled_trick,
}
WANTED = [(name, preset.default_players) for name, preset in PRESETS.items()] + [
    ("parlour", players) for players in (3, 5, 6, 7)
]


def _command(state: State, rng: Random) -> Command:
    seat = to_act(state)[0]
    if rng.random() < WHIMS and state.phase == PASS:
        return PassCards(seat, tuple(rng.sample(list(state.hands[seat]), state.knobs.pass_count)))
    if rng.random() < WHIMS and state.phase == PLAY:
        return PlayCard(seat, rng.choice(cards_in(legal(state))))
    command = read_command(simple.choose(view(state, seat), rng), seat)
    if isinstance(command, Refusal):
        raise TypeError(command)
    return command


def play(rulebook: Rulebook, preset: str, seed: str) -> list[events.Event]:
    """Play a match; returns its events."""
    rng = Random(seed)
    state: State | None = None
    match: list[events.Event] = []
    command: Command = StartMatch(rulebook=rulebook, seed=seed, preset=preset)
    while True:
        followed = decide(state, command)
        if isinstance(followed, Refusal):
            raise TypeError(followed)
        for event in followed:
            state = evolve(state, event)
        match += followed
        if state is None or state.phase == OVER:
            return match
        command = _command(state, rng)


def main() -> int:
    """Write what is missing; returns the exit status."""
    for name, players in WANTED:
        path = RECORDS / f"hearts-{name}-{players}.txt"
        if path.exists():
            continue
        for number in range(2000):
            match = play(PRESETS[name].rulebook(players), name, f"golden {number}")
            if SHOWS[name](match):
                path.write_text(write_record(Record("hearts", tuple(match))), encoding="utf-8")
                print(f"wrote {path.name} from seed {number}")
                break
    return 0


if __name__ == "__main__":
    sys.exit(main())
