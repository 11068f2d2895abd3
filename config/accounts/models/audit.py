from django.conf import settings
from django.db import models

from config.accounts.ids import uuid7


class AuditEvent(models.Model):
    """One thing that somebody did, written by `audit.record_event` and never changed.

    `hash` is SHA-256 over the previous event's hash and this event's content, so that a
    removed or altered row breaks the chain (`audit.first_broken_event`).
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", null=True, on_delete=models.PROTECT, related_name="+")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    action = models.CharField(max_length=60)
    object_kind = models.CharField(max_length=60)
    object_id = models.CharField(max_length=60)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    reason = models.TextField(blank=True)
    at = models.DateTimeField()
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64, unique=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["object_kind", "object_id"], name="audit_by_object")]
        constraints = [models.UniqueConstraint(fields=["previous_hash"], name="audit_chain_has_no_fork")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action} {self.object_kind} {self.object_id}"
