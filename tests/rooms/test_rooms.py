"""Rooms, pure: who may do what and when, and that nothing of a deal is known before its match is over."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kupa.refusal import Refusal
from kupa.rooms import commands, events
from kupa.rooms.engine import MOST_PEOPLE
from kupa.rooms.room import ROOMS
from kupa.rooms.state import GATHERING, OVER, PLAYING, Room, Settings
from kupa.shuffle import commitment, is_fair

SECRET = "0a" * 32
NEXT = "0b" * 32
GIVEN = {person: f"{number:02x}" * 16 for number, person in enumerate("abcdefg")}


def opened(players: int = 4, **chosen: Any) -> Room:
    """A room of the host `a`."""
    settings = Settings(rules="klasik", players=players, **chosen)
    return after(None, commands.OpenRoom(host="a", settings=settings, secret=SECRET))


def after(room: Room | None, *asked: Any) -> Room:
    """The room after commands that are not refused."""
    for command in asked:
        happened = ROOMS.decide(room, command)
        assert not isinstance(happened, Refusal), (command, happened)
        for event in happened:
            room = ROOMS.evolve(room, event)
    assert room is not None
    return room


def refused(room: Room, command: Any) -> str:
    """The code with which a command is refused."""
    answer = ROOMS.decide(room, command)
    assert isinstance(answer, Refusal), answer
    return answer.code


def joined(room: Room, persons: str) -> Room:
    return after(room, *(commands.Join(person) for person in persons))


def playing(persons: str = "abcd", **chosen: Any) -> Room:
    """A room whose match has begun: the people in seat order, bots in the seats that are left."""
    room = after(joined(opened(**chosen), persons[1:]), commands.FillSeats("a", "club"))
    given = (commands.Contribute(person, GIVEN[person]) for person in persons)
    return after(room, *given, commands.StartPlay("a", "match-1"))


def test_who_comes_in_sits_down_while_there_is_room_and_watches_otherwise() -> None:
    """The first four sit in the order in which they came; the fifth watches, or is told that it is full."""
    room = joined(opened(), "bcde")
    assert [seat.person for seat in room.seats] == ["a", "b", "c", "d"]
    assert room.seat_of("e") is None
    assert "e" in room.people
    assert refused(joined(opened(watch=False), "bcd"), commands.Join("e")) == "room_full"
    assert ROOMS.decide(room, commands.Join("e")) == ()


def test_seats_are_changed_between_matches_only() -> None:
    """Sitting, standing, swapping, bots and sending away wait for the end of a match."""
    room = playing("abc")
    for command in (
        commands.Sit("b", 3),
        commands.Stand("b"),
        commands.Swap("a", 0, 1),
        commands.SeatBot("a", 3, "beginner"),
        commands.OpenSeat("a", 3),
        commands.Remove("a", "b"),
        commands.Contribute("b", GIVEN["b"]),
        commands.StartPlay("a", "match-2"),
        commands.Rematch("a"),
    ):
        assert refused(room, command) == "wrong_phase"


@pytest.mark.parametrize(
    "command",
    [
        commands.Swap("b", 0, 1),
        commands.SeatBot("b", 3, "club"),
        commands.FillSeats("b", "club"),
        commands.OpenSeat("b", 2),
        commands.Remove("b", "a"),
        commands.HandOver("b", "b"),
        commands.StartPlay("b", "m"),
    ],
    ids=lambda command: type(command).__name__,
)
def test_what_is_the_hosts_is_nobody_elses(command: Any) -> None:
    """Neither a guest of the room nor a stranger may do it."""
    room = joined(opened(), "b")
    assert refused(room, command) == "not_host"
    stranger = msgspec.structs.replace(command, person="z")
    assert refused(room, stranger) == "not_host"


def test_who_was_sent_away_does_not_come_back() -> None:
    """The seat is open again, and the door is shut for that person alone."""
    room = after(joined(opened(), "bc"), commands.Remove("a", "b"))
    assert room.seats[1].is_open
    assert refused(room, commands.Join("b")) == "removed_from_room"
    assert joined(room, "d").seat_of("d") == 1


def test_people_who_keep_apart_do_not_meet_at_listed_tables() -> None:
    """Whom one has blocked, or who has blocked one, keeps one out; a private table is one's own affair."""
    kept = frozenset("a")
    assert refused(opened(listed=True), commands.Join("b", kept)) == "kept_apart"
    assert after(opened(), commands.Join("b", kept)).seat_of("b") == 1


def test_a_link_for_a_seat_lets_nobody_in_who_is_to_be_kept_apart() -> None:
    """From those who stay; whose place is taken goes."""
    listed = joined(opened(listed=True), "b")
    assert refused(listed, commands.MoveSeat("b", "x", frozenset("a"))) == "kept_apart"
    assert after(listed, commands.MoveSeat("a", "x", frozenset("a"))).seat_of("x") == 0
    assert after(joined(opened(), "b"), commands.MoveSeat("b", "x", frozenset("a"))).seat_of("x") == 1


def test_the_host_who_leaves_hands_over_to_who_sits_first() -> None:
    """A room never has a host who is not in it, as long as anybody is."""
    room = after(joined(opened(), "bc"), commands.Leave("a"))
    assert room.host == "b"
    room = after(room, commands.Leave("b"))
    assert room.host == "c"
    assert ROOMS.is_over(after(room, commands.Leave("c")))


def test_the_match_begins_when_all_seats_are_taken_and_all_who_sit_have_contributed() -> None:
    """Before, the host is told what is missing; the seed is that of the secret and of what everybody gave."""
    room = joined(opened(), "b")
    assert refused(room, commands.StartPlay("a", "m")) == "seats_open"
    room = after(room, commands.FillSeats("a", "club"), commands.Contribute("a", GIVEN["a"]))
    assert refused(room, commands.StartPlay("a", "m")) == "not_sealed"
    room = after(room, commands.Contribute("b", GIVEN["b"]), commands.StartPlay("a", "m"))
    deal = room.deal
    given = tuple(map(bytes.fromhex, deal.contributions))
    assert deal.contributions == (GIVEN["a"], GIVEN["b"], "", "")
    assert is_fair(deal.commitment, bytes.fromhex(deal.secret), given, deal.seed)


@pytest.mark.parametrize("given", ["", "00", "0g" * 16, "00" * 17, "00" * 16 + "\n", "AA" * 16])
def test_a_contribution_is_sixteen_bytes_in_hex(given: str) -> None:
    """Anything else is refused, and nobody contributes twice."""
    assert refused(opened(), commands.Contribute("a", given)) == "bad_request"
    room = after(opened(), commands.Contribute("a", GIVEN["a"]))
    assert ROOMS.decide(room, commands.Contribute("a", GIVEN["b"])) == ()


def test_who_leaves_a_match_leaves_it_to_a_bot_and_the_seat_is_open_afterwards() -> None:
    """The others play on; coming back is watching; the next match has an open seat."""
    room = after(playing(), commands.Leave("c"))
    assert room.seats[2].conceded
    assert room.seats[2].bot_plays
    room = joined(room, "c")
    assert refused(room, commands.Back("c")) == "seat_given_up"
    room = after(room, commands.Leave("c"), commands.Finish("match-1", NEXT))
    assert room.phase == OVER
    assert room.seats[2].is_open
    assert [seat.conceded for seat in room.seats] == [False] * 4


def test_a_stand_in_yields_when_the_person_is_back() -> None:
    """Taken over, back, taken over again: each once, however often it is asked for."""
    room = after(playing(), commands.TakeOver(1), commands.TakeOver(1))
    assert room.seats[1].bot_plays
    room = after(room, commands.Back("b"), commands.Back("b"))
    assert not room.seats[1].bot_plays
    assert refused(opened(), commands.TakeOver(0)) == "wrong_phase"


def test_after_the_match_everything_is_shown_and_the_next_deal_is_sealed() -> None:
    """What is shown is what was promised; the next promise is another, and nobody has contributed to it."""
    room = after(playing(), commands.Finish("match-1", NEXT), commands.Finish("match-1", SECRET))
    told = ROOMS.view(room, "b")
    assert told.revealed is not None
    assert (
        commitment(bytes.fromhex(told.revealed.secret))
        == told.revealed.commitment
        == commitment(bytes.fromhex(SECRET))
    )
    assert told.commitment == commitment(bytes.fromhex(NEXT))
    assert told.contributed == ()
    room = after(room, commands.Rematch("c"))
    assert room.phase == GATHERING
    assert [seat.person for seat in room.seats] == ["a", "b", "c", "d"]


def test_a_place_moves_to_another_browser_whole() -> None:
    """Seat, being host and contribution go along; the old one is nobody here."""
    room = after(opened(), commands.Contribute("a", GIVEN["a"]), commands.MoveSeat("a", "x"))
    assert (room.host, room.people, room.seat_of("x"), room.seat_of("a")) == ("x", ("x",), 0, None)
    assert room.given == {"x": GIVEN["a"]}
    assert refused(joined(room, "b"), commands.MoveSeat("x", "b")) == "already_seated"


def test_a_guest_who_signs_in_is_known_as_the_account_in_what_has_been_as_well() -> None:
    """Seat, earlier matches and having been sent away go along; whom the room does not know it forgets."""
    room = after(playing(), commands.Finish("match-1", NEXT))
    room = after(room, commands.Become("b", "x"))
    assert room.seat_of("x") == 1
    assert [seat.person for seat in room.company_of("match-1") or ()] == ["a", "x", "c", "d"]
    assert ROOMS.decide(room, commands.Become("nobody", "y")) == ()
    sent = after(room, commands.Rematch("a"), commands.Remove("a", "x"), commands.Become("x", "z"))
    assert refused(sent, commands.Join("z")) == "removed_from_room"


# -- whatever is asked

PEOPLE = st.sampled_from("abcdefg")
SEATS = st.integers(-1, 7)
ASKED = st.one_of(
    st.builds(commands.Join, PEOPLE, st.frozensets(PEOPLE, max_size=1)),
    st.builds(commands.Sit, PEOPLE, SEATS),
    st.builds(commands.Stand, PEOPLE),
    st.builds(commands.Leave, PEOPLE),
    st.builds(commands.Swap, PEOPLE, SEATS, SEATS),
    st.builds(commands.SeatBot, PEOPLE, SEATS, st.just("club")),
    st.builds(commands.FillSeats, PEOPLE, st.just("club")),
    st.builds(commands.OpenSeat, PEOPLE, SEATS),
    st.builds(commands.Remove, PEOPLE, PEOPLE),
    st.builds(commands.HandOver, PEOPLE, PEOPLE),
    PEOPLE.map(lambda person: commands.Contribute(person, GIVEN[person])),
    st.builds(commands.StartPlay, PEOPLE, st.sampled_from(["m1", "m2"])),
    st.builds(commands.Concede, PEOPLE),
    st.builds(commands.Back, PEOPLE),
    st.builds(commands.Rematch, PEOPLE),
    st.builds(commands.TakeOver, SEATS),
    st.builds(commands.Finish, st.sampled_from(["m1", "m2"]), st.just(NEXT)),
    st.builds(commands.MoveSeat, PEOPLE, PEOPLE),
    st.builds(commands.Become, PEOPLE, PEOPLE),
    st.builds(commands.ReplaceHost, PEOPLE),
)


@settings(max_examples=300)
@given(st.lists(ASKED, max_size=40), st.booleans(), st.booleans())
def test_whatever_is_asked_a_room_stays_whole(asked: list[Any], watch: bool, listed: bool) -> None:
    """Nobody sits twice, the host is there, a match has no open seat, the log replays to the same room."""
    room = opened(watch=watch, listed=listed)
    opening = ROOMS.decide(None, commands.OpenRoom(host="a", settings=room.settings, secret=SECRET))
    assert not isinstance(opening, Refusal)
    log: list[Any] = list(opening)
    for command in asked:
        before = room
        happened = ROOMS.decide(room, command)
        if isinstance(happened, Refusal):
            assert room == before
            continue
        log += happened
        room = after(room, command) if happened else room
        seated = [seat.person for seat in room.seats if seat.person is not None]
        assert len(seated) == len(set(seated))
        assert len(room.people) == len(set(room.people))
        assert room.host in room.people or not room.people
        assert not room.removed & set(room.people)
        if room.phase == PLAYING:
            assert not room.open_seats
        else:
            assert set(seated) <= set(room.people)
            assert room.given.keys() <= set(seated)
            assert not any(seat.bot_plays or seat.conceded for seat in room.seats)
    replayed = None
    for event in log:
        replayed = ROOMS.evolve(replayed, ROOMS.read_event(ROOMS.write_event(event), 1))
    assert replayed == room


@settings(max_examples=200)
@given(st.lists(ASKED, max_size=30))
def test_nobody_is_told_a_secret_before_the_match_is_over(asked: list[Any]) -> None:
    """Rooms that differ in the secret alone look the same to everybody, but for what seals it."""
    rooms = []
    for secret in (SECRET, "0c" * 32):
        opening = commands.OpenRoom(host="a", settings=Settings(rules="klasik", players=4), secret=secret)
        room = after(None, opening)
        told = []
        for command in asked:
            if isinstance(command, commands.Finish):
                continue
            happened = ROOMS.decide(room, command)
            if isinstance(happened, Refusal):
                told.append(happened.code.encode())
                continue
            for event in happened:
                room = ROOMS.evolve(room, event)
            told += [msgspec.json.encode(ROOMS.view(room, person)) for person in "abg"]
        sealed = commitment(bytes.fromhex(secret)).encode()
        rooms.append([one.replace(sealed, b"sealed") for one in told])
        assert not any(secret.encode() in one for one in told)
        assert not any(room.deal.seed.encode() in one for one in told if room.deal.seed)
    assert rooms[0] == rooms[1]


def test_a_seat_change_names_every_event_of_the_log() -> None:
    """Each event that can happen is known by its type, and one that is none is an error."""
    kinds = {kind.__struct_config__.tag for kind in events.Event.__args__}
    assert len(kinds) == 19
    for data in ({"type": "flown"}, {"type": "joined"}, {"type": "joined", "person": "a", "more": 1}):
        with pytest.raises(ValueError, match=r".+"):
            ROOMS.read_event(data, 1)
    with pytest.raises(ValueError, match="version"):
        ROOMS.read_event({"type": "joined", "person": "a"}, 2)


def test_a_room_holds_so_many_people_and_no_more() -> None:
    """Everybody is told of everybody, so a crowd is kept out; who has a seat in the match comes back."""
    room = after(playing("abcd"), commands.Leave("d"))
    room = after(room, *(commands.Join(f"guest {number}") for number in range(MOST_PEOPLE - 3)))
    assert len(room.people) == MOST_PEOPLE
    assert refused(room, commands.Join("one too many")) == "room_full"
    assert "d" in after(room, commands.Join("d")).people
    assert "one too many" in after(room, commands.Leave("b"), commands.Join("one too many")).people
