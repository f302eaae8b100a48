"""Every function of the rules compiles by itself, and answers as in Python."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from kupa.cards import PACK, mask_of
from kupa.hearts import rules
from kupa.sim.compiling import RULES

from .compiled import compiled

RNG = Random(5)


def a_mask() -> int:
    return mask_of(RNG.sample(PACK, RNG.randint(1, 13)))


def a_seat() -> int:
    return RNG.randrange(4)


def numbers(*, least: int, most: int) -> tuple[int, ...]:
    return tuple(RNG.randint(least, most) for _ in range(4))


def a_flag() -> int:
    return RNG.randrange(2)


def a_trick() -> tuple[int, ...]:
    """Four cards of two suits, so that they meet, and some of them twice."""
    return tuple(RNG.choice(PACK[:8] + PACK[13:16]) for _ in range(4))


def arguments(name: str) -> tuple[Any, ...]:
    """Return arguments as a round may bring them."""
    bars = RNG.choice((0, rules.QUEEN_MASK, rules.PENALTIES))
    jack = RNG.choice((rules.NONE, 25))
    all_penalties = RNG.choice((rules.PENALTIES | a_mask(), a_mask()))
    made: dict[str, tuple[Any, ...]] = {
        "left_of": (a_seat(), 4),
        "dealer_of": (RNG.randrange(1000), 4),
        "pass_target": (a_seat(), a_seat(), 4),
        "nothing_counts": (RNG.choice((a_mask(), a_mask() & rules.CLUBS_MASK)), jack),
        "lowest_of": (a_mask(),),
        "lead_choices": (a_mask(), a_flag(), a_flag(), bars),
        "follow_choices": (a_mask(), RNG.randrange(4), a_flag(), bars),
        "playable": (a_mask(), RNG.choice((rules.NONE, 0, 1, 2, 3)), a_flag(), a_flag(), a_flag(), bars),
        "breaks_hearts": (RNG.choice(PACK), a_flag()),
        "beats": (RNG.choice(PACK), RNG.choice(PACK)),
        "trick_winner": (a_trick(), a_flag()),
        "is_cancelled": (a_trick(), RNG.randrange(4)),
        "card_points": (RNG.choice(PACK), 1, 13),
        "penalty_of": (tuple(RNG.sample(PACK, 4)), 1, 13),
        "took_every_penalty": (all_penalties, RNG.choice((0, all_penalties)), RNG.choice((1, 2))),
        "copies": (a_mask(), 0, RNG.choice((rules.NONE, *PACK))),
        "shot_the_moon": (all_penalties, 0, 1, jack, a_flag()),
        "points_written": (a_seat(), 7, a_flag(), RNG.choice((rules.NONE, a_seat())), a_flag(), 26),
        "verdict": (numbers(least=60, most=110), numbers(least=-10, most=26), 100, a_flag(), a_flag()),
    }
    return made[name]


@pytest.mark.parametrize("name", RULES)
def test_each_rule_compiles_alone_and_answers_as_in_python(name: str) -> None:
    """A line of the rules that Numba cannot type is named by the rule that it is in; answers are the same."""
    rule = RULES[name]
    kernel = compiled(rule)
    answers = set()
    for _ in range(300):
        given = arguments(name)
        answers.add(rule(*given))
        assert kernel(*given) == rule(*given), given
    assert len(answers) > 1


def test_a_trick_may_be_an_array_too() -> None:
    """Kernels hand over the trick as a part of a row."""
    kernel: Any = compiled(rules.trick_winner)
    for _ in range(300):
        trick, cancels = a_trick(), a_flag()
        assert kernel(np.array(trick), cancels) == rules.trick_winner(trick, cancels)
