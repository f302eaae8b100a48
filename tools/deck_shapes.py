"""The shapes that Kupa's deck is drawn of: index figures, suits, the cup, and the colours by role.

Shapes are SVG path data in a box 100 wide and 100 high unless they say otherwise. Every colour is a custom
property of CSS with a fallback, so that a page re-colours the deck without another file.
"""

from __future__ import annotations

from typing import Final

GLYPHS: Final[dict[str, tuple[int, str]]] = {
    "A": (66, "M7 92 33 8 59 92M16 65H50"),
    "2": (62, "M8 31C8 17 17 8 31 8 45 8 54 17 54 30 54 41 48 49 40 58L8 92H56"),
    "3": (
        62,
        (
            "M8 25C11 14 19 8 30 8 43 8 52 16 52 28 52 39 43 46.5 30 46.5H25"
            "M30 46.5C45 46.5 55 55 55 69 55 83 44 92 30 92 18 92 10 86 6 74"
        ),
    ),
    "4": (66, "M46 92V8L6 66H61"),
    "5": (
        62,
        "M51 8H15L11 46C16 41 22 38 30 38 45 38 55 49 55 65 55 81 44 92 29 92 18 92 10 86 6 76",
    ),
    "6": (
        64,
        "M46 8C26 22 8 42 8 65 8 82 18 92 32 92 46 92 56 81 56 66 56 52 46 42 32 42 19 42 8 52 8 66",
    ),
    "7": (60, "M6 8H54L23 92"),
    "8": (
        64,
        (
            "M32 8C44 8 52 16 52 27 52 38 44 46 32 46 20 46 12 38 12 27 12 16 20 8 32 8Z"
            "M32 46C47 46 57 56 57 69 57 83 47 92 32 92 17 92 7 83 7 69 7 56 17 46 32 46Z"
        ),
    ),
    "9": (
        64,
        "M18 92C38 78 56 58 56 35 56 18 46 8 32 8 18 8 8 19 8 34 8 48 18 58 32 58 45 58 56 48 56 34",
    ),
    "10": (
        84,
        "M3 23 18 8V92M58 8C70 8 77 19 77 36V64C77 81 70 92 58 92 46 92 39 81 39 64V36C39 19 46 8 58 8Z",
    ),
    "J": (58, "M27 8H48V66C48 83 40 92 27 92 14 92 7 84 6 72"),
    "Q": (
        70,
        "M34 8C51 8 61 23 61 50 61 77 51 92 34 92 17 92 7 77 7 50 7 23 17 8 34 8ZM40 69 63 97",
    ),
    "K": (64, "M9 8V92M56 8 10 57M26 41 58 92"),
    "V": (66, "M7 8 33 92 59 8"),
    "P": (62, "M9 92V8H31C47 8 56 18 56 32 56 46 47 56 31 56H9"),
}
"""Our own figures for the indices, so that no font changes a card: advance width, and lines to stroke."""

INDICES: Final[dict[str, dict[str, str]]] = {
    "international": {rank: rank for rank in "A23456789JQK"} | {"T": "10"},
    "turkish": {rank: rank for rank in "A23456789"} | {"T": "10", "J": "V", "Q": "K", "K": "P"},
}
"""Which figure stands for a rank: vale, kız and papaz in the Turkish index."""

SUITS: Final[dict[str, str]] = {
    "h": (
        "M50 93C43 82 5 61 5 33 5 18 16 8 29 8 39 8 47 14 50 23 53 14 61 8 71 8"
        " 84 8 95 18 95 33 95 61 57 82 50 93Z"
    ),
    "d": "M50 2Q64 29 89 50 64 71 50 98 36 71 11 50 36 29 50 2Z",
    "s": (
        "M50 3C57 21 93 40 93 65 93 78 83 86 73 86 65 86 58 82 54 75 55 85 59 92 68 97H32"
        "C41 92 45 85 46 75 42 82 35 86 27 86 17 86 7 78 7 65 7 40 43 21 50 3Z"
    ),
    "c": (
        "M50 3A22 22 0 0 1 66.5 39.6 22 22 0 1 1 54.5 73C55.5 84 60 92 68 97H32"
        "C40 92 44.5 84 45.5 73A22 22 0 1 1 33.5 39.6 22 22 0 0 1 50 3Z"
    ),
}
"""The four suits."""

CUP_TOP: Final = (
    "M32 17C29 8 24 4 18 4 11 4 5 9 5 17 5 18.6 5.2 20.2 5.6 21.7 22 28 42 28 58.4 21.7"
    " 58.8 20.2 59 18.6 59 17 59 9 53 4 46 4 40 4 35 8 32 17Z"
)
"""The upper half of the heart that is a cup, in a box 64 wide and high."""
CUP_BOWL: Final = (
    "M7.2 26.2C23 31.6 41 31.6 56.8 26.2 51.5 37.2 38.4 43.4 34.6 48.2V52.5C36 55 42 55.6 46 60H18"
    "C22 55.6 28 55 29.4 52.5V48.2C25.6 43.4 12.5 37.2 7.2 26.2Z"
)
"""Its lower half: bowl, stem and foot."""

STAR: Final = "M50 0Q56 44 100 50 56 56 50 100 44 56 0 50 44 44 50 0Z"

PAPER: Final = "var(--card-paper,#fffdf8)"
EDGE: Final = "var(--card-edge,#00000024)"
GOLD: Final = "var(--card-gold,#d29a2e)"
SKIN: Final = "var(--card-skin,#f7e6d0)"
INK: Final[dict[str, str]] = {
    "s": "var(--suit-s,#23222e)",
    "h": "var(--suit-h,#c52f33)",
    "d": "var(--suit-d,#c52f33)",
    "c": "var(--suit-c,#23222e)",
}
NIGHT: Final = "var(--qs-night,#211d36)"
MOON: Final = "var(--qs-moon,#f3ecff)"
VEIL: Final = "var(--qs-veil,#7d68c4)"


def number(value: float) -> str:
    """Write a number with at most two decimals and no zeros at its end."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def element(name: str, inner: str = "", /, **attributes: str | float) -> str:
    """Write an element; an underscore in the name of an attribute is a hyphen, one at its end is dropped."""
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f"<{name}{written}/>" if not inner else f"<{name}{written}>{inner}</{name}>"


def path(d: str, **attributes: str | float) -> str:
    """Write a path."""
    return element("path", d=d, **attributes)


def filled(fill: str, *parts: str) -> str:
    """Group parts that share one fill."""
    return element("g", "".join(parts), fill=fill)


def put(ref: str, x: float, y: float, width: float, *, upside_down: bool = False) -> str:
    """Use a shape of the 100-box with its centre at (x, y)."""
    turn = "rotate(180)" if upside_down else ""
    transform = f"translate({number(x)} {number(y)}){turn}scale({number(width / 100)})translate(-50-50)"
    return element("use", href=f"#{ref}", transform=transform)


def cup(transform: str, top: str, bowl: str) -> str:
    """Draw the cup with one fill for its top and one for its bowl."""
    return element("g", path(CUP_TOP, fill=top) + path(CUP_BOWL, fill=bowl), transform=transform)


def index_figure(figure: str, x: float, top: float, height: float, weight: float) -> str:
    """Draw the figure of an index, centred on x."""
    width, d = GLYPHS[figure]
    scale = height / 100
    return path(
        d,
        transform=f"translate({number(x - width * scale / 2)} {number(top)})scale({number(scale)})",
        fill="none",
        stroke="currentColor",
        stroke_width=number(weight),
        stroke_linecap="round",
        stroke_linejoin="round",
    )
