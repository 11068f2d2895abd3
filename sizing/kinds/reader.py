"""What the readers of all kinds share: assumptions collected on the way, limits, model names, facts."""

from collections.abc import Mapping
from typing import Any

from sizing.core.candidate import Assumption
from sizing.core.errors import InvalidWorkload
from sizing.core.kinds.task import Task
from sizing.core.units import MS_PER_S, SECONDS_PER_HOUR
from sizing.core.values import Message

STRICTEST = ("p95", "p99", "p50", "mean")

type Read = tuple[Task, str, dict[str, Any]]
"""A task, what one item is, and facts of the model for the answer."""


class Reader:
    """Collects assumptions while a request is read."""

    def __init__(self, stated: Mapping[str, Any]) -> None:
        self.stated = stated
        self.assumptions: list[Assumption] = []

    def taken(self, path: str, value: Any, default: Any, code: str) -> Any:
        """`value`, or the default with its reason."""
        if value is not None:
            return value
        self.assumptions.append(Assumption(field=path, value=default, message=Message(code, {"value": default})))
        return default

    def limit_s(self, metric: str) -> float | None:
        """The stated limit of a metric in seconds; the p95 counts, else the strictest one stated."""
        limits = self.stated["targets"][metric]
        value = next((limits[name] for name in STRICTEST if limits[name] is not None), None)
        if value is None:
            return None
        return float(value) if metric == "seconds_per_item" else float(value) / MS_PER_S


def facts_of(name: str, parameters: float, flops: float, unit: str) -> dict[str, Any]:
    return {"name": name, "parameters_total": round(parameters), "flops_per_item": flops, "item": unit}


def items_per_s(per_hour: float | None, items: float | None, hours: float | None) -> float:
    if per_hour is not None:
        return per_hour / SECONDS_PER_HOUR
    assert items is not None and hours is not None  # noqa: S101, PT018 - the grammar asks for both
    return items / (hours * SECONDS_PER_HOUR)


def model_id(reader: Reader) -> str:
    model_id = reader.stated["model"]["id"]
    if not model_id:
        raise InvalidWorkload("kind_model_by_id_only", "/model")
    return str(model_id)
