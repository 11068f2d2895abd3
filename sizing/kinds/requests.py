"""The request grammar of the kinds besides language models: each has its own object in place of `traffic`."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from config.rest.serializers import Strict
from sizing.choices import Kind
from sizing.model_field import ModelField
from sizing.request_fields import PercentilesField, number_field, text_field, whole_field
from sizing.requests import ENGINES, DeploymentField, ProcurementField, SiteField

MOST_COPIES = 1000


def exactly_one(attrs: Mapping[str, Any], *names: str) -> None:
    """Raises ValidationError naming what was given."""
    given = [name for name in names if attrs.get(name) is not None]
    if len(given) != 1:
        raise serializers.ValidationError(
            _("Give exactly one of %(names)s; given: %(given)s.")
            % {"names": ", ".join(names), "given": ", ".join(given) or _("none")},
            code="one_of",
        )


class Profiled(Strict):
    """What every load may state: hourly multipliers of the stated peak."""

    load_profile = serializers.ListField(
        child=serializers.FloatField(min_value=0, max_value=1000), required=False, allow_null=True
    )

    def validate_load_profile(self, value: list[float] | None) -> list[float] | None:
        if value and len(value) not in (24, 168):
            raise serializers.ValidationError(
                _("Give 24 or 168 hourly multipliers, not %(count)d.") % {"count": len(value)}
            )
        return value


class ImageField(Profiled):
    """Pictures: size, steps, and items per hour or a number of items with a deadline."""

    width = whole_field(64, 8192)
    height = whole_field(64, 8192)
    steps = whole_field(1, 500)
    forwards_per_step = whole_field(1, 4)
    items_per_hour = number_field(0.001, 1e9)
    items = number_field(1, 1e12)
    deadline_hours = number_field(0.01, 100_000)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        exactly_one(attrs, "items_per_hour", "items")
        if (attrs.get("items") is None) != (attrs.get("deadline_hours") is None):
            raise serializers.ValidationError(_("items and deadline_hours go together."), code="together")
        return attrs


class VideoField(ImageField):
    """Clips: as pictures, with frames."""

    frames = whole_field(1, 2000)


class SpeechField(Profiled):
    """Recognition or synthesis: live streams, or hours of audio with a deadline."""

    mode = serializers.ChoiceField(choices=["stream", "batch"])
    streams = whole_field(1, 10_000_000)
    audio_hours = number_field(0.001, 1e9)
    deadline_hours = number_field(0.01, 100_000)
    segment_seconds = number_field(0.5, 600)
    real_time_factor = number_field(0.001, 1)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        wanted = {"stream": ("streams",), "batch": ("audio_hours", "deadline_hours")}[attrs["mode"]]
        for name in wanted:
            if attrs.get(name) is None:
                raise serializers.ValidationError({name: [_("State it for this mode.")]}, code="required")
        for name in {"streams", "audio_hours", "deadline_hours"} - set(wanted):
            if attrs.get(name) is not None:
                raise serializers.ValidationError({name: [_("It has no meaning in this mode.")]}, code="mode")
        return attrs


class VisionField(Profiled):
    """Camera streams with frames per second, or images per second."""

    width = whole_field(16, 16_384)
    height = whole_field(16, 16_384)
    streams = whole_field(1, 1_000_000)
    fps = number_field(0.01, 1000)
    images_per_s = number_field(0.001, 1e8)
    camera_width = whole_field(16, 16_384)
    camera_height = whole_field(16, 16_384)
    mbit_per_stream = number_field(0.01, 10_000)
    powered_cameras = serializers.BooleanField(required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        exactly_one(attrs, "streams", "images_per_s")
        if attrs.get("streams") is not None and attrs.get("fps") is None:
            raise serializers.ValidationError({"fps": [_("State the frames per second of a stream.")]})
        return attrs


class EmbeddingField(Profiled):
    """Texts per second, or queries per second with candidates for a reranker."""

    tokens_per_document = number_field(1, 1_000_000)
    documents_per_s = number_field(0.001, 1e8)
    queries_per_s = number_field(0.001, 1e7)
    candidates_per_query = whole_field(1, 100_000)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        exactly_one(attrs, "documents_per_s", "queries_per_s")
        return attrs


class RecommendationField(Profiled):
    """Queries per second over embedding tables."""

    table_parameters = number_field(1e3, 1e14)
    dense_parameters = number_field(1e3, 1e12)
    flops_per_sample = number_field(1e3, 1e15)
    lookups_per_sample = number_field(1, 1e6)
    embedding_dimension = number_field(1, 65_536)
    queries_per_s = number_field(0.001, 1e9)
    samples_per_query = number_field(1, 1e6)
    placement = serializers.ChoiceField(choices=["auto", "device", "sharded", "host"], required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.get("queries_per_s") is None:
            raise serializers.ValidationError({"queries_per_s": [_("State the queries per second.")]})
        return attrs


class EdgeField(VisionField):
    """A vision network at the edge: its load as for cameras; the limits stand under site."""


class TabularField(Profiled):
    """Rows to score: trees, a network, or radar and LiDAR frames; by rate, by sensors, or as a job."""

    method = serializers.ChoiceField(choices=["trees", "network", "radar", "lidar"])
    features = number_field(1, 1e8)
    trees = number_field(1, 1e6)
    depth = number_field(1, 64)
    parameters = number_field(1, 1e12)
    flops_per_row = number_field(1, 1e15)
    samples = whole_field(2, 1_000_000)
    chirps = whole_field(2, 1_000_000)
    antennas = whole_field(1, 10_000)
    rows_per_s = number_field(0.0001, 1e10)
    sensors = whole_field(1, 10_000_000)
    frames_per_s = number_field(0.0001, 1e6)
    rows = number_field(1, 1e15)
    deadline_hours = number_field(0.001, 100_000)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        exactly_one(attrs, "rows_per_s", "sensors", "rows")
        for one, other in (("sensors", "frames_per_s"), ("rows", "deadline_hours")):
            if (attrs.get(one) is None) != (attrs.get(other) is None):
                words = _("%(one)s and %(other)s go together.") % {"one": one, "other": other}
                raise serializers.ValidationError({other: [words]}, code="together")
        for name in NEEDED[attrs["method"]]:
            if attrs.get(name) is None:
                raise serializers.ValidationError({name: [_("State it for this method.")]}, code="required")
        return attrs


NEEDED = {
    "trees": ("trees", "depth"),
    "network": ("flops_per_row",),
    "radar": ("samples", "chirps", "antennas"),
    "lidar": ("flops_per_row",),
}


class RagField(Profiled):
    """Questions to a collection: its passages, the models before the language model, lengths and the load."""

    queries_per_s = number_field(0.0001, 1e6)
    passages = number_field(1, 1e12)
    tokens_per_passage = number_field(1, 100_000)
    query_tokens = number_field(1, 100_000)
    embedding_model = text_field()
    dimension = whole_field(1, 65_536)
    rerank = serializers.BooleanField(required=False, allow_null=True)
    reranker_model = text_field()
    candidates_per_query = whole_field(1, 10_000)
    passages_in_prompt = whole_field(1, 1000)
    instruction_tokens = whole_field(0, 1_000_000)
    output_tokens = number_field(1, 1_000_000)
    index_place = serializers.ChoiceField(choices=["auto", "memory", "drives"], required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        for name in ("queries_per_s", "passages"):
            if attrs.get(name) is None:
                raise serializers.ValidationError({name: [_("State it.")]}, code="required")
        wanted, used = attrs.get("candidates_per_query"), attrs.get("passages_in_prompt")
        if wanted is not None and used is not None and used > wanted:
            words = _("No more passages can go into the prompt than are ranked.")
            raise serializers.ValidationError({"passages_in_prompt": [words]}, code="too_many")
        return attrs


class ServedModelField(Strict):
    """One of several models: its memory, how many copies, what share of a device it needs, how it is kept apart."""

    name = text_field()
    memory_gb = serializers.FloatField(min_value=0.01, max_value=100_000)
    copies = whole_field(1, 10_000)
    compute_share = number_field(0, 1)
    isolation = serializers.ChoiceField(choices=["none", "hardware"], required=False, allow_null=True)


class ModelsField(Strict):
    """Several models on shared devices; `compute_share` is that of the device named in `share_of`."""

    items = serializers.ListField(child=ServedModelField(), min_length=1, max_length=500)
    share_of = text_field(100)

    def validate_items(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        copies = sum(item.get("copies") or 1 for item in value)
        if copies > MOST_COPIES:
            raise serializers.ValidationError(
                _("These are %(count)d copies; at most %(most)d are packed at once.")
                % {"count": copies, "most": MOST_COPIES}
            )
        return value


class KindTargetsField(Strict):
    """Upper limits: seconds for one picture or clip, milliseconds for everything else."""

    seconds_per_item = PercentilesField(required=False, allow_null=True)
    latency_ms = PercentilesField(required=False, allow_null=True)
    first_audio_ms = PercentilesField(required=False, allow_null=True)


class KindRequest(Strict):
    """The keys that all kinds share."""

    name = text_field()
    kind = serializers.ChoiceField(choices=Kind.choices)
    weights_format = text_field(50)
    targets = KindTargetsField(required=False, allow_null=True)
    serving_software = serializers.ListField(
        child=serializers.ChoiceField(choices=ENGINES), required=False, allow_null=True, max_length=20
    )
    as_of = serializers.DateField(required=False, allow_null=True)
    deployment = DeploymentField(required=False, allow_null=True)
    site = SiteField(required=False, allow_null=True)
    procurement = ProcurementField(required=False, allow_null=True)


class ImageRequest(KindRequest):
    model = ModelField()
    image = ImageField()


class VideoRequest(KindRequest):
    model = ModelField()
    video = VideoField()


class SpeechRequest(KindRequest):
    model = ModelField()
    speech = SpeechField()


class VisionRequest(KindRequest):
    model = ModelField()
    vision = VisionField()


class EmbeddingRequest(KindRequest):
    model = ModelField()
    embedding = EmbeddingField()


class RecommendationRequest(KindRequest):
    model = ModelField(required=False, allow_null=True)
    recommendation = RecommendationField()


class ModelsRequest(KindRequest):
    models = ModelsField()


class RagRequest(KindRequest):
    model = ModelField()
    kv_format = text_field(50)
    rag = RagField()


class TabularRequest(KindRequest):
    model = ModelField(required=False, allow_null=True)
    tabular = TabularField()


class EdgeRequest(KindRequest):
    model = ModelField()
    edge = EdgeField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The limits of the place come first: without its power nothing can be chosen."""
        if (attrs.get("site") or {}).get("max_power_w") is None:
            words = _("State how many watts the place has: at the edge this decides first.")
            raise serializers.ValidationError({"site": {"max_power_w": [words]}}, code="required")
        return attrs


SERIALIZERS: dict[str, type[KindRequest]] = {
    Kind.IMAGE: ImageRequest,
    Kind.VIDEO: VideoRequest,
    Kind.SPEECH: SpeechRequest,
    Kind.VISION: VisionRequest,
    Kind.EMBEDDING: EmbeddingRequest,
    Kind.RECOMMENDATION: RecommendationRequest,
    Kind.MODELS: ModelsRequest,
    Kind.RAG: RagRequest,
    Kind.TABULAR: TabularRequest,
    Kind.EDGE: EdgeRequest,
}
