"""Imports as JSON: what was read of a file, what is asked, and what a step takes."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalog.choices import ImportState
from catalog.import_execute import is_busy
from catalog.import_reading import DRY_RUN, shown
from catalog.imports.columns import ROLE_OF
from catalog.messages_import_pages import words_of
from catalog.models import ImportBatch
from config.rest.serializers import Strict


class UploadSerializer(Strict):
    """A price file of a supplier."""

    file = serializers.FileField(
        help_text="CSV, TSV, fixed width or XLSX, up to `upload_mb` of the status, at most 100 MB."
    )
    supplier = serializers.CharField(max_length=100, required=False, help_text="Who sent it.")
    profile = serializers.UUIDField(required=False, help_text="A saved profile to read it with.")


class MappingSerializer(Strict):
    """Answers replace those given so far; what is left out follows the file again."""

    answers = serializers.DictField(
        required=False,
        help_text="number_style, date_order, currency, price_column, hidden_rows, tax_basis, implied_decimals, "
        "price_kind, delimiter, encoding, sheet, lead_time_unit, columns (roles from the left, of: "
        + ", ".join(sorted(set(ROLE_OF.values())))
        + ", tier:QUANTITY), header_row, confirmed_lines.",
    )
    supplier = serializers.CharField(max_length=100, required=False)


class DecisionSerializer(Strict):
    mpn = serializers.CharField(max_length=500, help_text="As the file writes it.")
    accelerator = serializers.CharField(
        max_length=150, allow_null=True, help_text="Slug, or null for none of our parts."
    )


class DecisionsSerializer(Strict):
    """What open lines mean; kept for this supplier."""

    matches = DecisionSerializer(many=True)


class CommitSerializer(Strict):
    """Which dry run is meant; a later one makes the commit a conflict."""

    dry_run = serializers.CharField(max_length=64)


class ImportMessageSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    reason = serializers.CharField()


class ImportChoiceSerializer(serializers.Serializer[Any]):
    value = serializers.CharField()
    label = serializers.CharField(help_text="What the choice is called.")  # type: ignore[assignment]
    examples = serializers.ListField(child=serializers.DictField())


class ImportQuestionSerializer(serializers.Serializer[Any]):
    """Something that a person must say; `key` is the answer's name."""

    key = serializers.CharField()
    code = serializers.CharField()
    text = serializers.CharField()
    choices = ImportChoiceSerializer(many=True)
    suggestion = serializers.CharField(allow_null=True)
    blocks = serializers.CharField(allow_null=True, help_text="rows, commit or null.")


class ImportColumnSerializer(serializers.Serializer[Any]):
    at = serializers.IntegerField()
    header = serializers.CharField(allow_blank=True)
    role = serializers.CharField(allow_blank=True)
    number_style = serializers.CharField(allow_null=True)


class ImportReadingSerializer(serializers.Serializer[Any]):
    """How the file was read. `accepted`, `rejected`, `held` and `skipped` add up to `records`."""

    encoding = serializers.CharField()
    delimiter = serializers.CharField(allow_blank=True)
    sheet = serializers.CharField(allow_blank=True)
    header_row = serializers.IntegerField(allow_null=True)
    number_style = serializers.CharField(allow_null=True)
    currency = serializers.CharField(allow_null=True)
    tax_basis = serializers.CharField(allow_null=True)
    accepted = serializers.IntegerField()
    rejected = serializers.IntegerField()
    held = serializers.IntegerField()
    skipped = serializers.IntegerField()
    records = serializers.IntegerField()
    columns = ImportColumnSerializer(many=True)
    questions = ImportQuestionSerializer(many=True)
    warnings = ImportMessageSerializer(many=True)


class ImportSerializer(serializers.ModelSerializer[Any]):
    """An import. `state` is queued while a person or the worker is awaited; `busy` tells which."""

    id = serializers.UUIDField(source="public_id")
    state = serializers.ChoiceField(choices=ImportState.choices)
    file = serializers.CharField(source="file_name")
    busy = serializers.SerializerMethodField(help_text="In the worker's hands.")
    supplier = serializers.SerializerMethodField()
    dry_run = serializers.SerializerMethodField(help_text="Names the present reading; a commit states it.")
    answers = serializers.DictField()
    reading = serializers.SerializerMethodField()
    totals = serializers.SerializerMethodField(help_text="Rows by what would happen to them.")
    stored = serializers.SerializerMethodField(help_text="Counts of what a commit stored.")
    message = serializers.SerializerMethodField(help_text="What happens or went wrong.")

    class Meta:
        model = ImportBatch
        fields = (
            "id", "state", "busy", "file", "file_sha256", "supplier", "dry_run", "answers", "reading", "totals",
            "stored", "message", "progress", "created_at", "committed_at", "undone_at",
        )  # fmt: skip

    def get_busy(self, batch: ImportBatch) -> bool:
        return is_busy(batch)

    def get_supplier(self, batch: ImportBatch) -> str:
        return str(batch.reading.get("supplier") or "")

    def get_dry_run(self, batch: ImportBatch) -> str:
        return str(batch.reading.get(DRY_RUN) or "")

    @extend_schema_field(ImportReadingSerializer(allow_null=True))
    def get_reading(self, batch: ImportBatch) -> dict[str, Any] | None:
        head = batch.reading.get("head")
        if not head:
            return None
        return {name: shown(head.get(name)) for name in ImportReadingSerializer().get_fields()}

    def get_totals(self, batch: ImportBatch) -> dict[str, int]:
        return dict(batch.reading.get("totals") or {})

    def get_stored(self, batch: ImportBatch) -> dict[str, int]:
        return dict((batch.result or {}).get("counts") or {})

    def get_message(self, batch: ImportBatch) -> str:
        return words_of(batch.message)


class ImportRowsSerializer(serializers.Serializer[Any]):
    """Rows of one kind as understood, raw cells beside; the first five hundred of each kind are kept."""

    kind = serializers.CharField()
    total = serializers.IntegerField()
    kept = serializers.IntegerField()
    results = serializers.ListField(child=serializers.DictField())
