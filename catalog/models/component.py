from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.choices import ComponentCategory, Confidence, DateKind
from catalog.models.base import SeedRow, Sourced, Verified


class Component(SeedRow, Sourced):
    """A memory module, drive, network adapter, switch, optic, supply, cord, bridge, order code or licence."""

    slug = models.SlugField(max_length=100, unique=True)
    category = models.CharField(_("category"), max_length=20, choices=ComponentCategory.choices)
    vendor = models.CharField(_("vendor"), max_length=50)
    model = models.CharField(_("model"), max_length=150)
    processor = models.ForeignKey(
        "catalog.Processor", null=True, blank=True, on_delete=models.PROTECT, related_name="components"
    )
    mpn = models.CharField(_("manufacturer's number"), max_length=60, blank=True)
    oem_part_numbers = models.CharField(_("numbers of system makers"), max_length=200, blank=True)
    key_specs = models.CharField(_("key figures"), max_length=200, blank=True)
    typical_power_w = models.FloatField(_("power (W)"), null=True, blank=True)
    power_kind = models.CharField(_("kind of the power figure"), max_length=30, blank=True)
    confidence = models.CharField(_("confidence"), max_length=1, choices=Confidence.choices)
    date_kind = models.CharField(_("kind of date"), max_length=10, choices=DateKind.choices, blank=True)

    class Meta:
        ordering = ["category", "vendor", "model", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(typical_power_w__isnull=True) | Q(typical_power_w__gt=0), name="component_power_positive"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.vendor} {self.model}"

    def get_absolute_url(self) -> str:
        return reverse("catalog:component", args=[self.slug])


class Interconnect(SeedRow, Sourced, Verified):
    """One link type and width. One direction and both directions are different fields."""

    slug = models.SlugField(max_length=100, unique=True)
    technology = models.CharField(_("technology"), max_length=50)
    generation = models.CharField(_("generation"), max_length=30, blank=True)
    variant = models.CharField(_("variant"), max_length=50, blank=True)
    scope = models.CharField(_("scope"), max_length=20)
    unidirectional_gb_s = models.FloatField(_("one direction (GB/s)"), null=True, blank=True)
    bidirectional_gb_s = models.FloatField(_("both directions (GB/s)"), null=True, blank=True)
    line_rate_gbit_s = models.FloatField(_("line rate (Gbit/s)"), null=True, blank=True)
    lanes_or_links = models.CharField(_("lanes or links"), max_length=50, blank=True)
    typical_latency_us = models.CharField(_("typical latency (µs)"), max_length=20, blank=True)
    latency_basis = models.CharField(_("basis of the latency"), max_length=100, blank=True)
    scale_up_domain_size = models.PositiveIntegerField(_("accelerators in one domain"), null=True, blank=True)

    class Meta:
        ordering = ["scope", "technology", "generation", "variant", "pk"]

    def __str__(self) -> str:
        return " ".join(part for part in (self.technology, self.generation, self.variant) if part)
