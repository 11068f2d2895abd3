"""The cheapest fix of a rejection as changes of the form, so that it can be tried with one click."""

from collections.abc import Callable, Mapping
from math import ceil
from typing import Any

from sizing.forms import KV_FORMATS, WEIGHT_FORMATS
from sizing.models import SizingRun
from sizing.models_draft import form_address

TRIED = ("ttft_s", "tpot_ms", "e2e_s", "max_context_tokens", "kv_format", "weights_format")


def try_url(run: SizingRun, rejection: Mapping[str, Any]) -> str:
    """The filled form with the fix of a stored rejection in it; empty where the fix is no field of the form."""
    fix = rejection.get("cheapest_fix") or {}
    changed = FIXES.get(str(fix.get("code")))
    changes = changed(fix.get("params") or {}) if changed else {}
    if not changes or run.request.get("kind") != "llm_serving":
        return ""
    return form_address("llm_serving", **{"from": run.key}, **changes)


def changes_of(query: Mapping[str, str]) -> dict[str, str | float]:
    """The fields that the address of a form changes; numbers as numbers, so that the form writes them."""
    return {name: _number(query[name][:40]) for name in TRIED if query.get(name)}


def _number(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _limit(params: Mapping[str, Any]) -> dict[str, str]:
    """A raised limit, rounded up to what a person would type."""
    limit_ms = float(params.get("limit_ms") or 0)
    metric = str(params.get("metric") or "")
    if params.get("percentile") != "p95" or limit_ms <= 0:
        return {}
    if metric.startswith("tpot"):
        return {"tpot_ms": str(ceil(limit_ms))}
    field = {"ttft": "ttft_s", "e2e": "e2e_s"}.get(metric.removesuffix("_ms"))
    return {field: str(ceil(limit_ms / 100) / 10)} if field else {}


def _format(field: str, offered: list[Any]) -> Callable[[Mapping[str, Any]], dict[str, str]]:
    def change(params: Mapping[str, Any]) -> dict[str, str]:
        wanted = str(params.get("format") or "").lower()
        found = next((value for value, _words in offered if value and wanted.startswith(value)), "")
        return {field: found} if found else {}

    return change


FIXES: Mapping[str, Callable[[Mapping[str, Any]], dict[str, str]]] = {
    "fix_relax_limit": _limit,
    "fix_context": lambda params: {"max_context_tokens": str(params["tokens"])} if params.get("tokens") else {},
    "fix_kv_format": _format("kv_format", KV_FORMATS),
    "fix_weights_format": _format("weights_format", WEIGHT_FORMATS),
}
