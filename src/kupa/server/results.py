"""What people have played to its end, kept beside the logs: noted once, asked for by the one who played.

The matches of a room are noted when the room ends them. Those of one person alone are noted when that person
asks, so that nothing has to be done while they are played: whatever ended since is read from its log then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from weakref import WeakValueDictionary

import msgspec
from sqlalchemy import and_, case, delete, func, select
from sqlalchemy.dialects.sqlite import insert as insert_new

from kupa.game import Json
from kupa.hearts.presets import PRESETS
from kupa.rooms.state import Seat
from kupa.server.endings import Ending, endings
from kupa.server.errors import note
from kupa.server.schema import PEOPLE, RESULTS
from kupa.server.store import MatchRecord, Store, UnreadableMatchError
from kupa.server.table import PERSON

AT_ONCE: Final = 30
"""How many matches are read from their logs at most when somebody asks; the rest the next time."""
REMEMBERED: Final = 20_000
"""Of how many matches it is remembered that nothing has come of them yet."""
AGREED: Final = frozenset({"target"})
"""The fields that are agreed on at every table, and make no house rules."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a match for somebody."""

    match: str
    game: str
    preset: str | None
    """The name of a rulebook; None for rules that are nobody's, and for a patience."""
    changed: bool
    """Whether it was played by house rules."""
    players: int
    company: bool
    """Whether other people sat there."""
    won: bool
    place: int | None
    points: int
    rounds: int | None
    moons: int | None
    moves: int | None
    gave_up: bool
    """Whether a bot played the rest of it, with everything that came of it."""
    at: int
    """When it ended: milliseconds since 1970, UTC."""


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """All that somebody has played of one game by one rulebook."""

    game: str
    rules: str | None
    """The name of a rulebook, or None for all rules of the house; None for a patience, too."""
    matches: int
    won: int
    rounds: int
    """Those of the matches that were not given up; so are the next two."""
    written: int
    """The points that they wrote down."""
    moons: int
    best_points: int | None
    """Of a patience, as is the next."""
    fewest_moves: int | None
    """Of a patience that was won, None if none was."""


class Results:
    """What the people of a store have played.

    Args:
        store: the log, open whenever anything is asked here.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._without: dict[str, int] = {}
        """Matches of which nothing has come yet, each with when it was last played."""
        self._busy: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    # Noted

    async def note(self, match_id: str, seats: Sequence[Seat]) -> bool:
        """Note what came of a room's match for every person who sits at it; what is noted already stays.

        Args:
            match_id: the match; one that has not ended is passed over.
            seats: who sits where, and who has given up.

        Returns:
            Whether it has ended, and somebody sits there.

        Raises:
            StoreError: nothing is noted.
            UnreadableMatchError: its log cannot be replayed.
        """
        record = await self._store.match(match_id)
        found = () if record is None else await self._endings(record)
        if record is None or not found:
            return False
        company = sum(seat.person is not None for seat in seats) > 1
        rows = [
            _row(record, number, ending, seat.person, company=company, gave_up=seat.conceded)
            for number, (seat, ending) in enumerate(zip(seats, found, strict=True))
            if seat.person is not None
        ]
        async with self._store.database.writing() as connection:
            for row in rows:
                await connection.execute(insert_new(RESULTS).values(row).on_conflict_do_nothing())
        return bool(rows)

    async def note_missing(self, companies: Mapping[str, Sequence[Seat]]) -> None:
        """Note what came of those of a room's matches of which nothing is noted yet.

        Args:
            companies: who sat where at each match that has been ended.

        Raises:
            StoreError: the database cannot be used; what was noted so far stays.
        """
        query = select(RESULTS.c.match).where(RESULTS.c.match.in_(list(companies)))
        async with self._store.database.reading() as connection:
            noted = set((await connection.execute(query)).scalars())
        missing = [name for name in companies if name not in noted and name not in self._without]
        for match_id in missing[:AT_ONCE]:
            try:
                if not await self.note(match_id, companies[match_id]):
                    self._remember(match_id, 0)
            except UnreadableMatchError as error:
                note(error)
                self._remember(match_id, 0)

    async def bring_up_to_date(self, person: str) -> bool:
        """Note what has come of somebody's own matches since it was last asked for.

        Returns:
            Whether some that are over are left for the next time.

        Raises:
            StoreError: the database cannot be used; what was noted so far stays.
        """
        # One page of a person that is asked for many times at once must not have everything read as often.
        async with self._busy.setdefault(person, asyncio.Lock()):
            return await self._bring_up_to_date(person)

    async def _bring_up_to_date(self, person: str) -> bool:
        noted = await self._noted(person)
        left = [
            record
            for record in await self._store.matches_of(person, limit=None)
            if _is_played(record)
            and record.updated_at not in {noted.get(record.id), self._without.get(record.id)}
        ]
        left.sort(key=lambda record: (record.over, record.updated_at), reverse=True)
        for record in left[:AT_ONCE]:
            await self._look_at(record, person, was_noted=record.id in noted)
        return len(left) > AT_ONCE

    async def _look_at(self, record: MatchRecord, person: str, *, was_noted: bool) -> None:
        """Note what has come of a person's own match; a patience may go on after its end by an undo."""
        try:
            found = await self._endings(record)
        except UnreadableMatchError as error:
            note(error)
            found = ()
        if found:
            row = _row(record, PERSON, found[PERSON], person)
            change = insert_new(RESULTS).values(row)
            async with self._store.database.writing() as connection:
                await connection.execute(change.on_conflict_do_update(["match", "seat"], set_=row))
            return
        if was_noted:
            async with self._store.database.writing() as connection:
                await connection.execute(delete(RESULTS).where(RESULTS.c.match == record.id))
        self._remember(record.id, record.updated_at)

    def _remember(self, match_id: str, played_at: int) -> None:
        """Remember that nothing has come of a match up to a time."""
        self._without[match_id] = played_at
        if len(self._without) > REMEMBERED:
            del self._without[next(iter(self._without))]

    async def _endings(self, record: MatchRecord) -> tuple[Ending, ...]:
        log = await self._store.events(record.id)
        # A long match takes a moment, in which others shall be answered.
        return await asyncio.to_thread(endings, record.game, log)

    async def _noted(self, person: str) -> dict[str, int]:
        """Return the matches of which it is noted what came of them for a person, each with when it ended."""
        query = select(RESULTS.c.match, RESULTS.c.at).where(RESULTS.c.person == person)
        async with self._store.database.reading() as connection:
            return {row.match: row.at for row in await connection.execute(query)}

    # Asked for

    async def of(self, person: str, skipped: int, most: int) -> list[Result]:
        """Return what somebody has played, the newest first.

        Args:
            person: who asks; nobody else is told.
            skipped: how many of the newest are left out.
            most: how many are returned at most.
        """
        columns = [RESULTS.c[name] for name in Result.__struct_fields__]
        query = (
            select(*columns)
            .where(RESULTS.c.person == person)
            .order_by(RESULTS.c.at.desc(), RESULTS.c.match, RESULTS.c.seat)
            .offset(skipped)
            .limit(most)
        )
        async with self._store.database.reading() as connection:
            return [Result(**row._mapping) for row in await connection.execute(query)]

    async def tallies(self, person: str) -> list[Tally]:
        """Return all that somebody has played, by game and rulebook; the most played first."""
        columns = RESULTS.c
        played = case((columns.gave_up, 0), else_=1)
        # Rules of the house are one rulebook, from whichever they were changed.
        rules = case((and_(columns.preset.in_(list(PRESETS)), ~columns.changed), columns.preset))
        query = (
            select(
                columns.game,
                rules.label("rules"),
                func.count().label("matches"),
                func.sum(case((columns.won, 1), else_=0)).label("won"),
                func.coalesce(func.sum(columns.rounds * played), 0).label("rounds"),
                func.coalesce(func.sum(columns.written * played), 0).label("written"),
                func.coalesce(func.sum(columns.moons * played), 0).label("moons"),
                func.max(case((columns.moves.is_not(None), columns.points))).label("best_points"),
                func.min(case((columns.won, columns.moves))).label("fewest_moves"),
            )
            .where(columns.person == person)
            .group_by(columns.game, rules)
            .order_by(columns.game.desc(), func.count().desc(), rules)
        )
        async with self._store.database.reading() as connection:
            return [Tally(**row._mapping) for row in await connection.execute(query)]

    async def rooms_of(self, person: str) -> set[str]:
        """Return the rooms, as far as they are kept, where somebody has played a match with others to its end."""
        query = select(RESULTS.c.match).where(RESULTS.c.person == person, RESULTS.c.company)
        async with self._store.database.reading() as connection:
            played = list((await connection.execute(query)).scalars())
        records = [await self._store.match(match_id) for match_id in played]
        return {record.facts["room"] for record in records if record is not None and record.facts.get("room")}

    async def still_there(self, matches: Iterable[str]) -> frozenset[str]:
        """Return those of some matches whose logs are kept; tables where nobody comes any more are not."""
        there = set()
        for match_id in matches:
            try:
                if await self._store.match(match_id) is not None:
                    there.add(match_id)
            except UnreadableMatchError as error:
                note(error)
        return frozenset(there)


def _is_played(record: MatchRecord) -> bool:
    """Tell whether something may have come of a match here.

    One that was taken in as a record has been played elsewhere; a patience ends without being over when no
    move is left.
    """
    is_played_here = not record.facts.get("taken_in") and record.updated_at != record.created_at
    return is_played_here and (record.over or record.game == "heart-to-heart")


def _row(
    record: MatchRecord,
    seat: int,
    ending: Ending,
    person: str,
    *,
    company: bool = False,
    gave_up: bool = False,
) -> Json:
    """Return the row of one seat; nobody's, if the person has been taken out of the house meanwhile."""
    facts: dict[str, Any] = record.facts
    row: Json = msgspec.structs.asdict(ending)
    return row | {
        "match": record.id,
        "seat": seat,
        "person": select(PEOPLE.c.id).where(PEOPLE.c.id == person).scalar_subquery(),
        "game": record.game,
        "preset": facts.get("preset"),
        "changed": bool(set(facts.get("changed") or ()) - AGREED),
        "players": facts.get("players", 1),
        "company": company,
        # What a bot has won is nobody's win.
        "won": ending.won and not gave_up,
        "gave_up": gave_up,
        "at": record.updated_at,
    }
