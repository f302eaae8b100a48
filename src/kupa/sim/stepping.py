"""Rounds that wait for somebody: many rows at once, one action each.

A *batch* is an array of int64 of shape (rounds, :func:`kupa.sim.round_row.width`), a round a row. Everything
here works in place and on all rows in one call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kupa.cards import CardSet
from kupa.hearts import rules
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.rules import Knobs
from kupa.sim.chance import Words, stream_of
from kupa.sim.compiling import kernel, part
from kupa.sim.playing import Masks, start_round
from kupa.sim.policy import choose
from kupa.sim.round_row import (
    BLOCKS,
    BROKEN,
    DEALER,
    DIRECTION,
    KITTY,
    KITTY_TAKER,
    KITTY_TWICE,
    LEADER,
    LYING,
    PASSED,
    PASSED_TWICE,
    PHASE,
    PLAYING,
    SCORED,
    SHOOTER,
    SHOWN,
    STREAM,
    TAKEN,
    TAKEN_TWICE,
    TRICK,
    TRICKS,
    TURN,
    act,
    begin,
    knobs_of,
    legal_actions,
    suit_led,
    unseen,
    width,
)
from kupa.sim.shown import note_shown

Rows = NDArray[np.int64]
NO_ACTION: Final = -1
"""The action that leaves a round as it is."""


@kernel
def deal_rows(
    rows: Rows, knobs: Knobs, deck: tuple[int, int], directions: Words, seed: int, numbers: Words
) -> None:
    """Deal every row the round of its number; see :func:`kupa.sim.playing.play`."""
    for place in range(len(rows)):
        start_round(rows[place], knobs, deck, directions, seed, numbers[place])


@kernel
def legal_rows(rows: Rows, knobs: Knobs, choices: Words) -> None:
    """Write into ``choices`` what may be done in every row, as a mask; 0 where the round is over."""
    for place in range(len(rows)):
        choices[place] = legal_actions(rows[place], knobs)


@kernel
def act_rows(rows: Rows, knobs: Knobs, actions: Words) -> int:
    """Do one action in every row, or in none where one is not legal.

    Args:
        rows: the batch.
        knobs: the rulebook.
        actions: one a row; NO_ACTION leaves a row as it is.

    Returns:
        The first row whose action is not legal, or -1 when all have been done.
    """
    for place in range(len(rows)):
        action = actions[place]
        if action == NO_ACTION:
            continue
        if action < NO_ACTION or action > 62 or not legal_actions(rows[place], knobs) >> action & 1:
            return place
    for place in range(len(rows)):
        row, action = rows[place], actions[place]
        if action == NO_ACTION:
            continue
        if row[PHASE] == PLAYING:
            played, shown = row[TRICKS] * knobs.players + row[LYING], BLOCKS + SHOWN * knobs.players
            out = row[shown : shown + knobs.players]
            note_shown(knobs, played, row[TURN], action, suit_led(row, knobs), row[BROKEN], out)
        act(row, knobs, action)
    return -1


@kernel
def choose_rows(rows: Rows, knobs: Knobs, policies: Words, actions: Words) -> None:
    """Write into ``actions`` what the seats on turn choose by policy; NO_ACTION where the round is over."""
    for place in range(len(rows)):
        choices = legal_actions(rows[place], knobs)
        if choices:
            actions[place] = choose(rows[place], knobs, choices, policies[rows[place, TURN]])
        else:
            actions[place] = NO_ACTION


@kernel
def begin_row(row: Words, knobs: Knobs) -> None:
    """Let a row that holds a deal go on to its first decision."""
    begin(row, knobs)


@kernel
def first_stream(seed: int, number: int) -> int:
    """Return the stream of a round."""
    return stream_of(seed, number)


def empty_rows(rulebook: Rulebook, rounds: int) -> Rows:
    """Return a batch whose rounds are over."""
    rows = np.zeros((rounds, width(rulebook.players)), np.int64)
    rows[:, PHASE] = SCORED
    return rows


def row_of(
    rulebook: Rulebook, hands: Sequence[CardSet], kitty: CardSet, direction: int, dealer: int, seed: int = 0
) -> Words:
    """Return a round that is dealt given hands.

    Args:
        rulebook: any.
        hands: one a seat, each of the rulebook's size.
        kitty: the rest of the deck.
        direction: of the pass, as the rules number it.
        dealer: a seat.
        seed: of the round's stream.

    Raises:
        ValueError: hands and kitty are not a deal of the deck.
    """
    dealt = sorted([card for hand in hands for card in hand] + list(kitty))
    sizes = [len(hand) for hand in hands]
    if dealt != sorted(rulebook.deck) or sizes != [rulebook.hand_size] * rulebook.players:
        raise ValueError("hands and kitty are not a deal of the deck")
    players = rulebook.players
    row = np.zeros(width(players), np.int64)
    row[STREAM] = first_stream(seed, 0)
    row[DIRECTION], row[DEALER] = direction, dealer
    row[KITTY_TAKER] = row[SHOOTER] = rules.NONE
    row[KITTY], row[KITTY_TWICE] = kitty.held, kitty.twice
    for seat, hand in enumerate(hands):
        row[BLOCKS + seat], row[BLOCKS + players + seat] = hand.held, hand.twice
    begin_row(row, knobs_of(rulebook))
    return row


class Sights(NamedTuple):
    """What the seats on turn see, of n rounds and p players; seats are relative to the one on turn."""

    hands: Masks
    """Shape (n, 2): the two masks of its hand."""
    passed: Masks
    """Shape (n, 2): the two masks of what it passed or has chosen to pass."""
    tricks: Masks
    """Shape (n, p): the card of each seat in the trick on the table, -1 for none."""
    taken: Masks
    """Shape (n, p): mask of the cards that each seat has taken, less a kitty not its own."""
    shown: Masks
    """Shape (n, p): mask of the cards that each seat has shown not to hold."""
    outside: Masks
    """Shape (n,): mask of the cards that it does not see, wherever they are."""


def empty_sights(rounds: int, players: int) -> Sights:
    """Return arrays to write what is seen into."""
    return Sights(
        hands=np.zeros((rounds, 2), np.int64),
        passed=np.zeros((rounds, 2), np.int64),
        tricks=np.zeros((rounds, players), np.int64),
        taken=np.zeros((rounds, players), np.int64),
        shown=np.zeros((rounds, players), np.int64),
        outside=np.zeros(rounds, np.int64),
    )


@part
def observe(row: Words, knobs: Knobs, seat: int, place: int, sights: Sights) -> None:
    """Write what a seat sees of a round at a place of the arrays."""
    players = knobs.players
    for half in range(2):
        sights.hands[place, half] = row[BLOCKS + half * players + seat]
    sights.passed[place, 0] = row[BLOCKS + PASSED * players + seat]
    sights.passed[place, 1] = row[BLOCKS + PASSED_TWICE * players + seat]
    for lying in range(row[LYING]):
        player = (row[LEADER] + lying - seat + players) % players
        sights.tricks[place, player] = row[BLOCKS + TRICK * players + lying]
    for other in range(players):
        holder = (seat + other) % players
        mask = row[BLOCKS + TAKEN * players + holder]
        if holder == row[KITTY_TAKER] and other != 0:
            # With two packs, a card of the kitty may lie in a trick as well.
            mask &= ~row[KITTY] | row[BLOCKS + TAKEN_TWICE * players + holder] & ~row[KITTY_TWICE]
        sights.taken[place, other] = mask
        sights.shown[place, other] = row[BLOCKS + SHOWN * players + holder]
    sights.outside[place] = unseen(row, knobs, seat)


@kernel
def observe_rows(rows: Rows, knobs: Knobs, sights: Sights) -> None:
    """Write what the seat on turn of every row sees; zeros, and -1 for cards, where the round is over."""
    for array in sights[:5]:
        array[:] = 0
    sights.tricks[:] = rules.NONE
    sights.outside[:] = 0
    for place in range(len(rows)):
        if rows[place, TURN] != rules.NONE:
            observe(rows[place], knobs, rows[place, TURN], place, sights)
