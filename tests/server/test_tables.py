"""The loop of a live match: decided, stored, then told; once each; by bots as by people."""

from __future__ import annotations

import asyncio
import logging
from random import Random
from typing import Any

import msgspec
import pytest

from kupa.game import Json
from kupa.refusal import Refusal
from kupa.server.memory_store import MemoryStore
from kupa.server.outbox import Outbox
from kupa.server.store import MatchRecord, NewEvent, Outcome, StoreError, UnreadableMatchError
from kupa.server.tables import IDLE_AFTER
from tests.server.playing import (
    HANDS,
    frames,
    in_a_loop,
    listening,
    new_match,
    one_match,
    opened,
    play,
    toy_tables,
)
from tests.server.toy import TOY, View, asking


class SlowStore(MemoryStore):
    """A store whose appends take a while and can be made to fail."""

    def __init__(self) -> None:
        super().__init__()
        self.fails_before = self.fails_after = False

    async def append(self, *args: Any, **more: Any) -> Outcome:
        await asyncio.sleep(0.001)
        if self.fails_before:
            raise StoreError("store_failed")
        outcome = await super().append(*args, **more)
        if self.fails_after:
            raise StoreError("store_failed")
        return outcome


@in_a_loop
async def test_after_a_persons_command_the_bots_act_until_a_person_has_to() -> None:
    """The person's card and the bot's answer are events 2 and 3, and it is the person's turn again."""
    async with one_match() as (tables, match, table):
        assert await play(tables, match, 4) == 2
        assert table.seq == 3
        assert table.state.table == (4, 1)
        for card in (0, 2, 6):
            await play(tables, match, card)
        assert table.seq == 9
        assert TOY.is_over(table.state)
        found = await tables.list_for("nobody")
        assert found == []


@in_a_loop
async def test_bots_that_are_first_act_when_the_match_is_made() -> None:
    """Nobody has to ask for a bot's first move."""

    class BotFirst(type(TOY)):  # type: ignore[misc]
        def evolve(self, state: Any, event: Any) -> Any:
            after = super().evolve(state, event)
            return msgspec.structs.replace(after, turn=1) if state is None else after

    async with toy_tables(games={"toy": BotFirst()}) as tables:
        match = await new_match(tables)
        await tables.bots_rest(match)
        assert (await opened(tables, match)).state.table == (1,)


@in_a_loop
async def test_a_refused_command_changes_nothing_and_tells_nobody() -> None:
    """A refusal leaves log, state and listeners alone."""
    store = MemoryStore()
    async with one_match(store) as (tables, match, table):
        outbox = await listening(table, 0)
        for data in ({"type": "play", "card": 1}, {"type": "play", "card": "0"}, {"type": "fly"}, {}):
            answer = await tables.command(match, "x", data)
            assert isinstance(answer, Refusal)
            assert answer.code == "bad_request"
        assert len(outbox) == 0
        assert len(await store.events(match)) == 1


@in_a_loop
async def test_a_repeated_command_is_done_once() -> None:
    """A retry is answered as done, whether the first try was just now, long ago, or at the same moment."""
    async with toy_tables(SlowStore()) as tables:
        match = await new_match(tables)
        answers = await asyncio.gather(*(play(tables, match, 0, "same") for _ in range(5)))
        assert all(isinstance(answer, int) for answer in answers)
        table = await opened(tables, match)
        assert table.state.table == (0, 1)
        assert await play(tables, match, 0, "same") == 3
        # Also with other words in it: the id alone counts.
        assert await play(tables, match, 2, "same") == 3
        assert table.state.table == (0, 1)


@in_a_loop
async def test_a_repeated_command_is_done_once_even_after_the_table_was_read_again() -> None:
    """The ids of commands come back from the log."""
    store = MemoryStore()
    async with toy_tables(store) as tables:
        match = await new_match(tables)
        await play(tables, match, 0, "same")
    async with toy_tables(store) as tables:
        assert await play(tables, match, 0, "same") == 3
        assert (await opened(tables, match)).state.table == (0, 1)


@in_a_loop
async def test_a_repeated_command_without_events_stays_without_events() -> None:
    """What did nothing the first time does nothing the second time, though the table has moved on."""

    class Moody(type(TOY)):  # type: ignore[misc]
        def decide(self, state: Any, command: Any) -> Any:
            return () if state is not None and not state.table else super().decide(state, command)

    async with one_match(games={"toy": TOY}) as (tables, match, table):
        table.game = Moody()
        assert await tables.command(match, "a", {"type": "play", "card": 0}) == 1
        table.game = TOY
        assert await tables.command(match, "a", {"type": "play", "card": 0}) == 1
        assert table.state.table == ()
        assert await play(tables, match, 0, "b") == 2


@in_a_loop
async def test_every_listener_of_a_seat_is_told_the_same_and_each_event_with_the_view_after_it() -> None:
    """Two sockets of one seat get equal frames, numbered without gaps, each with the state of its moment."""
    async with one_match() as (tables, match, table):
        first, second, other = Outbox(), Outbox(), Outbox()
        for outbox, seat in ((first, 0), (second, 0), (other, 1)):
            table.listen(outbox, seat)
        await play(tables, match, 4)
        await tables.command(match, "w", {"type": "whisper", "text": "psst"})
        seen = await frames(first, table, 0)
        assert seen == await frames(second, table, 0)
        # What was told before the first view was sent is in it.
        assert [frame["type"] for frame in seen] == ["view"]
        await play(tables, match, 0)
        table.leave(second)
        await play(tables, match, 2)
        entries = [entry for frame in await frames(first, table, 0) for entry in frame["events"]]
        assert [entry["seq"] for entry in entries] == [5, 6, 7, 8]
        assert [entry["view"]["table"] for entry in entries] == [
            [4, 1, 0],
            [4, 1, 0, 3],
            [4, 1, 0, 3, 2],
            [4, 1, 0, 3, 2, 5],
        ]
        assert [frame["events"][0]["seq"] for frame in await frames(second, table, 0)] == [5, 6]


@in_a_loop
async def test_a_seat_that_may_not_see_an_event_gets_its_number() -> None:
    """A numbered blank keeps sequences without gaps."""
    async with one_match() as (tables, match, table):
        own, other = await listening(table, 0), await listening(table, 1)
        await tables.command(match, "w", {"type": "whisper", "text": "psst"})
        (frame,) = await frames(own, table, 0)
        (blank,) = await frames(other, table, 1)
        assert frame["events"][0]["event"] == {"type": "whispered", "seat": 0, "text": "psst"}
        assert blank["events"][0]["event"] is None
        assert blank["events"][0]["seq"] == 2
        assert "psst" not in str(blank)


@in_a_loop
async def test_events_are_stored_before_they_are_told() -> None:
    """When a listener hears of an event, the log has it; when the log fails, nobody hears of it."""
    store = SlowStore()
    async with one_match(store) as (tables, match, table):

        class Checking(Outbox):
            def tell(self, frame: str) -> None:
                heard.append(len(store._events[match]))
                super().tell(frame)

        heard: list[int] = []
        outbox = Checking()
        table.listen(outbox, 0)
        store.fails_before = True
        with pytest.raises(StoreError):
            await play(tables, match, 0)
        assert heard == []
        assert table.state.table == ()
        store.fails_before = False
        await play(tables, match, 0)
        assert heard == [2, 3]


@in_a_loop
async def test_an_append_whose_outcome_is_unknown_is_read_from_the_log() -> None:
    """The log kept the event and then failed: the next who asks sees it, and a retry is not done again."""
    store = SlowStore()
    async with one_match(store) as (tables, match, table):
        outbox = await listening(table, 0)
        store.fails_after = True
        with pytest.raises(StoreError):
            await tables.command(match, "same", {"type": "play", "card": 0})
        store.fails_after = False
        assert await play(tables, match, 0, "same") in {2, 3}
        assert table.state.table == (0, 1)
        told = [entry["seq"] for frame in await frames(outbox, table, 0) for entry in frame["events"]]
        assert told == [2, 3]


@in_a_loop
async def test_of_two_processes_on_one_log_both_stay_right() -> None:
    """The one that was slower reads what the other has stored, tells it, and decides anew."""
    store = SlowStore()
    async with toy_tables(store, bots=asking(lambda view, chance: {"type": "idle"})) as here:
        match = await new_match(here)
        async with toy_tables(store, bots=asking(lambda view, chance: {"type": "idle"})) as there:
            table = await opened(here, match)
            await opened(there, match)
            outbox = await listening(table, 0)
            answers = await asyncio.gather(
                here.command(match, "a", {"type": "whisper", "text": "1"}),
                there.command(match, "b", {"type": "whisper", "text": "2"}),
                here.command(match, "c", {"type": "whisper", "text": "3"}),
                there.command(match, "a", {"type": "whisper", "text": "1"}),
            )
            assert all(isinstance(answer, int) for answer in answers)
            stored = await store.events(match)
            assert sorted(event.data.get("text", "") for event in stored) == ["", "1", "2", "3"]
            await here.command(match, "d", {"type": "whisper", "text": "4"})
            told = [e["seq"] for frame in await frames(outbox, table, 0) for e in frame["events"]]
            assert told == [2, 3, 4, 5]


@in_a_loop
async def test_idle_tables_leave_memory_and_come_back_from_the_log() -> None:
    """Nobody watches and nobody asks: the table is let go; it comes back as it was."""
    time = 0.0
    async with toy_tables(clock=lambda: time) as tables:
        match, watched = await new_match(tables), await new_match(tables)
        await play(tables, match, 4)
        outbox = Outbox()
        table = await opened(tables, watched)
        table.listen(outbox, 0)
        time = IDLE_AFTER - 1
        tables.let_go_of_idle()
        assert len(tables) == 2
        time = IDLE_AFTER + 1
        tables.let_go_of_idle()
        assert len(tables) == 1
        assert (await opened(tables, match)).state.table == (4, 1)
        table.leave(outbox)
        time *= 3
        tables.let_go_of_idle()
        assert len(tables) == 0


@in_a_loop
async def test_a_match_interrupted_while_bots_act_goes_on_when_it_is_opened() -> None:
    """A server that ended between a person's card and the bot's answer owes the answer, and gives it."""
    store = MemoryStore()
    never = asking(lambda view, chance: {"type": "idle"})
    async with toy_tables(store, bots=never) as tables:
        match = await new_match(tables)
        await tables.command(match, "c", {"type": "play", "card": 0})
        assert (await opened(tables, match)).state.table == (0,)
    async with toy_tables(store) as tables:
        await opened(tables, match)
        await tables.bots_rest(match)
        assert (await opened(tables, match)).state.table == (0, 1)


@pytest.mark.parametrize("fault", ["raises", "illegal", "nonsense"])
@in_a_loop
async def test_a_bots_fault_is_logged_without_cards_and_harms_nobody(
    fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A bot that fails stops; the table can still be looked at, and the log names no card."""

    def choose(view: View, chance: Random) -> Json:
        if fault == "raises":
            raise KeyError("the card is 7")
        return {"type": "play", "card": 7} if fault == "illegal" else {"type": "seven"}

    with caplog.at_level(logging.ERROR):
        async with toy_tables(bots=asking(choose)) as tables:
            match = await new_match(tables, ((0, 2, 4, 7), (1, 3, 5, 6)))
            assert await play(tables, match, 0) == 2
            assert (await opened(tables, match)).state.table == (0,)
    assert "bots of a table stopped" in caplog.text
    assert "7" not in caplog.messages[0]


@in_a_loop
async def test_a_log_that_cannot_be_replayed_is_an_error_with_its_own_name() -> None:
    """Events of a version nobody knows, events that are none, and a game nobody has."""
    store = MemoryStore()
    facts: Json = {"preset": None, "changed": [], "names": [], "bots": "simple"}
    bad = [
        ("toy", NewEvent(99, {"type": "dealt", "hands": HANDS})),
        ("toy", NewEvent(1, {"type": "flown", "card": 7})),
        ("toy", NewEvent(1, {"type": "played", "seat": 0, "card": 7})),
        ("chess", NewEvent(1, {"type": "dealt", "hands": HANDS})),
    ]
    for number, (game, event) in enumerate(bad):
        await store.create(MatchRecord(f"{number:022}", game, None, facts, 1, 1, False), [event])
    async with toy_tables(store) as tables:
        for number in range(len(bad)):
            with pytest.raises(UnreadableMatchError) as caught:
                await tables.open(f"{number:022}")
            assert "7" not in str(caught.value).split("line")[0]


@pytest.mark.parametrize(
    "match_id", ["", "x", "a" * 22, "a" * 21 + "\n", "../" + "a" * 19, "ı" * 22, "a" * 10**6]
)
@in_a_loop
async def test_an_unknown_id_is_no_match(match_id: str) -> None:
    """Whatever is given as an id, nothing is found and nothing breaks."""
    async with toy_tables() as tables:
        assert await tables.open(match_id) is None
        assert await tables.command(match_id, "x", {"type": "idle"}) is None


@in_a_loop
async def test_many_who_open_a_match_at_once_sit_at_one_table() -> None:
    """A match is loaded once, even if the first who asked for it goes away meanwhile."""
    store = MemoryStore()
    async with toy_tables(store) as tables:
        match = await new_match(tables)
    async with toy_tables(store) as tables:
        first = asyncio.ensure_future(tables.open(match))
        others = [asyncio.ensure_future(tables.open(match)) for _ in range(5)]
        await asyncio.sleep(0)
        first.cancel()
        found = await asyncio.gather(*others)
        assert len(set(map(id, found))) == 1
        assert found[0] is not None


@in_a_loop
async def test_ids_are_random_and_names_are_those_of_the_table() -> None:
    """128 bits of an id, no two alike; the person has no name, the bots have."""
    async with toy_tables() as tables:
        made = {await new_match(tables, owner="me") for _ in range(50)}
        assert len(made) == 50
        assert all(len(match) == 22 for match in made)
        info = (await opened(tables, made.pop())).info(0)
        assert info["names"] == [None, "Deniz"]
        told = {"id", "game", "preset", "changed", "end_early", "names", "bots", "seat"}
        assert set(info) == told | {"room", "past_room", "gave_up"}
        assert len(await tables.list_for("me")) == 50
