"""Shapes of the sizing API. The request's grammar is `sizing.requests.SizingRequestSerializer`."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from sizing.choices import RunState
from sizing.messages import render
from sizing.models import SizingRun


class ProgressSerializer(serializers.Serializer[Any]):
    stage = serializers.CharField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()


class SizingRunSerializer(serializers.ModelSerializer[SizingRun]):
    """A run as a job: where it stands, and where its result will be."""

    id = serializers.CharField(source="key")
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=RunState.choices)
    progress = serializers.SerializerMethodField()
    message = serializers.SerializerMethodField()
    result = serializers.SerializerMethodField()

    class Meta:
        model = SizingRun
        fields = [
            "id", "name", "state", "progress", "message", "as_of", "created_at", "started_at", "finished_at", "result",
        ]  # fmt: skip

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, run: SizingRun) -> dict[str, object]:
        return {"stage": run.stage, "done": run.progress_done, "total": run.progress_total}

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_message(self, run: SizingRun) -> str | None:
        return render(run.message) or None

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_result(self, run: SizingRun) -> str | None:
        if run.state != RunState.DONE:
            return None
        return self.context["request"].build_absolute_uri(reverse("api:sizing-run-result", args=[run.key]))
