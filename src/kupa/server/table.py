"""A live match: its log, and all who are told of it, each as the seat may know it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from kupa.game import Game, Json
from kupa.server.frames import events_frame, view_frame
from kupa.server.live_log import LiveLog, new_events, states_after
from kupa.server.outbox import Outbox
from kupa.server.store import MatchRecord, Store

PERSON: Final = 0
"""The seat of the person in a match that is nobody else's; all others are held by bots."""

Viewer = int | None
"""Whom something is told to: a seat, or None for somebody who watches."""


class Table(LiveLog):
    """One match in memory. Made by :class:`kupa.server.tables.Tables`.

    Args:
        record: what the store keeps of the match.
        game: its game.
        store: where its log is.
    """

    def __init__(self, record: MatchRecord, game: Game, store: Store) -> None:
        super().__init__(record.id, game, store)
        self.owner = record.owner
        self.facts = record.facts
        self._listeners: dict[Outbox, Viewer] = {}

    @property
    def room(self) -> str | None:
        """The id of the room whose match it is, or None for one person's own."""
        room: str | None = self.facts.get("room")
        return room

    def view(self, viewer: Viewer) -> msgspec.Struct:
        """Return all that a seat, or somebody who watches, may know now."""
        view: msgspec.Struct = self.game.view(self.state, viewer)
        return view

    def info(self, viewer: Viewer) -> Json:
        """Return what is told of the match itself.

        Returns:
            ``id``, ``game``, ``preset`` (a rulebook's name or None), ``changed`` (the fields that house rules
            have set), ``end_early``, ``names`` (a name a seat, None for the person), ``bots`` (their level),
            ``room`` (the room whose match it is, or None), ``past_room`` (the same for an earlier match of a
            room, whose ``room`` is None), ``gave_up`` (the seats that have given the match up) and ``seat``
            (None for who watches).
        """
        return {
            "id": self.id,
            "game": self.game.name,
            "preset": self.facts["preset"],
            "changed": self.facts["changed"],
            "end_early": self.facts.get("end_early", False),
            "names": self.facts["names"],
            "bots": self.facts["bots"],
            "room": self.room,
            "past_room": None,
            "gave_up": [],
            "seat": viewer,
        }

    def view_frame(self, viewer: Viewer) -> str:
        """Return the frame that tells everything that a viewer may know."""
        return view_frame(self.seq, self.view(viewer), self.info(viewer))

    def listen(self, outbox: Outbox, viewer: Viewer) -> None:
        """Tell an outbox all that a viewer may know, now and from now on."""
        self._listeners[outbox] = viewer
        outbox.resync()

    def leave(self, outbox: Outbox) -> None:
        """Tell an outbox nothing more."""
        self._listeners.pop(outbox, None)

    @property
    def is_watched(self) -> bool:
        """Whether anybody listens."""
        return bool(self._listeners)

    def _tell(self, first: int, events: Sequence[Any], states: Sequence[Any]) -> None:
        for viewer in set(self._listeners.values()):
            frame = events_frame(
                [
                    {
                        "seq": seq,
                        "event": self.game.event_view(event, viewer),
                        "view": self.game.view(state, viewer),
                    }
                    for seq, (event, state) in enumerate(zip(events, states, strict=True), first)
                ]
            )
            for outbox, listening in self._listeners.items():
                if listening == viewer:
                    outbox.tell(frame)


__all__ = ["PERSON", "Table", "Viewer", "new_events", "states_after"]
