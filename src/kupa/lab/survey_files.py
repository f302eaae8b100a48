"""The files of a survey: JSON, Parquet, and pictures."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from kupa.command_line import CommandError
from kupa.heart_to_heart.codes import code_of
from kupa.lab.faults import LabError
from kupa.lab.survey import Codes

RESULTS: Final = "results.json"
CODES: Final = "codes.parquet"
FEATURES: Final = "features.parquet"


def write_files(folder: Path, told: dict[str, Any], codes: Codes, language: str) -> None:
    """Write what a survey has come to into a folder; each file appears whole or not at all.

    ``results.json`` is the summary; ``codes.parquet`` has a row for each code that can be won (``code``,
    ``moves`` or null if the search was not finished, ``redeals``, and ``way_<name>``, null if that way gave
    up); ``features.parquet`` has a row for each value of each feature (``feature``, ``value``, ``deals``,
    ``winnable``). The pictures are those of :mod:`kupa.lab.plots`.

    Raises:
        CommandError: ``missing_extra``.
        LabError: ``result_unwritable``.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet

        from kupa.lab.plots import draw_survey
    except ImportError as error:
        raise CommandError("missing_extra", extra="lab") from error
    rows = [
        {"feature": name, **{key: str(row[key]) if key == "value" else row[key] for key in _COLUMNS}}
        for name, values in told["random"]["features"].items()
        for row in values
    ]
    by_feature = pa.table(
        {name: [row[name] for row in rows] for name in ("feature", *_COLUMNS)},
        schema=pa.schema(
            [
                ("feature", pa.string()),
                ("value", pa.string()),
                ("deals", pa.int64()),
                ("winnable", pa.int64()),
            ]
        ),
    )
    by_code = pa.table(
        {
            "code": pa.array([code_of(number) for number in codes.numbers.tolist()], pa.string()),
            "moves": pa.array(codes.moves, pa.int16(), mask=codes.moves == 0),
            "redeals": pa.array(codes.redeals, pa.int16(), mask=codes.moves == 0),
            **{
                f"way_{way}": pa.array(moves, pa.int16(), mask=moves < 0) for way, moves in codes.ways.items()
            },
        }
    )
    pretty = msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n"
    try:
        _whole(folder / RESULTS, lambda path: path.write_bytes(pretty))
        _whole(folder / FEATURES, lambda path: parquet.write_table(by_feature, path))
        _whole(folder / CODES, lambda path: parquet.write_table(by_code, path))
        for name, draw in draw_survey(told, language).items():
            _whole(folder / name, draw)
    except OSError as error:
        raise LabError("result_unwritable", folder=str(folder)) from error


_COLUMNS: Final = ("value", "deals", "winnable")


def _whole(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file under another name first."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    write(unfinished)
    os.replace(unfinished, path)  # noqa: PTH105 - over an older one, on every system
