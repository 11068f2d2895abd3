from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.choices import Lifecycle
from catalog.models.base import SeedRow, Sourced, Verified


class Processor(SeedRow, Sourced, Verified):
    """One processor model; bandwidth is per socket at one module per channel."""

    slug = models.SlugField(max_length=100, unique=True)
    vendor = models.CharField(_("vendor"), max_length=50)
    name = models.CharField(_("name"), max_length=100)
    generation = models.CharField(_("generation"), max_length=50, blank=True)
    codename = models.CharField(_("code name"), max_length=50, blank=True)
    architecture = models.CharField(_("architecture"), max_length=50, blank=True)
    launch_year = models.PositiveSmallIntegerField(_("launch year"), null=True, blank=True)
    status = models.CharField(_("status"), max_length=25, choices=Lifecycle.choices, default=Lifecycle.UNKNOWN)
    socket = models.CharField(_("socket"), max_length=30, blank=True)
    max_sockets = models.PositiveSmallIntegerField(_("sockets at most"), null=True, blank=True)
    cores = models.PositiveSmallIntegerField(_("cores"))
    threads = models.PositiveSmallIntegerField(_("threads"), null=True, blank=True)
    base_ghz = models.FloatField(_("base clock (GHz)"), null=True, blank=True)
    boost_ghz = models.FloatField(_("boost clock (GHz)"), null=True, blank=True)
    l3_mb = models.FloatField(_("L3 cache (MB)"), null=True, blank=True)
    memory_channels = models.PositiveSmallIntegerField(_("memory channels"), null=True, blank=True)
    memory_type = models.CharField(_("memory type"), max_length=30, blank=True)
    memory_speed_mts = models.PositiveIntegerField(_("memory speed (MT/s)"), null=True, blank=True)
    memory_bandwidth_gb_s = models.FloatField(_("memory bandwidth (GB/s)"), null=True, blank=True)
    alt_memory = models.CharField(_("other memory"), max_length=60, blank=True)
    alt_memory_bandwidth_gb_s = models.FloatField(_("bandwidth with other memory (GB/s)"), null=True, blank=True)
    pcie_gen = models.PositiveSmallIntegerField(_("PCIe generation"), null=True, blank=True)
    pcie_lanes = models.PositiveSmallIntegerField(_("PCIe lanes"), null=True, blank=True)
    amx = models.BooleanField("AMX", null=True, blank=True)
    avx512 = models.BooleanField("AVX-512", null=True, blank=True)
    vnni = models.BooleanField("VNNI", null=True, blank=True)
    bf16_isa = models.BooleanField(_("BF16 instructions"), null=True, blank=True)
    tdp_w = models.FloatField(_("thermal design power (W)"), null=True, blank=True)

    class Meta:
        ordering = ["vendor", "name", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(cores__gt=0), name="processor_has_cores"),
            models.CheckConstraint(condition=Q(tdp_w__isnull=True) | Q(tdp_w__gt=0), name="processor_tdp_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.vendor} {self.name}"

    def get_absolute_url(self) -> str:
        return reverse("catalog:processor", args=[self.slug])
