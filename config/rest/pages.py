"""Lists by cursor over a unique order: rows that come and go in between are neither doubled nor lost."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.core import signing
from django.db.models import F, Model, Q
from django.db.models.expressions import OrderBy
from django.utils.translation import gettext as _
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from config.rest.errors import BadQuery, parameter_error

DEFAULT_LIMIT = 50
MAX_LIMIT = 200
SALT = "kvote.cursor"
PARAMETERS = ("limit", "cursor", "order", "total")


class Pages(BasePagination):
    """`{"next", "previous", "results"}`, and `total` on request.

    A view states `default_order` (field names, "-" for falling) and `orders`, the fields that a caller may
    order by. The primary key is appended, so that the order is always unique.
    """

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        self.request = request
        self.total = queryset.count() if _flag(request, "total") else None
        limit = _limit(request)
        order = _order(request, view)
        forward, position = _read_cursor(request, order, queryset.model)
        rows = queryset.order_by(*(_expression(name, forward) for name in order))
        if position is not None:
            rows = rows.filter(_beyond(queryset.model, order, position, forward))
        found = list(rows[: limit + 1])
        has_more, found = len(found) > limit, found[:limit]
        if not forward:
            found.reverse()
        is_after_start, is_before_end = (position is not None, has_more) if forward else (has_more, True)
        self.next = self._link(found[-1], order, forward=True) if found and is_before_end else None
        self.previous = self._link(found[0], order, forward=False) if found and is_after_start else None
        return found

    def get_paginated_response(self, data: Any) -> Response:
        body = {"next": self.next, "previous": self.previous, "results": data}
        return Response(body if self.total is None else body | {"total": self.total})

    def _link(self, row: Model, order: Sequence[str], *, forward: bool) -> str:
        values = [_text_of(row, name.removeprefix("-")) for name in order]
        cursor = signing.dumps([forward, list(order), values], salt=SALT, compress=True)
        return replace_query_param(self.request.build_absolute_uri(), "cursor", cursor)

    def get_paginated_response_schema(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        address = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {
                "next": address | {"description": "The next rows; null at the end."},
                "previous": address | {"description": "The rows before; null at the start."},
                "results": schema,
                "total": {"type": "integer", "description": "All rows; only with `?total=true`."},
            },
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        orders = sorted({name for field in view.orders for name in (field, f"-{field}")})
        limit = {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT}
        found = [
            _parameter("limit", limit, "Rows at most."),
            _parameter("cursor", {"type": "string"}, "From `next` or `previous` of an answer."),
            _parameter("total", {"type": "boolean", "default": False}, "Count all rows, too."),
        ]
        if orders:
            found.append(_parameter("order", {"type": "string", "enum": orders}, "Field to order by; `-` for falling."))
        return found


def _parameter(name: str, schema: Mapping[str, Any], description: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": dict(schema), "description": description}


def _flag(request: Request, name: str) -> bool:
    text = request.query_params.get(name, "false")
    if text not in ("true", "false"):
        raise BadQuery([parameter_error(name, "invalid", _("Use true or false."))])
    return text == "true"


def _limit(request: Request) -> int:
    text = request.query_params.get("limit", str(DEFAULT_LIMIT))
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= MAX_LIMIT):
        detail = _("Use a whole number from 1 to %(most)d.") % {"most": MAX_LIMIT}
        raise BadQuery([parameter_error("limit", "invalid", detail)])
    return int(text)


def _order(request: Request, view: Any) -> tuple[str, ...]:
    wanted = request.query_params.get("order")
    if wanted is None:
        order: tuple[str, ...] = view.default_order
        return order if order and order[-1].removeprefix("-") == "pk" else (*order, "pk")
    if wanted.removeprefix("-") not in view.orders:
        detail = _("Known here: %(known)s.") % {"known": ", ".join(view.orders) or "-"}
        raise BadQuery([parameter_error("order", "invalid", detail)])
    return (wanted, "pk")


def _read_cursor(request: Request, order: Sequence[str], model: type[Model]) -> tuple[bool, list[Any] | None]:
    """Direction and position of the cursor. A cursor is signed, so nobody but us can have made its values."""
    text = request.query_params.get("cursor")
    if text is None:
        return True, None
    try:
        forward, made_for, values = signing.loads(text, salt=SALT)
    except (signing.BadSignature, ValueError):
        made_for = None
    if made_for != list(order):
        detail = _("This cursor is not one of this list. Begin without cursor.")
        raise BadQuery([parameter_error("cursor", "invalid", detail)])
    fields = [_field(model, name.removeprefix("-")) for name in order]
    return forward, [
        None if value is None else field.to_python(value) for field, value in zip(fields, values, strict=True)
    ]


def _field(model: type[Model], name: str) -> Any:
    return model._meta.pk if name == "pk" else model._meta.get_field(name)


def _text_of(row: Model, name: str) -> str | None:
    field = _field(type(row), name)
    return None if getattr(row, field.attname) is None else field.value_to_string(row)


def _expression(name: str, forward: bool) -> OrderBy:
    """Nulls come last in both orders, so first when going backwards."""
    falling = name.startswith("-")
    place = F(name.removeprefix("-"))
    if forward:
        return place.desc(nulls_last=True) if falling else place.asc(nulls_last=True)
    return place.asc(nulls_first=True) if falling else place.desc(nulls_first=True)


def _beyond(model: type[Model], order: Sequence[str], values: Sequence[Any], forward: bool) -> Q:
    """Rows after the position, or before it: greater in the first field that differs."""
    found, equal = Q(pk__in=[]), Q()
    for name, value in zip(order, values, strict=True):
        column = name.removeprefix("-")
        found |= equal & _past(name, value, forward=forward, nullable=_field(model, column).null)
        equal &= Q(**{f"{column}__isnull": True}) if value is None else Q(**{column: value})
    return found


def _past(name: str, value: Any, *, forward: bool, nullable: bool) -> Q:
    column = name.removeprefix("-")
    if value is None:
        return Q(pk__in=[]) if forward else Q(**{f"{column}__isnull": False})
    rising = name.startswith("-") != forward
    found = Q(**{f"{column}__{'gt' if rising else 'lt'}": value})
    return found | Q(**{f"{column}__isnull": True}) if nullable and forward else found
