from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalog.choices import Condition, Confidence, DateKind, PriceKind, TaxBasis
from catalog.models.base import SeedRow, Sourced
from config.accounts.ids import uuid7

currency_code = RegexValidator(r"^[A-Z]{3}$", _("A currency has three capital letters (ISO 4217)."))


class PriceObservation(SeedRow, Sourced):
    """One price, seen in one place on one day. Never changed: a newer one closes it by `valid_to`.

    `unit_price` is for one unit of `price_unit`, in `currency`, on `tax_basis`. A tier is a row
    with its `min_quantity`. `price_high` is set where the source prints a range, of which
    `unit_price` is the lower end. Without an organisation the price is public.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    part = models.ForeignKey("catalog.Part", on_delete=models.PROTECT, related_name="prices", db_index=False)
    supplier = models.ForeignKey(
        "catalog.Supplier", null=True, blank=True, on_delete=models.PROTECT, related_name="prices"
    )
    supplier_sku = models.CharField(_("supplier's number"), max_length=80, blank=True)
    item_name = models.CharField(_("as named by the source"), max_length=500, blank=True)
    unit_price = models.DecimalField(_("unit price"), max_digits=18, decimal_places=6)
    price_high = models.DecimalField(
        _("upper end of the range"), max_digits=18, decimal_places=6, null=True, blank=True
    )
    currency = models.CharField(_("currency"), max_length=3, validators=[currency_code])
    price_unit = models.CharField(_("per"), max_length=30, default="each")
    tax_basis = models.CharField(_("tax"), max_length=15, choices=TaxBasis.choices, default=TaxBasis.UNSTATED)
    kind = models.CharField(_("kind of price"), max_length=16, choices=PriceKind.choices)
    condition = models.CharField(_("condition"), max_length=12, choices=Condition.choices, default=Condition.NEW)
    min_quantity = models.PositiveIntegerField(_("from quantity"), default=1)
    pack_size = models.PositiveIntegerField(_("pack size"), default=1)
    minimum_order = models.PositiveIntegerField(_("minimum order"), default=1)
    region = models.CharField(_("region"), max_length=20, blank=True)
    observed_on = models.DateField(_("seen on"))
    date_kind = models.CharField(_("kind of date"), max_length=10, choices=DateKind.choices, default=DateKind.OBSERVED)
    valid_from = models.DateField(_("valid from"))
    valid_to = models.DateField(_("valid to"), null=True, blank=True)
    superseded_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    is_outlier = models.BooleanField(_("outlier"), default=False)
    confidence = models.CharField(_("confidence"), max_length=1, choices=Confidence.choices, default=Confidence.A)
    quote_number = models.CharField(_("supplier's quotation"), max_length=60, blank=True)
    end_customer = models.CharField(_("end customer"), max_length=100, blank=True)
    import_batch = models.ForeignKey(
        "catalog.ImportBatch", null=True, blank=True, on_delete=models.PROTECT, related_name="prices"
    )
    import_line = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-observed_on", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(unit_price__gt=0),
                name="price_is_positive",
                violation_error_message=_("A price is above zero; leave an unknown price out."),
            ),
            models.CheckConstraint(
                condition=Q(price_high__isnull=True) | Q(price_high__gte=F("unit_price")), name="price_range_ascends"
            ),
            models.CheckConstraint(condition=Q(currency__regex=r"^[A-Z]{3}$"), name="price_currency_is_iso"),
            models.CheckConstraint(
                condition=Q(min_quantity__gte=1, pack_size__gte=1, minimum_order__gte=1),
                name="price_quantities_positive",
            ),
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True) | Q(valid_to__gte=F("valid_from")) | Q(superseded_by__isnull=False),
                name="price_validity_ascends",
                violation_error_message=_("The price ends before it begins."),
            ),
        ]
        indexes = [
            models.Index(fields=["part", "organisation", "currency"], name="price_by_part_and_owner"),
            models.Index(fields=["organisation", "supplier"], name="price_by_owner_and_supplier"),
            models.Index(fields=["superseded_by"], condition=Q(superseded_by__isnull=False), name="price_by_successor"),
        ]

    def __str__(self) -> str:
        return f"{self.unit_price} {self.currency} ({self.kind}, {self.observed_on})"


class ExchangeRate(SeedRow, Sourced):
    """How many units of `quote_currency` one unit of `base_currency` costs, on a day, by a source."""

    organisation = models.ForeignKey(
        "accounts.Organisation", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    base_currency = models.CharField(_("from currency"), max_length=3, validators=[currency_code])
    quote_currency = models.CharField(_("to currency"), max_length=3, validators=[currency_code])
    rate = models.DecimalField(_("rate"), max_digits=18, decimal_places=8)
    as_of = models.DateField(_("as of"))
    confidence = models.CharField(_("confidence"), max_length=1, choices=Confidence.choices)

    class Meta:
        ordering = ["base_currency", "quote_currency", "-as_of", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(rate__gt=0),
                name="exchange_rate_positive",
                violation_error_message=_("A rate is above zero."),
            ),
            models.CheckConstraint(
                condition=~Q(base_currency=F("quote_currency")),
                name="exchange_rate_between_two_currencies",
                violation_error_message=_("A rate stands between two different currencies."),
            ),
        ]

    def __str__(self) -> str:
        return f"1 {self.base_currency} = {self.rate} {self.quote_currency} ({self.as_of})"


class EnergyTariff(SeedRow, Sourced):
    """A published price of electricity. Never a silent default: a person picks one or types their own."""

    slug = models.SlugField(max_length=100)
    name = models.CharField(_("name"), max_length=150)
    region = models.CharField(_("region"), max_length=20, blank=True)
    price_per_kwh = models.DecimalField(_("price per kWh"), max_digits=10, decimal_places=6)
    price_per_kwh_high = models.DecimalField(
        _("upper end of the range per kWh"), max_digits=10, decimal_places=6, null=True, blank=True
    )
    currency = models.CharField(_("currency"), max_length=3, validators=[currency_code])
    tax_basis = models.CharField(_("tax"), max_length=15, choices=TaxBasis.choices, default=TaxBasis.UNSTATED)
    as_of = models.DateField(_("as of"))
    date_kind = models.CharField(_("kind of date"), max_length=10, choices=DateKind.choices)
    confidence = models.CharField(_("confidence"), max_length=1, choices=Confidence.choices)

    class Meta:
        ordering = ["region", "slug", "-as_of"]
        constraints = [models.CheckConstraint(condition=Q(price_per_kwh__gt=0), name="tariff_positive")]

    def __str__(self) -> str:
        return f"{self.name}: {self.price_per_kwh} {self.currency}/kWh"
