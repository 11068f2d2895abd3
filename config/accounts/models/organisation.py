from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from config.accounts.choices import Role
from config.accounts.ids import uuid7


class Organisation(models.Model):
    """A firm or agency: owner of runs, quotes and prices, and the seller on its documents.

    Identity fields may be empty: a document shows an empty one as open, never as fine.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=200)
    legal_name = models.CharField(_("legal name"), max_length=200, blank=True)
    legal_form = models.CharField(_("legal form"), max_length=100, blank=True)
    street = models.CharField(_("street"), max_length=200, blank=True)
    postal_code = models.CharField(_("postal code"), max_length=20, blank=True)
    city = models.CharField(_("city"), max_length=100, blank=True)
    country = models.CharField(_("country"), max_length=2, blank=True, help_text=_("ISO 3166 code, for example US"))
    phone = models.CharField(_("phone"), max_length=50, blank=True)
    contact_email = models.EmailField(_("contact e-mail"), blank=True)
    website = models.URLField(_("website"), blank=True)
    register_court = models.CharField(_("register court"), max_length=100, blank=True)
    register_number = models.CharField(_("register number"), max_length=50, blank=True)
    managing_directors = models.CharField(_("managing directors"), max_length=300, blank=True)
    vat_id = models.CharField(_("VAT id"), max_length=30, blank=True)
    cage_code = models.CharField("CAGE", max_length=5, blank=True)
    uei = models.CharField("UEI", max_length=12, blank=True)
    currency = models.CharField(_("currency"), max_length=3, default="USD")
    time_zone = models.CharField(_("time zone"), max_length=50, default="UTC")
    document_language = models.CharField(_("document language"), max_length=5, default="en")
    price_max_age_days = models.PositiveIntegerField(_("prices count as stale after (days)"), default=30)
    lead_time_max_age_days = models.PositiveIntegerField(_("lead times count as stale after (days)"), default=30)
    quote_valid_days = models.PositiveIntegerField(_("quotes are valid for (days)"), default=30)
    logo = models.ForeignKey("accounts.StoredFile", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, through="Membership", related_name="organisations")

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """One person's role in one organisation."""

    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices, default=Role.VIEWER)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["organisation_id", "user_id"]
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "user"],
                name="one_membership_per_person",
                violation_error_message=_("This person is a member already."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"
