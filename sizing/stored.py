"""Parts of a stored result. A whole one has megabytes, most of them bills of materials; pages need little of it.

What the pages of a run need is cut out once, when the run ends or is first read, and kept in the cache: the result
of a finished run never changes.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.cache import cache
from django.db.models import F, Func, JSONField, TextField, Value

from sizing.models import SizingOption, SizingRun

KEPT_S = 7 * 86_400
HEAVY = [
    "bom",
    "neighbours",
    "nearest_measured",
    "sensitivity",
    "sensitivities",
    "claims",
    "load_curve",
    "roofline",
    "memory_figures",
]
HEAVY += ["screening", "problems", "warnings", "unknowns", "elasticity", "cost_sensitivity", "delivery_what_if"]
OF_ONE_OPTION = ("against", "missing", "advice")  # parts of the cost that only the page of the option shows
LATENCIES = ("ttft_ms", "tpot_ms", "e2e_ms")
SHOWN_PERCENTILE = "p95"


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """The result without options and evidence, and all options by rank without their bills and other lists."""

    frame: dict[str, Any]
    options: list[dict[str, Any]]


def digest_of(run: SizingRun) -> Digest:
    """The digest of a run; empty while the run has no result."""
    found: Digest | None = cache.get(_key(run))
    if found is None:
        found = Digest(frame=_frame(_stored_frame(run)), options=[_light(option) for option in _stored_options(run)])
        if found.frame:
            cache.set(_key(run), found, KEPT_S)
    return found


def keep_digest(run: SizingRun, result: Mapping[str, Any]) -> None:
    """Put the digest of a result that was just stored where pages look first."""
    frame = {key: value for key, value in result.items() if key != "options"}
    kept = {"frame": _frame(frame), "options": [_light(each) for each in result["options"]]}
    cache.set(_key(run), Digest(**json.loads(json.dumps(kept))), KEPT_S)  # as the database gives it back


def frame_of(run: SizingRun) -> dict[str, Any]:
    """The result without its options; empty where the run has none."""
    return digest_of(run).frame


def light_options(run: SizingRun) -> list[dict[str, Any]]:
    """All options of a run by rank, each without its bill and other lists."""
    return digest_of(run).options


def _key(run: SizingRun) -> str:
    return f"run-digest:1:{run.public_id}"


def _frame(frame: Mapping[str, Any]) -> dict[str, Any]:
    """The frame, its rejections without the evidence that only the API gives out."""
    rejected = [
        {key: value for key, value in each.items() if key != "memory_figures"} for each in frame.get("rejected") or []
    ]
    return {**frame, "rejected": rejected} if frame else {}


def _light(option: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in option.items() if key not in HEAVY}
    cost, performance = kept.get("cost"), kept.get("performance")
    if cost:
        kept["cost"] = {key: value for key, value in cost.items() if key not in OF_ONE_OPTION}
    if performance:
        kept["performance"] = {key: _shown(key, value) for key, value in performance.items()}
    return kept


def _shown(name: str, value: Any) -> Any:
    """Of a latency the percentile that cards and tables show whole, of the others the value; everything else whole."""
    if name not in LATENCIES or not isinstance(value, Mapping) or SHOWN_PERCENTILE not in value:
        return value
    return {
        percentile: estimate if percentile == SHOWN_PERCENTILE else {"value": (estimate or {}).get("value")}
        for percentile, estimate in value.items()
    }


def without(field: str, keys: list[str]) -> Func:
    """The JSON object in `field` without some of its keys, cut down by Postgres."""
    names = Value(keys, output_field=ArrayField(TextField()))
    return Func(F(field), names, template="(%(expressions)s)", arg_joiner=" - ", output_field=JSONField())


def _stored_frame(run: SizingRun) -> dict[str, Any]:
    row = SizingRun.objects.filter(pk=run.pk, result__isnull=False).annotate(frame=without("result", ["options"]))
    return row.values_list("frame", flat=True).first() or {}


def _stored_options(run: SizingRun) -> list[dict[str, Any]]:
    rows = SizingOption.objects.filter(run=run).order_by("rank").annotate(light=without("data", HEAVY))
    return list(rows.values_list("light", flat=True))
