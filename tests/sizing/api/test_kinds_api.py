"""Every kind besides language models through the API: accepted, run, answered in the contract's shape; or refused."""

from typing import Any

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from catalog.seed.report import SeedReport
from sizing import tasks
from sizing.execute import execute_run
from sizing.kinds.forms import FORMS
from tests.config.api.calls import visitor

pytestmark = pytest.mark.django_db

BODIES: dict[str, dict[str, Any]] = {
    "image": {
        "model": {"id": "stabilityai/stable-diffusion-xl-base-1.0"},
        "weights_format": "fp8",
        "image": {"items_per_hour": 500},
    },
    "video": {
        "model": {"id": "Wan-AI/Wan2.2-T2V-A14B (720p)"},
        "weights_format": "fp8",
        "video": {"items": 100, "deadline_hours": 24},
    },
    "speech": {"model": {"id": "openai/whisper-large-v3"}, "speech": {"mode": "stream", "streams": 20}},
    "vision": {
        "model": {"id": "YOLO11m"},
        "vision": {"streams": 16, "fps": 15},
        "targets": {"latency_ms": {"p95": 100}},
    },
    "embedding": {"model": {"id": "BAAI/bge-m3"}, "embedding": {"documents_per_s": 100, "tokens_per_document": 512}},
    "recommendation": {"recommendation": {"queries_per_s": 1000, "samples_per_query": 100}},
    "models": {"models": {"items": [{"name": "small", "memory_gb": 8, "copies": 6, "compute_share": 0.1}]}},
    "rag": {
        "model": {"id": "meta-llama/Llama-3.1-8B-Instruct"},
        "rag": {"queries_per_s": 2, "passages": 1e6},
        "targets": {"latency_ms": {"p95": 10_000}},
    },
    "tabular": {"tabular": {"method": "trees", "trees": 500, "depth": 8, "features": 60, "rows_per_s": 5000}},
    "edge": {
        "model": {"id": "YOLO11m"},
        "weights_format": "int8",
        "edge": {"streams": 4, "fps": 15},
        "site": {"max_power_w": 150},
    },
}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "image": ({"items_per_hour": -1}, "/image/items_per_hour"),
    "video": ({"items": 100}, "/video"),
    "speech": ({"mode": "stream"}, "/speech/streams"),
    "vision": ({"streams": 4}, "/vision/fps"),
    "embedding": ({}, "/embedding"),
    "recommendation": ({}, "/recommendation/queries_per_s"),
    "models": ({"items": [{"name": "a"}]}, "/models/items/0/memory_gb"),
    "rag": ({"queries_per_s": 2}, "/rag/passages"),
    "tabular": ({"method": "tea leaves", "rows_per_s": 1}, "/tabular/method"),
    "edge": ({"streams": 0, "fps": 15}, "/edge/streams"),
}
VERDICTS = {"memory", "speed", "software", "power", "rack", "cooling", "delivery", "budget"}


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs happen in the request that starts them."""
    monkeypatch.setattr(tasks.run_sizing, "delay", execute_run)


def test_no_kind_is_left_out() -> None:
    assert set(BODIES) == set(REFUSED) == set(FORMS)


@pytest.mark.parametrize("kind", sorted(BODIES))
def test_a_kind_is_sized_and_keeps_the_shape_of_the_contract(
    kind: str, shipped: SeedReport, at_once: None, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        accepted = visitor().post("sizing-runs", {"kind": kind, **BODIES[kind]})

    assert accepted.status_code == 202
    assert visitor().get(accepted["Location"]).json()["state"] == "done"
    result = visitor().get(f"{accepted['Location']}/result").json()
    assert result["options"]
    assert result["assumptions"]
    for option in result["options"]:
        assert set(option["verdicts"]) == VERDICTS
        assert option["bom"]
        assert option["cost"]["purchase"]["currency"] == "USD"
        devices = option["replicas"] * option["accelerators_per_replica"] + option["accelerators_beside"]
        assert option["accelerators_total"] == devices
        figures = [value for value in option["performance"].values() if isinstance(value, dict)]
        assert figures
        for figure in figures:
            assert figure["value"] is None or figure["low"] <= figure["value"] <= figure["high"]
            assert figure["unit"]


@pytest.mark.parametrize("kind", sorted(REFUSED))
def test_a_wrong_load_is_refused_and_its_place_named(kind: str) -> None:
    load, pointer = REFUSED[kind]
    body = {"kind": kind, **BODIES[kind], kind: load}

    answer = visitor().post("sizing-runs", body)

    assert answer.status_code == 422
    assert pointer in {error["pointer"] for error in answer.json()["errors"]}
