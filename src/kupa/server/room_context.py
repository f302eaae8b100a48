"""What the pages of a room tell, worked out from the frame that a room's socket sends.

Pure: a page can be made of data alone. A frame is what ``LiveRoom.frame`` returns: ``id``, ``code``,
``view``, ``names`` (person to name), ``bots`` (seat to name), ``presence`` (person to ``here`` or ``away``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from kupa.bots.levels import name_key
from kupa.catalogue import text
from kupa.hearts.presets import PRESETS
from kupa.rooms.state import PLAYING
from kupa.server.room_codes import spaced

HEADS: Final = ("JS", "QC", "QH", "KD", "QD", "JC", "QS", "KC", "JH", "KS", "JD")
"""The court heads that stand for the seats, seat 0 first; as at the table."""

Frame = Mapping[str, Any]


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody, or a seat, as it is shown."""

    name: str
    """What is written under the face; an open seat is called so."""
    note: str
    """The small line under the name."""
    person: str = ""
    """The person's id; empty for a bot and an open seat."""
    kind: str = "person"
    """``person``, ``bot`` or ``open``."""
    seat: int = -1
    """The seat, or -1 for somebody without one."""
    place: int = 0
    """Places to the left of whoever looks; 0 is one's own, at the bottom."""
    head: str = ""
    """The court card whose head it is."""
    level: str = ""
    """The level of a bot."""
    is_me: bool = False
    is_host: bool = False
    is_away: bool = False


class _Reader:
    """A frame, read for one language."""

    def __init__(self, frame: Frame, language: str) -> None:
        self.frame: dict[str, Any] = msgspec.to_builtins(dict(frame), str_keys=True)
        self.view: dict[str, Any] = self.frame["view"]
        self.language = language
        self.settings: dict[str, Any] = self.view["settings"]

    def say(self, key: str, **params: str | int) -> str:
        return text(self.language, key, **params)

    def is_away(self, person: str) -> bool:
        return bool(self.frame.get("presence", {}).get(person) == "away")

    def name_of(self, person: str) -> str:
        """Return what a person is called; by the seat, as at the table, who has not said so yet."""
        name: str = self.frame.get("names", {}).get(person) or ""
        if name:
            return name
        seats = [number for number, seat in enumerate(self.view["seats"]) if seat["person"] == person]
        return self.say("table.player", n=seats[0] + 1) if seats else self.say("room.nameless")

    def note_of(self, person: str) -> str:
        if self.is_away(person):
            return self.say("room.away")
        return self.say("room.host" if person == self.view["host"] else "room.here")

    def seats(self) -> list[Shown]:
        """Return every seat, seat 0 first."""
        return [self.seat(number, seat) for number, seat in enumerate(self.view["seats"])]

    def seat(self, number: int, seat: Mapping[str, Any]) -> Shown:
        mine = self.view["my_seat"]
        place = (number - (mine if mine is not None else 0)) % len(self.view["seats"])
        if seat["person"] is not None:
            return self.person(seat["person"], number, place)
        where: dict[str, Any] = {"seat": number, "place": place, "head": HEADS[number]}
        if seat["level"] is None:
            return Shown(name=self.say("room.seat.open"), note=self.note_of_open(), kind="open", **where)
        name = self.frame.get("bots", {}).get(str(number)) or self.say("table.player", n=number + 1)
        level = self.say(name_key(seat["level"]))
        return Shown(
            name=name, note=self.say("room.bot", level=level), kind="bot", level=seat["level"], **where
        )

    def note_of_open(self) -> str:
        """Return what whoever looks can do about an open seat."""
        me = self.view["me"]
        if me not in self.view["people"]:
            return ""
        return self.say("room.seat.give" if me == self.view["host"] else "room.seat.take")

    def person(self, person: str, seat: int = -1, place: int = 0) -> Shown:
        is_me = person == self.view["me"]
        return Shown(
            name=self.say("table.you") if is_me else self.name_of(person),
            note=self.note_of(person),
            person=person,
            seat=seat,
            place=place,
            head=HEADS[seat] if seat >= 0 else "",
            is_me=is_me,
            is_host=person == self.view["host"],
            is_away=self.is_away(person),
        )

    def standing(self) -> list[Shown]:
        """Return everybody in the room who has no seat."""
        seated = {seat["person"] for seat in self.view["seats"]}
        return [self.person(person) for person in self.view["people"] if person not in seated]

    def unsealed(self) -> list[str]:
        """Return the names of those who sit and whose page has not yet added to the deal."""
        given = set(self.view["contributed"])
        return [
            self.name_of(seat["person"])
            for seat in self.view["seats"]
            if seat["person"] is not None and seat["person"] not in given
        ]

    def start(self) -> tuple[bool, str]:
        """Return whether the match could begin now if the host said so, and else why not."""
        opened = sum(seat["person"] is None and seat["level"] is None for seat in self.view["seats"])
        if opened:
            return False, self.say("room.start.open", n=opened)
        if all(seat["person"] is None for seat in self.view["seats"]):
            return False, self.say("room.start.nobody")
        waiting = self.unsealed()
        if waiting:
            return False, self.say("room.start.unsealed", names=", ".join(waiting))
        return True, ""

    def target(self) -> int:
        """Return the number of points that ends a match."""
        own = self.settings["set"].get("target")
        return own if isinstance(own, int) else PRESETS[self.settings["rules"]].rulebook().target

    def house_rules(self) -> bool:
        return bool(self.settings["set"].keys() - {"target"}) or self.settings["end_early"]

    def subtitle(self) -> str:
        told = [
            self.say(f"rules.{self.settings['rules']}"),
            self.say("players.count", n=self.settings["players"]),
            self.say("new.summary.target", target=self.target()),
        ]
        if self.house_rules():
            told.append(self.say("new.summary.house"))
        return " · ".join(told)

    def think(self) -> str:
        seconds = self.settings["think"]
        return self.say("room.think.off") if seconds is None else self.say("room.think.n", n=seconds)

    def facts(self) -> list[tuple[str, str]]:
        """Return the settings of the room in words: what is set, and how."""
        settings = self.settings
        return [
            (self.say("room.fact.think"), self.think()),
            (
                self.say("room.fact.listed"),
                self.say("room.listed.yes" if settings["listed"] else "room.listed.no"),
            ),
            (self.say("room.fact.watch"), self.say("new.yes" if settings["watch"] else "new.no")),
            (self.say("room.fact.hints"), self.say("new.yes" if settings["hints"] else "new.no")),
        ]


def room_context(frame: Frame, language: str) -> dict[str, Any]:
    """Return what the templates of a room name.

    Args:
        frame: a room's frame, for whoever looks at the page.
        language: the reader's.

    Returns:
        ``room``: a mapping of plain values; its keys are listed at the head of ``templates/room.html``.
    """
    reader = _Reader(frame, language)
    view = reader.view
    seats = reader.seats()
    can_start, why = reader.start()
    me = view["me"]
    is_in = me in view["people"]
    return {
        "room": {
            "id": reader.frame["id"],
            "code": reader.frame["code"],
            "code_shown": spaced(reader.frame["code"]),
            "phase": view["phase"],
            "match": view["match"],
            "me": me,
            "here": list(view["people"]),
            "is_in": is_in,
            "my_seat": view["my_seat"],
            "is_host": is_in and me == view["host"],
            "has_name": bool(reader.frame.get("names", {}).get(me)),
            "host": reader.name_of(view["host"]),
            "seats": seats,
            "standing": reader.standing(),
            "players": len(seats),
            "taken": sum(seat.kind != "open" for seat in seats),
            "open": sum(seat.kind == "open" for seat in seats),
            "can_start": can_start,
            "why_not": why,
            "rules": view["settings"]["rules"],
            "title": reader.say(f"rules.{view['settings']['rules']}"),
            "subtitle": reader.subtitle(),
            "target": reader.say("new.summary.target", target=reader.target()),
            "is_open": view["phase"] != PLAYING and any(seat.kind == "open" for seat in seats),
            "think": reader.think(),
            "facts": reader.facts(),
            "house": sorted(view["settings"]["set"].keys() - {"target"}),
            "can_watch": view["settings"]["watch"],
            "commitment": view["commitment"],
            "revealed": view["revealed"],
        }
    }
