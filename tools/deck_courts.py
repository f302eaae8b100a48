"""The twelve courts: who they are, what they wear, what they hold.

Hearts hold a cup, spades a sword, diamonds a coin, clubs a baton: the Latin suits. The queen of spades alone
stands on a night ground, with the moon for a crown.

A figure is the upper half of a court, between y = 4 and y = 110 and centred on x = 50; its user clips it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from deck_shapes import GOLD, INK, MOON, NIGHT, PAPER, SKIN, VEIL, cup, element, filled, number, path, put

RANKS: Final = "JQK"

ROBES: Final[dict[str, str]] = {
    "K": "M2 110V70C2 59 16 54 36 50L50 56 64 50C84 54 98 59 98 70V110Z",
    "Q": "M4 110V72C4 62 20 57 38 53L50 62 62 53C80 57 96 62 96 72V110Z",
    "J": "M3 110V71C3 60 18 55 38 51H62C82 55 97 60 97 71V110Z",
}
"""The outline of each rank's robe."""

HAIR: Final[dict[str, str]] = {
    "Q": (
        "M50 14C36 14 32.5 24 32.5 35 32.5 46 29 51 24 57 34 62 44 61 50 61 56 61 66 62 76 57"
        " 71 51 67.5 46 67.5 35 67.5 24 64 14 50 14Z"
    ),
    "J": "M36 20C34 30 35 38 31 44 35 48 41 47 43 44H57C59 47 65 48 69 44 65 38 66 30 64 20Z",
    "K": "M37 20C35.5 30 35.5 38 33 43 36 46 39 46 41 44H59C61 46 64 46 67 43 64.5 38 64.5 30 63 20Z",
}

BEARD: Final = (
    "M38.5 31C39 34 40.5 35.5 42.5 36.5 45 35.5 47.5 36 50 37.8 52.5 36 55 35.5 57.5 36.5"
    " 59.5 35.5 61 34 61.5 31 63.5 45 57 54 50 58 43 54 36.5 45 38.5 31Z"
)

EYES: Final[dict[str, str]] = {
    "K": "M42.8 28.6Q45.2 27 47.4 28.6M52.6 28.6Q54.8 27 57.2 28.6",
    "Q": "M42.6 30.5Q45 33 47.6 30.8M52.4 30.8Q55 33 57.4 30.5",
    "J": "M42.8 28Q45.2 26.4 47.4 28M52.4 28Q54.8 26.4 57.2 28",
}

CROWNS: Final[dict[str, str]] = {
    "h": "M36 23 33.5 10.5 42 15.5 50 7 58 15.5 66.5 10.5 64 23Z",
    "d": "M36 23 34 9 41.5 16 50 6 58.5 16 66 9 64 23Z",
    "c": "M36 23V12C38 16 43 16 43 12 44 17 49 16 50 10 51 16 56 17 57 12 57 16 62 16 64 12V23Z",
    "s": "M36 23 35 8 40.5 15 45 8.5 50 15 55 8.5 59.5 15 65 8 64 23Z",
}
"""The kings' crowns."""

ERMINE: Final = ((32, 56), (37, 61.5), (43, 65.5), (50, 67.6), (57, 65.5), (63, 61.5), (68, 56))
"""Where the spots of a king's collar lie."""


class Court:
    """One court card, and which colour plays which part in it."""

    def __init__(self, rank: str, suit: str) -> None:
        self.rank = rank
        self.suit = suit
        self.is_lady = rank == "Q" and suit == "s"
        self.cloth = VEIL if self.is_lady else INK[suit]
        self.hair = MOON if self.is_lady else INK[suit]
        self.line = NIGHT if self.is_lady else INK[suit]
        """Features on skin."""
        self.paper = NIGHT if self.is_lady else PAPER
        self.light = MOON if self.is_lady else PAPER
        """Ornament on cloth."""

    @property
    def robe(self) -> str:
        """The id of the clip path of the robe."""
        return f"k-cr{self.rank}"


def _dots(places: Iterable[tuple[float, float]], radius: float | str) -> str:
    return "".join(element("circle", cx=x, cy=y, r=radius) for x, y in places)


# Cloth


def _cloth_steps(suit: str) -> list[str]:
    """Return the pieces of a suit's pattern as path data."""
    if suit == "s":
        return [f"M8 {y + 12}L29 {y} 50 {y + 12} 71 {y} 92 {y + 12}" for y in range(46, 112, 7)]
    first, last, down, left = {"h": (54, 104, 8, 6), "d": (50, 106, 7, 8), "c": (54, 106, 7, 8)}[suit]
    draw: Callable[[int, int], str] = {
        "h": lambda x, y: f"M{x} {y}a5 5 0 0 0 10 0",
        "d": lambda x, y: f"M{x} {y}l3 4.2-3 4.2-3-4.2z",
        "c": lambda x, y: f"M{number(x - 2.2)} {y}a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0",
    }[suit]
    return [
        draw(x, y)
        for row, y in enumerate(range(first, last, down))
        for x in range(left + row % 2 * 5, 100, 10)
    ]


def _cloth(court: Court) -> str:
    """Draw the pattern of a suit's cloth, clipped by the robe."""
    lines = path(
        "".join(_cloth_steps(court.suit)), fill="none", stroke=court.light, stroke_width=1.3, opacity=".55"
    )
    return element("g", lines, clip_path=f"url(#{court.robe})")


def _robe_of_king(court: Court) -> str:
    return (
        path("M42 52 50 58 58 52 60 110H40Z", fill=court.light)
        + path("M44.5 56 50 60 55.5 56 56.5 110H43.5Z", fill=court.cloth)
        + filled(GOLD, *(put(f"s-{court.suit}", 50, y, 7) for y in (68, 78, 88)))
        + path(
            "M33 50C36 58 43 62 50 64 57 62 64 58 67 50L73 54C70 64 60 70 50 72 40 70 30 64 27 54Z",
            fill=court.light,
        )
        + filled(court.cloth, _dots(ERMINE, 1.25))
    )


def _robe_of_queen(court: Court) -> str:
    jewel = "var(--suit-h,#c52f33)" if court.is_lady else court.line
    return (
        path("M38 53.5 45 50H55L62 53.5 50 69Z", fill=SKIN)
        + path(
            "M37 53.5 50 70 63 53.5",
            fill="none",
            stroke=GOLD,
            stroke_width=3.2,
            stroke_linejoin="round",
            stroke_linecap="round",
        )
        + path("M50 70V110", stroke=GOLD, stroke_width=3.2)
        + path("M44.5 50.5Q50 56 55.5 50.5", fill="none", stroke=GOLD, stroke_width=1.4)
        + filled(jewel, put(f"s-{court.suit}", 50, 57, 6.4))
    )


def _robe_of_jack(court: Court) -> str:
    return (
        path("M34 110 40 52H60L66 110Z", fill=court.light)
        + path("M38 110 43.5 56H56.5L62 110Z", fill=court.cloth)
        + path("M43 66H57M42 74H58M41 82H59M40 90H60", stroke=GOLD, stroke_width=2.4)
        + path(
            "M35 50 40 57 45 52 50 59 55 52 60 57 65 50 58 46H42Z",
            fill=court.light,
            stroke=court.cloth,
            stroke_width=1.3,
            stroke_linejoin="round",
        )
    )


_ROBES_OF: Final = {"K": _robe_of_king, "Q": _robe_of_queen, "J": _robe_of_jack}


# Head


def _crown_of_king(court: Court) -> str:
    balls = {
        "h": _dots(((33.5, 10), (50, 6.5), (66.5, 10)), 2.1),
        "d": "".join(path(f"M{x} {y}l2.4 3.4-2.4 3.4-2.4-3.4z") for x, y in ((34, 5.6), (50, 3), (66, 5.6))),
        "c": _dots(((36.2, 11), (50, 8), (63.8, 11)), 2.4),
        "s": "",
    }[court.suit]
    return (
        path(CROWNS[court.suit], fill=GOLD, stroke=GOLD, stroke_width=1, stroke_linejoin="round")
        + filled(court.cloth, balls)
        + path("M36.4 21H63.6", stroke=court.cloth, stroke_width=2.6)
        + filled(court.paper, _dots(((x, 21) for x in (40, 45, 50, 55, 60)), ".9"))
    )


def _crown_of_lady() -> str:
    """The moon is her crown."""
    return (
        path("M40.6 6.6A10 10 0 1 0 59.4 6.6 9.46 9.46 0 0 1 40.6 6.6Z", fill=GOLD)
        + filled(GOLD, put("k-star", 50, 8.5, 7))
        + path("M36 21.5Q50 14.5 64 21.5", fill="none", stroke=GOLD, stroke_width=2.4, stroke_linecap="round")
    )


def _crown_of_queen(court: Court) -> str:
    if court.is_lady:
        return _crown_of_lady()
    band = "M35.5 20 37.5 12.5 43 15.5 50 7 57 15.5 62.5 12.5 64.5 20Q50 12.5 35.5 20Z"
    return (
        path(band, fill=GOLD, stroke=GOLD, stroke_width=1.6, stroke_linejoin="round")
        + element("circle", cx=37.5, cy=11.5, r=1.7, fill=GOLD)
        + element("circle", cx=62.5, cy=11.5, r=1.7, fill=GOLD)
        + element("circle", cx=50, cy=10, r=5.6, fill=court.paper)
        + filled(court.cloth, put(f"s-{court.suit}", 50, 11.2, 8))
    )


def _hat_of_jack(court: Court) -> str:
    return (
        path("M33.5 23.5C31 13 41 7 51 8 61 9 67.5 14 66 23.5Q50 17.5 33.5 23.5Z", fill=court.cloth)
        + path("M33.5 23Q50 17 66.5 23", fill="none", stroke=GOLD, stroke_width=3, stroke_linecap="round")
        + path("M60 15C64 5 74 3 80 6 77 13 69 17 60 17Z", fill=GOLD)
        + path("M61 15.5Q68 9 76 7.5", fill="none", stroke=court.paper, stroke_width=1)
    )


_HEADGEAR: Final = {"K": _crown_of_king, "Q": _crown_of_queen, "J": _hat_of_jack}


def _features(court: Court) -> str:
    """Draw eyes, nose and mouth; a king's mouth is in his beard."""
    drawn = element(
        "g",
        path(EYES[court.rank]) + path("M50 29.5V35.6H52"),
        fill="none",
        stroke=court.line,
        stroke_width=1.3,
        stroke_linecap="round",
        stroke_linejoin="round",
    )
    if court.rank != "Q":  # hers are closed
        drawn += element("circle", cx=45.3, cy=31.3, r=1.35, fill=court.line)
        drawn += element("circle", cx=54.7, cy=31.3, r=1.35, fill=court.line)
    if court.rank != "K":
        lips = "var(--suit-h,#c52f33)" if court.rank == "Q" else court.line
        drawn += path(
            "M47 40.2Q48.6 38.9 50 39.7 51.4 38.9 53 40.2 51.5 42.3 50 42.3 48.5 42.3 47 40.2Z", fill=lips
        )
    return drawn


def _head(court: Court) -> str:
    if court.rank == "Q":
        face = "M50 21C46 25.5 42 27 40 27.5V33C40 41 45 46.5 50 46.5S60 41 60 33V27.5C58 27 54 25.5 50 21Z"
    else:
        face = "M40 22H60V34C60 42 55 47 50 47S40 42 40 34Z"
    drawn = path(face, fill=SKIN)
    if court.rank == "K":
        drawn += path(BEARD, fill=court.hair)
        strokes = {"fill": "none", "stroke": court.paper}
        drawn += path("M46.8 41.5Q50 43.6 53.2 41.5", **strokes, stroke_width=1.5, stroke_linecap="round")
        drawn += path(
            "M44 46Q45.5 50.5 48 52.5M56 46Q54.5 50.5 52 52.5M50 47V54",
            **strokes,
            stroke_width=1,
            stroke_linecap="round",
            opacity=".75",
        )
    return drawn + _features(court) + _HEADGEAR[court.rank](court)


def _hair(court: Court) -> str:
    drawn = path(HAIR[court.rank], fill=court.hair)
    if court.rank == "Q":
        drawn += path(
            "M36.5 34C36.5 46 34 52 30 56M63.5 34C63.5 46 66 52 70 56",
            fill="none",
            stroke=VEIL if court.is_lady else court.paper,
            stroke_width=1.1,
            stroke_linecap="round",
            opacity=".8",
        )
    return drawn


# The whole figure


def figure(court: Court) -> str:
    """Draw the upper half of a court."""
    return (
        _hair(court)
        + path("M45 42H55V60H45Z", fill=SKIN)
        + path(ROBES[court.rank], fill=court.cloth)
        + _cloth(court)
        + _ROBES_OF[court.rank](court)
        + _head(court)
    )


def attribute(court: Court) -> str:
    """Draw what a court holds, in the free upper right corner of its half: cup, sword, coin or baton."""
    if court.suit == "h":
        return cup("translate(69.5 27)scale(.34)", court.cloth, GOLD)
    if court.suit == "s":
        return (
            path("M80 12 83.2 18V46H76.8V18Z", fill=court.hair)
            + path("M80 18V46", stroke=court.paper, stroke_width=1)
            + path("M71 46.5H89", stroke=GOLD, stroke_width=3.4, stroke_linecap="round")
            + path("M80 47V58", stroke=GOLD, stroke_width=3.4)
        )
    if court.suit == "d":
        return (
            element("circle", cx=80, cy=36, r=10, fill=GOLD)
            + element("circle", cx=80, cy=36, r=7.2, fill="none", stroke=court.paper, stroke_width=1.2)
            + filled(court.cloth, put("s-d", 80, 36, 10))
        )
    return (
        path("M80 20V60", stroke=GOLD, stroke_width=3.6, stroke_linecap="round")
        + filled(court.cloth, put("s-c", 80, 21, 18))
        + path("M76 44H84M76 49H84", stroke=GOLD, stroke_width=2, stroke_linecap="round")
    )


def hand(court: Court) -> str:
    """Draw the hand that holds it."""
    return path(
        "M73.5 62C73.5 57.5 76 55 80 55S86.5 57.5 86.5 62V66H73.5Z",
        fill=SKIN,
        stroke=court.line,
        stroke_width=1.3,
    ) + path("M72.5 64.5H87.5", stroke=court.light, stroke_width=3, stroke_linecap="round")
