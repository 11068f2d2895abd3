"""The result of a run as the schema describes it. The body itself is the stored result; fields may be added.

Nothing is serialised by these classes: they say what `sizing.result` writes.
"""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


@extend_schema_field(OpenApiTypes.ANY)
class AnyField(serializers.JSONField):
    """Any JSON value."""


def _number(**kwargs: Any) -> serializers.FloatField:
    return serializers.FloatField(allow_null=True, **kwargs)


def _text(**kwargs: Any) -> serializers.CharField:
    return serializers.CharField(allow_null=True, **kwargs)


class Shape(serializers.Serializer[Any]):
    """Base of the descriptions."""


class EstimateSerializer(Shape):
    """An estimated figure; `low` to `high` is a 90 % interval, `basis: unknown` has `value: null`."""

    value = _number()
    low = _number()
    high = _number()
    unit = serializers.CharField()
    basis = serializers.CharField(help_text="measured, interpolated, calibrated, formula or unknown; may grow")
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    explain = serializers.CharField(allow_blank=True)


class MoneySerializer(Shape):
    """An amount as text, so that no digit is lost; unknown has `amount: null`, never 0."""

    amount = _text()
    low = _text()
    high = _text()
    currency = serializers.CharField()
    basis = serializers.CharField(allow_blank=True)
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    as_of = serializers.CharField(allow_blank=True, help_text="ISO date; empty where undated")


class VerdictSerializer(Shape):
    """One judgement; `code` is stable, `reason` is worded in the reader's language."""

    state = serializers.CharField(help_text="ok, caution, fail or unknown")
    margin = _number(help_text="Share of room that is left; negative where short")
    code = serializers.CharField()
    params = serializers.DictField()
    reason = serializers.CharField()


class ParallelismSerializer(Shape):
    tensor = serializers.IntegerField()
    pipeline = serializers.IntegerField()
    expert = serializers.IntegerField()
    data = serializers.IntegerField()  # type: ignore[assignment]


class OptionVerdictsSerializer(Shape):
    memory = VerdictSerializer()
    speed = VerdictSerializer()
    software = VerdictSerializer()
    power = VerdictSerializer()
    rack = VerdictSerializer()
    cooling = VerdictSerializer()
    delivery = VerdictSerializer()
    budget = VerdictSerializer()


class AcceleratorMemorySerializer(Shape):
    """Bytes of one accelerator."""

    usable_bytes = serializers.IntegerField()
    weight_bytes = serializers.IntegerField()
    activation_bytes = serializers.IntegerField()
    runtime_bytes = serializers.IntegerField()
    kv_pool_bytes = serializers.IntegerField()


class MemoryFigureSerializer(Shape):
    """One part of the memory of an accelerator: its formula, the same with numbers, and where the numbers come from."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    value_bytes = serializers.FloatField()
    formula = serializers.CharField()
    numbers = serializers.CharField()
    inputs = serializers.DictField()
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]


class FixSerializer(Shape):
    """One change that would make it fit, with its effect in words and figures."""

    kind = serializers.CharField(
        help_text="settings, kv_format, weights_format, context, more_accelerators, other_accelerator, offload, …"
    )
    code = serializers.CharField()
    params = serializers.DictField()
    reason = serializers.CharField()


class PercentilesSerializer(Shape):
    mean = EstimateSerializer()
    p50 = EstimateSerializer()
    p95 = EstimateSerializer()
    p99 = EstimateSerializer()


class PerformanceSerializer(Shape):
    """Speed. The fields named here are those of language models; other kinds have their own beside or instead."""

    ttft_ms = PercentilesSerializer(required=False)
    tpot_ms = PercentilesSerializer(required=False)
    e2e_ms = PercentilesSerializer(required=False)
    output_tokens_per_s_per_replica = EstimateSerializer(required=False)
    output_tokens_per_s_total = EstimateSerializer(required=False)
    saturated = serializers.BooleanField(required=False)


class UtilisationSerializer(Shape):
    compute = EstimateSerializer()
    bandwidth = EstimateSerializer()
    kv = EstimateSerializer()


class AgainstSerializer(Shape):
    """Renting, or an API by the token, beside owning."""

    kind = serializers.CharField(help_text="rent or api")
    name = serializers.CharField()
    per_year = MoneySerializer()
    break_even_months = _number()
    break_even_requests_per_day = _number()


class CostSerializer(Shape):
    purchase = MoneySerializer()
    per_year = MoneySerializer()
    per_million_tokens = MoneySerializer()
    per_request = MoneySerializer()
    complete = serializers.BooleanField()
    open_lines = serializers.IntegerField()
    against = AgainstSerializer(many=True)


class OptionDeliverySerializer(Shape):
    weeks_p50 = _number()
    weeks_p90 = _number()
    date_p50 = _text()
    date_p90 = _text()
    complete = serializers.BooleanField()
    deciding_line = _text()


class ScreeningRollUpSerializer(Shape):
    flag = serializers.CharField(help_text="pass, fail, review or unknown")
    applicability = serializers.CharField()
    counts = serializers.DictField(child=serializers.IntegerField())


class OptionScreeningSerializer(Shape):
    taa = ScreeningRollUpSerializer()
    s889 = ScreeningRollUpSerializer()


class LeadWeeksSerializer(Shape):
    low = _number()
    typical = _number()
    high = _number()
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    as_of = _text()


class BomLineSerializer(Shape):
    line = serializers.CharField()
    kind = serializers.CharField(help_text="base, option, service, licence, included")
    manufacturer = serializers.CharField(allow_blank=True)
    mpn = serializers.CharField(allow_blank=True)
    part = serializers.CharField(allow_blank=True)
    description = serializers.CharField(allow_blank=True)
    quantity = serializers.FloatField()
    unit_price = MoneySerializer(allow_null=True)
    lead_weeks = LeadWeeksSerializer(allow_null=True)
    origin = AnyField()
    power_w = _number()
    reason = serializers.CharField(allow_blank=True)


class PhasesSerializer(Shape):
    """Copies of the layout that only prefill and only decode in one replica."""

    prefill_instances = serializers.IntegerField()
    decode_instances = serializers.IntegerField()


class OptionSerializer(Shape):
    """One way to run the workload, with everything that follows from it."""

    rank = serializers.IntegerField()
    labels = serializers.ListField(child=serializers.CharField())
    accelerator = serializers.CharField()
    accelerators_total = serializers.IntegerField()
    replicas = serializers.IntegerField()
    accelerators_per_replica = serializers.IntegerField()
    accelerators_beside = serializers.IntegerField(help_text="for other models of the workload (retrieval)")
    parallelism = ParallelismSerializer()
    phases = PhasesSerializer(required=False, allow_null=True)
    engine = serializers.CharField()
    engine_version = serializers.CharField(allow_blank=True, allow_null=True)
    weights_format = serializers.CharField()
    kv_format = serializers.CharField()
    server = _text()
    servers = serializers.IntegerField(allow_null=True)
    verdicts = OptionVerdictsSerializer()
    memory_per_accelerator = AcceleratorMemorySerializer()
    memory_figures = MemoryFigureSerializer(many=True)
    kv_tokens_per_replica = serializers.IntegerField(allow_null=True)
    max_concurrent_requests_per_replica = serializers.IntegerField(allow_null=True)
    performance = PerformanceSerializer()
    bottleneck = serializers.CharField()
    power_w = EstimateSerializer()
    energy_kwh_per_million_tokens = EstimateSerializer()
    utilisation = UtilisationSerializer()
    cost = CostSerializer()
    delivery = OptionDeliverySerializer()
    screening = OptionScreeningSerializer()
    bom = BomLineSerializer(many=True)


class RejectionSerializer(Shape):
    """Why an accelerator is no option, and the cheapest change that would make it one."""

    accelerator = serializers.CharField()
    code = serializers.CharField()
    params = serializers.DictField()
    reason = serializers.CharField()
    cheapest_fix = _text()
    fixes = FixSerializer(many=True)
    memory_per_accelerator = AcceleratorMemorySerializer(allow_null=True)
    memory_figures = MemoryFigureSerializer(many=True)


class AssumptionSerializer(Shape):
    field = serializers.CharField()
    value = AnyField()
    code = serializers.CharField(required=False)
    reason = serializers.CharField()


class ResultModelSerializer(Shape):
    """What the model takes. Fields about tokens and cache exist for language models only."""

    parameters_total = serializers.IntegerField(required=False)
    parameters_active = serializers.IntegerField(required=False)
    weight_bytes = serializers.IntegerField(required=False)
    kv_bytes_per_token = serializers.FloatField(required=False)
    kv_bytes_per_token_window_ignored = serializers.FloatField(required=False)
    state_bytes_per_sequence = serializers.IntegerField(required=False)
    max_context_tokens = serializers.IntegerField(allow_null=True, required=False)
    notes = AnyField(required=False)


class SizingResultSerializer(Shape):
    """The answer to a sizing request; equal `input_hash`, equal answer."""

    engine_version = serializers.CharField()
    catalog_version = serializers.CharField()
    price_snapshot = serializers.CharField()
    as_of = serializers.DateField()
    input_hash = serializers.CharField()
    model = ResultModelSerializer()
    options = OptionSerializer(many=True)
    rejected = RejectionSerializer(many=True)
    assumptions = AssumptionSerializer(many=True)
    warnings = AnyField()
