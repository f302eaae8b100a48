"""An outbox stays small however slowly it is emptied, and loses nothing that matters."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from kupa.server.outbox import MOST_ANSWERS, MOST_EVENTS, MOST_SAID, Due, Outbox
from tests.server.playing import in_a_loop


async def drained(outbox: Outbox) -> list[str | Due]:
    return [await outbox.next() for _ in range(len(outbox))]


@in_a_loop
async def test_frames_come_out_in_order() -> None:
    """Events and answers keep their order while there is room."""
    outbox = Outbox()
    outbox.tell("e1")
    outbox.answer("a1")
    outbox.tell("e2")
    assert await drained(outbox) == ["e1", "a1", "e2"]


@in_a_loop
async def test_events_that_pile_up_are_replaced_by_the_view_and_answers_stay() -> None:
    """A slow reader gets the answers to its own frames, then the whole view, then what follows."""
    outbox = Outbox()
    outbox.answer("a1")
    for number in range(1000):
        outbox.tell(f"e{number}")
    outbox.answer("a2")
    assert await drained(outbox) == ["a1", Due.VIEW, "a2"]
    outbox.tell("next")
    assert await drained(outbox) == ["next"]


@in_a_loop
async def test_a_view_that_is_due_swallows_the_events_before_it_is_made() -> None:
    """The view is made when it is sent, so events told meanwhile are in it already."""
    outbox = Outbox()
    outbox.tell("old")
    outbox.resync()
    outbox.resync()
    outbox.tell("in the view")
    assert await drained(outbox) == [Due.VIEW]


@in_a_loop
async def test_who_waits_gets_the_next_frame() -> None:
    """A reader that came before the frame is woken by it."""
    outbox = Outbox()
    reader = asyncio.ensure_future(outbox.next())
    await asyncio.sleep(0)
    outbox.tell("e")
    assert await reader == "e"


@in_a_loop
async def test_there_is_no_room_while_many_answers_wait() -> None:
    """Frames of a client that does not read its answers are not read either."""
    outbox = Outbox()
    for number in range(MOST_ANSWERS):
        await outbox.room()
        outbox.answer(str(number))
    waiting = asyncio.ensure_future(outbox.room())
    await asyncio.sleep(0)
    assert not waiting.done()
    await outbox.next()
    await waiting


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["tell", "answer", "resync", "next"]), max_size=300))
@in_a_loop
async def test_it_is_bounded_and_never_skips_an_event_without_a_view(steps: list[str]) -> None:
    """Each event is delivered, or a view comes after it and before any later event."""
    outbox = Outbox()
    told = seen = 0
    answers: list[str] = []
    got: list[str] = []

    def read(frame: str | Due) -> None:
        nonlocal seen
        if frame is Due.VIEW:
            seen = told
        elif str(frame).startswith("a"):
            got.append(str(frame))
        else:
            assert int(str(frame)[1:]) == seen + 1
            seen += 1

    for step in steps:
        if step == "tell":
            told += 1
            outbox.tell(f"e{told}")
        elif step == "answer":
            answers.append(f"a{len(answers)}")
            outbox.answer(answers[-1])
        elif step == "resync":
            outbox.resync()
        elif len(outbox):
            read(await outbox.next())
        assert len(outbox) - (len(answers) - len(got)) <= MOST_EVENTS + 1
    for frame in await drained(outbox):
        read(frame)
    assert seen == told
    assert got == answers


@in_a_loop
async def test_of_a_room_only_how_it_is_now_is_sent_and_of_talk_the_last() -> None:
    """A slow reader gets the room once, and the last messages in place of many; events are not touched."""
    outbox = Outbox()
    outbox.tell("e1")
    for number in range(100):
        outbox.show_room()
        outbox.say(f"s{number}")
    outbox.tell("e2")
    assert await drained(outbox) == ["e1", Due.ROOM, Due.MESSAGES, "e2"]
    for number in range(MOST_SAID):
        outbox.say(f"s{number}")
    assert await drained(outbox) == [f"s{number}" for number in range(MOST_SAID)]
