"""JSON objects that come from outside: reading them without trusting them.

A text may be not UTF-8, not JSON, or JSON that no two programs would read alike (a key twice, ``NaN``, a
number of ten thousand digits). All that is found out here, so that what goes on is a plain object.
"""

from __future__ import annotations

import json
from typing import Any, Final

from kupa.game import Json
from kupa.keys import bad_request
from kupa.refusal import Refusal


class _UnreadableError(ValueError):
    """A text that is JSON to Python, but not to us."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message_key)
        self.refusal = refusal


def read_object(raw: bytes) -> Json | Refusal:
    """Read a JSON object, or return a refusal with the code ``bad_request``."""
    try:
        data = json.loads(raw.decode("utf-8"), **_STRICT)
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
