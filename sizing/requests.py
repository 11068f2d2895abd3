"""The request of a sizing run: one grammar for the API, the form and the command line.

Shape and ranges are checked here, field by field; whether a model or accelerator exists and whether
a layout suits the model is checked when the catalogue is at hand (`inputs.py`).
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from config.rest.serializers import refuse_other_than_object
from sizing.choices import BuyerType, Kind
from sizing.core.links import NETWORK_LATENCY_S
from sizing.core.values import Message
from sizing.trace_field import TraceField, with_lengths

MAX_TOKENS = 100_000_000
MAX_CONFIG_BYTES = 8_000_000
ENGINES = (
    "vllm", "sglang", "tensorrt-llm", "triton", "tensorrt", "onnxruntime",
    "llama-cpp", "openvino", "tgi", "lmdeploy", "nim", "dynamo",
)  # fmt: skip
SPECULATION = ("mtp", "draft_model", "ngram")
LOADS = ("concurrent_requests", "requests_per_s", "users", "trace")
PERCENTILES = ("mean", "p50", "p95", "p99")
DEFAULT_ACTIVE_SHARE = 0.25  # a quarter of the users waits for an answer at the peak: usual in offices


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldProblem:
    """One wrong field: where (JSON pointer), a stable code, and what to do, in the reader's language."""

    pointer: str
    code: str
    detail: str


class RequestProblem(ValueError):
    """A request that cannot be sized; carries every wrong field."""

    def __init__(self, errors: Sequence[FieldProblem]) -> None:
        self.errors = tuple(errors)
        self.message = Message("request_invalid", {"count": len(errors)})
        super().__init__("; ".join(f"{error.pointer}: {error.detail}" for error in errors))


class Strict(serializers.Serializer[Any]):
    """A serializer that names unknown fields instead of dropping them."""

    def to_internal_value(self, data: Any) -> Any:
        refuse_other_than_object(data, self.fields)
        problems: dict[str, Any] = {}
        if isinstance(data, Mapping):
            detail = _("There is no such field. Known here: %(known)s.") % {"known": ", ".join(sorted(self.fields))}
            unknown = data.keys() - self.fields.keys()
            problems = {str(key): [ErrorDetail(detail, code="unknown_field")] for key in unknown}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            problems |= error.detail if isinstance(error.detail, dict) else {}
        if problems:
            raise serializers.ValidationError(problems)
        return values


class Number(serializers.FloatField):
    """A finite number: NaN and Infinity pass every range check of the base class."""

    def to_internal_value(self, data: Any) -> float:
        value = super().to_internal_value(data)
        if isinstance(data, bool) or not math.isfinite(value):
            self.fail("invalid")
        return value


def number_field(low: float, high: float, **kwargs: Any) -> Number:
    return Number(min_value=low, max_value=high, required=False, allow_null=True, **kwargs)


def whole_field(low: int, high: int, **kwargs: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=low, max_value=high, required=False, allow_null=True, **kwargs)


def text_field(length: int = 200, **kwargs: Any) -> serializers.CharField:
    return serializers.CharField(max_length=length, required=False, allow_null=True, allow_blank=True, **kwargs)


def _words(length: int = 100) -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(max_length=length), max_length=100, required=False, allow_null=True
    )


class LengthsField(serializers.Field[Any, Any, Any, Any]):
    """Tokens: a number (the mean) or an object with mean, p95, min and max."""

    def to_internal_value(self, data: Any) -> dict[str, float | None]:
        if isinstance(data, bool) or not isinstance(data, int | float | Mapping):
            raise serializers.ValidationError(_("Give a number of tokens, or an object with mean, p95, min, max."))
        stated = data if isinstance(data, Mapping) else {"mean": data}
        serializer = _Lengths(data=stated)
        serializer.is_valid(raise_exception=True)
        values = {key: serializer.validated_data.get(key) for key in ("mean", "p95", "min", "max")}
        known = [values[key] for key in ("min", "mean", "p95", "max") if values[key] is not None]
        if values["mean"] is not None and known != sorted(known):
            raise serializers.ValidationError(_("min, mean, p95 and max must not fall."), code="order")
        return values

    def to_representation(self, value: Any) -> Any:
        return value


class _Lengths(Strict):
    mean = Number(min_value=1, max_value=MAX_TOKENS)
    p95 = number_field(1, MAX_TOKENS)
    min = number_field(0, MAX_TOKENS)
    max = number_field(1, MAX_TOKENS)


class ModelField(Strict):
    """The model: by catalogue id, by the content of its config.json, or by its shape."""

    id = text_field()
    config = serializers.DictField(required=False, allow_null=True)
    name = text_field()
    shape = serializers.DictField(required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        given = [key for key in ("id", "config", "shape") if attrs.get(key)]
        if len(given) != 1:
            raise serializers.ValidationError(
                _("Give exactly one of id, config and shape; given: %(given)s.")
                % {"given": ", ".join(given) or _("none")},
                code="one_of",
            )
        for key in ("config", "shape"):
            if attrs.get(key):
                attrs[key] = _storable(attrs[key], key)
        return attrs


def _storable(mapping: Mapping[str, Any], key: str) -> Any:
    """The mapping as JSON that a database holds: no NUL, no lone surrogate, Infinity as text, of sane size."""
    try:
        text = json.dumps(_finite(mapping), ensure_ascii=False)
        text.encode()
    except (RecursionError, UnicodeEncodeError, TypeError, ValueError):
        raise serializers.ValidationError(
            {key: [_("This is not a readable JSON object: too deep, or with broken characters.")]}, code="invalid"
        ) from None
    if "\\u0000" in text:
        raise serializers.ValidationError({key: [_("Remove the NUL characters.")]}, code="invalid")
    if len(text) > MAX_CONFIG_BYTES:
        raise serializers.ValidationError(
            {key: [_("A config.json has a few kilobytes; this one has %(size)d bytes.") % {"size": len(text)}]},
            code="too_large",
        )
    return json.loads(text)


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


class TrafficField(Strict):
    """The load of an LLM: one of concurrent_requests, requests_per_s, users with active_share, and a trace."""

    input_tokens = LengthsField()
    output_tokens = LengthsField()
    max_context_tokens = whole_field(1, MAX_TOKENS)
    concurrent_requests = number_field(1, 1_000_000)
    users = number_field(1, 100_000_000)
    active_share = number_field(0.0001, 1)
    requests_per_s = number_field(0.000001, 1_000_000)
    burstiness = number_field(0.05, 100)
    load_profile = serializers.ListField(child=Number(min_value=0, max_value=1000), required=False, allow_null=True)
    shared_prefix_tokens = whole_field(0, MAX_TOKENS)
    prompts_per_slot = whole_field(1, 1_000_000)
    trace = TraceField(
        required=False,
        allow_null=True,
        help_text="Recorded requests to replay in place of a rate; lengths that are not stated come from it",
    )

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(with_lengths(data))

    def validate_load_profile(self, value: list[float] | None) -> list[float] | None:
        if value and len(value) not in (24, 168):
            raise serializers.ValidationError(
                _("Give 24 or 168 hourly multipliers, not %(count)d.") % {"count": len(value)}
            )
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        given = [key for key in LOADS if attrs.get(key) is not None]
        if len(given) != 1:
            raise serializers.ValidationError(
                _("Give exactly one of concurrent_requests, requests_per_s, users and trace; given: %(given)s.")
                % {"given": ", ".join(given) or _("none")},
                code="one_of",
            )
        if attrs.get("active_share") is not None and given != ["users"]:
            raise serializers.ValidationError({"active_share": [_("It counts only together with users.")]})
        return attrs


class PercentilesField(Strict):
    """Upper limits in milliseconds at the named percentiles."""

    mean = number_field(0.01, 86_400_000)
    p50 = number_field(0.01, 86_400_000)
    p95 = number_field(0.01, 86_400_000)
    p99 = number_field(0.01, 86_400_000)


class TargetsField(Strict):
    ttft_ms = PercentilesField(required=False, allow_null=True)
    tpot_ms = PercentilesField(required=False, allow_null=True)
    e2e_ms = PercentilesField(required=False, allow_null=True)
    output_tokens_per_s = number_field(0.001, 1e12)


class ObjectField(serializers.Field[Any, Any, Any, Any]):
    """An optional object whose stated keys alone are kept: null and {} mean the same, nothing."""

    def __init__(self, grammar: type[Strict], **kwargs: Any) -> None:
        super().__init__(required=False, allow_null=True, **kwargs)
        self.grammar = grammar

    def to_internal_value(self, data: Any) -> dict[str, Any] | None:
        serializer = self.grammar(data=data)
        serializer.is_valid(raise_exception=True)
        return {key: value for key, value in serializer.validated_data.items() if value is not None} or None

    def to_representation(self, value: Any) -> Any:
        return value


class SpeculativeGrammar(Strict):
    """Drafted tokens a step, and either the acceptance of one token or the accepted tokens a step."""

    draft_tokens = number_field(1, 64)
    acceptance = number_field(0, 1)
    accepted_tokens = number_field(0, 64)
    method = serializers.ChoiceField(choices=SPECULATION, required=False, allow_null=True)
    draft_model = text_field()


class PhasesGrammar(Strict):
    """Prefill and decode on accelerators of their own: copies of the layout for each, in one replica."""

    prefill_instances = serializers.IntegerField(min_value=1, max_value=64)
    decode_instances = serializers.IntegerField(min_value=1, max_value=64)


class LoraGrammar(Strict):
    """Adapters that are held at once, and their rank."""

    adapters = whole_field(1, 10_000)
    rank = whole_field(1, 1024)


class CardsGrammar(Strict):
    """Accelerators of one type within a replica."""

    accelerator = serializers.CharField(max_length=100)
    count = serializers.IntegerField(min_value=1, max_value=1024)


class DeploymentField(Strict):
    """A pinned deployment; absent keys are chosen.

    `accelerators` states the cards of one replica type by type, in place of `accelerator` and `count`: several
    types are refused, with what the weakest of them would hold.
    """

    accelerator = text_field(100)
    accelerators = CardsGrammar(many=True, required=False, allow_null=True)
    count = whole_field(1, 100_000)
    tensor_parallel = whole_field(1, 1024)
    pipeline_parallel = whole_field(1, 1024)
    expert_parallel = whole_field(1, 1024)
    data_parallel = whole_field(1, 1024)
    engine = serializers.ChoiceField(choices=ENGINES, required=False, allow_null=True)
    engine_version = text_field(50)
    memory_utilisation = number_field(0.05, 1)
    max_batched_tokens = whole_field(1, 10_000_000)
    max_sequences = whole_field(1, 1_000_000)
    stream_interval = whole_field(0, 10_000)
    prefix_caching = serializers.BooleanField(required=False, allow_null=True)
    speculative = ObjectField(SpeculativeGrammar)
    lora = ObjectField(LoraGrammar)
    disaggregated = ObjectField(PhasesGrammar)


class SiteField(Strict):
    """Limits of the place. What is not given is named in the answer, and not judged."""

    max_power_w = number_field(1, 1e9)
    rack_units = number_field(1, 10_000)
    cooling = serializers.ChoiceField(choices=["air", "liquid"], required=False, allow_null=True)
    max_ambient_c = number_field(-60, 90)
    form_factors = _words()
    electricity_price_per_kwh = number_field(0, 1000)
    pue = number_field(1, 5)
    spare_replicas = whole_field(0, 1000)
    feeds = whole_field(1, 16)
    volts = number_field(1, 1000)
    amps = number_field(0.1, 100_000)
    dc_input_v = number_field(1, 1000)
    noise_db = number_field(1, 200)
    mounting = text_field(50)
    ports = _words()
    environment = _words()
    max_w_per_rack_unit = number_field(1, 100_000)
    max_kw_per_rack = number_field(0.1, 10_000)
    network = serializers.ChoiceField(choices=list(NETWORK_LATENCY_S), required=False, allow_null=True)
    network_gbit_s_per_accelerator = number_field(1, 10_000)
    min_ambient_c = number_field(-60, 60)
    cooling_kw = number_field(0.1, 1e6)
    max_weight_kg = number_field(1, 1e6)
    space_per_rack_unit_year = number_field(0, 1e6)


class ProcurementField(Strict):
    buyer_type = serializers.ChoiceField(choices=BuyerType.choices, required=False, allow_null=True)
    currency = serializers.RegexField(r"^[A-Z]{3}$", required=False, allow_null=True)
    budget = serializers.DecimalField(
        max_digits=14, decimal_places=2, min_value=1, required=False, allow_null=True, coerce_to_string=True
    )
    needed_by = serializers.DateField(required=False, allow_null=True)
    excluded_vendors = _words()
    destination_country = serializers.RegexField(r"^[A-Z]{2}$", required=False, allow_null=True)
    on_premises_only = serializers.BooleanField(required=False, allow_null=True)
    allowed_regions = _words()
    allowed_providers = _words()
    excluded_providers = _words()
    allowed_vendors = _words()
    uninterruptible_supply = serializers.BooleanField(required=False, allow_null=True)
    support_years = whole_field(1, 10)
    write_off_years = number_field(0.5, 20)
    residual_share = number_field(0, 0.95)
    staff_per_year = number_field(0, 1e9)
    integration_weeks = number_field(0, 52)
    shipping_weeks = number_field(0, 52)


class SizingRequestSerializer(Strict):
    """The body of `POST /api/v1/sizing-runs` and of `manage.py size`."""

    name = text_field()
    kind = serializers.ChoiceField(choices=Kind.choices)
    model = ModelField()
    weights_format = text_field(50)
    kv_format = text_field(50)
    traffic = TrafficField()
    targets = TargetsField(required=False, allow_null=True)
    serving_software = serializers.ListField(
        child=serializers.ChoiceField(choices=ENGINES), required=False, allow_null=True, max_length=20
    )
    as_of = serializers.DateField(required=False, allow_null=True)
    deployment = DeploymentField(required=False, allow_null=True)
    site = SiteField(required=False, allow_null=True)
    procurement = ProcurementField(required=False, allow_null=True)


REQUESTS: dict[str, type[Strict]] = {Kind.LLM_SERVING: SizingRequestSerializer}
"""Grammar by kind. The kinds besides language models add theirs when Django starts (`apps.py`)."""


def register(grammars: Mapping[str, type[Strict]]) -> None:
    """Add the grammars of further kinds."""
    REQUESTS.update(grammars)


def read_request(data: Mapping[str, object], *, today: date) -> dict[str, Any]:
    """The request in canonical form: every key present, null where not stated, dates as ISO text.

    `today` (UTC) is used where `as_of` is absent. Raises RequestProblem with every wrong field.
    """
    if not isinstance(data, Mapping):
        raise RequestProblem([FieldProblem(pointer="", code="invalid", detail=_("The request must be a JSON object."))])
    grammar = REQUESTS.get(str(data.get("kind")), SizingRequestSerializer)
    serializer = grammar(data=data)
    if not serializer.is_valid():
        raise RequestProblem(list(_problems(serializer.errors, data)))
    stated = _complete(serializer, dict(serializer.validated_data))
    stated["name"] = stated["name"] or str(Kind(stated["kind"]).label)
    stated["as_of"] = stated["as_of"] or today.isoformat()
    return stated


def _complete(serializer: serializers.Serializer[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """`values` with every declared key, nested sections included, and nothing that JSON cannot hold."""
    complete: dict[str, Any] = {}
    for name, field in serializer.fields.items():
        value = values.get(name)
        if isinstance(field, serializers.Serializer):
            complete[name] = _complete(field, value or {})
        elif isinstance(value, date):
            complete[name] = value.isoformat()
        else:
            complete[name] = str(value) if isinstance(field, serializers.DecimalField) and value is not None else value
    return complete


def _problems(errors: Any, data: object, pointer: str = "") -> Iterator[FieldProblem]:
    """Flatten the serializer's errors into JSON pointers; the value at fault is quoted in the detail."""
    if isinstance(errors, Mapping):
        for key, inner in errors.items():
            here = pointer if key == "non_field_errors" else f"{pointer}/{_escape(str(key))}"
            below = data.get(key) if isinstance(data, Mapping) and key != "non_field_errors" else data
            yield from _problems(inner, below, here)
        return
    for index, error in enumerate(errors):
        if isinstance(error, Mapping):
            below = data[index] if isinstance(data, Sequence) and index < len(data) else None
            yield from _problems(error, below, f"{pointer}/{index}")
        else:
            yield FieldProblem(pointer=pointer, code=getattr(error, "code", "invalid"), detail=_quoted(error, data))


def _quoted(error: object, value: object) -> str:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return _("%(detail)s Given: %(value)s.") % {"detail": error, "value": repr(value)[:80]}
    return str(error)


def _escape(key: str) -> str:
    """A key as a JSON pointer token (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")[:200]
