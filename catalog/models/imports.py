from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from catalog.choices import ImportState
from config.accounts.ids import uuid7


class SupplierProfile(models.Model):
    """How one supplier's files are read, saved after a person confirmed it once."""

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="+")
    supplier = models.ForeignKey("catalog.Supplier", on_delete=models.CASCADE, related_name="profiles")
    name = models.CharField(_("name"), max_length=100)
    reading = models.JSONField(default=dict, blank=True, help_text="Encoding, delimiter, header, styles, columns.")
    answers = models.JSONField(default=dict, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "name"],
                name="one_profile_of_a_name",
                violation_error_message=_("A profile of this name exists already."),
            )
        ]

    def __str__(self) -> str:
        return self.name


class ImportBatch(models.Model):
    """One import of one file: read, previewed, committed in one transaction, undone as one."""

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    supplier = models.ForeignKey("catalog.Supplier", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    profile = models.ForeignKey(SupplierProfile, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    file = models.ForeignKey("accounts.StoredFile", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    file_name = models.CharField(max_length=255, blank=True)
    file_sha256 = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=10, choices=ImportState.choices, default=ImportState.QUEUED)
    progress = models.FloatField(default=0)
    message = models.JSONField(default=dict, blank=True, help_text="Code and parameters of what happens or failed.")
    reading = models.JSONField(default=dict, blank=True)
    answers = models.JSONField(default=dict, blank=True)
    result = models.JSONField(default=dict, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    committed_at = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "import batches"

    def __str__(self) -> str:
        return f"{self.file_name} ({self.state})"
