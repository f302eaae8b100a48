"""The club bot: it counts what is out, weighs every card, and knows about moons."""

from __future__ import annotations

from kupa.bots.ending import bonus_taken, moon_choice, moon_loses
from kupa.bots.memory import Memory
from kupa.bots.passing import passed
from kupa.bots.position import Book, Position
from kupa.bots.shooting import is_worth_trying, shooting_card
from kupa.bots.weighing import cheapest
from kupa.cards import TEXT, texts
from kupa.game import Json
from kupa.hearts.view import View


class Club:
    """A player of the level ``club``; it leaves nothing to chance.

    Args:
        luck: not used, as the same decision always gets the same answer.
    """

    def __init__(self, luck: str) -> None:  # noqa: ARG002 - every player is made in the same way
        self._memory = Memory()
        self._book: Book | None = None

    def told(self, event: Json) -> None:
        """Take in an event as the seat is told it."""
        self._memory.told(event)

    def choose(self, view: View) -> Json:
        """Return the command of the seat, which has a decision open."""
        if view.phase == "moon":
            return {"type": "moon", "choice": moon_choice(view, bonus_taken(view, self._memory))}
        if self._book is None or self._book.rulebook is not view.rules:
            self._book = Book(view.rules)
        pos = Position(view, self._memory, self._book)
        if view.phase == "pass":
            return {"type": "pass", "cards": list(texts(passed(pos)))}
        if len(view.legal) == 1:
            return {"type": "play", "card": view.legal[0]}
        if is_worth_trying(pos) and not moon_loses(pos):
            return {"type": "play", "card": TEXT[shooting_card(pos)]}
        return {"type": "play", "card": TEXT[cheapest(pos)]}
