"""Shapes of quotes. Amounts are text with the quote's currency; an open price is null, never 0."""

from typing import Any

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.rest.query import SparseMixin
from config.rest.serializers import AmountField, Rows, Strict, StrictMixin, WordedMixin, names
from quotes.choices import NEXT_STATES, OpenKind
from quotes.forms import QuoteForm
from quotes.models import Quote, QuoteLine, QuoteRevision
from quotes.services import LINE_FIELDS

MAX_QUANTITY = 100_000
MAX_AMOUNT = 100_000_000
EDITABLE_FIELDS = list(QuoteForm.Meta.fields)


class QuoteSerializer(Rows):
    """One offer to one buyer; state, revision and totals are those of the current revision."""

    id = serializers.UUIDField(source="public_id")
    state = serializers.CharField(help_text="draft, in_review, approved, locked, accepted, declined, expired …")
    revision = serializers.IntegerField(source="current_revision.number")
    version = serializers.IntegerField(source="current_revision.version")
    total_net = AmountField(source="current_revision.total_net", help_text="Sum of the known lines.")
    open_lines = serializers.IntegerField(source="current_revision.open_lines", help_text="Lines without a price.")
    created_by = serializers.CharField()

    class Meta:
        model = Quote
        fields = [
            *names("id number title state revision version currency total_net open_lines buyer_name valid_until"),
            *names("created_by created_at"),
        ]


class RevisionSerializer(Rows):
    """One version of a quote. `check_value` is the SHA-256 of its frozen content, null while it is a draft."""

    total_net = AmountField(read_only=True)
    check_value = serializers.SerializerMethodField()
    valid_until = serializers.DateField(allow_null=True)

    class Meta:
        model = QuoteRevision
        fields = [
            *names("number state version issued_on valid_until total_net open_lines check_value created_at"),
            *names("submitted_at locked_at closed_at"),
        ]

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_check_value(self, revision: QuoteRevision) -> str | None:
        return revision.content_hash or None


class QuoteDetailSerializer(QuoteSerializer):
    """A quote with its parties, its terms and what may come next."""

    allowed_states = serializers.SerializerMethodField()
    revisions = RevisionSerializer(many=True)
    early_payment_pct = serializers.FloatField(allow_null=True)

    class Meta(QuoteSerializer.Meta):
        fields = [
            *QuoteSerializer.Meta.fields,
            *(name for name in EDITABLE_FIELDS if name not in QuoteSerializer.Meta.fields),
            "allowed_states",
            "revisions",
        ]

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_allowed_states(self, quote: Quote) -> list[str]:
        return [str(state) for state in NEXT_STATES[quote.state]]


class QuoteCreateSerializer(Strict):
    """Which option of which run becomes the quote."""

    run = serializers.CharField(max_length=40, help_text="Id of the sizing run.")
    rank = serializers.IntegerField(min_value=1, max_value=100_000, help_text="Rank of the option.")


class QuotePatchSerializer(StrictMixin, serializers.ModelSerializer[Quote]):
    """Parties, reference, terms and document settings; only what is sent is changed."""

    class Meta:
        model = Quote
        fields = EDITABLE_FIELDS
        extra_kwargs = {"title": {"required": False}}


class LineSerializer(SparseMixin, serializers.ModelSerializer[QuoteLine]):
    """A line of a revision: a copy of what was known, with source and date of each claim."""

    id = serializers.UUIDField(source="public_id")
    kind = serializers.CharField()
    price_state = serializers.CharField(help_text="firm, open or indicative; only firm counts")
    price_kind = serializers.CharField()
    quantity = serializers.FloatField()
    list_price = AmountField(read_only=True, allow_null=True)
    unit_net = AmountField(read_only=True, allow_null=True)
    discount_pct = serializers.FloatField(allow_null=True)
    tax_rate_pct = serializers.FloatField(allow_null=True)
    lead_low_weeks = serializers.FloatField(allow_null=True)
    lead_typical_weeks = serializers.FloatField(allow_null=True)
    lead_high_weeks = serializers.FloatField(allow_null=True)

    class Meta:
        model = QuoteLine
        fields = [
            *names("id number section section_title kind alternative_to included_in version category manufacturer"),
            *names("brand mpn part seller_pn description quantity unit pack_size list_price discount_pct unit_net"),
            *names("price_state price_kind price_date tax_rate_pct schedule lead_low_weeks lead_typical_weeks"),
            *names("lead_high_weeks lead_source lead_date origin_raw origin_code origin_evidence"),
            *names("origin_evidence_date evidence_grade eccn hts unspsc eclass gtin warranty"),
        ]


class LinesSerializer(serializers.Serializer[Any]):
    """All lines in the order of the document."""

    revision = serializers.IntegerField()
    currency = serializers.CharField()
    results = LineSerializer(many=True)


def _amount(**kwargs: Any) -> serializers.DecimalField:
    return serializers.DecimalField(
        max_digits=14, decimal_places=4, max_value=MAX_AMOUNT, required=False, allow_null=True, **kwargs
    )


class LineFieldsSerializer(StrictMixin, serializers.ModelSerializer[QuoteLine]):
    """Fields of a line that may be written. A null price leaves the line open."""

    quantity = serializers.DecimalField(max_digits=14, decimal_places=3, max_value=MAX_QUANTITY, required=False)
    list_price = _amount(min_value=0)
    unit_net = _amount(min_value=-MAX_AMOUNT)
    discount_pct = serializers.DecimalField(
        max_digits=7, decimal_places=4, min_value=0, max_value=100, required=False, allow_null=True
    )

    class Meta:
        model = QuoteLine
        fields = sorted(LINE_FIELDS)
        extra_kwargs = {"description": {"required": False}}


class LineChangeSerializer(LineFieldsSerializer):
    """Changes of one line, which is named by its number."""

    number = serializers.CharField(max_length=20)

    class Meta(LineFieldsSerializer.Meta):
        fields = ["number", *LineFieldsSerializer.Meta.fields]


class LinesPatchSerializer(Strict):
    """Changes of several lines: all are made, or none."""

    lines = LineChangeSerializer(many=True, min_length=1, max_length=500)  # type: ignore[call-arg]


class NewLineSerializer(LineFieldsSerializer):
    """A further line at the end of its section."""

    section = serializers.RegexField(r"^\d{1,3}$", default="1")
    description = serializers.CharField(max_length=500)
    quantity = serializers.DecimalField(max_digits=14, decimal_places=3, max_value=MAX_QUANTITY)

    class Meta(LineFieldsSerializer.Meta):
        fields = ["section", *LineFieldsSerializer.Meta.fields]


class ReasonSerializer(Strict):
    """Why; kept in the audit trail."""

    reason = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")


class DecisionWriteSerializer(Strict):
    """A recorded reason why an open item may stand."""

    about = serializers.ChoiceField(choices=OpenKind.choices)
    line = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")
    rule = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    reason = serializers.CharField(max_length=2000)


class OpenItemSerializer(serializers.Serializer[Any]):
    """Something open. What `stops_lock` must be settled, or may stand by a decision where `about` is set."""

    code = serializers.CharField()
    detail = serializers.CharField()
    line = serializers.CharField(allow_blank=True)
    about = serializers.CharField(allow_blank=True)
    rule = serializers.CharField(allow_blank=True)
    stops_lock = serializers.BooleanField()
    decided_by = serializers.CharField(allow_blank=True)


class OpenItemsSerializer(serializers.Serializer[Any]):
    results = OpenItemSerializer(many=True)


class FormatSerializer(serializers.Serializer[Any]):
    format = serializers.CharField()
    content_type = serializers.CharField()
    href = serializers.URLField()


class FormatsSerializer(serializers.Serializer[Any]):
    """The formats that the revision can be had in."""

    revision = serializers.IntegerField()
    state = serializers.CharField()
    results = FormatSerializer(many=True)


@extend_schema_field(OpenApiTypes.ANY)
class DetailsField(serializers.JSONField):
    """What the screening engine returned besides."""


class FindingSerializer(serializers.Serializer[Any]):
    """One regime's finding for one line, or for the whole quote where `line` is empty."""

    line = serializers.CharField(allow_blank=True)
    regime = serializers.CharField()
    applicability = serializers.CharField()
    flag = serializers.CharField(allow_blank=True, help_text="pass, fail, review or unknown")
    rule = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    citation = serializers.CharField(allow_blank=True)
    origin_code = serializers.CharField(allow_blank=True)
    evidence_grade = serializers.CharField(allow_blank=True)
    details = DetailsField()


class RegimeSerializer(serializers.Serializer[Any]):
    regime = serializers.CharField()
    applicability = serializers.CharField()
    rule = serializers.CharField(allow_blank=True)
    counts = serializers.DictField(child=serializers.IntegerField())


class ScreeningSerializer(serializers.Serializer[Any]):
    """Findings of a revision. Unknown is never shown as passed."""

    screened_at = serializers.CharField(allow_null=True)
    lists = DetailsField()
    regimes = RegimeSerializer(many=True)
    findings = FindingSerializer(many=True)


class VerificationSerializer(serializers.Serializer[Any]):
    """Whether a document is what was locked: match, changed, unknown or unreadable."""

    outcome = serializers.CharField()
    check_value = serializers.CharField(allow_blank=True)
    number = serializers.CharField(allow_null=True)
    revision = serializers.IntegerField(allow_null=True)
    seller = serializers.CharField(allow_null=True)
    locked_at = serializers.DateTimeField(allow_null=True)
    state = serializers.CharField(allow_null=True)


class VerifyFileSerializer(WordedMixin, serializers.Serializer[Any]):
    """The JSON export of a quote, as it was downloaded."""

    content = serializers.DictField()
    check_value = serializers.CharField(required=False, allow_null=True)
    state = serializers.CharField(required=False)


class ShareWriteSerializer(Strict):
    days = serializers.IntegerField(min_value=1, max_value=365, default=30)


class ShareSerializer(serializers.Serializer[Any]):
    """A link for readers without an account. The address is shown this once."""

    address = serializers.URLField()
    revision = serializers.IntegerField()
    expires_at = serializers.DateTimeField()


def format_address(request: Any, quote: Quote, name: str) -> str:
    return str(request.build_absolute_uri(reverse("api-quote-document", args=[quote.public_id, name])))
