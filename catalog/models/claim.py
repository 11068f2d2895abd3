from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalog.choices import EvidenceGrade, EvidenceType
from catalog.models.base import SeedRow, Sourced
from config.accounts.ids import uuid7


class OriginClaim(SeedRow, Sourced):
    """What somebody says about where a part comes from, and what that rests on.

    `text` stays as received; `country_code` is the resolved ISO code, empty where the text does
    not resolve to one country. The grade follows from the evidence type. A claim is never
    changed, a newer one supersedes it.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    part = models.ForeignKey("catalog.Part", on_delete=models.PROTECT, related_name="origin_claims")
    text = models.CharField(_("origin, as received"), max_length=200)
    country_code = models.CharField(_("country"), max_length=2, blank=True)
    transformation_note = models.CharField(_("what was done where"), max_length=300, blank=True)
    evidence_type = models.CharField(
        _("evidence"), max_length=20, choices=EvidenceType.choices, default=EvidenceType.UNKNOWN
    )
    grade = models.CharField(_("grade"), max_length=1, choices=EvidenceGrade.choices, default=EvidenceGrade.D)
    stated_by = models.CharField(_("stated by"), max_length=150, blank=True)
    stated_on = models.DateField(_("stated on"), null=True, blank=True)
    file = models.ForeignKey("accounts.StoredFile", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    superseded_by = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    import_batch = models.ForeignKey(
        "catalog.ImportBatch", null=True, blank=True, on_delete=models.PROTECT, related_name="origin_claims"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["part_id", "-stated_on", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=(
                    Q(evidence_type__in=["cbp_ruling", "manufacturer_letter"], grade="A")
                    | Q(evidence_type="distributor_feed", grade="B")
                    | Q(evidence_type="datasheet", grade="C")
                    | Q(evidence_type="unknown", grade="D")
                ),
                name="origin_grade_follows_from_evidence",
            ),
        ]
        indexes = [models.Index(fields=["part", "organisation"], name="claim_by_part_and_owner")]

    def __str__(self) -> str:
        return f"{self.text} [{self.grade}]"
