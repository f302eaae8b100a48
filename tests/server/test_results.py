"""What somebody has played: as the engine says, noted once, moved and taken out with the person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import select

from kupa.game import replay
from kupa.hearts.commands import StartMatch
from kupa.hearts.presets import PRESETS, chosen_rulebook
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.view import view
from kupa.rooms.commands import Finish
from kupa.rooms.state import OVER, PLAYING, Seat
from kupa.server import results as results_file
from kupa.server.endings import endings
from kupa.server.live_log import LiveLog, new_events
from kupa.server.people import People
from kupa.server.personal_data import export
from kupa.server.results import Result, Results, Tally
from kupa.server.schema import RESULTS
from kupa.server.sqlite_store import SqliteStore
from kupa.server.starts import facts_of
from kupa.server.store import MatchRecord, Outcome, StoredEvent, StoreError, UnreadableMatchError
from tests.browser.heart_table import SHOWN_DEAL, STUCK_AFTER_A_PAIR, STUCK_AT_ONCE, TAPS
from tests.hearts.random_play import done
from tests.server.ended_matches import (
    BEGUN,
    HEART,
    HEARTS,
    end_of,
    heart_events,
    hearts_match,
    keep,
    play_to_the_end,
    stored,
    taps,
)
from tests.server.identity import Opened, Time, account
from tests.server.in_company import InCompany
from tests.server.playing import in_a_loop


async def shown(people: People, person: str) -> list[Result]:
    """Return what somebody is told when asking."""
    results = Results(people.store)
    await results.bring_up_to_date(person)
    return await results.of(person, 0, 100)


async def guest(people: People) -> str:
    person, _ = await people.new_guest()
    return person


async def rows(people: People) -> list[tuple[Any, ...]]:
    async with people.store.database.reading() as connection:
        return [tuple(row) for row in await connection.execute(select(RESULTS).order_by(RESULTS.c.match))]


# What came of it


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=6)
@given(seed=st.text("abcdef", min_size=1, max_size=4), more=st.integers(0, 9))
def test_what_is_told_of_a_match_is_what_the_view_shows_at_its_end(preset: str, seed: str, more: int) -> None:
    """Points, winners, rounds and moons of every seat of a random match, by every rulebook and number."""
    numbers = sorted(PRESETS[preset].player_counts)
    events, state, moons = hearts_match(preset, numbers[more % len(numbers)], seed)
    told = endings("hearts", stored(HEARTS, events))
    seen = view(state, None)
    assert tuple(one.points for one in told) == seen.totals
    assert tuple(seat for seat, one in enumerate(told) if one.won) == seen.winners
    assert {one.rounds for one in told} == {len(seen.rounds)}
    assert [one.moons for one in told] == [moons.count(seat) for seat in range(len(told))]
    assert tuple(one.written for one in told) == tuple(map(sum, zip(*seen.rounds, strict=True)))
    for one, points in zip(told, seen.totals, strict=True):
        assert one.place == 1 + sum(other < points for other in seen.totals)
    assert endings("hearts", stored(HEARTS, events[:-1])) == ()


def test_points_that_were_on_the_sheet_before_are_none_of_the_rounds() -> None:
    """A match that began with totals ends with all of them, and its rounds wrote down the rest."""
    rulebook = chosen_rulebook("klasik", 4, {"target": 100})
    assert isinstance(rulebook, Rulebook)
    state, events = done(None, StartMatch(rulebook=rulebook, seed="on", totals=(90, 91, 92, 93)))
    events += end_of(state)
    state = replay(HEARTS, events)
    told = endings("hearts", stored(HEARTS, events))
    assert [one.points for one in told] == list(state.totals)
    assert [one.points - (one.written or 0) for one in told] == [90, 91, 92, 93]


def test_a_patience_has_ended_when_it_is_won_or_stuck_after_a_move() -> None:
    """Its score and its moves are those of the view; a deal without a first move does not count."""
    assert endings("heart-to-heart", stored(HEART, heart_events(STUCK_AT_ONCE, []))) == ()
    assert endings("heart-to-heart", stored(HEART, heart_events(SHOWN_DEAL, taps(TAPS[:-1])))) == ()
    for code, places, won in ((SHOWN_DEAL, TAPS, True), (STUCK_AFTER_A_PAIR, [25, "waste"], False)):
        events = heart_events(code, taps(places))
        state = replay(HEART, events)
        seen: Any = HEART.view(state, 0)
        (one,) = endings("heart-to-heart", stored(HEART, events))
        assert (one.won, one.points, one.moves) == (won, seen.score, seen.moves)
        assert (one.place, one.rounds, one.moons) == (None, None, None)


@pytest.mark.parametrize("game", ["hearts", "heart-to-heart", "whist"])
def test_a_log_that_cannot_be_read_is_an_error_that_tells_no_card(game: str) -> None:
    """Whatever is wrong with it."""
    for data in (
        {"type": "x", "card": "QS"},
        {},
        {"type": "card_played", "seat": 0, "card": "QS", "breaks": True},
    ):
        with pytest.raises(UnreadableMatchError) as caught:
            endings(game, [StoredEvent(1, 1, data, None)])
        assert "QS" not in str(caught.value)


# Noted when somebody asks


@in_a_loop
async def test_own_matches_are_noted_when_they_are_asked_for(opened: Opened) -> None:
    """What has ended is told, the newest first, with what it was; what has not is not."""
    async with opened() as people:
        person, store = await guest(people), people.store
        events, state, moons = hearts_match("omnibus", 5)
        await keep(store, "h", person, HEARTS, events, BEGUN + 5, preset="omnibus", house={"target": 30})
        await keep(
            store, "house", person, HEARTS, events, BEGUN + 4, preset="omnibus", house={"pass_count": 1}
        )
        await keep(store, "w", person, HEART, heart_events(SHOWN_DEAL, taps(TAPS)), BEGUN + 9)
        await keep(store, "going", person, HEARTS, events[:-1], BEGUN + 8, preset="omnibus")
        told = await shown(people, person)
        assert [one.match for one in told] == ["w", "h", "house"]
        win, whole, house = told
        assert (win.game, win.won, win.points, win.preset, win.players) == (
            "heart-to-heart",
            True,
            250,
            None,
            1,
        )
        assert (whole.preset, whole.changed, whole.players, whole.company) == ("omnibus", False, 5, False)
        assert (whole.points, whole.won) == (state.totals[0], 0 in state.winners)
        assert (whole.rounds, whole.moons, whole.at) == (len(state.rounds), moons.count(0), BEGUN + 5)
        assert house.changed
        assert await shown(people, person) == told


@in_a_loop
async def test_a_match_that_was_taken_in_with_its_end_was_not_played_here(opened: Opened) -> None:
    """A record of a finished match adds nothing to what somebody has played."""
    async with opened() as people:
        person = await guest(people)
        await keep(people.store, "h", person, HEARTS, hearts_match("klasik")[0], at=BEGUN, preset="klasik")
        assert await shown(people, person) == []


@in_a_loop
async def test_a_patience_counts_as_it_stands(opened: Opened) -> None:
    """Going back from an end takes it back; winning again counts once."""
    time = Time()
    async with opened(time) as people:
        person, store, results = await guest(people), people.store, Results(people.store)
        told: list[list[tuple[bool, int]]] = []
        commands = [*taps(TAPS), {"type": "undo"}, *taps(TAPS[-2:])]
        events = heart_events(SHOWN_DEAL, [])
        await keep(store, "p", person, HEART, events)
        count = len(events)
        for end in (len(TAPS), len(TAPS) + 1, len(commands)):
            events = heart_events(SHOWN_DEAL, commands[:end])
            state = replay(HEART, events)
            more = new_events(HEART, events[count:])
            time.seconds += 1
            assert await store.append("p", count, more, over=HEART.is_over(state)) is Outcome.STORED
            count = len(events)
            await results.bring_up_to_date(person)
            told.append([(one.won, one.points) for one in await results.of(person, 0, 9)])
        assert told == [[(True, 250)], [], [(True, 250)]]


@in_a_loop
async def test_many_matches_are_noted_in_parts(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """One who has played for years does not keep the others waiting; the newest come first."""
    monkeypatch.setattr(results_file, "AT_ONCE", 2)
    async with opened() as people:
        person, results = await guest(people), Results(people.store)
        events = heart_events(SHOWN_DEAL, taps(TAPS))
        for number in range(5):
            await keep(people.store, f"m{number}", person, HEART, events, BEGUN + 1 + number)
        found = []
        for _ in range(4):
            is_more = await results.bring_up_to_date(person)
            found.append((is_more, [one.match for one in await results.of(person, 0, 9)]))
        assert found[0] == (True, ["m4", "m3"])
        assert found[1] == (True, ["m4", "m3", "m2", "m1"])
        assert found[2] == found[3] == (False, ["m4", "m3", "m2", "m1", "m0"])
        assert [one.match for one in await results.of(person, 1, 2)] == ["m3", "m2"]


@in_a_loop
async def test_a_match_that_cannot_be_read_hides_no_other(opened: Opened) -> None:
    """And it is tried once, not every time that somebody asks."""
    async with opened() as people:
        person, results = await guest(people), Results(people.store)
        await keep(people.store, "good", person, HEART, heart_events(SHOWN_DEAL, taps(TAPS)))
        facts = facts_of({}, 4, [], "club", "")
        damaged = MatchRecord("bad", "hearts", person, facts, BEGUN, BEGUN + 3, True)
        await people.store.create(damaged, [])
        for _ in range(2):
            assert not await results.bring_up_to_date(person)
            assert [one.match for one in await results.of(person, 0, 9)] == ["good"]


@in_a_loop
async def test_nobody_is_told_what_another_has_played(opened: Opened) -> None:
    """Neither in the list nor in the figures."""
    async with opened() as people:
        person, other, results = await guest(people), await guest(people), Results(people.store)
        await keep(people.store, "w", person, HEART, heart_events(SHOWN_DEAL, taps(TAPS)))
        assert len(await shown(people, person)) == 1
        assert await shown(people, other) == []
        assert await results.tallies(other) == []


@in_a_loop
async def test_the_figures_are_those_of_the_rows(opened: Opened) -> None:
    """By rulebook, rules of the house together; of what was given up only the match counts."""
    async with opened() as people:
        person, results = await guest(people), Results(people.store)
        written: dict[str, list[int]] = {"klasik": [], "house": []}
        for number in range(3):
            events, state, _ = hearts_match("klasik", seed=f"f{number}")
            await keep(people.store, f"k{number}", person, HEARTS, events, preset="klasik")
            written["klasik"].append(state.totals[0])
        for preset in ("klasik", "ozel"):
            events, state, _ = hearts_match(preset, seed="house", queen_points=5)
            house = {"queen_points": 5}
            await keep(people.store, f"x{preset}", person, HEARTS, events, preset=preset, house=house)
            written["house"].append(state.totals[0])
        await keep(people.store, "w", person, HEART, heart_events(SHOWN_DEAL, taps(TAPS)))
        stuck = heart_events(STUCK_AFTER_A_PAIR, taps([25, "waste"]))
        await keep(people.store, "s", person, HEART, stuck)
        events, state, _ = hearts_match("klasik", seed="gone")
        await keep(people.store, "g", None, HEARTS, events, preset="klasik")
        await results.note("g", [Seat(person=person, conceded=True), *[Seat(level="club")] * 3])
        told = await shown(people, person)
        tallies = await results.tallies(person)
        assert [(one.game, one.rules, one.matches) for one in tallies] == [
            ("hearts", "klasik", 4),
            ("hearts", None, 2),
            ("heart-to-heart", None, 2),
        ]
        klasik, of_house, heart = tallies
        assert klasik.written == sum(written["klasik"])
        assert of_house.written == sum(written["house"])
        counted = [one for one in told if one.game == "hearts" and not one.changed and not one.gave_up]
        assert klasik.rounds == sum(one.rounds or 0 for one in counted)
        assert klasik.moons == sum(one.moons or 0 for one in counted)
        assert klasik.won == sum(one.won for one in counted)
        moves = next(one.moves for one in told if one.match == "w")
        assert (heart.won, heart.best_points, heart.fewest_moves) == (1, 250, moves)
        assert isinstance(heart, Tally)


# With the person


@in_a_loop
async def test_who_signs_in_brings_along_what_the_guest_has_played(opened: Opened) -> None:
    """What was noted, and what had ended and was not noted yet; each once, and nothing for the guest."""
    async with opened() as people:
        ada, person = await account(people, "ada"), await guest(people)
        events = heart_events(SHOWN_DEAL, taps(TAPS))
        await keep(people.store, "own", ada, HEART, events, BEGUN + 1)
        await keep(people.store, "noted", person, HEART, events, BEGUN + 2)
        assert len(await shown(people, person)) == 1
        await keep(people.store, "unnoted", person, HEART, events, BEGUN + 3)
        await people.hand_over(person, ada)
        assert [one.match for one in await shown(people, ada)] == ["unnoted", "noted", "own"]
        assert await Results(people.store).of(person, 0, 9) == []


@in_a_loop
async def test_who_is_deleted_leaves_results_of_nobody(opened: Opened) -> None:
    """No row names the person any more, also not one that is noted too late; others keep theirs."""
    async with opened() as people:
        person, other = await guest(people), await guest(people)
        await keep(people.store, "w", person, HEART, heart_events(SHOWN_DEAL, taps(TAPS)))
        events, _, _ = hearts_match("klasik")
        for name in ("before", "after"):
            await keep(people.store, name, None, HEARTS, events, preset="klasik", room="r")
        seats = [Seat(person=person), Seat(person=other), Seat(level="club"), Seat(level="club")]
        await shown(people, person)
        await Results(people.store).note("before", seats)
        exported = await export(people, person)
        assert exported is not None
        assert {one["match"] for one in exported["results"]} == {"w", "before"}
        assert all("person" not in one for one in exported["results"])
        await people.delete(person)
        await Results(people.store).note("after", seats)
        assert not [row for row in await rows(people) if person in row]
        assert [one.match for one in await Results(people.store).of(other, 0, 9)] == ["after", "before"]


# Of rooms


@in_a_loop
async def test_a_match_of_a_room_is_noted_once(opened: Opened) -> None:
    """A row for each seat of a person; whoever leaves after it was noted has not given it up."""
    async with opened() as people:
        ada, bora = await guest(people), await guest(people)
        events, state, _ = hearts_match("klasik")
        await keep(people.store, "m", None, HEARTS, events, BEGUN + 7, preset="klasik", room="r")
        seats = [Seat(level="club"), Seat(person=ada), Seat(person=bora, conceded=True), Seat(level="club")]
        results = Results(people.store)
        assert await results.note("m", seats)
        first = await rows(people)
        assert await results.note(
            "m", [replace(seat, conceded=True) if seat.person else seat for seat in seats]
        )
        assert await rows(people) == first
        assert len(first) == 2
        (hers,), (his,) = await results.of(ada, 0, 9), await results.of(bora, 0, 9)
        assert (hers.points, his.points) == (state.totals[1], state.totals[2])
        assert (hers.company, hers.gave_up, his.gave_up, hers.at) == (True, False, True, BEGUN + 7)
        assert hers.won == (1 in state.winners)
        assert not his.won


@in_a_loop
async def test_a_match_that_all_have_left_is_noted_for_nobody(opened: Opened) -> None:
    """It has not ended; nor is there anything to note of one that is not there."""
    async with opened() as people:
        ada = await guest(people)
        await keep(people.store, "m", None, HEARTS, hearts_match("klasik")[0][:-1], preset="klasik", room="r")
        results = Results(people.store)
        for name in ("m", "nowhere"):
            assert not await results.note(name, [Seat(person=ada), *[Seat(level="club")] * 3])
            await results.note_missing({name: [Seat(person=ada)]})
        assert await rows(people) == []


def page_of(company: InCompany, number: int) -> str:
    answer = company.client.get(
        "/played", headers={**company.people[number].headers, "accept-language": "en"}
    )
    assert answer.status_code == 200
    return str(answer.text)


def results_of(company: InCompany, number: int) -> list[Result]:
    found: list[Result] = company.call(company.rooms.results.of, company.people[number].id, 0, 9)
    return found


def test_a_room_notes_its_match_before_it_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the room cannot say that the match is over, what came of it is noted all the same, and once."""
    as_usual = LiveLog.do

    async def do(self: LiveLog, command: Any, command_id: str | None = None) -> Any:
        if isinstance(command, Finish):
            raise StoreError("store_failed")
        return await as_usual(self, command, command_id)

    with InCompany("AB", set={"target": 30}) as company:
        company.start()
        room = company.call(company.rooms.open, company.room)
        monkeypatch.setattr(LiveLog, "do", do)
        state = company.call(play_to_the_end, company.store, company.match)
        page_of(company, 0)
        assert room.room.phase == PLAYING
        noted = [results_of(company, number) for number in range(2)]
        assert [[one.points for one in found] for found in noted] == [[state.totals[0]], [state.totals[1]]]
        monkeypatch.setattr(LiveLog, "do", as_usual)
        for _ in range(2):
            page_of(company, 0)
        assert room.room.phase == OVER
        assert [results_of(company, number) for number in range(2)] == noted


@pytest.mark.parametrize("was_noted", [False, True])
def test_a_server_killed_after_the_last_card_loses_nothing(tmp_path: Path, was_noted: bool) -> None:
    """The last card is in the log, and nothing else: whoever asks the next server is told what came of it."""
    path = tmp_path / "kupa.sqlite3"
    with InCompany("AB", SqliteStore(path)) as company:
        company.start()
        people, room, match = company.people, company.room, company.match
        seats = company.call(company.rooms.open, room).room.seats
    with InCompany("C", SqliteStore(path)) as company:
        state = company.call(play_to_the_end, company.store, match)
        if was_noted:
            company.call(company.rooms.results.note, match, seats)
        company.people = people
        assert f"/m/{match}" in page_of(company, 1)
        assert company.call(company.rooms.open, room).room.phase == OVER
        for number in range(2):
            (one,) = results_of(company, number)
            assert (one.match, one.points, one.company) == (match, state.totals[number], True)


def test_matches_of_rooms_from_before_results_were_kept_are_noted_when_asked_for() -> None:
    """A room knows who sat at each of its matches, so that a database of before tells of them as well."""
    with InCompany("AB") as company:
        company.start()
        company.call(play_to_the_end, company.store, company.match)
        page_of(company, 0)
        before = [results_of(company, number) for number in range(2)]

        async def forget() -> None:
            async with company.store.database.writing() as connection:
                await connection.execute(RESULTS.delete())

        company.call(forget)
        page_of(company, 1)
        assert [results_of(company, number) for number in range(2)] == before
        assert [len(found) for found in before] == [1, 1]
