"""Shapes of the sizing API. The request's grammar is `sizing.requests.SizingRequestSerializer`."""

from typing import Any

from django.urls import reverse
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.rest.query import SparseMixin
from config.rest.serializers import Strict
from sizing.api.result_shape import AnyField
from sizing.choices import RunState, Stage
from sizing.messages import render
from sizing.model_field import ModelField
from sizing.models import SizingRun


class LengthsScheme(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """How the schema describes `input_tokens` and `output_tokens`."""

    target_class = "sizing.request_fields.LengthsField"

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        number = {"type": ["number", "null"], "minimum": 0}
        names = ("mean", "p95", "min", "max")
        lengths = {"type": "object", "properties": dict.fromkeys(names, number), "required": ["mean"]}
        return {
            "oneOf": [{"type": "number", "minimum": 1}, lengths],
            "description": "Tokens: a number (the mean), or an object with mean, p95, min and max.",
        }


class TraceScheme(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """How the schema describes recorded requests."""

    target_class = "sizing.trace_field.TraceField"

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        row = {"type": "array", "items": {"type": "number", "minimum": 0}, "minItems": 3, "maxItems": 3}
        return {
            "oneOf": [{"type": "array", "items": row}, {"type": "string"}],
            "description": "Rows of [seconds, input tokens, output tokens], or the text of a CSV or JSON-lines file.",
        }


class ObjectScheme(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """How the schema describes an optional object of its own grammar."""

    target_class = "sizing.request_fields.ObjectField"

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        component = auto_schema.resolve_serializer(self.target.grammar, direction)
        return dict(component.ref)


class ProgressSerializer(serializers.Serializer[Any]):
    """Where a run stands: the step, and how far within it."""

    stage = serializers.CharField(allow_blank=True)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    percent = serializers.IntegerField(min_value=0, max_value=100)


class SizingRunSerializer(SparseMixin, serializers.ModelSerializer[SizingRun]):
    """A run as a job: where it stands, and where its result will be."""

    id = serializers.CharField(source="key", help_text="Public id; for a visitor's run its secret.")
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=RunState.choices)
    progress = serializers.SerializerMethodField()
    message = serializers.SerializerMethodField()
    result = serializers.SerializerMethodField()

    class Meta:
        model = SizingRun
        fields = [
            "id", "name", "state", "progress", "message", "as_of", "input_hash", "created_at", "started_at",
            "finished_at", "result",
        ]  # fmt: skip

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, run: SizingRun) -> dict[str, object]:
        percent = 100 if run.state == RunState.DONE else _percent(run)
        return {"stage": run.stage, "done": run.progress_done, "total": run.progress_total, "percent": percent}

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_message(self, run: SizingRun) -> str | None:
        return render(run.message) or None

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_result(self, run: SizingRun) -> str | None:
        if run.state != RunState.DONE:
            return None
        return str(self.context["request"].build_absolute_uri(reverse("sizing-run-result", args=[run.key])))


def _percent(run: SizingRun) -> int:
    """Of the whole run: finished steps count full, the present one by its share. Never falls within a run."""
    steps = list(Stage.values)
    if run.stage not in steps:
        return 0
    within = run.progress_done / run.progress_total if run.progress_total else 0.0
    return min(99, int(100 * (steps.index(run.stage) + within) / len(steps)))


class ModelFactsRequestSerializer(Strict):
    """A model: by id, by the content of its config.json, by its shape, or by its name on the hub.

    Formats are short names or slugs. `hub` is asked where this server is online; the token is yours, passed on and
    never stored.
    """

    model = ModelField(required=False, allow_null=True)
    hub = serializers.CharField(max_length=200, required=False, allow_null=True)
    hub_token = serializers.CharField(max_length=200, required=False, allow_null=True, write_only=True)
    weights_format = serializers.CharField(max_length=50, required=False, allow_null=True)
    kv_format = serializers.CharField(max_length=50, required=False, allow_null=True)


class ModelFactsUploadSerializer(Strict):
    """The same as an upload of the file itself."""

    config = serializers.FileField(help_text="config.json, up to 8 MB, or a GGUF file: its beginning is enough")
    weights = serializers.ListField(
        child=serializers.FileField(),
        required=False,
        max_length=1000,
        help_text="model.safetensors.index.json, or the beginning of each safetensors file",
    )
    weights_format = serializers.CharField(max_length=50, required=False)
    kv_format = serializers.CharField(max_length=50, required=False)


class FilledDefaultSerializer(serializers.Serializer[Any]):
    """A key that the config leaves out, and the value that its architecture then has."""

    field = serializers.CharField()
    value = AnyField()
    reason = serializers.CharField(allow_blank=True)


class ModelWarningSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    params = serializers.DictField()
    reason = serializers.CharField()


class ModelExplanationSerializer(serializers.Serializer[Any]):
    """How a figure comes about."""

    field = serializers.CharField()
    formula = serializers.CharField()
    numbers = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]


class WeightFilesSerializer(serializers.Serializer[Any]):
    """What headers of weight files or their index say, exactly. A sizing request takes it as `model.weight_files`."""

    kind = serializers.CharField(help_text="gguf, safetensors, index or hub")
    files = serializers.IntegerField()
    bytes = serializers.IntegerField()
    elements = serializers.IntegerField(allow_null=True)
    bytes_by_format = serializers.DictField(child=serializers.IntegerField())
    source = serializers.CharField(  # type: ignore[assignment]  # the name of a field, as elsewhere in the API
        allow_blank=True, help_text="Name of the first file, or of the model on the hub"
    )
    revision = serializers.CharField(allow_blank=True, help_text="Commit on the hub")
    computed_over_exact = serializers.FloatField(allow_null=True)


class ModelFactsSerializer(serializers.Serializer[Any]):
    """What a model takes: parameters, bytes, work per token."""

    architecture = serializers.CharField(allow_blank=True)
    parameters_total = serializers.IntegerField()
    parameters_active = serializers.IntegerField()
    weight_bytes = serializers.IntegerField()
    weights_format = serializers.CharField()
    kv_bytes_per_token = serializers.FloatField()
    kv_bytes_per_token_window_ignored = serializers.FloatField()
    kv_format = serializers.CharField()
    sliding_window = serializers.IntegerField()
    sliding_layers = serializers.IntegerField()
    full_attention_layers = serializers.IntegerField()
    state_bytes_per_sequence = serializers.FloatField()
    matmul_flops_per_token = serializers.FloatField()
    max_context_tokens = serializers.IntegerField(allow_null=True)
    kv_formula = serializers.CharField(allow_blank=True)
    explained = ModelExplanationSerializer(many=True)
    weight_files = WeightFilesSerializer(allow_null=True)
    filled_defaults = FilledDefaultSerializer(many=True)
    warnings = ModelWarningSerializer(many=True)


class PreviewModelSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(allow_blank=True)
    parameters_total = serializers.IntegerField()
    parameters_active = serializers.IntegerField()
    layers = serializers.IntegerField()
    kv_heads = serializers.IntegerField()
    max_context_tokens = serializers.IntegerField(allow_null=True)


class SmallestSerializer(serializers.Serializer[Any]):
    """The accelerator with the least memory that holds weights and every request in flight."""

    accelerator = serializers.CharField()
    name = serializers.CharField()
    count = serializers.IntegerField()
    usable_bytes = serializers.IntegerField()
    parts = serializers.DictField(child=serializers.FloatField())
    free_bytes = serializers.FloatField()


class PreviewSerializer(serializers.Serializer[Any]):
    """Memory alone, at once: no speed, no price."""

    model = PreviewModelSerializer()
    weights_format = serializers.CharField()
    weight_bytes = serializers.IntegerField()
    kv_format = serializers.CharField()
    kv_bytes_per_token = serializers.FloatField()
    requests_in_flight = serializers.FloatField()
    kv_bytes_at_peak = serializers.FloatField()
    tokens_per_request = serializers.IntegerField()
    smallest = SmallestSerializer(allow_null=True)
