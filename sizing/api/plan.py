"""The benchmark plan of an option as the API gives it."""

from typing import Any

from rest_framework import serializers

from sizing.models import SizingOption, SizingRun
from sizing.serving import first_of, is_load, plan_of


class BenchmarkStepSerializer(serializers.Serializer[Any]):
    """One command. Without a rate and without requests in flight it prepares or measures by itself."""

    tool = serializers.CharField()
    concurrency = serializers.IntegerField(help_text="Requests in flight, or items of a batch; 0: not set.")
    rate_per_s = serializers.FloatField(help_text="Requests a second to one replica; 0: not set.")
    measure_first = serializers.BooleanField(help_text="Takes most of the uncertainty: measure it before the others.")
    command = serializers.CharField()


class BenchmarkPlanSerializer(serializers.Serializer[Any]):
    """`uncertainty_left`: share of the standard deviation over the sweep after the loads to measure first."""

    uncertainty_left = serializers.FloatField(allow_null=True, help_text="0 to 1; null where no load comes first.")
    steps = BenchmarkStepSerializer(many=True)


def benchmark_plan_of(run: SizingRun, row: SizingOption) -> dict[str, Any]:
    """The plan, given what the run's organisation has measured of the option."""
    first = first_of(run, row, run.organisation)
    return {
        "uncertainty_left": round(first.left, 3) if first.loads else None,
        "steps": [
            {
                "tool": step.tool,
                "concurrency": step.concurrency,
                "rate_per_s": step.rate_per_s,
                "measure_first": any(is_load(step, load) for load in first.loads),
                "command": step.command,
            }
            for step in plan_of(run, row)
        ],
    }
