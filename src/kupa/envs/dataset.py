"""Played rounds as Parquet files, for whoever learns from data; comes with ``pip install 'kupa[data]'``.

A row is a round. Cards are texts as everywhere in Kupa (``"QS"``).

========== ===================== ====================================================================
column     type                  what it holds
========== ===================== ====================================================================
number     int64                 the round's number: direction and dealer follow from it
hands      list of lists of text by seat, the hand as it was dealt
kitty      list of text          what the deal left over
passed     list of lists of text by seat, what it passed; empty lists where nothing was passed
cards      list of text          all cards in the order in which they were played
seats      list of int8          who played them
points     list of int64         by seat, what was written down
shooter    int8                  who shot the moon, or -1
subtracted bool                  whether a shooter who could choose took the points off the own total
========== ===================== ====================================================================

The file's metadata holds the rulebook as JSON (``kupa.rulebook``) and the seed (``kupa.seed``).
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from kupa.cards import CardSet, texts
from kupa.hearts.rulebook import Rulebook
from kupa.sim.playing import play
from kupa.sim.policy import AT_RANDOM


def _held(masks: Any) -> list[str]:
    """Write the cards of two masks."""
    return list(CardSet(int(masks[0]), int(masks[1])).texts)


def table_of_rounds(
    rulebook: Rulebook, rounds: int, *, seed: int, first: int = 0, policies: Sequence[int] | int = AT_RANDOM
) -> Any:
    """Return played rounds as a table of pyarrow, with the columns above.

    Args:
        rulebook: any.
        rounds: how many.
        seed: as in :func:`kupa.sim.playing.play`, and so are the others.
        first: the number of the first round.
        policies: of the seats.

    Raises:
        ValueError: a number is out of its range.
    """
    played = play(rulebook, rounds, seed=seed, first=first, policies=policies, keep=True)
    log, seats = played.log, range(rulebook.players)
    lists = pa.list_(pa.list_(pa.string()))
    columns = {
        "number": pa.array(np.arange(first, first + rounds)),
        "hands": pa.array([[_held(deal[:, seat]) for seat in seats] for deal in log.hands], lists),
        "kitty": pa.array([_held(masks) for masks in log.kitty], pa.list_(pa.string())),
        "passed": pa.array([[_held(given[:, seat]) for seat in seats] for given in log.passed], lists),
        "cards": pa.array([list(texts(map(int, cards))) for cards in log.cards], pa.list_(pa.string())),
        "seats": pa.array(list(log.seats), pa.list_(pa.int8())),
        "points": pa.array(list(played.points), pa.list_(pa.int64())),
        "shooter": pa.array(played.shooters, pa.int8()),
        "subtracted": pa.array(log.subtracted.astype(bool)),
    }
    about = {"kupa.rulebook": msgspec.json.encode(rulebook), "kupa.seed": str(seed)}
    return pa.table(columns).replace_schema_metadata(about)


def write_rounds(
    path: str | PathLike[str],
    rulebook: Rulebook,
    rounds: int,
    *,
    seed: int,
    first: int = 0,
    policies: Sequence[int] | int = AT_RANDOM,
) -> None:
    """Write played rounds into a Parquet file; see :func:`table_of_rounds`.

    Raises:
        ValueError: a number is out of its range.
        OSError: the file cannot be written.
    """
    pq.write_table(table_of_rounds(rulebook, rounds, seed=seed, first=first, policies=policies), path)
