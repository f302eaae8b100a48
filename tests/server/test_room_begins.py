"""A room's match begins: nobody is led to it before it is there."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.server.in_company import InCompany


def test_nobody_is_told_of_a_match_that_is_still_being_made() -> None:
    """However long the store takes: whoever learns that the match has begun finds it at its address."""
    with InCompany("AB") as company:
        host, other = company.gather()
        tables = company.client.app.state.tables
        begin = tables.begin

        async def take_long(*made: Any) -> None:
            # Others come and go meanwhile, and everybody is told of that.
            for room in company.rooms._rooms.values():
                room.tell_all()
            await asyncio.sleep(0.3)
            await begin(*made)

        tables.begin = take_long
        host.socket.send_json({"type": "room", "id": "go", "command": {"type": "start"}})
        while other.told["view"]["phase"] != "playing":
            other.receive()
        company.match = other.told["view"]["match"]
        answer = company.client.get(f"/m/{company.match}", headers=other.person.headers)
        assert answer.status_code == 200
        assert other.person.at_table().until("view")["view"]["phase"] == "pass"
