from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ApprovalRule(models.Model):
    """From which total on, or below which margin, how many people must approve. Without a rule one is asked for."""

    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="approval_rules")
    total_from = models.DecimalField(_("from a net total of"), max_digits=18, decimal_places=2, default=0)
    currency = models.CharField(_("currency"), max_length=3)
    margin_below_pct = models.DecimalField(
        _("only where the margin is below (%)"), max_digits=5, decimal_places=2, null=True, blank=True
    )
    approvals_needed = models.PositiveSmallIntegerField(_("approvals needed"), default=1)

    class Meta:
        ordering = ["organisation_id", "currency", "total_from"]
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "currency", "total_from", "margin_below_pct"],
                name="one_approval_rule_per_thresholds",
                nulls_distinct=False,
                violation_error_message=_("There is a rule for these thresholds already."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.total_from} {self.currency}: {self.approvals_needed}"


class Approval(models.Model):
    """One person's approval of one version of a revision; a later change makes it void."""

    revision = models.ForeignKey("QuoteRevision", on_delete=models.CASCADE, related_name="approvals")
    approver = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    revision_version = models.PositiveIntegerField()
    reason = models.TextField(blank=True)
    approved_at = models.DateTimeField()

    class Meta:
        ordering = ["revision_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "approver", "revision_version"], name="one_approval_per_person_and_version"
            )
        ]

    def __str__(self) -> str:
        return f"{self.revision}: {self.approver}"
