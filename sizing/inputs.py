"""The one place where a request and the catalogue's rows become the core's values, in base units."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from catalog.models import AiModel
from catalog.models import StorageFormat as FormatRow
from catalog.nearest import nearest_names
from sizing import available
from sizing.choices import Kind
from sizing.core.candidate import Assumption
from sizing.core.engines import engine_memory
from sizing.core.errors import InvalidDeployment, InvalidModel, InvalidWorkload
from sizing.core.extras import Additions, DraftModel
from sizing.core.model.architecture import ModelArchitecture
from sizing.core.model.features import ModelFeatures, model_features, same_family, weight_bytes
from sizing.core.model.parse import parse_config
from sizing.core.model.typed_shape import parse_shape
from sizing.core.model.weight_files import ExactBytes, exact_weights, served_bytes
from sizing.core.parallelism import Layout, Phases, layout_problems
from sizing.core.precision import BF16, FP8, INT4, NVFP4, SHORT_NAMES, Rate, StorageFormat
from sizing.core.request import CacheChoice, CoreRequest, WeightChoice
from sizing.core.simulate.arrivals import TRACE_REQUESTS, busiest, gap_variation, rate_of
from sizing.core.units import GB, MS_PER_S
from sizing.core.values import Message
from sizing.core.workload import LengthMix, Pinned, Site, Target, Targets, TraceRow, Traffic
from sizing.requests import DEFAULT_ACTIVE_SHARE, PERCENTILES

DEFAULT_CONTEXT_SHARE = 2.0  # the longest request is planned with twice the mean, where nothing is stated
CONTEXT_STEP_TOKENS = 1024
DEFAULT_ADAPTER_RANK = 16  # the limit that vLLM reserves for where none is set (max_lora_rank)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request as the core reads it, with the values that Kvote filled in."""

    model: ModelArchitecture
    features: ModelFeatures
    core: CoreRequest
    assumptions: tuple[Assumption, ...]


def asked(stated: Mapping[str, Any]) -> Asked:
    """Turn a canonical request into core values.

    Raises SizingError where the model is unknown or unreadable, where a format or accelerator does not
    exist, or where the lengths go beyond the model's context.
    """
    assumptions: list[Assumption] = []
    model = model_of(stated["model"])
    features = model_features(model)
    weights = _weights(stated["weights_format"], model, assumptions)
    weights = _from_files(weights, model, stated["model"].get("weight_files"), assumptions)
    pinned = _pinned(stated["deployment"], stated["serving_software"], assumptions, weights=weights.slug)
    traffic = _traffic(stated["traffic"], features, assumptions, layout_refused=_layout_refused(features, pinned))
    core = CoreRequest(
        model=features,
        weights=(weights,),
        caches=(_cache(stated["kv_format"], assumptions),),
        smaller_caches=() if stated["kv_format"] else (CacheChoice(slug=FP8.slug, storage=FP8),),
        traffic=traffic,
        targets=_targets(stated["targets"]),
        site=site_of(stated["site"]),
        pinned=pinned,
        other_weights=_smaller_weights(model, weights),
        excluded_vendors=tuple(stated["procurement"]["excluded_vendors"] or ()),
        additions=additions(stated["deployment"], features, assumptions),
    )
    return Asked(model=model, features=features, core=core, assumptions=tuple(assumptions))


def model_of(stated: Mapping[str, Any], *, at: str = "/model/id") -> ModelArchitecture:
    """The model by catalogue id, config.json or shape; errors of an id point `at` it."""
    if stated.get("config"):
        return _with_pointer(stated["config"], stated.get("name") or "", "/model/config")
    if stated.get("shape"):
        return _with_pointer(stated["shape"], stated.get("name") or "", "/model/shape")
    wanted = stated["id"].strip()
    row = AiModel.objects.filter(model_id__iexact=wanted).first() or _by_short_name(wanted)
    if row is None:
        known = list(AiModel.objects.values_list("model_id", flat=True))
        near = nearest_names(wanted, known)
        raise InvalidModel("model_not_in_catalogue", at, value=wanted, nearest=", ".join(near) or "—")
    return _with_pointer(row.config, row.model_id, "/model/id")


def _by_short_name(wanted: str) -> AiModel | None:
    """The only model whose id ends in the name given without its publisher."""
    if "/" in wanted:
        return None
    found = AiModel.objects.filter(model_id__iendswith=f"/{wanted}")[:2]
    return found[0] if len(found) == 1 else None


def _with_pointer(config: Mapping[str, Any], name: str, at: str) -> ModelArchitecture:
    """Parse; an error's pointer becomes one into the request."""
    try:
        return parse_shape(config, name=name) if at == "/model/shape" else parse_config(config, name=name)
    except InvalidModel as error:
        pointer = at + error.pointer if at != "/model/id" else at
        raise InvalidModel(error.code, pointer, **error.message.params) from None


def storage_format(slug: str, pointer: str) -> StorageFormat:
    """A short name or a slug of the catalogue's storage formats. Raises InvalidWorkload naming the choices."""
    if slug.lower() in SHORT_NAMES:
        return SHORT_NAMES[slug.lower()]
    row = FormatRow.objects.filter(slug__iexact=slug).first()
    bits = (row.model_bits_per_weight if row.family == "gguf" else row.exact_bits_per_weight) if row else None
    if row is None or not bits:
        raise InvalidWorkload("format_unknown", pointer, value=slug, known=", ".join(SHORT_NAMES))
    return StorageFormat(
        slug=row.slug,
        bytes_per_value=bits / 8,
        compute=_compute_rate(row),
        weight_only=row.activation_precision.lower().startswith(("bf16", "fp16")) and bits < 16,
    )


def _compute_rate(row: FormatRow) -> Rate:
    """The rate that products of this format run at: that of its activations."""
    activations = row.activation_precision.lower()
    return next((rate for rate in (Rate.FP8, Rate.FP4, Rate.INT8, Rate.FP32) if rate in activations), Rate.BF16)


def _weights(slug: str | None, model: ModelArchitecture, assumptions: list[Assumption]) -> WeightChoice:
    stored = model.quantisation.main_format if model.quantisation else BF16
    storage = storage_format(slug, "/weights_format") if slug else stored
    if not slug:
        assumptions.append(_assumed("weights_format", storage.slug, "assumed_weights_as_stored"))
    own = model.quantisation
    as_stored = same_family(storage, own) if own is not None else storage.slug == stored.slug
    return WeightChoice(
        slug=storage.slug,
        storage=storage,
        weights=weight_bytes(model, storage if slug else None),
        as_stored=as_stored,
        block_scaled=bool(as_stored and own is not None and own.block) or "block" in storage.slug,
    )


def _from_files(
    choice: WeightChoice, model: ModelArchitecture, files: Mapping[str, Any] | None, assumptions: list[Assumption]
) -> WeightChoice:
    """The weights with the exact bytes of their files, where they are served as stored; both said so.

    Raises InvalidModel where the files cannot hold the model.
    """
    if not files:
        return choice
    exact = exact_of(files)
    named: dict[str, str | float] = {"source": exact.source or exact.kind, "size_gb": round(exact.total_bytes / GB, 3)}
    if not choice.as_stored:
        assumptions.append(
            _assumed("model.weight_files", exact.total_bytes, "assumed_files_converted", format=choice.slug, **named)
        )
        return choice
    weights = exact_weights(model, choice.weights, exact)
    computed = round(choice.weights.total_bytes / GB, 3)
    assumptions.append(
        _assumed("model.weight_files", exact.total_bytes, "assumed_weight_files", computed_gb=computed, **named)
    )
    if (served := served_bytes(model, exact)) != exact.total_bytes:
        served_gb = round(served / GB, 3)
        assumptions.append(_assumed("model.weight_files", served, "assumed_files_narrowed", served_gb=served_gb))
    return replace(choice, weights=weights)


def exact_of(files: Mapping[str, Any]) -> ExactBytes:
    """What the request says of its weight files."""
    return ExactBytes(
        kind=files["kind"],
        total_bytes=files["bytes"],
        files=files.get("files") or 1,
        by_format=files.get("bytes_by_format") or {},
        elements=files.get("elements"),
        source=files.get("source") or "",
        revision=files.get("revision") or "",
    )


def _smaller_weights(model: ModelArchitecture, served: WeightChoice) -> tuple[WeightChoice, ...]:
    """Formats that a fix may propose in place of the stated one; after files, only those below their bytes."""
    stored = model.quantisation
    choices = [
        WeightChoice(slug=storage.slug, storage=storage, weights=weight_bytes(model, storage))
        for storage in (FP8, NVFP4, INT4)
        if stored is None or storage.bytes_per_value < stored.main_format.bytes_per_value
    ]
    limit = served.weights.total_bytes if served.weights.source else None
    return tuple(choice for choice in choices if limit is None or choice.weights.total_bytes < limit)


def _cache(slug: str | None, assumptions: list[Assumption]) -> CacheChoice:
    if not slug:
        assumptions.append(_assumed("kv_format", "bf16", "assumed_cache_bf16"))
    storage = storage_format(slug, "/kv_format") if slug else BF16
    return CacheChoice(slug=storage.slug, storage=storage)


def _assumed(field: str, value: str | float | int | bool, code: str, **params: str | float | int) -> Assumption:
    return Assumption(field=field, value=value, message=Message(code, {"value": value, **params}))


def _layout_refused(features: ModelFeatures, pinned: Pinned | None) -> bool:
    """True where the pinned split does not suit the model: the answer then says so, whatever else is wrong."""
    if pinned is None or pinned.tensor_parallel is None:
        return False
    return bool(layout_problems(features, Layout(tensor=pinned.tensor_parallel)))


def _traffic(
    stated: Mapping[str, Any], model: ModelFeatures, assumptions: list[Assumption], *, layout_refused: bool
) -> Traffic:
    given, answer = _lengths(stated["input_tokens"]), _lengths(stated["output_tokens"])
    limit = 0 if layout_refused else model.max_context_tokens
    longest = (given.maximum or given.p95 or given.mean) + (answer.maximum or answer.p95 or answer.mean)
    if limit and longest > limit:
        raise InvalidWorkload("lengths_beyond_model", "/traffic/input_tokens", tokens=int(longest), limit=limit)
    context = stated["max_context_tokens"]
    if context is not None and limit and context > limit:
        raise InvalidWorkload("context_beyond_model", "/traffic/max_context_tokens", value=context, limit=limit)
    if context is not None and context < longest:
        raise InvalidWorkload(
            "context_below_lengths", "/traffic/max_context_tokens", value=context, tokens=math.ceil(longest)
        )
    if context is None:
        context = math.ceil(longest * DEFAULT_CONTEXT_SHARE / CONTEXT_STEP_TOKENS) * CONTEXT_STEP_TOKENS
        context = min(context, limit) if limit else context
        assumptions.append(_assumed("traffic.max_context_tokens", context, "assumed_context", tokens=context))
    if (stated["shared_prefix_tokens"] or 0) > given.mean:
        raise InvalidWorkload(
            "prefix_beyond_input", "/traffic/shared_prefix_tokens", value=stated["shared_prefix_tokens"]
        )
    window = _replayed(stated.get("trace"), assumptions)
    return Traffic(
        input_tokens=given,
        output_tokens=answer,
        max_context_tokens=context,
        concurrent_requests=_in_flight(stated, assumptions),
        requests_per_s=_rate(stated, window),
        burstiness=stated["burstiness"] or (gap_variation(window) if window else 1.0),
        trace=window,
        prompts_per_slot=stated["prompts_per_slot"],
        shared_prefix_tokens=stated["shared_prefix_tokens"] or 0,
        load_profile=tuple(stated["load_profile"] or ()),
    )


def _replayed(rows: Sequence[Sequence[float]] | None, assumptions: list[Assumption]) -> tuple[TraceRow, ...]:
    """The part of a trace that decides: as many requests in a row as are simulated, where they come fastest."""
    if not rows:
        return ()
    window = busiest([(float(row[0]), int(row[1]), int(row[2])) for row in rows], TRACE_REQUESTS)
    rate = rate_of(window)
    assumptions.append(
        _assumed("traffic.trace", len(window), "assumed_trace", requests=len(rows), requests_per_s=round(rate, 4))
    )
    return window


def _rate(stated: Mapping[str, Any], window: Sequence[TraceRow]) -> float | None:
    rate: float | None = rate_of(window) if window else stated["requests_per_s"]
    return rate


def _lengths(stated: Mapping[str, float | None]) -> LengthMix:
    return LengthMix(mean=float(stated["mean"] or 0), p95=stated["p95"], minimum=stated["min"], maximum=stated["max"])


def _in_flight(stated: Mapping[str, Any], assumptions: list[Assumption]) -> float | None:
    """Requests in flight at the peak; users x share where users are stated."""
    if stated["users"] is None:
        in_flight: float | None = stated["concurrent_requests"]
        return in_flight
    share: float | None = stated["active_share"]
    if share is None:
        share = DEFAULT_ACTIVE_SHARE
        assumptions.append(_assumed("traffic.active_share", share, "assumed_active_share", share_pct=share * 100))
    return max(1.0, float(stated["users"]) * share)


def _targets(stated: Mapping[str, Any]) -> Targets:
    limits = [
        Target(metric=metric, percentile=percentile, limit_s=limit_ms / MS_PER_S)
        for metric in ("ttft", "tpot", "e2e")
        for percentile in PERCENTILES
        if (limit_ms := stated[f"{metric}_ms"][percentile]) is not None
    ]
    return Targets(limits=tuple(limits), output_tokens_per_s=stated["output_tokens_per_s"])


def site_of(stated: Mapping[str, Any]) -> Site:
    plain = {name: value for name, value in stated.items() if name in Site.__dataclass_fields__}
    for name in ("form_factors", "ports", "environment", "device_classes"):
        plain[name] = tuple(plain.get(name) or ())
    plain["spare_replicas"] = plain["spare_replicas"] or 0
    return Site(**plain)


def _pinned(
    stated: Mapping[str, Any], software: Sequence[str] | None, assumptions: list[Assumption], *, weights: str
) -> Pinned | None:
    stated = _one_type(stated)
    apart = stated.get("disaggregated")
    if not apart and all(value is None for name, value in stated.items() if name in Pinned.__dataclass_fields__):
        return None
    if stated["engine"] is None and not software:
        usual = available.usual_engines(weights, pinned=True)[0]
        code = "assumed_engine" if usual == available.PINNED_ENGINE else "assumed_engine_gguf"
        assumptions.append(_assumed("deployment.engine", usual, code))
    if stated["accelerator"] is not None:
        available.require_accelerator(stated["accelerator"], processors=True)
    if stated["engine"] is not None:
        engine_memory(stated["engine"])
    plain = {name: value for name, value in stated.items() if name in Pinned.__dataclass_fields__}
    drafts = stated["speculative"] or {}
    plain["accelerators"] = tuple((each["accelerator"], each["count"]) for each in stated.get("accelerators") or ())
    plain["speculative"] = {name: value for name, value in drafts.items() if isinstance(value, int | float)} or None
    phases = Phases(prefill=apart["prefill_instances"], decode=apart["decode_instances"]) if apart else None
    return Pinned(**plain, phases=phases)


def _one_type(stated: Mapping[str, Any]) -> Mapping[str, Any]:
    """The deployment with `accelerators` of one type as `accelerator` and `count`; several types stay as they are.

    Raises InvalidDeployment where both ways are used, InvalidHardware for an unknown type.
    """
    cards = stated.get("accelerators") or []
    if not cards:
        return {**stated, "accelerators": None}
    if stated["accelerator"] is not None:
        raise InvalidDeployment("accelerators_stated_twice", "/deployment/accelerators", value=stated["accelerator"])
    for each in cards:
        available.require_accelerator(each["accelerator"])
    if len({each["accelerator"] for each in cards}) > 1:
        return stated
    total = sum(each["count"] for each in cards)
    return {**stated, "accelerator": cards[0]["accelerator"], "count": total, "accelerators": None}


def additions(stated: Mapping[str, Any], model: ModelFeatures, assumptions: list[Assumption]) -> Additions:
    """What is served beside the model: prediction layers or a draft model, and adapters.

    Raises InvalidModel for an unknown draft model, InvalidDeployment where prediction layers are asked for
    that the checkpoint lacks.
    """
    drafts, lora = stated["speculative"] or {}, stated.get("lora") or {}
    method = drafts.get("method") or _method(drafts, model)
    if method == "mtp" and not model.mtp_parameters:
        raise InvalidDeployment("no_prediction_layers", "/deployment/speculative/method", model=model.name)
    if drafts and (method is None or (method == "draft_model" and not drafts.get("draft_model"))):
        assumptions.append(_assumed("deployment.speculative", 0, "assumed_draft_without_memory"))
    return Additions(
        prediction_layers=1 if method == "mtp" else 0,
        draft=_draft(drafts["draft_model"]) if drafts.get("draft_model") else None,
        adapters=lora.get("adapters", 1) if lora else 0,
        adapter_rank=lora.get("rank", DEFAULT_ADAPTER_RANK) if lora else 0,
    )


def _method(drafts: Mapping[str, Any], model: ModelFeatures) -> str | None:
    """How tokens are drafted where the request does not say: what it names, else what the checkpoint brings."""
    if not drafts:
        return None
    if drafts.get("draft_model"):
        return "draft_model"
    return "mtp" if model.mtp_parameters else None


def _draft(wanted: str) -> DraftModel:
    found = model_of({"id": wanted}, at="/deployment/speculative/draft_model")
    return DraftModel(features=model_features(found), weights=weight_bytes(found, None))


READERS: dict[str, Callable[[Mapping[str, Any]], object]] = {Kind.LLM_SERVING: asked}
"""Kind -> what turns its request into core values."""


def check(stated: Mapping[str, Any]) -> None:
    """Raises SizingError where the request contradicts the model or the catalogue, before anything is stored."""
    if reader := READERS.get(stated["kind"]):
        reader(stated)
