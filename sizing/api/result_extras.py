"""What an option says beyond the essentials: the roofs, the load curve, neighbours, what the cost hangs on."""

from rest_framework import serializers

from sizing.api.result_parts import AnyField, EstimateSerializer, ParallelismSerializer, Shape, number, text


class RoofLineSerializer(Shape):
    """The compute roof of one format."""

    format = serializers.CharField()
    tflops = number()
    ridge_flop_per_byte = number(help_text="Work for each byte from which compute limits instead of memory.")


class RoofSerializer(Shape):
    """The accelerator's roofs, and where the workload stands under them."""

    bandwidth_gb_s = number()
    roofs = RoofLineSerializer(many=True)
    points = AnyField(required=False)


class LoadPointSerializer(Shape):
    """Speed at another load."""

    requests_in_flight = number()
    requests_in_flight_per_replica = number(required=False)
    ttft_ms = EstimateSerializer()
    tpot_ms = EstimateSerializer()
    e2e_ms = EstimateSerializer(required=False)
    output_tokens_per_s = EstimateSerializer(required=False)
    saturated = serializers.BooleanField(required=False)
    simulated = serializers.BooleanField(required=False)
    stated = serializers.BooleanField(required=False, help_text="True at the load that was asked for.")
    knee = serializers.BooleanField(required=False, help_text="True where waiting begins to grow quickly.")


class NeighbourSerializer(Shape):
    """What a step to another layout or count changes; changes are shares of the present value."""

    kind = serializers.CharField()
    replicas = serializers.IntegerField(allow_null=True, required=False)
    layout = ParallelismSerializer(required=False, allow_null=True)
    ttft_change = number(required=False)
    tpot_change = number(required=False)
    throughput_change = number(required=False)
    capacity_change = number(required=False)
    accelerators_change = number(required=False)
    message = text(required=False)
    reason = text(required=False)
    phases = AnyField(required=False)


class MeasuredPointSerializer(Shape):
    """A measurement that lies near, and how far it is from this workload."""

    reference = serializers.CharField()
    distance = number()
    ttft_ms = number(required=False)
    tpot_ms = number(required=False)
    description = AnyField(required=False)
    description_message = AnyField(required=False)


class SensitivityLineSerializer(Shape):
    """What one input does to the cost of a year when it moves within its range."""

    input = serializers.CharField()
    low_per_year = serializers.CharField(allow_null=True)
    high_per_year = serializers.CharField(allow_null=True)


class RedundancySerializer(Shape):
    """What is left when one server fails."""

    replicas = serializers.IntegerField()
    spare_replicas = serializers.IntegerField()
    servers = serializers.IntegerField(allow_null=True)
    survives_failure_at_peak = serializers.BooleanField(allow_null=True)
    capacity_after_failure = number()
    missing_for_one_failure = serializers.IntegerField(allow_null=True)
    lost_with_one_server = serializers.IntegerField(required=False, allow_null=True)
    servers_per_replica = serializers.IntegerField(required=False, allow_null=True)
    needed_at_peak = serializers.IntegerField(required=False, allow_null=True)
    peak_requests_per_s = number(required=False)
    replica_requests_per_s = number(required=False)


class EfficiencySerializer(Shape):
    """Output for each watt and rack unit; null where power or height is not known."""

    per_w = number()
    per_rack_unit = number()
    unit = serializers.CharField()
    headroom = number()
