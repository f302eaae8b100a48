"""Who somebody is: guests, accounts, sessions, names, and whom they keep away."""

from __future__ import annotations

import asyncio
import time as clock
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from kupa.server.circles import MOST_BLOCKS
from kupa.server.people import Ended, Gone, Moved, People, Renamed
from kupa.server.personal_data import export
from kupa.server.schema import BLOCKS, MESSAGES, PEOPLE
from kupa.server.store import StoreError
from kupa.server.tokens import hash_of
from tests.server.identity import (
    DAY,
    PASSPHRASE,
    Opened,
    Time,
    account,
    code,
    guest_named,
    heard,
    keep_match,
    people_over,
    some_people,
)
from tests.server.playing import in_a_loop

# Sessions


@in_a_loop
async def test_a_guest_is_known_by_the_token_and_by_nothing_else(opened: Opened) -> None:
    """The token's hash finds the person; another's, and the token unsigned, find nobody."""
    async with opened() as people:
        person, token = await people.new_guest()
        other, _ = await people.new_guest()
        assert len(person) == 22
        assert person != other
        for _ in range(2):  # read, then remembered
            assert await people.person_of(hash_of(token)) == person
            assert await people.person_of(hash_of(token), is_signed=False) is None
            assert await people.person_of(hash_of("x" * 22)) is None


@in_a_loop
async def test_what_the_database_holds_lets_nobody_in(tmp_path: Path) -> None:
    """Neither a token nor a passphrase is in the file, also not after a sign-in."""
    path = tmp_path / "k.sqlite3"
    async with some_people(path) as people:
        person, token = await people.new_guest()
        await people.sign_up(person, "ada", PASSPHRASE)
        second = await people.new_session(person)
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert hash_of(token).encode() in content
    assert b"$argon2id$" in content
    for secret in (token, second, PASSPHRASE):
        assert secret.encode() not in content


@in_a_loop
async def test_an_ended_session_is_nobodys_at_once(opened: Opened) -> None:
    """One is ended by its key and only by its person; all are ended together; who listens is told."""
    async with opened() as people:
        changes = heard(people)
        person, first = await people.new_guest()
        second = await people.new_session(person)
        other, theirs = await people.new_guest()
        assert await people.person_of(hash_of(first)) == person
        keys = {session.token_hash: session.key for session in await people.sessions(person)}
        assert len(keys) == 2
        assert not await people.end_session(other, keys[hash_of(first)])
        assert await people.person_of(hash_of(first)) == person
        assert await people.end_session(person, keys[hash_of(first)])
        assert await people.person_of(hash_of(first)) is None
        assert await people.person_of(hash_of(second)) == person
        assert not await people.end_session(person, "")
        assert not await people.end_session(person, "%")
        await people.end_all_sessions(person)
        assert await people.person_of(hash_of(second)) is None
        assert await people.person_of(hash_of(theirs)) == other
        assert changes == [
            Ended(person, frozenset({hash_of(first)})),
            Ended(person, frozenset({hash_of(second)})),
        ]


@in_a_loop
async def test_a_session_ended_by_another_process_counts_for_a_minute_at_most(tmp_path: Path) -> None:
    """What is remembered is looked up again after a while."""
    time = Time()
    async with some_people(tmp_path / "k.sqlite3", time) as people:
        person, token = await people.new_guest()
        assert await people.person_of(hash_of(token)) == person
        elsewhere = await people_over(people.store, time)
        await elsewhere.end_all_sessions(person)
        time.seconds += 61
        assert await people.person_of(hash_of(token)) is None


@in_a_loop
async def test_a_session_that_ends_while_it_is_read_is_not_remembered(opened: Opened) -> None:
    """Of one who asks and one who signs out at the same moment, the second wins from then on."""
    async with opened() as people:
        for _ in range(20):
            person, token = await people.new_guest()
            await asyncio.gather(people.person_of(hash_of(token)), people.end_all_sessions(person))
            assert await people.person_of(hash_of(token)) is None


@in_a_loop
async def test_a_visit_is_noted_by_the_day(opened: Opened) -> None:
    """The first visit of another day is noted; what goes on within a day is nobody's business."""
    time = Time()
    async with opened(time) as people:
        person, token = await people.new_guest()
        first = time.now()
        for seconds, seen in ((DAY / 2, first), (DAY, first + 1500 * DAY)):
            time.seconds += seconds
            assert await people.person_of(hash_of(token)) == person
            assert (await people.sessions(person))[0].seen_at == seen


@in_a_loop
async def test_the_key_outlasts_the_process(tmp_path: Path) -> None:
    """What one process has signed the next one knows; another database does not."""
    path, time = tmp_path / "k.sqlite3", Time()
    async with some_people(path, time) as people:
        person, token = await people.new_guest()
        signed = people.tokens.signed(token)
    async with some_people(path, time) as people, some_people(None, time) as others:
        read = people.tokens.read(signed)
        assert read is not None
        assert await people.person_shown(read) == person
        assert others.tokens.read(signed) is None


@in_a_loop
async def test_a_database_that_is_gone_makes_no_guest(tmp_path: Path) -> None:
    """Nothing is written where nobody would find it again."""
    path = tmp_path / "k.sqlite3"
    async with some_people(path) as people:
        path.unlink()
        with pytest.raises(StoreError) as caught:
            await people.new_guest()
        assert caught.value.code == "database_gone"


# Names


@in_a_loop
async def test_people_are_called_what_they_say_and_two_may_have_one_name(opened: Opened) -> None:
    """A name is kept tidy, changed at once for all, and refused with a reason."""
    async with opened() as people:
        changes = heard(people)
        ada, other = await guest_named(people, "Ada"), await guest_named(people, "Ada")
        nameless, _ = await people.new_guest()
        assert await people.names([ada, other, nameless, "nobody", ada]) == {ada: "Ada", other: "Ada"}
        assert await people.rename(ada, "  Ada   Öz ") == "Ada Öz"
        assert await people.names([ada, nameless]) == {ada: "Ada Öz"}
        assert code(await people.rename(ada, "\u202e")) == "bad_name.characters"
        assert await people.name(ada) == "Ada Öz"
        assert await people.name(nameless) is None
        assert await people.names([]) == {}
        assert changes == [Renamed(ada), Renamed(other), Renamed(ada)]


@in_a_loop
async def test_names_cannot_be_changed_for_ever(opened: Opened) -> None:
    """Thirty an hour are enough for anybody."""
    time = Time()
    async with opened(time) as people:
        person, _ = await people.new_guest()
        for number in range(30):
            assert await people.rename(person, f"n{number}") == f"n{number}"
        assert code(await people.rename(person, "x")) == "too_fast.names"
        time.seconds += 3601
        assert await people.rename(person, "x") == "x"


# Accounts


@in_a_loop
async def test_an_account_is_found_by_login_and_passphrase_on_any_keyboard(opened: Opened) -> None:
    """Letters of either language let in; a wrong passphrase and a wrong login tell the same."""
    async with opened() as people:
        person = await account(people, "Işıl.İris")
        assert await people.sign_in("ISIL.IRIS".replace("S", "ş", 1), PASSPHRASE) == person
        assert await people.sign_in("  işil.iris ", PASSPHRASE) == person
        wrong = await people.sign_in("işil.iris", PASSPHRASE + "x")
        assert wrong == await people.sign_in("nobody", PASSPHRASE) == await people.sign_in("", "")
        assert code(wrong) == "wrong_login"
        known = await people.person(person)
        assert known is not None
        assert known.login == "işil.iris"


@in_a_loop
async def test_a_login_is_had_by_one(opened: Opened) -> None:
    """Of two who ask at once one gets it; who has one gets no second; what cannot be is refused."""
    async with opened() as people:
        persons = [(await people.new_guest())[0] for _ in range(4)]
        answers = await asyncio.gather(*(people.sign_up(one, "İris", PASSPHRASE) for one in persons))
        assert sorted(code(answer) if answer else "" for answer in answers) == ["", *["login_taken"] * 3]
        winner = persons[answers.index(None)]
        assert code(await people.sign_up(winner, "other", PASSPHRASE)) == "has_login"
        assert await people.sign_in("IRIS", PASSPHRASE) == winner
        loser = next(one for one in persons if one != winner)
        assert code(await people.sign_up(loser, "ab", PASSPHRASE)) == "bad_login.length"
        assert code(await people.sign_up(loser, "abc", "short")) == "bad_passphrase.short"
        assert code(await people.sign_up("nobody", "abc", PASSPHRASE)) == "has_login"


@in_a_loop
async def test_passphrases_cannot_be_tried_for_ever(opened: Opened) -> None:
    """Eight tries a login, forty an address; a success counts nothing against the login; time heals."""
    time = Time()
    async with opened(time) as people:
        person = await account(people, "ada")
        for _ in range(7):
            assert code(await people.sign_in("ada", "wrong wrong", "1.1.1.1")) == "wrong_login"
        assert await people.sign_in("ada", PASSPHRASE, "1.1.1.1") == person
        for _ in range(8):
            assert code(await people.sign_in("ADA", "wrong wrong", "2.2.2.2")) == "wrong_login"
        # Even the right one is not let in, or it would be told by that.
        assert code(await people.sign_in("ada", PASSPHRASE, "3.3.3.3")) == "too_fast.sign_in"
        for number in range(24):
            assert code(await people.sign_in(f"x{number:03}", "wrong wrong", "1.1.1.1")) == "wrong_login"
        for number in range(8):
            assert code(await people.sign_in(f"y{number:03}", "wrong wrong", "1.1.1.1")) == "wrong_login"
        assert code(await people.sign_in("zzz", "wrong wrong", "1.1.1.1")) == "too_fast.sign_in"
        assert code(await people.sign_in("zzz", "wrong wrong", "4.4.4.4")) == "wrong_login"
        time.seconds += 15 * 60 + 1
        assert await people.sign_in("ada", PASSPHRASE, "1.1.1.1") == person


@in_a_loop
async def test_a_flood_of_passphrases_is_sent_away_and_ends(opened: Opened) -> None:
    """Of very many who sign in at once some are asked to come again; nobody waits behind all of them."""
    async with opened() as people:
        compare = people._passphrases._verify

        def slowly(known: str, passphrase: str) -> bool:
            clock.sleep(0.02)
            return compare(known, passphrase)

        people._passphrases._verify = slowly  # type: ignore[method-assign]
        answers = await asyncio.gather(
            *(people.sign_in(f"somebody-{number}", PASSPHRASE, f"from-{number}") for number in range(100))
        )
        codes = [code(answer) for answer in answers]
        assert set(codes) == {"wrong_login", "too_fast"}
        assert codes.count("too_fast") > 10
        assert code(await people.sign_in("somebody", PASSPHRASE, "later")) == "wrong_login"


@in_a_loop
async def test_accounts_cannot_be_made_for_ever(opened: Opened) -> None:
    """Twenty an hour from one address."""
    async with opened() as people:
        for number in range(20):
            person, _ = await people.new_guest()
            assert await people.sign_up(person, f"user{number}", PASSPHRASE, "1.1.1.1") is None
        person, _ = await people.new_guest()
        assert code(await people.sign_up(person, "one.more", PASSPHRASE, "1.1.1.1")) == "too_fast.sign_up"
        assert await people.sign_up(person, "one.more", PASSPHRASE, "2.2.2.2") is None


@in_a_loop
async def test_a_passphrase_can_be_changed_by_who_knows_it(opened: Opened) -> None:
    """The old one does not count any more, and every other browser is signed out."""
    other = "başka sözcükler de olur"
    async with opened() as people:
        person = await account(people, "ada")
        here, there = [await people.new_session(person) for _ in range(2)]
        kept = hash_of(here)
        for old in ("wrong wrong wrong", "", other):
            assert code(await people.change_passphrase(person, old, other, kept)) == "wrong_passphrase"
        assert code(await people.change_passphrase(person, PASSPHRASE, "x", kept)) == "bad_passphrase.short"
        assert await people.person_of(hash_of(there)) == person
        assert await people.change_passphrase(person, PASSPHRASE, other, kept) is None
        assert await people.sign_in("ada", other) == person
        assert code(await people.sign_in("ada", PASSPHRASE)) == "wrong_login"
        assert await people.person_of(kept) == person
        assert await people.person_of(hash_of(there)) is None
        guest, _ = await people.new_guest()
        assert code(await people.change_passphrase(guest, "", other, "")) == "wrong_passphrase"
        for _ in range(7):
            await people.change_passphrase(person, "wrong wrong wrong", other, kept)
        assert code(await people.change_passphrase(person, other, other, kept)) == "too_fast.sign_in"


@in_a_loop
async def test_a_hash_of_older_parameters_is_made_anew_at_the_next_sign_in(opened: Opened) -> None:
    """Parameters can be raised later without anybody noticing."""

    async def kept(people: People) -> str:
        async with people.store.database.reading() as connection:
            return str((await connection.execute(select(PEOPLE.c.passphrase))).scalar_one())

    time = Time()
    async with opened(time) as people:
        person = await account(people, "ada")
        before = await kept(people)
        later = await people_over(people.store, time, time_cost=2)
        assert await later.sign_in("ada", PASSPHRASE) == person
        after = await kept(people)
        assert "t=1," in before
        assert "t=2," in after
        assert await later.sign_in("ada", PASSPHRASE) == person
        assert await kept(people) == after


@in_a_loop
async def test_what_a_guest_had_is_the_accounts_after_signing_in(opened: Opened) -> None:
    """Matches, messages, mutes, blocks, and a name if the account has none; the guest is gone."""
    async with opened() as people:
        changes = heard(people)
        owner, friend, foe = (
            await account(people, "ada"),
            await guest_named(people, "F"),
            await account(people, "foe"),
        )
        guest, token = await people.new_guest()
        await people.rename(guest, "Ada")
        await keep_match(people, "m", guest, over=False)
        await people.mute(guest, friend)
        await people.block(foe, guest)
        async with people.store.database.writing() as connection:
            said = {"room": "r", "person": guest, "kind": "say", "text": "hi", "at": 1}
            await connection.execute(insert(MESSAGES).values(said))
        await people.hand_over(guest, owner)
        assert await people.names([owner, guest]) == {owner: "Ada"}
        assert [match.id for match in await people.store.matches_of(owner)] == ["m"]
        assert await people.muted_by(owner) == {friend}
        assert await people.kept_from(owner) == {foe}
        assert await people.kept_from(foe) == {owner}
        assert await people.person(guest) is None
        assert await people.person_of(hash_of(token)) is None
        told = await export(people, owner)
        assert told is not None
        assert [message["text"] for message in told["messages"]] == ["hi"]
        assert changes[-3:] == [
            Moved(guest, owner),
            Ended(guest, frozenset({hash_of(token)})),
            Gone(guest, ()),
        ]
        # Somebody with a login is no guest: two accounts are never made one.
        await people.hand_over(foe, owner)
        assert await people.person(foe) is not None


# Whom somebody keeps away


async def away(people: People, person: str) -> tuple[set[str], set[str]]:
    """Return whom a person does not read, and whom they do not meet."""
    return set(await people.muted_by(person)), set(await people.kept_from(person))


@in_a_loop
async def test_a_mute_is_ones_own_and_a_block_is_mutual(opened: Opened) -> None:
    """Muted and blocked people are not read; blocked ones are not met, whoever has blocked whom."""
    async with opened() as people:
        a, b, c = [(await people.new_guest())[0] for _ in range(3)]
        assert await people.mute(a, b) is None
        assert await people.block(a, c) is None
        assert await people.block(a, c) is None
        assert await away(people, a) == ({b, c}, {c})
        assert await away(people, c) == (set(), {a})
        assert await away(people, b) == (set(), set())
        await people.mute(a, c)
        await people.unblock(a, c)
        assert await away(people, a) == ({b, c}, set())
        assert await away(people, c) == (set(), set())
        await people.unmute(a, b)
        assert await people.muted_by(a) == {c}
        for other in (a, "nobody"):
            assert code(await people.block(a, other)) == "bad_person"


@in_a_loop
async def test_nobody_can_block_everybody(opened: Opened) -> None:
    """The list has an end."""
    async with opened() as people:
        a, b = [(await people.new_guest())[0] for _ in range(2)]
        async with people.store.database.writing() as connection:
            rows = [{"person": a, "other": f"{n:022}", "kind": "mute"} for n in range(MOST_BLOCKS)]
            await connection.execute(insert(BLOCKS), rows)
        assert code(await people.mute(a, b)) == "too_many_blocks"
