"""Search over the whole catalogue."""

from typing import Any

from django.urls import resolve, reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from catalog.models import Part
from catalog.search import MOST_HITS, Hit
from catalog.search import search as find
from config.rest.errors import BadQuery, parameter_error
from config.rest.tenancy import organisation
from config.rest.views import ApiViewSet

ROUTES = {
    "accelerator": "accelerator",
    "server": "server",
    "processor": "processor",
    "component": "component",
    "software": "software",
    "model": "model",
    "part": "part",
}


class HitSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField(help_text=", ".join(ROUTES))
    id = serializers.CharField(help_text="Slug, or the id of a model.")
    name = serializers.CharField()
    href = serializers.URLField(help_text="Address in this API.")
    score = serializers.FloatField(help_text="How well it matches, 0 to 1.")


class HitsSerializer(serializers.Serializer[Any]):
    """The best findings, best first."""

    results = HitSerializer(many=True)


class SearchViewSet(ApiViewSet):
    permission_classes = (AllowAny,)
    serializer_class = HitsSerializer
    queryset = Part.objects.none()
    lists = frozenset()
    details = frozenset()
    parameters = {
        "search": [
            OpenApiParameter(
                "q", {"type": "string", "minLength": 1, "maxLength": 200}, required=True, description="What to find."
            )
        ]
    }

    @extend_schema(operation_id="search", responses=HitsSerializer)
    def search(self, request: Request) -> Response:
        """Findings by name, number or words, over every table."""
        words = request.query_params.get("q", "").strip()
        if not words:
            raise BadQuery([parameter_error("q", "required", _("Say what to search for."))])
        hits = find(words, organisation=organisation(request), limit=MOST_HITS)
        return Response({"results": [_shown(hit, request) for hit in hits]})


def _shown(hit: Hit, request: Request) -> dict[str, Any]:
    """A finding knows the address of its page; from that follows the one in the API."""
    key = next(iter(resolve(hit.url).kwargs.values()))
    href = reverse(f"api-{ROUTES[hit.kind]}", args=[key])
    address = request.build_absolute_uri(href)
    return {"kind": hit.kind, "id": key, "name": hit.name, "href": address, "score": min(1.0, hit.score)}
