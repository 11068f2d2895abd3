from django.conf import settings
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config.accounts.ids import uuid7
from quotes.choices import PartyListKind, PartyListState


class PartyList(models.Model):
    """One version of a list of listed parties that an organisation loaded; its file is kept and never changed.

    The file is read in the background, looked at, and made active by a person; one version of each kind is active.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.PROTECT, related_name="party_lists")
    kind = models.CharField(_("list"), max_length=10, choices=PartyListKind.choices)
    state = models.CharField(max_length=12, choices=PartyListState.choices, default=PartyListState.READING)
    published_on = models.DateField(_("published on"))
    file = models.ForeignKey("accounts.StoredFile", on_delete=models.PROTECT, related_name="+")
    fault = models.JSONField(null=True, help_text="Why it cannot be read, or should be looked at: code and parameters.")
    firms_count = models.PositiveIntegerField(default=0)
    names_count = models.PositiveIntegerField(default=0)
    added_count = models.PositiveIntegerField(default=0, help_text="Firms that the active version does not name.")
    removed_count = models.PositiveIntegerField(default=0)
    sources = models.JSONField(default=dict, help_text="Firms by list or kind of exclusion.")
    loaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    loaded_at = models.DateTimeField(auto_now_add=True)
    activated_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    activated_at = models.DateTimeField(null=True)
    activation_note = models.CharField(
        max_length=300, blank=True, help_text="Why it was activated in spite of a fault."
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "kind"],
                condition=Q(state=PartyListState.ACTIVE),
                name="one_active_party_list_per_kind",
            ),
            models.UniqueConstraint(fields=["organisation", "kind", "file"], name="one_party_list_per_file"),
        ]

    def __str__(self) -> str:
        return self.version

    @property
    def version(self) -> str:
        """As findings name it: kind, day of publication, start of the check value."""
        return f"{self.kind.upper()} {self.published_on.isoformat()} {self.file.sha256[:8]}"


class PartyName(models.Model):
    """One name of one listed firm, as the matcher reads it. Names of persons are never stored."""

    party_list = models.ForeignKey(PartyList, on_delete=models.CASCADE, related_name="names")
    entity_id = models.CharField(max_length=80)
    source = models.CharField(max_length=200)
    name = models.CharField(max_length=300)
    core = models.CharField(max_length=300)
    squeezed = models.CharField(max_length=300, blank=True)
    listed_from = models.DateField(null=True)
    listed_to = models.DateField(null=True)

    class Meta:
        ordering = ["party_list_id", "pk"]
        indexes = [
            models.Index(fields=["party_list", "core"], name="party_name_core"),
            models.Index(fields=["party_list", "squeezed"], name="party_name_squeezed"),
            GinIndex(OpClass("core", "gin_trgm_ops"), name="party_name_trigrams"),
        ]

    def __str__(self) -> str:
        return self.name
