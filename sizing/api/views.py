"""The sizing API: the same services as the pages, in JSON. Visitors may size, as on the pages."""

import re
import time
from typing import Any, cast

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    PolymorphicProxySerializer,
    extend_schema,
)
from rest_framework import status
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from config.accounts.permissions import Action, require
from config.rest.errors import Refusal
from config.rest.filters import filterset
from config.rest.idempotency import HEADER, idempotent, keep_instead
from config.rest.parsers import JSONParser
from config.rest.tenancy import in_reach, organisation, person
from config.rest.views import ApiViewSet
from sizing import selectors, services
from sizing.api import examples
from sizing.api.plan import BenchmarkPlanSerializer, benchmark_plan_of
from sizing.api.result_shape import OptionSerializer, SizingResultSerializer
from sizing.api.serializers import (
    ModelFactsRequestSerializer,
    ModelFactsSerializer,
    ModelFactsUploadSerializer,
    PreviewSerializer,
    SizingRunSerializer,
)
from sizing.choices import Kind, RunState
from sizing.core.model.architecture import ModelArchitecture
from sizing.core.model.weight_files import ExactBytes
from sizing.core.precision import BF16
from sizing.inputs import model_of, storage_format
from sizing.messages import localised
from sizing.model_facts import model_facts
from sizing.model_source import GivenFile, described_by_files, described_by_hub
from sizing.models import SizingRun
from sizing.preview import preview
from sizing.requests import REQUESTS, SizingRequestSerializer

RETRY_AFTER_S = 1
MAX_WAIT_S = 10
POLL_S = 0.05
PREFER = OpenApiParameter(
    "Prefer", str, OpenApiParameter.HEADER, description="`wait=5`: answer with the result if it is ready in 5 s."
)
LOCATION = OpenApiParameter("Location", str, OpenApiParameter.HEADER, response=[202, 200], description="The run.")
BODY = PolymorphicProxySerializer(
    component_name="SizingBody",
    serializers={str(kind): grammar for kind, grammar in REQUESTS.items()},
    resource_type_field_name="kind",
)
RETRY_AFTER = OpenApiParameter("Retry-After", int, OpenApiParameter.HEADER, response=[202], description="Seconds.")


class NotDone(Refusal):
    status_code = status.HTTP_409_CONFLICT
    code = "not_done"


class SizingRunViewSet(ApiViewSet):
    queryset = SizingRun.objects.none()
    serializer_class = SizingRunSerializer
    filterset_class = filterset(SizingRun, choices="state", days="as_of", times="created_at finished_at")
    default_order = ("-pk",)
    orders = ("created_at", "as_of")
    details = frozenset({"retrieve", "result", "option"})
    lookup_field = "key"
    parameters = {"create": [PREFER, LOCATION, RETRY_AFTER]}

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated() if self.action == "list" else AllowAny()]

    def field_names(self) -> list[str]:
        shapes = {"result": SizingResultSerializer, "option": OptionSerializer}
        return list(shapes.get(self.action, SizingRunSerializer)().get_fields())

    @extend_schema(operation_id="sizing_runs_list")
    def list(self, request: Request) -> Response:
        """The runs of your organisation, newest first."""
        return self.paged(selectors.runs_for(person(request)).filter(organisation=organisation(request)))

    @extend_schema(
        operation_id="sizing_runs_create",
        request=BODY,
        responses={202: SizingRunSerializer, 200: SizingResultSerializer},
        examples=examples.REQUESTS,
    )
    def create(self, request: Request) -> Response | HttpResponse:
        """Start a sizing run. It is answered at once with its address; `Prefer: wait` waits for the result."""
        started = self._start(request)
        wait_s = _wait_s(request)
        if not wait_s or "Idempotent-Replayed" in started:
            return started
        run = _wait_for(self._run(started["Location"].rsplit("/", 1)[1]), wait_s)
        headers = {"Location": started["Location"], "Preference-Applied": f"wait={wait_s}"}
        if run.state != RunState.DONE:
            started["Preference-Applied"] = headers["Preference-Applied"]
            return started
        answer = Response(localised(with_ids(run)), headers=headers)
        return keep_instead(request, answer) if HEADER in request.headers else answer

    @idempotent
    def _start(self, request: Request) -> Response:
        acting = organisation(request)
        if acting is not None:
            require(request.user, acting, Action.SIZE)
        run = services.start_run(request=cast(Any, request.data), user=person(request), organisation=acting)
        headers = {
            "Location": request.build_absolute_uri(f"{request.path}/{run.key}"),
            "Retry-After": str(RETRY_AFTER_S),
        }
        return Response(self.get_serializer(run).data, status=status.HTTP_202_ACCEPTED, headers=headers)

    create.is_idempotent = True  # type: ignore[attr-defined]

    @extend_schema(operation_id="sizing_runs_retrieve")
    def retrieve(self, request: Request, key: str) -> Response:
        """Where the run stands."""
        run = self._run(key)
        headers = {} if run.is_finished else {"Retry-After": str(RETRY_AFTER_S)}
        return Response(self.get_serializer(run).data, headers=headers)

    @extend_schema(operation_id="sizing_runs_cancel", responses={202: SizingRunSerializer})
    def destroy(self, request: Request, key: str) -> Response:
        """Cancel the run: at once if it waits, else at its next step. A finished run stays as it is."""
        run = self._run(key)
        if run.organisation is not None:
            require(request.user, run.organisation, Action.SIZE)
        run = services.cancel_run(run)
        return Response(self.get_serializer(run).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(
        operation_id="sizing_runs_result",
        responses={200: SizingResultSerializer, 409: OpenApiResponse(description="The run is not done.")},
    )
    def result(self, request: Request, key: str) -> Response:
        """The result: options, rejections, assumptions, warnings, worded in your language."""
        found = with_ids(self._done(key))
        if self.only is not None:
            found = {name: value for name, value in found.items() if name in self.only}
        return Response(localised(found))

    @extend_schema(
        operation_id="sizing_runs_option",
        responses={200: OptionSerializer, 409: OpenApiResponse(description="The run is not done.")},
    )
    def option(self, request: Request, key: str, rank: int) -> Response:
        """One option of the result, with its bill of materials."""
        row = selectors.options_of(self._done(key)).filter(rank=rank).first()
        if row is None:
            raise Http404
        data = {"id": str(row.public_id), **row.data}
        data = {name: value for name, value in data.items() if self.only is None or name in self.only}
        return Response(localised(data))

    @extend_schema(
        operation_id="sizing_runs_benchmark_plan",
        responses={200: BenchmarkPlanSerializer, 409: OpenApiResponse(description="The run is not done.")},
    )
    def plan(self, request: Request, key: str, rank: int) -> Response:
        """Commands that measure the option, and which loads to measure first."""
        run = self._done(key)
        row = selectors.options_of(run).filter(rank=rank).first()
        if row is None:
            raise Http404
        return Response(benchmark_plan_of(run, row))

    def _run(self, key: str) -> SizingRun:
        run = selectors.run_by_key(key, person(self.request))
        if run is None or not in_reach(self.request, run.organisation_id):
            raise Http404
        return run

    def _done(self, key: str) -> SizingRun:
        run = self._run(key)
        if run.state != RunState.DONE:
            words = _("The run is %(state)s; read it again later.") % {"state": run.get_state_display()}
            raise NotDone(words, state=run.state)
        return run


class ModelFactsViewSet(ApiViewSet):
    permission_classes = (AllowAny,)
    parser_classes = (JSONParser, MultiPartParser)
    serializer_class = ModelFactsSerializer
    queryset = SizingRun.objects.none()

    @extend_schema(
        operation_id="model_facts",
        request={
            "application/json": ModelFactsRequestSerializer,
            "multipart/form-data": ModelFactsUploadSerializer,
        },
        responses={200: ModelFactsSerializer},
        examples=[OpenApiExample("By id", {"model": {"id": "meta-llama/Llama-3.1-8B-Instruct"}}, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """Parameters, bytes and work per token of a model, from its id, its files, its shape or the hub."""
        is_upload = request.content_type.startswith("multipart/")
        read = (ModelFactsUploadSerializer if is_upload else ModelFactsRequestSerializer)(data=request.data)
        read.is_valid(raise_exception=True)
        stated: dict[str, Any] = dict(read.validated_data)
        weights, cache = (
            storage_format(stated[name], f"/{name}") if stated.get(name) else None
            for name in ("weights_format", "kv_format")
        )
        found, exact = _described_model(stated, is_upload=is_upload)
        return Response(model_facts(found, weights_format=weights, kv_format=cache or BF16, exact=exact))


def _described_model(stated: dict[str, Any], *, is_upload: bool) -> tuple[ModelArchitecture, ExactBytes | None]:
    """The model of a facts request, and the exact bytes where files or the hub state them."""
    if is_upload:
        uploads = [stated["config"], *stated.get("weights", [])]
        # the beginning of a weight file is enough, so its length says nothing about the whole
        files = [GivenFile(each.name, each, each.size if each.name.endswith(".json") else None) for each in uploads]
        read = described_by_files(files)
    elif stated.get("hub"):
        read = described_by_hub(stated["hub"], token=stated.get("hub_token") or None)
    elif stated.get("model"):
        return model_of(stated["model"]), None
    else:
        raise ValidationError({"model": [ErrorDetail(_("Give the model, or its name on the hub."), code="required")]})
    return model_of({"config": read.config, "name": read.name}), read.exact


class SizingPreviewViewSet(ApiViewSet):
    permission_classes = (AllowAny,)
    serializer_class = PreviewSerializer
    queryset = SizingRun.objects.none()

    @extend_schema(
        operation_id="sizing_preview",
        request=SizingRequestSerializer,
        responses={200: PreviewSerializer},
        examples=examples.REQUESTS,
    )
    def create(self, request: Request) -> Response:
        """What the model takes and the smallest accelerator that holds it: memory alone. For language models."""
        stated: Any = request.data
        if isinstance(stated, dict) and stated.get("kind") in set(REQUESTS) - {Kind.LLM_SERVING}:
            words = _("The preview is for language models. Start a run instead.")
            raise ValidationError({"kind": [ErrorDetail(words, code="not_supported")]})
        return Response(preview(stated))


def with_ids(run: SizingRun) -> dict[str, Any]:
    """The stored result, each option with the id of its row: the same option has the same id for ever."""
    ids = {rank: str(key) for rank, key in selectors.options_of(run).values_list("rank", "public_id")}
    found: dict[str, Any] = run.result or {}
    return {
        **found,
        "options": [
            {"id": ids[each["rank"]], **each} if each["rank"] in ids else each for each in found.get("options", ())
        ],
    }


def _wait_s(request: Request) -> int:
    match = re.search(r"\bwait=(\d{1,4})\b", request.headers.get("Prefer", ""))
    return min(int(match[1]), MAX_WAIT_S) if match else 0


def _wait_for(run: SizingRun, wait_s: int) -> SizingRun:
    deadline = time.monotonic() + wait_s
    while not run.is_finished and time.monotonic() < deadline:
        time.sleep(POLL_S)  # the worker's commit has no signal to wait on
        run.refresh_from_db(fields=["state", "stage", "progress_done", "progress_total", "finished_at"])
    return run
