"""The people that screens show: somebody with a name, and somebody with an account."""

from __future__ import annotations

from functools import cache
from typing import Final

from tests.screens.still_server import StillServer

NAME: Final = "Şule Işık"
LOGIN: Final = {"login": "sule.isik", "passphrase": "dört sözcük yeter herhalde"}
SESSIONS: Final = 3
"""In how many browsers the account is known."""


def guest(server: StillServer) -> tuple[str, str]:
    """Make a guest who has a name; returns the signed token and the person."""
    client = server.client
    token = client.post("/account/name", data={"name": NAME}).cookies["kupa_guest"]
    person = client.get("/account/data").json()["person"]
    # The next who asks is somebody else.
    client.cookies.clear()
    return token, person


@cache
def account(server: StillServer) -> tuple[str, str]:
    """Make the one account of a server, known in several browsers; returns a signed token and the person."""
    token, person = guest(server)
    client = server.client
    assert client.post("/account/sign-up", data=LOGIN, headers=cookie(token)).status_code == 303
    for _ in range(SESSIONS - 1):
        assert client.post("/account/sign-in", data=LOGIN).status_code == 303
        client.cookies.clear()
    return token, person


def cookie(token: str) -> dict[str, str]:
    """Return the header with which a client is known."""
    return {"cookie": f"kupa_guest={token}"}
