"""Lines that come from outside: reading them without trusting them.

A line may be endless, not UTF-8, not JSON, or JSON that no two programs would read alike (a key twice,
``NaN``, a number of ten thousand digits). All that is found out here, so that what goes on is a plain object.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from kupa.game import Json
from kupa.keys import bad_request
from kupa.refusal import Refusal

LONGEST: Final = 1 << 20
"""The most bytes that a line may have, its end not counted: 1 MiB."""
_CHUNK: Final = 1 << 16


class _UnreadableError(ValueError):
    """A line that is JSON to Python, but not to us."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message_key)
        self.refusal = refusal


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


def read_object(line: bytes) -> Json | Refusal:
    """Read the JSON object of a line, or return a refusal with the code ``bad_request``."""
    try:
        data = json.loads(line.decode("utf-8"), **_STRICT)
    except UnicodeDecodeError:
        return bad_request("not_utf8")
    except _UnreadableError as error:
        return error.refusal
    except json.JSONDecodeError:
        return bad_request("not_json")
    except ValueError:  # Python reads no number of more than some thousand digits
        return bad_request("number_too_long")
    except RecursionError:
        return bad_request("too_deep")
    return data if isinstance(data, dict) else bad_request("not_an_object_line")


def _object_of(pairs: list[tuple[str, Any]]) -> Json:
    """Make an object of its keys and values; a key that comes twice has no one meaning."""
    data = dict(pairs)
    if len(data) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _UnreadableError(bad_request("duplicate_key", key=key))
            seen.add(key)
    return data


def _no_constant(_: str) -> None:
    """Refuse ``NaN`` and ``Infinity``, which Python would read although JSON has none."""
    raise _UnreadableError(bad_request("not_json"))


_STRICT: Final[dict[str, Any]] = {"object_pairs_hook": _object_of, "parse_constant": _no_constant}
