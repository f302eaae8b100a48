"""Worlds agree with all that a seat knows, are exactly uniform, and do not depend on what is hidden."""

from __future__ import annotations

import os
from collections import Counter
from typing import Final

import pytest
from msgspec.structs import replace
from scipy.stats import chi2

from kupa.cards import BY_TEXT, CardSet, mask_of
from kupa.hearts import rules
from kupa.hearts.commands import PlayCard, StartMatch
from kupa.hearts.engine import decide, legal
from kupa.hearts.evolution import evolve
from kupa.hearts.rulebook import Rulebook
from kupa.hearts.state import PASS, PLAY, State
from kupa.refusal import Refusal
from kupa.sim.knowledge import Knowledge, known, opened_with, seen_in
from kupa.sim.worlds import Worlds

from .endgames import World, deals_of, enumerated, points_of_rounds, worlds_of
from .rulebooks import ALL

RESAMPLES: Final = {"full": 10_000, "ci": 2_000, "": 400}[os.environ.get("KUPA_SOAK", "")]
"""Points of random rounds, for each rulebook, at which worlds are drawn."""
UNLIKELY = 1e-6


def replayed(state: State, book: Rulebook, world: World, seat: int) -> None:
    """Play the round again from a world: everything that has been seen must have been possible in it.

    The hands of the world are given back what was played and passed, so that the engine itself judges every
    play; what the other seats passed is not known, so the play begins after the pass.
    """
    hands = [list(CardSet(*masks)) for masks in world[: book.players]]
    tricks = [(trick.leader, trick.cards) for trick in state.tricks] + [(state.leader, state.trick)]
    plays = [((leader + i) % book.players, card) for leader, cards in tricks for i, card in enumerate(cards)]
    for player, card in plays:
        hands[player].append(card)
    assert [len(hand) for hand in hands] == [book.hand_size] * book.players
    if state.phase == PASS:
        return
    held = replace(book, pass_count=0, pass_cycle=("hold",))
    start = StartMatch(rulebook=held, seed="", hands=tuple(map(tuple, hands)), round=state.round)
    events = decide(None, start)
    assert not isinstance(events, Refusal), events
    again: State | None = None
    for event in events:
        again = evolve(again, event)
    assert again is not None
    assert again.turn == (plays[0][0] if plays else state.turn)
    for player, card in plays:
        assert again.turn == player
        events = decide(again, PlayCard(player, card))
        assert not isinstance(events, Refusal), events
        for event in events:
            again = evolve(again, event)
    assert again.hands[seat] == state.hands[seat]
    assert again.turn == state.turn
    if state.turn == seat:
        assert legal(again) == legal(state)


@pytest.mark.soak
@pytest.mark.parametrize("book", ALL.values(), ids=ALL.keys())
def test_worlds_contradict_nothing_that_is_known(book: Rulebook) -> None:
    """At random points of random rounds, the engine plays the round again from a drawn world: each seat held
    what it played and might play it; the passed cards that are still out are with whoever got them, the kitty
    is its taker's own, and the whole is the deck. The true deal is always one of the worlds.
    """
    for number, (state, seat) in enumerate(points_of_rounds(book, RESAMPLES // 20, seed=3)):
        knowledge = known(seen_in(state, seat))
        sampler = Worlds(knowledge)
        assert sum(agrees(case, state) for case in knowledge) == 1
        for world in worlds_of(sampler.draw(20, number)):
            assert CardSet(*world[seat]) == state.hands[seat]
            gone = [card for trick in state.tricks for card in trick.cards] + list(state.trick)
            dealt = [card for masks in world for card in CardSet(*masks)]
            assert sorted(dealt + gone) == sorted(book.deck)
            if state.phase == PLAY and state.passed[seat] and state.direction != "hold":
                assert keeps_what_was_passed(state, seat, world)
            if state.kitty_taker == seat:
                assert CardSet(*world[book.players]) == CardSet.of(state.kitty)
            replayed(state, book, world, seat)


def agrees(knowledge: Knowledge, state: State) -> bool:
    """Tell whether the true deal is one of the worlds."""
    truth = [*state.hands, CardSet.of(state.kitty)]
    return all(
        not held.held & out & ~fixed.held and held.holds(fixed) and len(held) == room + len(fixed)
        for held, out, fixed, room in zip(
            truth, knowledge.ruled_out, knowledge.fixed, knowledge.room, strict=True
        )
    )


def keeps_what_was_passed(state: State, seat: int, world: World) -> bool:
    receiver = rules.pass_target(seat, rules.DIRECTIONS[state.direction], state.players)
    played_by = Counter(
        card
        for trick in [(t.leader, t.cards) for t in state.tricks] + [(state.leader, state.trick)]
        for i, card in enumerate(trick[1])
        if (trick[0] + i) % state.players == receiver
    )
    left = Counter(state.passed[seat]) - played_by
    return CardSet(*world[receiver]).holds(list(left.elements()))


# ---------------------------------------------------------------- exactly uniform


def test_small_endgames_are_drawn_exactly_uniformly() -> None:
    """Against full enumeration: their number is the sampler's, and chi-squared over all of them finds
    nothing.

    The endgames are of several rulebooks, with voids, passed cards, kitties and cards held twice; most have
    groups and kinds enough for the table to matter.
    """
    tried = with_tables = 0
    for name in ("cardems-4", "parlour-3", "parlour-6", "kitty and four passed", "cancellation-6"):
        for state, seat in points_of_rounds(ALL[name], 400, seed=11):
            knowledge = known(seen_in(state, seat))
            if state.phase != PLAY or not 5 <= len(knowledge[0].pool) <= 9:
                continue
            worlds = Counter(enumerated(knowledge))
            number = worlds.total()
            sampler = Worlds(knowledge)
            assert sampler.number == number
            if not 2 <= len(worlds) <= 800:
                continue
            count = 40 * number
            met = Counter(worlds_of(sampler.draw(count, tried)))
            assert met.keys() <= worlds.keys()
            distance = sum((met[world] - 40 * many) ** 2 / (40 * many) for world, many in worlds.items())
            assert chi2.sf(distance, len(worlds) - 1) > UNLIKELY, (name, distance, len(worlds))
            tried += 1
            layout = sampler.tables[0].layout
            with_tables += len(layout.kinds) > 1 and len(layout.sizes) > 1
    assert tried > 40
    assert with_tables > 20


def test_constructed_constraints_are_drawn_exactly_uniformly() -> None:
    """Three groups that each lack something else, and a kitty, against full enumeration."""
    pool = tuple(BY_TEXT[text] for text in ["2C", "3C", "4C", "2D", "3D", "2S", "3S", "2H"])
    clubs, diamonds, spades = (mask_of(c for c in pool if c >> 4 == suit) for suit in range(3))
    knowledge = Knowledge(
        players=3,
        pool=pool,
        room=(0, 3, 3, 2),
        ruled_out=(0, clubs, diamonds | spades, 0),
        fixed=(CardSet.of([40]), CardSet(), CardSet(), CardSet()),
    )
    worlds = enumerated([knowledge])
    sampler = Worlds([knowledge])
    assert sampler.number == len(worlds) > 10
    met = Counter(worlds_of(sampler.draw(1000 * len(worlds), 5)))
    distance = sum((met[world] - 1000) ** 2 / 1000 for world in worlds)
    assert chi2.sf(distance, len(worlds) - 1) > UNLIKELY


def test_the_opening_club_is_known_as_far_as_it_can_be() -> None:
    """With a kitty, who is about to open holds the lowest club dealt, whichever that is: against enumeration
    of all deals of a small deck, and every world of a real one opens with the right seat.
    """
    pool = tuple(BY_TEXT[text] for text in ["2C", "3C", "4C", "2D", "3D", "2S"])
    seen = Knowledge(
        3, pool, (0, 2, 2, 2), (0, 0, 0, 0), (CardSet.of([BY_TEXT["9C"]]), CardSet(), CardSet(), CardSet())
    )
    cases = [case for club in range(13) if (case := opened_with(seen, 1, club)) is not None]
    clubs = rules.CLUBS_MASK
    right = [
        world
        for world in deals_of(seen)
        if world[1][0] & clubs
        and all(
            rules.lowest_of(world[1][0] & clubs) < (rules.lowest_of(hand & clubs) or 1 << 13)
            for hand, _ in (world[0], world[2])
        )
    ]
    assert sorted(enumerated(cases)) == sorted(right)
    sampler = Worlds(cases)
    assert sampler.number == len(right) > 20
    met = Counter(worlds_of(sampler.draw(400 * len(right), 5)))
    distance = sum((met[world] - 400) ** 2 / 400 for world in right)
    assert chi2.sf(distance, len(right) - 1) > UNLIKELY
    book = ALL["kitty and four passed"]
    for state, _ in points_of_rounds(book, 300, seed=23):
        if state.phase == PLAY and not state.tricks and not state.trick:
            for seat in range(book.players):
                for world in worlds_of(Worlds(known(seen_in(state, seat))).draw(30, 1)):
                    replayed(state, book, world, seat)


def test_hidden_cards_do_not_change_the_worlds() -> None:
    """Two true deals that differ only in what the seat cannot see give the same worlds, draw by draw."""
    compared = 0
    for name in ("cardems-4", "parlour-5", "cancellation-7", "kitty and four passed"):
        for number, (state, seat) in enumerate(points_of_rounds(ALL[name], 60, seed=17)):
            sampler = Worlds(known(seen_in(state, seat)))
            world = next(worlds_of(sampler.draw(1, 900 + number)))
            hands = tuple(CardSet(*masks) for masks in world[: state.players])
            other = replace(
                state,
                hands=hands,
                start_hands=(),
                received=(),
                kitty=tuple(CardSet(*world[state.players])),
                passed=tuple(
                    cards if giver == seat or cards is None else ()
                    for giver, cards in enumerate(state.passed)
                ),
            )
            again = Worlds(known(seen_in(other, seat)))
            assert (sampler.draw(50, number) == again.draw(50, number)).all()
            compared += hands != state.hands
    assert compared > 100


def test_what_contradicts_itself_has_no_world() -> None:
    """A pool that nobody may hold is an error, not an endless search."""
    knowledge = Knowledge(2, (1, 2), (1, 1, 0), (1 << 1, 1 << 1, 0), (CardSet(), CardSet(), CardSet()))
    with pytest.raises(ValueError, match="no deal agrees"):
        Worlds([knowledge])


def test_all_known_is_one_world() -> None:
    """Where nothing is hidden, every draw is the truth."""
    fixed = (CardSet.of([1]), CardSet.of([2]), CardSet())
    sampler = Worlds([Knowledge(2, (), (0, 0, 0), (0, 0, 0), fixed)])
    assert sampler.number == 1
    assert set(worlds_of(sampler.draw(3, 1))) == {((2, 0), (4, 0), (0, 0))}
