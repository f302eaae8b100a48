"""What one seat knows of where the cards are, built from what it has seen and from nothing else.

Every card that has been played tells what its player does not hold: see :mod:`kupa.sim.shown`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from kupa.cards import PACK, Card, CardSet
from kupa.hearts import rules
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import PASS, State
from kupa.sim.round_row import knobs_of
from kupa.sim.shown import clubs_below, shown_by


@dataclass(frozen=True)
class Knowledge:
    """Where the cards that a seat does not see may be.

    A *holder* is a seat, or the kitty, whose number is ``players``.
    """

    players: int
    pool: tuple[Card, ...]
    """The cards that may be in more than one place, in deck order, a card twice if both copies may."""
    room: tuple[int, ...]
    """How many cards of the pool each holder has; 0 for the seat that knows."""
    ruled_out: tuple[int, ...]
    """Mask of the cards that each holder certainly does not have."""
    fixed: tuple[CardSet, ...]
    """The cards that each holder certainly has: those of the pool are besides them."""


@dataclass(frozen=True)
class Seen:
    """What a seat has seen of a round."""

    rulebook: Rulebook
    seat: int
    hand: CardSet
    """As it is now."""
    opener: int | None = None
    """Who leads to the first trick; None before play begins."""
    plays: tuple[tuple[int, Card], ...] = ()
    """Who played what, from the first card of the round on."""
    given: tuple[Card, ...] = ()
    """What the seat passed, once it has gone over."""
    receiver: int | None = None
    """Who got it."""
    kitty: tuple[Card, ...] | None = None
    """The kitty, for its taker alone."""


def seen_in(state: State, seat: int) -> Seen:
    """Return what a seat has seen of the current round of a match; nothing that it may not see is read."""
    plays = [
        ((trick.leader + place) % state.players, card)
        for trick in state.tricks
        for place, card in enumerate(trick.cards)
    ]
    plays += [((state.leader + place) % state.players, card) for place, card in enumerate(state.trick)]
    own = state.passed[seat] if state.phase != PASS else None
    opener = plays[0][0] if plays else state.leader
    return Seen(
        rulebook=state.rulebook,
        seat=seat,
        hand=state.hands[seat],
        opener=None if state.phase == PASS else opener,
        plays=tuple(plays),
        given=own or (),
        receiver=rules.pass_target(seat, rules.DIRECTIONS[state.direction], state.players) if own else None,
        kitty=state.kitty if state.kitty_taker == seat else None,
    )


def known(seen: Seen) -> tuple[Knowledge, ...]:
    """Return what follows from what a seat has seen.

    Returns:
        One value, or, where it is one of several things that the seat knows (which of the clubs that it does
        not see is about to open, when a lower one may lie in the kitty), one for each: no deal agrees with
        two.

    Raises:
        ValueError: the cards seen are more than the deck has.
    """
    book, players = seen.rulebook, seen.rulebook.players
    room = [book.hand_size] * players + [book.kitty_size]
    for player, _ in seen.plays:
        room[player] -= 1
    left = sorted(book.deck)
    fixed = [CardSet() for _ in room]
    fixed[seen.seat] = seen.hand
    if seen.kitty is not None:
        fixed[players] = CardSet.of(seen.kitty)
    for card in [*seen.hand, *(card for _, card in seen.plays), *(seen.kitty or ())]:
        left.remove(card)
    for card in still_held(seen):
        left.remove(card)
        assert seen.receiver is not None
        fixed[seen.receiver] = fixed[seen.receiver].with_cards((card,))
    ruled_out = ruled_out_by(seen)
    general = Knowledge(
        players=players,
        pool=tuple(left),
        room=tuple(many - len(held) for many, held in zip(room, fixed, strict=True)),
        ruled_out=ruled_out,
        fixed=tuple(fixed),
    )
    is_hidden = not seen.plays and seen.opener not in {None, seen.seat}
    if book.opening != "lowest_club" or not is_hidden or seen.opener is None:
        return (general,)
    cases = (opened_with(general, seen.opener, club) for club in PACK if 1 << club & rules.CLUBS_MASK)
    return tuple(case for case in cases if case is not None)


def opened_with(knowledge: Knowledge, opener: int, club: Card) -> Knowledge | None:
    """Return what is known besides if a seat is about to open with a club, None where that cannot be.

    The club is the lowest that was dealt: nobody holds a lower one.
    """
    lower = clubs_below(club)
    if any(fixed.held & lower for fixed in knowledge.fixed[: knowledge.players]):
        return None
    ruled_out = tuple(out | lower for out in knowledge.ruled_out[:-1]) + knowledge.ruled_out[-1:]
    if club in knowledge.fixed[opener]:
        return replace(knowledge, ruled_out=ruled_out)
    if club not in knowledge.pool or knowledge.room[opener] == 0:
        return None
    pool, room, fixed = list(knowledge.pool), list(knowledge.room), list(knowledge.fixed)
    pool.remove(club)
    room[opener] -= 1
    fixed[opener] = fixed[opener].with_cards((club,))
    return replace(knowledge, pool=tuple(pool), room=tuple(room), fixed=tuple(fixed), ruled_out=ruled_out)


def still_held(seen: Seen) -> Iterable[Card]:
    """Return the cards that the seat passed and their receiver has not played."""
    held = list(seen.given)
    for player, card in seen.plays:
        if player == seen.receiver and card in held:
            held.remove(card)
    return held


def ruled_out_by(seen: Seen) -> tuple[int, ...]:
    """Return the masks of what each holder certainly does not have, the kitty last."""
    ruled_out = np.zeros(seen.rulebook.players + 1, np.int64)
    if seen.plays:
        plays = np.array(seen.plays, np.int64)
        shown_by(knobs_of(seen.rulebook), plays[:, 0].copy(), plays[:, 1].copy(), ruled_out)
    elif seen.rulebook.opening == "lowest_club" and seen.opener == seen.seat:
        ruled_out[:-1] |= clubs_below(rules.lowest_of(seen.hand.held & rules.CLUBS_MASK).bit_length() - 1)
    return tuple(map(int, ruled_out))
