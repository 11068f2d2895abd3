"""The sizing API: the same services as the pages, in JSON."""

import re
import time

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.accounts.selectors import current_organisation
from sizing import services
from sizing.api.serializers import SizingRunSerializer
from sizing.choices import RunState
from sizing.messages import localised
from sizing.models import SizingRun
from sizing.requests import SizingRequestSerializer
from sizing.selectors import run_by_key, runs_for

RETRY_AFTER_S = 1
MAX_WAIT_S = 10


class NotDone(APIException):
    status_code = status.HTTP_409_CONFLICT
    default_code = "not_done"


def _run(request: Request, key: str) -> SizingRun:
    run = run_by_key(key, request.user if request.user.is_authenticated else None)
    if run is None:
        raise Http404
    return run


class SizingRunsView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="sizing_runs_create",
        request=SizingRequestSerializer,
        responses={202: SizingRunSerializer, 200: OpenApiTypes.OBJECT},
    )
    def post(self, request: Request) -> Response:
        """Start a sizing run. `Prefer: wait=5` answers with the result if it is ready within that time."""
        user = request.user if request.user.is_authenticated else None
        run = services.start_run(
            request=request.data, user=user, organisation=current_organisation(request) if user else None
        )
        if wait_s := _wait_s(request):
            run = _wait_for(run, wait_s)
        headers = {"Location": request.build_absolute_uri(f"{request.path}/{run.key}")}
        if run.state == RunState.DONE and wait_s:
            return Response(localised(run.result), headers=headers)
        headers["Retry-After"] = str(RETRY_AFTER_S)
        body = SizingRunSerializer(run, context={"request": request}).data
        return Response(body, status=status.HTTP_202_ACCEPTED, headers=headers)

    @extend_schema(operation_id="sizing_runs_list", responses=SizingRunSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The newest runs of your organisations."""
        runs = runs_for(request.user)[:50]
        return Response(SizingRunSerializer(runs, many=True, context={"request": request}).data)


class SizingRunView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(operation_id="sizing_runs_retrieve", responses=SizingRunSerializer)
    def get(self, request: Request, key: str) -> Response:
        """Where the run stands."""
        return Response(SizingRunSerializer(_run(request, key), context={"request": request}).data)

    @extend_schema(operation_id="sizing_runs_cancel", responses={202: SizingRunSerializer})
    def delete(self, request: Request, key: str) -> Response:
        """Cancel the run."""
        run = services.cancel_run(_run(request, key))
        return Response(SizingRunSerializer(run, context={"request": request}).data, status=status.HTTP_202_ACCEPTED)


class SizingRunResultView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="sizing_runs_result",
        responses={200: OpenApiTypes.OBJECT, 409: OpenApiResponse(description="The run is not done.")},
    )
    def get(self, request: Request, key: str) -> Response:
        """The result: options, rejections, assumptions, warnings."""
        run = _run(request, key)
        if run.state != RunState.DONE:
            raise NotDone(detail=f"The run is {run.state}; read it again later.")
        return Response(localised(run.result))


def _wait_s(request: Request) -> int:
    match = re.search(r"\bwait=(\d{1,4})\b", request.headers.get("Prefer", ""))
    return min(int(match[1]), MAX_WAIT_S) if match else 0


def _wait_for(run: SizingRun, wait_s: int) -> SizingRun:
    deadline = time.monotonic() + wait_s
    while not run.is_finished and time.monotonic() < deadline:
        time.sleep(0.05)  # the worker's commit has no signal to wait on
        run.refresh_from_db()
    return run
