"""The levels of bots that a table may choose from, and how a player of one is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kupa.bots.beginner import Beginner
from kupa.bots.club import Club
from kupa.bots.player import Player
from kupa.keys import shown
from kupa.refusal import Refusal

LONGEST_TIME_MS: Final = 3_600_000
"""The most that a decision may be given, in milliseconds: an hour."""
DEFAULT_TIME_MS: Final = 100
"""What a level that searches is given for a decision unless somebody says otherwise, in milliseconds."""


class Setup(NamedTuple):
    """What a player of a level is made from."""

    luck: str
    """The player's luck: a text of its own, the same for the whole match, from which its dice follow."""
    time_ms: int = DEFAULT_TIME_MS
    """Milliseconds that it may spend on a decision; levels that do not search need no time."""
    chosen: Mapping[str, str] = {}
    """The level's own options, as far as they were given: only names and values that it takes."""


@dataclass(frozen=True)
class Level:
    """A level: how its players are made, and the options that it takes besides time and luck."""

    make: Callable[[Setup], Player]
    takes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Its own options by name, each with the values that it may have; what is left out is the level's to
    decide. ``kupa arena`` and ``kupa bot`` read them as ``LEVEL:name=value``."""

    def __call__(self, luck: str, time_ms: int = DEFAULT_TIME_MS, **chosen: str) -> Player:
        """Make a player for one seat of one match.

        Args:
            luck: a secret of whoever asks; another text for every seat.
            time_ms: milliseconds that it may spend on a decision.
            chosen: options of the level.

        Raises:
            ValueError: the level takes no such option, or not with that value.
        """
        for name, value in chosen.items():
            if value not in self.takes.get(name, ()):
                raise ValueError(f"{name}={value} is no option of this level")
        return self.make(Setup(luck, time_ms, chosen))


LEVELS: Final[Mapping[str, Level]] = {
    "beginner": Level(lambda setup: Beginner(setup.luck)),
    "club": Level(lambda setup: Club(setup.luck)),
}
"""The levels by name, weakest first."""
DEFAULT_LEVEL: Final = "club"


def new_player(level: str, luck: str, time_ms: int = DEFAULT_TIME_MS, **chosen: str) -> Player:
    """Make a player for one seat of one match; see :class:`Level`.

    Raises:
        KeyError: there is no such level.
        ValueError: the level takes no such option.
    """
    return LEVELS[level](luck, time_ms, **chosen)


class ChosenLevel(NamedTuple):
    """A level with options, as somebody wrote it: ``club``, ``master:time_ms=400``."""

    level: Level
    time_ms: int | None = None
    """Milliseconds for a decision, where they were written."""
    chosen: Mapping[str, str] = {}

    def player(self, luck: str, time_ms: int) -> Player:
        """Make a player.

        Args:
            luck: see :class:`Setup`.
            time_ms: what holds where no time was written.
        """
        return self.level(luck, self.time_ms or time_ms, **self.chosen)


def chosen_level(written: str, levels: Mapping[str, Level] = LEVELS) -> ChosenLevel | Refusal:
    """Read a level and its options, each after a colon: ``LEVEL:time_ms=N:name=value``.

    Args:
        written: by a person.
        levels: those that there are.

    Returns:
        What was chosen, or a refusal with the code ``bad_level``.
    """
    name, *options = written.split(":")
    if name not in levels:
        return _bad("unknown", level=name, known=", ".join(levels))
    level, time_ms, chosen = levels[name], None, dict[str, str]()
    for option in options:
        key, _, value = option.partition("=")
        if key == "time_ms":
            if not is_time_ms(value):
                return _bad("time", time=value, most=LONGEST_TIME_MS)
            time_ms = int(value)
        elif value in level.takes.get(key, ()):
            chosen[key] = value
        else:
            takes = (f"{own}={'|'.join(values)}" for own, values in level.takes.items())
            return _bad("option", option=option, level=name, known=", ".join(("time_ms=N", *takes)))
    return ChosenLevel(level, time_ms, chosen)


def is_time_ms(written: str) -> bool:
    """Tell whether a text is a number of milliseconds that a decision may have."""
    return (
        written.isascii() and written.isdigit() and len(written) < 8 and 1 <= int(written) <= LONGEST_TIME_MS
    )


def _bad(reason: str, **params: str | int) -> Refusal:
    return Refusal("bad_level", reason, params={name: shown(value) for name, value in params.items()})


def name_key(level: str) -> str:
    """Return the key of the name by which people know a level."""
    return f"bots.level.{level}"
