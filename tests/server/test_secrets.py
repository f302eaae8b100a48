"""What a seat may not know is in no byte that it is sent.

Two matches that differ only in cards hidden from a seat must send that seat equal bytes: every frame, every
answer over HTTP, every page, every refusal.
"""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from litestar.testing import TestClient

from kupa.cards import PACK, texts
from kupa.game import Game, replay
from kupa.hearts.commands import StartMatch
from kupa.hearts.game import HEARTS
from kupa.hearts.presets import chosen_rulebook
from kupa.hearts.rulebook import Rulebook
from kupa.refusal import Refusal
from kupa.server import tables as tables_module
from kupa.server.app import create_app
from kupa.server.memory_store import MemoryStore
from kupa.server.outbox import Due, Outbox
from kupa.server.store import MatchRecord
from kupa.server.table import Table, new_events
from tests.server.toy import TOY

ID = "A" * 22


async def sent_to(game: Game, start: Any, commands: list[tuple[Any, str]], seat: int) -> list[str]:
    """Return every frame that a seat is sent while commands of any seats are done in a match.

    A command that is refused is told as its code.
    """
    store = MemoryStore()
    events = game.decide(None, start)
    assert not isinstance(events, Refusal)
    state = replay(game, events)
    record = MatchRecord(
        ID, game.name, None, {"preset": None, "changed": [], "names": [], "bots": ""}, 1, 1, False
    )
    assert game.seats(state) > seat
    await store.create(record, new_events(game, events))
    table = Table(record, game, store)
    await table.load()
    outbox = Outbox()
    table.listen(outbox, seat)
    assert await outbox.next() is Due.VIEW
    frames = [table.view_frame(seat)]
    for command, name in commands:
        answer = await table.do(command, name)
        if isinstance(answer, Refusal):
            frames.append(answer.code)
        while len(outbox):
            frame = await outbox.next()
            frames.append(table.view_frame(seat) if isinstance(frame, Due) else frame)
    return frames


@pytest.mark.parametrize("hidden", [(1, 3, 5, 7), (7, 5, 3, 1)])
def test_frames_of_the_toy_game_do_not_depend_on_hidden_cards(hidden: tuple[int, ...]) -> None:
    """Whatever the other holds and whispers, seat 0 is sent the same bytes until a card is laid open."""
    starts = [{"hands": [[0, 2, 4, 6], list(other)]} for other in ((1, 3, 5, 7), hidden)]
    whispers = [[(TOY.read_command({"type": "whisper", "text": text}, 1), "w")] for text in ("a", "bcd")]
    sent = [
        asyncio.run(sent_to(TOY, TOY.read_start(start), commands, 0))
        for start, commands in itertools.product(starts, whispers)
    ]
    assert len(sent[0]) == 2
    assert all(frames == sent[0] for frames in sent)


def hearts_start(hands: list[list[int]], rounds: int = 0) -> StartMatch:
    rulebook = chosen_rulebook("cardems", None, None)
    assert isinstance(rulebook, Rulebook)
    return StartMatch(rulebook=rulebook, seed="s", hands=tuple(map(tuple, hands)), round=rounds)


def worlds(seed: int, count: int = 4) -> Iterator[list[list[int]]]:
    """Yield deals in which seat 0 holds the same hand and the other hands are shuffled anew."""
    chance = Random(seed)
    cards = list(PACK)
    chance.shuffle(cards)
    for _ in range(count):
        rest = cards[13:]
        chance.shuffle(rest)
        yield [sorted(hand) for hand in (cards[:13], rest[:13], rest[13:26], rest[26:])]


@pytest.mark.parametrize("seed", range(8))
def test_frames_of_hearts_do_not_depend_on_hidden_cards_while_all_pass(seed: int) -> None:
    """Others choose cards that seat 0 cannot see: it learns that they have chosen, and nothing more."""
    sent = []
    for hands in worlds(seed):
        commands = []
        for seat in (1, 2, 0):  # seat 3, who passes to seat 0, has not chosen yet
            data = {"type": "pass", "cards": list(texts(hands[seat][:3]))}
            commands.append((HEARTS.read_command(data, seat), f"p{seat}"))
        sent.append(asyncio.run(sent_to(HEARTS, hearts_start(hands), commands, 0)))
    assert len(sent[0]) == 4
    assert all(frames == sent[0] for frames in sent)


def some_play(hands: list[list[int]], moves: int, chance: Random) -> list[tuple[Any, str]]:
    """Return the first plays of a round without passing, each as a command with a name."""
    state = replay(HEARTS, HEARTS.decide(None, hearts_start(hands, HOLD)))  # type: ignore[arg-type]
    commands = []
    for number in range(moves):
        (seat,) = HEARTS.to_act(state)
        card = chance.choice(HEARTS.view(state, seat).legal)
        command = HEARTS.read_command({"type": "play", "card": card}, seat)
        for event in HEARTS.decide(state, command):  # type: ignore[arg-type, union-attr]
            state = HEARTS.evolve(state, event)
        commands.append((command, f"c{number}"))
    return commands


def with_unseen_cards_moved(hands: list[list[int]], seen: set[int], chance: Random) -> list[list[int]]:
    """Return other hands that agree with all that seat 0 has seen: its own cards, and those played."""
    unseen = [card for hand in hands[1:] for card in hand if card not in seen]
    chance.shuffle(unseen)
    moved = [hands[0]]
    for hand in hands[1:]:
        kept = [card for card in hand if card in seen]
        moved.append(sorted(kept + [unseen.pop() for _ in range(len(hand) - len(kept))]))
    return moved


HOLD = 3
"""A round in which nobody passes."""


def test_frames_of_hearts_do_not_depend_on_hidden_cards_while_tricks_are_played() -> None:
    """Cards that nobody has played yet may lie in any other hand: seat 0 is sent the same bytes."""
    compared = 0
    for seed in range(60):
        chance = Random(seed)
        (hands,) = worlds(seed, 1)
        commands = some_play(hands, chance.randint(1, 30), chance)
        played = {command.card for command, _ in commands}
        sent = asyncio.run(sent_to(HEARTS, hearts_start(hands, HOLD), commands, 0))
        for _ in range(12):
            other = with_unseen_cards_moved(hands, played, chance)
            frames = asyncio.run(sent_to(HEARTS, hearts_start(other, HOLD), commands, 0))
            # Where a card now breaks a rule in its new hand, the match is another one.
            if all(frame.startswith("{") for frame in frames) and other != hands:
                assert frames == sent
                compared += 1
    assert compared > 100


def test_nothing_of_a_match_of_hearts_names_a_card_that_was_not_shown() -> None:
    """View and socket of the first pass name the seat's own cards and no other; nothing tells the seed."""
    seed = "a seed that nobody shall see"
    with TestClient(create_app(MemoryStore())) as client:
        body = {"game": "hearts", "rules": "cardems", "seed": seed}
        match = client.post("/api/matches", json=body).json()["id"]
        tables: tables_module.Tables = client.app.state.tables
        state = tables._seated[match].table.state
        own = set(HEARTS.view(state, 0).hand)
        page = client.get(f"/m/{match}").text
        said = [client.get(f"/api/matches/{match}").text, page]
        for card in ("2C", "QS", "AH"):
            command = {"id": f"x{card}", "command": {"type": "pass", "cards": [card] * 3}}
            said.append(client.post(f"/api/matches/{match}/commands", json=command).text)
        with client.websocket_connect(f"/m/{match}/live") as socket:
            said.append(socket.receive_text())
    for text in said:
        assert seed not in text
    for text in (said[0], said[-1]):
        view = text.partition('"hand":[')[2].partition("]")[0]
        assert set(re.findall(r"[2-9TJQKA][CDSH]", view)) == own
        others = text.replace(view, "")
        assert not set(re.findall(r'"([2-9TJQKA][CDSH])"', others)) - own


def test_lists_tell_nothing_of_the_deal() -> None:
    """What the front page can know of a match holds no seed and no code."""
    store = MemoryStore()
    with TestClient(create_app(store)) as client:
        client.post("/api/matches", json={"game": "hearts", "rules": "ozel", "seed": "secret"})
        client.post("/api/matches", json={"game": "heart-to-heart", "code": "HH1-N-AAAAAAM"})
    for record in store._matches.values():
        assert "secret" not in str(record)
        assert "HH1" not in str(record)
        assert set(record.facts) == {"preset", "changed", "players", "end_early", "names", "bots", "luck"}
