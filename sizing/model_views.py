"""The model page: a model of the catalogue, of a run, or of what a person gives; nothing of it is stored."""

import json
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from sizing.core.errors import SizingError
from sizing.core.model.architecture import ModelArchitecture
from sizing.core.model.typed_shape import config_of_shape
from sizing.core.model.weight_files import ExactBytes
from sizing.core.precision import BF16
from sizing.inputs import exact_of, model_of, storage_format
from sizing.messages import render as words
from sizing.model_facts import exact_facts
from sizing.model_form import ModelForm
from sizing.model_page import Wanted, model_page
from sizing.model_source import Described, described_by_files, described_by_hub, described_by_text
from sizing.views import known_models, run_or_404

LONGEST_HANDOVER = 4000  # characters: addresses beyond 8 kB are cut by proxies, and escapes double the length

GIVEN = ("id", "weights_format", "kv_format", "accelerator", "tensor", "pipeline", "engine", "context", "sequences")


@require_http_methods(["GET", "HEAD", "POST"])
def model(request: HttpRequest) -> HttpResponse:
    """The form, and below it the page of the model that it names. `?id=` opens a model of the catalogue."""
    if request.method == "POST":
        form = ModelForm(request.POST, request.FILES)
    elif any(request.GET.get(name) for name in GIVEN):
        form = ModelForm(request.GET)
    else:
        form = ModelForm()
    context, status = _answered(form) if form.is_bound else ({}, 200)
    draft = (request.POST if request.method == "POST" else request.GET).get("draft", "")[:64]
    frame = {"form": form, "models": sorted(known_models().values()), "draft": draft}
    return render(request, "sizing/model.html", frame | context, status=status)


@require_safe
def run_model(request: HttpRequest, key: str) -> HttpResponse:
    """The model of a run, with formats, accelerator and split of one of its options (`?rank=`)."""
    run = run_or_404(request, key)
    stated = run.request.get("model") or {}
    option = run.options.filter(rank=request.GET.get("rank") or 1).values_list("data", flat=True).first() or {}
    values = {
        "id": stated.get("id") or "",
        "weights_format": run.request.get("weights_format") or "",
        "kv_format": option.get("kv_format") or "bf16",
        "accelerator": option.get("accelerator") or "",
        "tensor": (option.get("parallelism") or {}).get("tensor"),
        "pipeline": (option.get("parallelism") or {}).get("pipeline"),
        "engine": option.get("engine") or "vllm",
        "context": (run.request.get("traffic") or {}).get("max_context_tokens"),
    }
    form = ModelForm(initial=values)
    context = {"form": form, "models": sorted(known_models().values()), "run": run}
    try:
        files = stated.get("weight_files")
        context |= _page(model_of(stated), _wanted(values), exact_of(files) if files else None)
    except SizingError as error:
        context["problem"] = words(error.message)
    return render(request, "sizing/model.html", context)


def _answered(form: ModelForm) -> tuple[dict[str, Any], int]:
    """The page of a bound form; the form alone with 422 where it cannot be read."""
    if not form.is_valid():
        return {}, 422
    try:
        found, exact, config = _read(form)
        return _page(found, _wanted(form.cleaned_data), exact) | {"handover": handover(config, exact)}, 200
    except SizingError as error:
        field = "hub" if error.code.startswith("hub_") else None
        form.add_error(field, words(error.message))
        return {}, 422


def _read(form: ModelForm) -> tuple[ModelArchitecture, ExactBytes | None, Mapping[str, object] | None]:
    """The model by the one way that the form gives, exact bytes where files state them, and its config if it is new."""
    data = form.cleaned_data
    if data["id"]:
        return model_of({"id": data["id"]}), None, None
    if shape := form.shape():
        return model_of({"shape": shape}), None, config_of_shape(shape)
    described = _described(form)
    return model_of({"config": described.config, "name": described.name}), described.exact, described.config


def handover(config: Mapping[str, object] | None, exact: ExactBytes | None) -> dict[str, Any]:
    """What the workload form takes over: the config and the exact bytes, `short` where an address carries both."""
    if config is None:
        return {}
    text = json.dumps(config, ensure_ascii=False, separators=(",", ":"), default=str)
    files = ""
    if exact is not None:
        facts = exact_facts(exact, 0) or {}
        stated = {key: value for key, value in facts.items() if value and key != "computed_over_exact"}
        files = json.dumps(stated, ensure_ascii=False, separators=(",", ":"))
    return {"config": text, "weight_files": files, "short": len(text) + len(files) <= LONGEST_HANDOVER}


def _described(form: ModelForm) -> Described:
    data = form.cleaned_data
    if data["model_files"]:
        return described_by_files(form.given_files())
    if data["config_text"]:
        return described_by_text(data["config_text"])
    return described_by_hub(data["hub"], token=data["token"] or None)


def _wanted(data: dict[str, Any]) -> Wanted:
    weights, cache = data.get("weights_format"), data.get("kv_format")
    return Wanted(
        weights_format=storage_format(weights, "/weights_format") if weights else None,
        kv_format=storage_format(cache, "/kv_format") if cache else BF16,
        accelerator=data.get("accelerator") or None,
        tensor=data.get("tensor"),
        pipeline=data.get("pipeline"),
        engine=data.get("engine") or "vllm",
        context=data.get("context"),
        sequences=data.get("sequences"),
    )


def _page(found: ModelArchitecture, wanted: Wanted, exact: ExactBytes | None) -> dict[str, Any]:
    return {"page": model_page(found, wanted, exact=exact)}
