"""What the help pages say, and in which order: one page a rulebook of Hearts, and one of Heart to Heart.

The sentences are in the catalogues. Which of them a page says follows from the rulebook's own fields, so that
the help cannot tell another game than the one that is played.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from kupa.cards import CardText
from kupa.hearts.presets import PRESETS
from kupa.hearts.rulebook import Rulebook
from kupa.server.table_form import BOOKS, EMBLEMS, Deal

HEART_PAGE: Final = "heart-to-heart"
HELP_PAGES: Final = (*EMBLEMS, HEART_PAGE)
"""The pages by name, in the order in which they are offered."""


class Paragraph(msgspec.Struct, frozen=True):
    """A sentence or a few, by key."""

    key: str
    params: dict[str, str | int] = {}
    moon: bool = False
    """Whether the moon stands before it."""


class Points(msgspec.Struct, frozen=True):
    """A line of the example of scoring; ``you`` is the reader."""

    player: str
    hearts: int
    queen: int
    bonus: int
    before: int

    @property
    def round(self) -> int:
        """What is written for the round."""
        return self.hearts + self.queen + self.bonus


class Section(msgspec.Struct, frozen=True):
    """A part of a page with its own heading."""

    id: str
    """Its heading is ``help.section.<id>``."""
    paragraphs: tuple[Paragraph, ...]
    after: tuple[str, ...] = ()
    """What stands below the paragraphs: ``directions``, ``deals``, ``points``, or a figure."""
    closing: tuple[Paragraph, ...] = ()
    """The paragraphs below that."""
    points_of: tuple[str, ...] = ()
    """Points told one by one, by key; the paragraphs lead up to them."""


SCORES: Final = (
    Points("", hearts=3, queen=0, bonus=0, before=24),
    Points("Deniz", hearts=1, queen=13, bonus=0, before=23),
    Points("Elif", hearts=0, queen=0, bonus=-10, before=23),
    Points("Kerem", hearts=9, queen=0, bonus=0, before=21),
)
"""The example of scoring: a round of four; the bonus counts where the rulebook has one."""

FIGURES: Final[dict[str, tuple[tuple[CardText, str], ...]]] = {
    "trick": (("9D", "w"), ("KD", "n"), ("QS", "e"), ("3D", "s")),
    "cancel": (("KD", "w"), ("9D", "n"), ("KD", "e"), ("3D", "s")),
    "hand": (("5C", "no"), ("9C", "no"), ("4S", ""), ("JS", ""), ("2H", "no"), ("KH", "no")),
    "pair": (("8H", "framed"), ("5H", ""), ("8H", "framed")),
}
"""The cards of each figure, with the place or the state of each."""


def _say(key: str, *, moon: bool = False, **params: str | int) -> Paragraph:
    return Paragraph(f"help.{key}", params, moon)


def _goal(book: Rulebook) -> Section:
    total = book.decks * (13 * book.heart_points + book.queen_points)
    told = [_say("goal.points", heart=book.heart_points, queen=book.queen_points, total=total)]
    if book.bonus_card is not None:
        told.append(_say(f"goal.bonus.{book.bonus_card}"))
    return Section("goal", tuple(told))


def _deal(name: str, book: Rulebook) -> Section:
    if len(PRESETS[name].player_counts) == 1:
        return Section("deal", (_say("deal.four"),))
    if book.decks == 2:
        return Section("deal", (_say("deal.cancellation"),), ("deals",))
    return Section("deal", (_say("deal.parlour"),), ("deals",), (_say("deal.three"),))


def _pass(name: str, book: Rulebook) -> Section:
    if not book.pass_count:
        return Section("pass", (_say("pass.none"),))
    closing = [_say("pass.again")]
    if len(PRESETS[name].player_counts) > 1:
        closing.append(_say("pass.other"))
    return Section("pass", (_say("pass.count", n=book.pass_count),), ("directions",), tuple(closing))


def _opening(name: str, book: Rulebook) -> Paragraph:
    if book.opening == "left_of_dealer":
        return _say("play.opening.dealer")
    # Where cards are taken out, the lowest club need not be the two.
    takes_out = any(PRESETS[name].rulebook(players).removed for players in PRESETS[name].player_counts)
    return _say("play.opening.lowest" if takes_out else "play.opening.two")


def _play(name: str, book: Rulebook) -> Section:
    told = [_opening(name, book), _say("play.follow"), _say(f"play.first.{book.first_trick}")]
    if book.opening == "left_of_dealer":
        told.append(_say("play.first.lead"))
    return Section("play", tuple(told), ("trick", "hand"))


def _cancel() -> Section:
    return Section("cancel", (_say("cancel.pair"), _say("cancel.all"), _say("cancel.suit")), ("cancel",))


def _broken(book: Rulebook) -> Section:
    queen = "broken.queen.dealer" if book.opening == "left_of_dealer" else "broken.queen"
    return Section("broken", (_say(f"broken.{book.broken_by}"), _say(queen)))


def _moon(book: Rulebook) -> Section:
    if book.moon == "choice":
        told = [_say("moon.choice", moon=True, points=book.moon_points), _say("moon.after")]
    else:
        key = "moon.add.two" if book.decks == 2 else "moon.add"
        told = [_say(key, moon=True, points=book.moon_points)]
    if book.bonus_card is not None:
        told.append(_say("moon.bonus", points=book.moon_points, other=book.moon_points - 10))
    return Section("moon", tuple(told))


def _end(name: str, book: Rulebook) -> Section:
    agreed = name in {"klasik", "ozel", "parlour"}
    told = [_say("end.agreed") if agreed else _say("end.target", target=book.target)]
    told.append(_say(f"end.{book.tie}"))
    if book.perfect_round:
        told += [_say("end.perfect"), _say("end.again")]
    return Section("end", (*told, _say("end.look")))


DECIDED: Final[dict[str, tuple[str, ...]]] = {
    "klasik": ("first_trick", "earlier", "only_hearts", "queen_left", "share", "look"),
    "ozel": ("first_trick", "earlier", "only_hearts", "queen_left", "perfect", "look"),
    "cardems": ("queen_left", "look"),
    "parlour": ("six", "barred", "only_hearts", "queen_left", "share.parlour", "look"),
    "omnibus": ("omnibus", "jack", "six", "barred", "only_hearts", "queen_left", "look"),
    "cancellation": ("cancellation", "kitty", "barred", "only_hearts", "queen_left", "look"),
    HEART_PAGE: ("heart_stock", "heart_frame", "heart_clock", "heart_undo", "heart_stuck"),
}
"""What Kupa decided itself where its sources are silent, page by page: ``help.decided.<key>``."""


def _decided(page: str) -> Section:
    keys = tuple(f"help.decided.{key}" for key in DECIDED[page])
    return Section("decided", (_say("decided.intro"),), points_of=keys)


def hearts_sections(name: str) -> Iterator[Section]:
    """Yield what the page of a rulebook says."""
    book = PRESETS[name].rulebook()
    yield _goal(book)
    yield _deal(name, book)
    yield _pass(name, book)
    yield _play(name, book)
    if book.cancellation:
        yield _cancel()
    yield _broken(book)
    if not book.cancellation:  # the example is of one pack
        yield Section("points", (_say("points.write"),), ("points",), (_say("points.played_out"),))
    yield _moon(book)
    yield _end(name, book)
    yield _decided(name)


def heart_sections() -> Iterator[Section]:
    """Yield what the page of Heart to Heart says."""
    yield Section("heart_goal", (_say("heart.goal"),))
    yield Section("heart_layout", (_say("heart.rows"), _say("heart.stock")), ("heart",))
    yield Section("heart_moves", (_say("heart.pair"), _say("heart.select"), _say("heart.draw")), ("pair",))
    yield Section("heart_score", (_say("heart.score"), _say("heart.clock")))
    yield Section("heart_undo", (_say("heart.undo"),))
    yield Section("heart_end", (_say("heart.won"), _say("heart.stuck"), _say("heart.silent")))
    yield Section("heart_aids", (_say("heart.placement"), _say("heart.errors")))
    yield Section("heart_codes", (_say("heart.codes"),))
    yield _decided(HEART_PAGE)


def _deals_of(page: str) -> tuple[Deal, ...]:
    return next((book.deals for book in BOOKS if book.name == page), ())


def help_context(page: str) -> dict[str, Any]:
    """Return what the template of a help page names.

    Args:
        page: one of ``HELP_PAGES``.
    """
    is_heart = page == HEART_PAGE
    book = None if is_heart else PRESETS[page].rulebook()
    return {
        "page": page,
        "pages": HELP_PAGES,
        "heart_page": HEART_PAGE,
        "sections": tuple(heart_sections() if is_heart else hearts_sections(page)),
        "directions": () if book is None else book.pass_cycle,
        "deals": _deals_of(page),
        "scores": SCORES,
        "has_bonus": book is not None and book.bonus_card is not None,
        "figures": FIGURES,
    }
