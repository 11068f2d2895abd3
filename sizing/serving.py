"""What the page "Serve and measure" of an option shows: recipe, plan, and whether quality is verified."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from django.utils.translation import ngettext

from sizing.benchmark_plan import BenchmarkStep, benchmark_plan, quality_check
from sizing.engines import engine_name
from sizing.figures import number
from sizing.models import SizingOption, SizingRun
from sizing.recipes import Recipe, recipe
from sizing.stored import frame_of

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


def recipe_of(run: SizingRun, row: SizingOption) -> Recipe | None:
    """None where the engine has no command line of its own, or the stored option predates its settings."""
    tokens = context_tokens(run.request, frame_of(run))
    if not tokens or "engine_settings" not in row.data:
        return None
    return recipe(row.data, run.request, context_tokens=tokens)


def serve_page(run: SizingRun, row: SizingOption) -> dict[str, Any]:
    """Recipe, plan by tool and the quality evaluation of one option."""
    tools = [(tool, list(steps)) for tool, steps in groupby(benchmark_plan(row.data, run.request), key=_tool)]
    return {
        "run": run,
        "row": row,
        "recipe": recipe_of(run, row),
        "context_tokens": context_tokens(run.request, frame_of(run)),
        "engine": engine_name(row.data["engine"]),
        "plan": [
            {"tool": tool, "steps": [_step(step, f"{position}-{step.concurrency}") for step in steps]}
            for position, (tool, steps) in enumerate(tools)
        ],
        "quality": quality_check(run.request),
        "weights_format": row.data.get("weights_format", ""),
    }


def _tool(step: BenchmarkStep) -> str:
    return step.tool


def _step(step: BenchmarkStep, identifier: str) -> dict[str, str]:
    title = ngettext("%(count)s request in flight", "%(count)s requests in flight", step.concurrency)
    return {"id": identifier, "title": title % {"count": number(step.concurrency)}, "command": step.command}


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


def other_load(request: Mapping[str, Any], in_flight: str) -> dict[str, Any]:
    """The request with that many requests in flight instead of its own load, and no deployment fixed.

    What is no number stays as it is, so that the request's own checks refuse it.
    """
    try:
        wanted: float | str = float(in_flight)
    except ValueError:
        wanted = in_flight
    traffic = {**request["traffic"], "concurrent_requests": wanted}
    return {
        **request,
        "traffic": traffic | {"users": None, "active_share": None, "requests_per_s": None},
        "deployment": None,
    }
