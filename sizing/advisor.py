"""The page that answers which software runs which format on which accelerator, and what would work instead."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from catalog.models import ServingSoftware
from sizing import available
from sizing.calibration.load import load_coefficients
from sizing.core.errors import SizingError
from sizing.core.estimates import model_signature
from sizing.core.hardware import Accelerator
from sizing.core.model.features import model_features
from sizing.core.values import State
from sizing.engines import ENGINE_NAMES, engine_name
from sizing.inputs import model_of
from sizing.kinds.hardware import candidates
from sizing.messages import render as words
from sizing.numbers import NumberField
from sizing.software_advice import FORMATS, MODEL_FAMILIES, Advice, Alternative, Combination, Runs, advise
from sizing.software_facts import NEEDS
from sizing.software_numbers import Prompt, all_numbers, measured_rows, software_rows

FAMILY_NAMES: Mapping[str, str | Promise] = {
    "language": _("Language models"),
    "embedding": _("Embedding and reranking"),
    "vision": _("Vision networks"),
    "speech": _("Speech"),
    "diffusion": _("Images and video"),
    "trees": _("Trees"),
}
NEED_NAMES: Mapping[str, str | Promise] = {
    "os": _("Operating system"),
    "driver": _("Driver"),
    "toolkit": _("CUDA, ROCm or oneAPI"),
    "container": _("Container"),
}
CHANGES: Mapping[str, str | Promise] = {
    "format": _("Another format"),
    "engine": _("Another software"),
    "accelerator": _("Another accelerator"),
}
STATE_WORDS: Mapping[State, str | Promise] = {
    State.OK: _("runs"),
    State.CAUTION: _("runs with a reservation"),
    State.FAIL: _("does not run"),
    State.UNKNOWN: _("unknown"),
}
FEATURES: tuple[tuple[str, str | Promise], ...] = (
    ("continuous_batching", _("Continuous batching")),
    ("dynamic_batching", _("Dynamic batching")),
    ("paged_kv", _("Paged KV cache")),
    ("prefix_caching", _("Prefix cache")),
    ("speculative_decoding", _("Speculative decoding")),
    ("multi_lora", _("Several LoRA adapters")),
    ("disaggregated", _("Prefill and decode apart")),
    ("tensor_parallel", _("Tensor parallel")),
    ("pipeline_parallel", _("Pipeline parallel")),
    ("expert_parallel", _("Expert parallel")),
    ("openai_api", _("OpenAI API")),
)


class AdvisorForm(forms.Form):
    """Software, accelerator, format and family; a model's name brings published runs in."""

    software = forms.ChoiceField(label=_("Software"), choices=list(ENGINE_NAMES.items()))
    accelerator = forms.ChoiceField(label=_("Accelerator"))
    weights = forms.ChoiceField(label=_("Format"), choices=list(FORMATS.items()))
    family = forms.ChoiceField(label=_("Family of models"), choices=list(FAMILY_NAMES.items()))
    model = forms.CharField(label=_("Model, where it is settled"), max_length=200, required=False)
    prompt = NumberField(label=_("Prompt"), low=1, high=10_000_000, whole=True, required=False)
    shared = NumberField(label=_("Of it the same in all requests"), low=0, high=10_000_000, whole=True, required=False)

    def __init__(self, *args: Any, devices: Mapping[str, Accelerator], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, each in self.fields.items():
            each.widget.attrs["class"] = "form-control" if name in TYPED else "form-select"
        field = self.fields["accelerator"]
        field.choices = [(slug, device.name) for slug, device in devices.items()]  # type: ignore[attr-defined]

    def prompt_stated(self) -> Prompt:
        """The example prompt, with what is left empty as in PROMPT. Call it on a valid form only."""
        tokens, shared = self.cleaned_data.get("prompt"), self.cleaned_data.get("shared")
        return Prompt(
            tokens=PROMPT.tokens if tokens is None else tokens,
            shared_tokens=PROMPT.shared_tokens if shared is None else shared,
        )

    def rows(self) -> list[dict[str, Any]]:
        """Fields with their units, for the template."""
        return [{"field": field, "unit": _("tokens") if field.name in ("prompt", "shared") else ""} for field in self]


TYPED = ("model", "prompt", "shared")
PROMPT = Prompt(tokens=1024, shared_tokens=800)
"""An assistant with instructions of 800 tokens."""

EXAMPLE = {"prompt": str(PROMPT.tokens), "shared": str(PROMPT.shared_tokens)}
DEFAULTS = EXAMPLE | {
    "software": "vllm", "accelerator": "nvidia-h100-sxm5-80gb", "weights": "fp8", "family": "language",
}  # fmt: skip


@require_safe
def advisor(request: HttpRequest) -> HttpResponse:
    """The form, and below it the answer. The address keeps the question."""
    offered = available.current()
    devices = {device.slug: device for device in sorted((*candidates(), *offered.unsold), key=lambda d: d.name)}
    asked = any(name in request.GET for name in AdvisorForm.base_fields)
    form = AdvisorForm(EXAMPLE | request.GET.dict() if asked else DEFAULTS, devices=devices)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        rows, prompt = software_rows(), form.prompt_stated()
        data = form.cleaned_data
        runs, problem = _runs(data["model"])
        found = advise(
            Combination(
                engine=data["software"],
                accelerator=devices[data["accelerator"]],
                weights=data["weights"],
                model_family=data["family"],
            ),
            offered.compatibility,
            offered.accelerators,
            runs=runs,
        )
        numbers = all_numbers(prompt, offered.compatibility, rows)
        context |= {
            "advice": shown(
                found, rows.get(data["software"]), f"&prompt={prompt.tokens:g}&shared={prompt.shared_tokens:g}"
            ),
            "problem": problem,
            "prompt": prompt,
            "numbers": numbers,
            "measured": measured_rows(numbers),
        }
    return render(request, "sizing/advisor.html", context)


def _runs(model: str) -> tuple[Runs, str]:
    """Published runs of a named language model, and why there are none."""
    if not model.strip():
        return {}, ""
    try:
        signature = model_signature(model_features(model_of({"id": model})))
    except SizingError as error:
        return {}, words(error.message)
    return load_coefficients().runs.get(signature, {}), ""


def shown(found: Advice, row: ServingSoftware | None, prompt: str) -> dict[str, Any]:
    """The advice in words, with sources beside every statement. `prompt` goes on in the addresses of alternatives."""
    asked, cell = found.combination, found.cell
    return {
        "state": found.verdict.state.value,
        "state_words": STATE_WORDS[found.verdict.state],
        "reason": words(found.verdict.message),
        "software": engine_name(asked.engine),
        "accelerator": asked.accelerator.name,
        "format": FORMATS[asked.weights],
        "cell": cell,
        "needs": [{"label": NEED_NAMES[name], "text": getattr(found.needs, name)} for name in NEEDS],
        "needs_source": found.needs,
        "file": found.file,
        "families": [FAMILY_NAMES[name] for name in MODEL_FAMILIES if name in (found.families.served or ())],
        "families_source": found.families,
        "consequences": [words(each) for each in found.consequences],
        "alternatives": [_alternative(each, prompt) for each in found.alternatives],
        "features": [{"label": label, "text": getattr(row, name, "")} for name, label in FEATURES],
        "row": row,
    }


def _alternative(each: Alternative, prompt: str) -> dict[str, Any]:
    combination = each.combination
    query = (
        f"?software={combination.engine}&accelerator={combination.accelerator.slug}"
        f"&weights={combination.weights}&family={combination.model_family}"
    )
    return {
        "changes": CHANGES[each.changes],
        "name": f"{engine_name(combination.engine)}, {combination.accelerator.name}, {FORMATS[combination.weights]}",
        "state": each.verdict.state.value,
        "reason": words(each.verdict.message),
        "url": reverse("sizing:advisor") + query + prompt,
    }
