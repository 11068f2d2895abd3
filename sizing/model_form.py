"""The form of the model page: a model in any of its forms, and where it is to run."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.uploads import DroppedFile
from sizing import available
from sizing.available import LLM_ENGINES
from sizing.engines import engine_name
from sizing.forms import KV_FORMATS, WEIGHT_FORMATS
from sizing.model_source import GivenFile
from sizing.numbers import NumberField
from sizing.typed_units import unit_of

SHAPE_FIELDS = {
    "layers": gettext_lazy("Layers"),
    "hidden_size": gettext_lazy("Hidden size"),
    "heads": gettext_lazy("Query heads"),
    "kv_heads": gettext_lazy("Key-value heads"),
    "head_dim": gettext_lazy("Head width"),
    "intermediate_size": gettext_lazy("Feed-forward width"),
    "vocab_size": gettext_lazy("Vocabulary"),
    "parameters_b": gettext_lazy("Parameters in all, in billions"),
    "experts": gettext_lazy("Experts per layer"),
    "experts_per_token": gettext_lazy("Experts per token"),
    "expert_width": gettext_lazy("Expert width"),
    "sliding_window": gettext_lazy("Sliding window, tokens"),
    "kv_lora_rank": gettext_lazy("Latent rank (MLA)"),
    "shape_context": gettext_lazy("Longest context of the model, tokens"),
}


PLACE_FIELDS = ("accelerator", "tensor", "pipeline", "engine", "weights_format", "kv_format", "context", "sequences")


class ManyFiles(forms.FileField):
    """Several files in one field. Cleans to a list."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=_ManyFilesInput(attrs={"class": "form-control"}), **kwargs)

    def clean(self, data: Any, initial: Any = None) -> "list[UploadedFile[bytes]]":
        given = data if isinstance(data, Sequence) else [data] if data else []
        return [super(ManyFiles, self).clean(each, initial) for each in given]


class _ManyFilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return files.getlist(name) if hasattr(files, "getlist") else files.get(name)


class ModelForm(forms.Form):
    """One model by id, files, text, hub name or shape; and the deployment that memory is shown for."""

    id = forms.CharField(label=gettext_lazy("Model of the catalogue"), max_length=200, required=False)
    model_files = ManyFiles(label=gettext_lazy("Files of the model"), required=False)
    sizes = forms.CharField(required=False, max_length=4000, widget=forms.HiddenInput)
    config_text = forms.CharField(
        label=gettext_lazy("Or paste config.json"), required=False, widget=forms.Textarea(attrs={"rows": 5})
    )
    hub = forms.CharField(label=gettext_lazy("Name on the hub"), max_length=200, required=False)
    token = forms.CharField(
        label=gettext_lazy("Your hub token"),
        max_length=200,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )
    weights_format = forms.ChoiceField(
        label=gettext_lazy("Weight format"), choices=WEIGHT_FORMATS, required=False, initial=""
    )
    kv_format = forms.ChoiceField(
        label=gettext_lazy("KV cache format"), choices=KV_FORMATS, required=False, initial="bf16"
    )
    accelerator = forms.ChoiceField(label=gettext_lazy("Accelerator"), required=False)
    tensor = NumberField(label=gettext_lazy("Tensor parallel"), low=1, high=1024, whole=True, required=False)
    pipeline = NumberField(label=gettext_lazy("Pipeline parallel"), low=1, high=1024, whole=True, required=False)
    engine = forms.ChoiceField(label=gettext_lazy("Serving software"), required=False, initial="vllm")
    context = NumberField(label=gettext_lazy("Longest context"), low=1, high=100_000_000, whole=True, required=False)
    sequences = NumberField(label=gettext_lazy("Requests at once"), low=1, high=1_000_000, whole=True, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        devices = [(device.slug, device.name) for device in available.current().accelerators]
        choices: Mapping[str, list[tuple[str, Any]]] = {
            "accelerator": [("", gettext_lazy("The smallest that holds it")), *devices],
            "engine": [(slug, engine_name(slug)) for slug in LLM_ENGINES],
        }
        for name, values in choices.items():
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = values
        for name, label in SHAPE_FIELDS.items():
            decimal = name == "parameters_b"
            high = 1_000_000 if decimal else 1_000_000_000
            self.fields[name] = NumberField(label=label, low=0.000001 if decimal else 1, high=high, whole=not decimal,
                                            required=False)  # fmt: skip
        self.fields["id"].widget.attrs |= {"list": "models", "autocomplete": "off", "spellcheck": "false"}
        for name, field in self.fields.items():
            if isinstance(field, NumberField):
                field.units = unit_of(name)
            field.widget.attrs.setdefault(
                "class", "form-select" if isinstance(field, forms.ChoiceField) else "form-control"
            )
            if self.errors_of(name):
                field.widget.attrs["aria-describedby"] = f"id_{name}_error"

    @property
    def limit_bytes(self) -> int:
        """Of all files of one request: `static/js/model.js` sends no more than the header of each."""
        return int(settings.UPLOAD_MAX_MB * 10**6)

    @property
    def shape_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in SHAPE_FIELDS]

    @property
    def shape_open(self) -> bool:
        """Whether the folded shape holds something to see."""
        return any(field.errors or field.value() not in {None, ""} for field in self.shape_fields)

    @property
    def place_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in PLACE_FIELDS]

    def errors_of(self, name: str) -> bool:
        return self.is_bound and name in self.errors

    def clean_model_files(self) -> "list[UploadedFile[bytes]]":
        given: list[UploadedFile[bytes]] = self.cleaned_data["model_files"]
        for upload in given:
            if isinstance(upload, DroppedFile) or (upload.size or 0) > self.limit_bytes:
                raise forms.ValidationError(
                    _(
                        "%(file)s has %(size)s MB. Only its header is read: with JavaScript the page sends just that, "
                        "without it use manage.py model_facts."
                    )
                    % {"file": (upload.name or "")[:80], "size": round((upload.size or 0) / 1e6)}
                )
        return given

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        ways = [name for name in ("id", "model_files", "config_text", "hub") if data.get(name)]
        ways += ["layers"] if self.shape() else []
        if not ways and not self.errors:
            self.add_error("id", _("Choose a model, or give its files, its config.json, its name or its shape."))
        if len(ways) > 1:
            self.add_error(ways[-1], _("Give the model once: by id, files, text, hub name or shape."))
        return data

    def shape(self) -> dict[str, Any]:
        """The typed shape in the terms of the API; empty where none is typed."""
        data = self.cleaned_data
        typed = {name: data.get(name) for name in SHAPE_FIELDS if data.get(name) is not None}
        billions, context = typed.pop("parameters_b", None), typed.pop("shape_context", None)
        if billions is not None:
            typed["parameters"] = round(billions * 1e9)
        if context is not None:
            typed["max_context_tokens"] = context
        return typed

    def given_files(self) -> list[GivenFile]:
        """The uploads as open files, with the full sizes that the page's script states for cut ones."""
        stated = [int(part) if part.strip().isdigit() else None for part in self.cleaned_data["sizes"].split(",")]
        uploads = self.cleaned_data["model_files"]
        whole = stated if len(stated) == len(uploads) else [None] * len(uploads)
        return [
            GivenFile(name=upload.name or "file", stream=upload.file, size=size if size is not None else upload.size)
            for upload, size in zip(uploads, whole, strict=True)
        ]
