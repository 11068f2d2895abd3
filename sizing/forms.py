"""The workload form: what a person types, in the units people use, and the contract request it means."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sizing import figures
from sizing.choices import BuyerType
from sizing.cluster_form import CLUSTER_POINTERS, ClusterForm, cluster_initial
from sizing.engines import engine_name
from sizing.model_field import MAX_CONFIG_BYTES
from sizing.numbers import NumberField
from sizing.place_form import BUYING_LISTS, BUYING_NUMBERS, CHOSEN, SITE_NUMBERS, PlaceForm, place_initial
from sizing.request_fields import MAX_TOKENS
from sizing.requests import ENGINES as REQUESTABLE
from sizing.requests import FieldProblem
from sizing.trace_form import TRACE_FIELDS, TraceForm, trace_initial
from sizing.typed_units import unit_of

WEIGHT_FORMATS = [
    ("", gettext_lazy("As published")),
    ("bf16", "BF16"),
    ("fp16", "FP16"),
    ("fp8", "FP8"),
    ("int8", "INT8"),
    ("int4", gettext_lazy("INT4 (4 bit)")),
    ("nvfp4", gettext_lazy("NVFP4 (4 bit)")),
    ("mxfp4", gettext_lazy("MXFP4 (4 bit)")),
]
KV_FORMATS = [("bf16", "BF16"), ("fp16", "FP16"), ("fp8", "FP8"), ("int8", "INT8")]
ENGINES = [(slug, engine_name(slug)) for slug in REQUESTABLE]
LOADS = [
    ("users", gettext_lazy("Users and the share that is active")),
    ("concurrent", gettext_lazy("Requests in flight")),
    ("rate", gettext_lazy("Requests per second")),
]
CURRENCIES = [("USD", "USD"), ("EUR", "EUR"), ("GBP", "GBP"), ("CHF", "CHF")]
COOLING = [("", gettext_lazy("Unknown")), ("air", gettext_lazy("Air")), ("liquid", gettext_lazy("Liquid"))]
# Which form field a JSON pointer of the request is about; the longest match counts.
FIELD_OF_POINTER = {
    "/name": "name", "/model": "model", "/model/config": "config_file", "/model/weight_files": "weight_files",
    "/weights_format": "weights_format",
    "/kv_format": "kv_format", "/serving_software": "serving_software", "/traffic/users": "users",
    "/traffic/active_share": "active_share", "/traffic/concurrent_requests": "concurrent_requests",
    "/traffic/requests_per_s": "requests_per_s", "/traffic/input_tokens": "input_tokens",
    "/traffic/output_tokens": "output_tokens", "/traffic/max_context_tokens": "max_context_tokens",
    "/traffic/shared_prefix_tokens": "shared_prefix_tokens", "/traffic/burstiness": "burstiness",
    "/targets/ttft_ms": "ttft_s", "/targets/tpot_ms": "tpot_ms", "/targets/e2e_ms": "e2e_s",
    "/targets/output_tokens_per_s": "output_tokens_per_s", "/site/max_power_w": "power_kw",
    "/site/rack_units": "rack_units", "/site/cooling": "cooling", "/site/max_ambient_c": "max_ambient_c",
    "/site/electricity_price_per_kwh": "electricity_price", "/site/pue": "pue",
    "/site/spare_replicas": "spare_replicas", "/procurement/needed_by": "needed_by",
    "/procurement/budget": "budget", "/procurement/currency": "currency", "/procurement/buyer_type": "buyer_type",
    "/procurement/destination_country": "destination_country",
    "/procurement/excluded_vendors": "excluded_vendors", "/procurement/on_premises_only": "on_premises_only",
    "/procurement/residual_share": "residual_pct", "/traffic/load_profile": "load_profile",
    "/traffic/trace": "trace_file",
    **CLUSTER_POINTERS,
    **{f"/site/{name}": name for name in (*SITE_NUMBERS, *CHOSEN, "mounting")},
    **{f"/procurement/{name}": name for name in (*BUYING_NUMBERS, *BUYING_LISTS, "uninterruptible_supply")},
}  # fmt: skip


def _tokens(label: Any, **kwargs: Any) -> NumberField:
    return NumberField(label=label, low=kwargs.pop("low", 1), high=MAX_TOKENS, whole=True, **kwargs)


class WorkloadForm(TraceForm, PlaceForm, ClusterForm):
    """One language model to serve. Every field but the model and the load may stay as it is."""

    model_search: ClassVar[str] = "sizing:model-search"  # the route that offers models while one types; may be empty

    # model
    model = forms.CharField(label=gettext_lazy("Model"), max_length=200, required=False)
    weights_format = forms.ChoiceField(
        label=gettext_lazy("Weight format"), choices=WEIGHT_FORMATS, required=False, initial="fp8"
    )
    kv_format = forms.ChoiceField(
        label=gettext_lazy("KV cache format"), choices=KV_FORMATS, required=False, initial="bf16"
    )
    config_file = forms.FileField(label=gettext_lazy("Own model: config.json"), required=False)
    config_text = forms.CharField(
        label=gettext_lazy("Or paste config.json"), required=False, widget=forms.Textarea(attrs={"rows": 4})
    )
    weight_files = forms.CharField(max_length=8000, required=False)
    name = forms.CharField(label=gettext_lazy("Name of the workload"), max_length=200, required=False)
    serving_software = forms.MultipleChoiceField(
        label=gettext_lazy("Serving software"),
        choices=ENGINES,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    # traffic
    users = NumberField(label=gettext_lazy("Users"), low=1, high=1_000_000, whole=True, required=False, initial=200)
    active_share = NumberField(
        label=gettext_lazy("Active at the same time"), low=0.01, high=100, required=False, initial=25
    )
    input_tokens = _tokens(gettext_lazy("Input per request"), initial=1200)
    output_tokens = _tokens(gettext_lazy("Output per request"), initial=350)
    load_by = forms.ChoiceField(label=gettext_lazy("State the load as"), choices=LOADS, required=False, initial="users")
    concurrent_requests = NumberField(
        label=gettext_lazy("Requests in flight"), low=1, high=1_000_000, whole=True, required=False
    )
    requests_per_s = NumberField(
        label=gettext_lazy("Requests per second"), low=0.000001, high=1_000_000, required=False
    )
    max_context_tokens = _tokens(gettext_lazy("Longest context"), required=False)
    shared_prefix_tokens = _tokens(gettext_lazy("Shared prefix"), low=0, required=False)
    burstiness = NumberField(label=gettext_lazy("Burstiness"), low=0.05, high=100, required=False)
    # targets
    ttft_s = NumberField(
        label=gettext_lazy("Time to first token, p95"), low=0.001, high=3600, required=False, initial=1.5
    )
    tpot_ms = NumberField(
        label=gettext_lazy("Time per output token, p95"), low=0.1, high=60_000, required=False, initial=50
    )
    e2e_s = NumberField(label=gettext_lazy("End-to-end time, p95"), low=0.001, high=86_400, required=False)
    output_tokens_per_s = NumberField(label=gettext_lazy("Output in total"), low=0.1, high=1e9, required=False)
    # site
    power_kw = NumberField(label=gettext_lazy("Power available"), low=0.01, high=100_000, required=False)
    rack_units = NumberField(label=gettext_lazy("Free rack units"), low=1, high=10_000, required=False)
    cooling = forms.ChoiceField(label=gettext_lazy("Cooling"), choices=COOLING, required=False)
    max_ambient_c = NumberField(label=gettext_lazy("Ambient temperature"), low=-60, high=90, required=False)
    electricity_price = NumberField(label=gettext_lazy("Electricity price"), low=0, high=1000, required=False)
    pue = NumberField(label=gettext_lazy("Power usage effectiveness (PUE)"), low=1, high=5, required=False)
    spare_replicas = NumberField(label=gettext_lazy("Spare replicas"), low=0, high=1000, whole=True, required=False)
    # procurement
    needed_by = forms.DateField(
        label=gettext_lazy("Needed by"),
        required=False,
        input_formats=["%Y-%m-%d", "%d.%m.%Y", "%d %b %Y", "%d %B %Y"],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    budget = NumberField(label=gettext_lazy("Budget, net"), low=1, high=999_999_999_999, required=False)
    currency = forms.ChoiceField(label=gettext_lazy("Currency"), choices=CURRENCIES, required=False, initial="USD")
    buyer_type = forms.ChoiceField(
        label=gettext_lazy("Buyer"), choices=BuyerType.choices, required=False, initial=BuyerType.COMMERCIAL
    )
    destination_country = forms.RegexField(
        label=gettext_lazy("Delivered to"), regex=r"^[A-Za-z]{2}$", required=False, max_length=2
    )
    excluded_vendors = forms.CharField(label=gettext_lazy("Makers to leave out"), max_length=300, required=False)
    on_premises_only = forms.BooleanField(label=gettext_lazy("On premises only"), required=False)

    def __init__(self, *args: Any, known_models: Mapping[str, str], **kwargs: Any) -> None:
        """`known_models` maps the lower-case name of each model of the catalogue to its id."""
        super().__init__(*args, **kwargs)
        self.known_models = known_models
        self.order_by_use()
        for name, field in self.fields.items():
            field.error_messages["required"] = _("Enter a value.")
            self._style(name, field)

    def order_by_use(self) -> None:
        self.fields["model"].widget.attrs |= {"list": "models", "autocomplete": "off", "spellcheck": "false"}
        if self.model_search:
            self.fields["model"].widget.attrs["data-search"] = reverse(self.model_search)
        for name in ("power_kw", "needed_by", "budget", "rack_units", "max_ambient_c", "electricity_price"):
            self.fields[name].widget.attrs["placeholder"] = _("unknown")

    def _style(self, name: str, field: forms.Field) -> None:
        """Classes, and what a screen reader hears with the field: its unit, its note and its error."""
        attrs = field.widget.attrs
        if isinstance(field.widget, forms.Select) and not isinstance(field.widget, forms.CheckboxSelectMultiple):
            attrs["class"] = "form-select"
        elif not isinstance(field, NumberField) and not isinstance(
            field.widget, forms.CheckboxSelectMultiple | forms.CheckboxInput
        ):
            attrs["class"] = "form-control"
        if isinstance(field, NumberField):
            field.units = unit_of(name)
            attrs["aria-describedby"] = f"id_{name}_unit" + (f" id_{name}_read" if field.units else "")

    def add_error(self, field: str | None, error: Any) -> None:
        """As Django does it; a screen reader also hears the error with its field."""
        super().add_error(field, error)
        for name in self.errors:
            if name in self.fields:
                attrs = self.fields[name].widget.attrs
                said = str(attrs.get("aria-describedby", "")).split()
                attrs["aria-describedby"] = " ".join(dict.fromkeys([*said, f"id_{name}_error"]))

    def clean_model(self) -> str:
        """The catalogue's own spelling of the model."""
        typed = str(self.cleaned_data["model"]).strip()
        if not typed:
            return ""
        known = self.known_models.get(typed.lower())
        if known is None:
            raise forms.ValidationError(
                _("“%(model)s” is not in the catalogue. Choose one from the list, or give its config.json.")
                % {"model": typed[:80]}
            )
        return known

    def clean_config_file(self) -> dict[str, Any] | None:
        upload = self.cleaned_data.get("config_file")
        if not upload:
            return None
        if upload.size > MAX_CONFIG_BYTES:
            raise forms.ValidationError(
                _("The file has %(size)s MB. A config.json has a few kilobytes, at most %(limit)s MB are read.")
                % {"size": round(upload.size / 1e6), "limit": MAX_CONFIG_BYTES // 10**6}
            )
        return _read_config(upload.read())

    def clean_config_text(self) -> dict[str, Any] | None:
        text = self.cleaned_data.get("config_text", "").strip()
        return _read_config(text.encode()) if text else None

    def clean_weight_files(self) -> dict[str, Any] | None:
        """What the model page read from headers; its grammar is that of the request."""
        text = self.cleaned_data.get("weight_files", "").strip()
        return stated_files(text) if text else None

    @property
    def weight_files_words(self) -> str:
        """What the box beside the model says; empty where no files were read."""
        text = self["weight_files"].value() or "" if "weight_files" in self.fields else ""
        try:
            files = stated_files(text) if text else {}
            size = figures.gigabytes(files["bytes"], 2) if files else ""
        except (forms.ValidationError, KeyError, TypeError):
            return ""
        words = _("Count the exact bytes of the weight files: %(size)s (%(source)s)")
        return words % {"size": size, "source": files.get("source") or files.get("kind")} if files else ""

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        own = data.get("config_file") or data.get("config_text")
        if not own and not data.get("model") and not {"model", "config_file", "config_text"} & set(self.errors):
            self.add_error("model", _("Choose a model, or give its config.json."))
        wanted = {"concurrent": "concurrent_requests", "rate": "requests_per_s"}.get(data.get("load_by") or "", "users")
        traced = data.get("trace_file") or data.get("trace_text") or set(TRACE_FIELDS) & set(self.errors)
        if not traced and data.get(wanted) is None and wanted not in self.errors:
            self.add_error(wanted, _("State the load: enter a value."))
        self.check_phases(data.get("serving_software"))
        return data

    def request_json(self) -> dict[str, Any]:
        """The contract request. Call it on a valid form only."""
        data = self.cleaned_data
        config = data.get("config_file") or data.get("config_text")
        model = {"config": config, "name": data["name"] or None} if config else {"id": data["model"]}
        if data.get("weight_files"):
            model["weight_files"] = data["weight_files"]
        return {
            "name": data["name"] or None,
            "kind": "llm_serving",
            "model": model,
            "weights_format": data["weights_format"] or None,
            "kv_format": data["kv_format"] or None,
            "traffic": self._traffic(),
            "targets": {
                "ttft_ms": _p95(data["ttft_s"], 1000),
                "tpot_ms": _p95(data["tpot_ms"], 1),
                "e2e_ms": _p95(data["e2e_s"], 1000),
                "output_tokens_per_s": data["output_tokens_per_s"],
            },
            "serving_software": data["serving_software"] or None,
            "site": self._site(),
            **self.deployment_json(),
            "procurement": self._procurement(),
        }

    def _traffic(self) -> dict[str, Any]:
        data = self.cleaned_data
        by = "trace" if self.trace else data.get("load_by") or "users"
        share = data.get("active_share")
        return {
            "trace": self.trace,
            "input_tokens": None if self.trace else data["input_tokens"],
            "output_tokens": None if self.trace else data["output_tokens"],
            "max_context_tokens": data["max_context_tokens"],
            "shared_prefix_tokens": data["shared_prefix_tokens"],
            "burstiness": data["burstiness"],
            "users": data["users"] if by == "users" else None,
            "active_share": share / 100 if by == "users" and share is not None else None,
            "concurrent_requests": data["concurrent_requests"] if by == "concurrent" else None,
            "requests_per_s": data["requests_per_s"] if by == "rate" else None,
            **({"load_profile": data["load_profile"]} if data.get("load_profile") else {}),
        }

    def _site(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {
            "max_power_w": None if data["power_kw"] is None else data["power_kw"] * 1000,
            "rack_units": data["rack_units"],
            "cooling": data["cooling"] or None,
            "max_ambient_c": data["max_ambient_c"],
            "electricity_price_per_kwh": data["electricity_price"],
            "pue": data["pue"],
            "spare_replicas": data["spare_replicas"],
            **self.place_json(),
            **self.network_json(),
        }

    def _procurement(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {
            "buyer_type": data["buyer_type"] or None,
            "currency": data["currency"] or None,
            "budget": None if data["budget"] is None else f"{data['budget']:.2f}",
            "needed_by": data["needed_by"].isoformat() if data["needed_by"] else None,
            "destination_country": data["destination_country"].upper() or None,
            "excluded_vendors": [word.strip() for word in data["excluded_vendors"].split(",") if word.strip()],
            "on_premises_only": data["on_premises_only"] or None,
            **self.buying_json(),
        }

    def add_problems(self, problems: Iterable[FieldProblem]) -> None:
        """Put each problem of the request under the field that it is about."""
        for problem in problems:
            self.add_error(field_of(problem.pointer), problem.detail)


def field_of(pointer: str) -> str | None:
    """The form field that a JSON pointer is about, or None for the form as a whole."""
    while pointer:
        if pointer in FIELD_OF_POINTER:
            return FIELD_OF_POINTER[pointer]
        pointer = pointer.rpartition("/")[0]
    return None


def _p95(value: float | None, factor: float) -> dict[str, float] | None:
    return None if value is None else {"p95": value * factor}


def _read_config(content: bytes) -> dict[str, Any]:
    try:
        config = json.loads(content)
    except (ValueError, RecursionError):
        raise forms.ValidationError(_("This is not JSON. Give the model's config.json as it was published.")) from None
    if not isinstance(config, dict):
        raise forms.ValidationError(_("This JSON is no object. A config.json begins with a brace."))
    return config


def stated_files(text: str) -> dict[str, Any]:
    """The weight files of a request as JSON text. Raises ValidationError for anything else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise forms.ValidationError(_("These are not the bytes of weight files that the model page states."))
    return found


def initial_of(request: Mapping[str, Any]) -> dict[str, Any]:
    """The form's values for an earlier request, so that it can be changed and run again."""
    traffic, targets = request.get("traffic") or {}, request.get("targets") or {}
    site, procurement = request.get("site") or {}, request.get("procurement") or {}
    model = request.get("model") or {}
    share, power_w = traffic.get("active_share"), site.get("max_power_w")
    by = "concurrent" if traffic.get("concurrent_requests") else "rate" if traffic.get("requests_per_s") else "users"
    values = {
        "model": model.get("id"),
        "config_text": json.dumps(model["config"]) if model.get("config") else None,
        "weight_files": json.dumps(model["weight_files"]) if model.get("weight_files") else None,
        "name": request.get("name"),
        "weights_format": request.get("weights_format") or "",
        "kv_format": request.get("kv_format") or "bf16",
        "serving_software": request.get("serving_software") or [],
        "load_by": by,
        "active_share": None if share is None else round(share * 100, 4),
        "ttft_s": _seconds(targets.get("ttft_ms")),
        "tpot_ms": (targets.get("tpot_ms") or {}).get("p95"),
        "e2e_s": _seconds(targets.get("e2e_ms")),
        "output_tokens_per_s": targets.get("output_tokens_per_s"),
        "power_kw": None if power_w is None else power_w / 1000,
        "electricity_price": site.get("electricity_price_per_kwh"),
        "excluded_vendors": ", ".join(procurement.get("excluded_vendors") or []),
        "budget": None if procurement.get("budget") is None else float(procurement["budget"]),
        **place_initial(request),
        **cluster_initial(request),
    }
    for key in ("users", "concurrent_requests", "requests_per_s", "max_context_tokens", "shared_prefix_tokens"):
        values[key] = traffic.get(key)
    values["burstiness"] = traffic.get("burstiness")
    values["trace_text"] = trace_initial(traffic)
    for key in ("input_tokens", "output_tokens"):
        stated = traffic.get(key)
        values[key] = round(stated["mean"]) if isinstance(stated, Mapping) else stated
    for key in ("rack_units", "cooling", "max_ambient_c", "pue", "spare_replicas"):
        values[key] = site.get(key)
    for key in ("needed_by", "currency", "buyer_type", "destination_country", "on_premises_only"):
        values[key] = procurement.get(key)
    return values


def _seconds(limits: Mapping[str, float] | None) -> float | None:
    value = (limits or {}).get("p95")
    return None if value is None else value / 1000
