from django.conf import settings
from django.db import models

from config.accounts.ids import uuid7
from quotes.choices import FeedState


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


class EvidenceFeed(models.Model):
    """One distributor's feed with origins that the worker reads, and what came of it."""

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.PROTECT, related_name="evidence_feeds")
    file = models.ForeignKey("accounts.StoredFile", on_delete=models.PROTECT, related_name="+")
    stated_by = models.CharField(max_length=150)
    loaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    loaded_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=10, choices=FeedState.choices, default=FeedState.WAITING)
    recorded = models.PositiveIntegerField(default=0)
    repeated = models.PositiveIntegerField(default=0)
    unknown = models.PositiveIntegerField(default=0, help_text="Rows whose part the catalogue does not hold.")
    statements = models.PositiveIntegerField(default=0, help_text="What the feed says on Section 889.")
    unknown_parts = models.JSONField(default=list, help_text="The first of them.")
    fault = models.JSONField(null=True, help_text="Why it was refused: code and parameters.")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.stated_by}: {self.state}"
