"""Imports over the API: upload, mapping, dry run, decisions, commit, undo. The services are those of the pages."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from catalog import import_jobs
from catalog.api.import_serializers import (
    CommitSerializer,
    DecisionsSerializer,
    ImportRowsSerializer,
    ImportSerializer,
    MappingSerializer,
    UploadSerializer,
)
from catalog.errors import CatalogError
from catalog.import_errors import error_file
from catalog.import_execute import is_busy
from catalog.import_reading import DRY_RUN, KINDS, shown
from catalog.imports.answers import BadAnswers
from catalog.imports.cells import UnreadableFile
from catalog.imports.read import FILE_BYTES_MAX
from catalog.messages_import_pages import render
from catalog.models import ImportBatch, SupplierProfile
from config.accounts.permissions import Action
from config.rest.errors import BadQuery, Refusal, parameter_error
from config.rest.idempotency import idempotent
from config.rest.parsers import JSONParser
from config.rest.tenancy import require_action
from config.rest.views import ApiViewSet
from sizing.core.values import Message

NOT_OPEN = OpenApiResponse(description="The import waits for nothing.")
RETRY_AFTER_S = 1
ROWS_AT_ONCE = 100
CONFLICTS = frozenset(
    {"import_not_open", "import_undone_already", "import_not_undoable", "import_has_later", "import_open_questions"}
)
KIND = OpenApiParameter("kind", str, enum=list(KINDS), description="Which rows; left out, the first kind with rows.")
OFFSET = OpenApiParameter("offset", {"type": "integer", "minimum": 0}, description="Rows to pass over.")


class ImportRefused(Refusal):
    """A file, an answer or a decision that cannot be used."""

    status_code = 422
    code = "import_refused"


class ImportConflict(Refusal):
    """Not possible in the import's present state."""

    status_code = 409
    code = "import_conflict"


class ImportViewSet(ApiViewSet):
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONParser, MultiPartParser)
    serializer_class = ImportSerializer
    queryset = ImportBatch.objects.none()
    lookup_field = "public_id"
    default_order = ("-created_at", "-pk")
    orders = ("created_at",)
    parameters = {"rows": [KIND, OFFSET]}

    def batches(self) -> QuerySet[ImportBatch]:
        acting, _actor = require_action(self.request, Action.EDIT_PRICES)
        rows = ImportBatch.objects.filter(organisation=acting)
        return rows.select_related("created_by", "profile", "organisation", "file")

    @extend_schema(operation_id="imports_list")
    def list(self, request: Request) -> Response:
        """Imports of your organisation, newest first."""
        return self.paged(self.batches())

    @extend_schema(
        operation_id="imports_create",
        request={"multipart/form-data": UploadSerializer},
        responses={201: ImportSerializer, 202: ImportSerializer},
    )
    @idempotent
    def create(self, request: Request) -> Response:
        """Upload a file. A small one is read at once (201), a large one by the worker (202). Nothing is stored yet."""
        acting, actor = require_action(request, Action.EDIT_PRICES)
        read = UploadSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        upload = read.validated_data["file"]
        profile = None
        if read.validated_data.get("profile"):
            profiles = SupplierProfile.objects.filter(organisation=acting)
            profile = profiles.filter(public_id=read.validated_data["profile"]).first()
            if profile is None:
                raise ValidationError({"profile": [ErrorDetail(_("No profile has this id."), code="does_not_exist")]})
        with _worded():
            if upload.size > FILE_BYTES_MAX:
                raise UnreadableFile("import_file_too_large", limit_mb=FILE_BYTES_MAX // 1_000_000)
            batch = import_jobs.start_import(
                organisation=acting,
                actor=actor,
                name=upload.name,
                data=upload.read(),
                supplier=read.validated_data.get("supplier", "").strip(),
                profile=profile,
            )
        return self._answer(batch, made=True)

    @extend_schema(operation_id="imports_retrieve")
    def retrieve(self, request: Request, public_id: UUID) -> Response:
        """Where an import stands: its reading, its questions, its outcome."""
        batch = self._batch(public_id)
        headers = {"Retry-After": str(RETRY_AFTER_S)} if is_busy(batch) else {}
        return Response(self.get_serializer(batch).data, headers=headers)

    @extend_schema(
        operation_id="imports_update",
        request=MappingSerializer,
        responses={200: ImportSerializer, 202: ImportSerializer, 409: NOT_OPEN},
    )
    def partial_update(self, request: Request, public_id: UUID) -> Response:
        """Say how the file is read: answers, roles of columns, the supplier. The file is read again."""
        read = MappingSerializer(data=request.data)
        read.is_valid(raise_exception=True)

        answers, supplier = (read.validated_data.get(name) for name in ("answers", "supplier"))
        return self._step(public_id, lambda batch: import_jobs.map_file(batch, answers=answers, supplier=supplier))

    @extend_schema(
        operation_id="imports_dry_run", request=None, responses={200: ImportSerializer, 202: ImportSerializer}
    )
    @idempotent
    def dry_run(self, request: Request, public_id: UUID) -> Response:
        """Compare the file with the catalogue as it is now. Nothing is stored; `dry_run` names the outcome."""
        return self._step(public_id, import_jobs.reread)

    @extend_schema(
        operation_id="imports_decide",
        request=DecisionsSerializer,
        responses={200: ImportSerializer, 202: ImportSerializer},
    )
    @idempotent
    def decide(self, request: Request, public_id: UUID) -> Response:
        """Say which accelerator open lines mean, or that they are none; it is kept for this supplier."""
        read = DecisionsSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        _acting, actor = require_action(request, Action.EDIT_PRICES)

        def act(batch: ImportBatch) -> None:
            for each in read.validated_data["matches"]:
                slug = each["accelerator"] or ""
                import_jobs.decide_match(batch, mpn=each["mpn"], accelerator=slug, actor=actor)
            import_jobs.reread(batch)

        return self._step(public_id, act)

    @extend_schema(
        operation_id="imports_commit",
        request=CommitSerializer,
        responses={
            200: ImportSerializer,
            202: ImportSerializer,
            409: OpenApiResponse(description="Another dry run was made since, a question is open, or it is stored."),
        },
    )
    @idempotent
    def commit(self, request: Request, public_id: UUID) -> Response:
        """Store what the dry run shows, all of it or nothing."""
        read = CommitSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        _acting, actor = require_action(request, Action.EDIT_PRICES)

        def act(batch: ImportBatch) -> None:
            if read.validated_data["dry_run"] != batch.reading.get(DRY_RUN):
                raise ImportConflict(_("This is not the latest dry run. Read the import again."))
            import_jobs.commit(batch, actor=actor)

        return self._step(public_id, act)

    @extend_schema(operation_id="imports_undo", request=None, responses={200: ImportSerializer, 202: ImportSerializer})
    @idempotent
    def undo(self, request: Request, public_id: UUID) -> Response:
        """Take a stored import back: its rows go, what it closed is as it was. The worker does a large one (202)."""
        _acting, actor = require_action(request, Action.EDIT_PRICES)
        return self._step(public_id, lambda batch: import_jobs.undo(batch, actor=actor))

    @extend_schema(operation_id="imports_discard", responses={200: ImportSerializer, 409: NOT_OPEN})
    def destroy(self, request: Request, public_id: UUID) -> Response:
        """Close an import that waits; nothing is stored."""
        return self._step(public_id, import_jobs.discard)

    @extend_schema(operation_id="imports_rows", responses=ImportRowsSerializer)
    def rows(self, request: Request, public_id: UUID) -> Response:
        """Rows of one kind: raw cells, understood values, the match and what happens."""
        batch = self._batch(public_id)
        totals, kept = batch.reading.get("totals") or {}, batch.reading.get("rows") or {}
        kind = request.query_params.get("kind") or next((each for each in KINDS if totals.get(each)), KINDS[0])
        offset = request.query_params.get("offset", "0")
        if kind not in KINDS:
            raise BadQuery([parameter_error("kind", "invalid", ", ".join(KINDS))])
        if not (offset.isascii() and offset.isdecimal()):
            raise BadQuery([parameter_error("offset", "invalid", _("Enter a whole number."))])
        found = kept.get(kind) or []
        page = found[int(offset) : int(offset) + ROWS_AT_ONCE]
        return Response({"kind": kind, "total": totals.get(kind, 0), "kept": len(found), "results": shown(page)})

    @extend_schema(operation_id="imports_errors", responses={(200, "text/csv"): OpenApiTypes.BINARY, 409: NOT_OPEN})
    def errors(self, request: Request, public_id: UUID) -> HttpResponse:
        """The rows that are not stored, as a CSV file with the reason of each."""
        batch = self._batch(public_id)
        with _worded():
            content = error_file(batch)
        disposition = {"Content-Disposition": f'attachment; filename="errors-{batch.public_id}.csv"'}
        return HttpResponse(content, content_type="text/csv; charset=utf-8", headers=disposition)

    def _batch(self, public_id: UUID) -> ImportBatch:
        found = self.batches().filter(public_id=public_id).first()
        if found is None:
            raise Http404
        return found

    def _step(self, public_id: UUID, act: Callable[[ImportBatch], object]) -> Response:
        batch = self._batch(public_id)
        with _worded():
            act(batch)
        return self._answer(self._batch(public_id))

    def _answer(self, batch: ImportBatch, *, made: bool = False) -> Response:
        """The import, with its address; 202 while the worker has it."""
        place = self.request.build_absolute_uri(f"/api/v1/imports/{batch.public_id}")
        headers = {"Location": place} if made else {}
        code: int = status.HTTP_201_CREATED if made else status.HTTP_200_OK
        if is_busy(batch):
            headers |= {"Location": place, "Retry-After": str(RETRY_AFTER_S)}
            code = status.HTTP_202_ACCEPTED
        return Response(self.get_serializer(batch).data, status=code, headers=headers)


@contextmanager
def _worded() -> Iterator[None]:
    """The importer's refusals as problems, with their code and their sentence."""
    try:
        yield
    except (UnreadableFile, BadAnswers) as error:
        raise _refusal(ImportRefused, Message(error.code, error.params)) from error
    except CatalogError as error:
        kind = ImportConflict if error.message.code in CONFLICTS else ImportRefused
        raise _refusal(kind, error.message) from error


def _refusal(kind: type[Refusal], message: Message) -> Refusal:
    words = render(message)
    return kind(words, errors=[{"pointer": "", "code": message.code, "detail": words}])
