"""What every view of the API has in common: strict parameters, sparse fields, ETags, rate limits, idempotency."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.db import DataError
from django.http import HttpRequest
from drf_spectacular.utils import OpenApiParameter
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from config.rest import limits, pages
from config.rest.deprecation import Deprecation
from config.rest.errors import OutOfRange
from config.rest.etags import tagged
from config.rest.filters import Backend
from config.rest.query import check_parameters, sparse_fields


class ApiViewSet(GenericViewSet[Any]):
    """Base of all views. A subclass states what differs:

    - `parameters`: query and header parameters of its own, by action; documented and checked from here.
    - `lists`: actions that page, filter and order; `details`: actions with `?fields=`.
    - `default_order`, `orders`: see `pages.Pages`.
    - `deprecated`: actions on their way out.
    """

    pagination_class = pages.Pages
    filter_backends = (Backend,)
    parameters: ClassVar[Mapping[str, Sequence[OpenApiParameter]]] = {}
    lists: ClassVar[frozenset[str]] = frozenset({"list"})
    details: ClassVar[frozenset[str]] = frozenset({"retrieve"})
    default_order: ClassVar[tuple[str, ...]] = ()
    orders: ClassVar[tuple[str, ...]] = ()
    deprecated: ClassVar[Mapping[str, Deprecation]] = {}
    only: frozenset[str] | None = None

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        if "Idempotency-Key" in request.headers:
            _ = request.body  # kept, because its hash is needed after it was parsed
        return super().initialize_request(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        check_parameters(request, self.known_parameters())
        if "fields" in request.query_params and self.has_fields():  # asking a serializer for its names takes long
            self.only = sparse_fields(request, self.field_names())

    def handle_exception(self, exc: Exception) -> Response:
        """A value that passes every check and still is beyond what the database holds is the caller's, not ours."""
        return super().handle_exception(OutOfRange() if isinstance(exc, DataError) else exc)

    def known_parameters(self) -> set[str]:
        """Names that the query of this request may hold."""
        known = {each.name for each in self.parameters.get(self.action, ()) if each.location == OpenApiParameter.QUERY}
        if self.has_fields():
            known.add("fields")
        if self.action in self.lists:
            known |= set(pages.PARAMETERS) | set(self.filter_names())
        return known

    def has_fields(self) -> bool:
        return self.action in self.lists | self.details

    def field_names(self) -> list[str]:
        """What `?fields=` may name."""
        serializer: Any = self.get_serializer_class()
        return list(serializer().get_fields())

    def filter_names(self) -> list[str]:
        filterset: Any = getattr(self, "filterset_class", None)
        return list(filterset.base_filters) if filterset is not None else []

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "only": self.only}

    def paged(self, queryset: Any) -> Response:
        """The rows of a queryset, filtered, ordered and cut to a page."""
        rows = self.paginate_queryset(self.filter_queryset(queryset))
        return self.get_paginated_response(self.get_serializer(rows, many=True).data)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        plain = getattr(request, "_request", request)
        if request.method in SAFE_METHODS and response.status_code == 200 and not response.streaming:
            if isinstance(response, Response):
                response.render()
            response = tagged(plain, response)
        if going := self.deprecated.get(getattr(self, "action", None) or ""):
            for name, value in going.headers().items():
                response.headers[name] = value
        count: limits.Count | None = getattr(plain, "rate_count", None)
        if count is not None:
            if response.status_code == 304:
                limits.uncount(count)
            for name, value in count.headers().items():
                response.headers[name] = value
        return response
