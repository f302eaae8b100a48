"""What the arena notes of a round: moons made and stopped, and whose fault was whose."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kupa.arena.contestants import SEATABLE, Contestant, Seated, read_seats
from kupa.arena.hosting import TallyBook, moves, play
from kupa.arena.moons import MoonWatch, penalty_cards
from kupa.arena.tally import Tally
from kupa.cards import CardSet, card_of
from kupa.game import Json
from kupa.hearts.events import RoundScored, TrickTaken
from kupa.hearts.view import View
from kupa.programs.faults import CRASHED, ILLEGAL, NONSENSE
from kupa.programs.seat import Limits
from kupa.refusal import Refusal
from tests.bots.measuring import PLAYERS
from tests.bots.scenes import Scene, rulebook

CARDEMS = rulebook("cardems")
ALL = penalty_cards(CardSet.of(CARDEMS.deck))


def taken(*hands: str) -> MoonWatch:
    """Have a watch look at what seats have taken, one moment after the other, and return it."""
    watch = MoonWatch(ALL)
    state = Scene(CARDEMS, []).state
    from msgspec.structs import replace

    for moment in hands:
        seats = [CardSet.of(map(card_of, cards.split())) for cards in moment.split("/")]
        watch.look(replace(state, taken=tuple(seats)))
    return watch


SIX = "2H 3H 4H 5H 6H QS"


@pytest.mark.parametrize(
    ("moments", "stop"),
    [
        ([f"{SIX} 7H///", f"{SIX} 7H//8H/"], (2, 0)),
        ([f"{SIX} 7H AC///", f"{SIX} 7H AC///KD", f"{SIX} 7H AC///KD 8H", f"{SIX} 7H//9H/8H"], (3, 0)),
        ([f"{SIX}///", f"{SIX}//8H/"], None),
        ([f"{SIX}//8H/", f"{SIX} 7H 9H TH//8H/"], None),
        ([f"{SIX} 7H 8H 9H TH JH QH KH AH///"], None),
        (["///", "AC/KD//"], None),
    ],
)
def test_a_moon_is_stopped_by_who_takes_the_next_penalty_card(
    moments: list[str], stop: tuple[int, int] | None
) -> None:
    """If one seat alone has taken at least seven of the fourteen, and only then."""
    assert ALL == 14
    assert taken(*moments).stop == stop


LOW = "2C 3C 4C 5C 2D 3D 4D 5D 2S 3S 4S 2H 3H"
MOON = "AC KC QC JC AD KD QD JD AS KS QS AH KH"


def test_a_moon_is_noted_for_its_shooter_and_against_the_others() -> None:
    """And nobody stopped it."""
    scene = Scene(CARDEMS, [LOW, MOON])
    bots = [PLAYERS[name]("luck") for name in ("ducker", "club", "ducker", "ducker")]
    for seat, bot in enumerate(bots):
        scene.tell(bot, seat)
    tallies = [Tally() for _ in range(4)]
    book, watch = TallyBook(tallies), MoonWatch(ALL)
    for state, event in moves(scene.state, bots, book):
        if isinstance(event, TrickTaken):
            watch.look(state)
        elif isinstance(event, RoundScored):
            book.scored(event, watch)
            break
    assert [tally.moons for tally in tallies] == [0, 1, 0, 0]
    assert [tally.against for tally in tallies] == [1, 0, 1, 1]
    assert [tally.stopped for tally in tallies] == [0] * 4
    assert [tally.rounds_won for tally in tallies] == [0, 1, 0, 0]
    assert tallies[1].points - tallies[1].others == -26


def test_over_many_rounds_no_round_has_both_a_moon_and_a_stop() -> None:
    """And stops are as many as failures."""
    for number in range(60):
        tallies = [Tally() for _ in range(4)]
        bots = [PLAYERS[name]("x") for name in ("club", "club", "ducker", "ducker")]
        play(CARDEMS, f"moons {number}", number, bots, tallies, whole=False)
        stops = sum(tally.stopped for tally in tallies)
        assert stops == sum(tally.failed for tally in tallies)
        assert stops + sum(tally.moons for tally in tallies) <= 1
        assert sum(tally.rounds_won for tally in tallies) == pytest.approx(1)


class Wrong:
    """A player of ours with a fault."""

    def __init__(self, choose: Callable[[View], Json], told: Callable[[Json], None] = lambda _: None) -> None:
        self._choose, self._told = choose, told

    def told(self, event: Json) -> None:
        self._told(event)

    def choose(self, view: View) -> Json:
        return self._choose(view)


def crash(_: object) -> Json:
    raise LookupError("oh")


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (Wrong(crash), CRASHED),
        (Wrong(lambda _: {}, crash), CRASHED),  # type: ignore[arg-type]
        (Wrong(lambda _: {"type": "play", "card": "ZZ"}), NONSENSE),
        (Wrong(lambda _: {"type": "claim"}), ILLEGAL),
    ],
)
def test_a_fault_of_one_of_ours_is_charged_and_the_round_goes_on(wrong: Wrong, code: str) -> None:
    """A crash while it is told something counts at every decision after that."""
    from kupa.arena import contestants

    seated: Seated = contestants._Own(wrong)
    tallies = [Tally() for _ in range(4)]
    others = [PLAYERS["club"]("x") for _ in range(3)]
    play(CARDEMS, "fault", 0, [seated, *others], tallies, whole=False)
    assert tallies[0].faults == {code: 14}
    assert tallies[0].detail.isprintable()
    assert sum(tally.points for tally in tallies) in {26, 78}


# ---------------------------------------------------------------- who sits there


def test_seats_are_read_with_options_and_commands() -> None:
    """A comma within quotation marks separates nothing, and a program keeps its own colons."""
    found = read_seats(""" club,club:time_ms=50 , exec:bot "a,b" --x 'c,d', exec:./bot:1""")
    assert not isinstance(found, Refusal)
    assert [one.name for one in found] == [
        "club",
        "club:time_ms=50",
        """exec:bot "a,b" --x 'c,d'""",
        "exec:./bot:1",
    ]
    assert [one.is_program for one in found] == [False, False, True, True]
    assert found[3].command == "./bot:1"


@pytest.mark.parametrize(
    ("written", "code", "reason"),
    [
        ("club,,club", "bad_seats", "empty"),
        ("", "bad_seats", "empty"),
        ("club,", "bad_seats", "empty"),
        ("exec:", "bad_seats", "no_command"),
        ("club,exec:  ,club", "bad_seats", "no_command"),
        ("kasparov", "bad_level", "unknown"),
        ("club:depth=3", "bad_level", "option"),
        ("club:time_ms=0", "bad_level", "time"),
        ("club:time_ms=soon", "bad_level", "time"),
        ("club:time_ms=²", "bad_level", "time"),
        ("club:time_ms=9999999", "bad_level", "time"),
        ("club:time_ms", "bad_level", "time"),
    ],
)
def test_seats_that_cannot_be_are_refused(written: str, code: str, reason: str) -> None:
    found = read_seats(written)
    assert isinstance(found, Refusal)
    assert (found.code, found.reason) == (code, reason)


def test_everybody_of_ours_can_sit_down() -> None:
    """With nothing but a name."""
    for name in SEATABLE:
        seated = Contestant(name).sit_down(0, CARDEMS, "luck", Limits(100))
        seated.close()
    with pytest.raises(ValueError, match="nobody"):
        Contestant("nobody").sit_down(0, CARDEMS, "luck", Limits(100))
