"""What the model page shows: facts, drawing, memory against context and concurrency, formulas with numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from sizing import available, figures
from sizing.core.engines import engine_memory
from sizing.core.fixes import Deployment, Serves, memory_fixes, memory_verdict_message, plan_of
from sizing.core.hardware import Accelerator
from sizing.core.memory import MemoryPlan, longest_request_tokens, max_sequences_of_length, sequence_bytes
from sizing.core.memory_explained import explain_memory
from sizing.core.model.architecture import ModelArchitecture
from sizing.core.model.features import ModelFeatures, WeightBytes, model_features, weight_bytes
from sizing.core.model.parameters import total_parameters
from sizing.core.model.weight_files import ExactBytes, exact_weights, served_bytes
from sizing.core.parallelism import Layout, layout_notes, layout_problems
from sizing.core.precision import BF16, FP8, INT4, NVFP4, StorageFormat
from sizing.core.request import CacheChoice, WeightChoice
from sizing.core.values import State
from sizing.core.verdicts import TIGHT_MEMORY_SHARE
from sizing.engines import engine_name
from sizing.memory_bar import MemoryBar, memory_bar
from sizing.memory_figures import figure_row
from sizing.messages import localised, render
from sizing.model_charts import memory_chart
from sizing.model_drawing import drawing
from sizing.model_facts import model_facts
from sizing.result import memory_figures

TENSOR_DEGREES = (1, 2, 4, 8, 16)
LARGEST_DEFAULT_CONTEXT = 32_768
"""Context that the page starts with where the model allows more: few requests use all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Where the model is to run; None is chosen."""

    weights_format: StorageFormat | None = None
    kv_format: StorageFormat = BF16
    accelerator: str | None = None
    tensor: int | None = None
    pipeline: int | None = None
    engine: str = "vllm"
    context: int | None = None
    sequences: int | None = None


def model_page(model: ModelArchitecture, wanted: Wanted, *, exact: ExactBytes | None = None) -> dict[str, Any]:
    """The page's context. Every size comes with formula, numbers and source."""
    features = model_features(model)
    weights = weight_bytes(model, wanted.weights_format)
    if exact is not None and wanted.weights_format is None:
        weights = exact_weights(model, weights, exact)
    facts = model_facts(model, weights_format=wanted.weights_format, kv_format=wanted.kv_format)
    context: dict[str, Any] = {
        "name": model.name or model.architecture or model.model_type,
        "facts": facts,
        "rows": fact_rows(facts, exact, served_bytes(model, exact) if exact is not None else 0),
        "drawing": drawing(model),
        "exact": _exact_row(exact, facts, total_parameters(model)),
        "notes": [warning["reason"] for warning in facts["warnings"]],
        "filled": facts["filled_defaults"],
    }
    if model.is_encoder:
        return context | {"deployment": None, "encoder": True}
    deployment = deployment_of(model, features, weights, wanted)
    return context | {"deployment": deployment} | (_placed(deployment) if deployment is not None else {})


def deployment_of(
    model: ModelArchitecture, features: ModelFeatures, weights: WeightBytes, wanted: Wanted
) -> Deployment | None:
    """The replica that memory is shown for; None where no accelerator up to 16 holds it and none is named."""
    longest = features.max_context_tokens or LARGEST_DEFAULT_CONTEXT
    base = Deployment(
        features=features,
        weights=weights,
        kv_format=wanted.kv_format,
        device=available.current().accelerators[0],
        layout=Layout(tensor=wanted.tensor or 1, pipeline=wanted.pipeline or 1),
        engine=engine_memory(wanted.engine),
        max_context_tokens=wanted.context or min(longest, LARGEST_DEFAULT_CONTEXT),
        sequences=wanted.sequences or 1,
        weight_choices={storage.slug: weight_bytes(model, storage) for storage in (FP8, NVFP4, INT4)},
        other_devices=available.current().accelerators,
        serves=_serves(model, weights, wanted),
    )
    named = [each for each in _devices() if each.slug == wanted.accelerator]
    return _smallest(base, named or available.current().accelerators, wanted, forced=bool(named))


def _serves(model: ModelArchitecture, weights: WeightBytes, wanted: Wanted) -> Serves:
    """What the sources say that the engine serves; unknown counts as no."""
    engine = available.engine_choice(wanted.engine, available.current().compatibility)
    stored = model.quantisation.main_format if model.quantisation is not None else BF16
    formats = {"": wanted.weights_format or stored} | {storage.slug: storage for storage in (FP8, NVFP4, INT4)}

    def serves(device: Accelerator, slug: str, cache: StorageFormat) -> bool:
        choice = WeightChoice(slug=formats[slug].slug, storage=formats[slug], weights=weights)
        verdict = engine.support(device, choice, CacheChoice(slug=cache.slug, storage=cache))
        return verdict.state in {State.OK, State.CAUTION}

    return serves


def _devices() -> Sequence[Accelerator]:
    offered = available.current()
    return (*offered.accelerators, *offered.unsold)


def _smallest(base: Deployment, devices: Sequence[Accelerator], wanted: Wanted, *, forced: bool) -> Deployment | None:
    """The least memory in all that holds it, by size and slug; of a named device its first degree that holds it."""
    degrees = [wanted.tensor] if wanted.tensor else list(TENSOR_DEGREES)
    tried: list[tuple[int, str, Deployment]] = []
    for device in devices:
        if not forced and not base.served(device=device):
            continue
        for tensor in degrees:
            layout = Layout(tensor=tensor, pipeline=wanted.pipeline or 1)
            one = _with(base, device, layout)
            total = device.usable_memory_bytes * layout.accelerators
            if not layout_problems(base.features, layout) and (plan := plan_of(one)).fits:
                enough = max_sequences_of_length(plan, one.max_context_tokens) >= one.sequences
                tried += [(total, device.slug, one)] if enough else []
    if tried:
        return min(tried, key=lambda entry: entry[:2])[2]
    return _with(base, devices[0], Layout(tensor=degrees[0], pipeline=wanted.pipeline or 1)) if forced else None


def _with(base: Deployment, device: Accelerator, layout: Layout) -> Deployment:
    return replace(base, device=device, layout=layout)


def _placed(deployment: Deployment) -> dict[str, Any]:
    """Verdict, bar, chart and formulas of the chosen replica."""
    problems = layout_problems(deployment.features, deployment.layout)
    plan = plan_of(deployment)
    held = max_sequences_of_length(plan, plan.max_context_tokens)
    fits = not problems and plan.fits and held >= deployment.sequences
    reason = problems[0] if problems else memory_verdict_message(deployment, plan)
    figures_ = explain_memory(
        plan,
        deployment.features,
        deployment.weights,
        device=deployment.device,
        layout=deployment.layout,
        engine=deployment.engine,
        kv_format=deployment.kv_format,
    )
    return {
        "state": _state(plan, fits=fits),
        "software": "" if deployment.served() else _("No source says that this software serves the format on it."),
        "verdict": render(reason),
        "fixes": [] if fits or problems else [render(fix) for fix in memory_fixes(deployment)],
        "layout_notes": []
        if problems
        else [render(note) for note in layout_notes(deployment.features, deployment.layout)],
        "place": place_words(deployment),
        "bar": _bar(plan),
        "margin": _margin(plan),
        "held": held,
        "longest": longest_request_tokens(plan),
        "chart": memory_chart(deployment, plan),
        "formulas": [figure_row(localised(entry)) for entry in memory_figures(figures_)],
    }


def _state(plan: MemoryPlan, *, fits: bool) -> str:
    if not fits:
        return "fail"
    return "caution" if plan.margin < TIGHT_MEMORY_SHARE else "ok"


def place_words(deployment: Deployment) -> str:
    """Accelerators, split and software of the replica."""
    layout = deployment.layout
    words = _("%(count)s × %(name)s, tensor %(tensor)s, pipeline %(pipeline)s, %(engine)s")
    return words % {
        "count": layout.accelerators,
        "name": deployment.device.name,
        "tensor": layout.tensor,
        "pipeline": layout.pipeline,
        "engine": engine_name(deployment.engine.slug),
    }


def _bar(plan: MemoryPlan) -> MemoryBar:
    parts = {
        "weights": plan.weight_bytes,
        "kv": min(plan.kv_pool_bytes, sequence_bytes(plan, plan.max_context_tokens)),
        "activation": plan.activation_bytes,
        "runtime": plan.runtime_bytes,
    }
    return memory_bar(parts, usable_bytes=float(plan.usable_bytes))


def _margin(plan: MemoryPlan) -> str:
    """What stays free beside one longest request, in bytes and as a share of what the engine may use."""
    size = figures.gigabytes(plan.margin * plan.budget_bytes, 2)
    return f"{size} ({figures.percent(plan.margin, 1)})"


def fact_rows(facts: Mapping[str, Any], exact: ExactBytes | None, served: int) -> list[tuple[str, str]]:
    """The facts of the model, label and text; `served` are the bytes of the files once they are loaded."""
    active, total = facts["parameters_active"], facts["parameters_total"]
    rows = [
        (_("Architecture"), str(facts["architecture"])),
        (_("Parameters"), figures.count_of_parameters(total)),
        (_("Active per token"), figures.count_of_parameters(active) if active != total else ""),
        (_("Weights"), f"{figures.gigabytes(facts['weight_bytes'], 2)} ({facts['weights_format']})"),
        (_("KV cache per token"), f"{figures.number(facts['kv_bytes_per_token'])} {_('bytes')} ({facts['kv_format']})"),
        (_("KV cache per token, windows ignored"), _ignored(facts)),
        (_("Sliding window"), _window(facts)),
        (_("State per sequence"), _optional(facts["state_bytes_per_sequence"], figures.gigabytes)),
        (_("Matrix operations per token"), f"{figures.number(facts['matmul_flops_per_token'] / 1e9, 1)} GFLOP"),
        (
            _("Longest context"),
            figures.number(facts["max_context_tokens"]) if facts["max_context_tokens"] else _("unknown"),
        ),
        (_("Towers"), _optional(facts["vision_parameters"], figures.count_of_parameters)),
        (_("Prediction layers (MTP)"), _optional(facts["mtp_parameters"], figures.count_of_parameters)),
    ]
    if exact is not None:
        rows.insert(4, (_("Weights, exact from the files"), figures.gigabytes(exact.total_bytes, 2)))
        if served != exact.total_bytes:
            rows.insert(5, (_("Weights loaded, 32-bit values in 16 bits"), figures.gigabytes(served, 2)))
    return [(label, text) for label, text in rows if text]


def _optional(value: int, words: Callable[[int], str]) -> str:
    return words(value) if value else ""


def _ignored(facts: Mapping[str, Any]) -> str:
    ignored = facts["kv_bytes_per_token_window_ignored"]
    return figures.with_unit(figures.number(ignored), _("bytes")) if ignored != facts["kv_bytes_per_token"] else ""


def _window(facts: Mapping[str, Any]) -> str:
    if not facts["sliding_window"]:
        return ""
    words = _("%(tokens)s tokens in %(sliding)s of %(layers)s layers")
    return words % {
        "tokens": figures.number(facts["sliding_window"]),
        "sliding": facts["sliding_layers"],
        "layers": facts["layers"],
    }


def _exact_row(exact: ExactBytes | None, facts: Mapping[str, Any], parameters: int) -> dict[str, Any] | None:
    """How far the computed bytes lie from those of the files, and the formats inside."""
    if exact is None:
        return None
    computed = facts["weight_bytes"]
    return {
        "kind": exact.kind,
        "files": exact.files,
        "bytes": figures.gigabytes(exact.total_bytes, 2),
        "difference": figures.percent(computed / exact.total_bytes - 1, 2) if exact.total_bytes else "",
        "per_weight": figures.number(exact.total_bytes * 8 / parameters, 2) if parameters else "",
        "formats": [
            (name, figures.gigabytes(size, 2)) for name, size in sorted(exact.by_format.items(), key=lambda e: -e[1])
        ],
    }
