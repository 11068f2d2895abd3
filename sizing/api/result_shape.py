"""The result of a run as the schema describes it: option, rejection, whole. The body itself is the stored result;
fields may be added. Nothing is serialised by these classes: they say what `sizing.result` writes.
"""

from rest_framework import serializers

from sizing.api.result_extras import (
    EfficiencySerializer,
    LoadPointSerializer,
    MeasuredPointSerializer,
    NeighbourSerializer,
    RedundancySerializer,
    RoofSerializer,
    SensitivityLineSerializer,
)
from sizing.api.result_parts import (
    AcceleratorMemorySerializer,
    AnyField,
    BomLineSerializer,
    CostSerializer,
    EstimateSerializer,
    FixSerializer,
    MemoryFigureSerializer,
    OptionDeliverySerializer,
    OptionScreeningSerializer,
    OptionVerdictsSerializer,
    ParallelismSerializer,
    PerformanceSerializer,
    PhasesSerializer,
    Shape,
    UtilisationSerializer,
    number,
    text,
)

__all__ = ["AnyField", "OptionSerializer", "SizingResultSerializer"]


class OptionSerializer(Shape):
    """One way to run the workload, with everything that follows from it."""

    id = serializers.UUIDField(required=False, help_text="Of the stored option; absent in answers of the command line.")
    rank = serializers.IntegerField()
    labels = serializers.ListField(child=serializers.CharField())
    accelerator = serializers.CharField()
    accelerator_name = serializers.CharField(required=False)
    accelerator_power_w = EstimateSerializer(required=False)
    accelerators_total = serializers.IntegerField()
    replicas = serializers.IntegerField()
    accelerators_per_replica = serializers.IntegerField()
    accelerators_beside = serializers.IntegerField(
        required=False, help_text="For other models of the workload (retrieval)"
    )
    parallelism = ParallelismSerializer()
    phases = PhasesSerializer(required=False, allow_null=True)
    engine = serializers.CharField()
    engine_version = serializers.CharField(allow_blank=True, allow_null=True)
    weights_format = serializers.CharField()
    kv_format = serializers.CharField()
    server = text()
    servers = serializers.IntegerField(allow_null=True)
    verdicts = OptionVerdictsSerializer()
    memory_per_accelerator = AcceleratorMemorySerializer()
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
    server_name = text(required=False)
    spare_replicas = serializers.IntegerField(required=False)
    rack_units = number(required=False)
    weight_kg = number(required=False)
    power_max_w = EstimateSerializer(required=False)
    heat_btu_per_h = EstimateSerializer(required=False)
    kv_tokens_per_replica_windows_honoured = serializers.IntegerField(required=False, allow_null=True)
    engine_settings = serializers.DictField(required=False)
    evidence = serializers.CharField(required=False, help_text="How near the measured points are.")
    memory_figures = MemoryFigureSerializer(many=True, required=False)
    roofline = RoofSerializer(required=False, allow_null=True)
    load_curve = LoadPointSerializer(many=True, required=False)
    neighbours = NeighbourSerializer(many=True, required=False)
    nearest_measured = MeasuredPointSerializer(many=True, required=False)
    sensitivity = AnyField(required=False, help_text="Share by which time per token moves with each input.")
    sensitivities = AnyField(required=False, help_text="The same for time per token and time to first token.")
    cost_sensitivity = SensitivityLineSerializer(many=True, required=False)
    elasticity = AnyField(required=False)
    redundancy = RedundancySerializer(required=False, allow_null=True)
    efficiency = EfficiencySerializer(required=False, allow_null=True)
    delivery_what_if = AnyField(required=False)
    problems = AnyField(required=False, help_text="What a builder of the server would refuse.")
    claims = AnyField(required=False)
    unknowns = serializers.ListField(child=serializers.CharField(), required=False)
    warnings = serializers.ListField(child=serializers.CharField(), required=False)


class RejectionSerializer(Shape):
    """Why an accelerator is no option, and the cheapest change that would make it one."""

    accelerator = serializers.CharField()
    code = serializers.CharField()
    params = serializers.DictField()
    reason = serializers.CharField()
    cheapest_fix = text()
    fixes = FixSerializer(many=True, required=False)
    deployment = AnyField(required=False, help_text="The best attempt; null where there was none.")
    memory_per_accelerator = AcceleratorMemorySerializer(required=False, allow_null=True)
    memory_figures = MemoryFigureSerializer(many=True, required=False)


class RoleSerializer(Shape):
    """A named role (lowest cost, soonest …) and the option that fills it; rank null where none can."""

    name = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True)
    code = serializers.CharField(required=False)
    message = serializers.CharField(allow_blank=True)


class AssumptionSerializer(Shape):
    field = serializers.CharField()
    value = AnyField()
    code = serializers.CharField(required=False)
    params = serializers.DictField(required=False)
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
    name = serializers.CharField(required=False)
    architecture = serializers.CharField(required=False, allow_blank=True)
    layers = serializers.IntegerField(required=False, allow_null=True)
    weights_format = serializers.CharField(required=False)
    kv_format = serializers.CharField(required=False)


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
    roles = RoleSerializer(many=True, required=False)
    points_evaluated = serializers.IntegerField(required=False, help_text="Deployments that were judged.")
    coefficients_version = serializers.CharField(required=False)
