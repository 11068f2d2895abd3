"""Measured loads and calibrations: bring in a result file, learn from what is there, choose what is used."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from config.accounts.permissions import Action
from config.rest.filters import filterset
from config.rest.idempotency import idempotent
from config.rest.parsers import JSONParser
from config.rest.serializers import Rows, Strict, names
from config.rest.tenancy import in_reach, require_action
from config.rest.views import ApiViewSet
from sizing import selectors
from sizing.api.result_parts import AnyField
from sizing.kinds.measured import import_kind_results
from sizing.kinds.presentation import kind_of
from sizing.measurements.calibrate import calibrated, sha256_of
from sizing.measurements.point import MeasurementProblem
from sizing.measurements.read import MAX_BYTES
from sizing.measurements.services import (
    import_results,
    setting_of_option,
    store_calibration,
    use_calibration,
    use_no_calibration,
)
from sizing.models import CalibrationVersion, Measurement, SizingOption

MOST_VERSIONS = 2_000_000_000


class MeasurementSerializer(Rows):
    """One measured load of one deployment; `statistics` is metric -> statistic -> milliseconds."""

    id = serializers.UUIDField(source="public_id")
    deployment = serializers.DictField()
    statistics = serializers.DictField()
    warnings = AnyField()

    class Meta:
        model = Measurement
        fields = names(
            "id created_at tool tool_version model_name accelerator engine engine_version weights_format deployment "
            "concurrent input_tokens output_tokens prompts_per_slot statistics output_tokens_per_s items_per_s "
            "measured_on warnings"
        )


class MeasurementUploadSerializer(Strict):
    """The result file of a benchmark tool (vLLM, SGLang, AIPerf, GuideLLM, llama-bench, MLPerf, trtexec or CSV)."""

    results = serializers.FileField(help_text=f"Up to {MAX_BYTES // 10**6} MB.")


class MeasurementsSerializer(serializers.Serializer[Any]):
    """What was stored; entries that were there already are named again, not stored twice."""

    results = MeasurementSerializer(many=True)


class CalibrationSerializer(Rows):
    """What one calibration learned. At most one is in use; without one the shipped coefficients count alone."""

    points = serializers.SerializerMethodField()

    class Meta:
        model = CalibrationVersion
        fields = names("number active points sha256 created_at")

    def get_points(self, version: CalibrationVersion) -> int:
        """How many measured loads it knows."""
        return int(version.content["points"])


class CalibrationUseSerializer(Strict):
    number = serializers.IntegerField(min_value=0, max_value=MOST_VERSIONS, help_text="0: the shipped ones alone.")


class MeasurementViewSet(ApiViewSet):
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONParser, MultiPartParser)
    serializer_class = MeasurementSerializer
    queryset = Measurement.objects.none()
    filterset_class = filterset(Measurement, texts="accelerator engine model_name tool", times="created_at")
    default_order = ("-pk",)
    orders = ("created_at", "accelerator", "engine", "concurrent")

    @extend_schema(operation_id="measurements_list")
    def list(self, request: Request) -> Response:
        """The measured loads of your organisation, newest first."""
        acting, _user = require_action(request, Action.VIEW)
        return self.paged(Measurement.objects.filter(organisation=acting))

    @extend_schema(
        operation_id="measurements_create",
        request={"multipart/form-data": MeasurementUploadSerializer},
        responses={201: MeasurementsSerializer},
    )
    @idempotent
    def create(self, request: Request, key: str, rank: int) -> Response:
        """Bring in what a benchmark tool measured of an option. All of the file or nothing is stored."""
        acting, user = require_action(request, Action.SIZE)
        run = selectors.run_by_key(key, user)
        if run is None or run.organisation_id != acting.pk or not in_reach(request, run.organisation_id):
            raise Http404
        option: SizingOption | None = selectors.options_of(run).filter(rank=rank).first()
        if option is None:
            raise Http404
        read = MeasurementUploadSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        file = read.validated_data["results"]
        if file.size > MAX_BYTES:
            raise MeasurementProblem("measurement_too_large", limit_mb=MAX_BYTES // 10**6)
        given: dict[str, Any] = {"organisation": acting, "content": file.read(), "name": file.name, "user": user}
        if kind_of(run.request):
            kept = import_kind_results(option=option, **given)
        else:
            kept = import_results(setting=setting_of_option(option), option=option, **given)
        return Response({"results": self.get_serializer(kept, many=True).data}, status=status.HTTP_201_CREATED)


class CalibrationViewSet(ApiViewSet):
    permission_classes = (IsAuthenticated,)
    serializer_class = CalibrationSerializer
    queryset = CalibrationVersion.objects.none()
    default_order = ("-number",)
    orders = ("number",)

    def rows(self, request: Request, action: Action) -> QuerySet[CalibrationVersion]:
        acting, _user = require_action(request, action)
        return CalibrationVersion.objects.filter(organisation=acting)

    @extend_schema(operation_id="calibrations_list")
    def list(self, request: Request) -> Response:
        """The calibrations of your organisation, newest first."""
        return self.paged(self.rows(request, Action.VIEW))

    @extend_schema(operation_id="calibrations_create", request=None, responses={201: CalibrationSerializer})
    @idempotent
    def create(self, request: Request) -> Response:
        """Learn from all measurements of your organisation; what is learned is in use from now on."""
        acting, user = require_action(request, Action.SIZE)
        content, _left_out = calibrated(Measurement.objects.filter(organisation=acting).select_related("file"))
        if not content["points"]:
            raise MeasurementProblem("calibration_without_points")
        made = store_calibration(organisation=acting, content=content, sha256=sha256_of(content), user=user)
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED)

    @extend_schema(operation_id="calibrations_use", request=CalibrationUseSerializer, responses={204: None})
    def use(self, request: Request) -> Response:
        """Choose which calibration is in use; 0 for none."""
        acting, user = require_action(request, Action.SIZE)
        read = CalibrationUseSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        number = read.validated_data["number"]
        if number == 0:
            use_no_calibration(organisation=acting, user=user)
            return Response(status=status.HTTP_204_NO_CONTENT)
        version = CalibrationVersion.objects.filter(organisation=acting, number=number).first()
        if version is None:
            words = _("There is no calibration %(number)d. Read the list.") % {"number": number}
            raise ValidationError({"number": [ErrorDetail(words, code="does_not_exist")]})
        use_calibration(version=version, user=user)
        return Response(status=status.HTTP_204_NO_CONTENT)
