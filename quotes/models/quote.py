from datetime import date
from decimal import Decimal
from typing import ClassVar

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from config.accounts.ids import uuid7
from quotes.choices import EDITABLE, Binding, QuoteState, Region, TaxTreatment
from sizing.choices import BuyerType


class QuoteQuerySet(models.QuerySet["Quote"]):
    def for_user(self, user: object) -> "QuoteQuerySet":
        """Only quotes of organisations that the person belongs to; visitors see none."""
        if not getattr(user, "is_authenticated", False):
            return self.none()
        return self.filter(organisation__memberships__user_id=user.pk)  # type: ignore[attr-defined]


class Quote(models.Model):
    """One offer to one buyer: who, under which terms. What is offered stands in its revisions.

    Party and terms are working fields; a locked revision has its own frozen copy of them.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.PROTECT, related_name="quotes")
    number = models.CharField(_("number"), max_length=30)
    year = models.PositiveSmallIntegerField()
    sequence = models.PositiveIntegerField()
    title = models.CharField(_("title"), max_length=200)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    current_revision = models.OneToOneField(
        "QuoteRevision", null=True, on_delete=models.PROTECT, related_name="current_of", editable=False
    )
    source_option = models.UUIDField(null=True, editable=False, help_text="Public id of the option it came from.")

    buyer_type = models.CharField(_("buyer type"), max_length=20, choices=BuyerType.choices)
    currency = models.CharField(_("currency"), max_length=3)
    language = models.CharField(_("language"), max_length=5, choices=[("en", _("English")), ("de", _("German"))])
    region = models.CharField(_("region"), max_length=3, choices=Region.choices)
    tax_treatment = models.CharField(_("tax"), max_length=20, choices=TaxTreatment.choices)
    valid_days = models.PositiveIntegerField(_("valid for (days)"), default=30)
    valid_until = models.DateField(_("valid until"), null=True, blank=True)
    binding = models.CharField(_("binding"), max_length=10, choices=Binding.choices, default=Binding.BINDING)

    buyer_name = models.CharField(_("buyer"), max_length=200, blank=True)
    buyer_contact = models.CharField(_("contact"), max_length=200, blank=True)
    buyer_salutation = models.CharField(_("salutation"), max_length=200, blank=True)
    buyer_street = models.CharField(_("street"), max_length=200, blank=True)
    buyer_postal_code = models.CharField(_("postal code"), max_length=20, blank=True)
    buyer_city = models.CharField(_("city"), max_length=100, blank=True)
    buyer_country = models.CharField(_("country"), max_length=2, blank=True)
    buyer_vat_id = models.CharField(_("VAT id of the buyer"), max_length=30, blank=True)
    customer_number = models.CharField(_("customer number"), max_length=50, blank=True)
    deliver_to = models.CharField(_("deliver to"), max_length=300, blank=True)
    request_number = models.CharField(_("request or solicitation number"), max_length=100, blank=True)
    request_date = models.DateField(_("date of the request"), null=True, blank=True)
    contract_vehicle = models.CharField(_("contract vehicle and number"), max_length=100, blank=True)
    special_item_numbers = models.CharField(_("special item numbers"), max_length=100, blank=True)

    seller_contact = models.CharField(_("our contact"), max_length=200, blank=True)
    seller_phone = models.CharField(_("our phone"), max_length=50, blank=True)
    seller_email = models.EmailField(_("our e-mail"), blank=True)

    payment_days = models.PositiveSmallIntegerField(_("payment within (days)"), null=True, blank=True)
    contract_start = models.DateField(_("start of the contract"), null=True, blank=True)
    set_aside = models.BooleanField(_("small business set-aside"), default=False)
    taa_by_contract = models.BooleanField(_("the contract text demands TAA goods"), default=False)
    acquisition_value_usd = models.DecimalField(
        _("value of the whole acquisition (USD)"),
        max_digits=18,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
        help_text=_(
            "All orders and options together, where this quote is one of several; empty: this quote with its options."
        ),
    )
    cover_letter = models.TextField(_("cover letter"), blank=True)
    early_payment_pct = models.DecimalField(
        _("discount for early payment (%)"), max_digits=5, decimal_places=2, null=True, blank=True
    )
    early_payment_days = models.PositiveSmallIntegerField(_("if paid within (days)"), null=True, blank=True)
    delivery_terms = models.CharField(_("delivery terms"), max_length=200, blank=True)
    shipping = models.CharField(_("shipping costs"), max_length=200, blank=True)
    warranty = models.CharField(_("warranty"), max_length=300, blank=True)
    place_of_performance = models.CharField(_("place of performance"), max_length=200, blank=True)
    jurisdiction = models.CharField(_("jurisdiction"), max_length=200, blank=True)
    terms_acceptance = models.CharField(_("statement on the buyer's terms"), max_length=300, blank=True)
    section_889_statement = models.CharField(_("the offeror's Section 889 statement"), max_length=500, blank=True)
    intro = models.TextField(_("opening words"), blank=True)
    notes = models.TextField(_("notes for the buyer"), blank=True)
    exchange_rates = models.JSONField(
        default=dict, blank=True, help_text='{"USD": {"rate": "0.92", "source": "...", "date": "2026-11-30"}}'
    )

    objects: ClassVar[QuoteQuerySet] = QuoteQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["organisation", "year", "sequence"], name="one_quote_per_sequence"),
            models.UniqueConstraint(
                fields=["organisation", "number"],
                name="one_quote_per_number",
                violation_error_message=_("This quote number is taken."),
            ),
            models.CheckConstraint(
                condition=models.Q(early_payment_pct__isnull=True)
                | models.Q(early_payment_pct__gte=0, early_payment_pct__lt=100),
                name="early_payment_in_range",
                violation_error_message=_("Enter a share from 0 to below 100."),
            ),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("quotes:quote", args=[self.public_id])

    @property
    def state(self) -> str:
        """State of the current revision."""
        return self.current_revision.state if self.current_revision else QuoteState.DRAFT


class QuoteRevision(models.Model):
    """One version of a quote. Once locked it is frozen: a database trigger refuses every other change.

    `content` is the canonical copy of everything that a document shows, written at locking;
    `content_hash` is the SHA-256 of its canonical JSON.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    quote = models.ForeignKey(Quote, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=12, choices=QuoteState.choices, default=QuoteState.DRAFT)
    version = models.PositiveIntegerField(default=1, help_text="Raised with every change, for concurrent edits.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    issued_on = models.DateField(help_text="Date of the prices and findings shown; today's date at locking.")
    submitted_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    submitted_at = models.DateTimeField(null=True)
    locked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    locked_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True, help_text="When it was accepted, declined, expired or superseded.")
    sizing = models.JSONField(default=dict, help_text="Copy of the option's figures and assumptions.")
    delivery = models.JSONField(default=dict, help_text="Delivery in weeks, as the contract's option states it.")
    screened_at = models.DateTimeField(null=True)
    screening_lists = models.JSONField(default=list, help_text="Id, version and hash of each list used.")
    configuration_validated_by = models.CharField(max_length=200, blank=True)
    configuration_validated_on = models.DateField(null=True, blank=True)
    configuration_validation = models.CharField(max_length=300, blank=True)
    content = models.JSONField(null=True)
    content_hash = models.CharField(max_length=64, blank=True, db_index=True)
    total_net = models.DecimalField(max_digits=18, decimal_places=4, default=0, help_text="Sum of the known lines.")
    open_lines = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["quote_id", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["quote", "number"], name="one_revision_per_number"),
            models.CheckConstraint(
                condition=models.Q(state__in=sorted(EDITABLE))
                | models.Q(locked_at__isnull=False, content__isnull=False, content_hash__regex="^[0-9a-f]{64}$"),
                name="frozen_revision_has_content",
                violation_error_message=_("A locked revision needs its content and check value."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quote} R{self.number}"

    def get_absolute_url(self) -> str:
        return reverse("quotes:revision", args=[self.quote.public_id, self.number])

    @property
    def is_editable(self) -> bool:
        return self.state == QuoteState.DRAFT

    @property
    def is_frozen(self) -> bool:
        return self.state not in EDITABLE

    def valid_until(self) -> date | None:
        """The day named in the frozen content, else the quote's present one."""
        if self.content:
            raw = self.content["terms"]["valid_until"]
            return date.fromisoformat(raw) if raw else None
        return self.quote.valid_until
