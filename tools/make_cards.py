"""Draw Kupa's deck: one SVG file of symbols, with 52 faces in two optical cuts, the back, heads and marks.

Symbols (a card is 100 wide and 140 high):

    c-<rank><suit>     compact cut, for cards narrower than 84 px: jumbo index, one mark or a portrait
    f-<rank><suit>     full cut, from 84 px up: two indices, pips, courts that are the same both ways up
    head-<rank><suit>  the heads of the twelve courts: the avatars
    back, logo, logo-mono, mark-h, mark-d, mark-c, mark-s

rank: A 2 3 4 5 6 7 8 9 T J Q K; suit: S H D C.

    python tools/make_cards.py             writes cards.svg, cards-tr.svg and favicon.svg into web/static
    python tools/make_cards.py --out DIR   writes them elsewhere
    python tools/make_cards.py --index turkish --out DIR    writes only the deck with the letters V, K, P
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from deck_courts import RANKS as COURT_RANKS
from deck_courts import ROBES, Court, attribute, figure, hand
from deck_shapes import (
    CUP_BOWL,
    CUP_TOP,
    EDGE,
    GOLD,
    INDICES,
    INK,
    MOON,
    NIGHT,
    PAPER,
    STAR,
    SUITS,
    cup,
    element,
    filled,
    index_figure,
    number,
    path,
    put,
)

STATIC: Final = Path(__file__).resolve().parent.parent / "src" / "kupa" / "web" / "static"
FILES: Final = {"international": "cards.svg", "turkish": "cards-tr.svg"}

SVG: Final = "http://www.w3.org/2000/svg"
RANKS: Final = "A23456789TJQK"
SUIT_ORDER: Final = "shdc"
CARD_BOX: Final = "0 0 100 140"

RADIUS: Final = 8
"""Of a card's corner; 8 % of its width, as in the styles."""
WEIGHT: Final = 16
"""Of the strokes of an index, where its figure is 100 high."""
COMPACT_HEIGHT: Final = 38
"""Of the index of the compact cut."""
FULL_HEIGHT: Final = 24
"""Of the indices of the full cut."""

UPSIDE_DOWN: Final = "rotate(180 50 70)"

_SIDES: Final = ((0, 0), (2, 0), (0, 1), (2, 1))
_PIP_THIRDS: Final = ((0, 1 / 3), (2, 1 / 3), (0, 2 / 3), (2, 2 / 3))
PIPS: Final[dict[str, tuple[tuple[int, float], ...]]] = {
    "2": ((1, 0), (1, 1)),
    "3": ((1, 0), (1, 0.5), (1, 1)),
    "4": _SIDES,
    "5": (*_SIDES, (1, 0.5)),
    "6": (*_SIDES, (0, 0.5), (2, 0.5)),
    "7": (*_SIDES, (0, 0.5), (2, 0.5), (1, 0.25)),
    "8": (*_SIDES, (0, 0.5), (2, 0.5), (1, 0.25), (1, 0.75)),
    "9": (*_SIDES, *_PIP_THIRDS, (1, 0.5)),
    "T": (*_SIDES, *_PIP_THIRDS, (1, 1 / 6), (1, 5 / 6)),
}
"""Where the pips of the full cut lie: one of three columns, and how far down."""
PIP_COLUMNS: Final = (37.5, 50, 62.5)
PIP_WIDTHS: Final = {2: 25, 3: 25, 4: 20, 5: 20, 6: 20, 7: 18.5, 8: 18.5}
"""Fewer pips are larger; nine and ten have 16.5."""
PIP_TOPS: Final = {2: 32, 3: 30}
"""How far from the edge the outer pips lie; 26 for the other ranks."""
DIAMONDS_WIDER: Final = 1.12
"""A diamond looks smaller than other marks of its width."""

COMPACT_STARS: Final = ((56, 13, 0.9), (85, 22, 1.2), (71, 33, 0.7), (92, 60, 0.7))
FULL_STARS: Final = ((31, 12, 1), (90, 22, 0.9), (36, 30, 0.6), (69, 128, 1), (10, 118, 0.9), (64, 110, 0.6))
"""The stars round the queen of spades: place and size."""


def symbol(name: str, box: str, inner: str) -> str:
    """Write a symbol."""
    return element("symbol", inner, id=name, viewBox=box)


def rectangle(inset: float, radius: float, **attributes: str | float) -> str:
    """Draw a rectangle that leaves a margin all round the card."""
    return element(
        "rect",
        x=number(inset),
        y=number(inset),
        width=number(100 - 2 * inset),
        height=number(140 - 2 * inset),
        rx=number(radius),
        **attributes,
    )


def outline() -> str:
    """Draw the edge of a card."""
    return rectangle(0.5, RADIUS, fill="none", stroke=EDGE)


def ground(*, night: bool = False) -> str:
    """Draw the paper of a card, with the night on it for the queen of spades."""
    paper = rectangle(0.5, RADIUS, fill=PAPER, stroke=EDGE)
    return paper + rectangle(3, RADIUS - 2, fill=NIGHT) if night else paper


def ace(suit: str, x: float, y: float, width: float) -> str:
    """Draw a great mark with a cup of light in it."""
    middle = {"h": 46, "d": 50, "s": 56, "c": 52}[suit]
    size = width * {"h": 0.5, "d": 0.42, "s": 0.42, "c": 0.3}[suit]
    top = y + (middle - 50) * width / 100
    place = f"translate({number(x - size / 2)} {number(top - size / 2)})scale({number(size / 64)})"
    light = element("g", path(CUP_TOP) + path(CUP_BOWL), transform=place, fill=PAPER)
    return put(f"s-{suit}", x, y, width) + light


def stars(places: tuple[tuple[float, float, float], ...]) -> str:
    """Draw the stars of the night."""
    return filled(GOLD, *(put("k-star", x, y, 6 * size) for x, y, size in places))


def compact_court(court: Court) -> str:
    """Draw a court of the compact cut: the portrait, cut off by the card's edge."""
    portrait = element("g", figure(court), transform="translate(-4.5 41)scale(1.29)")
    sky = stars(COMPACT_STARS) if court.is_lady else ""
    drawn = element("g", sky + portrait, clip_path="url(#k-card)")
    if court.is_lady:
        drawn += rectangle(1.5, RADIUS - 1, fill="none", stroke=PAPER, stroke_width=3)
    return drawn + outline()


def compact_face(rank: str, suit: str, index: str) -> str:
    """Draw a face of the compact cut."""
    court = Court(rank, suit)
    name = INDICES[index][rank]
    x = 22 if name == "10" else 21
    if rank in COURT_RANKS:
        drawn = compact_court(court)
    elif rank == "A":
        drawn = ace(suit, 62, 91, 68)
    else:
        drawn = put(f"s-{suit}", 64, 98, 62 if suit == "d" else 56)
    drawn += index_figure(name, x, 8, COMPACT_HEIGHT, WEIGHT)
    drawn += put(f"s-{suit}", x, 8 + COMPACT_HEIGHT + 17, 25)
    colour = MOON if court.is_lady else INK[suit]
    return ground(night=court.is_lady) + element("g", drawn, color=colour, fill="currentColor")


def full_court(court: Court) -> str:
    """Draw a court of the full cut: two halves and the sash between them."""
    half = element(
        "g",
        element("g", figure(court), transform="translate(3.5 1)scale(.93)")
        + element("g", attribute(court) + hand(court), transform="translate(3 -1)"),
        clip_path="url(#k-half)",
    )
    sash = "M7 74.8 93 65.2"
    return (
        (stars(FULL_STARS) if court.is_lady else "")
        + half
        + element("g", half, transform=UPSIDE_DOWN)
        + path(sash, stroke=court.paper, stroke_width=6.4)
        + path(sash, stroke=GOLD, stroke_width=3)
        + element("circle", cx=50, cy=70, r=7.6, fill=court.paper)
        + element("circle", cx=50, cy=70, r=6.4, fill="none", stroke=GOLD, stroke_width=1.4)
        + filled(court.hair, put(f"s-{court.suit}", 50, 70, 7.4))
    )


def full_ace(suit: str) -> str:
    """Draw an ace of the full cut, between two golden arcs."""
    arcs = path("M34 27Q50 17 66 27M34 113Q50 123 66 113")
    dots = element("circle", cx=50, cy=22, r=2.2) + element("circle", cx=50, cy=118, r=2.2)
    return (
        ace(suit, 50, 70, 52)
        + element("g", arcs, fill="none", stroke=GOLD, stroke_width=1.3, stroke_linecap="round")
        + filled(GOLD, dots)
    )


def pips(rank: str, suit: str) -> str:
    """Draw the pips of a rank; those of the lower half stand on their heads."""
    places = PIPS[rank]
    width = PIP_WIDTHS.get(len(places), 16.5) * (DIAMONDS_WIDER if suit == "d" else 1)
    top = PIP_TOPS.get(len(places), 26)
    return "".join(
        put(f"s-{suit}", PIP_COLUMNS[column], top + down * (140 - 2 * top), width, upside_down=down > 0.5)
        for column, down in places
    )


def full_face(rank: str, suit: str, index: str) -> str:
    """Draw a face of the full cut."""
    court = Court(rank, suit)
    name = INDICES[index][rank]
    x = 14.6 if name == "10" else 13.4
    corner = index_figure(name, x, 7.5, FULL_HEIGHT, WEIGHT) + put(f"s-{suit}", x, 7.5 + FULL_HEIGHT + 11, 16)
    if rank in COURT_RANKS:
        drawn = full_court(court)
    elif rank == "A":
        drawn = full_ace(suit)
    else:
        drawn = pips(rank, suit)
    drawn += corner + element("g", corner, transform=UPSIDE_DOWN)
    colour = MOON if court.is_lady else INK[suit]
    return ground(night=court.is_lady) + element("g", drawn, color=colour, fill="currentColor")


BACK_A: Final = "var(--back-a,#b5363b)"
BACK_B: Final = "var(--back-b,#fbe9d8)"
BACK_C: Final = "var(--back-c,#d9a441)"


def back_pattern() -> str:
    """Return one tile of the back: an upright cup beside a turned one, rim by stem."""
    cups = path(CUP_TOP, opacity=".5") + path(CUP_BOWL, opacity=".3")
    tile = "".join(
        element("g", cups, transform=f"translate({x} 7.8){turn}scale(.224)translate(-32-32)", fill=BACK_B)
        for x, turn in ((5.5, ""), (16.5, "rotate(180)"))
    )
    return element(
        "pattern", tile, id="k-bk", width=22, height=15.6, patternUnits="userSpaceOnUse", x=50, y=62.2
    )


def back() -> str:
    """Draw the back: cups and hearts at once, the same both ways up."""
    diamond = path(
        "M50 36 78 70 50 104 22 70Z",
        fill=BACK_A,
        stroke=BACK_B,
        stroke_width=1,
        stroke_opacity=".8",
        stroke_linejoin="round",
    )
    inner = path(
        "M50 41 73.5 70 50 99 26.5 70Z", fill="none", stroke=BACK_C, stroke_width=1.1, stroke_linejoin="round"
    )
    cups = "".join(cup(f"{turn}translate(40.7 50.4)scale(.29)", BACK_B, BACK_C) for turn in ("", UPSIDE_DOWN))
    return (
        ground()
        + rectangle(5, RADIUS - 3, fill=BACK_A)
        + rectangle(7.5, RADIUS - 4, fill="url(#k-bk)")
        + rectangle(8.2, RADIUS - 4, fill="none", stroke=BACK_B, stroke_width=1, opacity=".75")
        + diamond
        + inner
        + cups
    )


def head(court: Court) -> str:
    """Draw the head of a court on a ground of its own colour."""
    colour = NIGHT if court.is_lady else f"color-mix(in srgb,{INK[court.suit]} 22%,{PAPER})"
    under = element("rect", x=22, width=56, height=56, style=f"fill:{colour}")
    return under + element("g", figure(court), transform="translate(0 2)")


def definitions() -> list[str]:
    """Return the shapes that the symbols share."""
    return [
        *(element("g", path(d), id=f"s-{suit}") for suit, d in SUITS.items()),
        path(STAR, id="k-star"),
        *(element("clipPath", path(d), id=f"k-cr{rank}") for rank, d in ROBES.items()),
        element("clipPath", rectangle(1, RADIUS - 0.5), id="k-card"),
        element("clipPath", path("M7 0H93V65.2L7 74.8Z"), id="k-half"),
        back_pattern(),
    ]


def file_name(rank: str, suit: str) -> str:
    """Return a card as the names of symbols write it: ``QS``."""
    return f"{rank}{'SHDC'[SUIT_ORDER.index(suit)]}"


def deck(index: str) -> str:
    """Return the file of the whole deck with the letters of an index, ``international`` or ``turkish``."""
    drawn = [f'<svg xmlns="{SVG}">', "<defs>", *definitions(), "</defs>"]
    for suit in SUIT_ORDER:
        for rank in RANKS:
            name = file_name(rank, suit)
            drawn.append(symbol(f"c-{name}", CARD_BOX, compact_face(rank, suit, index)))
            drawn.append(symbol(f"f-{name}", CARD_BOX, full_face(rank, suit, index)))
        bare = element("use", href=f"#s-{suit}", fill="currentColor")
        drawn.append(symbol(f"mark-{suit}", "0 0 100 100", bare))
    drawn += [
        symbol(f"head-{file_name(rank, suit)}", "22 0 56 56", head(Court(rank, suit)))
        for suit in SUIT_ORDER
        for rank in COURT_RANKS
    ]
    logo = path(CUP_TOP, fill="var(--logo-a,#c52f33)") + path(CUP_BOWL, fill="var(--logo-b,#d29a2e)")
    plain = path(CUP_TOP, fill="currentColor") + path(CUP_BOWL, fill="currentColor")
    drawn += [
        symbol("back", CARD_BOX, back()),
        symbol("logo", "0 0 64 64", logo),
        symbol("logo-mono", "0 0 64 64", plain),
        "</svg>",
    ]
    return "\n".join(drawn) + "\n"


def favicon() -> str:
    """Return the mark alone, in colours that hold on light and dark."""
    mark = path(CUP_TOP, fill="#d0353a") + path(CUP_BOWL, fill="#d29a2e")
    return f'<svg xmlns="{SVG}" viewBox="0 0 64 64">{mark}</svg>\n'


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description="Draw Kupa's deck.")
    parser.add_argument("--out", type=Path, default=STATIC, help="the folder to write into")
    parser.add_argument("--index", choices=sorted(FILES), help="write only the deck with these letters")
    arguments = parser.parse_args()
    written = {FILES[index]: deck(index) for index in FILES if arguments.index in {None, index}}
    if arguments.index is None:
        written["favicon.svg"] = favicon()
    for name, text in written.items():
        file: Path = arguments.out / name
        file.write_text(text, encoding="utf-8")
        print(f"{file}: {len(text.encode())} bytes")


if __name__ == "__main__":
    main()
