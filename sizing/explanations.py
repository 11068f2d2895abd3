"""What stands behind a figure of an option: value, interval, basis, source, inputs, the verdict's reason."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sizing import figures
from sizing.beside_explanations import beside_explanation
from sizing.core.explain import REGISTER
from sizing.cost_explanations import cost_explanation
from sizing.count_explanations import count_explanation
from sizing.explanation_parts import Explanation
from sizing.formulas import FORMULAS
from sizing.line_explanations import line_explanation
from sizing.memory_explanations import memory_explanation
from sizing.models import SizingRun
from sizing.offer_explanations import offer_explanation
from sizing.presentation import OptionView, load_words
from sizing.stored import frame_of
from sizing.verdict_words import LABELS

FIGURES: dict[str, tuple[str | Promise, Callable[[Mapping[str, Any]], Any]]] = {
    "throughput": (gettext_lazy("Output in total"), lambda data: data["performance"]["output_tokens_per_s_total"]),
    "per_replica": (
        gettext_lazy("Output per replica"),
        lambda data: data["performance"]["output_tokens_per_s_per_replica"],
    ),
    "draw": (gettext_lazy("Power draw"), lambda data: data["power_w"]),
    "energy": (gettext_lazy("Energy per million tokens"), lambda data: data["energy_kwh_per_million_tokens"]),
    "energy_year": (gettext_lazy("Energy in a year"), lambda data: data["cost"]["energy_kwh_per_year"]),
}
LATENCIES: dict[str, str | Promise] = {
    "ttft": gettext_lazy("Time to first token"),
    "tpot": gettext_lazy("Time per output token"),
    "e2e": gettext_lazy("End-to-end time"),
}
STATISTICS = ("mean", "p50", "p95", "p99")
USES: dict[str, str | Promise] = {
    "compute": gettext_lazy("Utilisation of compute"),
    "bandwidth": gettext_lazy("Utilisation of memory bandwidth"),
    "kv": gettext_lazy("Utilisation of the KV cache"),
    "device": gettext_lazy("Accelerator busy"),
}
OF_ANY_KIND = ("draw", "energy_year")
MEASURED = (*LATENCIES, "throughput", "per_replica")  # of these there are measured points to compare with


def explanation(
    option: OptionView, request: Mapping[str, Any], key: str, *, run: SizingRun | None = None
) -> Explanation | None:
    """The explanation behind `key`, or None where the option has no such figure.

    With `run` a price and a lead time name the observation of the catalogue that they come from.
    """
    found = _figure(option.data, key)
    if found is not None and (key in OF_ANY_KIND or not option.kind_figures):
        return _of_figure(option, request, key, *found)
    return (
        cost_explanation(option, request, _assumed(run), key)
        or line_explanation(option, run, key)
        or count_explanation(option, request, key)
        or offer_explanation(option, request, key)
        or memory_explanation(option, key)
        or beside_explanation(option, key)
        or _of_kind(option, request, key)
        or _of_verdict(option, request, key)
    )


def _assumed(run: SizingRun | None) -> dict[str, Any]:
    """What a run took for inputs that were not stated, by the path of the input."""
    entries = frame_of(run).get("assumptions") or [] if run is not None else []
    return {str(entry.get("field")): entry.get("value") for entry in entries}


def _figure(data: Mapping[str, Any], key: str) -> tuple[str, Mapping[str, Any]] | None:
    """Name and estimate of a figure: `tpot` or `tpot-p99`, `kv` or `kv_peak`, or one of FIGURES."""
    metric, _dash, statistic = key.partition("-")
    try:
        if metric in LATENCIES and (statistic or "p95") in STATISTICS:
            title = f"{LATENCIES[metric]}, {_('mean') if statistic == 'mean' else statistic or 'p95'}"
            estimate = data["performance"][f"{metric}_ms"][statistic or "p95"]
        elif key.removesuffix("_peak") in USES:
            title, estimate = str(USES[key.removesuffix("_peak")]), data["utilisation"][key]
        elif key in FIGURES:
            title, estimate = str(FIGURES[key][0]), FIGURES[key][1](data)
        else:
            return None
    except (KeyError, TypeError):
        return None
    return (title, estimate) if isinstance(estimate, Mapping) else None


def _of_kind(option: OptionView, request: Mapping[str, Any], key: str) -> Explanation | None:
    """A figure of a kind besides language models, by `kind-` and its name."""
    row = next((row for row in option.kind_figures if f"kind-{row.name}" == key), None)
    if row is None:
        return None
    return Explanation(
        key=key,
        title=row.label,
        estimate=row.estimate,
        rule=row.formula,
        exact=REGISTER.get(str(row.estimate.get("explain") or "")),
        source=row.source,
        inputs=inputs_of(option, request),
    )


def _of_verdict(option: OptionView, request: Mapping[str, Any], key: str) -> Explanation | None:
    verdict = next((verdict for verdict in option.verdicts if verdict.key == key), None)
    if verdict is None:
        return None
    return Explanation(
        key=key,
        title=_("Verdict: %(subject)s") % {"subject": LABELS[key]},
        state=verdict.state,
        value=f"{verdict.value}. {verdict.note}".rstrip(". "),
        reason=verdict.reason,
        inputs=inputs_of(option, request),
    )


def _of_figure(
    option: OptionView, request: Mapping[str, Any], key: str, title: str, estimate: Mapping[str, Any]
) -> Explanation:
    return Explanation(
        key=key,
        title=title,
        estimate=estimate,
        formula=FORMULAS.get(str(estimate.get("explain") or "")),
        exact=REGISTER.get(str(estimate.get("explain") or "")),
        source=str(estimate.get("source") or ""),
        inputs=inputs_of(option, request),
        nearest=_nearest(option) if key.partition("-")[0] in MEASURED else [],
    )


def inputs_of(option: OptionView, request: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the figures of an option rest on, as stated or chosen."""
    data, traffic = option.data, request.get("traffic") or {}
    memory = data.get("memory_per_accelerator") or {}
    rows = [
        (_("Load"), load_words(request)),
        (_("Input per request"), _tokens(traffic.get("input_tokens"))),
        (_("Output per request"), _tokens(traffic.get("output_tokens"))),
        (_("Hardware"), option.hardware),
        (_("Layout"), option.layout),
        (_("Weight format"), str(data.get("weights_format") or "")),
        (_("KV cache format"), str(data.get("kv_format") or "")),
        (_("Weights per accelerator"), _gb(memory.get("weight_bytes"))),
        (_("KV cache per accelerator"), _gb(memory.get("kv_pool_bytes"))),
    ]
    return [(label, text) for label, text in rows if text]


def _tokens(stated: Any) -> str:
    mean = stated.get("mean") if isinstance(stated, Mapping) else stated
    return "" if mean is None else figures.with_unit(figures.number(mean), _("tokens"))


def _gb(value: Any) -> str:
    return "" if value is None else figures.gigabytes(value)


def _nearest(option: OptionView) -> list[str]:
    """The measured points closest to the option: what they are, what they reached, how far they lie."""
    lines = []
    for point in option.data.get("nearest_measured") or []:
        what = _described(point.get("description") or {})
        words = _(
            "%(what)s: %(tpot)s per token. Distance %(distance)s (1 is about a doubling of one input). %(source)s"
        )
        values = {
            "what": what or point.get("reference", ""),
            "tpot": figures.milliseconds(point["tpot_ms"]),
            "distance": figures.number(point["distance"], 1),
            "source": point.get("reference", ""),
        }
        lines.append(words % values)
    return lines


def _described(stated: Mapping[str, Any]) -> str:
    """What was measured, by the words that forms use; facts without a word here are left to the method page."""
    labels = {
        "model": _("Model"),
        "accelerator": _("Accelerator"),
        "accelerators": _("Accelerators"),
        "engine": _("Engine"),
        "engine_version": _("Engine version"),
        "weights_format": _("Weight format"),
        "tensor_parallel": _("Tensor parallel"),
        "concurrent_requests": _("Requests in flight"),
        "input_tokens": _("Input per request"),
        "output_tokens": _("Output per request"),
        "measured_on": _("Measured on"),
    }
    parts = []
    for key, label in labels.items():
        value = stated.get(key)
        if value not in (None, ""):
            text = figures.day(value) if key == "measured_on" else value
            parts.append(f"{label}: {figures.figure(text) if isinstance(text, int | float) else text}")
    return ", ".join(parts)
