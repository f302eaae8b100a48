"""What a player of Heart to Heart may ask for."""

from __future__ import annotations

from typing import Literal

import msgspec

from kupa.heart_to_heart.state import Place


class Start(msgspec.Struct, frozen=True):
    """Lay out a deal: the one of a code, or one's own."""

    code: str | None
    """A canonical code, or None with a deck of one's own."""
    deck: str
    """Fifty-two ranks in deal order; empty with a code."""
    move_errors: bool = False
    placement_help: bool = True


class Tap(msgspec.Struct, frozen=True):
    """Touch a card of the heart, the stock, or the waste."""

    at: Place | Literal["stock"]
    elapsed_ms: int = 0
    """Playing time so far by the client's clock, in milliseconds; 0 from a client without one."""


class Undo(msgspec.Struct, frozen=True):
    """Take the last move back."""

    elapsed_ms: int = 0


class ChangeSettings(msgspec.Struct, frozen=True):
    """Change settings; None leaves one as it is."""

    move_errors: bool | None = None
    placement_help: bool | None = None


Command = Start | Tap | Undo | ChangeSettings
