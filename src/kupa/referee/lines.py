"""Lines that come from outside: reading them without trusting them. A line may be endless."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from kupa.keys import bad_request
from kupa.refusal import Refusal

LONGEST: Final = 1 << 20
"""The most bytes that a line may have, its end not counted: 1 MiB."""
_CHUNK: Final = 1 << 16


def lines(stream: BinaryIO) -> Iterator[bytes | Refusal]:
    """Yield every line of a stream without its end, the last even if it has none.

    Of a line that is too long nothing is kept: a refusal stands for it once its end has come by.
    """
    while line := stream.readline(LONGEST + 1):
        if line.endswith(b"\n"):
            yield line[:-1]
        elif len(line) <= LONGEST:
            yield line
        else:
            while (rest := stream.readline(_CHUNK)) and not rest.endswith(b"\n"):
                pass
            yield bad_request("too_long", limit=LONGEST)
