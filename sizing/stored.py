"""Parts of a stored result. A whole one has megabytes, most of them bills of materials; pages need little of it."""

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db.models import F, Func, JSONField, TextField, Value

from sizing.models import SizingOption, SizingRun

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


def _without(field: str, keys: list[str]) -> Func:
    """The JSON object in `field` without some of its keys, cut down by Postgres."""
    names = Value(keys, output_field=ArrayField(TextField()))
    return Func(F(field), names, template="(%(expressions)s)", arg_joiner=" - ", output_field=JSONField())


def frame_of(run: SizingRun) -> dict[str, Any]:
    """The result without its options; empty where the run has none."""
    row = SizingRun.objects.filter(pk=run.pk, result__isnull=False).annotate(frame=_without("result", ["options"]))
    return row.values_list("frame", flat=True).first() or {}


def light_options(run: SizingRun) -> list[dict[str, Any]]:
    """All options of a run by rank, each without its bill and other lists."""
    rows = SizingOption.objects.filter(run=run).order_by("rank").annotate(light=_without("data", HEAVY))
    return list(rows.values_list("light", flat=True))
