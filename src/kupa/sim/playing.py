"""Whole rounds in one call: dealt, passed, played and scored, by the thousand.

Rounds are numbered; round ``n`` of a seed is the same whatever else is played with it, and its number tells
the direction of its pass and its dealer, as in a match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kupa.hearts import rules
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.rules import Knobs
from kupa.sim.bits import bit_at, count_bits, lowest_card
from kupa.sim.chance import Words, below, stream_of
from kupa.sim.compiling import inlined, kernel, part
from kupa.sim.policy import AT_RANDOM, POLICIES, choose
from kupa.sim.round_row import (
    BLOCK_COUNT,
    BLOCKS,
    KITTY,
    KITTY_TAKER,
    KITTY_TWICE,
    MOON,
    PASSED,
    PASSED_TWICE,
    PASSING,
    PHASE,
    PLAYING,
    POINTS,
    SHOOTER,
    STREAM,
    TAKEN,
    TURN,
    can_pass,
    deal,
    deck_of,
    end_round,
    exchange,
    knobs_of,
    legal_cards,
    pass_card,
    play_card,
    random_card,
    score,
)

Masks = NDArray[np.int64]
Cards = NDArray[np.int8]


class Log(NamedTuple):
    """What happened in some rounds; ``rounds`` is their number, or 0 where nothing is kept."""

    hands: Masks
    """As they were dealt: shape (rounds, 2, players), the masks of the cards held once and held twice."""
    kitty: Masks
    """Shape (rounds, 2)."""
    passed: Masks
    """Shape (rounds, 2, players); 0 where nothing was passed."""
    cards: Cards
    """Shape (rounds, cards), the cards in the order in which they were played; see :mod:`kupa.cards`."""
    seats: Cards
    """Shape (rounds, cards): who played them."""
    legal: Masks
    """Shape (rounds, cards): what might have been played instead, as masks."""
    subtracted: Cards
    """Shape (rounds,): 1 where a shooter who could choose took the points off the own total."""


class Played(NamedTuple):
    """Rounds that have been played."""

    points: Masks
    """Shape (rounds, players): what is written down."""
    shooters: Cards
    """Shape (rounds,): who shot the moon, or -1."""
    log: Log


# ---------------------------------------------------------------- one round


@part
def note_deal(row: Words, knobs: Knobs, log: Log, slot: int) -> None:
    """Write what has been dealt into a log."""
    log.kitty[slot, 0], log.kitty[slot, 1] = row[KITTY], row[KITTY_TWICE]
    for seat in range(knobs.players):
        log.hands[slot, 0, seat] = row[BLOCKS + seat]
        log.hands[slot, 1, seat] = row[BLOCKS + knobs.players + seat]


@part
def note_pass(row: Words, knobs: Knobs, log: Log, slot: int) -> None:
    """Write what has been passed into a log."""
    for seat in range(knobs.players):
        log.passed[slot, 0, seat] = row[BLOCKS + PASSED * knobs.players + seat]
        log.passed[slot, 1, seat] = row[BLOCKS + PASSED_TWICE * knobs.players + seat]


@inlined
def random_pass(row: Words, knobs: Knobs) -> None:
    """Have every seat pass cards drawn from its hand."""
    players = knobs.players
    for seat in range(players):
        once, twice = row[BLOCKS + seat], row[BLOCKS + players + seat]
        given = given_twice = 0
        for _ in range(knobs.pass_count):
            bit = 1 << random_card(row, once, twice)
            given_twice |= given & bit
            given |= bit
            once ^= bit & ~twice
            twice &= ~bit
        row[BLOCKS + PASSED * players + seat] = given
        row[BLOCKS + PASSED_TWICE * players + seat] = given_twice
    exchange(row, knobs)


@inlined
def random_play(row: Words, knobs: Knobs, log: Log, slot: int, keep: bool) -> None:
    """Play out a round of one pack at random, every legal card as likely as the others.

    The same loop as :func:`kupa.sim.round_row.play_card`, with what changes from card to card in registers: a
    row in memory takes twice as long. The tests hold both to the engine.
    """
    players = knobs.players
    seat, broken, place = row[TURN], 0, 0
    for trick in range(knobs.hand_size):
        first = trick == 0
        led, best, best_seat, table = rules.NONE, 0, 0, 0
        for lying in range(players):
            hand = row[BLOCKS + seat]
            choices = rules.playable(hand, led, broken, first, knobs.opens_lowest_club, knobs.barred)
            bit = bit_at(choices, below(row, STREAM, count_bits(choices)))
            card = lowest_card(bit)
            row[BLOCKS + seat] = hand ^ bit
            if lying == 0:
                led = card >> 4
            table |= bit
            broken |= rules.breaks_hearts(card, knobs.queen_breaks)
            # Without a branch: nobody can guess who takes a trick, a processor least of all.
            better = lying == 0 or rules.beats(card, best)
            best = card if better else best
            best_seat = seat if better else best_seat
            if keep:
                log.cards[slot, place], log.seats[slot, place] = card, seat
                log.legal[slot, place] = choices
                place += 1
            seat = rules.left_of(seat, players)
        seat = best_seat
        row[BLOCKS + TAKEN * players + seat] |= table
        if first:
            row[BLOCKS + TAKEN * players + seat] |= row[KITTY]
            row[KITTY_TAKER] = seat
    end_round(row, knobs)


@part
def policy_play(row: Words, knobs: Knobs, policies: Words, log: Log, slot: int, keep: bool) -> None:
    """Play out a round from any moment, each seat by its policy."""
    place = 0
    while row[PHASE] == PASSING:
        pass_card(row, knobs, choose(row, knobs, can_pass(row, knobs), policies[row[TURN]]))
    if keep:
        note_pass(row, knobs, log, slot)
    while row[PHASE] == PLAYING:
        seat, choices = row[TURN], legal_cards(row, knobs)
        card = choose(row, knobs, choices, policies[seat])
        if keep:
            log.cards[slot, place], log.seats[slot, place] = card, seat
            log.legal[slot, place] = choices
            place += 1
        play_card(row, knobs, card)


@inlined
def random_rounds(
    knobs: Knobs,
    deck: tuple[int, int],
    directions: Words,
    seed: int,
    first: int,
    points: Masks,
    shooters: Cards,
    log: Log,
) -> None:
    """Play as many rounds of one pack as ``points`` has rows, all at random; see :func:`play`."""
    row = np.zeros(BLOCKS + BLOCK_COUNT * knobs.players, np.int64)
    keep = len(log.cards) > 0
    for slot in range(len(points)):
        start_round(row, knobs, deck, directions, seed, first + slot)
        if keep:
            note_deal(row, knobs, log, slot)
        if row[PHASE] == PASSING:
            random_pass(row, knobs)
        if keep:
            note_pass(row, knobs, log, slot)
        random_play(row, knobs, log, slot, keep)
        if row[PHASE] == MOON:
            finish_moon(row, knobs, AT_RANDOM, log, slot, keep)
        note_points(row, knobs, points, shooters, slot)


@inlined
def policy_rounds(
    knobs: Knobs,
    deck: tuple[int, int],
    directions: Words,
    seed: int,
    first: int,
    policies: Words,
    points: Masks,
    shooters: Cards,
    log: Log,
) -> None:
    """Play as many rounds as ``points`` has rows, each seat by its policy; see :func:`play`."""
    row = np.zeros(BLOCKS + BLOCK_COUNT * knobs.players, np.int64)
    keep = len(log.cards) > 0
    for slot in range(len(points)):
        start_round(row, knobs, deck, directions, seed, first + slot)
        if keep:
            note_deal(row, knobs, log, slot)
        policy_play(row, knobs, policies, log, slot, keep)
        if row[PHASE] == MOON:
            finish_moon(row, knobs, policies[row[TURN]], log, slot, keep)
        note_points(row, knobs, points, shooters, slot)


@inlined
def start_round(
    row: Words, knobs: Knobs, deck: tuple[int, int], directions: Words, seed: int, number: int
) -> None:
    """Deal the round of a number."""
    row[STREAM] = stream_of(seed, number)
    direction = directions[number % len(directions)]
    deal(row, knobs, deck[0], deck[1], direction, rules.dealer_of(number, knobs.players))


@part
def finish_moon(row: Words, knobs: Knobs, policy: int, log: Log, slot: int, keep: bool) -> None:
    """Have the shooter choose what the moon does, and score."""
    subtracts = below(row, STREAM, 2) if policy == AT_RANDOM else 0
    if keep:
        log.subtracted[slot] = subtracts
    score(row, knobs, subtracts)


@inlined
def note_points(row: Words, knobs: Knobs, points: Masks, shooters: Cards, slot: int) -> None:
    """Write the result of a round where it is asked for."""
    shooters[slot] = row[SHOOTER]
    for seat in range(knobs.players):
        points[slot, seat] = row[BLOCKS + POINTS * knobs.players + seat]


# ---------------------------------------------------------------- kernels


@kernel
def play_at_random(
    knobs: Knobs,
    deck: tuple[int, int],
    directions: Words,
    seed: int,
    first: int,
    points: Masks,
    shooters: Cards,
    log: Log,
) -> None:
    """Play rounds of one pack at random, of any rulebook; see :func:`play`."""
    random_rounds(knobs, deck, directions, seed, first, points, shooters, log)


@kernel
def play_by_policies(
    knobs: Knobs,
    deck: tuple[int, int],
    directions: Words,
    seed: int,
    first: int,
    policies: Words,
    points: Masks,
    shooters: Cards,
    log: Log,
) -> None:
    """Play rounds, each seat by its policy, of any rulebook; see :func:`play`."""
    policy_rounds(knobs, deck, directions, seed, first, policies, points, shooters, log)


class Kernels(NamedTuple):
    """The kernels for whole rounds of one rulebook: they take what the two above take but knobs and deck."""

    at_random: Callable[..., None]
    by_policies: Callable[..., None]


@lru_cache(maxsize=64)
def kernels_of_its_own(knobs: Knobs, deck: tuple[int, int]) -> Kernels:
    """Return kernels in which the knobs are constants: faster, but each rulebook's are compiled anew.

    They are kept on the disk like any other, under the values of knobs and deck too.
    """

    @kernel
    def at_random(directions: Words, seed: int, first: int, points: Masks, shooters: Cards, log: Log) -> None:
        random_rounds(knobs, deck, directions, seed, first, points, shooters, log)

    @kernel
    def by_policies(
        directions: Words, seed: int, first: int, policies: Words, points: Masks, shooters: Cards, log: Log
    ) -> None:
        policy_rounds(knobs, deck, directions, seed, first, policies, points, shooters, log)

    return Kernels(at_random, by_policies)


# ---------------------------------------------------------------- from Python


def empty_log(rounds: int, rulebook: Rulebook) -> Log:
    """Return a log with room for some rounds of a rulebook."""
    players, cards = rulebook.players, rulebook.players * rulebook.hand_size
    return Log(
        hands=np.zeros((rounds, 2, players), np.int64),
        kitty=np.zeros((rounds, 2), np.int64),
        passed=np.zeros((rounds, 2, players), np.int64),
        cards=np.zeros((rounds, cards), np.int8),
        seats=np.zeros((rounds, cards), np.int8),
        legal=np.zeros((rounds, cards), np.int64),
        subtracted=np.zeros(rounds, np.int8),
    )


def directions_of(rulebook: Rulebook) -> Words:
    """Return the directions of a rulebook's passes as the rules number them, to be repeated."""
    cycle = rulebook.pass_cycle if rulebook.pass_count else ("hold",)
    return np.array([rules.DIRECTIONS[direction] for direction in cycle], np.int64)


def checked_policies(rulebook: Rulebook, policies: Sequence[int] | int) -> Words:
    """Return a policy for every seat.

    Raises:
        ValueError: there is not one for each seat, or a number is no policy's.
    """
    each = [policies] * rulebook.players if isinstance(policies, int) else list(policies)
    if len(each) != rulebook.players or any(policy not in POLICIES for policy in each):
        raise ValueError(f"{rulebook.players} seats need a policy each, of {POLICIES}, not {each}")
    return np.array(each, np.int64)


def play(
    rulebook: Rulebook,
    rounds: int,
    *,
    seed: int = 0,
    first: int = 0,
    policies: Sequence[int] | int = AT_RANDOM,
    keep: bool = False,
    specialised: bool = False,
) -> Played:
    """Deal, pass, play and score some rounds.

    Args:
        rulebook: any.
        rounds: how many, from 0.
        seed: what chance hangs on, with the number of a round; a signed 64-bit integer.
        first: the number of the first round; from 0.
        policies: a policy for every seat, or one for all: AT_RANDOM or BY_RULE of :mod:`kupa.sim.policy`.
        keep: whether to keep what happened.
        specialised: whether to compile kernels for this very rulebook, which takes seconds when they are not
            on the disk yet, and pays from some ten million rounds on; the rounds are the same.

    Raises:
        ValueError: a number is out of its range.
    """
    if rounds < 0 or first < 0 or not -(2**63) <= seed < 2**63:
        raise ValueError(f"rounds and first are from 0, seed has 64 bits: {rounds}, {first}, {seed}")
    each = checked_policies(rulebook, policies)
    points = np.zeros((rounds, rulebook.players), np.int64)
    shooters = np.full(rounds, rules.NONE, np.int8)
    log = empty_log(rounds if keep else 0, rulebook)
    knobs, deck, directions = knobs_of(rulebook), deck_of(rulebook), directions_of(rulebook)
    any_rulebook = Kernels(partial(play_at_random, knobs, deck), partial(play_by_policies, knobs, deck))
    kernels = kernels_of_its_own(knobs, deck) if specialised else any_rulebook
    if rulebook.decks == 1 and not each.any():
        kernels.at_random(directions, seed, first, points, shooters, log)
    else:
        kernels.by_policies(directions, seed, first, each, points, shooters, log)
    return Played(points, shooters, log)
