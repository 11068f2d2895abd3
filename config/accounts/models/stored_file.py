from django.db import models

from config.accounts.ids import uuid7


class StoredFile(models.Model):
    """One uploaded or made file, addressed by its content: equal bytes are stored once per organisation."""

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", null=True, on_delete=models.PROTECT, related_name="+")
    sha256 = models.CharField(max_length=64)
    name = models.CharField(max_length=255)
    content_type = models.CharField(max_length=100)
    size_bytes = models.PositiveBigIntegerField()
    content = models.BinaryField(null=True, help_text="Empty when the storage backend keeps the bytes.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "sha256", "name"], nulls_distinct=False, name="one_row_per_file_content"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.size_bytes} bytes)"
