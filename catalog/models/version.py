from django.db import models


class CatalogVersion(models.Model):
    """One row per committed change of the catalogue; the newest is the current version.

    `number` counts up by one, `content_hash` is SHA-256 over the facts that sizing reads.
    """

    number = models.PositiveBigIntegerField(unique=True)
    content_hash = models.CharField(max_length=64)
    reason = models.CharField(max_length=100, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]

    def __str__(self) -> str:
        return f"{self.number}-{self.content_hash[:12]}"
