"""`GET /api/v1/status`: what runs here, how old the data is, how much may be asked. Shows no secret."""

from typing import Any

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from catalog.freshness import freshness
from catalog.models import CatalogVersion
from catalog.versions import catalog_version
from config.rest import pages
from config.rest.limits import WINDOW_S
from config.rest.tenancy import organisation
from config.rest.views import ApiViewSet

TABLES = ("prices", "lead_times", "exchange_rates", "cloud_rates")


class FreshnessSerializer(serializers.Serializer[Any]):
    """How old one kind of observation is."""

    table = serializers.CharField()
    name = serializers.CharField(help_text="In your language.")
    total = serializers.IntegerField()
    fresh = serializers.IntegerField(help_text="Not older than `limit_days`.")
    oldest = serializers.DateField(allow_null=True)
    newest = serializers.DateField(allow_null=True)
    limit_days = serializers.IntegerField()


class LimitsSerializer(serializers.Serializer[Any]):
    requests_per_minute_anonymous = serializers.IntegerField()
    requests_per_minute_signed_in = serializers.IntegerField()
    window_s = serializers.IntegerField()
    rows_per_page = serializers.IntegerField()
    upload_mb = serializers.IntegerField()


class StatusSerializer(serializers.Serializer[Any]):
    """What runs here."""

    version = serializers.CharField()
    api_version = serializers.CharField(help_text="Version of the schema; within a major only additions.")
    catalog_version = serializers.CharField()
    time = serializers.DateTimeField()
    data = FreshnessSerializer(many=True)  # type: ignore[assignment]
    limits = LimitsSerializer()


class StatusViewSet(ApiViewSet):
    permission_classes = (AllowAny,)
    serializer_class = StatusSerializer
    queryset = CatalogVersion.objects.none()
    details = frozenset()

    @extend_schema(operation_id="status", responses=StatusSerializer)
    def retrieve(self, request: Request) -> Response:
        """Version, age of the data that you may see, and limits."""
        rates = api_settings.DEFAULT_THROTTLE_RATES
        ages = freshness(organisation(request), as_of=timezone.now().date())
        body = {
            "version": settings.VERSION,
            "api_version": settings.SPECTACULAR_SETTINGS["VERSION"],
            "catalog_version": catalog_version(),
            "time": timezone.now(),
            "data": [{"table": table, **_age(age)} for table, age in zip(TABLES, ages, strict=True)],
            "limits": {
                "requests_per_minute_anonymous": int(str(rates["anon"]).split("/")[0]),
                "requests_per_minute_signed_in": int(str(rates["user"]).split("/")[0]),
                "window_s": WINDOW_S,
                "rows_per_page": pages.MAX_LIMIT,
                "upload_mb": settings.UPLOAD_MAX_MB,
            },
        }
        return Response(StatusSerializer(body).data)


def _age(age: Any) -> dict[str, Any]:
    return {name: getattr(age, name) for name in ("name", "total", "fresh", "oldest", "newest", "limit_days")}
