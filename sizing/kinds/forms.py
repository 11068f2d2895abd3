"""The forms of the kinds besides language models: site and procurement as for those, model and load their own."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sizing.kinds.form_base import LATENCY_ROW, SECONDS_ROW, KindForm, Row, number_field, shared_initial
from sizing.kinds.forms_rag import RagForm
from sizing.kinds.forms_tabular import TabularForm
from sizing.kinds.forms_vision import ENCLOSURES, EdgeForm, VisionForm
from sizing.kinds.questions import EDGE_ENCLOSURES
from sizing.numbers import NumberField

__all__ = ["FORMS", "KindForm", "label_of", "value_of"]


ITEM_ROWS = (
    Row(
        name="items_per_hour",
        unit=gettext_lazy("per hour"),
        why=gettext_lazy("At the busiest hour. Leave it empty for a job with a deadline."),
    ),
    Row(name="items", note=gettext_lazy("Instead: a job.")),
    Row(name="deadline_hours", unit=gettext_lazy("hours for the job")),
    Row(name="width", unit=gettext_lazy("pixels"), note=gettext_lazy("Empty: as published.")),
    Row(name="height", unit=gettext_lazy("pixels")),
)
"""What pictures and clips share: items at the peak or as a job, and their size."""


class ImageForm(KindForm):
    kind = "image"
    one_of = ("items_per_hour", "items")
    load_heading = gettext_lazy("Images")
    load_lead = gettext_lazy("Compute decides: pixels times steps.")
    load_rows: ClassVar[tuple[Row, ...]] = (
        *ITEM_ROWS,
        Row(
            name="steps",
            unit=gettext_lazy("steps"),
            why=gettext_lazy("Passes of refinement. Time grows in proportion."),
            note=gettext_lazy("Empty: as published."),
        ),
    )
    target_rows = (SECONDS_ROW,)
    items_per_hour = number_field(gettext_lazy("Images at the peak"), initial=1000)
    items = number_field(gettext_lazy("Images in the job"), low=1, high=1e12)
    deadline_hours = number_field(gettext_lazy("Deadline"), low=0.01, high=100_000)
    width = number_field(gettext_lazy("Width"), low=64, high=8192, whole=True)
    height = number_field(gettext_lazy("Height"), low=64, high=8192, whole=True)
    steps = number_field(gettext_lazy("Steps"), low=1, high=500, whole=True)
    seconds_per_item = number_field(gettext_lazy("Time for one image, p95"), low=0.01, high=86_400, initial=20)


class VideoForm(ImageForm):
    kind = "video"
    load_heading = gettext_lazy("Clips")
    load_lead = gettext_lazy("Compute decides: pixels times frames times steps.")
    load_rows = (
        *ITEM_ROWS,
        Row(
            name="frames",
            unit=gettext_lazy("frames"),
            why=gettext_lazy("Frames of one clip. Attention grows faster than in proportion."),
            note=gettext_lazy("Empty: as published."),
        ),
        Row(name="steps", unit=gettext_lazy("steps")),
    )
    items_per_hour = number_field(gettext_lazy("Clips at the peak"), initial=10)
    items = number_field(gettext_lazy("Clips in the job"), low=1, high=1e12)
    frames = number_field(gettext_lazy("Frames"), low=1, high=2000, whole=True)
    seconds_per_item = number_field(gettext_lazy("Time for one clip, p95"), low=0.01, high=86_400)


MODES = [("stream", gettext_lazy("Live streams")), ("batch", gettext_lazy("Recordings with a deadline"))]


class SpeechForm(KindForm):
    kind = "speech"
    load_heading = gettext_lazy("Speech")
    load_lead = gettext_lazy("Streams must keep up; recordings must be done in time.")
    load_rows = (
        Row(name="mode"),
        Row(
            name="streams",
            unit=gettext_lazy("at once"),
            why=gettext_lazy("Conversations that run at the same moment, at the peak."),
        ),
        Row(name="audio_hours", unit=gettext_lazy("hours of audio")),
        Row(name="deadline_hours", unit=gettext_lazy("hours for the job")),
        Row(
            name="segment_seconds",
            unit="s",
            why=gettext_lazy("Speech in one piece: a sentence, an utterance."),
            note=gettext_lazy("Empty: usual for the model."),
        ),
    )
    target_rows = (
        LATENCY_ROW,
        Row(
            name="first_audio_ms",
            path=("targets", "first_audio_ms", "p95"),
            unit=gettext_lazy("ms or less"),
            why=gettext_lazy("For synthesis: until the first sound."),
        ),
    )
    mode = forms.ChoiceField(label=gettext_lazy("Kind of load"), choices=MODES, initial="stream")
    streams = number_field(gettext_lazy("Streams"), low=1, high=10_000_000, whole=True, initial=50)
    audio_hours = number_field(gettext_lazy("Recordings"), low=0.001)
    deadline_hours = number_field(gettext_lazy("Deadline"), low=0.01, high=100_000)
    segment_seconds = number_field(gettext_lazy("Length of a piece"), low=0.5, high=600)
    latency_ms = number_field(gettext_lazy("Text after the end of a piece, p95"), low=1, high=86_400_000, initial=2000)
    first_audio_ms = number_field(gettext_lazy("First sound, p95"), low=1, high=86_400_000)

    def clean(self) -> dict[str, Any]:
        """Numbers of the other mode do not count."""
        data = super().clean()
        unused = ("audio_hours", "deadline_hours") if data.get("mode") == "stream" else ("streams",)
        for name in unused:
            data[name] = None
        return data


class EmbeddingForm(KindForm):
    kind = "embedding"
    one_of = ("documents_per_s", "queries_per_s")
    load_heading = gettext_lazy("Texts")
    load_lead = gettext_lazy("Short texts in small batches.")
    load_rows = (
        Row(name="documents_per_s", unit=gettext_lazy("texts/s")),
        Row(
            name="tokens_per_document",
            unit=gettext_lazy("tokens"),
            why=gettext_lazy("Mean length of a text, or of query and passage together."),
        ),
        Row(
            name="queries_per_s",
            unit=gettext_lazy("queries/s"),
            why=gettext_lazy("For a reranker, instead of texts per second."),
        ),
        Row(name="candidates_per_query", unit=gettext_lazy("per query")),
    )
    target_rows = (LATENCY_ROW,)
    documents_per_s = number_field(gettext_lazy("Texts at the peak"), high=1e8, initial=200)
    tokens_per_document = number_field(gettext_lazy("Length of a text"), low=1, high=1_000_000, initial=512)
    queries_per_s = number_field(gettext_lazy("Queries at the peak"), high=1e7)
    candidates_per_query = number_field(gettext_lazy("Candidates to rank"), low=1, high=100_000, whole=True)
    latency_ms = number_field(gettext_lazy("Latency, p95"), low=0.1, high=86_400_000, initial=100)


PLACEMENTS = [
    ("auto", gettext_lazy("Whatever serves best")),
    ("device", gettext_lazy("In one device")),
    ("sharded", gettext_lazy("Spread over devices")),
    ("host", gettext_lazy("In the memory of the server")),
]


class RecommendationForm(KindForm):
    kind = "recommendation"
    load_heading = gettext_lazy("Queries and tables")
    load_lead = gettext_lazy("Memory decides: where the tables lie, and how fast rows are read.")
    load_rows = (
        Row(name="queries_per_s", unit=gettext_lazy("queries/s")),
        Row(
            name="samples_per_query",
            unit=gettext_lazy("per query"),
            why=gettext_lazy("Items that are scored for one query."),
        ),
        Row(
            name="table_parameters",
            unit=gettext_lazy("billion values"),
            note=gettext_lazy("Empty: as in DLRM-v2, 26."),
            factor=1e9,
        ),
        Row(name="lookups_per_sample", unit=gettext_lazy("rows")),
        Row(name="embedding_dimension", unit=gettext_lazy("values")),
        Row(name="placement"),
    )
    target_rows = (LATENCY_ROW,)
    queries_per_s = number_field(gettext_lazy("Queries at the peak"), high=1e9, initial=5000, required=True)
    samples_per_query = number_field(gettext_lazy("Candidates"), low=1, high=1e6, initial=100)
    table_parameters = number_field(gettext_lazy("Embedding tables"), low=0.000001, high=100_000)
    lookups_per_sample = number_field(gettext_lazy("Rows read per candidate"), low=1, high=1e6)
    embedding_dimension = number_field(gettext_lazy("Length of a row"), low=1, high=65_536)
    not_asked = ("model",)
    placement = forms.ChoiceField(label=gettext_lazy("Tables"), choices=PLACEMENTS, required=False, initial="auto")
    latency_ms = number_field(gettext_lazy("Latency, p95"), low=0.1, high=86_400_000, initial=50)


class ModelsForm(KindForm):
    """Several models, one a line: name; memory in GB; copies; share of compute in per cent."""

    kind = "models"
    load_heading = gettext_lazy("Models")
    load_lead = gettext_lazy("Each on its own, packed, or in hardware instances (MIG).")
    load_rows = (Row(name="lines", path=()), Row(name="isolated", path=()))
    not_asked = ("model", "weights_format", "load_profile")
    lines = forms.CharField(
        label=gettext_lazy("One model a line: name; GB; copies; % of a device"),
        widget=forms.Textarea(attrs={"rows": 6}),
        initial="chat 8B; 18; 2; 40\nembedding; 3; 1; 10\nreranker; 3; 1; 10",
        max_length=20_000,
    )
    isolated = forms.BooleanField(label=gettext_lazy("Keep models apart in hardware"), required=False)

    def clean_lines(self) -> list[dict[str, Any]]:
        items = []
        for number, line in enumerate(str(self.cleaned_data["lines"]).splitlines(), start=1):
            if not line.strip():
                continue
            items.append(_model_line(number, line))
        if not items:
            raise forms.ValidationError(_("Name at least one model."))
        return items

    def request_json(self) -> dict[str, Any]:
        data = self.cleaned_data
        isolation = "hardware" if data["isolated"] else "none"
        return {
            "name": data["name"] or None,
            "kind": "models",
            "models": {"items": [item | {"isolation": isolation} for item in data["lines"]]},
            "serving_software": data.get("serving_software") or None,
            "site": self._site(),
            "procurement": self._procurement(),
        }

    @classmethod
    def initial_of(cls, request: Mapping[str, Any]) -> dict[str, Any]:
        items = (request.get("models") or {}).get("items") or []
        values = shared_initial(request)
        values["lines"] = "\n".join(_line_of(item) for item in items)
        values["isolated"] = any(item.get("isolation") == "hardware" for item in items)
        return values


def _line_of(item: Mapping[str, Any]) -> str:
    share = round((item.get("compute_share") or 0) * 100, 2)
    return f"{item.get('name') or ''}; {item['memory_gb']:g}; {item.get('copies') or 1}; {share:g}"


def _model_line(number: int, line: str) -> dict[str, Any]:
    """One line as an item of the request. Raises ValidationError naming the line."""
    parts = [part.strip() for part in line.split(";")]
    wrong = forms.ValidationError(
        _("Line %(number)s: write name; GB; copies; per cent, with semicolons between them.") % {"number": number}
    )
    if not 2 <= len(parts) <= 4:
        raise wrong
    field = NumberField(low=0.01, high=100_000)
    copies = NumberField(low=1, high=10_000, whole=True, required=False)
    share = NumberField(low=0, high=100, required=False)
    try:
        return {
            "name": parts[0][:200] or None,
            "memory_gb": field.clean(parts[1]),
            "copies": copies.clean(parts[2]) if len(parts) > 2 else None,
            "compute_share": (share.clean(parts[3]) or 0) / 100 if len(parts) > 3 else None,
        }
    except forms.ValidationError:
        raise wrong from None


FORMS: dict[str, type[KindForm]] = {
    form.kind: form
    for form in (
        ImageForm, VideoForm, SpeechForm, VisionForm, EmbeddingForm, RecommendationForm, ModelsForm, RagForm,
        TabularForm, EdgeForm,
    )
}  # fmt: skip


NOT_IN_FORMS = {
    "speech.tokens": gettext_lazy("Tokens per second of speech"),
    "vision.camera_width": gettext_lazy("Width of a camera's picture"),
    "vision.camera_height": gettext_lazy("Height of a camera's picture"),
    "edge.camera_width": gettext_lazy("Width of a camera's picture"),
    "edge.camera_height": gettext_lazy("Height of a camera's picture"),
    "recommendation.dense_parameters": gettext_lazy("Parameters beside the tables"),
    "recommendation.flops_per_sample": gettext_lazy("Operations per candidate"),
    "models.share_of": gettext_lazy("Device that shares refer to"),
    "rag.query_tokens": gettext_lazy("Length of a question"),
    "rag.instruction_tokens": gettext_lazy("Instructions before the question"),
    "rag.dimension": gettext_lazy("Length of a vector"),
    "rag.index": gettext_lazy("Index"),
    "site.form_factors": gettext_lazy("Size"),
}
"""Labels of what a request may state and no form asks."""


def label_of(path: str, kind: str = "") -> str:
    """The label of the field that states `vision.width` or, of `kind`, `targets.latency_ms`; empty where none does."""
    if path in NOT_IN_FORMS:
        return str(NOT_IN_FORMS[path])
    place = tuple(path.split("."))
    own = FORMS.get(kind or place[0])
    for form in [own] if own else list(FORMS.values()):
        for row in (*form.load_rows, *form.target_rows):
            at = row.place(form.kind)
            if at and at[: len(place)] == place:
                return str(form.base_fields[row.name].label)
    return ""


def value_of(path: str, value: object) -> str:
    """A value that a form offers by name, in its words; empty for any other."""
    if path != "site.form_factors":
        return ""
    chosen = str(value).replace(" ", "")
    return str(dict(ENCLOSURES).get("" if chosen == ",".join(EDGE_ENCLOSURES) else chosen, ""))
