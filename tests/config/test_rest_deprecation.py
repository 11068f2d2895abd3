"""Operations on their way out say so in every answer, and in the schema."""

from datetime import date

import pytest
from django.test import RequestFactory
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from config.accounts.models import Organisation
from config.rest.deprecation import Deprecation
from config.rest.schema import ApiSchema
from config.rest.views import ApiViewSet

GOING = Deprecation(since=date(2026, 12, 1), until=date(2027, 12, 1), more="/help/changes/")


class Old(ApiViewSet):
    permission_classes = (AllowAny,)
    authentication_classes = ()
    queryset = Organisation.objects.none()
    lists = details = frozenset()
    deprecated = {"retrieve": GOING}

    def retrieve(self, request: Request) -> Response:
        return Response({})

    def list(self, request: Request) -> Response:
        return Response({})


def asked(method: str) -> Response:
    answer: Response = Old.as_view({"get": method})(RequestFactory().get("/api/v1/old"))
    return answer


def test_a_deprecated_operation_names_both_dates_and_the_page() -> None:
    answer = asked("retrieve")

    assert answer["Deprecation"] == "@1796083200"
    assert answer["Sunset"] == "Wed, 01 Dec 2027 00:00:00 GMT"
    assert answer["Link"] == '</help/changes/>; rel="deprecation"; type="text/html"'


def test_others_say_nothing() -> None:
    assert "Deprecation" not in asked("list")


def test_the_schema_marks_it() -> None:
    marked = {}
    for action in ("retrieve", "list"):
        schema = ApiSchema()
        schema.view, schema.method = Old(), "GET"
        schema.view.action = action
        marked[action] = schema.is_deprecated()

    assert marked == {"retrieve": True, "list": False}


def test_nothing_goes_before_twelve_months() -> None:
    with pytest.raises(ValueError, match="twelve months"):
        Deprecation(since=date(2026, 12, 1), until=date(2027, 6, 1))
