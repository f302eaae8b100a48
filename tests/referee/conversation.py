"""How the tests talk to a referee in this process."""

from __future__ import annotations

import io
import json
from typing import Any

from kupa.game import Json
from kupa.referee.loop import main


def below(bound: int) -> int:
    """Stand in for randomness: always the same number, in range."""
    return 12 % bound


def replies_to(stream: bytes) -> list[Json]:
    """Return the referee's replies to a stream of bytes, each held to be a line of JSON."""
    out = io.BytesIO()
    assert main(io.BytesIO(stream), out, below) == 0
    written = out.getvalue()
    assert not written or written.endswith(b"\n")
    return [json.loads(line) for line in written.decode("ascii").splitlines()]


def asked(*requests: Any) -> list[Json]:
    """Return the replies to requests: bytes as they are, anything else as JSON."""
    lines = [request if isinstance(request, bytes) else json.dumps(request).encode() for request in requests]
    return replies_to(b"".join(line + b"\n" for line in lines))


def code_of(reply: Json) -> str:
    """Return the code of a refusal, whose shape is checked on the way."""
    assert reply["ok"] is False
    assert set(reply) == {"ok", "error"}
    assert set(reply["error"]) - {"field"} == {"code", "message"}
    assert reply["error"]["message"]
    code: str = reply["error"]["code"]
    return code
