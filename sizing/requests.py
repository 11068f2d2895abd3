"""The request of a sizing run: one grammar for the API, the form and the command line.

Shape and ranges are checked here, field by field; whether a model or accelerator exists and whether
a layout suits the model is checked when the catalogue is at hand (`inputs.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from config.rest.errors import flat
from config.rest.serializers import Strict
from config.rest.words import valued
from sizing.choices import BuyerType, Kind
from sizing.core.hardware import DeviceClass
from sizing.core.links import NETWORK_LATENCY_S
from sizing.core.values import Message
from sizing.model_field import LanguageModelField
from sizing.request_fields import (
    MAX_TOKENS,
    LengthsField,
    Number,
    ObjectField,
    PercentilesField,
    number_field,
    text_field,
    whole_field,
    words_field,
)
from sizing.trace_field import TraceField, with_lengths

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


class TargetsField(Strict):
    ttft_ms = PercentilesField(required=False, allow_null=True)
    tpot_ms = PercentilesField(required=False, allow_null=True)
    e2e_ms = PercentilesField(required=False, allow_null=True)
    output_tokens_per_s = number_field(0.001, 1e12)


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
    form_factors = words_field()
    electricity_price_per_kwh = number_field(0, 1000)
    pue = number_field(1, 5)
    spare_replicas = whole_field(0, 1000)
    feeds = whole_field(1, 16)
    volts = number_field(1, 1000)
    amps = number_field(0.1, 100_000)
    dc_input_v = number_field(1, 1000)
    noise_db = number_field(1, 200)
    mounting = text_field(50)
    ports = words_field()
    environment = words_field()
    max_w_per_rack_unit = number_field(1, 100_000)
    max_kw_per_rack = number_field(0.1, 10_000)
    network = serializers.ChoiceField(choices=list(NETWORK_LATENCY_S), required=False, allow_null=True)
    network_gbit_s_per_accelerator = number_field(1, 10_000)
    min_ambient_c = number_field(-60, 60)
    cooling_kw = number_field(0.1, 1e6)
    max_weight_kg = number_field(1, 1e6)
    space_per_rack_unit_year = number_field(0, 1e6)
    device_classes = serializers.ListField(
        child=serializers.ChoiceField(choices=[each.value for each in DeviceClass]),
        required=False,
        allow_null=True,
        max_length=3,
        help_text="What may be bought: cards for servers, processors alone, small computers; every one where absent",
    )


class ProcurementField(Strict):
    buyer_type = serializers.ChoiceField(choices=BuyerType.choices, required=False, allow_null=True)
    currency = serializers.RegexField(r"^[A-Z]{3}$", required=False, allow_null=True)
    budget = serializers.DecimalField(
        max_digits=14, decimal_places=2, min_value=1, required=False, allow_null=True, coerce_to_string=True
    )
    needed_by = serializers.DateField(required=False, allow_null=True)
    excluded_vendors = words_field()
    destination_country = serializers.RegexField(r"^[A-Z]{2}$", required=False, allow_null=True)
    on_premises_only = serializers.BooleanField(required=False, allow_null=True)
    allowed_regions = words_field()
    allowed_providers = words_field()
    excluded_providers = words_field()
    allowed_vendors = words_field()
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
    model = LanguageModelField()
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
        found = flat(serializers.ValidationError(serializer.errors).get_full_details())
        raise RequestProblem([FieldProblem(**entry) for entry in valued(found, data)])
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
