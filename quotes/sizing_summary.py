"""What a quote says about the sizing behind it: a plain copy of the option's figures, as raw numbers."""

from collections.abc import Mapping
from typing import Any

_LATENCIES = ("tpot_ms", "ttft_ms", "e2e_ms")


def sizing_summary(
    option: Mapping[str, Any],
    *,
    request: Mapping[str, Any] | None = None,
    result: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Layout, load, figures with interval and target, memory parts and assumptions.

    Keys that the option does not have are left out; nothing is filled in.
    """
    request, result = request or {}, result or {}
    return {
        "name": request.get("name") or "",
        "model": _model(request, result),
        "layout": {
            key: option.get(key)
            for key in (
                "accelerator",
                "accelerators_total",
                "replicas",
                "accelerators_per_replica",
                "engine",
                "engine_version",
                "weights_format",
                "kv_format",
                "server",
                "servers",
            )
        },
        "kind": request.get("kind") or "",
        "load": dict(request.get("traffic") or request.get(str(request.get("kind"))) or {}),
        "figures": _figures(option, request),
        "memory": dict(option.get("memory_per_accelerator") or {}),
        "verdicts": dict(option.get("verdicts") or {}),
        "assumptions": [dict(entry) for entry in result.get("assumptions") or ()],
        "engine_version": result.get("engine_version") or "",
        "catalog_version": result.get("catalog_version") or "",
        "input_hash": result.get("input_hash") or "",
    }


def _model(request: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    asked = request.get("model") or {}
    facts = result.get("model") or {}
    return {
        "name": asked.get("id") or asked.get("name") or "",
        "parameters_total": facts.get("parameters_total"),
    }


def _figures(option: Mapping[str, Any], request: Mapping[str, Any]) -> list[dict[str, Any]]:
    performance = option.get("performance") or {}
    targets = request.get("targets") or {}
    figures = []
    for key in _LATENCIES:
        percentile = _percentile(targets.get(key))
        estimate = (performance.get(key) or {}).get(percentile)
        if estimate:
            target = (targets.get(key) or {}).get(percentile)
            figures.append(_figure(f"{key}_{percentile}", estimate, target, "at_most"))
    throughput = performance.get("output_tokens_per_s_total")
    if throughput:
        figures.append(_figure("output_tokens_per_s", throughput, targets.get("output_tokens_per_s"), "at_least"))
    if not request.get("traffic"):
        figures += _kind_figures(performance, targets)
    if option.get("power_w"):
        limit = (request.get("site") or {}).get("max_power_w")
        figures.append(_figure("power_w", option["power_w"], limit, "at_most"))
    return figures


def _kind_figures(performance: Mapping[str, Any], targets: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every known figure of a kind besides language models, with its target where one is stated."""
    figures = []
    for key, estimate in performance.items():
        if isinstance(estimate, Mapping) and estimate.get("basis") and estimate.get("value") is not None:
            limits = targets.get(key) or {}
            target = next((value for value in limits.values() if value is not None), None)
            figures.append(_figure(key, estimate, target, "at_most"))
    return figures


def _percentile(target: Mapping[str, Any] | None) -> str:
    """The percentile that the target names, else p95."""
    return next(iter(target), "p95") if target else "p95"


def _figure(code: str, estimate: Mapping[str, Any], target: Any, sense: str) -> dict[str, Any]:
    return {
        "code": code,
        **{key: estimate.get(key) for key in ("value", "low", "high", "unit", "basis", "source")},
        "target": target if isinstance(target, int | float) else None,
        "sense": sense,
    }
