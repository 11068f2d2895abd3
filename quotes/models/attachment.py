from django.conf import settings
from django.db import models

from config.accounts.ids import uuid7


class Attachment(models.Model):
    """A file beside a revision: for the buyer, then it is part of the content, or for colleagues alone."""

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    revision = models.ForeignKey("QuoteRevision", on_delete=models.CASCADE, related_name="attachments")
    file = models.ForeignKey("accounts.StoredFile", on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=200)
    for_buyer = models.BooleanField(default=False)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    added_by_name = models.CharField(max_length=200)
    added_at = models.DateTimeField()

    class Meta:
        ordering = ["revision_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["revision", "file", "for_buyer"], name="one_attachment_per_file"),
        ]

    def __str__(self) -> str:
        return self.name
