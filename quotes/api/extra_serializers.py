"""Shapes of what stands around a quote: comments, files, e-mails, evidence, lists of parties."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalog.choices import EvidenceType
from catalog.models import OriginClaim
from config.rest.serializers import Rows, Strict, names
from quotes.after import COMMENT_LETTERS_MAX
from quotes.api.serializers import DetailsField
from quotes.choices import PartyListKind
from quotes.models import Attachment, Comment, EvidenceFeed, PartyList, SentDocument
from sizing.messages import render

LANGUAGES = [("en", "en"), ("de", "de")]


class CommentSerializer(Rows):
    """A note of a colleague; it never enters a document."""

    id = serializers.UUIDField(source="public_id")
    revision = serializers.IntegerField(source="revision.number")

    class Meta:
        model = Comment
        fields = names("id revision author_name text made_at")


class CommentWriteSerializer(Strict):
    text = serializers.CharField(max_length=COMMENT_LETTERS_MAX)


class AttachmentSerializer(Rows):
    """A file beside a revision. What is for the buyer is part of the check value."""

    id = serializers.UUIDField(source="public_id")
    revision = serializers.IntegerField(source="revision.number")
    sha256 = serializers.CharField(source="file.sha256")
    size_bytes = serializers.IntegerField(source="file.size_bytes")
    content_type = serializers.CharField(source="file.content_type")
    href = serializers.SerializerMethodField()

    class Meta:
        model = Attachment
        fields = names("id revision name for_buyer sha256 size_bytes content_type added_by_name added_at href")

    @extend_schema_field(serializers.URLField())
    def get_href(self, row: Attachment) -> str:
        address = reverse("api-quote-attachment", args=[row.revision.quote.public_id, row.public_id])
        return str(self.context["request"].build_absolute_uri(address))


class AttachmentWriteSerializer(Strict):
    file = serializers.FileField(help_text="Up to 10 MB.")
    for_buyer = serializers.BooleanField(default=False, help_text="Part of the document and its check value.")


class SentDocumentSerializer(Rows):
    """An e-mail with the document of a locked revision."""

    id = serializers.UUIDField(source="public_id")
    revision = serializers.IntegerField(source="revision.number")
    state = serializers.CharField(help_text="waiting, sent or failed")

    class Meta:
        model = SentDocument
        fields = names("id revision recipient language state asked_at done_at")


class SendSerializer(Strict):
    recipient = serializers.EmailField(max_length=254)
    language = serializers.ChoiceField(choices=LANGUAGES, required=False)
    text = serializers.CharField(max_length=COMMENT_LETTERS_MAX, required=False, default="", allow_blank=True)


class ClaimSerializer(Rows):
    """What somebody says about the origin of a part, and what that rests on."""

    id = serializers.UUIDField(source="public_id")
    part = serializers.CharField(source="part.slug")
    manufacturer = serializers.CharField(source="part.manufacturer")
    mpn = serializers.CharField(source="part.order_number")
    evidence_type = serializers.CharField()
    grade = serializers.CharField()
    sha256 = serializers.SerializerMethodField()
    superseded = serializers.SerializerMethodField()

    class Meta:
        model = OriginClaim
        fields = [
            *names("id part manufacturer mpn text country_code transformation_note evidence_type grade stated_by"),
            *names("stated_on source_title sha256 superseded created_at"),
        ]

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_sha256(self, row: OriginClaim) -> str | None:
        return row.file.sha256 if row.file else None

    @extend_schema_field(serializers.BooleanField())
    def get_superseded(self, row: OriginClaim) -> bool:
        return row.superseded_by_id is not None


class ClaimWriteSerializer(Strict):
    mpn = serializers.CharField(max_length=80)
    manufacturer = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    text = serializers.CharField(max_length=200, help_text="The origin as received.")
    evidence_type = serializers.ChoiceField(choices=EvidenceType.choices)
    stated_by = serializers.CharField(max_length=150)
    stated_on = serializers.DateField()
    transformation_note = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)
    source_title = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)
    file = serializers.FileField(required=False, help_text="Letter or ruling: PDF, PNG or JPEG, up to 10 MB.")


class FeedSerializer(Rows):
    """A distributor's feed that the worker reads, and what came of it."""

    id = serializers.UUIDField(source="public_id")
    state = serializers.CharField(help_text="waiting, done or failed")
    sha256 = serializers.CharField(source="file.sha256")
    unknown_parts = serializers.ListField(child=serializers.CharField())
    fault = serializers.SerializerMethodField()

    class Meta:
        model = EvidenceFeed
        fields = names("id state stated_by sha256 recorded repeated unknown statements unknown_parts fault loaded_at")

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_fault(self, row: EvidenceFeed) -> str | None:
        return render(row.fault) if row.fault else None


class FeedWriteSerializer(Strict):
    stated_by = serializers.CharField(max_length=150, help_text="The distributor.")
    file = serializers.FileField(help_text="CSV in UTF-8 with the columns mpn, date and country or s889.")


class PartyListSerializer(Rows):
    """One version of a list of listed parties."""

    id = serializers.UUIDField(source="public_id")
    kind = serializers.CharField(help_text="csl or sam")
    state = serializers.CharField(help_text="reading, failed, staged, active or replaced")
    version = serializers.CharField()
    sha256 = serializers.CharField(source="file.sha256")
    sources = DetailsField()
    fault = serializers.SerializerMethodField()

    class Meta:
        model = PartyList
        fields = [
            *names("id kind state version published_on sha256 firms_count names_count added_count removed_count"),
            *names("sources fault loaded_at activated_at activation_note"),
        ]

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_fault(self, row: PartyList) -> str | None:
        return render(row.fault) if row.fault else None


class PartyListWriteSerializer(Strict):
    kind = serializers.ChoiceField(choices=PartyListKind.choices)
    published_on = serializers.DateField()
    file = serializers.FileField(help_text="CSV or ZIP, as its publisher hands it out.")


class NoteSerializer(Strict):
    note = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)


class RescreenedSerializer(serializers.Serializer[Any]):
    """The lines that got another origin or proof from the register."""

    lines = serializers.ListField(child=serializers.CharField())
