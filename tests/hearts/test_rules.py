"""The rules as functions, each asked for what the sources say."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kupa.cards import PACK, card_of, mask_of
from kupa.hearts import rules


def mask(text: str) -> int:
    """Return the mask of cards written with spaces."""
    return mask_of(map(card_of, text.split()))


def cards(text: str) -> tuple[int, ...]:
    """Return cards written with spaces."""
    return tuple(map(card_of, text.split()))


POINTS, QUEEN_ONLY, NOTHING = rules.PENALTIES, rules.QUEEN_MASK, 0


@pytest.mark.parametrize(
    ("hand", "broken", "first", "barred", "choices"),
    [
        ("2C 3H QS", False, False, POINTS, "2C QS"),  # hearts wait for the break, the queen does not
        ("2C 3H QS", True, False, POINTS, "2C 3H QS"),
        ("3H KH", False, False, POINTS, "3H KH"),  # a hand of hearts alone may lead one
        ("3H KH QS", False, False, POINTS, "QS"),  # ◆ hearts and the queen: the queen
        ("3H 4C QS", False, True, POINTS, "4C"),  # an opening lead under the first-trick bar
        ("3H QS", False, True, POINTS, "3H QS"),  # ◆ the bar leaves nothing: any card goes
        ("3H KH", False, True, POINTS, "3H KH"),
        ("3H QS", False, True, QUEEN_ONLY, "3H QS"),
        ("3H QS 5D", False, True, NOTHING, "QS 5D"),
    ],
)
def test_what_may_be_led(hand: str, broken: bool, first: bool, barred: int, choices: str) -> None:
    """Leads wait for broken hearts, and the bar of the first trick comes last."""
    assert rules.lead_choices(mask(hand), broken, first, barred) == mask(choices)


@pytest.mark.parametrize(
    ("hand", "led", "first", "barred", "choices"),
    [
        ("2C 3H QS", 0, False, POINTS, "2C"),
        ("2D 3H QS", 0, False, POINTS, "2D 3H QS"),
        ("2D 3H QS", 0, True, POINTS, "2D"),
        ("2D 3H QS", 0, True, QUEEN_ONLY, "2D 3H"),  # Klasik bars the queen alone
        ("2D 3H QS", 0, True, NOTHING, "2D 3H QS"),
        ("3H QS", 0, True, POINTS, "3H QS"),  # nothing but barred cards: any card
        ("QS", 0, True, QUEEN_ONLY, "QS"),
        ("QS 4S 3H", 2, True, POINTS, "QS 4S"),  # following suit is never barred
        ("JD 3H", 0, True, POINTS, "JD"),  # the bonus card is no penalty card
    ],
)
def test_what_may_be_played_to_a_trick(hand: str, led: int, first: bool, barred: int, choices: str) -> None:
    """Suit is followed; discards on the first trick are barred as the rulebook says."""
    assert rules.follow_choices(mask(hand), led, first, barred) == mask(choices)


@given(hand=st.sets(st.sampled_from(PACK), min_size=1), broken=st.booleans(), first=st.booleans())
@pytest.mark.parametrize("barred", [POINTS, QUEEN_ONLY, NOTHING])
def test_there_is_always_a_card_to_play(barred: int, hand: set[int], broken: bool, first: bool) -> None:
    """From any hand something may be led and played, and only cards of the hand."""
    held = mask_of(hand)
    for choices in (
        rules.lead_choices(held, broken, first, barred),
        *(rules.follow_choices(held, led, first, barred) for led in range(4)),
    ):
        assert choices
        assert choices & ~held == 0


@pytest.mark.parametrize(
    ("trick", "cancels", "place"),
    [
        ("2C 5C AC KC", 0, 2),
        ("2C AD AS AH", 0, 0),  # there are no trumps
        ("TD JD 9D QC", 0, 1),
        ("AC AC 2C", 0, 0),  # without cancelling, the first of two equal cards
        ("2C AC AC", 0, 1),
        ("AC AC 2C", 1, 2),  # cancelling: neither of two equal cards can win
        ("AC 2C AC KC KC", 1, 1),
        ("AC AC", 1, -1),  # every card of the suit led cancelled
        ("AC AC KD QD", 1, -1),
        ("5H 5H QS QS 2H", 1, 4),
    ],
)
def test_who_takes_a_trick(trick: str, cancels: int, place: int) -> None:
    """The highest uncancelled card of the suit led takes the trick."""
    assert rules.trick_winner(cards(trick), cancels) == place


@given(st.lists(st.sampled_from(PACK + PACK), min_size=3, max_size=11))
def test_the_taker_holds_the_highest_card_of_the_suit_led(trick: list[int]) -> None:
    """Whatever was played, nothing of the suit led lies above the taker's card, save what cancelled."""
    for cancels in (0, 1):
        place = rules.trick_winner(trick, cancels)
        alive = [
            card for card in trick if card >> 4 == trick[0] >> 4 and not (cancels and trick.count(card) > 1)
        ]
        if place == rules.NONE:
            assert not alive
        else:
            assert trick[place] == max(alive)
            assert place == trick.index(trick[place])


def test_a_moon_is_a_set_of_cards_and_not_a_sum() -> None:
    """Twenty-six points without every heart are no moon, nor is one pack's worth of two."""
    everything = mask_of(PACK)
    assert rules.shot_the_moon(everything, 0, 1, rules.NONE, 0)
    assert not rules.shot_the_moon(everything & ~mask("2H"), 0, 1, rules.NONE, 0)
    assert not rules.shot_the_moon(everything & ~mask("QS"), 0, 1, rules.NONE, 0)
    assert not rules.shot_the_moon(everything, 0, 2, rules.NONE, 0)
    assert rules.shot_the_moon(rules.PENALTIES, rules.PENALTIES, 2, rules.NONE, 0)


def test_a_moon_may_need_every_copy_of_the_bonus_card() -> None:
    """With moon_needs_bonus the jack must be there, with two decks both of them."""
    jack, bonus = mask("JD"), card_of("JD")
    assert not rules.shot_the_moon(rules.PENALTIES, 0, 1, bonus, 1)
    assert rules.shot_the_moon(rules.PENALTIES | jack, 0, 1, bonus, 1)
    assert not rules.shot_the_moon(rules.PENALTIES | jack, rules.PENALTIES, 2, bonus, 1)
    assert rules.shot_the_moon(rules.PENALTIES | jack, rules.PENALTIES | jack, 2, bonus, 1)


@pytest.mark.parametrize(
    ("raw", "bonus", "shooter", "subtracts", "moon_points", "written"),
    [
        (16, 0, -1, False, 26, 16),
        (0, 0, 0, False, 26, 0),  # the shooter
        (0, 0, 1, False, 26, 26),  # the others
        (0, 0, 1, False, 13, 13),  # Klasik
        (26, 0, 0, True, 26, -26),
        (0, 0, 1, True, 26, 0),
        (26, 1, 0, False, 26, -10),  # omnibus: the shooter took the jack too
        (0, 1, 1, False, 26, 16),  # omnibus: another player took it
        (3, 2, -1, False, 52, -17),  # two decks: each copy
    ],
)
def test_what_is_written_down(
    raw: int, bonus: int, shooter: int, subtracts: bool, moon_points: int, written: int
) -> None:
    """Raw points, the moon, and the bonus card besides it."""
    assert rules.points_written(0, raw, bonus, shooter, subtracts, moon_points) == written


@pytest.mark.parametrize(
    ("totals", "points", "plays_on", "perfect_round", "answer"),
    [
        ((99, 50, 60, 70), (9, 0, 1, 16), 1, 0, rules.GOES_ON),
        ((100, 50, 60, 70), (9, 0, 1, 16), 1, 0, rules.IS_OVER),
        ((100, 50, 50, 70), (9, 0, 1, 16), 1, 0, rules.TIED),
        ((100, 50, 50, 70), (9, 0, 1, 16), 0, 0, rules.IS_OVER),
        ((100, 50, 60, 70), (9, 1, 0, 16), 1, 1, rules.PERFECT_ROUND),
        ((100, 50, 60, 70), (9, 0, 0, 17), 1, 1, rules.IS_OVER),  # the leader was perfect too
        ((100, 50, 60, 70), (9, 1, 2, 14), 1, 1, rules.IS_OVER),
        ((100, 50, 50, 70), (9, 1, 1, 15), 1, 1, rules.TIED),  # a tie is asked first
        ((100, 16, 16, 50), (0, 16, 10, 0), 0, 1, rules.IS_OVER),  # a shared win ends it
        ((113, 50, 60, 70), (13, 13, 0, 13), 1, 1, rules.PERFECT_ROUND),  # ◆ the shooter of a moon counts
        ((100, 50, 60, 70), (9, 1, -10, 16), 1, 1, rules.PERFECT_ROUND),
    ],
)
def test_when_a_match_is_over(
    totals: tuple[int, ...], points: tuple[int, ...], plays_on: int, perfect_round: int, answer: int
) -> None:
    """The target, ties, and the perfect round of Özel."""
    assert rules.verdict(totals, points, 100, plays_on, perfect_round) == answer


@pytest.mark.parametrize("players", range(3, 12))
def test_every_pass_reaches_another_seat_and_every_seat_gets_one(players: int) -> None:
    """Each direction is a permutation without a fixed seat; left is the next seat clockwise."""
    directions = [rules.LEFT, rules.RIGHT, *([rules.ACROSS] if players % 2 == 0 else [])]
    for direction in directions:
        targets = [rules.pass_target(seat, direction, players) for seat in range(players)]
        assert sorted(targets) == list(range(players))
        assert all(target != seat for seat, target in enumerate(targets))
    assert rules.pass_target(0, rules.LEFT, players) == 1 == rules.left_of(0, players)
    assert rules.left_of(players - 1, players) == 0


def test_the_dealer_moves_one_seat_to_the_left_each_round() -> None:
    """The last seat deals round 0, so that seat r mod players opens round r."""
    for players, number in itertools.product(range(3, 12), range(30)):
        assert rules.left_of(rules.dealer_of(number, players), players) == number % players
