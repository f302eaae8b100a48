"""A match of Hearts as lines that people can read, and back.

First the rulebook, a field a line, and where the match began; then each round::

    preset cardems
    seed "kupa"
    rule players 4
    …
    start round 0, totals 0 0 0 0
    round 0, pass left, dealer 3
      deal 0: 4D 9D TC …
      kitty: QH TC
      pass 0: QS KH AH
      exchanged
      seat 1 opens
      trick 1, seat 1 leads: 2C 5C KC JC; seat 3 takes 0
      trick 2, seat 3 leads: 4D 7H! 9D AD; seat 2 takes 1
      seat 2 chooses add
      raw 0 0 26 0, moon by seat 2, points 26 26 0 26, totals 26 26 0 26
    another round: tie
    match over: totals 26 26 0 26, winners 2

``!`` marks the card that broke hearts; ``takes 3+13`` that 13 points came with the kitty. A trick in which
all cancelled ends in ``all cancelled``, the last one in ``all cancelled, seat 1 takes 5``. ``seat 2 claims``
ends a round in which nothing that counts was left to be taken, be it in the middle of a trick. Seats are
numbers from 0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

from kupa.cards import BY_TEXT, CardText, texts
from kupa.hearts import commands, events
from kupa.hearts.evolution import evolve
from kupa.hearts.rulebook import FIELDS, rulebook_of
from kupa.hearts.rules import pass_target
from kupa.hearts.state import State
from kupa.refusal import Refusal
from kupa.shuffle import is_seed_text
from kupa.transcript import Line, TranscriptError


def command_of(event: events.Event) -> commands.Command | None:
    """Return the command that an event answers, None for an event that happens by itself."""
    if isinstance(event, events.MatchStarted):
        return commands.StartMatch(
            rulebook=event.rulebook,
            seed=event.seed,
            preset=event.preset,
            hands=None if event.hands is None else tuple(_cards(hand) for hand in event.hands),
            totals=event.totals,
            round=event.round,
            end_early=event.end_early,
        )
    if isinstance(event, events.PassChosen):
        return commands.PassCards(event.seat, _cards(event.cards))
    if isinstance(event, events.CardPlayed):
        return commands.PlayCard(event.seat, BY_TEXT[event.card])
    if isinstance(event, events.Claimed):
        return commands.Claim(event.seat)
    if isinstance(event, events.MoonChosen):
        return commands.ChooseMoon(event.seat, event.choice)
    return None


def _cards(texts: Iterable[CardText]) -> tuple[int, ...]:
    return tuple(BY_TEXT[text] for text in texts)


# ---------------------------------------------------------------- writing


def write_lines(match: Sequence[events.Event]) -> list[str]:
    """Write the events of a match, from its first one on."""
    lines: list[str] = []
    trick: list[events.CardPlayed] = []
    tricks = 0
    for event in match:
        if isinstance(event, events.CardPlayed):
            trick.append(event)
        elif isinstance(event, events.TrickTaken):
            tricks += 1
            lines.append(f"{_trick_line(tricks, trick)}; {_taken(event)}")
            trick.clear()
        else:
            if isinstance(event, events.RoundDealt):
                tricks = 0
            if trick:  # one that nobody took, as the round was claimed
                lines.append(_trick_line(tricks + 1, trick))
                trick.clear()
            lines += _WRITERS[type(event)](event)
    if trick:
        lines.append(_trick_line(tricks + 1, trick))
    return lines


def _trick_line(number: int, cards: Sequence[events.CardPlayed]) -> str:
    played = " ".join(card.card + "!" * card.breaks for card in cards)
    return f"  trick {number}, seat {cards[0].seat} leads: {played}"


def _taken(event: events.TrickTaken) -> str:
    if event.taker is None:
        return "all cancelled"
    kitty = f"+{event.kitty_points}" if event.kitty_points else ""
    taken = f"seat {event.taker} takes {event.points}{kitty}"
    return taken if event.winner is not None else f"all cancelled, {taken}"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _write_start(event: events.MatchStarted) -> list[str]:
    fields: dict[str, Any] = msgspec.to_builtins(event.rulebook)
    lines = [f"preset {json.dumps(event.preset)}", f"seed {json.dumps(event.seed)}"]
    lines += [f"rule {name} {json.dumps(fields[name])}" for name in FIELDS]
    if event.end_early:
        lines.append("rounds end early")
    for seat, hand in enumerate(event.hands or ()):
        lines.append(f"given {seat}: {' '.join(hand)}")
    return [*lines, f"start round {event.round}, totals {_numbers(event.totals)}"]


def _write_deal(event: events.RoundDealt) -> list[str]:
    lines = [f"round {event.round}, pass {event.direction}, dealer {event.dealer}"]
    lines += [f"  deal {seat}: {' '.join(hand)}" for seat, hand in enumerate(event.hands)]
    return [*lines, f"  kitty: {' '.join(event.kitty)}"] if event.kitty else lines


def _write_score(event: events.RoundScored) -> list[str]:
    parts = [f"raw {_numbers(event.raw)}"]
    if event.shooter is not None:
        parts.append(f"moon by seat {event.shooter}")
    if event.bonus:
        parts.append(f"bonus to {_numbers(event.bonus)}")
    parts += [f"points {_numbers(event.points)}", f"totals {_numbers(event.totals)}"]
    return ["  " + ", ".join(parts)]


def _write_extra(event: events.ExtraRound) -> list[str]:
    perfect = f" by {_numbers(event.perfect)}" if event.perfect else ""
    return [f"another round: {event.reason}{perfect}"]


_WRITERS: Final[dict[type[events.Event], Callable[[Any], list[str]]]] = {
    events.MatchStarted: _write_start,
    events.RoundDealt: _write_deal,
    events.PassChosen: lambda event: [f"  pass {event.seat}: {' '.join(event.cards)}"],
    events.PassesMade: lambda _: ["  exchanged"],
    events.PlayBegan: lambda event: [f"  seat {event.leader} opens"],
    events.KittyTaken: lambda event: [f"  seat {event.seat} gets the kitty"],
    events.Claimed: lambda event: [f"  seat {event.seat} claims"],
    events.MoonMade: lambda event: [f"  seat {event.seat} shot the moon"],
    events.MoonChosen: lambda event: [f"  seat {event.seat} chooses {event.choice}"],
    events.RoundScored: _write_score,
    events.ExtraRound: _write_extra,
    events.MatchOver: lambda event: [
        f"match over: totals {_numbers(event.totals)}, winners {_numbers(event.winners)}"
    ],
}


# ---------------------------------------------------------------- reading


_CARD: Final = "[2-9TJQKA][CDSH]"
_CARDS: Final = rf"{_CARD}(?: {_CARD})*"
_INT: Final = r"-?\d{1,16}"
_INTS: Final = rf"{_INT}(?: {_INT})*"
_COUNT: Final = r"\d{1,16}"
_SEAT: Final = r"\d{1,2}"
_TAKES: Final = rf"seat (?P<taker>{_SEAT}) takes (?P<points>\d{{1,6}})(?:\+(?P<kitty>\d{{1,6}}))?"


class _Reader:
    """Reads the lines after the start one by one, and follows the match as it goes."""

    def __init__(self, started: events.MatchStarted) -> None:
        self.events: list[events.Event] = []
        self.state: State | None = None
        self.deal: dict[str, Any] | None = None
        self.add(started)

    def add(self, event: events.Event) -> None:
        self.events.append(event)
        self.state = evolve(self.state, event)

    @property
    def now(self) -> State:
        if self.state is None:
            raise ValueError("nothing has begun")
        return self.state

    def read(self, text: str) -> None:
        """Read one line.

        Raises:
            ValueError: it cannot be read, or cannot have happened here.
        """
        if self.deal is not None and not text.startswith(("deal ", "kitty: ")):
            self.finish_deal()
        for pattern, reader in _READERS:
            found = pattern.fullmatch(text)
            if found:
                reader(self, found)
                return
        raise ValueError("no such line")

    def finish_deal(self) -> None:
        """Put the lines of a deal together."""
        if self.deal is not None:
            event = events.RoundDealt(**{**self.deal, "hands": tuple(self.deal["hands"])})
            if len(event.hands) != self.now.players:
                raise ValueError("a hand is missing")
            self.deal = None
            self.add(event)


def _ints(text: str | None) -> tuple[int, ...]:
    return tuple(map(int, text.split())) if text else ()


def _read_round(reader: _Reader, found: re.Match[str]) -> None:
    reader.deal = {
        "round": int(found["round"]),
        "direction": found["direction"],
        "dealer": int(found["dealer"]),
        "hands": [],
        "kitty": (),
    }


def _read_deal(reader: _Reader, found: re.Match[str]) -> None:
    if reader.deal is None or int(found["seat"]) != len(reader.deal["hands"]):
        raise ValueError("a hand out of order")
    reader.deal["hands"].append(tuple(found["cards"].split()))


def _read_kitty(reader: _Reader, found: re.Match[str]) -> None:
    if reader.deal is None or reader.deal["kitty"]:
        raise ValueError("a kitty out of order")
    reader.deal["kitty"] = tuple(found["cards"].split())


def _read_exchange(reader: _Reader, _: re.Match[str]) -> None:
    state = reader.now
    direction = ("hold", "left", "right", "across").index(state.direction)
    givers = [0] * state.players
    for giver in range(state.players):
        givers[pass_target(giver, direction, state.players)] = giver
    given = [reader.events[i] for i in range(-state.players, 0)]
    cards = {event.seat: event.cards for event in given if isinstance(event, events.PassChosen)}
    reader.add(events.PassesMade(tuple(cards[giver] for giver in givers), tuple(givers)))


def _read_trick(reader: _Reader, found: re.Match[str]) -> None:
    state, leader = reader.now, int(found["leader"])
    if int(found["number"]) != len(state.tricks) + 1 or leader != state.leader:
        raise ValueError("a trick out of order")
    cards = found["cards"].split()
    if len(cards) > state.players or (found["end"] is not None) != (len(cards) == state.players):
        raise ValueError("a trick of another size")
    for i, text in enumerate(cards):
        seat = (leader + i) % state.players
        reader.add(events.CardPlayed(seat, text.rstrip("!"), text.endswith("!")))
    if found["end"] is not None:
        taker = None if found["taker"] is None else int(found["taker"])
        winner = None if found["cancelled"] else taker
        points, kitty_points = int(found["points"] or 0), int(found["kitty"] or 0)
        reader.add(events.TrickTaken(leader, winner, taker, points, kitty_points))


def _read_score(reader: _Reader, found: re.Match[str]) -> None:
    reader.add(
        events.RoundScored(
            raw=_ints(found["raw"]),
            points=_ints(found["points"]),
            totals=_ints(found["totals"]),
            shooter=None if found["shooter"] is None else int(found["shooter"]),
            choice=reader.now.choice,
            bonus=_ints(found["bonus"]),
        )
    )


def _line(pattern: str, make: Callable[[re.Match[str]], events.Event]) -> tuple[re.Pattern[str], Any]:
    """Return a reader of lines that are an event each."""
    return re.compile(pattern), lambda reader, found: reader.add(make(found))


_READERS: Final[tuple[tuple[re.Pattern[str], Callable[[_Reader, re.Match[str]], None]], ...]] = (
    (
        re.compile(rf"round (?P<round>{_COUNT}), pass (?P<direction>\w+), dealer (?P<dealer>{_SEAT})"),
        _read_round,
    ),
    (re.compile(rf"deal (?P<seat>{_SEAT}): (?P<cards>{_CARDS})"), _read_deal),
    (re.compile(rf"kitty: (?P<cards>{_CARDS})"), _read_kitty),
    (re.compile("exchanged"), _read_exchange),
    (
        re.compile(
            rf"trick (?P<number>{_SEAT}), seat (?P<leader>{_SEAT}) leads: (?P<cards>{_CARD}!?(?: {_CARD}!?)*)"
            rf"(?P<end>; (?:(?P<cancelled>all cancelled)(?:, )?)?(?:{_TAKES})?)?"
        ),
        _read_trick,
    ),
    (
        re.compile(
            rf"raw (?P<raw>{_INTS})(?:, moon by seat (?P<shooter>{_SEAT}))?(?:, bonus to (?P<bonus>{_INTS}))?"
            rf", points (?P<points>{_INTS}), totals (?P<totals>{_INTS})"
        ),
        _read_score,
    ),
    _line(
        rf"pass ({_SEAT}):((?: {_CARD})*)",
        lambda found: events.PassChosen(int(found[1]), tuple(found[2].split())),
    ),
    _line(rf"seat ({_SEAT}) opens", lambda found: events.PlayBegan(int(found[1]))),
    _line(rf"seat ({_SEAT}) claims", lambda found: events.Claimed(int(found[1]))),
    _line(rf"seat ({_SEAT}) shot the moon", lambda found: events.MoonMade(int(found[1]))),
    _line(
        rf"seat ({_SEAT}) chooses (add|subtract)", lambda found: events.MoonChosen(int(found[1]), found[2])
    ),
    (
        re.compile(rf"seat ({_SEAT}) gets the kitty"),
        lambda reader, found: reader.add(events.KittyTaken(int(found[1]), texts(reader.now.kitty))),
    ),
    _line(
        rf"another round: (tie|perfect_round)(?: by ({_INTS}))?",
        lambda found: events.ExtraRound(found[1], _ints(found[2])),
    ),
    _line(
        rf"match over: totals ({_INTS}), winners ({_INTS})",
        lambda found: events.MatchOver(_ints(found[2]), _ints(found[1])),
    ),
)


def read_lines(lines: Sequence[Line]) -> list[events.Event]:
    """Read the lines of a transcript.

    Raises:
        TranscriptError: a line cannot be read, or cannot have happened where it stands.
    """
    started, rest = _read_start(lines)
    reader = _Reader(started)
    number = rest[0].number if rest else 1
    try:
        for line in rest:
            number = line.number
            reader.read(line.text)
        reader.finish_deal()
    except (ValueError, KeyError, IndexError) as error:
        raise TranscriptError(number, "bad_line") from error
    return reader.events


_START_LINE: Final = re.compile(rf"start round (\d{{1,16}}), totals ({_INTS})")
_GIVEN_LINE: Final = re.compile(rf"given ({_SEAT}): ({_CARDS})")


def _read_start(lines: Sequence[Line]) -> tuple[events.MatchStarted, Sequence[Line]]:
    """Read the lines up to ``start``; return the first event, and the lines after it."""
    words: dict[str, Any] = {}
    fields: dict[str, Any] = {}
    hands: list[tuple[str, ...]] = []
    for place, (number, text) in enumerate(lines):
        try:
            start = _START_LINE.fullmatch(text)
            if start:
                return _started(words, fields, hands, start), lines[place + 1 :]
            given = _GIVEN_LINE.fullmatch(text)
            if given and int(given[1]) == len(hands):
                hands.append(tuple(given[2].split()))
            elif text == "rounds end early":
                words["end_early"] = True
            else:
                _read_word(text, words, fields)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise TranscriptError(number, "bad_line") from error
    raise TranscriptError(lines[-1].number if lines else 1, "ends_early")


def _read_word(text: str, words: dict[str, Any], fields: dict[str, Any]) -> None:
    """Read a line ``preset …``, ``seed …`` or ``rule NAME …``; each may come once."""
    word, _, value = text.partition(" ")
    where = words
    if word == "rule":
        word, _, value = value.partition(" ")
        where = fields
    elif word not in {"preset", "seed"}:
        raise ValueError("no such line")
    if word in where:
        raise ValueError("this comes twice")
    where[word] = json.loads(value)
    if where is words and not (isinstance(where[word], str) and is_seed_text(where[word])):
        raise ValueError("this must be a text, and valid Unicode")


def _started(
    words: dict[str, Any], fields: dict[str, Any], hands: Sequence[tuple[str, ...]], start: re.Match[str]
) -> events.MatchStarted:
    missing = [name for name in FIELDS if name not in fields]
    rulebook = Refusal("bad_rules") if missing else rulebook_of(fields)
    if isinstance(rulebook, Refusal):
        raise ValueError("this is no rulebook")
    totals = _ints(start[2])
    if len(totals) != rulebook.players:
        raise ValueError("there must be a total a seat")
    return events.MatchStarted(
        rulebook=rulebook,
        preset=words["preset"],
        seed=words["seed"],
        totals=totals,
        round=int(start[1]),
        end_early=words.get("end_early", False),
        hands=tuple(hands) or None,
    )
