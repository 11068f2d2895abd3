"""What each list of the catalogue may be narrowed by; the grammar is that of `config.rest.filters`."""

from typing import Any

import django_filters
from django.db.models import QuerySet

from catalog import models
from catalog.search import by_words, parts_by_words
from config.rest.filters import StrictFlag, Words, filterset


def words(*names: str) -> Words:
    return Words(lambda rows, text: by_words(rows, text, names))


def _current(rows: QuerySet[Any], _name: str, value: bool) -> QuerySet[Any]:
    return rows.filter(superseded_by__isnull=value)


def _takes(rows: QuerySet[Any], _name: str, slug: str) -> QuerySet[Any]:
    return rows.filter(pk__in=models.ServerAccelerator.objects.filter(accelerator__slug=slug).values("server_id"))


def _related(path: str) -> django_filters.CharFilter:
    return django_filters.CharFilter(field_name=path)


def _is_current() -> django_filters.BooleanFilter:
    return django_filters.BooleanFilter(
        method=_current, widget=StrictFlag(), label="true: not replaced by a newer one; false: replaced"
    )


ACCELERATORS = filterset(
    models.Accelerator,
    texts="slug vendor name architecture form_factor availability",
    choices="kind status",
    numbers="memory_gb memory_bandwidth_gb_s bf16_dense_tflops fp8_dense_tflops tdp_w launch_year slot_width",
    flags="supports_fp8 supports_fp4 supports_int8",
    more={"q": words("vendor", "name", "variant", "slug", "architecture")},
)
SERVERS = filterset(
    models.Server,
    texts="slug vendor model category",
    choices="basis status confidence",
    numbers="rack_units max_accelerators cpu_sockets max_ram_gb max_system_power_w",
    more={
        "q": words("vendor", "model", "slug", "accelerator_mount"),
        "accelerator": _related("fits__accelerator__slug"),
    },
)
PROCESSORS = filterset(
    models.Processor,
    texts="slug vendor name generation socket",
    choices="status",
    numbers="cores memory_bandwidth_gb_s tdp_w launch_year",
    flags="amx avx512",
    more={"q": words("vendor", "name", "generation", "codename")},
)
COMPONENTS = filterset(
    models.Component,
    texts="slug vendor model mpn",
    choices="category",
    more={"q": words("vendor", "model", "mpn", "key_specs")},
)
PARTS = filterset(
    models.Part,
    texts="slug manufacturer mpn oem oem_part_number",
    choices="kind",
    more={
        "q": Words(parts_by_words),
        "accelerator": _related("accelerator__slug"),
        "processor": _related("processor__slug"),
        "server": _related("server__slug"),
        "component": _related("component__slug"),
    },
)
SOFTWARE = filterset(models.ServingSoftware, texts="slug name project", more={"q": words("name", "project", "licence")})
COMPATIBILITY = filterset(
    models.SoftwareCompatibility,
    texts="software_name version accelerator_class format",
    choices="status",
    more={"software": _related("software__slug"), "q": words("accelerator_class", "format", "version")},
)
STORAGE_FORMATS = filterset(models.StorageFormat, texts="slug name family", numbers="weight_bits")
MODELS = filterset(models.AiModel, texts="architecture licence", more={"q": words("model_id", "architecture")})
WORKLOAD_MODELS = filterset(models.NonLlmWorkload, texts="task", more={"q": words("model_id", "task")})
CLOUD_RATES = filterset(
    models.CloudRate,
    texts="provider offer region",
    choices="kind pricing_model confidence",
    numbers="usd_per_gpu_hour usd_per_1m_output",
    days="as_of",
    more={"accelerator": _related("accelerator__slug"), "q": words("provider", "offer", "sku")},
)
TARIFFS = filterset(models.EnergyTariff, texts="region currency", days="as_of")
SUPPLIERS = filterset(models.Supplier, texts="name country")
EXCHANGE_RATES = filterset(models.ExchangeRate, texts="base_currency quote_currency", days="as_of")
PRICES = filterset(
    models.PriceObservation,
    texts="currency quote_number",
    choices="kind tax_basis condition confidence",
    numbers="min_quantity",
    days="observed_on valid_from valid_to",
    times="created_at",
    more={"part": _related("part__slug"), "supplier": _related("supplier__name"), "current": _is_current()},
)
LEAD_TIMES = filterset(
    models.LeadTimeObservation,
    texts="goods_class region",
    choices="state confidence",
    days="observed_on",
    times="created_at",
    more={"part": _related("part__slug"), "supplier": _related("supplier__name"), "current": _is_current()},
)
