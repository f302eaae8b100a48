"""The moments of matches that screens show, played by the engine itself from fixed seeds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from kupa.cards import TEXT
from kupa.hearts.engine import can_claim, raw_points
from kupa.hearts.state import OVER, State
from tests.browser.hearts_table import MOON_HANDS, Written, by_strength

TOTALS: Final = (34, 42, 27, 79, 8, 61, 55, 0, 73, 16, 98)
"""Points already on the sheet, a seat each: short numbers and long ones."""

Moment = Callable[[], Written]


def begun(players: int, seed: str = "screens") -> Written:
    """Return a match for a number of seats that has some rounds behind it."""
    preset = "cancellation" if players > 7 else "parlour" if players != 4 else "cardems"
    return Written(preset, players, seed=seed, totals=TOTALS[:players])


@cache
def own_turn(players: int) -> Written:
    """All others have played to a trick in the middle of a round, and hearts are broken if they soon are."""
    return begun(players).until(
        lambda state: state.turn == 0 and len(state.trick) == players - 1 and len(state.tricks) > 2
    )


@cache
def waiting(players: int) -> Written:
    """Seat 0 has led or followed, and the trick goes on."""
    return begun(players).until(
        lambda state: state.turn is not None and state.turn != 0 and 0 in seats_of_trick(state)
    )


def seats_of_trick(state: State) -> set[int]:
    """Return who has played to the trick on the table."""
    return {(state.leader + place) % state.players for place in range(len(state.trick))}


@cache
def late(players: int) -> Written:
    """Three cards are left, points have been taken, and seat 0 is to play last."""
    return begun(players, seed="late").until(
        lambda state: state.turn == 0 and state.trick != () and len(state.hands[0]) <= 3
    )


@cache
def claimable(players: int) -> Written:
    """Nothing that counts is left, seat 0 is to play with cards in hand, and the match will go on."""
    return first_that(
        lambda number: begun(players, seed=f"claim-{number}").until(
            lambda state: (
                state.phase == OVER or len(state.rounds) > 2 or (can_claim(state, 0) and state.turn == 0)
            )
        ),
        lambda state: (
            can_claim(state, 0)
            and state.turn == 0
            and len(state.hands[0]) > 1
            and max(map(int.__add__, state.totals, raw_points(state))) < state.rulebook.target
        ),
    )


@cache
def full_hand() -> Written:
    """The second trick of a fifth round: the hand is nearly whole, and its suit is to be followed."""
    return Written("klasik", seed="full").until(
        lambda state: (
            len(state.rounds) >= 4 and state.turn == 0 and len(state.trick) == 3 and len(state.tricks) < 3
        )
    )


@cache
def kitty(players: int) -> Written:
    """The first trick, with cards left over in the middle."""
    return Written("cancellation", players, seed="kitty").until(lambda state: len(state.trick) == players - 1)


@cache
def cancelled(players: int) -> Written:
    """Two equal cards lie on the table, and one that leads."""
    return Written("cancellation", players, seed="pairs", totals=TOTALS[:players]).until(
        lambda state: (
            state.turn == 0 and len(state.trick) > players // 2 and len(set(state.trick)) < len(state.trick)
        )
    )


@cache
def opening() -> Written:
    """Seat 0 opens the first round, and may play one card alone."""
    hands = (MOON_HANDS[1], MOON_HANDS[0], *MOON_HANDS[2:])
    return Written("cardems", pass_count=0, hands=hands).until(lambda state: state.turn == 0)


@cache
def last_to_play() -> Written:
    """Seat 0 ends a trick with points in it."""
    return Written("klasik", seed="taken").until(
        lambda state: (
            state.turn == 0 and len(state.trick) == 3 and any(TEXT[card][1] == "H" for card in state.trick)
        )
    )


@cache
def long_match(players: int) -> Written:
    """Many rounds are on the sheet."""
    preset = "klasik" if players == 4 else "omnibus" if players < 8 else "cancellation"
    return Written(preset, players, seed="long", target=500).until(
        lambda state: len(state.rounds) == 9 and state.turn == 0 and len(state.tricks) > 3
    )


# Passing


@cache
def passing(preset: str = "cardems", players: int = 4, pass_count: int = 3) -> Written:
    """A round has been dealt, and everybody but seat 0 has chosen what to pass; three cards if left out."""
    changed: dict[str, Any] = {} if pass_count == 3 else {"pass_count": pass_count}
    return Written(preset, players, seed="pass", totals=TOTALS[:players], **changed).others_pass()


@cache
def chosen() -> Written:
    """Seat 0 has chosen what to pass, the others have not."""
    return Written("klasik", seed="pass").until(lambda state: state.passed[0] is not None)


# The moon


@cache
def own_moon(players: int = 4) -> Written:
    """Seat 0 has shot the moon and is to choose."""
    if players == 4:
        written = Written("parlour", pass_count=0, hands=MOON_HANDS, totals=(34, 42, 27, 79))
        return written.until(lambda state: state.phase == "moon", by_strength)
    return first_that(
        lambda number: Written("parlour", players, seed=f"moon-{number}").until(
            lambda state: (state.phase == "moon" and state.turn == 0) or len(state.rounds) > 3
        ),
        lambda state: state.phase == "moon",
    )


@cache
def other_moon() -> Written:
    """Seat 2 has shot the moon, and the table waits for its choice."""
    return Written("parlour", pass_count=0, hands=SHIFTED_MOON_HANDS, totals=(34, 42, 27, 79)).until(
        lambda state: state.phase == "moon", by_strength, 2
    )


SHIFTED_MOON_HANDS: Final = (*MOON_HANDS[2:], *MOON_HANDS[:2])
"""Hands with which seat 2 takes every penalty card."""


@cache
def moon_told() -> Written:
    """The round after the one in which seat 2 has shot the moon."""
    return Written("klasik", pass_count=0, hands=SHIFTED_MOON_HANDS, totals=(9, 14, 22, 5)).until(
        lambda state: bool(state.rounds), by_strength, 2
    )


# The ends of rounds and of matches


@cache
def round_over(players: int) -> Written:
    """A round has just begun, so that the end of the one before can be read."""
    return begun(players).until(lambda state: bool(state.rounds))


@cache
def tied() -> Written:
    """The next round is an extra one: two have the lowest total."""
    return extra("tie", (38, 31, 44, 31))


@cache
def perfect() -> Written:
    """The next round is an extra one: others than the leader have played a perfect round."""
    return extra("perfect_round", (38, 12, 44, 31))


@cache
def won() -> Written:
    """Seat 0 has won a match."""
    return ended("won", lambda state: state.winners == (0,), "parlour", totals=(61, 84, 77, 70))


@cache
def shared() -> Written:
    """Seat 0 has won a match together with another."""
    return ended(
        "shared",
        lambda state: 0 in state.winners and len(state.winners) == 2,
        "klasik",
        totals=(83, 84, 77, 70),
    )


@cache
def lost(players: int) -> Written:
    """Another seat has won a match that was played from its first round on."""
    preset = "omnibus" if players < 8 else "cancellation"
    return ended("lost", lambda state: 0 not in state.winners, preset, players)


def extra(why: str, totals: tuple[int, ...]) -> Written:
    """Return a match whose next round is an extra one, for a reason."""
    return first_that(
        lambda number: Written("ozel", seed=f"{why}-{number}", target=50, pass_count=0, totals=totals).until(
            lambda state: bool(state.rounds)
        ),
        lambda state: state.extra_round == why,
    )


def ended(name: str, as_wanted: Callable[[State], bool], *table: Any, **more: Any) -> Written:
    """Return a match, played to its end, that ended as is wanted."""
    return first_that(
        lambda number: Written(*table, seed=f"{name}-{number}", **more).until(
            lambda state: state.phase == "over"
        ),
        as_wanted,
    )


def first_that(make: Callable[[int], Written], is_there: Callable[[State], bool]) -> Written:
    """Return the first of a row of matches that is as wanted."""
    for number in range(1000):
        written = make(number)
        if is_there(written.state):
            return written
    raise AssertionError("no seed leads there")
