"""What every catalogue row carries: where it comes from, and whether a person has edited it."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _


class Sourced(models.Model):
    """Source and date beside a fact. `source_date` is as printed: a year, a month or a day."""

    source_title = models.CharField(_("source"), max_length=300, blank=True)
    source_url = models.URLField(_("address of the source"), max_length=300, blank=True)
    source_date = models.CharField(_("date of the source"), max_length=10, blank=True)
    notes = models.TextField(_("notes"), blank=True)

    class Meta:
        abstract = True


class SeedRow(models.Model):
    """A row that shipped data may load, and that a person may overrule.

    `seed_key` names the row in the shipped files (empty for a person's own row),
    `seed_version` the release of the data that wrote it last. Once `edited_at` is set, the seed
    leaves the row alone.
    """

    seed_key = models.CharField(max_length=200, null=True, blank=True, unique=True, editable=False)
    seed_version = models.CharField(max_length=20, blank=True, editable=False)
    edited_at = models.DateTimeField(_("edited"), null=True, blank=True, editable=False)
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+", editable=False
    )

    class Meta:
        abstract = True


VERIFICATION_WORDS = {
    "cross-checked": gettext_noop("cross-checked: two sources agree on the main facts"),
    "partly-checked": gettext_noop("partly checked: some facts agree in two sources"),
    "single-source": gettext_noop("one source only"),
    "vendor-figure-not-reread": gettext_noop("the vendor's figure, not read again: confirm it first"),
    "definition": gettext_noop("follows from the format itself"),
    "standard-rate": gettext_noop("rate of the standard"),
}


class Verified(models.Model):
    """How far a technical fact was checked, and against what."""

    cross_check_title = models.CharField(_("checked against"), max_length=200, blank=True)
    cross_check_url = models.URLField(_("address of the check"), max_length=300, blank=True)
    vendor_url = models.URLField(_("vendor's page"), max_length=300, blank=True)
    verification = models.CharField(_("verification"), max_length=30, blank=True)

    class Meta:
        abstract = True

    @property
    def verification_words(self) -> str:
        """How far the facts were checked, in the reader's language; a value of its own is shown as it is."""
        return gettext(VERIFICATION_WORDS.get(self.verification, self.verification)) if self.verification else ""
