"""The tables of what is observed, in the page for researchers, are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from kupa.envs import batch, observation
from kupa.envs.batch import HeartsBatch
from tests.sim.rulebooks import TABLES

PAGE = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")


def named_in_page(head: str) -> list[str]:
    """Return the first column of the table with a head."""
    rows = PAGE[PAGE.index(f"| {head} |") :].split("\n\n")[0].splitlines()[2:]
    return [row.split("`")[1] for row in rows]


def named_in_code(docstring: str | None) -> list[str]:
    """Return the first column of the table in a docstring."""
    assert docstring
    rows = docstring[docstring.index("===") :].split("\n")[3:]
    return re.findall(
        r"^(\w+) ",
        "\n".join(rows[: next(i for i, row in enumerate(rows) if row.startswith("="))]),
        re.MULTILINE,
    )


@pytest.mark.parametrize(("head", "module"), [("block", observation), ("array", batch)])
def test_page_and_code_name_the_same_in_the_same_order(head: str, module: object) -> None:
    """Blocks of the vector, and arrays of the batch."""
    assert named_in_page(head) == named_in_code(module.__doc__)
    assert len(named_in_page(head)) > 8


@pytest.mark.parametrize("name", TABLES)
def test_arrays_have_the_shapes_that_the_page_tells(name: str) -> None:
    """For every table, each array of the batch has the shape in the page."""
    book = TABLES[name]
    rounds = HeartsBatch(book, 3)
    shapes = dict(re.findall(r"^\| `(\w+)` \| \((\*n\*,[^)]*)\) ", PAGE, re.MULTILINE))
    assert set(shapes) == set(named_in_page("array"))
    for array, shape in shapes.items():
        sizes = [3, *({"*p*": book.players, "2": 2}[size] for size in shape.split(", ")[1:])]
        values: np.ndarray = getattr(rounds, array)
        assert values.shape == tuple(sizes), array
    if book.players == 4 and book.decks == 1:
        assert f"{observation.observation_length(book):,} places" in PAGE
