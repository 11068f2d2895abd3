"""What stands behind a figure of an option: value, interval, basis, source, inputs, the verdict's reason."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sizing import figures
from sizing.core.explain import REGISTER
from sizing.core.explain import Formula as RegisteredFormula
from sizing.formulas import FORMULAS, Formula
from sizing.presentation import OptionView, load_words
from sizing.verdict_words import LABELS

FIGURES: dict[str, tuple[str | Promise, Callable[[Mapping[str, Any]], Any]]] = {
    "ttft": (gettext_lazy("Time to first token, p95"), lambda data: data["performance"]["ttft_ms"]["p95"]),
    "tpot": (gettext_lazy("Time per output token, p95"), lambda data: data["performance"]["tpot_ms"]["p95"]),
    "e2e": (gettext_lazy("End-to-end time, p95"), lambda data: data["performance"]["e2e_ms"]["p95"]),
    "throughput": (gettext_lazy("Output in total"), lambda data: data["performance"]["output_tokens_per_s_total"]),
    "per_replica": (
        gettext_lazy("Output per replica"),
        lambda data: data["performance"]["output_tokens_per_s_per_replica"],
    ),
    "draw": (gettext_lazy("Power draw"), lambda data: data["power_w"]),
    "energy": (gettext_lazy("Energy per million tokens"), lambda data: data["energy_kwh_per_million_tokens"]),
    "compute": (gettext_lazy("Utilisation of compute"), lambda data: data["utilisation"]["compute"]),
    "bandwidth": (gettext_lazy("Utilisation of memory bandwidth"), lambda data: data["utilisation"]["bandwidth"]),
    "kv": (gettext_lazy("Utilisation of the KV cache"), lambda data: data["utilisation"]["kv"]),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One figure or verdict, opened. `estimate` is None for a verdict."""

    key: str
    title: str
    estimate: Mapping[str, Any] | None = None
    state: str = ""
    value: str = ""
    reason: str = ""
    formula: Formula | None = None
    exact: RegisteredFormula | None = None  # as the core computes it, in the symbols of the method
    source: str = ""
    inputs: list[tuple[str, str]] = field(default_factory=list)
    nearest: list[str] = field(default_factory=list)


def explanation(option: OptionView, request: Mapping[str, Any], key: str) -> Explanation | None:
    """The explanation behind `key`, or None where the option has no such figure."""
    if key in FIGURES and not option.kind_figures:
        return _of_figure(option, request, key)
    verdict = next((verdict for verdict in option.verdicts if verdict.key == key), None)
    if verdict is None:
        return None
    return Explanation(
        key=key,
        title=_("Verdict: %(subject)s") % {"subject": LABELS[key]},
        state=verdict.state,
        value=f"{verdict.value}. {verdict.note}".rstrip(". "),
        reason=verdict.reason,
        inputs=_inputs(option, request),
    )


def _of_figure(option: OptionView, request: Mapping[str, Any], key: str) -> Explanation | None:
    title, find = FIGURES[key]
    try:
        estimate = find(option.data)
    except (KeyError, TypeError):
        return None
    if not isinstance(estimate, Mapping):
        return None
    return Explanation(
        key=key,
        title=str(title),
        estimate=estimate,
        formula=FORMULAS.get(str(estimate.get("explain") or "")),
        exact=REGISTER.get(str(estimate.get("explain") or "")),
        source=str(estimate.get("source") or ""),
        inputs=_inputs(option, request),
        nearest=_nearest(option) if key in ("ttft", "tpot", "e2e", "throughput", "per_replica") else [],
    )


def _inputs(option: OptionView, request: Mapping[str, Any]) -> list[tuple[str, str]]:
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
