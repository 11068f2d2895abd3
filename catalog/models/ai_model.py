from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.models.base import SeedRow, Sourced


class AiModel(SeedRow, Sourced):
    """A published model: its config file as JSON, and facts that its publisher states."""

    model_id = models.CharField(_("model"), max_length=150, unique=True)
    architecture = models.CharField(_("architecture"), max_length=80, blank=True)
    config = models.JSONField(_("config file"))
    facts = models.JSONField(_("facts"), default=dict, blank=True)
    licence = models.CharField(_("licence"), max_length=60, blank=True)
    config_kind = models.CharField(_("copy of the config file"), max_length=30, blank=True)
    source_path = models.CharField(_("file in the source"), max_length=200, blank=True)
    source_commit = models.CharField(_("commit of the source"), max_length=40, blank=True)

    class Meta:
        ordering = ["model_id"]

    def __str__(self) -> str:
        return self.model_id

    def get_absolute_url(self) -> str:
        return reverse("catalog:model", args=[self.model_id])


class NonLlmWorkload(SeedRow, Sourced):
    """A model for images, video, speech, embedding or vision: parameters and work per item.

    `flops` counts one multiply and one add as two operations, for the unit in `flops_unit`.
    """

    model_id = models.CharField(_("model"), max_length=150, unique=True)
    task = models.CharField(_("task"), max_length=60)
    parameters = models.PositiveBigIntegerField(_("parameters"), null=True, blank=True)
    components = models.CharField(_("parts"), max_length=200, blank=True)
    flops = models.FloatField(_("operations"), null=True, blank=True)
    flops_unit = models.CharField(_("operations are counted"), max_length=200, blank=True)
    default_steps = models.CharField(_("steps"), max_length=80, blank=True)
    guidance = models.CharField(_("guidance"), max_length=80, blank=True)
    basis = models.CharField(_("basis"), max_length=200, blank=True)

    class Meta:
        ordering = ["task", "model_id"]
        constraints = [
            models.CheckConstraint(condition=Q(flops__isnull=True) | Q(flops__gt=0), name="workload_flops_positive"),
        ]

    def __str__(self) -> str:
        return self.model_id
