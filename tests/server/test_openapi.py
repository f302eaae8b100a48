"""The schema of the API is true: a stranger who knows nothing but the schema finds no answer that it does not
tell of."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from litestar.testing import TestClient
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import positive_data_acceptance

from kupa.server.app import SCHEMA_PATH, create_app
from kupa.server.memory_store import MemoryStore

SCHEMA = schemathesis.openapi.from_asgi(SCHEMA_PATH, create_app(MemoryStore()))

# What fits together is the games' to say (a code for Hearts does not), so a body that the schema allows may
# be refused; what the schema forbids must be.
NOT_CHECKED = [positive_data_acceptance]

GOOD, BAD = GenerationMode.POSITIVE, GenerationMode.NEGATIVE


def operation(label: str) -> Any:
    found = {
        result.ok().label: result.ok() for result in SCHEMA.get_all_operations() if isinstance(result, Ok)
    }
    return found[label]


@pytest.mark.parametrize(
    ("label", "mode"),
    [
        ("POST /api/matches", GOOD),
        ("POST /api/matches", BAD),
        ("GET /api/matches/{match_id}", GOOD),
        ("POST /api/matches/{match_id}/commands", GOOD),
        ("POST /api/matches/{match_id}/commands", BAD),
    ],
)
def test_every_answer_is_one_that_the_schema_tells_of(label: str, mode: GenerationMode) -> None:
    """Status, type and shape of each answer are in the schema; bad requests are refused; nothing breaks."""

    @settings(
        max_examples=25,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation(label).as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        case.call_and_validate(excluded_checks=NOT_CHECKED)

    ask()


def test_the_schema_is_served_as_json_and_nothing_else_is() -> None:
    """There is a schema, of the API alone, and no page that would load scripts from elsewhere."""
    with TestClient(create_app(MemoryStore())) as client:
        answer = client.get(SCHEMA_PATH)
        assert answer.status_code == 200
        assert set(answer.json()["paths"]) == {
            "/api/matches",
            "/api/matches/{match_id}",
            "/api/matches/{match_id}/commands",
        }
        for path in ("/api/openapi.yaml", "/api/swagger", "/api/redoc", "/schema"):
            assert client.get(path).status_code == 404
