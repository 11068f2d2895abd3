from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalog.choices import Confidence, DateKind, StockState
from catalog.models.base import SeedRow, Sourced
from config.accounts.ids import uuid7


class LeadTimeObservation(SeedRow, Sourced):
    """One statement on delivery or stock, from one source on one day; a newer one closes it.

    `part` is empty for a statement about a class of goods ("data-centre switches"), which never
    stands in for a part's own lead time: it is shown beside it. Weeks come from `original_unit`
    (months at 52/12). No figure at all with state *unknown* is a statement too.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    part = models.ForeignKey(
        "catalog.Part", null=True, blank=True, on_delete=models.PROTECT, related_name="lead_times", db_index=False
    )
    supplier = models.ForeignKey(
        "catalog.Supplier", null=True, blank=True, on_delete=models.PROTECT, related_name="lead_times"
    )
    item = models.CharField(_("as named by the source"), max_length=500, blank=True)
    goods_class = models.CharField(_("class of goods"), max_length=30, blank=True)
    state = models.CharField(_("stock"), max_length=12, choices=StockState.choices, default=StockState.LEAD_TIME)
    weeks_low = models.DecimalField(_("at least (weeks)"), max_digits=7, decimal_places=2, null=True, blank=True)
    weeks_typical = models.DecimalField(_("typically (weeks)"), max_digits=7, decimal_places=2, null=True, blank=True)
    weeks_high = models.DecimalField(_("at most (weeks)"), max_digits=7, decimal_places=2, null=True, blank=True)
    original_unit = models.CharField(_("unit of the source"), max_length=20, blank=True)
    stock_count = models.PositiveIntegerField(_("pieces in stock"), null=True, blank=True)
    promised_on = models.DateField(_("promised for"), null=True, blank=True)
    region = models.CharField(_("region"), max_length=20, blank=True)
    observed_on = models.DateField(_("seen on"))
    date_kind = models.CharField(_("kind of date"), max_length=10, choices=DateKind.choices, default=DateKind.OBSERVED)
    valid_to = models.DateField(_("valid to"), null=True, blank=True)
    superseded_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    is_outlier = models.BooleanField(_("outlier"), default=False)
    confidence = models.CharField(_("confidence"), max_length=1, choices=Confidence.choices, default=Confidence.A)
    import_batch = models.ForeignKey(
        "catalog.ImportBatch", null=True, blank=True, on_delete=models.PROTECT, related_name="lead_times"
    )
    import_line = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-observed_on", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=(
                    (Q(weeks_low__isnull=True) | Q(weeks_low__gte=0))
                    & (Q(weeks_typical__isnull=True) | Q(weeks_typical__gte=0))
                    & (Q(weeks_high__isnull=True) | Q(weeks_high__gte=0))
                ),
                name="lead_weeks_not_negative",
            ),
            models.CheckConstraint(
                condition=(
                    (Q(weeks_low__isnull=True) | Q(weeks_typical__isnull=True) | Q(weeks_low__lte=F("weeks_typical")))
                    & (
                        Q(weeks_typical__isnull=True)
                        | Q(weeks_high__isnull=True)
                        | Q(weeks_typical__lte=F("weeks_high"))
                    )
                    & (Q(weeks_low__isnull=True) | Q(weeks_high__isnull=True) | Q(weeks_low__lte=F("weeks_high")))
                ),
                name="lead_weeks_ascend",
                violation_error_message=_("The weeks must ascend: at least, typically, at most."),
            ),
            models.CheckConstraint(
                condition=Q(part__isnull=False) | ~Q(goods_class=""), name="lead_time_is_about_something"
            ),
        ]
        indexes = [
            models.Index(fields=["part", "organisation"], name="lead_time_by_part_and_owner"),
            models.Index(
                fields=["superseded_by"], condition=Q(superseded_by__isnull=False), name="lead_time_by_successor"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item or self.part}: {self.weeks_low}/{self.weeks_typical}/{self.weeks_high} ({self.observed_on})"
