"""What the pages say of a kind's figures: labels, order, the load in words. No figure is made here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sizing import figures

LABELS: dict[str, str | Promise] = {
    "seconds_per_item": gettext_lazy("Time for one item"),
    "items_per_hour": gettext_lazy("Items per hour in total"),
    "items_per_hour_per_replica": gettext_lazy("Items per hour and replica"),
    "hours_at_stated_load": gettext_lazy("Busy at the stated load"),
    "times_real_time": gettext_lazy("Times real time in total"),
    "times_real_time_per_replica": gettext_lazy("Times real time per replica"),
    "real_time_factor": gettext_lazy("Real-time factor"),
    "audio_hours_per_hour": gettext_lazy("Hours of audio per hour"),
    "streams_per_device": gettext_lazy("Streams per device"),
    "latency_ms": gettext_lazy("Text after the end of a piece"),
    "first_audio_ms": gettext_lazy("First sound"),
    "processing_hours": gettext_lazy("Processing time"),
    "device_hours": gettext_lazy("Device hours"),
    "images_per_s": gettext_lazy("Images per second in total"),
    "images_per_s_per_replica": gettext_lazy("Images per second and replica"),
    "device_ms": gettext_lazy("Time of one batch"),
    "host_cores": gettext_lazy("Host cores for decoding"),
    "network_gbit_s": gettext_lazy("Network"),
    "poe_w": gettext_lazy("Power over Ethernet"),
    "documents_per_s": gettext_lazy("Texts per second in total"),
    "documents_per_s_per_replica": gettext_lazy("Texts per second and replica"),
    "tokens_per_s": gettext_lazy("Tokens per second"),
    "queries_per_s": gettext_lazy("Queries per second"),
    "samples_per_s": gettext_lazy("Candidates per second"),
    "table_gb_per_device": gettext_lazy("Tables per device"),
    "table_gb_in_host": gettext_lazy("Tables in host memory"),
    "rows_per_s": gettext_lazy("Rows per second in total"),
    "rows_per_s_per_replica": gettext_lazy("Rows per second and replica"),
    "sensors_per_device": gettext_lazy("Sensors per device"),
    "end_to_end_ms": gettext_lazy("Whole answer, p95"),
    "first_token_ms": gettext_lazy("First word, p95"),
    "retrieval_ms": gettext_lazy("Retrieval, p95"),
    "embed_ms": gettext_lazy("Embedding the question"),
    "search_ms": gettext_lazy("Search in the index"),
    "rank_ms": gettext_lazy("Ranking the passages"),
    "answer_ms": gettext_lazy("Language model, p95"),
    "devices_answer": gettext_lazy("Devices of the language model"),
    "devices_retrieval": gettext_lazy("Devices of retrieval"),
    "index_memory_gb": gettext_lazy("Index in main memory"),
    "index_drives_gb": gettext_lazy("Index and texts on NVMe"),
    "index_build_hours": gettext_lazy("Embedding all passages once"),
    "models": gettext_lazy("Models"),
    "models_per_device": gettext_lazy("Models per device"),
    "packing_gap": gettext_lazy("Above the proven minimum"),
    "devices_mig": gettext_lazy("Devices with MIG instances"),
    "devices_shared": gettext_lazy("Devices, shared"),
    "devices_alone": gettext_lazy("Devices, one model each"),
}
HEADLINES: dict[str, tuple[str, ...]] = {
    "image": ("seconds_per_item", "items_per_hour"),
    "video": ("seconds_per_item", "items_per_hour"),
    "speech": ("streams_per_device", "first_audio_ms", "latency_ms", "processing_hours", "times_real_time"),
    "vision": ("images_per_s", "streams_per_device", "device_ms"),
    "embedding": ("documents_per_s", "device_ms"),
    "recommendation": ("queries_per_s", "device_ms"),
    "models": ("models_per_device", "devices_mig", "devices_shared"),
    "rag": ("end_to_end_ms", "queries_per_s"),
    "tabular": ("rows_per_s", "sensors_per_device", "device_ms"),
    "edge": ("images_per_s", "streams_per_device", "device_ms"),
}
SHOWN_HEADLINES = 2
FORMULAS: dict[str, str | Promise] = {
    "diffusion_item": gettext_lazy("steps × passes × operations of a pass, plus encoder and decoder"),
    "diffusion_rate": gettext_lazy("replicas × rate offline × share that remains with random arrivals"),
    "busy_hours": gettext_lazy("stated load over what the replicas carry, of 24 hours"),
    "asr_speed": gettext_lazy("length of a window over encoder time plus decoder steps"),
    "asr_window": gettext_lazy("time of one batch of windows"),
    "asr_hours": gettext_lazy("hours of audio over the speed of all replicas"),
    "tts_speed": gettext_lazy("work for one second of audio"),
    "tts_first": gettext_lazy("work until the first sound"),
    "tts_hours": gettext_lazy("hours of audio over the speed of all replicas"),
    "streams_per_device": gettext_lazy("what one device carries over what one stream needs"),
    "vision_rate": gettext_lazy("replicas × rate offline × share that remains with random arrivals"),
    "vision_batch": gettext_lazy("launches, operations and weight reads of one batch"),
    "host_cores": gettext_lazy("pixels per second over what one core decodes and prepares"),
    "network": gettext_lazy("cameras × bit rate"),
    "poe": gettext_lazy("cameras × 12.95 W"),
    "embedding_rate": gettext_lazy("replicas × rate offline × share that remains with random arrivals"),
    "embedding_batch": gettext_lazy("operations and weight reads of one batch"),
    "recommendation_rate": gettext_lazy("rows gathered and dense operations of one candidate"),
    "recommendation_batch": gettext_lazy("launch plus candidates × time of one"),
    "table_memory": gettext_lazy("values × bytes per value"),
    "tabular_rate": gettext_lazy("replicas × rate offline × share that remains with random arrivals"),
    "tabular_batch": gettext_lazy("launch plus rows × (nodes visited + operations + transfer)"),
    "sensors_per_device": gettext_lazy("what one device carries over what one sensor sends"),
    "e2e_simulated": gettext_lazy("simulated requests, from prompt to last word"),
    "e2e_closed_form": gettext_lazy("first token plus time per token × length of the answer"),
    "rag_end_to_end": gettext_lazy("retrieval plus language model, 95th percentiles added"),
    "rag_first_token": gettext_lazy("retrieval plus first token of the language model"),
    "rag_retrieval": gettext_lazy("embedding, search, ranking and the wait before them"),
    "rag_embed": gettext_lazy("operations and weight reads of one question"),
    "rag_search": gettext_lazy("distances of the search × bytes of a vector over random reads"),
    "rag_rank": gettext_lazy("operations and weight reads of all pairs of one question"),
    "rag_capacity": gettext_lazy("the smaller of what retrieval and language model carry"),
    "rag_devices": gettext_lazy("devices of this part"),
    "rag_index_memory": gettext_lazy("passages × (vector + links)"),
    "rag_index_drives": gettext_lazy("passages × (text + copy of the index)"),
    "rag_build": gettext_lazy("passages over what the retrieval devices embed"),
    "packing": gettext_lazy("bin packing by memory and compute"),
    "packing_gap": gettext_lazy("devices over the lower bound, less one"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    """One figure with its name, where it comes from and how it is made."""

    name: str
    label: str
    estimate: Mapping[str, Any]
    formula: str
    source: str


def kind_of(request: Mapping[str, Any]) -> str:
    """The kind of a request; empty for language models, which have pages of their own."""
    kind = str(request.get("kind") or "")
    return kind if kind in HEADLINES else ""


def figure_rows(option: Mapping[str, Any], request: Mapping[str, Any]) -> list[FigureRow]:
    """All figures of an option in the order of LABELS; empty for a language model."""
    if not kind_of(request):
        return []
    performance = option.get("performance") or {}
    return [_row(name, performance[name]) for name in LABELS if isinstance(performance.get(name), Mapping)]


def headline_rows(option: Mapping[str, Any], request: Mapping[str, Any]) -> list[FigureRow]:
    """The figures that cards and tables show."""
    performance = option.get("performance") or {}
    names = [n for n in HEADLINES.get(kind_of(request), ()) if isinstance(performance.get(n), Mapping)]
    return [_row(name, performance[name]) for name in names[:SHOWN_HEADLINES]]


def _row(name: str, estimate: Mapping[str, Any]) -> FigureRow:
    return FigureRow(
        name=name,
        label=str(LABELS[name]),
        estimate=estimate,
        formula=str(FORMULAS.get(str(estimate.get("explain") or ""), "")),
        source=str(estimate.get("source") or ""),
    )


def load_words(request: Mapping[str, Any]) -> str:
    """The load as it was stated; empty for a language model."""
    kind = kind_of(request)
    return LOADS[kind](request[kind]) if kind else ""


def _items(load: Mapping[str, Any]) -> str:
    if load.get("items_per_hour") is not None:
        return _("%(count)s items per hour") % {"count": figures.figure(load["items_per_hour"])}
    values = {"count": figures.figure(load["items"]), "hours": figures.figure(load["deadline_hours"])}
    return _("%(count)s items within %(hours)s hours") % values


def _speech(load: Mapping[str, Any]) -> str:
    if load.get("streams") is not None:
        count = int(load["streams"])
        return ngettext("%(count)s live stream", "%(count)s live streams", count) % {"count": figures.number(count)}
    values = {"count": figures.figure(load["audio_hours"]), "hours": figures.figure(load["deadline_hours"])}
    return _("%(count)s hours of audio within %(hours)s hours") % values


def _vision(load: Mapping[str, Any]) -> str:
    if load.get("streams") is not None:
        values = {"count": figures.number(load["streams"]), "fps": figures.figure(load["fps"])}
        return _("%(count)s cameras with %(fps)s frames per second") % values
    return _("%(count)s images per second") % {"count": figures.figure(load["images_per_s"])}


def _embedding(load: Mapping[str, Any]) -> str:
    if load.get("documents_per_s") is not None:
        return _("%(count)s texts per second") % {"count": figures.figure(load["documents_per_s"])}
    return _("%(count)s queries per second") % {"count": figures.figure(load["queries_per_s"])}


def _queries(load: Mapping[str, Any]) -> str:
    return _("%(count)s queries per second") % {"count": figures.figure(load["queries_per_s"])}


def _models(load: Mapping[str, Any]) -> str:
    count = sum(int(item.get("copies") or 1) for item in load["items"])
    return ngettext("%(count)s model", "%(count)s models", count) % {"count": figures.number(count)}


def _questions(load: Mapping[str, Any]) -> str:
    values = {"count": figures.figure(load["queries_per_s"]), "passages": figures.number(load["passages"])}
    return _("%(count)s questions per second to %(passages)s passages") % values


def _rows(load: Mapping[str, Any]) -> str:
    if load.get("rows_per_s") is not None:
        return _("%(count)s rows per second") % {"count": figures.figure(load["rows_per_s"])}
    if load.get("sensors") is not None:
        values = {"count": figures.number(load["sensors"]), "rate": figures.figure(load["frames_per_s"])}
        return _("%(count)s sensors with %(rate)s frames per second") % values
    values = {"count": figures.figure(load["rows"]), "hours": figures.figure(load["deadline_hours"])}
    return _("%(count)s rows within %(hours)s hours") % values


LOADS = {
    "image": _items,
    "video": _items,
    "speech": _speech,
    "vision": _vision,
    "embedding": _embedding,
    "recommendation": _queries,
    "models": _models,
    "rag": _questions,
    "tabular": _rows,
    "edge": _vision,
}
