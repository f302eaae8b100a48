"""The engine of Hearts: commands become events, events become the next state. Pure.

A command leads to one event of its own, and to whatever happens by itself after it (:func:`what_follows`): a
trick is taken, a round is scored, the next one is dealt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kupa.cards import TEXT, Card, mask_of, texts
from kupa.hearts import rules
from kupa.hearts.commands import ChooseMoon, Claim, Command, PassCards, PlayCard, StartMatch
from kupa.hearts.dealing import dealt_by
from kupa.hearts.events import (
    CardPlayed,
    Claimed,
    Event,
    ExtraRound,
    KittyTaken,
    MatchOver,
    MatchStarted,
    MoonChosen,
    MoonMade,
    PassChosen,
    PassesMade,
    PlayBegan,
    RoundDealt,
    RoundScored,
    TrickTaken,
)
from kupa.hearts.evolution import evolve
from kupa.hearts.state import CHOSEN, CLAIMED, DEAL, MOON, OPEN, PASS, PLAY, SCORED, State
from kupa.refusal import Refusal
from kupa.shuffle import is_seed_text

_MOON_CHOICES: Final = ("add", "subtract")


def decide(state: State | None, command: Command) -> tuple[Event, ...] | Refusal:
    """Return the events that a command leads to, or why it is refused. Pure.

    Args:
        state: the match as it is; None for :class:`StartMatch`, which alone begins one.
        command: what is asked.
    """
    first: Event | Refusal
    if isinstance(command, StartMatch):
        first = _start(command)
    elif state is None:
        return Refusal("no_game")
    elif isinstance(command, PlayCard):
        first = _play(state, command)
    elif isinstance(command, PassCards):
        first = _pass(state, command)
    elif isinstance(command, Claim):
        first = _claim(state, command)
    else:
        first = _choose_moon(state, command)
    if isinstance(first, Refusal):
        return first
    events: list[Event] = [first]
    after = evolve(state, first)
    while (event := what_follows(after)) is not None:
        events.append(event)
        after = evolve(after, event)
    return tuple(events)


# ---------------------------------------------------------------- what is asked


def _start(command: StartMatch) -> MatchStarted | Refusal:
    book = command.rulebook
    totals = command.totals if command.totals is not None else (0,) * book.players
    if len(totals) != book.players:
        return Refusal("bad_request", "totals", params={"players": book.players})
    if command.hands is not None and not _are_hands_of(command):
        return Refusal("bad_deal", "hands")
    if not is_seed_text(command.seed):
        return Refusal("bad_seed")
    return MatchStarted(
        rulebook=book,
        preset=command.preset,
        seed=command.seed,
        totals=totals,
        round=command.round,
        end_early=command.end_early,
        hands=None if command.hands is None else tuple(texts(sorted(hand)) for hand in command.hands),
    )


def _are_hands_of(command: StartMatch) -> bool:
    """Tell whether the hands given, and what they leave over, are the deck of the rulebook."""
    book, hands = command.rulebook, command.hands or ()
    if len(hands) != book.players or any(len(hand) != book.hand_size for hand in hands):
        return False
    left = list(book.deck)
    for card in (card for hand in hands for card in hand):
        if card not in left:
            return False
        left.remove(card)
    return True


def _pass(state: State, command: PassCards) -> PassChosen | Refusal:
    cards, hand, count = command.cards, state.hands[command.seat], state.knobs.pass_count
    if state.phase != PASS:
        return Refusal("wrong_phase", state.phase)
    if state.passed[command.seat] is not None:
        return Refusal("already_passed")
    if len(cards) != count:
        return Refusal("wrong_number_of_cards", params={"n": count})
    for card in cards:
        if cards.count(card) > max(1, rules.copies(hand.held, hand.twice, card)):
            return Refusal("duplicate_card", params={"card": TEXT[card]})
    for card in cards:
        if card not in hand:
            return Refusal("not_your_card", params={"card": TEXT[card]})
    return PassChosen(command.seat, texts(sorted(cards)))


def _play(state: State, command: PlayCard) -> CardPlayed | Refusal:
    if state.phase != PLAY:
        return Refusal("wrong_phase", state.phase)
    if state.turn != command.seat:
        return Refusal("not_your_turn")
    card = command.card
    if card not in state.hands[command.seat]:
        return Refusal("not_your_card", params={"card": TEXT[card]})
    if not legal(state) >> card & 1:
        return _why_not(state, card)
    breaks = not state.broken and rules.breaks_hearts(card, state.knobs.queen_breaks)
    return CardPlayed(command.seat, TEXT[card], breaks)


def _choose_moon(state: State, command: ChooseMoon) -> MoonChosen | Refusal:
    if state.phase != MOON:
        return Refusal("wrong_phase", state.phase)
    if state.turn != command.seat:
        return Refusal("not_your_turn")
    if command.choice not in _MOON_CHOICES:
        return Refusal("bad_choice")
    return MoonChosen(command.seat, command.choice)


def _claim(state: State, command: Claim) -> Claimed | Refusal:
    if state.phase != PLAY:
        return Refusal("wrong_phase", state.phase)
    return Claimed(command.seat) if can_claim(state, command.seat) else Refusal("cannot_claim")


# ---------------------------------------------------------------- what may be played


def legal(state: State) -> int:
    """Return the cards that the seat on turn may play, as a mask; 0 outside play."""
    if state.phase != PLAY or state.turn is None:
        return 0
    hand, knobs, first = state.hands[state.turn].held, state.knobs, not state.tricks
    led = state.trick[0] >> 4 if state.trick else rules.NONE
    return rules.playable(hand, led, state.broken, first, knobs.opens_lowest_club, knobs.barred)


def _why_not(state: State, card: Card) -> Refusal:
    """Tell which rule bars a card of the hand that may not be played."""
    choices = legal(state)
    if state.trick:
        led = state.trick[0] >> 4
        if choices >> 16 * led & rules.CLUBS_MASK:
            return Refusal("must_follow_suit", "CDSH"[led])
    elif not state.tricks and state.knobs.opens_lowest_club:
        return Refusal("must_lead_opening_card", params={"card": TEXT[choices.bit_length() - 1]})
    elif card >> 4 == 3 and not state.broken and state.hands[state.turn or 0].held & ~rules.HEARTS_MASK:
        return Refusal("hearts_not_broken")
    return Refusal("no_points_on_first_trick", state.rulebook.first_trick)


# ---------------------------------------------------------------- what happens by itself


def what_follows(state: State) -> Event | None:
    """Return what happens next without anybody's doing, or None while the match waits for somebody."""
    rule = _FOLLOWS.get(state.phase)
    return rule(state) if rule else None


def _deal(state: State, round_number: int) -> RoundDealt:
    book, players = state.rulebook, state.players
    if state.fixed_hands is None:
        hands, kitty = dealt_by(book, state.seed, round_number)
    else:
        hands = tuple(texts(sorted(hand)) for hand in state.fixed_hands)
        left = list(book.deck)
        for card in (card for hand in state.fixed_hands for card in hand):
            left.remove(card)
        kitty = texts(sorted(left))
    return RoundDealt(
        round=round_number,
        direction=book.direction(round_number),
        dealer=rules.dealer_of(round_number, players),
        hands=hands,
        kitty=kitty,
    )


def _after_passes(state: State) -> PassesMade | None:
    if None in state.passed:
        return None
    direction = rules.DIRECTIONS[state.direction]
    givers = [0] * state.players
    for giver in range(state.players):
        givers[rules.pass_target(giver, direction, state.players)] = giver
    return PassesMade(tuple(texts(state.passed[giver] or ()) for giver in givers), tuple(givers))


def _open(state: State) -> PlayBegan:
    if not state.knobs.opens_lowest_club:
        return PlayBegan(rules.left_of(state.dealer, state.players))
    lowest = [rules.lowest_of(hand.held & rules.CLUBS_MASK) or rules.QUEEN_MASK for hand in state.hands]
    return PlayBegan(lowest.index(min(lowest)))


def _in_play(state: State) -> Event | None:
    if len(state.trick) == state.players:
        return _take_trick(state)
    taker = state.tricks[-1].taker if state.tricks else None
    if state.kitty and state.kitty_taker is None and taker is not None:
        return KittyTaken(taker, texts(state.kitty))
    if state.trick or not _is_played_out(state):
        return None
    return _end_round(state)


def _end_round(state: State) -> Event:
    shooter = _shooter(state)
    if shooter is not None and state.knobs.moon == rules.CHOICE:
        return MoonMade(shooter)
    return _score(state)


def _take_trick(state: State) -> TrickTaken:
    knobs = state.knobs
    place = rules.trick_winner(state.trick, knobs.cancels)
    winner = None if place == rules.NONE else (state.leader + place) % knobs.players
    is_last = not state.hands[0].held
    # If every card of the suit led cancels in the last trick, its leader takes what lies there.
    taker = state.leader if winner is None and is_last else winner
    if taker is None:
        return TrickTaken(state.leader, None, None, 0, 0)
    kitty = state.kitty if state.kitty_taker is None else ()
    return TrickTaken(
        state.leader,
        winner,
        taker,
        rules.penalty_of(state.trick + state.waiting, knobs.heart_points, knobs.queen_points),
        rules.penalty_of(kitty, knobs.heart_points, knobs.queen_points),
    )


def _is_played_out(state: State) -> bool:
    """Tell whether the round is at its end: no card left, or none that counts where the table ends early."""
    if not any(hand.held for hand in state.hands):
        return True
    if not state.end_early:
        return False
    return rules.nothing_counts(_left(state), state.knobs.bonus)


def _left(state: State) -> int:
    """Return the mask of the cards that nobody has taken yet."""
    left = mask_of(state.pile + state.trick)
    for hand in state.hands:
        left |= hand.held
    return left


def can_claim(state: State, seat: int) -> bool:
    """Tell whether a seat may end the round: it has seen everything that counts being taken.

    The cards that it has not seen taken are the deck less the tricks taken, and less the kitty if the seat
    took that: to a seat that did not, a card that counts and has not fallen may be in the kitty or in a hand,
    and the answer must not tell which.
    """
    if state.phase != PLAY:
        return False
    left = _left(state)
    if state.kitty_taker is not None and state.kitty_taker != seat:
        left |= mask_of(state.kitty)
    return rules.nothing_counts(left, state.knobs.bonus)


def _shooter(state: State) -> int | None:
    knobs = state.knobs
    for seat, taken in enumerate(state.taken):
        if rules.shot_the_moon(taken.held, taken.twice, knobs.decks, knobs.bonus, knobs.moon_needs_bonus):
            return seat
    return None


def raw_points(state: State) -> tuple[int, ...]:
    """Return the penalty value of the cards that each seat has taken in this round, the kitty's included."""
    knobs = state.knobs
    return tuple(
        rules.penalty_of(tuple(taken), knobs.heart_points, knobs.queen_points) for taken in state.taken
    )


def _score(state: State) -> RoundScored:
    knobs, shooter = state.knobs, _shooter(state)
    raw = raw_points(state)
    bonus = [rules.copies(taken.held, taken.twice, knobs.bonus) for taken in state.taken]
    subtracts = knobs.moon == rules.SUBTRACT or state.choice == "subtract"
    shot = rules.NONE if shooter is None else shooter
    points = tuple(
        rules.points_written(seat, raw[seat], bonus[seat], shot, subtracts, knobs.moon_points)
        for seat in range(state.players)
    )
    return RoundScored(
        raw=raw,
        points=points,
        totals=tuple(map(int.__add__, state.totals, points)),
        shooter=shooter,
        choice=state.choice,
        bonus=tuple(seat for seat, copies in enumerate(bonus) if copies),
    )


def _after_score(state: State) -> Event:
    knobs, points = state.knobs, state.rounds[-1]
    answer = rules.verdict(state.totals, points, knobs.target, knobs.plays_on, knobs.perfect_round)
    lowest = min(state.totals)
    if answer == rules.GOES_ON:
        return _deal(state, state.round + 1)
    if answer == rules.TIED:
        return ExtraRound("tie", ())
    if answer == rules.PERFECT_ROUND:
        perfect = (seat for seat, total in enumerate(state.totals) if total > lowest and points[seat] <= 0)
        return ExtraRound("perfect_round", tuple(perfect))
    winners = (seat for seat, total in enumerate(state.totals) if total == lowest)
    return MatchOver(tuple(winners), state.totals)


_FOLLOWS: Final[dict[str, Callable[[State], Event | None]]] = {
    DEAL: lambda state: _deal(state, state.round if state.extra_round is None else state.round + 1),
    PASS: _after_passes,
    OPEN: _open,
    PLAY: _in_play,
    CLAIMED: _end_round,
    CHOSEN: _score,
    SCORED: _after_score,
}


def to_act(state: State) -> tuple[int, ...]:
    """Return the seats that have a decision open, ascending."""
    if state.phase == PASS:
        return tuple(seat for seat, cards in enumerate(state.passed) if cards is None)
    return () if state.turn is None else (state.turn,)
