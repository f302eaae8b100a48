"""Fair deals: what was sealed, and that nothing of it can be changed unnoticed."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kupa.catalogue import LANGUAGES, messages
from kupa.fairness import FairDeal, Fault, round_checks, seal_faults, start_faults
from kupa.hearts.dealing import dealt_by
from kupa.hearts.events import MatchStarted, RoundDealt
from kupa.hearts.presets import PRESETS
from kupa.record import Record, read_record, verified, write_record
from kupa.refusal import Refusal
from kupa.shuffle import fair_seed, shuffled
from kupa.verification import BROKEN, KEPT, SEALED, UNREADABLE, check_record, fault_text
from tests.fair_matches import FairRoom, changed
from tests.hearts.random_play import played


@cache
def fair_record() -> Record:
    """Return a match of two people and two bots that was dealt fairly and played to its end."""
    room = FairRoom()
    room.play("one")
    return room.record("one")


def codes(record: Record) -> list[tuple[str, dict[str, int]]]:
    """Return what is wrong with a match."""
    verdict = check_record(record)
    assert verdict.verdict == (BROKEN if verdict.faults else KEPT)
    return [(fault.code, fault.params) for fault in verdict.faults]


def fair_of(record: Record) -> FairDeal:
    """Return what the deals of a match were made of."""
    assert record.fair is not None
    return record.fair


def test_a_fair_match_is_kept_round_by_round() -> None:
    """The honest record passes, and each of its rounds was dealt again."""
    verdict = check_record(fair_record())
    assert (verdict.verdict, verdict.kind, verdict.faults) == (KEPT, "fair", ())
    dealt = [event.round for event in fair_record().events if isinstance(event, RoundDealt)]
    assert [check.round for check in verdict.rounds] == dealt
    assert len(dealt) > 1


def test_the_seed_follows_from_the_secret_and_the_contributions_by_sha_256() -> None:
    """Worked out here with the hash function alone."""
    fair = fair_of(fair_record())
    started = fair_record().events[0]
    assert fair.secret is not None
    secret = bytes.fromhex(fair.secret)
    assert hashlib.sha256(secret).hexdigest() == fair.commitment
    joined = secret + b"".join(map(bytes.fromhex, fair.contributions))
    assert hashlib.sha256(joined).hexdigest() == started.seed
    assert [len(given) for given in fair.contributions] == [32, 32, 0, 0]


def swapped_hands(record: Record, round_number: int) -> Record:
    """Return a match in which seats 1 and 2 were dealt each other's first card."""
    dealt = [event for event in record.events if isinstance(event, RoundDealt)][round_number]
    hands = [list(hand) for hand in dealt.hands]
    hands[1][0], hands[2][0] = hands[2][0], hands[1][0]
    forged = tuple(map(tuple, hands))
    return replace(record, events=tuple(changed(record.events, RoundDealt, round_number, hands=forged)))


@pytest.mark.parametrize("round_number", [0, 1])
def test_a_changed_card_is_found_with_its_round_and_its_seats(round_number: int) -> None:
    """Two hands that exchanged a card are named, and nobody else."""
    place = {"round": round_number, "n": round_number + 1}
    assert codes(swapped_hands(fair_record(), round_number)) == [
        ("other_cards", {**place, "seat": 1}),
        ("other_cards", {**place, "seat": 2}),
    ]


def test_a_changed_kitty_is_found() -> None:
    """What the even deal leaves over is compared, too."""
    events: list[Any] = []
    for _, happened in played(PRESETS["cancellation"].rulebook(7), "kitty", Random(1)):
        events += happened
        break
    dealt = next(event for event in events if isinstance(event, RoundDealt))
    forged = changed(events, RoundDealt, kitty=("2C", *dealt.kitty[1:]))
    assert check_record(Record("hearts", tuple(events))).verdict == KEPT
    assert codes(Record("hearts", tuple(forged)))[0] == ("other_kitty", {"round": 0, "n": 1})


def test_a_changed_secret_is_not_the_one_that_was_sealed() -> None:
    """It gives another commitment and another seed."""
    record = fair_record()
    forged = replace(record, fair=replace(fair_of(record), secret="00" * 32))
    assert [code for code, _ in codes(forged)] == ["other_commitment", "other_seed"]


def test_a_changed_commitment_is_found() -> None:
    """What was shown before the deal is not the digest of the secret."""
    record = fair_record()
    forged = replace(record, fair=replace(fair_of(record), commitment="00" * 32))
    assert codes(forged) == [("other_commitment", {})]


@pytest.mark.parametrize(
    "change",
    [
        lambda given: ("00" * 16, *given[1:]),
        lambda given: (*given[:2], "00" * 16, given[3]),
        lambda given: (given[1], given[0], *given[2:]),
        lambda given: ("", *given[1:]),
    ],
    ids=["a contribution", "a bot's empty contribution", "the order of the seats", "one left out"],
)
def test_a_changed_contribution_gives_another_seed(change: Any) -> None:
    """Whatever is done to the contributions, the seed of the match does not follow any more."""
    record = fair_record()
    forged = replace(
        record, fair=replace(fair_of(record), contributions=change(fair_of(record).contributions))
    )
    assert codes(forged) == [("other_seed", {})]


def test_bots_in_other_seats_give_the_same_seed_but_not_the_same_seats() -> None:
    """An empty contribution adds nothing wherever it stands; a seat too many or too few is named."""
    record = fair_record()
    given = fair_of(record).contributions
    for other in (given[:2], (*given, "")):
        forged = replace(record, fair=replace(fair_of(record), contributions=other))
        assert codes(forged) == [("other_seats", {})]


def test_a_changed_seed_is_found_by_the_seal_and_by_the_cards() -> None:
    """Neither the contributions nor the hands fit another seed."""
    record = fair_record()
    forged = replace(record, events=tuple(changed(record.events, MatchStarted, seed="another")))
    found = [code for code, _ in codes(forged)]
    assert found[0] == "other_seed"
    assert "other_cards" in found


def test_a_fair_match_begins_with_its_first_round() -> None:
    """Who knows the seed may not choose the round to begin with, as each has other cards."""
    record = fair_record()
    started = record.events[0]
    hands, kitty = dealt_by(started.rulebook, started.seed, 3)
    forged = (replace(started, round=3), RoundDealt(3, "hold", 2, hands, kitty))
    assert ("other_beginning", {}) in codes(replace(record, events=forged))


def test_hands_that_were_set_are_no_deal() -> None:
    """A match whose first hands were given beforehand is not dealt from its seed."""
    started = fair_record().events[0]
    hands, _ = dealt_by(started.rulebook, started.seed, 0)
    assert Fault("given_hands") in start_faults(replace(started, hands=hands), None)
    assert start_faults(started, None) == ()


def test_what_follows_the_deal_is_checked_too() -> None:
    """With every card as dealt, a winner that the rules do not know is named by its event."""
    record = fair_record()
    last = record.events[-1]
    forged = replace(record, events=(*record.events[:-1], replace(last, winners=(0, 1, 2, 3))))
    [(code, params)] = codes(forged)
    assert code == "against_the_rules"
    assert 0 < params["event"] <= len(record.events)


def test_malformed_bytes_are_named() -> None:
    """A secret or a contribution of another length, or of other letters, is none."""
    fair = fair_of(fair_record())
    assert seal_faults(replace(fair, secret="AB"), "") == (Fault("not_a_secret"),)
    forged = replace(fair, contributions=("", "xy", "00" * 15, "AA" * 16))
    assert seal_faults(forged, "")[-3:] == tuple(Fault("not_a_contribution", {"seat": s}) for s in (1, 2, 3))


def test_before_the_secret_is_shown_a_match_is_sealed_and_its_seal_not_judged() -> None:
    """Commitment alone: nothing can be wrong with it, but the cards and the rules can."""
    record = fair_record()
    sealed = replace(record, fair=FairDeal(commitment=fair_of(record).commitment))
    assert check_record(sealed).verdict == SEALED
    assert check_record(swapped_hands(sealed, 0)).verdict == BROKEN


def test_a_log_that_makes_no_sense_is_unreadable_and_raises_nothing() -> None:
    """No events, events of the wrong beginning, and cards that are none."""
    record = fair_record()
    assert check_record(Record("hearts", ())).verdict == UNREADABLE
    assert check_record(Record("hearts", record.events[1:])).verdict == UNREADABLE
    assert check_record(Record("heart-to-heart", record.events)).verdict == UNREADABLE


@given(
    st.binary(min_size=32, max_size=32), st.lists(st.sampled_from([b"", b"a" * 16, b"b" * 16]), max_size=11)
)
def test_every_honest_seal_is_kept_and_every_other_secret_is_not(
    secret: bytes, given_bytes: list[bytes]
) -> None:
    """For any secret and contributions the seed follows; with a bit of the secret turned it does not."""
    seed = fair_seed(secret, given_bytes)
    contributions = tuple(one.hex() for one in given_bytes)
    fair = FairDeal(
        commitment=hashlib.sha256(secret).hexdigest(), secret=secret.hex(), contributions=contributions
    )
    assert seal_faults(fair, seed) == ()
    turned = bytes([secret[0] ^ 1, *secret[1:]])
    assert {fault.code for fault in seal_faults(replace(fair, secret=turned.hex()), seed)} == {
        "other_commitment",
        "other_seed",
    }


def test_a_deal_by_hand_gives_the_cards_of_a_round() -> None:
    """Shuffle the deck by the seed and the round, and deal the cards out one at a time."""
    started = fair_record().events[0]
    cards = shuffled(started.rulebook.deck, f"{started.seed}/1")
    hands, kitty = dealt_by(started.rulebook, started.seed, 1)
    assert kitty == ()
    assert [len(hand) for hand in hands] == [13] * 4
    dealt = [event for event in fair_record().events if isinstance(event, RoundDealt)][1]
    assert dealt.hands == hands
    assert len(set(cards)) == 52
    assert round_checks(fair_record().events)[1].faults == ()


# Records


def test_a_golden_fair_record_is_kept_and_written_to_the_letter() -> None:
    """A record of this release reads in every later one."""
    text = (Path(__file__).parent / "records" / "fair" / "hearts-klasik-4.txt").read_text(encoding="utf-8")
    record = read_record(text)
    assert isinstance(record, Record)
    assert check_record(record).verdict == KEPT
    assert write_record(record) == text


def test_a_record_with_fairness_lines_reads_back_and_one_without_is_as_it_was() -> None:
    """The lines come after the game; without them nothing of the text is different."""
    record = fair_record()
    text = write_record(record)
    lines = text.split("\n")
    assert [line.split()[:2] for line in lines[2:8]] == [
        ["fair", "commitment"],
        ["fair", "secret"],
        *[["fair", "contribution"]] * 4,
    ]
    assert lines[7] == "fair contribution 3 -"
    assert read_record(text) == record
    assert verified(record) is None
    plain = write_record(replace(record, fair=None))
    assert plain.split("\n") == [*lines[:2], *lines[8:]]
    assert read_record(plain) == replace(record, fair=None)


def test_a_record_of_a_sealed_match_has_its_commitment_alone() -> None:
    """It reads back to a deal without a secret."""
    sealed = replace(fair_record(), fair=FairDeal(commitment=fair_of(fair_record()).commitment))
    assert read_record(write_record(sealed)) == sealed


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("fair commitment ", "fair commitment 0", 3),
        ("fair commitment ", "fair seal ", 3),
        ("fair secret ", "fair secret A", 4),
        ("fair contribution 1 ", "fair contribution 2 ", 6),
        ("fair contribution 2 -", "fair contribution 2 --", 7),
        ("fair contribution 3 -", "fair contribution 3 -\nfair contribution 3 -", 9),
        ("fair contribution 3 -", "fair secret 00", 8),
        ('preset "klasik"', 'preset "klasik"\nfair contribution 4 -', 10),
    ],
)
def test_a_line_of_a_fair_deal_that_is_wrong_is_refused_with_its_number(
    old: str, new: str, line: int
) -> None:
    """Another length, other letters, out of order, twice, or in another place."""
    text = write_record(fair_record())
    assert old in text
    refusal = read_record(text.replace(old, new, 1))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.reason, refusal.params["line"]) == ("bad_record", "bad_line", line)


def test_a_patience_has_no_fair_deal() -> None:
    """The lines are those of Hearts alone."""
    text = f"Kupa record 1\ngame heart-to-heart\nfair commitment {'00' * 32}\ncode HH1-N-AAAAAAM\n"
    refusal = read_record(text)
    assert isinstance(refusal, Refusal)
    assert refusal.params["line"] == 3


# Sentences


def test_every_fault_has_a_sentence_in_both_languages() -> None:
    """With names of seats where there are some, and their numbers where there are none."""
    params = {"seat": 2, "round": 0, "n": 1, "event": 7}
    for language in LANGUAGES:
        for key in messages(language):
            if key.startswith("fair.fault."):
                fault = Fault(key.removeprefix("fair.fault."), params)
                told = fault_text(language, fault, ["Ayşe", "Bora", "Ceren", "Deniz"])
                assert told != fault_text(language, fault) or "Ceren" not in told
                assert "{" not in told
