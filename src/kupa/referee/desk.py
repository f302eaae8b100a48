"""What the referee's loop asks of a game: a desk.

The loop (:mod:`kupa.referee.loop`) reads lines, knows which game is current and writes replies. A desk knows
the requests of one game. The two steps are apart because a request that is not well formed is ``bad_request``
even where no game has begun, and only then ``no_game``.

A desk keeps nothing between two requests but the source of randomness that it was made with; what there is to
keep is the state, a value that the loop holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from kupa.game import Json
from kupa.refusal import Refusal

RandomBelow = Callable[[int], int]
"""Returns a random whole number, at least 0 and below its argument; such as ``secrets.randbelow``."""


class Answer(NamedTuple):
    """What came of a request that was not refused."""

    state: Any
    """The state after it: an immutable value of the desk's own. The same one when nothing changed."""
    extra: Json
    """The keys of the reply besides ``ok``; their values are whatever msgspec can write."""


class Desk(Protocol):
    """One game's side of the referee; made as ``HeartsDesk(randbelow)``, ``HeartToHeartDesk(randbelow)``."""

    def read(self, data: Json) -> Any:
        """Read a request whose ``do`` is one of this game's, looking at nothing but the request itself.

        Args:
            data: the whole object, ``do`` included (always a text), for ``new`` also ``game``.

        Returns:
            The request in whatever form :meth:`answer` wants it, or a :class:`Refusal` with the code
            ``bad_request`` for an unknown, missing or ill-typed key. ``kupa.keys`` does most of it.
        """
        ...

    def answer(self, state: Any, request: Any) -> Answer | Refusal:
        """Do what a request asks.

        Args:
            state: this game's last state. For ``new`` (and the Hearts request ``rules``, which needs no game)
                it is None when this game was never begun, else the state left by its last request, so that
                settings can outlive a deal. For every other request this game is the current one.
            request: what :meth:`read` returned.
        """
        ...
