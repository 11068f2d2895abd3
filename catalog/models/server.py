from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.choices import Confidence, DateKind, FitBasis, Lifecycle, ServerBasis
from catalog.models.base import SeedRow, Sourced


class Server(SeedRow, Sourced):
    """One orderable system, rack or edge box.

    A row of basis *filing* is a chassis seen in published benchmark results: its `*_seen`
    figures are what was built, not what the vendor offers at most.
    """

    slug = models.SlugField(max_length=100, unique=True)
    vendor = models.CharField(_("vendor"), max_length=50)
    model = models.CharField(_("model"), max_length=100)
    basis = models.CharField(_("basis"), max_length=10, choices=ServerBasis.choices, default=ServerBasis.CATALOGUE)
    category = models.CharField(_("category"), max_length=30)
    status = models.CharField(_("status"), max_length=25, choices=Lifecycle.choices, default=Lifecycle.UNKNOWN)
    rack_units = models.FloatField(_("height (U)"), null=True, blank=True)
    accelerator_mount = models.CharField(_("accelerator mount"), max_length=100, blank=True)
    max_accelerators = models.PositiveSmallIntegerField(_("accelerators at most"), null=True, blank=True)
    max_accelerators_seen = models.PositiveSmallIntegerField(_("accelerators seen"), null=True, blank=True)
    cpu_sockets = models.PositiveSmallIntegerField(_("processor sockets"), null=True, blank=True)
    cpu_families = models.CharField(_("processors"), max_length=150, blank=True)
    dimm_slots = models.PositiveSmallIntegerField(_("memory slots"), null=True, blank=True)
    dimms_seen = models.CharField(_("memory modules seen"), max_length=60, blank=True)
    max_ram_gb = models.PositiveIntegerField(_("memory at most (GB)"), null=True, blank=True)
    max_memory_gb_seen = models.PositiveIntegerField(_("memory seen (GB)"), null=True, blank=True)
    ram_type = models.CharField(_("memory type"), max_length=100, blank=True)
    drive_bays = models.CharField(_("drive bays"), max_length=150, blank=True)
    nic_pcie_slots = models.CharField(_("network and PCIe slots"), max_length=200, blank=True)
    host_link = models.CharField(_("link to the accelerators"), max_length=150, blank=True)
    interconnect = models.CharField(_("link between the accelerators"), max_length=150, blank=True)
    psu_count = models.PositiveSmallIntegerField(_("power supplies"), null=True, blank=True)
    psu_watts = models.CharField(
        _("power of one supply (W)"), max_length=60, blank=True, help_text=_("Sizes on offer, separated by a bar.")
    )
    psu_redundancy = models.CharField(_("redundancy of the supplies"), max_length=100, blank=True)
    input_voltage = models.CharField(_("input voltage"), max_length=150, blank=True)
    cooling = models.CharField(_("cooling"), max_length=150, blank=True)
    max_ambient_c = models.FloatField(_("highest ambient temperature (°C)"), null=True, blank=True)
    op_temp_range_c = models.CharField(_("operating temperature (°C)"), max_length=60, blank=True)
    weight_kg = models.FloatField(_("weight (kg)"), null=True, blank=True)
    edge_features = models.CharField(_("edge features"), max_length=200, blank=True)
    max_system_power_w = models.FloatField(_("system power at most (W)"), null=True, blank=True)
    country_of_origin = models.CharField(_("country of origin, as printed"), max_length=60, blank=True)
    not_in_filings = models.CharField(_("not in the filings"), max_length=200, blank=True)
    rounds = models.CharField(_("benchmark rounds"), max_length=60, blank=True)
    confidence = models.CharField(_("confidence"), max_length=1, choices=Confidence.choices)
    date_kind = models.CharField(_("kind of date"), max_length=10, choices=DateKind.choices, blank=True)

    class Meta:
        ordering = ["vendor", "model", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(rack_units__isnull=True) | Q(rack_units__gt=0), name="server_height_positive"
            ),
            models.CheckConstraint(
                condition=Q(max_system_power_w__isnull=True) | Q(max_system_power_w__gt=0),
                name="server_power_positive",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.vendor} {self.model}"

    def get_absolute_url(self) -> str:
        return reverse("catalog:server", args=[self.slug])

    @property
    def psu_watts_options(self) -> tuple[int, ...]:
        """Sizes of one supply on offer, in W; empty where not published."""
        return tuple(int(size) for size in self.psu_watts.split("|") if size.strip().isdigit())

    @property
    def accelerators_known(self) -> int | None:
        """Accelerators that the vendor offers at most, else the count seen built; None where neither is known."""
        return self.max_accelerators if self.max_accelerators is not None else self.max_accelerators_seen


class ServerAccelerator(SeedRow):
    """An accelerator that goes into a server. `accelerator_name` keeps the text where no row is known."""

    server = models.ForeignKey(Server, on_delete=models.CASCADE, related_name="fits")
    accelerator = models.ForeignKey(
        "catalog.Accelerator", null=True, blank=True, on_delete=models.PROTECT, related_name="fits"
    )
    accelerator_name = models.CharField(max_length=100)
    count_seen = models.PositiveSmallIntegerField(null=True, blank=True)
    basis = models.CharField(max_length=10, choices=FitBasis.choices, default=FitBasis.LISTED)

    class Meta:
        ordering = ["server_id", "accelerator_name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["server", "accelerator_name", "count_seen"],
                nulls_distinct=False,
                name="one_fit_per_server_accelerator_count",
            )
        ]

    def __str__(self) -> str:
        return f"{self.accelerator_name} in {self.server_id}"


class CatalogNote(SeedRow, Sourced):
    """A doubt about a catalogue row, kept beside it: a filing that disagrees, a figure to confirm.

    `subject` is the slug or name as given; the links are set where it is known.
    """

    subject = models.CharField(max_length=150)
    server = models.ForeignKey(Server, null=True, blank=True, on_delete=models.CASCADE, related_name="doubts")
    accelerator = models.ForeignKey(
        "catalog.Accelerator", null=True, blank=True, on_delete=models.CASCADE, related_name="doubts"
    )
    built_with = models.CharField(max_length=250, blank=True)
    rounds = models.CharField(max_length=60, blank=True)
    confidence = models.CharField(max_length=1, choices=Confidence.choices)

    class Meta:
        ordering = ["subject", "pk"]

    def __str__(self) -> str:
        return f"{self.subject}: {self.notes[:60]}"
