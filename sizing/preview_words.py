"""The live preview in words: what holds the model, how full it is, and the figures behind it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from sizing import figures
from sizing.memory_bar import memory_bar


def preview_view(data: Mapping[str, Any]) -> dict[str, Any]:
    """What `sizing.preview.preview` found, as the panel beside the form shows it."""
    smallest = data.get("smallest")
    view: dict[str, Any] = {
        "facts": [*model_facts(data["model"]), cache_words(float(data["kv_bytes_per_token"]))],
        "rows": _rows(data),
    }
    if smallest is None:
        return view | {"state": "fail", "words": _("nothing in the catalogue holds it in one replica")}
    usable, free = float(smallest["usable_bytes"]), float(smallest["free_bytes"])
    count = int(smallest["count"])
    return view | {
        "hardware": f"{figures.number(count)}{figures.NBSP}×{figures.NBSP}{smallest['name']}",
        "state": "ok",
        "words": _("fits, %(free)s free") % {"free": figures.gigabytes(free * count)},
        "bar": memory_bar(smallest["parts"], usable_bytes=usable),
        "scale": _("Per accelerator, of %(usable)s usable.") % {"usable": figures.gigabytes(usable)},
    }


def model_facts(model: Mapping[str, Any]) -> list[str]:
    """Parameters, layers, KV heads and context of a model, each a few words."""
    facts = []
    if model.get("parameters_total"):
        facts.append(_("%(count)s parameters") % {"count": figures.count_of_parameters(model["parameters_total"])})
    active = model.get("parameters_active")
    if active and active != model.get("parameters_total"):
        facts.append(_("%(count)s active") % {"count": figures.count_of_parameters(active)})
    if model.get("layers"):
        facts.append(_("%(count)s layers") % {"count": figures.number(model["layers"])})
    if model.get("kv_heads"):
        facts.append(_("%(count)s KV heads") % {"count": figures.number(model["kv_heads"])})
    if model.get("max_context_tokens"):
        facts.append(_("%(count)s context") % {"count": figures.number(model["max_context_tokens"])})
    return facts


def cache_words(bytes_per_token: float) -> str:
    return _("%(size)s of KV per token") % {"size": figures.kilobytes(bytes_per_token)}


def _rows(data: Mapping[str, Any]) -> list[dict[str, str]]:
    in_flight = float(data["requests_in_flight"])
    held = in_flight * float(data["tokens_per_request"])
    return [
        {"label": _("Weights"), "text": figures.gigabytes(data["weight_bytes"])},
        {"label": _("KV per token"), "text": figures.kilobytes(data["kv_bytes_per_token"])},
        {"label": _("KV cache at peak"), "text": figures.gigabytes(data["kv_bytes_at_peak"])},
        {"label": _("Requests in flight at peak"), "text": figures.figure(in_flight)},
        {"label": _("Tokens held at peak"), "text": figures.number(held)},
    ]
