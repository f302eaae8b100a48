"""Worlds: deals of the cards that a seat does not see, all that agree with what it knows equally likely.

Cards that may be with the same holders make a *kind*; holders from whom the same cards are ruled out make a
*group*. A dynamic programme over groups counts in how many ways each number of each kind can go to them. A
world is drawn by choosing these numbers by their count, then cards of each kind, then the holder within the
group, so that nothing is ever drawn in vain. Counts are floating-point numbers of 53 bits: that far the draw
is exact.

What is hardest to fill comes first, and the last group takes what is left. A copy of a card counts as a card
of its own, as it does when a deck of two packs is shuffled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from kupa.cards import Card
from kupa.sim.chance import Words, below, fraction, stream_of
from kupa.sim.compiling import inlined, kernel, part
from kupa.sim.knowledge import Knowledge

Counts = NDArray[np.int64]
Weights = NDArray[np.float64]
Masks = NDArray[np.int64]

MOST_STATES: Final = 1 << 24
"""A table of more places than this is refused; no round has come near it."""


class Layout(NamedTuple):
    """Kinds and groups as arrays, with the holders in them."""

    cards: NDArray[np.int64]
    """The pool, kind by kind."""
    kinds: Counts
    """How many cards each kind has."""
    allowed: NDArray[np.int64]
    """Shape (groups, kinds): 1 where a group may hold a kind."""
    holders: Counts
    """The holders that have room, group by group."""
    sizes: Counts
    """How many holders each group has."""
    room: Counts
    """How many cards each of ``holders`` takes."""


class Ways(NamedTuple):
    """The table: a state is a group that is to choose, and what is left of each kind.

    An edge is a choice of numbers. Edges of a state lie together, each with the sum of ways up to it.
    """

    first_edge: Counts
    """By state; one more at the end."""
    sums: Weights
    """By edge."""
    next_state: Counts
    """By edge."""
    numbers: Counts
    """Shape (edges, kinds): what the group takes."""


@inlined
def ways_to_choose(total: int, part: int) -> float:
    """Return the binomial coefficient."""
    ways = 1.0
    for i in range(part):
        ways = ways * (total - i) / (i + 1)
    # Most such numbers are integers below 2**53: rounding mends what division has cost.
    whole: float = np.rint(ways)
    return whole


@inlined
def next_numbers(numbers: Counts, left: Counts, allowed: Counts, room: int) -> bool:
    """Move on to the next way to fill ``room`` from the kinds, in place; False when there is none.

    Args:
        numbers: how many of each kind; all 0 but the first entry -1 to begin with.
        left: what is left of each kind.
        allowed: 1 for the kinds that may be taken.
        room: how many cards are taken.
    """
    kinds = len(left)
    place = 0 if numbers[0] < 0 else kinds
    if place == kinds:
        # Find the last kind but one whose number can grow; what comes after it is filled up anew.
        place -= 2
        while place >= 0:
            taken = 0
            for kind in range(place + 1):
                taken += numbers[kind]
            most = left[place] if allowed[place] else 0
            if numbers[place] < most and taken < room:
                numbers[place] += 1
                break
            place -= 1
        if place < 0:
            return False
        for kind in range(place + 1, kinds):
            numbers[kind] = 0
    else:
        numbers[:] = 0
    taken = 0
    for kind in range(kinds - 1):
        taken += numbers[kind]
    numbers[kinds - 1] = room - taken
    return True


@inlined
def taken_from(left: Counts, numbers: Counts, strides: Counts) -> tuple[int, float]:
    """Return a number for what is left after a choice, and the ways in which the choice can be made."""
    code, ways = 0, 1.0
    for kind in range(len(left)):
        code += (left[kind] - numbers[kind]) * strides[kind]
        ways *= ways_to_choose(left[kind], numbers[kind])
    return code, ways


@part
def longer(array: Any) -> Any:
    """Return an array of twice as many entries, those of another first."""
    return np.concatenate((array, np.zeros_like(array)))


@part
def add_up(first_edge: Counts, weights: Weights, next_state: Counts, begin: int, end: int) -> None:
    """Make weights of edges sums: the ways of an edge are its own, times those of what comes after.

    Args:
        first_edge: as in :class:`Ways`, and so is ``next_state``.
        weights: the ways of each edge alone; in place, the sums up to it.
        next_state: by edge.
        begin: the first state in which nothing is left to choose.
        end: one past the last.
    """
    total = np.zeros(end, np.float64)
    total[begin:end] = 1.0
    for state in range(begin - 1, -1, -1):
        for edge in range(first_edge[state], first_edge[state + 1]):
            total[state] += weights[edge] * total[next_state[edge]]
            weights[edge] = total[state]


@kernel
def table_of(kinds: Counts, allowed: Counts, rooms: Counts) -> tuple[Counts, Weights, Counts, Counts]:
    """Count the ways in which each group, one after the other, can take its cards.

    Args:
        kinds: how many cards each kind has.
        allowed: shape (groups, kinds).
        rooms: how many cards each group takes; together, all.

    Returns:
        The fields of :class:`Ways`. The state 0 has 0 ways where no world agrees.
    """
    groups, many = allowed.shape
    strides = np.ones(many, np.int64)
    for kind in range(1, many):
        strides[kind] = strides[kind - 1] * (kinds[kind - 1] + 1)
    places = strides[many - 1] * (kinds[many - 1] + 1)
    known = np.full(places, -1, np.int64)
    states = np.zeros((64, many), np.int64)
    states[0] = kinds
    first_edge = np.zeros(128, np.int64)
    next_state, weights = np.zeros(256, np.int64), np.zeros(256, np.float64)
    numbers = np.zeros((256, many), np.int64)
    choice = np.zeros(many, np.int64)
    begin, end, edges = 0, 1, 0
    layers = np.zeros(groups + 1, np.int64)
    layers[1] = 1
    for group in range(groups):
        for state in range(begin, end):
            first_edge[state] = edges
            choice[:] = 0
            choice[0] = -1
            while next_numbers(choice, states[state], allowed[group], rooms[group]):
                last = choice[many - 1]
                if last < 0 or last > (states[state, many - 1] if allowed[group, many - 1] else 0):
                    continue
                code, weight = taken_from(states[state], choice, strides)
                if edges == len(weights):
                    next_state, weights, numbers = longer(next_state), longer(weights), longer(numbers)
                to = known[code]
                # A state of an earlier layer with the same cards left is another one.
                if to < end:
                    to = layers[group + 1]
                    known[code] = to
                    if to == len(states):
                        states, first_edge = longer(states), longer(first_edge)
                    states[to] = states[state] - choice
                    layers[group + 1] = to + 1
                next_state[edges], weights[edges], numbers[edges] = to, weight, choice
                edges += 1
        begin, end = end, layers[group + 1]
        if group + 2 <= groups:
            layers[group + 2] = end
    first_edge[begin : end + 1] = edges
    add_up(first_edge, weights, next_state, begin, end)
    return (
        first_edge[: end + 1].copy(),
        weights[:edges].copy(),
        next_state[:edges].copy(),
        numbers[:edges].copy(),
    )


@inlined
def deal_holder(row: Words, drawn: Words, got: int, room: int, masks: Words) -> None:
    """Give a holder some of the ``got`` cards of its group; the others are left in front.

    Args:
        row: its word 0 is the stream.
        drawn: the group's cards.
        got: how many are left.
        room: how many the holder takes.
        masks: the two masks of what the holder has.
    """
    once, twice = masks[0], masks[1]
    rest = got if room < got else 0
    for i in range(room):
        chosen = below(row, 0, rest - i) if rest else i
        bit = 1 << drawn[chosen]
        if rest:
            drawn[chosen] = drawn[rest - i - 1]
        twice |= once & bit
        once |= bit
    masks[0], masks[1] = once, twice


@inlined
def drawn_edge(row: Words, ways: Ways, state: int) -> int:
    """Draw an edge of a state, each as likely as its ways; word 0 of the row is the stream."""
    edge, last = ways.first_edge[state], ways.first_edge[state + 1] - 1
    if edge < last:
        point = fraction(row) * ways.sums[last]
        while edge < last:
            middle = (edge + last) // 2
            if ways.sums[middle] > point:
                last = middle
            else:
                edge = middle + 1
    drawn: int = edge
    return drawn


@kernel
def draw_worlds(layout: Layout, ways: Ways, seed: int, worlds: NDArray[np.int64]) -> None:
    """Draw as many worlds as ``worlds`` has rows.

    Args:
        layout: of the pool.
        ways: its table.
        seed: what chance hangs on.
        worlds: shape (worlds, 2, holders), with what is fixed already in it; the pool's cards are added.
    """
    row = np.zeros(1, np.int64)
    row[0] = stream_of(seed, 0)
    many, groups = len(layout.kinds), len(layout.sizes)
    cards, drawn = layout.cards.copy(), np.zeros(len(layout.cards), np.int64)
    starts, left = np.zeros(many, np.int64), layout.kinds.copy()
    for kind in range(1, many):
        starts[kind] = starts[kind - 1] + layout.kinds[kind - 1]
    for world in range(len(worlds)):
        left[:] = layout.kinds
        state, place = 0, 0
        for group in range(groups):
            edge = drawn_edge(row, ways, state)
            state = ways.next_state[edge]
            got = 0
            for kind in range(many):
                wanted, start = ways.numbers[edge, kind], starts[kind]
                # Who takes all that is left of a kind needs no chance.
                rest = left[kind] if wanted < left[kind] else 0
                for i in range(wanted):
                    if rest:
                        chosen, other = start + below(row, 0, rest - i), start + rest - i - 1
                        drawn[got] = cards[chosen]
                        cards[chosen], cards[other] = cards[other], drawn[got]
                    else:
                        drawn[got] = cards[start + i]
                    got += 1
                left[kind] -= wanted
            for holder in range(place, place + layout.sizes[group]):
                deal_holder(row, drawn, got, layout.room[holder], worlds[world, :, layout.holders[holder]])
                got -= layout.room[holder]
            place += layout.sizes[group]


class Table:
    """The worlds that agree with one :class:`Knowledge`; there may be none.

    Raises:
        ValueError: the table would be too large.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.layout = layout_of(knowledge)
        rooms = _words([int(sum(part)) for part in _parts(self.layout.room, self.layout.sizes)])
        if np.prod(self.layout.kinds + 1.0) > MOST_STATES:
            raise ValueError(f"the table would have more than {MOST_STATES} places")
        self.ways = Ways(*table_of(self.layout.kinds, self.layout.allowed, rooms))
        self.number = self._number()

    def _number(self) -> float:
        """Return how many deals agree, holders of the same group told apart."""
        if not len(self.layout.sizes):
            return 1.0
        first, last = self.ways.first_edge[0], self.ways.first_edge[1]
        within = 1.0
        for rooms in _parts(self.layout.room, self.layout.sizes):
            total = int(sum(rooms))
            for room in rooms:
                within *= ways_to_choose(total, int(room))
                total -= int(room)
        return float(self.ways.sums[last - 1]) * within if last > first else 0.0

    def fill(self, worlds: NDArray[np.int64], seed: int) -> None:
        """Draw worlds into an array of shape (worlds, 2, holders)."""
        write_fixed(self.knowledge, worlds)
        draw_worlds(self.layout, self.ways, seed, worlds)


class Worlds:
    """The worlds that agree with what a seat knows, to be drawn from.

    Raises:
        ValueError: no world agrees, or a table would be too large.
    """

    def __init__(self, cases: Sequence[Knowledge]) -> None:
        tables = [Table(case) for case in cases]
        self.tables = [table for table in tables if table.number >= 1]
        self.number = sum(table.number for table in self.tables)
        """How many deals agree; a copy of a card counts as a card of its own."""
        if not self.tables:
            raise ValueError("no deal agrees with what is known")
        self.chances = np.array([table.number for table in self.tables]) / self.number

    def draw(self, count: int, seed: int) -> NDArray[np.int64]:
        """Draw worlds, independently of each other.

        Args:
            count: how many.
            seed: what chance hangs on, a signed 64-bit integer; the same seed draws the same worlds.

        Returns:
            Shape (count, 2, players + 1): for every seat and, last, the kitty the masks of the cards held at
            least once and held twice. A kitty that another seat took is still told as the kitty.
        """
        return drawn_from(self.tables, self.chances, count, seed)


class Fills(Protocol):
    """Some of the worlds that agree, to be drawn from."""

    knowledge: Knowledge

    def fill(self, worlds: Masks, seed: int) -> None:
        """Draw worlds into an array of shape (worlds, 2, holders)."""


def drawn_from(tables: Sequence[Fills], chances: Weights, count: int, seed: int) -> Masks:
    """Draw worlds, each from a table that is chosen by its chance.

    Args:
        tables: at least one.
        chances: theirs; together 1.
        count: how many worlds.
        seed: what chance hangs on.

    Returns:
        Shape (count, 2, players + 1), as from :meth:`Worlds.draw`.
    """
    worlds = np.empty((count, 2, tables[0].knowledge.players + 1), np.int64)
    if len(tables) == 1:
        tables[0].fill(worlds, seed)
        return worlds
    chosen = np.random.default_rng(seed % 2**64).choice(len(tables), count, p=chances)
    for number, table in enumerate(tables):
        some = np.empty((int((chosen == number).sum()), *worlds.shape[1:]), np.int64)
        table.fill(some, seed ^ number + 1)
        worlds[chosen == number] = some
    return worlds


def write_fixed(knowledge: Knowledge, worlds: Masks) -> None:
    """Write the cards that each holder certainly has into every world."""
    worlds[:, 0] = [held.held for held in knowledge.fixed]
    worlds[:, 1] = [held.twice for held in knowledge.fixed]


def _parts(values: Counts, sizes: Counts) -> list[Counts]:
    """Return values group by group."""
    ends = np.cumsum(sizes)
    return [values[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def layout_of(knowledge: Knowledge) -> Layout:
    """Put cards into kinds and holders into groups."""
    pool = sum(1 << card for card in set(knowledge.pool))
    groups: dict[int, list[int]] = {}
    for holder, room in enumerate(knowledge.room):
        if room:
            groups.setdefault(knowledge.ruled_out[holder] & pool, []).append(holder)
    # What is hardest to fill comes first, so that the table stays small: the last group takes the rest.
    ordered = sorted(groups.items(), key=lambda item: (-item[0].bit_count(), item[1]))
    kinds: dict[tuple[int, ...], list[Card]] = {}
    for card in knowledge.pool:
        kinds.setdefault(tuple(int(not out >> card & 1) for out, _ in ordered), []).append(card)
    holders = [holder for _, members in ordered for holder in members]
    return Layout(
        cards=_words([card for cards in kinds.values() for card in cards]),
        kinds=_words([len(cards) for cards in kinds.values()]) if kinds else _words([0]),
        allowed=np.array(list(kinds), np.int64).reshape(max(1, len(kinds)), len(ordered)).T.copy(),
        holders=_words(holders),
        sizes=_words([len(members) for _, members in ordered]),
        room=_words([knowledge.room[holder] for holder in holders]),
    )


def _words(values: Sequence[int]) -> Counts:
    return np.array(values, np.int64)
