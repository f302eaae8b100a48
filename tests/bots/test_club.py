"""How the club bot plays where the right card is plain to see."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kupa.bots.club import Club
from kupa.bots.ending import gift_cost, moon_choice, moon_loses
from kupa.bots.forecast import Forecast
from kupa.bots.guarding import threat
from kupa.bots.memory import Memory
from kupa.bots.passing import passed
from kupa.bots.position import Book, Position
from kupa.bots.shooting import is_possible, is_worth_trying, moon_chance
from kupa.bots.weighing import cheapest
from kupa.bots.worth import hand_worth, scene_of
from kupa.cards import CLUBS, TEXT, CardSet, card_of, texts
from kupa.hearts.events import RoundScored
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.view import View, view
from tests.bots.measuring import PLAYERS, moves
from tests.bots.scenes import Scene, rulebook

KLASIK = rulebook("klasik")
"""Hearts may fall on the first trick, the queen may not."""

HANDS = (
    "2C 3C 4C 5C 2D 3D 4D 5D 2S 3S 4S 2H 3H",
    "AC KC QC JC AD KD QD JD AS KS JS AH KH",
    "6C 7C 8C 9C TC 6D 7D 8D 9D TD QS 4H 5H",
    "5S 6S 7S 8S 9S TS 6H 7H 8H 9H TH JH QH",
)
"""Seat 0 leads the two of clubs; seat 1 has high cards; seat 3 has neither clubs nor diamonds."""


def hands(*swaps: str) -> list[str]:
    """Return the hands with pairs of cards swapped, each pair written ``QS/5S``."""
    text = "\n".join(HANDS)
    for swap in swaps:
        one, other = swap.split("/")
        text = text.replace(one, "??").replace(other, one).replace("??", other)
    return text.split("\n")


def scene(*swaps: str, book: Rulebook = KLASIK, totals: tuple[int, ...] | None = None) -> Scene:
    return Scene(book, hands(*swaps), totals)


def club_plays(at: Scene, cards: str) -> str:
    """Return what the club bot plays after some cards."""
    return at.play(cards).card(Club("luck"))


# Following and discarding


def test_it_throws_the_queen_away_when_it_may() -> None:
    """On a club that it cannot follow, the queen of spades goes first."""
    assert club_plays(scene("QS/5S"), "2C AC 6C 6S KC 7C") == "QS"


def test_it_gives_the_queen_to_the_ace_that_lies() -> None:
    """Under the ace of spades the queen goes, although a lower spade could follow."""
    assert club_plays(scene("TD/5S"), "2C AC 6C 6H AS") == "QS"


def test_it_does_not_put_the_queen_on_a_trick_that_she_would_take() -> None:
    """Over the jack of spades she would win, so a lower spade follows, the higher one of two."""
    assert club_plays(scene("TD/5S", "9D/6S"), "2C AC 6C 6H JS") == "6S"


def test_it_stays_under_a_heart_as_high_as_it_can() -> None:
    """Under the king of hearts the higher of two low hearts is safe, and goes first."""
    assert club_plays(scene(), "2C AC 6C 6H KH") == "5H"


# The bonus card


OMNIBUS = rulebook("omnibus")


def test_it_takes_the_bonus_card_when_it_can() -> None:
    """Last to play, it takes the jack of diamonds with the ace, unless the queen of spades lies there too."""
    assert club_plays(scene("AD/5D", book=OMNIBUS), "2C AC 6C 5S JD 6D 6S") == "AD"
    assert club_plays(scene("AD/5D", "QS/5S", book=OMNIBUS), "2C AC 6C 6S JD 6D QS") != "AD"


def test_it_does_not_throw_the_bonus_card_away() -> None:
    """The jack of diamonds is the last thing to discard."""
    assert club_plays(scene("JD/TS", book=OMNIBUS), "2C AC 6C") != "JD"


# Moons


MOON_HAND = "AC KC QC JC TC 9C 8C AH KH QH JH TH AS"
LOW = "2C 3C 2D 3D 4D 5D 2S 3S 4S 5S 3H 4H 5H"


def test_it_shoots_the_moon_with_a_hand_that_cannot_fail() -> None:
    """With thirteen winners it takes every trick, whoever sits around it."""
    at = Scene(rulebook("cardems"), [LOW, MOON_HAND])
    seats = [PLAYERS[name]("luck") for name in ("ducker", "club", "club", "ducker")]
    for seat, player in enumerate(seats):
        at.tell(player, seat)
    after = moves(at.state, seats)
    assert next(event for _, event in after if isinstance(event, RoundScored)).shooter == 1


def leading_position(hand: str) -> Position:
    """Return the second trick, led by the seat with a hand that took the first one with the ace of clubs."""
    at = Scene(KLASIK, [LOW, hand]).play("2C AC 4C")
    return at.play(at.view().legal[0]).position()


def test_a_moon_is_less_likely_with_a_low_heart() -> None:
    """Low hearts in place of high ones make the moon less likely, and not worth trying."""
    sure = leading_position(MOON_HAND)
    doubtful = leading_position(MOON_HAND.replace("AH", "2H").replace("QH", "9H"))
    assert is_worth_trying(sure)
    assert moon_chance(doubtful) < moon_chance(sure) / 2
    assert not is_worth_trying(doubtful)


def test_it_stops_trying_when_another_has_a_penalty_card() -> None:
    """Possible for the only one who has hearts, until somebody else takes the queen."""
    at = scene().play("2C AC 6C 6H")
    assert is_possible(at.position())
    at.play("JS")
    assert not is_possible(at.position())
    at.play("QS 5S 2S").play("6D").play("6S 2D")
    assert at.view().seat == 1
    assert not is_possible(at.position())


COSTLY = rulebook("klasik", moon_points=26)
FEARED = "2C AC 6C 7H KC 7C 8H 3C QC 8C 9H 4C JC 9C TH 5C AD 6D JH 2D KD 7D 5S 3D 5H 4H"
"""Seat 1 has taken five hearts and all that led to them, and leads a heart that seat 3 can take or leave."""


def test_it_takes_a_trick_to_stop_a_moon() -> None:
    """It takes four hearts that it could leave; if somebody else had a heart already, it would leave them."""
    at = scene("5H/JS", "3H/6H", book=COSTLY)
    assert club_plays(at, FEARED) == "QH"
    pos = at.position()
    feared = threat(pos)
    assert feared is not None
    assert feared.seat == 1
    pos.memory.taken[2] = CardSet.of([card_of("2H")])
    assert threat(pos) is None
    assert TEXT[cheapest(pos)] == "3H"


def test_it_gives_no_heart_to_a_player_who_may_be_making_a_moon() -> None:
    """On a sure trick of that player it discards a spade, not the heart that could still stop the moon."""
    cards = FEARED.removesuffix(" 5S 3D 5H 4H")
    assert club_plays(scene("5H/JS", "3H/6H", book=COSTLY), cards)[1] == "S"


def seen_with(totals: tuple[int, ...], name: str) -> View:
    """Return the view of seat 1, which has the lead, with other points on the score sheet."""
    at = scene(book=rulebook(name)).play("2C AC 6C 5S")
    return replace(at.view(), totals=totals)


@pytest.mark.parametrize(
    ("totals", "choice"),
    [
        ((0, 0, 0, 0), "add"),
        ((80, 40, 60, 50), "add"),  # ends the match, and wins it
        ((80, 95, 0, 10), "subtract"),  # adding ends the match, and seat 2 wins it
        ((60, 95, 0, 10), "add"),  # nobody reaches the target
        ((80, 36, 10, 40), "add"),  # shared lowest totals share the win
    ],
)
def test_a_moon_adds_unless_that_ends_the_match_for_others(totals: tuple[int, ...], choice: str) -> None:
    assert moon_choice(seen_with(totals, "parlour")) == choice
    assert moon_choice(seen_with(totals, "omnibus"), [0, 0, 0, 0]) == choice


def test_the_bonus_card_is_counted_before_a_moon_is_written_down() -> None:
    """Seat 2, with ten off for the bonus card, stays below the shooter; without, it would not."""
    seen = seen_with((80, 30, 10, 40), "omnibus")
    assert moon_choice(seen, [0, 0, 0, 0]) == "add"
    assert moon_choice(seen, [0, 0, 1, 0]) == "subtract"


@pytest.mark.parametrize(("totals", "loses"), [((80, 95, 0, 10), True), ((80, 0, 0, 10), False)])
def test_it_does_not_shoot_a_moon_that_ends_the_match_for_others(
    totals: tuple[int, ...], loses: bool
) -> None:
    at = scene(book=KLASIK, totals=totals).play("2C AC 6C 6H")
    assert moon_loses(at.position()) == (loses and max(totals) + 13 >= 100 and totals[0] + 13 >= 100)
    at = scene(book=rulebook("cardems"), totals=totals).play("2C AC 6C 5S")
    assert moon_loses(at.position()) == loses


# The end of the match


@pytest.mark.parametrize(
    ("totals", "sign"),
    [((20, 95, 50, 60), 1), ((60, 95, 50, 20), -1), ((20, 50, 50, 60), 0)],
)
def test_a_gift_may_end_the_match(totals: tuple[int, ...], sign: int) -> None:
    """The queen for seat 1 ends the match: bad where another leads, good where one leads oneself."""
    at = scene("QS/5S", totals=totals).play("2C AC 6C 6S KC 7C")
    cost = gift_cost(at.position(), 13)
    assert (cost > 0) - (cost < 0) == sign
    assert gift_cost(at.position(), 0) == 0


# Cancelling


def test_a_card_whose_equal_lies_cannot_take_the_trick() -> None:
    """In the double pack the second ace of clubs cancels the first; the king then is not beaten by it."""
    book = rulebook("cancellation", 6)
    first = "AC 2C 3C 4C 5C 2D 3D 4D 5D 6D 2S 3S 4S 5S 6S 7S 8S"
    second = "AC KC 2C 3C 4C 2D 3D 4D 5D 6D 2S 3S 4S 5S 6S 7S 8S"
    at = Scene(book, [first, second], round_number=0).play("AC")
    assert Forecast(at.position(), CLUBS).taking(card_of("AC"))[0] == 0
    at.play("AC")
    pos = at.position()
    assert pos.best == -1
    assert Forecast(pos, CLUBS).taking(pos.legal[-1])[0] > 0


def test_without_cancelling_the_second_of_two_equal_cards_does_not_win_either() -> None:
    """Of two equal cards the first one played takes the trick."""
    book = rulebook("cancellation", 6, cancellation=False)
    first = "AC 2C 3C 4C 5C 2D 3D 4D 5D 6D 2S 3S 4S 5S 6S 7S 8S"
    second = "AC KC 2C 3C 4C 2D 3D 4D 5D 6D 2S 3S 4S 5S 6S 7S 8S"
    pos = Scene(book, [first, second], round_number=0).play("AC").position()
    assert pos.holder == 0
    assert Forecast(pos, CLUBS).taking(card_of("AC"))[0] == 0


def test_the_kitty_is_expected_in_the_first_trick() -> None:
    """Whoever takes the first trick takes what lies in the kitty too."""
    first = "AC 2C 3C 4C 5C 2D 3D 4D 5D 6D 2S 3S 4S 5S"
    seven = Scene(rulebook("cancellation", 7), [first], round_number=0).position()
    assert seven.hidden_kitty == 6
    assert Forecast(seven, CLUBS).taking(card_of("AC"))[1] > 1


# Judging hands, passing


def pass_of(hand: str) -> set[str]:
    """Return what the club bot passes to the left."""
    at = Scene(rulebook("cardems"), [hand], round_number=0)
    seen = view(at.state, 0)
    pos = Position(seen, Memory(), Book(at.book))
    return set(texts(passed(pos)))


def test_it_passes_a_queen_that_nothing_guards_and_keeps_one_that_is_guarded() -> None:
    """With one low spade beside her she goes, with five she stays."""
    assert "QS" in pass_of("2C 3C 4C 2D 3D 4D QS 4S 2H 3H 4H 9H TH")
    assert "QS" not in pass_of("2C TC KC 2D JD AD QS 8S 7S 5S 4S 2S 3H")


def test_it_passes_high_cards_and_keeps_low_ones() -> None:
    """Three aces among low cards go; no two or three ever does."""
    assert pass_of("2C 3C 4C AC 2D 3D 4D AD 2S 3S 4S 2H AH") == {"AC", "AD", "AH"}


def test_a_hand_of_low_cards_is_worth_more_than_one_of_high_cards() -> None:
    """In every suit the high cards are expected to cost more."""
    at = scene().play("2C AC 6C 6H")
    low, high = (Position(view(at.state, seat), Memory(), Book(KLASIK)) for seat in (0, 1))
    assert sum(hand_worth(low, scene_of(low))) + 5 < sum(hand_worth(high, scene_of(high)))
