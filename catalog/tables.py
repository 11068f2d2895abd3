"""The list pages as data: which columns a table has, how it is sorted and filtered."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import django_filters
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from catalog import cells, filters, selectors
from catalog.cells import Cell
from catalog.choices import Lifecycle
from catalog.choosing import LeadTimeAnswer, PriceAnswer
from catalog.models import (
    Accelerator,
    AiModel,
    CloudRate,
    Component,
    Processor,
    Server,
    ServingSoftware,
)
from config.accounts.models import Organisation

type Words = str | Promise


@dataclass(frozen=True, slots=True)
class Offers:
    """Prices and lead times of the rows on the page."""

    prices: Mapping[Any, PriceAnswer] = field(default_factory=dict)
    lead_times: Mapping[Any, LeadTimeAnswer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column. `sort` is the field to order by, empty where the column cannot be sorted."""

    key: str
    label: Words
    cell: Callable[[Any, Offers], Cell]
    sort: str = ""
    is_number: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One list page."""

    name: str
    title: Words
    lead: Words
    rows: Callable[[Organisation | None], QuerySet[Any]]
    filterset: type[django_filters.FilterSet]
    columns: Sequence[Column]
    order: tuple[str, ...]
    has_offers: bool = False
    can_compare: bool = False

    @property
    def url(self) -> str:
        return reverse(f"catalog:{'software_list' if self.name == 'software' else self.name}")


def name_of(row: Any) -> Cell:
    """The name as a link; what cannot be bought yet, or no longer, says so."""
    status = getattr(row, "status", "")
    words = f"{row} ({row.get_status_display()})" if status in {Lifecycle.ANNOUNCED, Lifecycle.EOL} else str(row)
    return Cell(text=words, url=row.get_absolute_url(), is_internal=True)


def source_of(row: Any) -> Cell:
    """Where the row's facts come from and of when: the site's name as a link, else the title, cut to fit."""
    host = (urlsplit(row.source_url).hostname or "").removeprefix("www.")
    name = host or Truncator(row.source_title).chars(30)
    day = cells.day(row.source_date)
    return cells.text(f"{name}, {day.text}" if name else "", url=row.source_url)


def plain(name: str, label: Words, *, is_number: bool = False) -> Column:
    """A column that shows a field of the row and sorts by it."""
    return Column(
        key=name, label=label, cell=lambda row, _offers: cells.of_field(row, name), sort=name, is_number=is_number
    )


OFFER_COLUMNS = (
    Column(key="price", label=_("Net price"), cell=lambda row, offers: cells.price(offers.prices[row]), is_number=True),
    Column(key="price_day", label=_("Price of"), cell=lambda row, offers: cells.price_day(offers.prices[row])),
    Column(key="lead", label=_("Lead time"), cell=lambda row, offers: cells.weeks(offers.lead_times[row])),
)
SOURCE_COLUMNS = (
    Column(key="source", label=_("Source"), cell=lambda row, _offers: source_of(row), sort="source_date"),
)

ACCELERATORS = Table(
    name="accelerators",
    title=_("Accelerators"),
    lead=_("Every rate is dense, every figure as its source prints it. An empty figure is unknown, never zero."),
    rows=lambda _organisation: Accelerator.objects.all(),
    filterset=filters.AcceleratorFilter,
    columns=(
        Column(key="name", label=_("Name"), cell=lambda row, _offers: name_of(row), sort="name"),
        plain("memory_gb", _("Memory (GB)"), is_number=True),
        plain("memory_bandwidth_gb_s", _("Bandwidth (GB/s)"), is_number=True),
        plain("bf16_dense_tflops", _("BF16 (TFLOPS)"), is_number=True),
        plain("fp8_dense_tflops", _("FP8 (TFLOPS)"), is_number=True),
        plain("tdp_w", _("Power (W)"), is_number=True),
        *OFFER_COLUMNS,
        *SOURCE_COLUMNS,
    ),
    order=("vendor", "name", "variant", "pk"),
    has_offers=True,
    can_compare=True,
)

SERVERS = Table(
    name="servers",
    title=_("Servers"),
    lead=_(
        "Systems of vendors, and chassis seen in published benchmark filings. What was filed is not the most that fits."
    ),
    rows=lambda _organisation: Server.objects.all(),
    filterset=filters.ServerFilter,
    columns=(
        Column(key="name", label=_("Name"), cell=lambda row, _offers: name_of(row), sort="vendor"),
        plain("category", _("Category")),
        plain("rack_units", _("Height (U)"), is_number=True),
        plain("max_accelerators", _("Accelerators at most"), is_number=True),
        plain("max_ram_gb", _("Memory at most (GB)"), is_number=True),
        plain("max_system_power_w", _("Power at most (W)"), is_number=True),
        plain("basis", _("Basis")),
        *OFFER_COLUMNS,
        *SOURCE_COLUMNS,
    ),
    order=("vendor", "model", "pk"),
    has_offers=True,
)

PROCESSORS = Table(
    name="processors",
    title=_("Processors"),
    lead=_("Bandwidth is for one socket with one module on each channel."),
    rows=lambda _organisation: Processor.objects.all(),
    filterset=filters.ProcessorFilter,
    columns=(
        Column(key="name", label=_("Name"), cell=lambda row, _offers: name_of(row), sort="name"),
        plain("generation", _("Generation")),
        plain("cores", _("Cores"), is_number=True),
        plain("base_ghz", _("Base clock (GHz)"), is_number=True),
        plain("memory_bandwidth_gb_s", _("Bandwidth (GB/s)"), is_number=True),
        plain("pcie_lanes", _("PCIe lanes"), is_number=True),
        plain("tdp_w", _("Power (W)"), is_number=True),
        *OFFER_COLUMNS,
        *SOURCE_COLUMNS,
    ),
    order=("vendor", "name", "pk"),
    has_offers=True,
)

COMPONENTS = Table(
    name="components",
    title=_("Components"),
    lead=_("Memory, drives, network, power and licences as single products."),
    rows=lambda _organisation: Component.objects.all(),
    filterset=filters.ComponentFilter,
    columns=(
        Column(key="name", label=_("Name"), cell=lambda row, _offers: name_of(row), sort="vendor"),
        plain("category", _("Category")),
        plain("mpn", _("Manufacturer's number")),
        plain("key_specs", _("Key figures")),
        plain("typical_power_w", _("Power (W)"), is_number=True),
        *OFFER_COLUMNS,
        *SOURCE_COLUMNS,
    ),
    order=("category", "vendor", "model", "pk"),
    has_offers=True,
)

PARTS = Table(
    name="parts",
    title=_("Parts"),
    lead=_("What can be ordered, by manufacturer's number. Prices and lead times hang on parts."),
    rows=lambda organisation: selectors.parts(organisation).defer("search_vector"),
    filterset=filters.PartFilter,
    columns=(
        Column(key="name", label=_("Part"), cell=lambda row, _offers: name_of(row), sort="mpn"),
        plain("description", _("Description")),
        plain("kind", _("Kind")),
        plain("oem_part_number", _("System maker's number")),
        *OFFER_COLUMNS,
        *SOURCE_COLUMNS,
    ),
    order=("manufacturer", "mpn", "slug"),
    has_offers=True,
)

SOFTWARE = Table(
    name="software",
    title=_("Serving software"),
    lead=_("What each stack runs on and which formats it computes."),
    rows=lambda _organisation: ServingSoftware.objects.all(),
    filterset=filters.SoftwareFilter,
    columns=(
        Column(key="name", label=_("Name"), cell=lambda row, _offers: name_of(row), sort="name"),
        plain("project", _("Project")),
        plain("licence", _("Licence")),
        plain("nvidia_min_compute_capability", _("Lowest compute capability")),
        plain("continuous_batching", _("Continuous batching")),
        plain("tensor_parallel", _("Tensor parallel")),
        *SOURCE_COLUMNS,
    ),
    order=("name", "pk"),
)

MODELS = Table(
    name="models",
    title=_("Models"),
    lead=_("Published models with their config file; sizing reads the config, not a table of results."),
    rows=lambda _organisation: AiModel.objects.defer("config"),
    filterset=filters.ModelFilter,
    columns=(
        Column(key="name", label=_("Model"), cell=lambda row, _offers: name_of(row), sort="model_id"),
        plain("architecture", _("Architecture")),
        Column(
            key="parameters",
            label=_("Published parameters (10⁹)"),
            cell=lambda row, _offers: cells.number(row.facts.get("published_total_b")),
            is_number=True,
        ),
        plain("licence", _("Licence")),
        *SOURCE_COLUMNS,
    ),
    order=("model_id",),
)

CLOUD_RATES = Table(
    name="cloud_rates",
    title=_("Rental and API rates"),
    lead=_("To set beside owning. Rates are in USD as published; an instance is divided by its accelerators."),
    rows=lambda _organisation: CloudRate.objects.select_related("accelerator"),
    filterset=filters.CloudRateFilter,
    columns=(
        plain("offer", _("Accelerator or model")),
        plain("provider", _("Provider")),
        plain("pricing_model", _("Terms")),
        plain("usd_per_gpu_hour", _("USD per hour"), is_number=True),
        plain("usd_per_1m_input", _("USD per 10⁶ tokens in"), is_number=True),
        plain("usd_per_1m_output", _("USD per 10⁶ tokens out"), is_number=True),
        plain("region", _("Region")),
        plain("confidence", _("Confidence")),
        *SOURCE_COLUMNS,
    ),
    order=("kind", "offer", "usd_per_gpu_hour", "provider", "pk"),
)

TABLES = (ACCELERATORS, SERVERS, PROCESSORS, COMPONENTS, PARTS, SOFTWARE, MODELS, CLOUD_RATES)
