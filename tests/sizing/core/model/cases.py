"""The shipped model files and their expected figures."""

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

MODELS = Path(__file__).resolve().parents[4] / "catalog" / "data" / "models"


@cache
def expected_rows() -> tuple[dict[str, str], ...]:
    with (MODELS / "expected.csv").open(encoding="utf-8") as stream:
        return tuple(csv.DictReader(stream))


@cache
def differing_models() -> frozenset[str]:
    with (MODELS / "differences.csv").open(encoding="utf-8") as stream:
        return frozenset(row["model_id"] for row in csv.DictReader(stream))


@cache
def config_text(model_id: str) -> str:
    file = next(row["config_file"] for row in expected_rows() if row["model_id"] == model_id)
    return (MODELS / file).read_text(encoding="utf-8-sig")


def config(model_id: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(config_text(model_id))
    return loaded


MODEL_IDS = tuple(row["model_id"] for row in expected_rows())
