from django.conf import settings
from django.db import models
from django.db.models import Q

from config.accounts.ids import uuid7
from quotes.choices import SendState


class Comment(models.Model):
    """What a colleague noted about a revision: for the seller alone, never part of a document, never changed."""

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    revision = models.ForeignKey("QuoteRevision", on_delete=models.PROTECT, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    author_name = models.CharField(max_length=200)
    text = models.TextField()
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["revision_id", "pk"]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="comment_says_something")]

    def __str__(self) -> str:
        return f"{self.author_name}: {self.text[:40]}"


class SentDocument(models.Model):
    """One e-mail with the document of a locked revision: to whom, by whom, and whether the server took it."""

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    revision = models.ForeignKey("QuoteRevision", on_delete=models.PROTECT, related_name="sent_documents")
    recipient = models.EmailField()
    language = models.CharField(max_length=5)
    text = models.TextField(blank=True)
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=SendState.choices, default=SendState.WAITING)
    done_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["revision_id", "-pk"]

    def __str__(self) -> str:
        return f"{self.revision} to {self.recipient}: {self.state}"
