"""People: who somebody is in every browser they use, what they are called, and whom they keep away.

A person is an opaque id. Guests are people, too: they have a session and nothing else. With a login and a
passphrase a guest becomes an account, which can be reached from other browsers. Names are kept here alone,
never in a log, so that they can be taken out of the house.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, NamedTuple, Self

import msgspec
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_new
from sqlalchemy.ext.asyncio import AsyncConnection

from kupa.refusal import Refusal
from kupa.server.attempts import Attempts
from kupa.server.circles import Circles
from kupa.server.errors import note
from kupa.server.migrations import new_person_id
from kupa.server.names import folded_login, tidy_name, tidy_passphrase
from kupa.server.passphrases import CrowdedError, Passphrases
from kupa.server.remembered import FRESH_FOR, Remembered
from kupa.server.schema import KEYS, MEMBERS, MESSAGES, PEOPLE, REPORTS, RESULTS, SEAT_LINKS, SESSIONS
from kupa.server.store import Store, milliseconds_now
from kupa.server.tokens import KEY_BYTES, ReadToken, Tokens, hash_of, new_token

DAY: Final = 24 * 3600 * 1000
"""Milliseconds; a person's visits are noted no finer than this."""
REMEMBERED: Final = 20_000
"""How many sessions, and how many names, are remembered."""
KEY_LETTERS: Final = 16
"""How many characters of a session's hash name it to its person."""


class Session(msgspec.Struct, frozen=True):
    """A browser in which a person is known."""

    key: str
    """What names it among the person's sessions."""
    created_at: int
    """Milliseconds since 1970, UTC."""
    seen_at: int
    """The same, no finer than a day."""
    token_hash: str


class Person(msgspec.Struct, frozen=True):
    """What is kept of a person."""

    id: str
    name: str | None
    login: str | None
    """None for a guest."""
    created_at: int
    """Milliseconds since 1970, UTC."""


class Ended(NamedTuple):
    """Sessions have ended: whoever is connected with them is signed out."""

    person: str
    token_hashes: frozenset[str]


class Gone(NamedTuple):
    """A person has been taken out of the house."""

    person: str
    matches: tuple[str, ...]
    """The matches that went with them: unfinished ones of their own."""


class Moved(NamedTuple):
    """A guest has signed in: what was theirs is the account's now. ``Gone`` follows for the guest."""

    person: str
    to: str


class Renamed(NamedTuple):
    """A person is called something else."""

    person: str


Change = Ended | Gone | Moved | Renamed
Watcher = Callable[[Change], Awaitable[None]]


class People(Circles):
    """The people of one store. Made by :meth:`opened`.

    Args:
        store: the store, open.
        key: what tokens are signed with.
        now: the time, in milliseconds since 1970, UTC.
        clock: seconds that never run backwards.
        passphrases: what hashes them.
    """

    def __init__(
        self,
        store: Store,
        key: bytes,
        now: Callable[[], int] = milliseconds_now,
        clock: Callable[[], float] = time.monotonic,
        passphrases: Passphrases | None = None,
    ) -> None:
        super().__init__(store, clock)
        self.now = now
        self.tokens = Tokens(key, now)
        self._passphrases = passphrases or Passphrases()
        self._sessions: Remembered[tuple[str, bool]] = Remembered(REMEMBERED, FRESH_FOR, clock)
        self._names: Remembered[str | None] = Remembered(REMEMBERED, FRESH_FOR, clock)
        self._tries_of_login = Attempts(8, 15 * 60, clock)
        self._tries_from = Attempts(40, 15 * 60, clock)
        self._sign_ups_from = Attempts(20, 3600, clock)
        self._renames = Attempts(30, 3600, clock)
        self._watchers: list[Watcher] = []

    @classmethod
    async def opened(cls, store: Store, **more: Any) -> Self:
        """Return the people of an open store; the key that tokens are signed with is drawn if there is none.

        Raises:
            StoreError: the database cannot be used.
        """
        drawn = secrets.token_hex(KEY_BYTES)
        async with store.database.writing() as connection:
            await connection.execute(
                insert_new(KEYS).values(name="session", value=drawn).on_conflict_do_nothing()
            )
            kept = await connection.execute(select(KEYS.c.value).where(KEYS.c.name == "session"))
            key = bytes.fromhex(kept.scalar_one())
        return cls(store, key, **more)

    # Who is who

    async def person_of(self, token_hash: str, *, is_signed: bool = True) -> str | None:
        """Return the person of a session, or None if there is no such session.

        Args:
            token_hash: as :class:`kupa.server.tokens.ReadToken` has it.
            is_signed: whether the token was shown with a signature; only old sessions count without.
        """
        known = self._sessions.get(token_hash)
        if known is None:
            epoch = self._sessions.epoch
            known = await self._read_session(token_hash)
            if known is None:
                return None
            self._sessions.keep(token_hash, known, epoch)
        person, counts_unsigned = known
        return person if is_signed or counts_unsigned else None

    async def person_shown(self, token: ReadToken) -> str | None:
        """Return the person of a token that was shown, or None."""
        return await self.person_of(token.hash, is_signed=token.age is not None)

    async def _read_session(self, token_hash: str) -> tuple[str, bool] | None:
        async with self.store.database.reading() as connection:
            found = await connection.execute(select(SESSIONS).where(SESSIONS.c.token_hash == token_hash))
            row = found.one_or_none()
        if row is None:
            return None
        if self.now() - row.seen_at >= DAY:
            await self._note_visit(token_hash, row.person)
        return row.person, row.unsigned

    async def _note_visit(self, token_hash: str, person: str) -> None:
        now = self.now()
        async with self.store.database.writing() as connection:
            await connection.execute(
                update(SESSIONS).where(SESSIONS.c.token_hash == token_hash).values(seen_at=now)
            )
            await connection.execute(update(PEOPLE).where(PEOPLE.c.id == person).values(seen_at=now))

    async def new_guest(self) -> tuple[str, str]:
        """Make a person who has nothing but a session; returns the person and the session's token."""
        person, now = new_person_id(), self.now()
        async with self.store.database.writing() as connection:
            await connection.execute(insert(PEOPLE).values(id=person, created_at=now, seen_at=now))
            token = await self._new_session(connection, person)
        return person, token

    async def new_session(self, person: str) -> str:
        """Let a person be known in one browser more; returns the token for it."""
        async with self.store.database.writing() as connection:
            return await self._new_session(connection, person)

    async def _new_session(self, connection: AsyncConnection, person: str) -> str:
        token, now = new_token(), self.now()
        await connection.execute(
            insert(SESSIONS).values(
                token_hash=hash_of(token), person=person, created_at=now, seen_at=now, unsigned=False
            )
        )
        return token

    async def person(self, person: str) -> Person | None:
        """Return what is kept of a person, or None if there is nobody of this id."""
        async with self.store.database.reading() as connection:
            found = await connection.execute(
                select(PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.login, PEOPLE.c.created_at).where(
                    PEOPLE.c.id == person
                )
            )
            row = found.one_or_none()
        return None if row is None else Person(**row._mapping)

    # Names

    async def rename(self, person: str, typed: str) -> str | Refusal:
        """Let a person be called something; returns the name as it is kept.

        Refuses: ``bad_name`` (``empty``, ``long``, ``characters``), ``too_fast``.
        """
        name = tidy_name(typed)
        if isinstance(name, Refusal):
            return name
        if not self._renames.allow(person):
            return Refusal("too_fast", "names")
        async with self.store.database.writing() as connection:
            await connection.execute(update(PEOPLE).where(PEOPLE.c.id == person).values(name=name))
        self._names.forget(person)
        await self._tell(Renamed(person))
        return name

    async def name(self, person: str) -> str | None:
        """Return what a person is called; None for one without a name."""
        return (await self.names([person])).get(person)

    async def names(self, persons: Iterable[str]) -> dict[str, str]:
        """Return what people are called, by their ids, in the order given; who has no name is not in it."""
        wanted = dict.fromkeys(persons)
        found: dict[str, str | None] = {}
        for person in wanted:
            if person in self._names:
                found[person] = self._names.get(person)
        missing = [person for person in wanted if person not in found]
        if missing:
            epoch = self._names.epoch
            read = dict.fromkeys(missing) | await self._read_names(missing)
            for person, name in read.items():
                self._names.keep(person, name, epoch)
            found |= read
        return {person: name for person in wanted if (name := found[person]) is not None}

    async def _read_names(self, persons: list[str]) -> dict[str, str | None]:
        async with self.store.database.reading() as connection:
            rows = await connection.execute(
                select(PEOPLE.c.id, PEOPLE.c.name).where(PEOPLE.c.id.in_(persons))
            )
            return {row.id: row.name for row in rows}

    # Accounts

    async def sign_up(self, person: str, login: str, passphrase: str, address: str = "") -> Refusal | None:
        """Give a guest a login and a passphrase.

        Args:
            person: the guest.
            login: what was typed; see :func:`kupa.server.names.folded_login`.
            passphrase: what was typed.
            address: where the request comes from.

        Returns:
            None, or why not: ``bad_login``, ``bad_passphrase``, ``login_taken``, ``has_login``, ``too_fast``.
        """
        folded = folded_login(login)
        if isinstance(folded, Refusal):
            return folded
        tidy = tidy_passphrase(passphrase, folded)
        if isinstance(tidy, Refusal):
            return tidy
        if not self._sign_ups_from.allow(address):
            return Refusal("too_fast", "sign_up")
        try:
            hashed = await self._passphrases.hashed(tidy)
        except CrowdedError:
            return Refusal("too_fast")
        change = update(PEOPLE).where(PEOPLE.c.id == person, PEOPLE.c.login.is_(None))
        async with self.store.database.writing() as connection:
            taken = await connection.execute(select(PEOPLE.c.id).where(PEOPLE.c.login == folded))
            if taken.first() is not None:
                return Refusal("login_taken")
            made = await connection.execute(change.values(login=folded, passphrase=hashed))
        return None if made.rowcount else Refusal("has_login")

    async def sign_in(self, login: str, passphrase: str, address: str = "") -> str | Refusal:
        """Return the person of a login and a passphrase.

        Returns:
            The person, or ``wrong_login`` (never telling which of the two is wrong) or ``too_fast``: 8
            attempts a login and 40 an address in a quarter of an hour.
        """
        folded = folded_login(login)
        key = folded if isinstance(folded, str) else ""
        if not (self._tries_from.allow(address) and self._tries_of_login.allow(key)):
            return Refusal("too_fast", "sign_in")
        async with self.store.database.reading() as connection:
            found = await connection.execute(
                select(PEOPLE.c.id, PEOPLE.c.passphrase).where(PEOPLE.c.login == key)
            )
            row = found.one_or_none()
        tidy = tidy_passphrase(passphrase, key)
        typed = tidy if isinstance(tidy, str) else ""
        try:
            fits = await self._passphrases.fits(typed, None if row is None else row.passphrase)
        except CrowdedError:
            return Refusal("too_fast")
        if not fits or row is None:
            return Refusal("wrong_login")
        self._tries_of_login.forget(key)
        if self._passphrases.is_outdated(row.passphrase):
            await self._keep_passphrase(row.id, typed)
        return str(row.id)

    async def change_passphrase(
        self, person: str, old: str, new: str, kept: str, address: str = ""
    ) -> Refusal | None:
        """Let an account have another passphrase; all its sessions but one end.

        Args:
            person: whose.
            old: the passphrase so far, as typed.
            new: the next one.
            kept: the hash of the token of the session that stays.
            address: where the request comes from.

        Returns:
            None, or why not: ``bad_passphrase``, ``wrong_passphrase``, ``too_fast``.
        """
        known = await self.person(person)
        if known is None or known.login is None:
            return Refusal("wrong_passphrase")
        tidy = tidy_passphrase(new, known.login)
        if isinstance(tidy, Refusal):
            return tidy
        found = await self.sign_in(known.login, old, address)
        if isinstance(found, Refusal):
            return found if found.code == "too_fast" else Refusal("wrong_passphrase")
        await self._keep_passphrase(person, tidy)
        await self._end(person, SESSIONS.c.token_hash != kept)
        return None

    async def _keep_passphrase(self, person: str, passphrase: str) -> None:
        hashed = await self._passphrases.hashed_for_known(passphrase)
        async with self.store.database.writing() as connection:
            await connection.execute(update(PEOPLE).where(PEOPLE.c.id == person).values(passphrase=hashed))

    async def hand_over(self, guest: str, account: str) -> None:
        """Let an account have what a guest had: matches, results, messages, mutes, blocks, a name if need be.

        Whoever keeps more of people (seats in rooms) is told ``Moved``. The guest is gone then; one that has
        a login is no guest and is left as it is.
        """
        was = await self.person(guest)
        if was is None or was.login is not None or guest == account:
            return
        async with self.store.database.writing() as connection:
            nameless = (PEOPLE.c.id == account) & PEOPLE.c.name.is_(None)
            await connection.execute(update(PEOPLE).where(nameless).values(name=was.name))
            await self._move_circle(connection, guest, account)
            for column in (MESSAGES.c.person, REPORTS.c.reporter):
                change = update(column.table).where(column == guest).values({column.name: account})
                await connection.execute(change)
        self._names.forget(account)
        await self.store.hand_over(guest, account)
        await self._tell(Moved(guest, account))
        # Last: a room may have ended a match for the guest up to here.
        async with self.store.database.writing() as connection:
            change = update(RESULTS).where(RESULTS.c.person == guest)
            await connection.execute(change.values(person=account))
        await self.delete(guest)

    # Sessions

    async def sessions(self, person: str) -> list[Session]:
        """Return a person's sessions, the one seen last first."""
        async with self.store.database.reading() as connection:
            rows = await connection.execute(
                select(SESSIONS)
                .where(SESSIONS.c.person == person)
                .order_by(SESSIONS.c.seen_at.desc(), SESSIONS.c.created_at.desc(), SESSIONS.c.token_hash)
            )
            return [
                Session(row.token_hash[:KEY_LETTERS], row.created_at, row.seen_at, row.token_hash)
                for row in rows
            ]

    async def end_session(self, person: str, key: str) -> bool:
        """End one of a person's sessions; tells whether there was one of this key."""
        return await self._end(
            person, (func.substr(SESSIONS.c.token_hash, 1, KEY_LETTERS) == key[:KEY_LETTERS])
        )

    async def end_all_sessions(self, person: str) -> None:
        """End all of a person's sessions."""
        await self._end(person)

    async def _end(self, person: str, *conditions: Any) -> bool:
        async with self.store.database.writing() as connection:
            chosen = [SESSIONS.c.person == person, *conditions]
            rows = await connection.execute(select(SESSIONS.c.token_hash).where(*chosen))
            ended = frozenset(row.token_hash for row in rows)
            await connection.execute(delete(SESSIONS).where(*chosen))
        for token_hash in ended:
            self._sessions.forget(token_hash)
        if ended:
            await self._tell(Ended(person, ended))
        return bool(ended)

    # Leaving

    async def delete(self, person: str) -> None:
        """Take a person out of the house.

        Sessions, name, login, mutes and blocks either way, messages, memberships and links are gone; of the
        matches that are theirs alone the unfinished ones are, too; the others, and what came of all that they
        have played, are nobody's. Logs of rooms keep the id, which leads nowhere any more.
        """
        await self.end_all_sessions(person)
        dropped = await self._leave_matches(person)
        async with self.store.database.writing() as connection:
            await self._leave_circles(connection, person)
            for table in (MESSAGES, SEAT_LINKS, SESSIONS):
                await connection.execute(delete(table).where(table.c.person == person))
            for column in (REPORTS.c.reporter, RESULTS.c.person):
                change = update(column.table).where(column == person).values({column.name: None})
                await connection.execute(change)
            await connection.execute(delete(PEOPLE).where(PEOPLE.c.id == person))
        self._names.forget(person)
        # Rooms find by these rows that somebody has left them.
        await self._tell(Gone(person, dropped))
        async with self.store.database.writing() as connection:
            await connection.execute(delete(MEMBERS).where(MEMBERS.c.person == person))

    async def _leave_matches(self, person: str) -> tuple[str, ...]:
        """Drop a person's unfinished matches and let the others be nobody's; returns those dropped."""
        own = await self.store.matches_of(person, limit=None)
        dropped = tuple(match.id for match in own if not match.over and not match.facts.get("room"))
        await self.store.drop(dropped)
        await self.store.hand_over(person, None)
        return dropped

    def forget_attempts(self) -> None:
        """Forget logins and addresses that have not tried to sign in for a while."""
        for attempts in (self._tries_of_login, self._tries_from, self._sign_ups_from, self._renames):
            attempts.prune()

    # Telling others

    def watch(self, watcher: Watcher) -> None:
        """Have a coroutine function called with every :data:`Change`, after it is stored."""
        self._watchers.append(watcher)

    async def _tell(self, change: Change) -> None:
        for watcher in list(self._watchers):
            try:
                await watcher(change)
            except Exception as error:  # what one makes of it must not stop the others
                note(error)
