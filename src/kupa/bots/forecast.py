"""How a trick will end: how likely one's card takes it, and what lies in it then."""

from __future__ import annotations

from typing import Final, NamedTuple

from kupa.bots.position import NOBODY, Position, lane
from kupa.cards import DIAMONDS, HEARTS, LANE, SPADES, Card
from kupa.hearts import rules

WILLING: Final = 0.12
"""How likely a player goes over a card that it could stay under, while others play after it."""
MEETS: Final = 0.4
"""How likely a player plays a card that it holds when its equal lies in the trick."""
THROWS: Final = 0.8
"""How likely a player who cannot follow discards a heart."""
SHOWS: Final = 0.85
"""How likely the queen of spades is played under the king or the ace by the player who holds her."""
LOSES: Final = 0.3
"""How likely the bonus card is played under a higher one by the player who holds it."""


class Later(NamedTuple):
    """A seat that is still to play to the trick."""

    miss: float
    """How likely it lacks any one card of the suit led that is out."""
    void: float
    """How likely it has none of the suit."""
    queen: float
    """How likely it holds the queen of spades."""


class Forecast:
    """The trick of a decision, with a suit led.

    Args:
        pos: the decision.
        suit: the suit led, 0 to 3.
    """

    def __init__(self, pos: Position, suit: int) -> None:
        self._pos, self._suit = pos, suit
        self._out, self._out2 = lane(pos.out, suit)
        barred = pos.knobs.barred if pos.is_first else 0
        hearts = 0 if barred & rules.HEARTS_MASK or not pos.hearts_out else pos.knobs.heart_points
        self._heart = THROWS * hearts
        """The points to be expected of the heart that somebody discards."""
        self._queen = 0 if barred & rules.QUEEN_MASK or suit == SPADES else pos.knobs.queen_points
        self._later = self._seats()
        self._kitty = 0.0
        if pos.is_first and pos.hidden_kitty:
            self._kitty = pos.hidden_kitty * pos.points_out / pos.cards_out

    def _seats(self) -> list[Later]:
        pos, suit = self._pos, self._suit
        counts, number = pos.view.counts, self._out.bit_count() + self._out2.bit_count()
        hidden = suited = spaded = pos.hidden_kitty
        for seat, cards in enumerate(counts):
            if seat != pos.seat:
                hidden += cards
                suited += 0 if pos.is_void(seat, suit) else cards
                spaded += 0 if pos.is_void(seat, SPADES) else cards
        later = []
        for seat in pos.later:
            if pos.is_void(seat, suit) or not number:
                miss = void = 1.0
            else:
                miss = 1 - counts[seat] / suited
                void = miss**number
            if pos.queen_seat != NOBODY:
                queen = float(seat == pos.queen_seat)
            elif not pos.queens_out or pos.is_void(seat, SPADES):
                queen = 0.0
            else:
                queen = min(1.0, pos.queens_out * counts[seat] / spaded)
            later.append(Later(miss, void, queen))
        return later

    def taking(self, card: Card) -> tuple[float, float]:
        """Return how likely a card takes the trick, and the points that then lie in it besides its own.

        What the bonus card takes off is counted too. For a card that cannot take the trick the points are
        those that lie already.
        """
        pos = self._pos
        lying = float(pos.lying - rules.BONUS_VALUE * pos.bonus_lying)
        if pos.trick and (card >> 4 != self._suit or card <= pos.best):
            return 0.0, lying
        cancels = pos.knobs.cancels
        if cancels and card in pos.trick:
            return 0.0, lying
        low = 1 << (card & 15)
        below, above = low - 1, LANE & -(low << 1)
        under = (self._out & below).bit_count() + (self._out2 & below).bit_count()
        over = (self._out & above).bit_count() + (self._out2 & above).bit_count()
        meets = MEETS if cancels and self._out & low else 0.0
        chance, points = 1.0, lying + self._kitty
        for seat in self._later:
            stays = seat.miss**over
            goes_over = (1 - stays) * (WILLING + (1 - WILLING) * seat.miss**under)
            chance *= (1 - goes_over) * (1 - meets * (1 - seat.miss))
            points += self._from(seat, card)
        return chance, points

    def _from(self, seat: Later, card: Card) -> float:
        """Return the points that a later seat is expected to add to a trick that this card takes."""
        knobs = self._pos.knobs
        if self._suit == HEARTS:
            return seat.void * seat.queen * self._queen + (1 - seat.void) * knobs.heart_points
        points = seat.void * (seat.queen * self._queen + (1 - seat.queen) * self._heart)
        if self._suit == SPADES and card > rules.QUEEN:
            points += seat.queen * SHOWS * knobs.queen_points
        elif self._suit == DIAMONDS and NOBODY < knobs.bonus < card and self._out >> (knobs.bonus & 15) & 1:
            points -= LOSES * (1 - seat.miss) * rules.BONUS_VALUE
        return points
