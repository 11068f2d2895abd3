from django.db import models


class RevisionFile(models.Model):
    """The bytes of one export of a frozen revision, made once and never made again."""

    revision = models.ForeignKey("QuoteRevision", on_delete=models.PROTECT, related_name="files")
    format = models.CharField(max_length=20)
    language = models.CharField(max_length=5)
    file = models.ForeignKey("accounts.StoredFile", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["revision_id", "format", "language"]
        constraints = [
            models.UniqueConstraint(fields=["revision", "format", "language"], name="one_file_per_format_and_language")
        ]

    def __str__(self) -> str:
        return f"{self.revision} {self.format} {self.language}"
