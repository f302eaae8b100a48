"""A game of Heart to Heart as lines that people can read, and back.

First the deal and the settings it began with, then a line for each thing that happened::

    code HH1-N-AAAAAAM
    draw
    select 25
    pair 25 waste
    deselect 25
    mismatch 25 waste
    redeal
    undo
    settings move_errors on, placement_help off

``deck TQTQ8K4K…`` stands for ``code …`` with a deck of one's own. ``@ 12.345`` behind a line is the playing
time in seconds, where the player's clock told it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from kupa.heart_to_heart import events
from kupa.heart_to_heart.commands import ChangeSettings, Command, Start, Tap, Undo
from kupa.heart_to_heart.engine import evolve
from kupa.heart_to_heart.state import Place, State
from kupa.transcript import Line, TranscriptError


def command_of(event: events.Event) -> Command:
    """Return the command that an event answers."""
    if isinstance(event, events.Started):
        return Start(event.code, event.deck, event.move_errors, event.placement_help)
    if isinstance(event, events.SettingsChanged):
        return ChangeSettings(event.move_errors, event.placement_help)
    if isinstance(event, events.Undone):
        return Undo(event.elapsed_ms)
    if isinstance(event, events.Drawn | events.Redealt):
        return Tap("stock", event.elapsed_ms)
    if isinstance(event, events.Paired):
        return Tap(event.b, event.elapsed_ms)
    if isinstance(event, events.Mismatched):
        return Tap(event.second, event.elapsed_ms)
    return Tap(event.at, event.elapsed_ms)


_WORDS: Final[dict[type[Any], str]] = {
    events.Drawn: "draw",
    events.Redealt: "redeal",
    events.Undone: "undo",
    events.Selected: "select",
    events.Deselected: "deselect",
    events.Paired: "pair",
    events.Mismatched: "mismatch",
}
_EVENTS: Final[dict[str, Callable[..., events.Event]]] = {word: event for event, word in _WORDS.items()}


def write_lines(game: Sequence[events.Event]) -> list[str]:
    """Write the events of a game, from its first one on."""
    lines: list[str] = []
    for event in game:
        if isinstance(event, events.Started):
            lines.append(f"code {event.code}" if event.code is not None else f"deck {event.deck}")
            lines.append(_settings_line(event))
        elif isinstance(event, events.SettingsChanged):
            lines.append(_settings_line(event))
        else:
            lines.append(_event_line(event))
    return lines


def _settings_line(event: events.Started | events.SettingsChanged) -> str:
    errors, help_ = ("on" if on else "off" for on in (event.move_errors, event.placement_help))
    return f"settings move_errors {errors}, placement_help {help_}"


def _event_line(event: Any) -> str:
    fields: dict[str, Place | int] = msgspec.structs.asdict(event)
    elapsed = int(fields.pop("elapsed_ms"))
    clock = [f"@ {elapsed // 1000}.{elapsed % 1000:03d}"] if elapsed else []
    return " ".join([_WORDS[type(event)], *map(str, fields.values()), *clock])


_DEAL_LINE: Final = re.compile(r"(code|deck) (\S+)")
_SETTINGS_LINE: Final = re.compile(r"settings move_errors (on|off), placement_help (on|off)")
_PLACE: Final = r"(?:[1-9]|1\d|2[0-5]|waste)"
_EVENT_LINE: Final = re.compile(
    rf"(?:(?P<plain>draw|redeal|undo)|(?P<one>select|deselect) (?P<at>{_PLACE})"
    rf"|(?P<two>pair|mismatch) (?P<a>{_PLACE}) (?P<b>{_PLACE}))"
    r"(?: @ (?P<seconds>\d{1,12})\.(?P<ms>\d{3}))?"
)


def read_lines(lines: Sequence[Line]) -> list[events.Event]:
    """Read the lines of a transcript.

    Raises:
        TranscriptError: a line cannot be read, or cannot have happened where it stands.
    """
    if len(lines) < 2:
        raise TranscriptError(lines[-1].number if lines else 1, "ends_early")
    found: list[events.Event] = []
    state: State | None = None
    number = 0
    try:
        number = lines[0].number
        deal = _match(_DEAL_LINE, lines[0].text)
        number = lines[1].number
        settings = _match(_SETTINGS_LINE, lines[1].text)
        code, deck = (deal[2], "") if deal[1] == "code" else (None, deal[2])
        found.append(events.Started(code, deck, settings[1] == "on", settings[2] == "on"))
        state = evolve(None, found[0])
        for line in lines[2:]:
            number = line.number
            event = _read_event(line.text)
            state = evolve(state, event)
            found.append(event)
    except (ValueError, TypeError) as error:
        raise TranscriptError(number, "bad_line") from error
    return found


def _match(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    found = pattern.fullmatch(text)
    if found is None:
        raise ValueError("no such line")
    return found


def _read_event(text: str) -> events.Event:
    settings = _SETTINGS_LINE.fullmatch(text)
    if settings:
        return events.SettingsChanged(settings[1] == "on", settings[2] == "on")
    found = _match(_EVENT_LINE, text)
    elapsed = int(found["seconds"]) * 1000 + int(found["ms"]) if found["seconds"] else 0
    if found["plain"]:
        return _EVENTS[found["plain"]](elapsed_ms=elapsed)
    if found["one"]:
        return _EVENTS[found["one"]](_place(found["at"]), elapsed_ms=elapsed)
    return _EVENTS[found["two"]](_place(found["a"]), _place(found["b"]), elapsed_ms=elapsed)


def _place(text: str) -> Place:
    return "waste" if text == "waste" else int(text)
