from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalog.choices import PartKind
from config.accounts.ids import uuid7


class MarginRule(models.Model):
    """What an organisation adds to what it pays, in per cent of the cost, by kind of part and manufacturer.

    Empty kind or manufacturer means any. A rule is never changed: a newer one of the same scope follows it, and
    ending one keeps it on file.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(_("kind"), max_length=12, choices=PartKind.choices, blank=True)
    manufacturer = models.CharField(_("manufacturer"), max_length=100, blank=True)
    markup_pct = models.DecimalField(_("added to the cost (%)"), max_digits=7, decimal_places=3)
    valid_from = models.DateField(_("valid from"))
    valid_to = models.DateField(_("valid to"), null=True, blank=True)
    notes = models.CharField(_("reason"), max_length=300, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["kind", "manufacturer", "-valid_from", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(markup_pct__gte=0, markup_pct__lte=1000),
                name="markup_in_range",
                violation_error_message=_("A markup lies between 0 and 1,000 per cent."),
            ),
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True) | Q(valid_to__gte=F("valid_from")),
                name="margin_rule_validity_ascends",
                violation_error_message=_("The rule ends before it begins."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind or '*'} {self.manufacturer or '*'}: +{self.markup_pct} %"
