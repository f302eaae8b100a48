"""The form for a new table of Hearts: what it offers, and how what was chosen becomes options.

The form needs no script. Each rulebook has its own choice of players and target, of which the page shows the
one that belongs to the chosen card; of all others what was chosen is ignored. A house rule that is left empty
stays as the rulebook says, and its field tells what that is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from itertools import count, takewhile
from typing import Any, Final

import msgspec

from kupa.bots.levels import DEFAULT_LEVEL, LEVELS, name_key
from kupa.cards import CardText
from kupa.catalogue import text
from kupa.hearts.presets import PRESETS
from kupa.hearts.rulebook import CHOICES, DIRECTIONS, ONE_DECK_PLAYERS, TWO_DECK_PLAYERS

Form = Mapping[str, str]
"""What was typed and chosen, by the name of the field."""

OWN: Final = "other"
"""The choice of a target that is then written, or of a number of players that the rulebook lacks."""
ROUNDS_OF_CYCLE: Final = 4
"""How many directions the form takes for the passing cycle."""
END_EARLY: Final = "house-end_early"
BOTS: Final = "bots"
"""The switch that ends a round once no points are left to take: not of the rulebook, but of the table."""
NOTHING: Final = "-"
"""What is written to take no card out."""

EMBLEMS: Final[dict[str, tuple[CardText, ...]]] = {
    "klasik": ("QS",),
    "ozel": ("KH", "QH"),
    "cardems": ("2C",),
    "parlour": ("KH", "QS"),
    "omnibus": ("JD",),
    "cancellation": ("9D", "9D"),
}
"""The rulebooks in the order in which they are offered, each with the cards on its own card."""

TARGETS: Final = {"cancellation": (100, 200, 300)}
"""The targets that are offered where they are not the usual ones."""
USUAL_TARGETS: Final = (50, 100, 150)

HOUSE_GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "deal": ("decks", "removed", "kitty"),
    "pass": ("pass_count", "pass_cycle"),
    "play": ("opening", "first_trick", "broken_by", "cancellation"),
    "score": ("heart_points", "queen_points", "bonus_card", "moon", "moon_points", "moon_needs_bonus"),
    "end": ("tie", "perfect_round"),
}
"""The fields of a rulebook as the house rules group them; players and target have places of their own."""
HOUSE_PLAYERS: Final = "house-players"
"""The number of players as a rematch sends it; the form itself has ``players-<rulebook>`` for it."""

_NUMBERS: Final = ("players", "heart_points", "queen_points", "target")


class Deal(msgspec.Struct, frozen=True):
    """What a number of players means in a rulebook."""

    players: int
    hand: int
    """Cards each."""
    removed: tuple[CardText, ...]
    over: int
    """Cards left over."""


class Book(msgspec.Struct, frozen=True):
    """One rulebook as the form offers it."""

    name: str
    emblem: tuple[CardText, ...]
    deals: tuple[Deal, ...]
    players: int
    """The number chosen at first."""
    targets: tuple[int, ...]
    target: int
    """The target chosen at first."""

    @property
    def player_choices(self) -> list[tuple[str, str]]:
        """The numbers of players as the form offers them: what is sent, what is read."""
        return [(str(number), str(number)) for number in self.numbers]

    @property
    def numbers(self) -> list[int]:
        """The numbers of players that it deals to by itself."""
        return [deal.players for deal in self.deals]

    @property
    def other_players(self) -> list[tuple[str, str]]:
        """The numbers of players that need house rules besides, in the same form."""
        return [(str(number), str(number)) for number in PLAYER_COUNTS if number not in self.numbers]

    @property
    def target_choices(self) -> list[tuple[str, str]]:
        """The targets as the form offers them."""
        return [(str(target), str(target)) for target in self.targets]


def _book(name: str) -> Book:
    preset = PRESETS[name]
    deals = []
    for players in preset.player_counts:
        rulebook = preset.rulebook(players)
        deals.append(Deal(players, rulebook.hand_size, rulebook.removed, rulebook.kitty_size))
    return Book(
        name=name,
        emblem=EMBLEMS[name],
        deals=tuple(deals),
        players=preset.default_players,
        targets=TARGETS.get(name, USUAL_TARGETS),
        target=preset.rulebook().target,
    )


BOOKS: Final[tuple[Book, ...]] = tuple(_book(name) for name in EMBLEMS)
"""Every rulebook, in the order in which they are offered."""

HOUSE_CHOICES: Final[dict[str, dict[str, Any]]] = {
    name: {msgspec.json.encode(value).decode().strip('"'): value for value in values}
    for name, values in CHOICES.items()
}
"""For each field with a short list of values: what the form sends, and the value that it stands for."""

PLAYER_COUNTS: Final = tuple(range(ONE_DECK_PLAYERS[0], TWO_DECK_PLAYERS[-1] + 1))


def read_value(field: str, typed: str) -> Any:
    """Return the value of a field that a text stands for; the text itself if it stands for none.

    Whether the value is allowed is the rulebook's business: it refuses texts, too.
    """
    typed = typed.strip()
    if field in HOUSE_CHOICES:
        return HOUSE_CHOICES[field].get(typed, typed)
    if field in _NUMBERS:
        return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 10 else typed
    if field == "removed":
        return [] if typed == NOTHING else typed.replace(",", " ").split()
    return typed


def house_rules(form: Form) -> dict[str, Any]:
    """Return the fields that the house rules of a form override."""
    chosen: dict[str, Any] = {}
    if form.get(HOUSE_PLAYERS, "").strip():
        chosen["players"] = read_value("players", form[HOUSE_PLAYERS])
    for fields in HOUSE_GROUPS.values():
        for field in fields:
            if field == "pass_cycle":
                # A rematch sends the whole cycle of its match, which may be longer than the form offers.
                names = takewhile(form.__contains__, (f"house-{field}-{place}" for place in count()))
                cycle = [form[name] for name in names if form[name]]
                if cycle:
                    chosen[field] = cycle
            elif form.get(f"house-{field}", "").strip():
                chosen[field] = read_value(field, form[f"house-{field}"])
    return chosen


def usual_target(rules: str) -> int | None:
    """Return the target that a rulebook is offered with, None for a rulebook that is none."""
    return next((book.target for book in BOOKS if book.name == rules), None)


def own_value(form: Form, field: str, rules: str) -> Any:
    """Return the number that a form sets for a rulebook's players or target, None if it sets none.

    A number that is to be written but was not is the empty text, which the rulebook refuses.
    """
    typed = form.get(f"{field}-{rules}", "")
    if typed == OWN:
        typed = form.get(f"{field}-own-{rules}", "")
    elif not typed:
        return None
    return read_value(field, typed)


def options_of(form: Form) -> dict[str, Any]:
    """Return the options of a table that a form asks for, as ``Tables.create`` takes them.

    Nothing is checked here; whoever makes the rulebook refuses what is no option.
    """
    rules = form.get("rules", BOOKS[0].name)
    overrides = house_rules(form)
    options: dict[str, Any] = {"rules": rules}
    players = own_value(form, "players", rules)
    if players is None:
        players = overrides.pop("players", None)
    elif overrides.get("players") == players:
        del overrides["players"]  # else the number is given twice, which the rulebook refuses
    if players is not None:
        options["players"] = players
    target = own_value(form, "target", rules)
    if target not in {None, usual_target(rules)}:
        overrides["target"] = target
    options["set"] = overrides
    if form.get(END_EARLY):
        options["end_early"] = True
    if form.get(BOTS):
        options["bots"] = form[BOTS]
    return options


def house_options(language: str, field: str, as_rules: str) -> list[tuple[str, str]]:
    """Return what the list of a house rule offers: pairs of what is sent and what is read.

    Args:
        language: the reader's.
        field: a field with a short list of values, or the passing cycle.
        as_rules: what the rulebook says, in words; it is read at the choice that leaves the field alone.
    """
    if field == "pass_cycle":  # four lists that share a row: no room for words
        return [("", "–"), *((name, text(language, f"direction.{name}")) for name in DIRECTIONS)]
    options = [("", text(language, "new.as_rules", value=as_rules))]
    return options + [
        (sent, value_name(language, field, value)) for sent, value in HOUSE_CHOICES[field].items()
    ]


def value_name(language: str, field: str, value: Any) -> str:
    """Return how a value of a field with a short list of them is named."""
    if isinstance(value, bool):
        return text(language, "new.yes" if value else "new.no")
    if isinstance(value, int):
        return str(value)
    return text(language, f"new.value.{field}.{'null' if value is None else value}")


def as_rules_say(language: str, name: str, players: int) -> dict[str, str]:
    """Return what a rulebook says for a number of players: field of the house rules to words."""
    book = PRESETS[name].rulebook(players)
    said: dict[str, str] = {}
    for field in (field for fields in HOUSE_GROUPS.values() for field in fields):
        value = getattr(book, field)
        if field == "pass_cycle":
            said[field] = ", ".join(text(language, f"direction.{direction}") for direction in value)
        elif field == "removed":
            said[field] = " ".join(value) or text(language, "new.nothing")
        else:
            said[field] = value_name(language, field, value)
    return said


@cache
def all_rules_say(language: str) -> dict[str, dict[str, dict[str, str]]]:
    """Return what every rulebook says, by its name and each number of players that it offers."""
    return {
        book.name: {str(number): as_rules_say(language, book.name, number) for number in book.numbers}
        for book in BOOKS
    }


def with_players_in_place(form: Form) -> Form:
    """Return a form with the number of players of a rematch where the form of a new table has it."""
    rules, players = form.get("rules", BOOKS[0].name), form.get(HOUSE_PLAYERS, "").strip()
    book = next((book for book in BOOKS if book.name == rules), None)
    if not players or book is None or form.get(f"players-{rules}"):
        return form
    offered = {number for number, _ in book.player_choices}
    placed = {f"players-{rules}": players if players in offered else OWN, f"players-own-{rules}": players}
    return {**form, **placed}


def form_context(language: str, form: Form, fault: str = "", fault_field: str = "") -> dict[str, Any]:
    """Return what the template of the form names.

    Args:
        language: the reader's.
        form: what was typed so far.
        fault: the sentence that tells why the table was refused, if it was.
        fault_field: the field of the rulebook that is at fault, if one is.
    """
    form = with_players_in_place(form)
    rules = form.get("rules", "")
    chosen = next((book for book in BOOKS if book.name == rules), BOOKS[0])
    rules_say = all_rules_say(language)
    said = rules_say[chosen.name]
    changed = house_rules(form).keys() - {"players"}
    return {
        "form": form,
        "fault": fault,
        "fault_field": fault_field,
        "books": BOOKS,
        "chosen": chosen.name,
        "own": OWN,
        "rules_say": rules_say,
        "said": said.get(form.get(f"players-{chosen.name}", ""), said[str(chosen.players)]),
        "levels": [(level, text(language, name_key(level))) for level in LEVELS],
        "level": form.get(BOTS, DEFAULT_LEVEL),
        "house_groups": HOUSE_GROUPS,
        "house_options": partial(house_options, language),
        "rounds_of_cycle": ROUNDS_OF_CYCLE,
        "changes": len(changed) + bool(form.get(END_EARLY)),
    }
