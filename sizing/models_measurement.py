"""Measured loads that an organisation brought in, and the calibrations made from them."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from config.accounts.ids import uuid7


class Measurement(models.Model):
    """One measured load of one deployment. Times in milliseconds; `statistics` is {metric: {statistic: ms}}.

    `deployment` says where it ran: accelerators, tensor, pipeline, expert, data, kv_format,
    max_batched_tokens, max_sequences, memory_utilisation, stream_interval. `model` is the request's model object.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    option = models.ForeignKey("sizing.SizingOption", null=True, on_delete=models.SET_NULL, related_name="measurements")
    file = models.ForeignKey("accounts.StoredFile", on_delete=models.PROTECT, related_name="+")
    line = models.PositiveIntegerField()
    tool = models.CharField(max_length=40)
    tool_version = models.CharField(max_length=40, blank=True)
    model = models.JSONField()
    model_name = models.CharField(max_length=200)
    accelerator = models.CharField(max_length=100, db_index=True)
    engine = models.CharField(max_length=30)
    engine_version = models.CharField(max_length=40, blank=True)
    weights_format = models.CharField(max_length=60)
    deployment = models.JSONField()
    concurrent = models.FloatField()
    input_tokens = models.FloatField()
    output_tokens = models.FloatField()
    prompts_per_slot = models.FloatField(null=True)
    statistics = models.JSONField()
    output_tokens_per_s = models.FloatField(null=True)
    items_per_s = models.FloatField(null=True)  # of kinds without tokens: images, documents, rows …
    measured_on = models.DateField(null=True)
    warnings = models.JSONField(default=list)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "file", "line", "accelerator", "engine"],
                name="one_measurement_per_entry",
                violation_error_message=_("This result has been imported already."),
            ),
            models.CheckConstraint(
                condition=models.Q(concurrent__gt=0, input_tokens__gte=0, output_tokens__gte=0),
                name="measurement_load_not_negative",
                violation_error_message=_("A measured load needs requests in flight and lengths."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model_name}, {self.accelerator}, {self.engine}, {self.concurrent:g}"


class CalibrationVersion(models.Model):
    """What one calibration learned. Never changed; the active one of an organisation is used, any can be again."""

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    number = models.PositiveIntegerField()
    active = models.BooleanField(default=True)
    content = models.JSONField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["organisation", "number"], name="one_calibration_per_number"),
            models.UniqueConstraint(
                fields=["organisation"],
                condition=models.Q(active=True),
                name="one_active_calibration",
                violation_error_message=_("Only one calibration can be in use."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.organisation} {self.number}"


class QualityEvaluation(models.Model):
    """Scores of the served weight format against the reference for one option; `tasks` as `quality.Task` holds them."""

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    option = models.ForeignKey("sizing.SizingOption", on_delete=models.CASCADE, related_name="evaluations")
    reference_file = models.ForeignKey("accounts.StoredFile", on_delete=models.PROTECT, related_name="+")
    served_file = models.ForeignKey("accounts.StoredFile", on_delete=models.PROTECT, related_name="+")
    weights_format = models.CharField(max_length=60)
    tasks = models.JSONField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.weights_format}, {len(self.tasks)}"
