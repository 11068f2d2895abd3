from django.conf import settings
from django.db import models

from quotes.choices import OpenKind


class ScreeningFinding(models.Model):
    """One regime's finding for one line, or for the whole quote where `line` is empty."""

    revision = models.ForeignKey("QuoteRevision", on_delete=models.CASCADE, related_name="findings")
    line = models.ForeignKey("QuoteLine", null=True, on_delete=models.CASCADE, related_name="findings")
    regime = models.CharField(max_length=20)
    applicability = models.CharField(max_length=20)
    applicability_rule = models.CharField(max_length=20, blank=True)
    flag = models.CharField(max_length=20, blank=True)
    rule = models.CharField(max_length=20, blank=True)
    reason = models.JSONField(help_text="Message code and parameters.")
    citation = models.CharField(max_length=200, blank=True)
    origin_code = models.CharField(max_length=40, blank=True)
    evidence_grade = models.CharField(max_length=1, blank=True)
    details = models.JSONField(default=dict, help_text="Evidence, match, list rows: what the engine returned.")
    lists = models.CharField(max_length=300, blank=True)
    engine_version = models.CharField(max_length=40, blank=True)
    input_hash = models.CharField(max_length=71, blank=True)

    class Meta:
        ordering = ["revision_id", "line__position", "regime", "pk"]

    def __str__(self) -> str:
        return f"{self.regime} {self.flag or self.applicability} {self.rule}"


class Decision(models.Model):
    """A person's recorded reason why an open item may stand; printed in the document."""

    revision = models.ForeignKey("QuoteRevision", on_delete=models.CASCADE, related_name="decisions")
    line = models.ForeignKey("QuoteLine", null=True, on_delete=models.CASCADE, related_name="decisions")
    about = models.CharField(max_length=12, choices=OpenKind.choices)
    rule = models.CharField(max_length=40, blank=True)
    reason = models.TextField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_by_name = models.CharField(max_length=200)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["revision_id", "pk"]

    def __str__(self) -> str:
        return f"{self.about} {self.rule}: {self.reason}"
