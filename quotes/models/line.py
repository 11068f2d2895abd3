from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from config.accounts.ids import uuid7
from quotes.choices import LineKind, PriceKind, PriceState, StatementSays, StatementScope


class QuoteLine(models.Model):
    """One line of a revision: a copy of what was known, with the source and date of each claim.

    `unit_cost` is for the seller alone and never enters the content of a document.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    revision = models.ForeignKey("QuoteRevision", on_delete=models.CASCADE, related_name="lines")
    position = models.PositiveIntegerField(help_text="Order on the page.")
    number = models.CharField(_("line"), max_length=20)
    section = models.CharField(_("section"), max_length=10)
    section_title = models.CharField(_("section title"), max_length=200, blank=True)
    kind = models.CharField(_("kind"), max_length=12, choices=LineKind.choices, default=LineKind.BASE)
    alternative_to = models.CharField(_("alternative to line"), max_length=20, blank=True)
    included_in = models.CharField(_("included in line"), max_length=20, blank=True)
    version = models.PositiveIntegerField(default=1)

    category = models.CharField(max_length=40, blank=True, help_text="Kind of part, for screening.")
    manufacturer = models.CharField(_("manufacturer"), max_length=200, blank=True)
    brand = models.CharField(_("brand"), max_length=200, blank=True)
    supplier = models.CharField(
        _("provider of the service"), max_length=200, blank=True, help_text="For screening; never in a document."
    )
    mpn = models.CharField(_("part number"), max_length=100, blank=True)
    part = models.CharField(max_length=150, blank=True, help_text="Slug of the catalogue row it was copied from.")
    seller_pn = models.CharField(_("our part number"), max_length=100, blank=True)
    description = models.CharField(_("description"), max_length=500)
    description_message = models.JSONField(
        null=True, blank=True, help_text="The description as code and parameters, for other languages."
    )
    components = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    component_list_full = models.BooleanField(default=False)
    reason = models.JSONField(null=True, blank=True, help_text="Why the line is there: message code and parameters.")

    quantity = models.DecimalField(_("quantity"), max_digits=14, decimal_places=3)
    unit = models.CharField(_("unit"), max_length=20, default="piece")
    pack_size = models.PositiveIntegerField(_("pack size"), default=1)
    minimum_units = models.PositiveIntegerField(_("minimum order"), default=1, help_text="In sale units.")
    order_multiple = models.PositiveIntegerField(_("order multiple"), default=1, help_text="In sale units.")
    price_tiers = models.JSONField(
        default=list, blank=True, help_text='Quantity breaks of the list price: [{"from": "10", "price": "8900.00"}].'
    )
    list_price = models.DecimalField(_("list price"), max_digits=18, decimal_places=4, null=True, blank=True)
    discount_pct = models.DecimalField(_("discount (%)"), max_digits=7, decimal_places=4, null=True, blank=True)
    unit_net = models.DecimalField(_("unit price, net"), max_digits=18, decimal_places=4, null=True, blank=True)
    unit_cost = models.DecimalField(_("unit cost"), max_digits=18, decimal_places=4, null=True, blank=True)
    price_state = models.CharField(max_length=12, choices=PriceState.choices, default=PriceState.OPEN)
    price_kind = models.CharField(max_length=20, choices=PriceKind.choices, blank=True, default="")
    price_source = models.CharField(max_length=300, blank=True)
    price_date = models.DateField(_("price date"), null=True, blank=True)
    price_note = models.JSONField(null=True, blank=True, help_text="Why a price is open: message code and parameters.")
    tax_rate_pct = models.DecimalField(_("tax (%)"), max_digits=6, decimal_places=3, null=True, blank=True)
    schedule = models.CharField(_("schedule item or open market"), max_length=30, blank=True)
    schedule_price = models.DecimalField(max_digits=18, decimal_places=4, null=True, blank=True)

    lead_low_weeks = models.DecimalField(max_digits=7, decimal_places=2, null=True, blank=True)
    lead_typical_weeks = models.DecimalField(
        _("lead time (weeks)"), max_digits=7, decimal_places=2, null=True, blank=True
    )
    lead_high_weeks = models.DecimalField(max_digits=7, decimal_places=2, null=True, blank=True)
    lead_at_least = models.BooleanField(default=False, help_text="The observations have no upper end.")
    lead_source = models.CharField(max_length=200, blank=True)
    lead_date = models.DateField(null=True, blank=True)

    origin_raw = models.CharField(_("origin as received"), max_length=200, blank=True)
    origin_code = models.CharField(_("country of origin"), max_length=40, blank=True)
    origin_evidence = models.CharField(max_length=40, blank=True, help_text="Kind of evidence.")
    origin_evidence_date = models.DateField(null=True, blank=True)
    evidence_grade = models.CharField(max_length=1, blank=True)
    origin_evidence_sha256 = models.CharField(max_length=64, blank=True, help_text="Check value of the letter or feed.")
    s889_evidence = models.CharField(max_length=40, blank=True, help_text="Kind of proof for Section 889.")
    s889_evidence_date = models.DateField(null=True, blank=True)
    s889_evidence_sha256 = models.CharField(max_length=64, blank=True)
    s889_says = models.CharField(max_length=10, blank=True, choices=StatementSays.choices)
    s889_scope = models.CharField(max_length=10, blank=True, choices=StatementScope.choices)
    s889_stated_by = models.CharField(max_length=150, blank=True)
    eccn = models.CharField("ECCN", max_length=20, blank=True)
    hts = models.CharField(_("customs tariff number"), max_length=20, blank=True)
    unspsc = models.CharField("UNSPSC", max_length=10, blank=True)
    eclass = models.CharField("ECLASS", max_length=12, blank=True)
    gtin = models.CharField("GTIN", max_length=14, blank=True)
    warranty = models.CharField(_("warranty"), max_length=200, blank=True)

    class Meta:
        ordering = ["revision_id", "position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "number"],
                name="one_line_per_number",
                violation_error_message=_("This line number is taken."),
            ),
            models.CheckConstraint(
                condition=models.Q(quantity__gt=0),
                name="line_quantity_is_positive",
                violation_error_message=_("Enter a quantity above 0."),
            ),
            models.CheckConstraint(
                condition=~models.Q(price_state=PriceState.FIRM) | models.Q(unit_net__isnull=False),
                name="firm_line_has_price",
                violation_error_message=_("A firm line needs a unit price."),
            ),
            models.CheckConstraint(
                condition=models.Q(unit_net__isnull=True)
                | models.Q(unit_net__gte=0)
                | models.Q(kind=LineKind.DISCOUNT),
                name="only_discounts_are_negative",
                violation_error_message=_("Only a discount line may be negative."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.description}"
