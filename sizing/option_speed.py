"""How an option uses its accelerators, what other layouts would do, and which measurements lie near it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sizing import figures
from sizing.chart_parts import signed
from sizing.cost_charts import SWING, input_words
from sizing.engines import engine_name

METRICS = ("tpot", "ttft", "throughput")


def use_rows(option: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Utilisation of each resource at the stated load and at the most that the option carries within the limits."""
    use = option.get("utilisation") or {}
    hits = (option.get("performance") or {}).get("prefix_hit_share")
    labels = {
        "compute": _("Compute"),
        "bandwidth": _("Memory bandwidth"),
        "kv": _("KV cache"),
        "device": _("Accelerator busy"),
    }
    rows = [
        {"key": key, "label": label, "mean": use[key], "peak": use.get(f"{key}_peak")}
        for key, label in labels.items()
        if key in use
    ]
    if hits is not None:
        rows.append({"key": "", "label": _("Prompt tokens from the prefix cache"), "mean": hits, "peak": hits})
    return rows


def neighbour_rows(option: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What stands beside the chosen layout: changes against it, and why it is not chosen."""
    return [
        _neighbour(each) | {"key": f"beside-{number}"} for number, each in enumerate(option.get("neighbours") or [])
    ]


def _neighbour(each: Mapping[str, Any]) -> dict[str, Any]:
    possible = bool(each.get("replicas"))
    saturated = possible and each.get("ttft_change") is None
    said = str(each.get("message") or "") if not possible or saturated or each["kind"] in COUNTED else ""
    return {
        "label": neighbour_words(str(each["kind"])),
        "layout": split_words(each) if possible else "",
        "accelerators": figures.signed(each["accelerators_change"], figures.number(abs(each["accelerators_change"])))
        if each.get("accelerators_change")
        else figures.number(0),
        "changes": [_change(each.get(name)) for name in ("tpot_change", "ttft_change", "capacity_change")],
        "possible": possible,
        "note": " ".join(filter(None, (said, str(each.get("reason") or "")))),
    }


COUNTED = ("accelerator_more", "accelerator_less")


def neighbour_words(kind: str) -> str:
    words = {
        "replica_more": _("One replica more"),
        "replica_less": _("One replica fewer"),
        "accelerator_more": _("One accelerator more"),
        "accelerator_less": _("One accelerator fewer"),
        "tensor": _("Best tensor split"),
        "pipeline": _("Best pipeline split"),
        "combined": _("Best split by both"),
        "replicas": _("Best independent replicas"),
        "apart": _("Prefill and decode apart"),
    }
    return words.get(kind, kind)


def split_words(each: Mapping[str, Any]) -> str:
    """Replicas and degrees of a neighbour: "2 replicas, tensor parallel 4"."""
    layout, phases = each.get("layout") or {}, each.get("phases") or {}
    replicas = int(each.get("replicas") or 0)
    parts = [ngettext("%(count)s replica", "%(count)s replicas", replicas) % {"count": figures.number(replicas)}]
    words = {
        "tensor": _("tensor parallel %(n)s"),
        "pipeline": _("pipeline parallel %(n)s"),
        "expert": _("expert parallel %(n)s"),
        "data": _("attention data parallel %(n)s"),
    }
    parts += [words[key] % {"n": layout[key]} for key in words if int(layout.get(key) or 1) > 1]
    return ", ".join([*parts, *filter(None, [phases_words(phases)])])


def phases_words(phases: Mapping[str, Any] | None) -> str:
    """Copies that prefill and that decode; empty where the same ones do both."""
    if not phases:
        return ""
    prefill = phases.get("prefill_instances", phases.get("prefill"))
    decode = phases.get("decode_instances", phases.get("decode"))
    return _("%(prefill)s for prefill, %(decode)s for decode") % {"prefill": prefill, "decode": decode}


def _change(share: float | None) -> str:
    return "" if share is None else signed(share)


def nearest_rows(option: Mapping[str, Any], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Published measurements close to the option, nearest first; `names` are those of accelerators by slug."""
    return [_nearest(point, names) for point in option.get("nearest_measured") or []]


def _nearest(point: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    about = point.get("description") or {}
    slug = str(about.get("accelerator") or "")
    engine = " ".join(filter(None, (engine_name(about.get("engine")), str(about.get("engine_version") or ""))))
    return {
        "what": f"{about.get('family', '')}, {about.get('weights_format', '')}",
        "hardware": f"{about.get('accelerators', '')} × {names.get(slug, slug)}",
        "engine": engine,
        "load": _("%(count)s in flight, %(inputs)s in, %(outputs)s out")
        % {
            "count": figures.number(about.get("concurrent_requests") or 0),
            "inputs": figures.number(about.get("input_tokens") or 0),
            "outputs": figures.number(about.get("output_tokens") or 0),
        },
        "tpot": figures.milliseconds(point["tpot_ms"]),
        "ttft": figures.milliseconds(point["ttft_ms"]) if point.get("ttft_ms") is not None else "",
        "distance": figures.number(point["distance"], 1),
        "source": str(point.get("reference") or ""),
    }


def sensitivity_rows(option: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Change of each metric where one input grows by a tenth; inputs that move nothing are left out."""
    moved = option.get("sensitivities") or {}
    names = list(moved.get("tpot") or {})
    effects = {name: [(moved.get(metric) or {}).get(name) for metric in METRICS] for name in names}
    strength = {name: max(abs(value or 0.0) for value in values) for name, values in effects.items()}
    return [
        {"label": input_words(name), "changes": _signed(effects[name])}
        for name in sorted(names, key=lambda n: (-strength[n], n))
        if strength[name] >= LEAST
    ]


LEAST = 5e-4
"""Below this an input moves a metric by less than the last digit that is shown."""


def _signed(values: Sequence[float | None]) -> list[str]:
    return ["" if value is None else signed(value * SWING) for value in values]


def claim_rows(option: Mapping[str, Any]) -> list[dict[str, str]]:
    """What is claimed of serving beside what was computed for this option."""
    return [
        {
            "label": claim_words(claim),
            "claimed": figures.times(claim["low"], claim["high"]),
            "computed": figures.times(claim["value"], claim["value"]),
            "range": figures.times(claim["value_low"], claim["value_high"])
            if claim.get("value_low") is not None
            else "",
            "source": str(claim.get("source") or ""),
        }
        for claim in option.get("claims") or []
    ]


def claim_words(claim: Mapping[str, Any]) -> str:
    inputs = claim.get("inputs") or {}
    words = {
        "continuous_batching": _(
            "Continuous against static batches of %(batch)s; 95 of 100 answers are at most %(p95_over_mean)s times the "
            "mean"
        ),
        "speculative_decoding": _(
            "Speculative decoding: %(draft_tokens)s tokens drafted a step, %(acceptance_percent)s %% of them accepted"
        ),
    }
    shown = {key: figures.figure(value) for key, value in inputs.items()}
    return str(words.get(claim["name"], claim["name"])) % shown
