"""Filters of the list pages: what a reader may narrow a table by. Unknown parameters change nothing."""

from typing import TYPE_CHECKING, Any

import django_filters
from django import forms
from django.db.models import Count, QuerySet
from django.utils.translation import gettext_lazy as _

from catalog.choices import (
    CompatibilityStatus,
    ComponentCategory,
    DeviceKind,
    Lifecycle,
    PartKind,
    PricingModel,
    RateKind,
    ServerBasis,
)
from catalog.models import (
    Accelerator,
    AiModel,
    CloudRate,
    Component,
    Part,
    Processor,
    Server,
    ServingSoftware,
    SoftwareCompatibility,
)
from catalog.search import by_words, parts_by_words
from catalog.value_words import words_of

if TYPE_CHECKING:  # the stubs' name for a lazy text
    from django.utils.functional import _StrPromise

type Words = str | _StrPromise


class SearchWords(django_filters.CharFilter):
    """A search box over the named fields of the table."""

    def __init__(self, *names: str) -> None:
        self.names = names
        super().__init__(label=_("Search"), widget=forms.TextInput(attrs={"class": "form-control", "type": "search"}))

    def filter(self, qs: QuerySet[Any], value: str) -> QuerySet[Any]:
        words = " ".join((value or "").split())[:200]
        return by_words(qs, words, self.names) if words else qs


class PartWords(SearchWords):
    def filter(self, qs: QuerySet[Any], value: str) -> QuerySet[Any]:
        words = " ".join((value or "").split())[:200]
        return parts_by_words(qs, words) if words else qs


class Facets(django_filters.AllValuesFilter):
    """A select of the values that the column holds, in the reader's words, each with how many rows have it."""

    @property
    def field(self) -> Any:
        name, model = str(self.field_name), self.model  # type: ignore[attr-defined]
        counted = model._default_manager.order_by(name).values_list(name).annotate(rows_with_it=Count("pk"))
        self.extra["choices"] = [
            (value, f"{words_of(name, str(value))} ({count})") for value, count in counted if value
        ]
        return super(django_filters.AllValuesFilter, self).field


def values_of(name: str, label: Words) -> Facets:
    return Facets(
        field_name=name,
        label=label,
        empty_label=_("all"),
        widget=forms.Select(attrs={"class": "form-select"}),
    )


def choice(name: str, choices: Any, label: Words) -> django_filters.ChoiceFilter:
    return django_filters.ChoiceFilter(
        field_name=name,
        choices=choices,
        label=label,
        empty_label=_("all"),
        widget=forms.Select(attrs={"class": "form-select"}),
    )


def at_least(name: str, label: Words) -> django_filters.NumberFilter:
    return django_filters.NumberFilter(
        field_name=name,
        lookup_expr="gte",
        label=label,
        min_value=0,
        widget=forms.NumberInput(attrs={"class": "form-control", "inputmode": "decimal"}),
    )


class AcceleratorFilter(django_filters.FilterSet):
    q = SearchWords("vendor", "name", "variant", "slug", "architecture")
    vendor = values_of("vendor", _("Vendor"))
    kind = choice("kind", DeviceKind.choices, _("Kind"))
    status = choice("status", Lifecycle.choices, _("Status"))
    memory = at_least("memory_gb", _("Memory from (GB)"))

    class Meta:
        model = Accelerator
        fields: list[str] = []


class ServerFilter(django_filters.FilterSet):
    q = SearchWords("vendor", "model", "slug", "accelerator_mount")
    vendor = values_of("vendor", _("Vendor"))
    category = values_of("category", _("Category"))
    basis = choice("basis", ServerBasis.choices, _("Basis"))
    accelerators = at_least("max_accelerators", _("Accelerators from"))

    class Meta:
        model = Server
        fields: list[str] = []


class ProcessorFilter(django_filters.FilterSet):
    q = SearchWords("vendor", "name", "generation", "codename")
    vendor = values_of("vendor", _("Vendor"))
    socket = values_of("socket", _("Socket"))
    cores = at_least("cores", _("Cores from"))

    class Meta:
        model = Processor
        fields: list[str] = []


class ComponentFilter(django_filters.FilterSet):
    q = SearchWords("vendor", "model", "mpn", "key_specs")
    category = choice("category", ComponentCategory.choices, _("Category"))
    vendor = values_of("vendor", _("Vendor"))

    class Meta:
        model = Component
        fields: list[str] = []


class PartFilter(django_filters.FilterSet):
    q = PartWords()
    kind = choice("kind", PartKind.choices, _("Kind"))
    manufacturer = django_filters.CharFilter(
        lookup_expr="iexact", label=_("Manufacturer"), widget=forms.TextInput(attrs={"class": "form-control"})
    )

    class Meta:
        model = Part
        fields: list[str] = []


class SoftwareFilter(django_filters.FilterSet):
    q = SearchWords("name", "project", "licence")

    class Meta:
        model = ServingSoftware
        fields: list[str] = []


class CompatibilityFilter(django_filters.FilterSet):
    """Rows of one stack's compatibility table."""

    q = SearchWords("accelerator_class", "format", "version")
    version = values_of("version", _("Release"))
    status = choice("status", CompatibilityStatus.choices, _("Status"))

    class Meta:
        model = SoftwareCompatibility
        fields: list[str] = []


class ModelFilter(django_filters.FilterSet):
    q = SearchWords("model_id", "architecture")
    architecture = values_of("architecture", _("Architecture"))
    licence = values_of("licence", _("Licence"))

    class Meta:
        model = AiModel
        fields: list[str] = []


class CloudRateFilter(django_filters.FilterSet):
    q = SearchWords("provider", "offer", "sku")
    kind = choice("kind", RateKind.choices, _("Kind"))
    provider = values_of("provider", _("Provider"))
    pricing_model = choice("pricing_model", PricingModel.choices, _("Terms"))

    class Meta:
        model = CloudRate
        fields: list[str] = []
