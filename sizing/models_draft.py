"""A workload form that somebody put aside half-filled."""

import secrets
from functools import partial
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext as _

from config.accounts.ids import uuid7
from sizing.choices import Kind


class WorkloadDraft(models.Model):
    """What was typed, as it was typed: `values` maps a form field to its text, or to a list of them.

    A draft without organisation belongs to whoever knows `secret`, as a visitor's run does.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    secret = models.CharField(max_length=32, default=partial(secrets.token_urlsafe, 16), unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", null=True, on_delete=models.CASCADE, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=30, choices=Kind.choices)
    name = models.CharField(max_length=200, blank=True)
    values = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-saved_at"]

    def __str__(self) -> str:
        return self.name or _("Unnamed draft")

    def get_absolute_url(self) -> str:
        """The form, filled."""
        return form_address(self.kind, draft=self.key)

    @property
    def key(self) -> str:
        """The part of the address: the public id for members, the secret for visitors."""
        return self.secret if self.organisation_id is None else str(self.public_id)


def form_address(kind: str, **query: Any) -> str:
    """The workload form of a kind, filled from what the query names."""
    if kind == Kind.LLM_SERVING:
        return reverse("sizing:workload", query=query)
    return reverse("sizing:kind", args=[kind], query=query)
