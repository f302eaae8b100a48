"""What tests of the server share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.identity import Opened, some_people


@pytest.fixture(params=["sqlite", "memory"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    """Opens people over either store."""
    path = tmp_path / "kupa.sqlite3" if request.param == "sqlite" else None
    return lambda time=None: some_people(path, time)
