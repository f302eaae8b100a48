"""A round as a row of 64-bit words, and how it goes on: deal, pass, play, take, score.

A row is a one-dimensional array of int64, so that copying a round is copying :func:`width` words, and a batch
is an array of two dimensions. First come single numbers, at the places named below; then blocks of one word a
seat, the block ``b`` of seat ``s`` at ``BLOCKS + b * players + s``. A set of cards is two masks, as in
:class:`kupa.cards.CardSet`: the cards held at least once, and those held twice (0 with one pack).

The functions are parts of kernels: they ask :mod:`kupa.hearts.rules` for every rule and keep the engine's
order of events; the tests hold both to it. They check nothing: what is played must be in :func:`legal_cards`.
"""

from __future__ import annotations

from typing import Any, Final

from kupa.cards import PACK, mask_of
from kupa.hearts import rules
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.rules import Knobs
from kupa.sim.bits import bit_at, count_bits, lowest_card
from kupa.sim.chance import Words, below
from kupa.sim.compiling import inlined, part

PHASE: Final = 0
"""PASSING, PLAYING, MOON (its shooter chooses) or SCORED."""
TURN: Final = 1
"""Who is to act, -1 when the round is over. In PASSING the seats choose one after the other, from seat 0."""
LEADER: Final = 2
"""Who led to the trick on the table."""
LYING: Final = 3
"""How many cards lie in it."""
TRICKS: Final = 4
"""How many tricks are finished."""
BROKEN: Final = 5
DIRECTION: Final = 6
"""HOLD, LEFT, RIGHT or ACROSS of the rules."""
DEALER: Final = 7
KITTY: Final = 8
KITTY_TWICE: Final = 9
KITTY_TAKER: Final = 10
"""Who took the kitty, or -1."""
TABLE: Final = 11
TABLE_TWICE: Final = 12
"""What the next taker gets, the kitty apart: the trick on the table, and tricks that cancelled before it."""
STREAM: Final = 13
"""The round's own stream of chance: see :mod:`kupa.sim.chance`."""
SHOOTER: Final = 14
"""Who shot the moon, or -1; known when the last trick is taken."""
BEST: Final = 15
"""The best card of the suit led so far, equal cards aside."""
BEST_SEAT: Final = 16
"""Who played it."""
BLOCKS: Final = 17

HANDS: Final = 0
HANDS_TWICE: Final = 1
TAKEN: Final = 2
TAKEN_TWICE: Final = 3
PASSED: Final = 4
PASSED_TWICE: Final = 5
TRICK: Final = 6
"""The cards on the table in the order played, as cards, not as masks."""
POINTS: Final = 7
"""What is written down, once the phase is SCORED."""
SHOWN: Final = 8
"""Mask of what a seat has shown not to hold: see :mod:`kupa.sim.shown`. Only single steps keep it."""
BLOCK_COUNT: Final = 9

PASSING: Final = 0
PLAYING: Final = 1
MOON: Final = 2
SCORED: Final = 3

MOON_ADDS: Final = 13
MOON_SUBTRACTS: Final = 14
"""The actions of a shooter who may choose. They are numbers between two suits, which no card has."""

FULL_PACK: Final = mask_of(PACK)
TARGET_END: Final = 1 << 62


def width(players: int) -> int:
    """Return the number of words of a round."""
    return BLOCKS + BLOCK_COUNT * players


def deck_of(rulebook: Rulebook) -> tuple[int, int]:
    """Return the deck of a rulebook as two masks."""
    once = twice = 0
    for card in rulebook.deck:
        twice |= once & 1 << card
        once |= 1 << card
    return once, twice


def knobs_of(rulebook: Rulebook) -> Knobs:
    """Return the knobs of a rulebook as kernels can hold them: a target that no word holds becomes 2**62."""
    knobs = rulebook.knobs()
    return knobs._replace(target=min(knobs.target, TARGET_END))


# ---------------------------------------------------------------- cards in and out


@inlined
def add_card(row: Words, once: int, twice: int, card: int) -> None:
    """Add a card to the set whose two masks are at two places of a row."""
    bit = 1 << card
    row[twice] |= row[once] & bit
    row[once] |= bit


@inlined
def remove_card(row: Words, once: int, twice: int, card: int) -> None:
    """Take one copy of a card out of the set whose two masks are at two places of a row."""
    bit = 1 << card
    if row[twice] & bit:
        row[twice] ^= bit
    else:
        row[once] ^= bit


@inlined
def add_all(row: Words, once: int, twice: int, more: int, more_twice: int) -> None:
    """Add a set of cards to the one whose two masks are at two places of a row."""
    row[twice] |= row[once] & more | more_twice
    row[once] |= more


@inlined
def random_card(row: Words, once: int, twice: int) -> int:
    """Draw a card of a set, every copy as likely as the others.

    Args:
        row: the round, whose stream is moved on.
        once: mask of the cards held at least once; not empty.
        twice: mask of the cards held twice.
    """
    singles = count_bits(once)
    if twice == 0:
        return lowest_card(bit_at(once, below(row, STREAM, singles)))
    place = below(row, STREAM, singles + count_bits(twice))
    if place < singles:
        return lowest_card(bit_at(once, place))
    return lowest_card(bit_at(twice, place - singles))


# ---------------------------------------------------------------- before play


@inlined
def clear(row: Words, direction: int, dealer: int) -> None:
    """Empty a row but for its stream, and set what a round is dealt with."""
    stream = row[STREAM]
    row[:] = 0
    row[STREAM] = stream
    row[DIRECTION] = direction
    row[DEALER] = dealer
    row[KITTY_TAKER] = row[SHOOTER] = -1


@inlined
def deal(row: Words, knobs: Knobs, once: int, twice: int, direction: int, dealer: int) -> None:
    """Deal a round at random, every deal as likely as the others.

    Args:
        row: any row; only its stream is kept.
        knobs: the rulebook.
        once: the first mask of the deck.
        twice: the second.
        direction: of the pass; HOLD where none is passed.
        dealer: a seat.
    """
    clear(row, direction, dealer)
    players = knobs.players
    left = knobs.hand_size * players + knobs.kitty_size
    # What is left for the last seat where there is no kitty needs no chance.
    drawn = players if knobs.kitty_size else players - 1
    for seat in range(drawn):
        hand = hand_twice = 0
        for _ in range(knobs.hand_size):
            if knobs.decks == 1:
                bit = bit_at(once, below(row, STREAM, left))
                once ^= bit
            else:
                bit = 1 << random_card(row, once, twice)
                once ^= bit & ~twice
                twice &= ~bit
            left -= 1
            hand_twice |= hand & bit
            hand |= bit
        row[BLOCKS + seat] = hand
        row[BLOCKS + players + seat] = hand_twice
    if drawn < players:
        row[BLOCKS + drawn] = once
        row[BLOCKS + players + drawn] = twice
    if knobs.kitty_size:
        row[KITTY] = once
        row[KITTY_TWICE] = twice
    begin(row, knobs)


@inlined
def begin(row: Words, knobs: Knobs) -> None:
    """Let a round that has been dealt go on to its passing, or to its play where nothing is passed."""
    if knobs.pass_count and row[DIRECTION] != rules.HOLD:
        row[PHASE] = PASSING
        row[TURN] = 0
    else:
        open_play(row, knobs)


@inlined
def can_pass(row: Words, knobs: Knobs) -> int:
    """Return the cards that the seat on turn may still choose to pass, as a mask: each may be chosen as often
    as it is held.
    """
    players, seat = knobs.players, row[TURN]
    once, twice = row[BLOCKS + seat], row[BLOCKS + players + seat]
    chosen, chosen_twice = row[BLOCKS + PASSED * players + seat], row[BLOCKS + PASSED_TWICE * players + seat]
    choices: int = (once & ~chosen) | (twice & ~chosen_twice)
    return choices


@part
def pass_card(row: Words, knobs: Knobs, card: int) -> None:
    """Choose one more card to pass, of :func:`can_pass`; when every seat has chosen, the cards go over."""
    players, seat = knobs.players, row[TURN]
    once, twice = BLOCKS + PASSED * players + seat, BLOCKS + PASSED_TWICE * players + seat
    add_card(row, once, twice, card)
    if count_bits(row[once]) + count_bits(row[twice]) == knobs.pass_count:
        row[TURN] = seat + 1
        if seat + 1 == players:
            exchange(row, knobs)


@inlined
def exchange(row: Words, knobs: Knobs) -> None:
    """Hand over what every seat has chosen to pass, and begin the play."""
    players = knobs.players
    passed = BLOCKS + PASSED * players
    for giver in range(players):
        row[BLOCKS + giver], row[BLOCKS + players + giver] = _less(
            row[BLOCKS + giver],
            row[BLOCKS + players + giver],
            row[passed + giver],
            row[passed + players + giver],
        )
    for giver in range(players):
        taker = rules.pass_target(giver, row[DIRECTION], players)
        add_all(
            row, BLOCKS + taker, BLOCKS + players + taker, row[passed + giver], row[passed + players + giver]
        )
    open_play(row, knobs)


@inlined
def _less(once: int, twice: int, given: int, given_twice: int) -> tuple[int, int]:
    """Return a set of cards less another that is part of it."""
    left_once: int = (once & ~given) | (twice & given & ~given_twice)
    return left_once, twice & ~given


@inlined
def open_play(row: Words, knobs: Knobs) -> None:
    """Find who leads to the first trick."""
    players = knobs.players
    leader = rules.left_of(row[DEALER], players)
    if knobs.opens_lowest_club:
        best = rules.QUEEN_MASK
        for seat in range(players):
            lowest = rules.lowest_of(row[BLOCKS + seat] & rules.CLUBS_MASK)
            if lowest and lowest < best:
                best, leader = lowest, seat
    row[PHASE] = PLAYING
    row[LEADER] = row[TURN] = leader


# ---------------------------------------------------------------- play


@inlined
def suit_led(row: Words, knobs: Knobs) -> int:
    """Return the suit led to the trick on the table, -1 where nothing lies there."""
    suit: int = row[BLOCKS + TRICK * knobs.players] >> 4 if row[LYING] else rules.NONE
    return suit


@inlined
def legal_cards(row: Words, knobs: Knobs) -> int:
    """Return the cards that the seat on turn may play, as a mask."""
    hand, first = row[BLOCKS + row[TURN]], row[TRICKS] == 0
    return rules.playable(
        hand, suit_led(row, knobs), row[BROKEN], first, knobs.opens_lowest_club, knobs.barred
    )


@inlined
def play_card(row: Words, knobs: Knobs, card: int) -> None:
    """Play a card of :func:`legal_cards`; a full trick is taken and a round that is over scored."""
    players, seat, lying = knobs.players, row[TURN], row[LYING]
    remove_card(row, BLOCKS + seat, BLOCKS + players + seat, card)
    add_card(row, TABLE, TABLE_TWICE, card)
    row[BLOCKS + TRICK * players + lying] = card
    row[BROKEN] |= rules.breaks_hearts(card, knobs.queen_breaks)
    row[LYING] = lying + 1
    # Written without a branch: nobody can guess who takes a trick, a processor least of all.
    better = lying == 0 or rules.beats(card, row[BEST])
    row[BEST] = card if better else row[BEST]
    row[BEST_SEAT] = seat if better else row[BEST_SEAT]
    if lying + 1 < players:
        row[TURN] = rules.left_of(seat, players)
    else:
        take_trick(row, knobs)


@inlined
def _on_table(row: Words, players: int) -> Any:
    """Return the cards of a full trick, in the order played."""
    return row[BLOCKS + TRICK * players : BLOCKS + (TRICK + 1) * players]


@inlined
def take_trick(row: Words, knobs: Knobs) -> None:
    """Give a full trick to its taker, with what waits, and go on."""
    players = knobs.players
    is_last = row[BLOCKS] == 0
    taker = row[BEST_SEAT]
    row[LYING] = 0
    row[TRICKS] += 1
    if knobs.cancels:
        leader = row[LEADER]
        place = rules.trick_winner(_on_table(row, players), 1)
        if place == rules.NONE and not is_last:
            row[TURN] = leader
            return
        # If every card of the suit led cancels in the last trick, its leader takes what lies there.
        taker = leader if place == rules.NONE else (leader + place) % players
    once, twice = BLOCKS + TAKEN * players + taker, BLOCKS + TAKEN_TWICE * players + taker
    add_all(row, once, twice, row[TABLE], row[TABLE_TWICE])
    row[TABLE] = row[TABLE_TWICE] = 0
    if row[KITTY] and row[KITTY_TAKER] == rules.NONE:
        add_all(row, once, twice, row[KITTY], row[KITTY_TWICE])
        row[KITTY_TAKER] = taker
    row[LEADER] = row[TURN] = taker
    if is_last:
        end_round(row, knobs)


@inlined
def legal_actions(row: Words, knobs: Knobs) -> int:
    """Return all that the seat on turn may do, as a mask: cards, or what a moon does; 0 at the end."""
    if row[PHASE] == PLAYING:
        return legal_cards(row, knobs)
    if row[PHASE] == PASSING:
        return can_pass(row, knobs)
    return 1 << MOON_ADDS | 1 << MOON_SUBTRACTS if row[PHASE] == MOON else 0


@part
def act(row: Words, knobs: Knobs, action: int) -> None:
    """Do one thing of :func:`legal_actions`."""
    if row[PHASE] == PLAYING:
        play_card(row, knobs, action)
    elif row[PHASE] == PASSING:
        pass_card(row, knobs, action)
    else:
        score(row, knobs, int(action == MOON_SUBTRACTS))


@inlined
def unseen(row: Words, knobs: Knobs, seat: int) -> int:
    """Return the cards that a seat does not see: the others', and the kitty unless the seat took it.

    The seat knows this mask, though not where in it a card is: it is the deck less all that it has seen.
    """
    players = knobs.players
    mask = 0 if row[KITTY_TAKER] == seat else row[KITTY]
    for other in range(players):
        if other != seat:
            mask |= row[BLOCKS + other]
    return mask


# ---------------------------------------------------------------- points


@part
def raw_points(once: int, twice: int, knobs: Knobs) -> int:
    """Return the penalty value of a set of cards."""
    total = 0
    once &= rules.PENALTIES
    while once:
        card = lowest_card(once)
        once &= once - 1
        total += rules.card_points(card, knobs.heart_points, knobs.queen_points) * (1 + (twice >> card & 1))
    return total


@part
def end_round(row: Words, knobs: Knobs) -> None:
    """Look for a moon after the last trick; score, unless its shooter has something to choose."""
    players = knobs.players
    for seat in range(players):
        held = row[BLOCKS + TAKEN * players + seat]
        twice = row[BLOCKS + TAKEN_TWICE * players + seat]
        if rules.shot_the_moon(held, twice, knobs.decks, knobs.bonus, knobs.moon_needs_bonus):
            row[SHOOTER] = seat
            break
    if row[SHOOTER] != rules.NONE and knobs.moon == rules.CHOICE:
        row[PHASE] = MOON
        row[TURN] = row[SHOOTER]
    else:
        score(row, knobs, int(knobs.moon == rules.SUBTRACT))


@part
def score(row: Words, knobs: Knobs, subtracts: int) -> None:
    """Write down the points of a round.

    Args:
        row: a round of which every card has been played.
        knobs: the rulebook.
        subtracts: 1 where a moon takes points off its shooter, 0 where it adds them to the others.
    """
    players = knobs.players
    for seat in range(players):
        once, twice = row[BLOCKS + TAKEN * players + seat], row[BLOCKS + TAKEN_TWICE * players + seat]
        row[BLOCKS + POINTS * players + seat] = rules.points_written(
            seat,
            raw_points(once, twice, knobs),
            rules.copies(once, twice, knobs.bonus),
            row[SHOOTER],
            subtracts,
            knobs.moon_points,
        )
    row[PHASE] = SCORED
    row[TURN] = rules.NONE
