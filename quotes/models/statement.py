from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalog.choices import EvidenceType
from config.accounts.ids import uuid7
from quotes.choices import StatementSays, StatementScope


class TelecomStatement(models.Model):
    """What a maker or supplier says on Section 889, for one article or for everything it supplies.

    A statement is never changed; a newer one of the same firm on the same subject supersedes it. What a
    distributor's feed says is kept as received and proves nothing by itself.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.PROTECT, related_name="+")
    firm = models.CharField(_("maker or supplier"), max_length=200)
    firm_core = models.CharField(max_length=200, help_text="The firm without its legal form.")
    scope = models.CharField(_("speaks of"), max_length=10, choices=StatementScope.choices)
    mpn = models.CharField(_("part number"), max_length=100, blank=True)
    mpn_normalised = models.CharField(max_length=100, blank=True)
    says = models.CharField(_("says"), max_length=10, choices=StatementSays.choices)
    text = models.CharField(_("as received"), max_length=300, blank=True)
    clause = models.CharField(_("clause or form"), max_length=60, blank=True)
    evidence_type = models.CharField(max_length=20, choices=EvidenceType.choices)
    stated_by = models.CharField(_("stated by"), max_length=150)
    stated_on = models.DateField(_("stated on"))
    file = models.ForeignKey("accounts.StoredFile", on_delete=models.PROTECT, related_name="+")
    superseded_by = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="+")
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(evidence_type="manufacturer_letter", says__in=["none", "some"])
                | Q(evidence_type="distributor_feed", says="unclear"),
                name="only_a_letter_is_read_as_a_statement",
            ),
            models.CheckConstraint(
                condition=Q(scope="maker", mpn_normalised="") | (Q(scope="part") & ~Q(mpn_normalised="")),
                name="statement_on_an_article_names_it",
            ),
        ]
        indexes = [models.Index(fields=["organisation", "firm_core"], name="statement_by_firm")]

    def __str__(self) -> str:
        return f"{self.firm} {self.mpn} {self.stated_on}: {self.says}"
