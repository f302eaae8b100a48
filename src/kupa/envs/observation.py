"""What a seat observes of a round, as numbers: everything that it has seen, and nothing else.

An observation is a vector of int16, made of the blocks below in this order. Cards are numbered 0 to 51 in
deck order (clubs, diamonds, spades, hearts, each two to ace), seats relative to the one that observes: 0 is
itself, 1 is its left neighbour. *p* is the number of players, *c* that of the cards dealt to them.

=============== ======== ==================================================================================
block           length   what it holds
=============== ======== ==================================================================================
hand            52       how many copies of each card the seat holds (0, 1, 2)
choosing        52       how many it has chosen to pass so far; these are still in its hand
given           52       how many it passed, once all have passed
received        52       how many it received
kitty           52       the kitty, for its taker alone
table           52 * p   the trick on the table: by seat, 1 for the card that it played
played          52 * p   every card of finished tricks, by the seat that played it
shown           52 * p   1 for each card that a seat has shown not to hold: see :mod:`kupa.sim.shown`
order           c        the cards in the order played, the trick on the table included: number + 1, then 0
players         c        who played them: seat + 1, then 0
counts          p        how many cards each seat holds
points          p        penalty points taken so far; the kitty's count for its taker alone
leader          p        1 for the seat that led to the trick on the table, or is to lead
turn            p        1 for the seat that is to act; all 0 while cards are passed, and at the end
dealer          p        1 for the dealer
direction       4        1 for hold, left, right or across
phase           4        1 for pass, play, moon or over
broken          1        1 when hearts are broken
=============== ======== ==================================================================================

The mask of actions has 54 places: the 52 cards, then what a shooter may choose, to add (52) and to subtract
(53). While cards are passed, each seat chooses its cards one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kupa.cards import BY_TEXT, PACK, Card, cards_in
from kupa.hearts import rules
from kupa.hearts.engine import legal
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import MOON, PASS, PLAY, State
from kupa.hearts.view import view
from kupa.sim.knowledge import Seen, ruled_out_by, seen_in

ACTIONS: Final = 54
ADD: Final = 52
SUBTRACT: Final = 53
PLACE: Final = {card: place for place, card in enumerate(PACK)}
"""The number of each card here."""
DIRECTIONS: Final = tuple(rules.DIRECTIONS)
PHASES: Final = (PASS, PLAY, MOON, "over")

Vector = NDArray[np.int16]
Mask = NDArray[np.int8]


def observation_length(rulebook: Rulebook) -> int:
    """Return the number of places of an observation."""
    players = rulebook.players
    return 52 * 5 + 52 * 3 * players + 2 * rulebook.hand_size * players + 5 * players + 4 + 4 + 1


def counted(cards: Iterable[Card]) -> Vector:
    """Return how often each card is among some cards."""
    numbers = np.zeros(52, np.int16)
    for card in cards:
        numbers[PLACE[card]] += 1
    return numbers


def observed(state: State, seat: int, choosing: Sequence[Card], is_over: bool) -> Vector:
    """Return what a seat observes.

    Args:
        state: the match; of what the seat may not see nothing is read but through its view.
        seat: who observes.
        choosing: the cards that it has chosen to pass, before all have passed.
        is_over: whether the round has ended.
    """
    seen, players = view(state, seat), state.players
    has_passed = state.phase != PASS

    def by_seat(values: Sequence[int]) -> list[int]:
        return [values[(seat + other) % players] for other in range(players)]

    def one(which: int | None) -> list[int]:
        return by_seat([int(other == which) for other in range(players)])

    phase = "over" if is_over else seen.phase
    kitty = () if isinstance(seen.kitty, int) else seen.kitty
    return np.concatenate(
        [
            counted(BY_TEXT[card] for card in seen.hand),
            counted(() if has_passed else choosing),
            counted(BY_TEXT[card] for card in seen.my_pass.cards if has_passed)
            if seen.my_pass
            else counted(()),
            counted(BY_TEXT[card] for card in seen.received.cards) if seen.received else counted(()),
            counted(BY_TEXT[card] for card in kitty),
            *played_cards(seen_in(state, seat), len(state.trick)),
            np.array(by_seat(seen.counts), np.int16),
            np.array(by_seat(seen.taken), np.int16),
            np.array(one(state.leader if has_passed else None), np.int16),
            np.array(one(None if is_over else seen.turn), np.int16),
            np.array(one(seen.dealer), np.int16),
            np.array([seen.direction == direction for direction in DIRECTIONS], np.int16),
            np.array([phase == name for name in PHASES], np.int16),
            np.array([seen.broken], np.int16),
        ]
    )


def played_cards(seen: Seen, lying: int) -> Iterator[Vector]:
    """Yield the blocks that tell of cards played, from ``table`` to ``players``.

    Args:
        seen: what the seat has seen.
        lying: how many of the cards played lie on the table.
    """
    players, dealt = seen.rulebook.players, seen.rulebook.players * seen.rulebook.hand_size
    table, played, shown = (np.zeros((players, 52), np.int16) for _ in range(3))
    order, who = np.zeros(dealt, np.int16), np.zeros(dealt, np.int16)
    finished = len(seen.plays) - lying
    for place, (player, card) in enumerate(seen.plays):
        relative = (player - seen.seat) % players
        (played if place < finished else table)[relative, PLACE[card]] += 1
        order[place], who[place] = PLACE[card] + 1, relative + 1
    for player, mask in enumerate(ruled_out_by(seen)[:-1]):
        shown[(player - seen.seat) % players, [PLACE[card] for card in cards_in(mask)]] = 1
    yield from (table.ravel(), played.ravel(), shown.ravel(), order, who)


def action_mask(state: State, seat: int, choosing: Sequence[Card]) -> Mask:
    """Return the actions open to the seat on turn: the engine's legal set, 1 for each.

    Args:
        state: the match.
        seat: who is to act.
        choosing: what it has chosen to pass so far.
    """
    mask = np.zeros(ACTIONS, np.int8)
    if state.phase == MOON:
        mask[[ADD, SUBTRACT]] = 1
    elif state.phase == PLAY:
        mask[[PLACE[card] for card in cards_in(legal(state))]] = 1
    elif state.phase == PASS:
        left = Counter(state.hands[seat]) - Counter(choosing)
        mask[[PLACE[card] for card in left]] = 1
    return mask
