import re

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.choices import DeviceKind, Lifecycle
from catalog.models.base import SeedRow, Sourced, Verified

_ONE_OF = re.compile(r"one of (\d+)\b")


class Accelerator(SeedRow, Sourced, Verified):
    """One orderable accelerator, cloud chip or module, as its data sheet states it.

    Every rate is dense. Every figure is for the whole row: where `logical_devices` is above 1,
    software sees that many devices that share it. An empty figure is not published, never zero.
    """

    slug = models.SlugField(max_length=100, unique=True)
    vendor = models.CharField(_("vendor"), max_length=50)
    name = models.CharField(_("name"), max_length=100)
    variant = models.CharField(_("variant"), max_length=100, blank=True)
    kind = models.CharField(_("kind"), max_length=10, choices=DeviceKind.choices, default=DeviceKind.GPU)
    architecture = models.CharField(_("architecture"), max_length=50, blank=True)
    launch_year = models.PositiveSmallIntegerField(_("launch year"), null=True, blank=True)
    status = models.CharField(_("status"), max_length=25, choices=Lifecycle.choices, default=Lifecycle.UNKNOWN)
    form_factor = models.CharField(_("form factor"), max_length=60, blank=True)
    slot_width = models.PositiveSmallIntegerField(_("width (slots)"), null=True, blank=True)
    logical_devices = models.PositiveSmallIntegerField(_("devices that software sees"), default=1)
    memory_gb = models.FloatField(_("memory (GB)"), null=True, blank=True)
    memory_type = models.CharField(_("memory type"), max_length=40, blank=True)
    memory_bandwidth_gb_s = models.FloatField(_("memory bandwidth (GB/s)"), null=True, blank=True)
    fp64_dense_tflops = models.FloatField(_("FP64 (TFLOPS)"), null=True, blank=True)
    fp32_dense_tflops = models.FloatField(_("FP32 (TFLOPS)"), null=True, blank=True)
    tf32_dense_tflops = models.FloatField(_("TF32 dense (TFLOPS)"), null=True, blank=True)
    fp16_dense_tflops = models.FloatField(_("FP16 dense (TFLOPS)"), null=True, blank=True)
    bf16_dense_tflops = models.FloatField(_("BF16 dense (TFLOPS)"), null=True, blank=True)
    fp8_dense_tflops = models.FloatField(_("FP8 dense (TFLOPS)"), null=True, blank=True)
    fp6_dense_tflops = models.FloatField(_("FP6 dense (TFLOPS)"), null=True, blank=True)
    fp4_dense_tflops = models.FloatField(_("FP4 dense (TFLOPS)"), null=True, blank=True)
    int8_dense_tops = models.FloatField(_("INT8 dense (TOPS)"), null=True, blank=True)
    int4_dense_tops = models.FloatField(_("INT4 dense (TOPS)"), null=True, blank=True)
    l2_cache_mb = models.FloatField(_("L2 cache (MB)"), null=True, blank=True)
    tdp_w = models.FloatField(_("thermal design power (W)"), null=True, blank=True)
    configurable_tdp_min_w = models.FloatField(_("lowest configurable power (W)"), null=True, blank=True)
    cooling = models.CharField(_("cooling"), max_length=40, blank=True)
    power_connector = models.CharField(_("power connector"), max_length=40, blank=True)
    mig_max_instances = models.PositiveSmallIntegerField(_("MIG instances at most"), null=True, blank=True)
    scale_up_link = models.CharField(_("scale-up link"), max_length=60, blank=True)
    scale_up_gb_s_bidirectional = models.FloatField(_("scale-up, both directions (GB/s)"), null=True, blank=True)
    scale_up_domain_size = models.PositiveIntegerField(_("accelerators in one scale-up domain"), null=True, blank=True)
    pcie_gen = models.PositiveSmallIntegerField(_("PCIe generation"), null=True, blank=True)
    pcie_lanes = models.PositiveSmallIntegerField(_("PCIe lanes"), null=True, blank=True)
    ecc = models.BooleanField(_("ECC"), null=True, blank=True)
    software = models.CharField(_("software stack"), max_length=60, blank=True)
    compute_capability = models.CharField(_("compute capability"), max_length=20, blank=True)
    supports_fp8 = models.BooleanField(_("FP8 in the matrix unit"), null=True, blank=True)
    supports_fp4 = models.BooleanField(_("FP4 in the matrix unit"), null=True, blank=True)
    supports_int8 = models.BooleanField(_("INT8 in the matrix unit"), null=True, blank=True)
    availability = models.CharField(_("availability"), max_length=40, blank=True)
    derived_fields = models.CharField(_("derived figures"), max_length=300, blank=True)

    class Meta:
        ordering = ["vendor", "name", "variant", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(memory_gb__isnull=True) | Q(memory_gb__gt=0), name="accelerator_memory_positive"
            ),
            models.CheckConstraint(
                condition=Q(memory_bandwidth_gb_s__isnull=True) | Q(memory_bandwidth_gb_s__gt=0),
                name="accelerator_bandwidth_positive",
            ),
            models.CheckConstraint(condition=Q(tdp_w__isnull=True) | Q(tdp_w__gt=0), name="accelerator_tdp_positive"),
            models.CheckConstraint(condition=Q(logical_devices__gte=1), name="accelerator_has_a_device"),
        ]

    def __str__(self) -> str:
        return " ".join(part for part in (self.vendor, self.name, self.variant) if part)

    def get_absolute_url(self) -> str:
        return reverse("catalog:accelerator", args=[self.slug])


class DeviceMemory(SeedRow, Sourced):
    """Memory that a driver or a server log reports for one accelerator, in the unit named in `per`.

    Size against `runtime_bytes` (what CUDA, HIP or OpenCL shows an application) where it is
    known, else against `usable_bytes` (the driver's total).
    """

    accelerator = models.ForeignKey(Accelerator, on_delete=models.CASCADE, related_name="device_memory")
    device_name = models.CharField(_("device name"), max_length=100)
    usable_bytes = models.PositiveBigIntegerField(_("usable (bytes)"))
    reported_mib = models.FloatField(_("reported (MiB)"), null=True, blank=True)
    reported_by = models.CharField(_("reported by"), max_length=60, blank=True)
    runtime_bytes = models.PositiveBigIntegerField(_("visible to an application (bytes)"), null=True, blank=True)
    driver_reserved_mib = models.FloatField(_("reserved by the driver (MiB)"), null=True, blank=True)
    per = models.CharField(_("per"), max_length=60)
    ecc = models.BooleanField(_("ECC"), null=True, blank=True)
    driver_version = models.CharField(_("driver version"), max_length=60, blank=True)
    verification = models.CharField(_("verification"), max_length=30, blank=True)

    class Meta:
        ordering = ["accelerator_id", "pk"]
        verbose_name_plural = "device memory"
        constraints = [
            models.CheckConstraint(
                condition=Q(runtime_bytes__isnull=True) | Q(runtime_bytes__lte=models.F("usable_bytes")),
                name="runtime_memory_within_usable",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.device_name}: {self.usable_bytes} bytes"

    @property
    def best_bytes(self) -> int:
        """What an application may count on, in bytes, for the unit named in `per`."""
        return self.runtime_bytes if self.runtime_bytes is not None else self.usable_bytes

    @property
    def units_per_accelerator(self) -> int:
        """How many of the units named in `per` make one accelerator ("one of 4 GPUs on the board": 4)."""
        match = _ONE_OF.match(self.per)
        return int(match[1]) if match else 1
