from django.conf import settings
from django.db import models
from django.db.models import F, Q

from config.accounts.ids import uuid7
from quotes.choices import ClearanceState


class NameClearance(models.Model):
    """Two people's finding that a name is another firm than one row of one list, for one article or party.

    It holds for a year and only while the list row stays as it was; `row_hash` says how that was. It is never
    changed, only confirmed, refused or withdrawn.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.PROTECT, related_name="name_clearances")
    state = models.CharField(max_length=10, choices=ClearanceState.choices, default=ClearanceState.PROPOSED)
    regime = models.CharField(max_length=20)
    name = models.CharField(max_length=300, help_text="As it stands in the quote.")
    name_normalised = models.CharField(max_length=300)
    subject = models.CharField(max_length=300, help_text="Part number or supplier; the name itself for a party.")
    entity_id = models.CharField(max_length=80, help_text="Id of the list row.")
    listed_name = models.CharField(max_length=300)
    step = models.CharField(max_length=40, help_text="How the name met the row.")
    score = models.FloatField()
    row_hash = models.CharField(max_length=64)
    list_version = models.CharField(max_length=300)
    list_sha256 = models.CharField(max_length=64)
    quote = models.ForeignKey("Quote", null=True, on_delete=models.PROTECT, related_name="+")
    line = models.CharField(max_length=20, blank=True)
    reason = models.TextField()
    file = models.ForeignKey("accounts.StoredFile", null=True, on_delete=models.PROTECT, related_name="+")
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(auto_now_add=True)
    confirmed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    confirmed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True)
    closed_reason = models.TextField(blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "name_normalised", "entity_id", "row_hash", "subject"],
                condition=Q(state__in=["proposed", "confirmed"]),
                name="one_open_clearance_per_pair",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="clearance_says_why"),
            models.CheckConstraint(
                condition=~Q(state="confirmed") | Q(confirmed_by__isnull=False, confirmed_at__isnull=False),
                name="confirmed_clearance_says_by_whom",
            ),
            models.CheckConstraint(
                condition=Q(confirmed_by__isnull=True) | ~Q(confirmed_by=F("proposed_by")),
                name="clearance_takes_two_people",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["refused", "withdrawn"]) | (Q(closed_by__isnull=False) & ~Q(closed_reason="")),
                name="closed_clearance_says_by_whom_and_why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} / {self.entity_id}: {self.state}"
