from django.conf import settings
from django.db import models
from django.db.models import Q

from config.accounts.ids import uuid7


class Rescreening(models.Model):
    """One later screening of a revision with other lists; the findings of the revision stay as they are.

    `result` maps "line|regime" to the flag, `changes` holds what differs from the state before. With changes
    the row is a task until somebody settles it.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    revision = models.ForeignKey("QuoteRevision", on_delete=models.PROTECT, related_name="rescreenings")
    lists_key = models.CharField(max_length=64, help_text="SHA-256 over the versions and overdue checks.")
    lists = models.JSONField(help_text="Regime, version, hash and whether its check was overdue.")
    result = models.JSONField()
    changes = models.JSONField(default=list)
    made_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    settled_note = models.TextField(blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(settled_at__isnull=True) | (Q(settled_by__isnull=False) & ~Q(settled_note="")),
                name="settled_task_says_by_whom_and_why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.revision}: {len(self.changes)} changed"
