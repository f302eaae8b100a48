"""Fits the club bot's table again: ``python -m tests.bots.fitting`` writes ``src/kupa/bots/club_table.py``.

The club bot plays rounds of several games, against itself and in the company of the yardsticks. Before each
trick its hand is written down as places in the table, and after the round what it took from then on. A linear
fit to these is the new table. What the game, the company and the stage of the round make of the points, hand
apart, is fitted beside it and thrown away.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from kupa.arena.hosting import begun
from kupa.bots import club_table, worth
from kupa.bots.memory import Memory
from kupa.bots.player import Player
from kupa.bots.position import Book, Position, lane
from kupa.game import Json
from kupa.hearts.events import PlayBegan, RoundScored, TrickTaken
from kupa.hearts.presets import PRESETS
from kupa.hearts.state import State
from kupa.hearts.view import View, view
from tests.bots.measuring import PLAYERS, moves

GAMES = (
    ("cardems", 4, 0.4),
    ("parlour", 3, 0.12),
    ("parlour", 5, 0.12),
    ("parlour", 7, 0.12),
    ("omnibus", 4, 0.16),
    ("cancellation", 7, 0.08),
)
"""The games, the seats, and the part of the rounds that each gets."""
COMPANIES = ("club", "club", "ducker", "club", "club", "ducker", "ducker", "random")
"""Who sits with two club bots, round by round."""
RIDGE = 20.0
"""What the fit pays for large numbers: it keeps places that are rarely met near 0."""

Sparse = dict[int, float]
"""A row of numbers, most of them 0, by place."""


class Sample(NamedTuple):
    """A hand before a trick."""

    places: Sparse
    points: float
    """What it took from then on."""


class Watched:
    """A player whose memory can be read."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.memory = Memory()

    def told(self, event: Json) -> None:
        self._player.told(event)
        self.memory.told(event)

    def choose(self, view: View) -> Json:
        return self._player.choose(view)


def places_of(pos: Position, leads: bool) -> Sparse:
    """Write a hand down as places in the table, each as often as it counts."""
    scene = worth.scene_of(pos)
    row: Sparse = {}
    for suit in range(4):
        own, out = lane(pos.hand, suit), lane(pos.out, suit)
        kind = worth.kind_of(suit, own[0], scene)
        scale = scene.heart if kind == worth.HEART else scene.density
        for place in worth.suit_terms(kind, *own, *out, scene.opponents):
            row[place] = row.get(place, 0.0) + scale
        for place in worth.queen_terms(kind, *own, *out, scene.opponents):
            row[place] = row.get(place, 0.0) + scene.queen
        for place in worth.bonus_terms(suit, *own, *out, scene):
            row[place] = row.get(place, 0.0) + 1.0
    stage = worth.stage(len(pos.view.hand), pos.knobs.hand_size)
    if leads:
        row[worth.LEAD_AT + stage] = scene.density
    return row


def samples(rules: str, seats: int, game: int, number: int) -> list[Sample]:
    """Play one round, and return the hands of its club bots; none where somebody made a moon."""
    book = Book(PRESETS[rules].rulebook(seats))
    company = COMPANIES[number % len(COMPANIES)]
    first, step = number // 8 % seats, 1 + number // (8 * seats) % (seats - 1)
    subjects = range(seats) if company == "club" else (first, (first + step) % seats)
    names = ["club" if seat in subjects else company for seat in range(seats)]
    players = [Watched(PLAYERS[name](f"{number}/{seat}")) for seat, name in enumerate(names)]
    state = begun(book.rulebook, f"fitting {rules}", number, players)
    found: list[tuple[int, Sparse, float]] = []
    for after, event in moves(state, players):
        if isinstance(event, RoundScored):
            if event.shooter is not None:
                return []
            final = [taken(book, state, seat) for seat in range(seats)]
            return [Sample(row, final[seat] - before) for seat, row, before in found]
        state = after
        if isinstance(event, PlayBegan | TrickTaken) and any(hand.held for hand in state.hands):
            for seat in subjects:
                pos = Position(view(state, seat), players[seat].memory, book)
                row = places_of(pos, state.turn == seat)
                stage = worth.stage(len(pos.view.hand), pos.knobs.hand_size)
                offset = worth.SIZE + 8 * (3 * game + COMPANIES.index(company) // 3) + stage
                row[offset], row[offset + 4] = 1.0, worth.scene_of(pos).density
                found.append((seat, row, taken(book, state, seat)))
    raise AssertionError("the round did not end")


def taken(book: Book, state: State, seat: int) -> float:
    """Return what the cards that a seat has taken count, the bonus card too."""
    return sum(book.value[card] - 10 * (card == book.knobs.bonus) for card in state.taken[seat])


def all_samples(rounds: int, jobs: int) -> Iterator[Sample]:
    with ProcessPoolExecutor(jobs) as pool:
        for game, (rules, seats, part) in enumerate(GAMES):
            play = partial(samples, rules, seats, game)
            yield from chain.from_iterable(pool.map(play, range(int(part * rounds)), chunksize=10))


def fitted(found: Iterator[Sample], size: int) -> list[float]:
    """Return the numbers that fit the samples best: least squares, with the ridge."""
    matrix = [[0.0] * size for _ in range(size)]
    right = [0.0] * size
    for place in range(size):
        matrix[place][place] = RIDGE
    for sample in found:
        entries = sorted(sample.places.items())
        for i, (place, weight) in enumerate(entries):
            right[place] += weight * sample.points
            row = matrix[place]
            for other, weight2 in entries[i:]:
                row[other] += weight * weight2
    return solved(matrix, right)


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a symmetric, positive system of which the upper half is given (by Cholesky's method)."""
    size = len(right)
    for i in range(size):
        pivot = matrix[i]
        for j in range(i + 1, size):
            factor = pivot[j] / pivot[i]
            if factor:
                row = matrix[j]
                for k in range(j, size):
                    row[k] -= factor * pivot[k]
                right[j] -= factor * right[i]
    for i in reversed(range(size)):
        row = matrix[i]
        right[i] = (right[i] - sum(row[k] * right[k] for k in range(i + 1, size))) / row[i]
    return right


def written(numbers: list[float]) -> str:
    """Write the table as a module."""
    left = iter([f"{number + 0.0:.2f}" for number in numbers])

    def row(length: int) -> str:
        return "(" + ", ".join(next(left) for _ in range(length)) + ")"

    def block(rows: int, length: int, indent: str) -> str:
        return "(\n" + "".join(f"{indent}    {row(length)},\n" for _ in range(rows)) + indent + ")"

    def kinds(length: int) -> str:
        return "(\n" + "".join(f"    {block(worth.PHASES, length, '    ')},\n" for _ in range(5)) + ")"

    texts = {
        "CARDS": kinds(worth.BUCKETS),
        "LENGTHS": kinds(worth.LENGTHS),
        "HOLD": block(worth.PHASES, worth.GUARDS, ""),
        "CATCH": block(worth.PHASES, worth.GUARDS, ""),
        "BONUS": row(worth.PHASES),
        "HOPE": block(worth.PHASES, worth.CATCHERS, ""),
        "LEAD": row(worth.STAGES),
    }
    lines = [
        f'"""{club_table.__doc__}"""\n\nfrom __future__ import annotations\n\nfrom typing import Final\n'
    ]
    lines += [f'{name}: Final = {text}\n"""{TOLD[name]}"""' for name, text in texts.items()]
    return "\n".join(lines) + "\n"


TOLD = {
    "CARDS": "A card: by the kind of its suit, the phase of the suit, and the cards out that it beats.",
    "LENGTHS": "A suit's length, 0 to 7: by its kind and its phase.",
    "HOLD": "The queen of spades in the hand: by the phase of the suit, and how many lower spades guard her.",
    "CATCH": "A spade above the queen while she is out: by the phase, and how many spades lie below her.",
    "BONUS": "The bonus card in the hand: by the phase of its suit.",
    "HOPE": "The bonus card while it is out: by the phase, and how many cards of the hand beat it.",
    "LEAD": "Having to lead: by the stage of the round.",
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bots.fitting", description=__doc__)
    parser.add_argument("--rounds", type=int, default=8000)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    numbers = fitted(all_samples(asked.rounds, asked.jobs), worth.SIZE + 8 * 3 * len(GAMES))
    Path(club_table.__file__).write_text(written(numbers[: worth.SIZE]), encoding="utf-8")


if __name__ == "__main__":
    main()
