"""Shapes of names that are other firms and of statements on Section 889."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.rest.serializers import Rows, Strict, names
from quotes.choices import StatementSays
from quotes.models import NameClearance, TelecomStatement

READ_AS = [choice for choice in StatementSays.choices if choice[0] != StatementSays.UNCLEAR]


class ClearanceSerializer(Rows):
    """Two people's finding that a name is another firm than a list row; it holds for a year and for that row."""

    id = serializers.UUIDField(source="public_id")
    state = serializers.CharField(help_text="proposed, confirmed, refused or withdrawn")
    quote = serializers.UUIDField(source="quote.public_id", allow_null=True)
    sha256 = serializers.SerializerMethodField()
    proposed_by = serializers.CharField()
    confirmed_by = serializers.CharField(allow_null=True)
    closed_by = serializers.CharField(allow_null=True)

    class Meta:
        model = NameClearance
        fields = [
            *names("id state regime name subject entity_id listed_name step score list_version list_sha256 quote line"),
            *names("reason sha256 proposed_by proposed_at confirmed_by confirmed_at closed_by closed_at closed_reason"),
        ]

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_sha256(self, row: NameClearance) -> str | None:
        return row.file.sha256 if row.file else None


class ClearanceWriteSerializer(Strict):
    quote = serializers.UUIDField()
    line = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    regime = serializers.CharField(max_length=20, help_text="S889, S5949, S1260H or PARTIES")
    reason = serializers.CharField(max_length=2000)
    file = serializers.FileField(required=False, help_text="Proof: PDF, PNG or JPEG, up to 10 MB.")


class CloseSerializer(Strict):
    reason = serializers.CharField(max_length=2000)


class StatementSerializer(Rows):
    """What a maker or supplier says on Section 889; a feed's word proves nothing by itself."""

    id = serializers.UUIDField(source="public_id")
    scope = serializers.CharField(help_text="part or maker")
    says = serializers.CharField(help_text="none, some or unclear")
    evidence_type = serializers.CharField()
    sha256 = serializers.CharField(source="file.sha256")
    superseded = serializers.SerializerMethodField()

    class Meta:
        model = TelecomStatement
        fields = [
            *names("id firm scope mpn says text clause evidence_type stated_by stated_on sha256 superseded"),
            "recorded_at",
        ]

    @extend_schema_field(serializers.BooleanField())
    def get_superseded(self, row: TelecomStatement) -> bool:
        return row.superseded_by_id is not None


class StatementWriteSerializer(Strict):
    firm = serializers.CharField(max_length=200)
    mpn = serializers.CharField(
        max_length=100, required=False, default="", allow_blank=True, help_text="Empty: everything the firm supplies."
    )
    says = serializers.ChoiceField(choices=READ_AS)
    clause = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)
    text = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)
    stated_by = serializers.CharField(max_length=150)
    stated_on = serializers.DateField()
    file = serializers.FileField(help_text="The letter: PDF, PNG or JPEG, up to 10 MB.")
