"""Parts of the result that the schema describes: figures, money, verdicts, cost, delivery, screening, parts list."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


@extend_schema_field(OpenApiTypes.ANY)
class AnyField(serializers.JSONField):
    """Any JSON value."""


def number(**kwargs: Any) -> serializers.FloatField:
    return serializers.FloatField(allow_null=True, **kwargs)


def text(**kwargs: Any) -> serializers.CharField:
    return serializers.CharField(allow_null=True, **kwargs)


class Shape(serializers.Serializer[Any]):
    """Base of the descriptions."""


class EstimateSerializer(Shape):
    """An estimated figure; `low` to `high` is a 90 % interval, `basis: unknown` has `value: null`."""

    value = number()
    low = number()
    high = number()
    unit = serializers.CharField()
    basis = serializers.CharField(help_text="measured, interpolated, calibrated, formula or unknown; may grow")
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    explain = serializers.CharField(allow_blank=True)


class MoneySerializer(Shape):
    """An amount as text, so that no digit is lost; unknown has `amount: null`, never 0."""

    amount = text()
    low = text()
    high = text()
    currency = serializers.CharField()
    basis = serializers.CharField(allow_blank=True)
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    as_of = serializers.CharField(allow_blank=True, help_text="ISO date; empty where undated")


class VerdictSerializer(Shape):
    """One judgement; `code` is stable, `reason` is worded in the reader's language."""

    state = serializers.CharField(help_text="ok, caution, fail or unknown")
    margin = number(help_text="Share of room that is left; negative where short")
    code = serializers.CharField()
    params = serializers.DictField()
    reason = serializers.CharField()
    margin_bytes = serializers.IntegerField(required=False, allow_null=True, help_text="Of the memory verdict.")


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
    short_bytes = serializers.IntegerField(
        required=False, allow_null=True, help_text="What is missing, of a rejection."
    )


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


class BatchPointSerializer(Shape):
    """What waiting for a batch of this size costs and gives on one replica."""

    batch = serializers.IntegerField()
    delay_s = number(help_text="Longest wait of a request until the batch is full.")
    batch_s = number()
    p95_s = number(required=False, help_text="Null where batches of this size do not carry the load.")
    busy = number(help_text="Share of the time in which the device works.")
    items_per_s = number(help_text="At most, with full batches.")
    kept = serializers.BooleanField(allow_null=True, help_text="The limit; null without one.")
    chosen = serializers.BooleanField(help_text="The quickest answer among batches that carry the load.")


class PerformanceSerializer(Shape):
    """Speed. The fields named here are those of language models; other kinds have their own beside or instead."""

    ttft_ms = PercentilesSerializer(required=False)
    tpot_ms = PercentilesSerializer(required=False)
    e2e_ms = PercentilesSerializer(required=False)
    output_tokens_per_s_per_replica = EstimateSerializer(required=False)
    output_tokens_per_s_total = EstimateSerializer(required=False)
    saturated = serializers.BooleanField(required=False)
    slot_wait_ms = EstimateSerializer(
        required=False, allow_null=True, help_text="How long a request waits until a sequence slot is free."
    )
    goodput = number(required=False, help_text="Share of requests that keep every limit, 0 to 1.")
    prefix_hit_share = EstimateSerializer(
        required=False, allow_null=True, help_text="Share of the prompt tokens that the prefix cache returns."
    )
    batching = BatchPointSerializer(
        many=True, required=False, help_text="Kinds that gather single requests: delay against batch on one replica."
    )
    requests_in_flight_per_replica = number(required=False)
    simulated = serializers.BooleanField(
        required=False, help_text="True: percentiles from the event simulation; false: from closed forms."
    )


class UtilisationSerializer(Shape):
    compute = EstimateSerializer()
    bandwidth = EstimateSerializer()
    kv = EstimateSerializer()
    compute_peak = EstimateSerializer(required=False, help_text="Of the busiest hour, as the others named peak.")
    bandwidth_peak = EstimateSerializer(required=False)
    kv_peak = EstimateSerializer(required=False)
    device = EstimateSerializer(required=False, help_text="Share of the time in which the accelerator works at all.")
    device_peak = EstimateSerializer(required=False)


class ListedRateSerializer(Shape):
    """A price as the list of an offer has it."""

    unit = serializers.CharField(help_text="accelerator_hour, million_input_tokens or million_output_tokens; may grow")
    price = MoneySerializer()
    quantity = serializers.FloatField(help_text="Accelerators, or tokens of one request")


class AgainstSerializer(Shape):
    """Renting, or an API by the token, beside owning."""

    kind = serializers.CharField(help_text="rent or api")
    name = serializers.CharField()
    per_year = MoneySerializer()
    break_even_months = number()
    break_even_requests_per_day = number()
    per_request = MoneySerializer(required=False, allow_null=True)
    pricing_model = serializers.CharField(required=False, allow_blank=True)
    region = serializers.CharField(required=False, allow_blank=True)
    allowed = serializers.BooleanField(required=False, help_text="False: outside the regions that were allowed.")
    at_least = serializers.BooleanField(required=False)
    beyond_capacity = serializers.BooleanField(required=False)
    rates = ListedRateSerializer(many=True, required=False, help_text="What the sums are made of")
    exchange_rate = number(required=False, help_text="From the currency of the list to that of the result")


class CostSerializer(Shape):
    purchase = MoneySerializer()
    per_year = MoneySerializer()
    per_million_tokens = MoneySerializer()
    per_request = MoneySerializer()
    complete = serializers.BooleanField()
    open_lines = serializers.IntegerField()
    against = AgainstSerializer(many=True)
    at_most = MoneySerializer(
        required=False, allow_null=True, help_text="Purchase if every open line costs what such lines cost at most."
    )
    accelerators_priced = serializers.BooleanField(
        required=False, help_text="False: even the accelerators have no price, so the amounts say little."
    )
    indicative = MoneySerializer(
        required=False, allow_null=True, help_text="With weak sources, too; never enters a quote."
    )
    per_million_tokens_full_load = MoneySerializer(required=False, allow_null=True)
    energy_per_year = MoneySerializer(required=False, allow_null=True)
    energy_kwh_per_year = EstimateSerializer(required=False, allow_null=True)
    running_per_year = MoneySerializer(required=False, allow_null=True)
    running_complete = serializers.BooleanField(required=False)
    missing = serializers.ListField(child=serializers.CharField(), required=False, help_text="What is not known.")
    advice = AnyField(required=False)


class OptionDeliverySerializer(Shape):
    weeks_p50 = number()
    weeks_p90 = number()
    date_p50 = text()
    date_p90 = text()
    complete = serializers.BooleanField()
    deciding_line = text()
    deciding_line_p90 = text(required=False)
    unknown_lines = serializers.ListField(child=serializers.CharField(), required=False)
    after_parts_weeks = number(required=False, help_text="Assembly, test and shipping after the last part.")
    message = text(required=False, help_text="The same in one sentence.")


class ScreeningRollUpSerializer(Shape):
    flag = serializers.CharField(help_text="pass, fail, review or unknown")
    applicability = serializers.CharField()
    counts = serializers.DictField(child=serializers.IntegerField())
    rule = text(required=False, help_text="The rule that decided whether it applies.")


class OptionScreeningSerializer(Shape):
    taa = ScreeningRollUpSerializer()
    s889 = ScreeningRollUpSerializer()
    s5949 = ScreeningRollUpSerializer(required=False)
    s1260h = ScreeningRollUpSerializer(required=False)
    export = ScreeningRollUpSerializer(required=False)
    parties = ScreeningRollUpSerializer(required=False, help_text="Only where the organisation uses own lists.")


class LeadWeeksSerializer(Shape):
    low = number()
    typical = number()
    high = number()
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    as_of = text()
    at_least = serializers.BooleanField(required=False, help_text="True: no upper bound is known.")
    for_class = serializers.BooleanField(required=False, help_text="True: stated for the class of goods.")


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
    power_w = number()
    reason = serializers.CharField(allow_blank=True)
    description_message = AnyField(
        required=False, help_text="Code and parameters of the description, for other languages."
    )
    name = serializers.CharField(required=False, allow_blank=True)
    part_class = serializers.CharField(required=False, allow_blank=True)
    part_known = serializers.BooleanField(required=False)
    included = serializers.BooleanField(required=False)
    indicative_price = MoneySerializer(required=False, allow_null=True)
    screening = AnyField(required=False)


class PhasesSerializer(Shape):
    """Copies of the layout that only prefill and only decode in one replica."""

    prefill_instances = serializers.IntegerField()
    decode_instances = serializers.IntegerField()
