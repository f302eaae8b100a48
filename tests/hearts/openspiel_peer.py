"""OpenSpiel's Hearts as an independent peer: one round played card by card in both, and compared.

What is compared, in every round: the passing direction, the cards that each seat may pass and play at each of
its decisions, whose turn it is, who takes each trick (OpenSpiel shows it by whose turn is next, so for the
last trick by its points alone), each seat's points after every trick, whether hearts are broken after every
card, and the points written down. At every decision a card that both bar, if there is one, is refused.

OpenSpiel plays with four players and one pack. What its eight flags mean, and the fields that say the same:

========================================= ==================================================================
``pass_cards``                            True: ``pass_count`` 3 in any of the directions left, right, across
                                          and hold; False: ``pass_count`` 0.
``no_pts_on_first_trick``                 True: ``first_trick`` "points"; False: "none".
``jd_bonus``                              True: ``bonus_card`` "JD", not needed for the moon; False: None.
``qs_breaks_hearts``                      True: ``broken_by`` "heart_or_queen"; False: "heart".
``can_lead_any_club`` False               ``opening`` "lowest_club": its holder leads that very card.
``must_break_hearts`` True                Holds under every rulebook.
``can_lead_hearts_instead_of_qs`` False   Holds under every rulebook: a hand of hearts and the queen of spades
                                          leads the queen, a hand of hearts alone leads one of them.
``avoid_all_tricks_bonus`` False          Holds under every rulebook.
========================================= ==================================================================

The moon is ``moon`` "add" with ``moon_points`` 26, or "choice" where the shooter chooses to add. The jack
counts besides the moon, as here, and a hand of penalty cards alone may play any of them to the first trick.

All combinations of the first four flags can therefore be expressed, without any position left out. No field
of ours expresses the other four turned over: any club as the lead, hearts led at any time, hearts led instead
of the queen, five points off for taking no trick.

No flag expresses: another number of players or packs, removed cards, a kitty, another number of cards passed,
the lead left of the dealer, the bonus card "TD" or one that the moon needs, other penalty values, a moon that
subtracts, cancelling, and all that goes beyond one round (target, tie, perfect round). Nor does one express

* ``first_trick`` "queen" (Klasik and Özel). It is compared with ``no_pts_on_first_trick`` False, and differs
  in exactly these positions: in the first trick, a seat that cannot follow holds the queen of spades and
  something else. There OpenSpiel allows the queen besides everything that we allow. The positions are counted
  as :data:`QUEEN_ALONE_BARRED`.
* ``moon_points`` 13 (Klasik and Özel): after a moon, OpenSpiel writes down 13 more for each of the others.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any, Final

import pytest

from kupa.cards import BY_TEXT, PACK, Card, cards_in, mask_of, texts
from kupa.hearts import rules
from kupa.hearts.commands import ChooseMoon, Command, PassCards, PlayCard, StartMatch
from kupa.hearts.engine import decide, legal
from kupa.hearts.events import CardPlayed, MoonMade, RoundScored, TrickTaken
from kupa.hearts.presets import PRESETS
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import PASS
from kupa.refusal import Refusal

from .random_play import done

SEATS: Final = range(4)
THEIR_SUITS: Final = (0, 1, 3, 2)
"""OpenSpiel's number of each suit of ours: its hearts come before its spades."""
THEIRS: Final = {card: (card & 15) * 4 + THEIR_SUITS[card >> 4] for card in PACK}
"""OpenSpiel's number of each card."""
OURS: Final = {theirs: card for card, theirs in THEIRS.items()}
DIRECTIONS: Final = {"hold": 0, "left": 1, "across": 2, "right": 3}
"""OpenSpiel's number of each passing direction."""
HOLD_ROUND: Final = PRESETS["cardems"].rulebook().pass_cycle.index("hold")
"""The round in which nothing is passed."""
JACK: Final = BY_TEXT["JD"]
THEIR_MOON: Final = 26
JACK_POINTS: Final = -10

QUEEN_ALONE_BARRED: Final = "first trick: the queen alone was barred"
ONLY_PENALTIES: Final = "first trick: only penalty cards were held"
HEARTS_ALONE: Final = "hearts unbroken: a hand of hearts alone led"
HEARTS_AND_QUEEN: Final = "hearts unbroken: a hand of hearts and the queen led"
QUEEN_BROKE: Final = "the queen broke hearts"
MOON_SHOT: Final = "a moon"
MOON_WITH_JACK: Final = "a moon with the jack of diamonds"
"""What is counted along the way, so that the tests can tell that it was met."""


class Disagreement(AssertionError):  # noqa: N818 - it is what it is called
    """The two implementations differ, or one of them refuses what the other asks."""


@dataclass(frozen=True)
class Setting:
    """A rulebook of ours and the flags of OpenSpiel that are to say the same."""

    name: str
    rulebook: Rulebook
    flags: Mapping[str, bool]


def flags_of(book: Rulebook) -> dict[str, bool]:
    """Return the flags that say what a rulebook says, as the table above has it."""
    return {
        "pass_cards": book.pass_count > 0,
        "no_pts_on_first_trick": book.first_trick == "points",
        "jd_bonus": book.bonus_card == "JD",
        "qs_breaks_hearts": book.broken_by == "heart_or_queen",
        "can_lead_any_club": False,
        "must_break_hearts": True,
        "can_lead_hearts_instead_of_qs": False,
        "avoid_all_tricks_bonus": False,
    }


def _settings() -> dict[str, Setting]:
    """Return every combination of flags that a rulebook expresses, and the presets for four as they stand."""
    books: dict[str, Rulebook] = {}
    fields = PRESETS["cardems"].fields(4)
    for passing, barred, jack, breaks in product(
        (3, 0), ("points", "none"), (None, "JD"), ("heart", "queen")
    ):
        name = f"pass {passing}, bar {barred}, bonus {jack}, broken by {breaks}"
        books[name] = Rulebook(
            **{
                **fields,
                "pass_count": passing,
                "first_trick": barred,
                "bonus_card": jack,
                "broken_by": "heart" if breaks == "heart" else "heart_or_queen",
            }
        )
    books |= {name: PRESETS[name].rulebook(4) for name in ("klasik", "parlour", "omnibus")}
    return {name: Setting(name, book, flags_of(book)) for name, book in books.items()}


SETTINGS: Final = _settings()


def require_openspiel() -> Any:
    """Import OpenSpiel; skip the test where it is missing, but fail on CI, which has to have it."""
    try:
        import pyspiel
    except ImportError as error:
        reason = f"OpenSpiel is not installed (pip install 'kupa[oracle]'): {error}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return pyspiel


def rounds_asked() -> int:
    """Return how many random rounds the environment asks for: 10,000, on CI 1,000, while developing 50."""
    asked = os.environ.get("KUPA_SOAK", "")
    sizes = {"full": 10_000, "ci": 1_000, "": 50}
    if asked not in sizes:
        raise ValueError(f"KUPA_SOAK is full or ci, or not set, not {asked!r}")
    return sizes[asked]


# ---------------------------------------------------------------- deals


@dataclass(frozen=True)
class Deal:
    """Four hands, and the seat, if any, that always plays its highest card."""

    hands: tuple[tuple[Card, ...], ...]
    climber: int | None = None


def random_deal(rng: Random) -> Deal:
    """Deal at random."""
    cards = list(PACK)
    rng.shuffle(cards)
    return Deal(tuple(tuple(cards[13 * seat : 13 * seat + 13]) for seat in SEATS))


def _cards(*names: str) -> list[Card]:
    return [BY_TEXT[name] for name in names]


def corner_deal(rng: Random) -> Deal:
    """Deal one seat a hand that leads to positions that random deals hardly ever reach."""
    hearts, kind = (
        cards_in(rules.HEARTS_MASK),
        rng.choice(("penalties", "moon", "hearts", "hearts and queen")),
    )
    if kind == "penalties":
        hand = rng.sample(cards_in(rules.PENALTIES), 13)
    elif kind == "moon":
        # With the two of diamonds, which goes last, the moon may do without the jack.
        hand = [*hearts[5:], *_cards("AS", "KS", "QS", "AC", rng.choice(("JS", "2D")))]
    elif kind == "hearts":
        hand = [*rng.sample(hearts, 10), *_cards("AC", "KC", "QC")]
    else:
        hand = [*rng.sample(hearts, 9), *_cards("QS", "AC", "KC", "QC")]
    others = [card for card in PACK if card not in hand]
    rng.shuffle(others)
    hands = [tuple(others[:13]), tuple(others[13:26]), tuple(others[26:])]
    seat = rng.choice(SEATS)
    hands.insert(seat, tuple(hand))
    return Deal(tuple(hands), seat if kind == "moon" else None)


# ---------------------------------------------------------------- one round in both


class Comparison:
    """One round, side by side.

    Args:
        peer: a new state of OpenSpiel's game.
        setting: what both play by.
        deal: the hands.
        round_number: sets our passing direction, which OpenSpiel is told.
        rng: makes every choice.
    """

    def __init__(self, peer: Any, setting: Setting, deal: Deal, round_number: int, rng: Random) -> None:
        self.peer, self.setting, self.deal, self.rng = peer, setting, deal, rng
        self.met: Counter[str] = Counter()
        self.points = [0, 0, 0, 0]
        book = setting.rulebook
        start = StartMatch(rulebook=book, seed="hands are given", hands=deal.hands, round=round_number)
        self.state, _ = done(None, start)
        direction = DIRECTIONS[self.state.direction]
        self.same("passing directions", direction in peer.legal_actions(), True)
        peer.apply_action(direction)
        for place in range(52):
            peer.apply_action(THEIRS[deal.hands[place % 4][place // 4]])

    def same(self, what: str, ours: object, theirs: object) -> None:
        """Check that both say the same.

        Raises:
            Disagreement: they do not; the message tells how to come back to this position.
        """
        if ours != theirs:
            raise Disagreement(
                f"{what}: ours {ours}, OpenSpiel's {theirs}\nsetting: {self.setting.name}, round"
                f" {self.state.round}\nflags: {dict(self.setting.flags)}\nactions: {self.peer.history()}\n"
                f"{self.peer}"
            )

    def same_cards(self, what: str, ours: int, theirs: int) -> None:
        """Check that two masks are the same; if not, tell their cards."""
        if ours != theirs:
            self.same(what, texts(cards_in(ours)), texts(cards_in(theirs)))

    def play(self) -> Counter[str]:
        """Play the round to its end; return what was met on the way."""
        if self.state.phase == PASS:
            self._pass()
        while not self.peer.is_terminal():
            self._decision()
        return self.met

    def _pass(self) -> None:
        """Pass three cards a seat: here in any order of the seats, there seat by seat and card by card."""
        chosen = [self.rng.sample(tuple(self.state.hands[seat]), 3) for seat in SEATS]
        for seat in SEATS:
            left = self.state.hands[seat].held
            for card in chosen[seat]:
                self.same("seat to pass", seat, self.peer.current_player())
                self.same_cards("cards to pass", left, self._their_cards())
                self.peer.apply_action(THEIRS[card])
                left ^= 1 << card
        for seat in self.rng.sample(SEATS, 4):
            self.state, _ = done(self.state, PassCards(seat, tuple(chosen[seat])))

    def _their_cards(self) -> int:
        return mask_of(OURS[action] for action in self.peer.legal_actions())

    def _decision(self) -> None:
        """Compare one decision to play a card, make it, and compare what comes of it."""
        before, choices = self.state, legal(self.state)
        self.same("seat on turn", before.turn, self.peer.current_player())
        self.same_cards("cards to play", choices, self._expected(self._their_cards()))
        seat = self.peer.current_player()
        self._note_position(seat)
        self._ask_for_what_is_barred(seat, choices)
        card = self._chosen(seat, choices)
        self.peer.apply_action(THEIRS[card])
        events = self._do(PlayCard(seat, card))
        played = events[0]
        assert isinstance(played, CardPlayed)
        self.met[QUEEN_BROKE] += played.breaks and card == rules.QUEEN
        self.same("hearts broken", before.broken or played.breaks, self.peer.hearts_broken())
        for event in events:
            if isinstance(event, TrickTaken):
                self._compare_trick(event, (*before.trick, card))
            elif isinstance(event, RoundScored):
                self._compare_score(event)
            elif isinstance(event, MoonMade):
                self._compare_score(self._do(ChooseMoon(event.seat, "add"))[1])

    def _do(self, command: Command) -> list[Any]:
        self.state, events = done(self.state, command)
        return list(events)

    def _expected(self, theirs: int) -> int:
        """Return what OpenSpiel allows, less the queen where the rulebook bars her alone (see the module)."""
        state = self.state
        if state.rulebook.first_trick != "queen" or state.tricks or not state.trick:
            return theirs
        assert state.turn is not None
        hand = state.hands[state.turn].held
        follows = hand >> 16 * (state.trick[0] >> 4) & rules.CLUBS_MASK
        if follows or hand == rules.QUEEN_MASK or not theirs & rules.QUEEN_MASK:
            return theirs
        self.met[QUEEN_ALONE_BARRED] += 1
        return theirs ^ rules.QUEEN_MASK

    def _note_position(self, seat: int) -> None:
        """Count the positions that a rule has an exception for."""
        state, hand = self.state, self.state.hands[seat].held
        if state.trick:
            self.met[ONLY_PENALTIES] += not state.tricks and not hand & ~rules.PENALTIES
        elif not state.broken:
            self.met[HEARTS_ALONE] += not hand & ~rules.HEARTS_MASK
            self.met[HEARTS_AND_QUEEN] += (
                hand & ~rules.HEARTS_MASK == rules.QUEEN_MASK and hand != rules.QUEEN_MASK
            )

    def _ask_for_what_is_barred(self, seat: int, choices: int) -> None:
        barred = cards_in(self.state.hands[seat].held & ~choices)
        if barred:
            answer = decide(self.state, PlayCard(seat, self.rng.choice(barred)))
            self.same("a barred card is refused", isinstance(answer, Refusal), True)

    def _chosen(self, seat: int, choices: int) -> Card:
        cards = cards_in(choices)
        if seat == self.deal.climber:
            return max(cards, key=lambda card: (card & 15, card))
        return self.rng.choice(cards)

    def _compare_trick(self, event: TrickTaken, cards: tuple[Card, ...]) -> None:
        """Compare who took a trick and the points so far; the last trick is compared with the score."""
        assert event.winner is not None
        if self.peer.is_terminal():
            return
        self.same("trick taken by", event.winner, self.peer.current_player())
        jack = JACK in cards and self.setting.rulebook.bonus_card == "JD"
        self.points[event.winner] += event.points + (JACK_POINTS if jack else 0)
        self.same("points so far", self.points, [self.peer.points(seat) for seat in SEATS])

    def _compare_score(self, event: RoundScored) -> None:
        """Compare what is written down, allowing for a moon of another size (see the module)."""
        written = list(event.points)
        if event.shooter is not None:
            self.met[MOON_SHOT] += 1
            self.met[MOON_WITH_JACK] += event.shooter in event.bonus
            for seat in SEATS:
                written[seat] += (
                    0 if seat == event.shooter else THEIR_MOON - self.setting.rulebook.moon_points
                )
        self.same("round over", True, self.peer.is_terminal())
        self.same("points written down", written, [self.peer.points(seat) for seat in SEATS])
        self.same("returns", [float(THEIR_MOON - points) for points in written], self.peer.returns())


def compare_rounds(pyspiel: Any, setting: Setting, rounds: int, *, corners: bool = False) -> Counter[str]:
    """Compare rounds, each of which follows from the setting's name and its own number alone.

    Args:
        pyspiel: the module.
        setting: what both play by.
        rounds: how many.
        corners: deal what leads to rare positions, more often in rounds in which nothing is passed.

    Returns:
        What was met on the way.

    Raises:
        Disagreement: the two differ.
    """
    game = pyspiel.load_game("hearts", dict(setting.flags))
    met: Counter[str] = Counter()
    for number in range(rounds):
        rng = Random(f"{setting.name}/{number}")
        deal = corner_deal(rng) if corners else random_deal(rng)
        round_number = HOLD_ROUND if corners and rng.random() < 0.75 else number % 4
        met += Comparison(game.new_initial_state(), setting, deal, round_number, rng).play()
    return met
