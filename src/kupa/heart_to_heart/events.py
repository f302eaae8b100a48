"""What may happen in a game of Heart to Heart.

The log keeps events for ever, so fields are only ever added, with a default that means what was meant before.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from kupa.heart_to_heart.codes import read_code, read_deck
from kupa.heart_to_heart.state import Place
from kupa.keys import LARGEST_NUMBER

Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_NUMBER)]


class _Event(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """An event; written as a JSON object whose ``type`` is the tag."""


class _Timed(_Event, frozen=True, kw_only=True, omit_defaults=True):
    """An event of a command that may tell the playing time; without one the log leaves it out."""

    elapsed_ms: Milliseconds = 0
    """Playing time by the client's clock, in milliseconds."""


class Started(_Event, frozen=True, tag="started"):
    """A deal was laid out, either of a code or of the player's own."""

    code: str | None = None
    """The canonical code, or None for a deck of the player's own."""
    deck: str = ""
    """Fifty-two ranks in deal order; empty with a code, which is the deal."""
    move_errors: bool = False
    placement_help: bool = True

    def __post_init__(self) -> None:
        """Refuse a deal that does not exist, so that no log can begin with one.

        Raises:
            ValueError: neither a canonical code nor a complete deck, or both.
        """
        if self.code is None:
            if read_deck(self.deck) != self.deck:
                raise ValueError("this is no deck of Heart to Heart")
        elif self.deck or read_code(self.code) != self.code:
            raise ValueError("this is no deal code in canonical form")


class Drawn(_Timed, frozen=True, tag="drawn"):
    """The top of the stock went face up onto the waste."""


class Redealt(_Timed, frozen=True, tag="redealt"):
    """The waste went back into the empty stock, in the same order."""


class Paired(_Timed, frozen=True, tag="paired"):
    """Two cards of the same rank left the game."""

    a: Place
    """The card that was selected first."""
    b: Place


class Selected(_Timed, frozen=True, tag="selected"):
    """A card was selected while none was."""

    at: Place


class Deselected(_Timed, frozen=True, tag="deselected"):
    """The selected card was tapped again."""

    at: Place


class Mismatched(_Timed, frozen=True, tag="mismatched"):
    """A card of another rank than the selected one was tapped, and is selected now."""

    first: Place
    second: Place


class Undone(_Timed, frozen=True, tag="undone"):
    """The last move was taken back."""


class SettingsChanged(_Event, frozen=True, tag="settings_changed"):
    """The settings are these from now on."""

    move_errors: bool
    placement_help: bool


Event = Started | Drawn | Redealt | Paired | Selected | Deselected | Mismatched | Undone | SettingsChanged
