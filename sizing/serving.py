"""What the page "Serve and measure" of an option shows: recipe, plan, and whether quality is verified."""

import math
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.accounts.models import Organisation
from sizing.benchmark_plan import BenchmarkStep, Load, benchmark_plan, quality_check
from sizing.engines import engine_name
from sizing.figures import number
from sizing.kinds.benchmark_plan import kind_plan
from sizing.kinds.presentation import kind_of
from sizing.kinds.recipes import kind_recipes
from sizing.measurements.first import First, measure_first
from sizing.messages import render as words
from sizing.models import Measurement, SizingOption, SizingRun
from sizing.recipes import Recipe, recipes
from sizing.stored import frame_of

MOST = 200  # own points that the choice of the next ones regards
BATCH_TOOLS = ("trtexec",)
SCALED_LOADS = ("requests_per_s", "users", "concurrent_requests")
WHOLE_LOADS = ("users", "concurrent_requests")
CONTEXT_FIELD = "traffic.max_context_tokens"


def context_tokens(request: Mapping[str, Any], result: Mapping[str, Any]) -> int:
    """The longest request that the figures allow for: as stated, else as the result assumed it."""
    stated = request["traffic"].get("max_context_tokens")
    if stated:
        return int(stated)
    for entry in result.get("assumptions") or []:
        if entry.get("field") == CONTEXT_FIELD and entry.get("value"):
            return int(entry["value"])
    return int((result.get("model") or {}).get("max_context_tokens") or 0)


def recipes_of(run: SizingRun, row: SizingOption) -> list[Recipe]:
    """The option's own first. Empty where no command line fits, or the stored option predates its settings."""
    if kind_of(run.request):
        return kind_recipes(row.data, run.request)
    tokens = context_tokens(run.request, frame_of(run))
    if not tokens or "engine_settings" not in row.data:
        return []
    return recipes(row.data, run.request, context_tokens=tokens)


def plan_of(run: SizingRun, row: SizingOption) -> list[BenchmarkStep]:
    """The measurements of an option, whatever its kind."""
    planned = kind_plan if kind_of(run.request) else benchmark_plan
    return planned(row.data, run.request)


def first_of(run: SizingRun, row: SizingOption, owner: Organisation | None) -> First:
    """The loads to measure first, given what `owner` has measured of the option already."""
    if kind_of(run.request):
        return First()
    own = Measurement.objects.filter(option=row, organisation=owner) if owner else Measurement.objects.none()
    return measure_first(row.data, run.request, list(own.order_by("pk").values_list("concurrent", flat=True)[:MOST]))


def is_load(step: BenchmarkStep, load: Load) -> bool:
    """Whether a step measures at that load."""
    return (step.concurrency, step.rate_per_s) == (load.in_flight, load.rate_per_s)


def serve_page(run: SizingRun, row: SizingOption, owner: Organisation | None = None) -> dict[str, Any]:
    """Recipes, plan by tool and the quality evaluation of one option."""
    tools = [(tool, list(steps)) for tool, steps in groupby(plan_of(run, row), key=_tool)]
    kind, first = kind_of(run.request), first_of(run, row, owner)
    return {
        "first_left": round(100 * first.left) if first.loads else None,
        "run": run,
        "row": row,
        "kind": kind,
        "recipes": [_shown(made, position) for position, made in enumerate(recipes_of(run, row))],
        "context_tokens": 0 if kind else context_tokens(run.request, frame_of(run)),
        "plan": [
            {"tool": tool, "steps": [_step(step, f"{position}-{index}", first) for index, step in enumerate(steps)]}
            for position, (tool, steps) in enumerate(tools)
        ],
        "quality": None if kind else quality_check(run.request, engine=str(row.data["engine"])),
        "weights_format": row.data.get("weights_format", ""),
    }


def _shown(made: Recipe, position: int) -> dict[str, Any]:
    start = f"{made.engine}-" if position else ""
    return {
        "id": f"recipe-{position}",
        "name": " ".join(filter(None, (engine_name(made.engine), made.engine_version))),
        "made": made,
        "notes": [words(note) for note in made.notes],
        "files": [
            {"id": f"recipe-{position}-file-{index}", "path": f"models/{path}", "text": text}
            for index, (path, text) in enumerate(made.files.items())
        ],
        "compose_name": f"{start}compose.yaml",
        "kubernetes_name": f"{start}kubernetes.yaml",
    }


def recipe_files(run: SizingRun, row: SizingOption) -> dict[str, str]:
    """Content by the names that the page links to."""
    found: dict[str, str] = {}
    for position, made in enumerate(recipes_of(run, row)):
        shown = _shown(made, position)
        found |= {shown["compose_name"]: made.compose, shown["kubernetes_name"]: made.kubernetes}
    return {name: content for name, content in found.items() if content}


def _tool(step: BenchmarkStep) -> str:
    return step.tool


def _step(step: BenchmarkStep, identifier: str, first: First) -> dict[str, str]:
    title = ngettext("%(count)s request in flight", "%(count)s requests in flight", step.concurrency)
    if step.tool in BATCH_TOOLS:
        title = ngettext("Batch of %(count)s", "Batches of %(count)s", step.concurrency)
    shown = title % {"count": number(step.concurrency)} if step.concurrency else _("Command")
    if step.rate_per_s:
        shown = _("%(rate)s requests a second") % {"rate": number(step.rate_per_s)}
    if any(is_load(step, load) for load in first.loads):
        shown = _("%(load)s: measure first") % {"load": shown}
    return {"id": identifier, "title": shown, "command": step.command}


def script_of(plan: list[BenchmarkStep]) -> str:
    """The whole plan as one shell script; each tool's part can run alone."""
    parts = ["#!/bin/sh", "set -eu"]
    for tool, steps in groupby(plan, key=_tool):
        parts.append(f"\n# {tool}")
        parts += [step.command for step in steps]
    return "\n".join(parts) + "\n"


def planned_in_flight(option: Mapping[str, Any]) -> float:
    """Requests in flight over all replicas at the load that the option was planned for."""
    each = float(option["performance"].get("requests_in_flight_per_replica") or 1.0)
    return each * int(option.get("replicas") or 1)


def scalable(request: Mapping[str, Any]) -> bool:
    """Whether the load is a number that can be multiplied: a recorded trace is not."""
    return any(request["traffic"].get(name) is not None for name in SCALED_LOADS)


def other_load(request: Mapping[str, Any], factor: str) -> dict[str, Any]:
    """The request with its own load times `factor`, in the terms that it is stated in, and no deployment fixed.

    What is no number stays as it is, so that the request's own checks refuse it. A trace is left as it is recorded.
    """
    traffic = dict(request["traffic"])
    stated = next((name for name in SCALED_LOADS if traffic.get(name) is not None), None)
    if stated:
        try:
            traffic[stated] = float(f"{float(traffic[stated]) * float(factor):.4g}")
        except ValueError:
            traffic[stated] = factor
        if stated in WHOLE_LOADS and isinstance(traffic[stated], float):
            traffic[stated] = max(1.0, float(math.ceil(traffic[stated])))
    return {**request, "traffic": traffic, "deployment": None}
