from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.choices import CompatibilityStatus
from catalog.models.base import SeedRow, Sourced, Verified


class ServingSoftware(SeedRow, Sourced, Verified):
    """One serving stack. Feature fields hold the source's words ("yes", "no", "engine", a condition)."""

    slug = models.SlugField(max_length=100, unique=True)
    name = models.CharField(_("name"), max_length=100)
    project = models.CharField(_("project"), max_length=60, blank=True)
    licence = models.CharField(_("licence"), max_length=150, blank=True)
    status = models.CharField(_("status"), max_length=200, blank=True)
    nvidia_min_compute_capability = models.CharField(_("lowest compute capability"), max_length=200, blank=True)
    amd_gfx = models.CharField(_("AMD targets"), max_length=150, blank=True)
    intel_gpu = models.CharField(_("Intel graphics"), max_length=100, blank=True)
    gaudi = models.CharField("Gaudi", max_length=100, blank=True)
    cpu = models.CharField(_("processors"), max_length=100, blank=True)
    tpu_or_neuron = models.CharField(_("TPU or Neuron"), max_length=100, blank=True)
    edge = models.CharField(_("edge"), max_length=150, blank=True)
    formats_volta_turing = models.CharField(_("formats on Volta and Turing"), max_length=200, blank=True)
    formats_ampere = models.CharField(_("formats on Ampere"), max_length=200, blank=True)
    formats_ada = models.CharField(_("formats on Ada"), max_length=200, blank=True)
    formats_hopper = models.CharField(_("formats on Hopper"), max_length=200, blank=True)
    formats_blackwell = models.CharField(_("formats on Blackwell"), max_length=200, blank=True)
    formats_amd = models.CharField(_("formats on AMD"), max_length=200, blank=True)
    formats_intel_cpu = models.CharField(_("formats on Intel and processors"), max_length=200, blank=True)
    continuous_batching = models.CharField(_("continuous batching"), max_length=60, blank=True)
    dynamic_batching = models.CharField(_("dynamic batching"), max_length=60, blank=True)
    paged_kv = models.CharField(_("paged KV cache"), max_length=60, blank=True)
    prefix_caching = models.CharField(_("prefix cache"), max_length=60, blank=True)
    speculative_decoding = models.CharField(_("speculative decoding"), max_length=60, blank=True)
    multi_lora = models.CharField(_("several LoRA adapters"), max_length=60, blank=True)
    disaggregated = models.CharField(_("prefill and decode apart"), max_length=60, blank=True)
    tensor_parallel = models.CharField(_("tensor parallel"), max_length=60, blank=True)
    pipeline_parallel = models.CharField(_("pipeline parallel"), max_length=60, blank=True)
    expert_parallel = models.CharField(_("expert parallel"), max_length=60, blank=True)
    multi_model = models.CharField(_("several models"), max_length=60, blank=True)
    openai_api = models.CharField(_("OpenAI API"), max_length=60, blank=True)
    grpc = models.CharField("gRPC", max_length=100, blank=True)

    class Meta:
        ordering = ["name", "pk"]
        verbose_name_plural = "serving software"

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("catalog:software", args=[self.slug])


class SoftwareCompatibility(SeedRow, Sourced):
    """What one release of a stack does with one format (or feature) on one class of accelerators."""

    software = models.ForeignKey(
        ServingSoftware, null=True, blank=True, on_delete=models.CASCADE, related_name="compatibility"
    )
    software_name = models.CharField(_("software"), max_length=60)
    version = models.CharField(_("release"), max_length=60, blank=True)
    release_date = models.CharField(_("date of the release"), max_length=10, blank=True)
    accelerator_class = models.CharField(_("class of accelerators"), max_length=80)
    format = models.CharField(_("format or feature"), max_length=80)
    status = models.CharField(_("status"), max_length=12, choices=CompatibilityStatus.choices)

    class Meta:
        ordering = ["software_name", "-release_date", "accelerator_class", "format", "pk"]
        indexes = [models.Index(fields=["software_name", "format"], name="compat_by_software_format")]

    def __str__(self) -> str:
        return f"{self.software_name} {self.version} {self.accelerator_class} {self.format}: {self.status}"


class StorageFormat(SeedRow, Sourced):
    """How weights, activations or the key-value cache are stored.

    Size GGUF models with `model_bits_per_weight`, every other with `exact_bits_per_weight` plus
    the tensors that stay unquantised.
    """

    slug = models.SlugField(max_length=100, unique=True)
    name = models.CharField(_("name"), max_length=100)
    family = models.CharField(_("family"), max_length=20)
    applies_to = models.CharField(_("applies to"), max_length=40)
    weight_bits = models.PositiveSmallIntegerField(_("bits of a value"))
    group_or_block_size = models.CharField(_("group or block"), max_length=30, blank=True)
    scale_bits = models.PositiveSmallIntegerField(_("bits of a scale"), null=True, blank=True)
    zero_point_bits = models.PositiveSmallIntegerField(_("bits of a zero point"), null=True, blank=True)
    exact_bits_per_weight = models.FloatField(_("exact bits per value"), null=True, blank=True)
    formula = models.CharField(_("formula"), max_length=100, blank=True)
    model_bits_per_weight = models.FloatField(_("bits per weight of a whole model"), null=True, blank=True)
    model_reference = models.CharField(_("model measured"), max_length=100, blank=True)
    activation_precision = models.CharField(_("activations"), max_length=60, blank=True)
    native_compute = models.CharField(_("computed natively by"), max_length=200, blank=True)
    verification = models.CharField(_("verification"), max_length=30, blank=True)

    class Meta:
        ordering = ["family", "-weight_bits", "name", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(weight_bits__range=(1, 64)), name="format_has_sensible_bits"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def bits_per_weight(self) -> float:
        """Bits that one stored value takes, scales included."""
        return self.model_bits_per_weight or self.exact_bits_per_weight or float(self.weight_bits)
