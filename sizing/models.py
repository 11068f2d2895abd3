"""What a person asked for, the job over it, and the answers."""

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from config.accounts.ids import uuid7
from sizing.choices import FINISHED, Kind, RunState


def new_secret() -> str:
    """128 random bits, fit for an address."""
    return secrets.token_urlsafe(16)


class Workload(models.Model):
    """A named request, kept apart from its runs so that it can be run again and changed."""

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", null=True, on_delete=models.CASCADE, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=30, choices=Kind.choices)
    request = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class SizingRun(models.Model):
    """One sizing job. A worker holds it by a lease that a heartbeat renews.

    A run without organisation belongs to whoever knows `secret` (decisions: visitors may size).
    `result` is the body of the contract with messages as code and parameters.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    secret = models.CharField(max_length=32, default=new_secret, unique=True, editable=False)
    workload = models.ForeignKey(Workload, on_delete=models.CASCADE, related_name="runs")
    organisation = models.ForeignKey("accounts.Organisation", null=True, on_delete=models.CASCADE, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=12, choices=RunState.choices, default=RunState.QUEUED)
    stage = models.CharField(max_length=20, blank=True)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0)
    message = models.JSONField(null=True)
    as_of = models.DateField()
    input_hash = models.CharField(max_length=71, blank=True, db_index=True)
    result = models.JSONField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_owner = models.CharField(max_length=32, blank=True)
    lease_expires_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "lease_expires_at"], name="run_by_state_and_lease")]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(state=RunState.DONE) | models.Q(result__isnull=False),
                name="done_run_has_result",
                violation_error_message=_("A finished run needs its result."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.state})"

    def get_absolute_url(self) -> str:
        return reverse("sizing:run", args=[self.key])

    @property
    def key(self) -> str:
        """The part of the address: the public id for members, the secret for visitors."""
        return self.secret if self.organisation_id is None else str(self.public_id)

    @property
    def name(self) -> str:
        return self.workload.name

    @property
    def request(self) -> dict[str, Any]:
        stated: dict[str, Any] = self.workload.request
        return stated

    @property
    def is_finished(self) -> bool:
        return self.state in FINISHED


class SizingOption(models.Model):
    """One answer of a run: `data` is the contract's option object."""

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    run = models.ForeignKey(SizingRun, on_delete=models.CASCADE, related_name="options")
    rank = models.PositiveIntegerField()
    accelerator = models.CharField(max_length=100)
    data = models.JSONField()

    class Meta:
        ordering = ["run_id", "rank"]
        constraints = [models.UniqueConstraint(fields=["run", "rank"], name="one_option_per_rank")]

    def __str__(self) -> str:
        return f"{self.rank}. {self.accelerator}"

    def get_absolute_url(self) -> str:
        return reverse("sizing:option", args=[self.run.key, self.rank])


# Django finds models through this module.
from sizing.models_draft import WorkloadDraft as WorkloadDraft  # noqa: E402
from sizing.models_measurement import CalibrationVersion as CalibrationVersion  # noqa: E402
from sizing.models_measurement import Measurement as Measurement  # noqa: E402
from sizing.models_measurement import QualityEvaluation as QualityEvaluation  # noqa: E402
