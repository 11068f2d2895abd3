"""What the step model says of measured loads: one grid row per deployment, all its loads at once."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

import numpy as np

from sizing import available
from sizing.core.closed_loop import Load, SteadyState, steady_state
from sizing.core.coefficients import Coefficients
from sizing.core.errors import InvalidDeployment
from sizing.core.estimates import Evidence, evidence_of, model_signature
from sizing.core.grid import Grid, grid_of, load_at, plan_of
from sizing.core.memory import MemoryPlan
from sizing.core.model.features import ModelFeatures
from sizing.core.placing import points_at
from sizing.core.points import Column, Points
from sizing.core.recommend import combinations
from sizing.inputs import asked
from sizing.requests import read_request

ANY_DAY = date(2026, 1, 1)  # nothing that is predicted here depends on a date
SPLITS = ("tensor", "pipeline", "expert", "data")
SETTINGS = ("max_batched_tokens", "max_sequences", "memory_utilisation", "stream_interval")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A deployment of one replica. `model` is the request's model object as canonical JSON text; None: default."""

    model: str
    accelerator: str
    engine: str
    engine_version: str = ""
    weights_format: str | None = None
    kv_format: str | None = None
    tensor: int = 1
    pipeline: int = 1
    expert: int = 1
    data: int = 1
    max_batched_tokens: int | None = None
    max_sequences: int | None = None
    memory_utilisation: float | None = None
    stream_interval: int | None = None

    @property
    def accelerators(self) -> int:
        return self.tensor * self.pipeline * self.data


@dataclass(frozen=True, slots=True, kw_only=True)
class Loads:
    """Measured loads of one deployment, columns of shape (n,). `prompts_per_slot` NaN: steady production."""

    concurrent: Column
    input_tokens: Column
    output_tokens: Column
    prompts_per_slot: Column


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployed:
    """A setting worked out: model, memory and the columns of the step model."""

    setting: Setting
    features: ModelFeatures
    grid: Grid
    points: Points
    plan: MemoryPlan
    evidence: Evidence
    coefficients: Coefficients

    @property
    def labels(self) -> tuple[str, str, str, str]:
        """What the correction compares: architecture, accelerator, engine, weight format."""
        weights = self.grid.combinations[0].weights.slug
        return model_signature(self.features), self.setting.accelerator, self.setting.engine, weights


def canonical(model: Mapping[str, Any]) -> str:
    return json.dumps(model, sort_keys=True, separators=(",", ":"))


def deployed(setting: Setting, coefficients: Coefficients) -> Deployed:
    """Work out a setting. Raises SizingError or RequestProblem where model, accelerator or split are not possible."""
    stated = read_request(_request(setting), today=ANY_DAY)
    question = asked(stated)
    catalogue = available.core_catalogue(
        None, pinned=question.core.pinned, engine_version=stated["deployment"]["engine_version"]
    )
    device = next((a for a in catalogue.accelerators if a.slug == setting.accelerator), None)
    if device is None:
        raise InvalidDeployment("measurement_accelerator_not_sized", "/accelerator", value=setting.accelerator)
    possible = combinations(question.core, catalogue)
    chosen = next((c for c in possible if c.layout.expert == setting.expert), possible[0] if possible else None)
    grid = grid_of(question.core, [device], [chosen] if chosen else [], coefficients)
    if chosen is None or not len(grid):
        raise InvalidDeployment("measurement_not_supported", "/engine", value=setting.engine)
    profile = grid.profiles[0][0]
    return Deployed(
        setting=setting,
        features=question.features,
        grid=grid,
        points=points_at(grid, coefficients),
        plan=plan_of(question.core, device, chosen),
        evidence=evidence_of(question.features, device, setting.engine, profile, coefficients),
        coefficients=coefficients,
    )


def _request(setting: Setting) -> dict[str, Any]:
    values = asdict(setting)
    return {
        "name": "measurement",
        "kind": "llm_serving",
        "model": {key: value for key, value in json.loads(setting.model).items() if value},
        "weights_format": setting.weights_format,
        "kv_format": setting.kv_format,
        "traffic": {"input_tokens": 1, "output_tokens": 1, "concurrent_requests": 1},
        "deployment": {
            "accelerator": setting.accelerator,
            "count": setting.accelerators,
            "engine": setting.engine,
            "engine_version": setting.engine_version or None,
            **{f"{name}_parallel": values[name] for name in SPLITS},
            **{name: values[name] for name in SETTINGS},
        },
    }


def state_of(place: Deployed, loads: Loads) -> SteadyState:
    """The steady state of every load."""
    rows = np.zeros(len(loads.concurrent), dtype=np.intp)
    grid = place.grid.take(rows)
    return steady_state(place.points.take(rows), load_of(grid, place.plan, loads), place.coefficients)


def load_of(grid: Grid, plan: MemoryPlan, loads: Loads) -> Load:
    """Columns of the loads, with the sequences that the cache holds at their lengths."""
    tokens = loads.input_tokens + 0.6 * loads.output_tokens
    windowed = np.minimum(tokens, plan.window_tokens or np.inf)
    held = tokens * plan.kv_bytes_per_token + windowed * plan.window_kv_bytes_per_token
    sequence = held + plan.state_bytes_per_sequence
    cap = np.minimum(np.maximum(grid.pool_bytes, 1.0) / sequence * grid.ranks, grid.max_sequences)
    slots = np.where(loads.prompts_per_slot > 0, loads.prompts_per_slot, np.inf)
    return replace(
        load_at(grid, loads.concurrent),
        input_tokens=loads.input_tokens,
        output_tokens=loads.output_tokens,
        burst_share=0.5 / slots,
        cap=np.maximum(cap, 1e-6),
    )
