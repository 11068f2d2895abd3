"""What the forms of the kinds besides language models share: rows, the request they mean, problems by field."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sizing.cluster_form import CLUSTER_FIELDS
from sizing.forms import WorkloadForm
from sizing.numbers import NumberField
from sizing.place_form import place_initial
from sizing.requests import FieldProblem

FORMATS = [
    ("", gettext_lazy("Usual for this kind")),
    ("bf16", "BF16"),
    ("fp16", "FP16"),
    ("fp8", "FP8"),
    ("int8", "INT8"),
    ("nvfp4", gettext_lazy("NVFP4 (4 bit)")),
]
OF_LANGUAGE_MODELS = (
    "kv_format", "config_file", "config_text", "weight_files", "users", "active_share", "input_tokens", "output_tokens",
    "load_by", "concurrent_requests", "requests_per_s", "max_context_tokens", "shared_prefix_tokens", "burstiness",
    "ttft_s", "tpot_ms", "e2e_s", "output_tokens_per_s", *CLUSTER_FIELDS,
)  # fmt: skip
type Words = str | Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One field as the page shows it. `factor` turns typed into stated units.

    `path` is its place in the request: None for its own name in the kind's object, empty for none.
    """

    name: str
    path: tuple[str, ...] | None = None
    unit: Words = ""
    why: Words = ""
    note: Words = ""
    factor: float = 1.0

    def place(self, kind: str) -> tuple[str, ...]:
        """Keys that lead to the value in a request of this kind."""
        return (kind, self.name) if self.path is None else self.path


def number_field(label: Words, *, low: float = 0.001, high: float = 1e9, **kwargs: Any) -> NumberField:
    kwargs.setdefault("required", False)
    return NumberField(label=label, low=low, high=high, **kwargs)


class KindForm(WorkloadForm):
    """What all kinds share. A kind names its object in the request, its rows and its heading."""

    kind: ClassVar[str] = ""
    model_search: ClassVar[str] = ""
    load_heading: ClassVar[Words] = ""
    load_lead: ClassVar[Words] = ""
    load_rows: ClassVar[tuple[Row, ...]] = ()
    target_rows: ClassVar[tuple[Row, ...]] = ()
    not_asked: ClassVar[tuple[str, ...]] = ()
    one_of: ClassVar[tuple[str, ...]] = ()  # the load is stated in exactly one of these fields

    weights_format = forms.ChoiceField(label=gettext_lazy("Weight format"), choices=FORMATS, required=False)

    def __init__(self, *args: Any, known_models: Mapping[str, str], **kwargs: Any) -> None:
        """`known_models` maps the lower-case name of each model of this kind to its id."""
        super().__init__(*args, known_models=known_models, **kwargs)
        for name in (*OF_LANGUAGE_MODELS, *self.not_asked):
            self.fields.pop(name, None)

    def clean_model(self) -> str:
        typed = str(self.cleaned_data["model"]).strip()
        known = self.known_models.get(typed.lower())
        if known is None:
            raise forms.ValidationError(
                _("“%(model)s” is not among the models of this kind. Choose one from the list.") % {"model": typed[:80]}
            )
        return known

    def clean(self) -> dict[str, Any]:
        given = [name for name in self.one_of if self.cleaned_data.get(name) is not None]
        if self.one_of and len(given) != 1 and not set(self.one_of) & set(self.errors):
            labels = [f"“{self.fields[name].label}”" for name in self.one_of]
            words = {"labels": get_text_list(labels, _("or"))}
            self.add_error(self.one_of[0], _("State the load once: fill in %(labels)s.") % words)
        return self.cleaned_data

    def sections(self) -> list[dict[str, Any]]:
        """Load and targets with their fields bound, for the template."""
        parts = [(self.load_heading, self.load_lead, self.load_rows)]
        if self.target_rows:
            parts.append((_("Targets"), _("What users will notice."), self.target_rows))
        return [
            {"title": title, "lead": lead, "rows": [{"field": self[row.name], "row": row} for row in rows]}
            for title, lead, rows in parts
        ]

    def request_json(self) -> dict[str, Any]:
        """The contract request. Call it on a valid form only."""
        data = self.cleaned_data
        request: dict[str, Any] = {
            "name": data["name"] or None,
            "kind": self.kind,
            self.kind: {},
            "weights_format": data.get("weights_format") or None,
            "serving_software": data.get("serving_software") or None,
            "site": self._site(),
            "procurement": self._procurement(),
        }
        if "model" in self.fields:
            request["model"] = {"id": data["model"]}
        if data.get("load_profile"):
            request[self.kind]["load_profile"] = data["load_profile"]
        for row in (*self.load_rows, *self.target_rows):
            value = data.get(row.name)
            if value not in (None, ""):
                _put(request, row.place(self.kind), value * row.factor if isinstance(value, int | float) else value)
        return request

    def add_problems(self, problems: Iterable[FieldProblem]) -> None:
        """Put each problem under the field whose place it names, else above the form."""
        for problem in problems:
            self.add_error(self._field_at(problem.pointer), problem.detail)

    def _field_at(self, pointer: str) -> str | None:
        places = {"/" + "/".join(row.place(self.kind)): row.name for row in (*self.load_rows, *self.target_rows)}
        places |= {"/model": "model", "/model/id": "model", "/weights_format": "weights_format"}
        while pointer:
            if pointer in places and places[pointer] in self.fields:
                return places[pointer]
            pointer = pointer.rpartition("/")[0]
        return None

    @classmethod
    def initial_of(cls, request: Mapping[str, Any]) -> dict[str, Any]:
        """The form's values for an earlier request."""
        values = shared_initial(request)
        for row in (*cls.load_rows, *cls.target_rows):
            stated: Any = request
            for key in row.place(cls.kind):
                stated = (stated or {}).get(key) if isinstance(stated, Mapping) else None
            number = isinstance(stated, int | float) and not isinstance(stated, bool)
            values[row.name] = stated / row.factor if number else stated
        return values


def _put(request: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Set `value` at the place that `path` names, making the objects on the way."""
    here = request
    for key in path[:-1]:
        here = here.setdefault(key, {})
    here[path[-1]] = value


def shared_initial(request: Mapping[str, Any]) -> dict[str, Any]:
    """Values of the fields that all kinds share."""
    site, procurement = request.get("site") or {}, request.get("procurement") or {}
    power_w = site.get("max_power_w")
    load = request.get(str(request.get("kind"))) or {}
    values: dict[str, Any] = place_initial(request) | {
        "load_profile": " ".join(f"{value:g}" for value in load.get("load_profile") or []),
        "model": (request.get("model") or {}).get("id"),
        "name": request.get("name"),
        "weights_format": request.get("weights_format") or "",
        "serving_software": request.get("serving_software") or [],
        "power_kw": None if power_w is None else power_w / 1000,
        "electricity_price": site.get("electricity_price_per_kwh"),
        "excluded_vendors": ", ".join(procurement.get("excluded_vendors") or []),
        "budget": None if procurement.get("budget") is None else float(procurement["budget"]),
    }
    for key in ("rack_units", "cooling", "max_ambient_c", "pue", "spare_replicas"):
        values[key] = site.get(key)
    for key in ("needed_by", "currency", "buyer_type", "destination_country", "on_premises_only"):
        values[key] = procurement.get(key)
    return values


SECONDS_ROW = Row(
    name="seconds_per_item",
    path=("targets", "seconds_per_item", "p95"),
    unit=gettext_lazy("s or less"),
    why=gettext_lazy("From the request to the finished item, in 95 of 100 cases."),
)
LATENCY_ROW = Row(
    name="latency_ms",
    path=("targets", "latency_ms", "p95"),
    unit=gettext_lazy("ms or less"),
    why=gettext_lazy("From the request to the answer, in 95 of 100 cases."),
)
