"""Query parameters. An unknown one is an error: a filter with a typing mistake must not show all rows."""

from collections.abc import Collection
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.request import Request

from config.rest.errors import BadQuery, parameter_error


def check_parameters(request: Request, known: Collection[str]) -> None:
    """Raises BadQuery (400) for unknown and doubled parameters and for NUL, Http404 for NUL in the path."""
    if "\x00" in request.path:
        raise Http404
    errors = []
    for name, values in request.query_params.lists():
        if name not in known:
            words = _("There is no such parameter. Known here: %(known)s.") % {"known": ", ".join(sorted(known)) or "-"}
            errors.append(parameter_error(name[:100], "unknown_parameter", words))
        elif len(values) > 1:
            errors.append(parameter_error(name, "repeated", _("Give this parameter once.")))
        elif "\x00" in values[0]:
            errors.append(parameter_error(name, "invalid", _("Remove the NUL characters.")))
    if errors:
        raise BadQuery(errors)


def sparse_fields(request: Request, known: Collection[str]) -> frozenset[str] | None:
    """The names in `?fields=a,b`, None where all are wanted. Raises BadQuery for a name that does not exist."""
    stated = request.query_params.get("fields")
    if stated is None:
        return None
    names = frozenset(name.strip() for name in stated.split(",") if name.strip())
    wrong = sorted(names.difference(known))
    if wrong or not names:
        words = _("Known here: %(known)s.") % {"known": ", ".join(known)}
        raise BadQuery([parameter_error("fields", "unknown_field", words)])
    return names


class SparseMixin:
    """For serializers: only the fields that `?fields=` names, where the view passes them on as `only`."""

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().get_fields()  # type: ignore[misc]
        only = self.context.get("only")  # type: ignore[attr-defined]
        parent = self.parent  # type: ignore[attr-defined]
        is_outer = parent is None or (parent.parent is None and getattr(parent, "many", False))
        if only is None or not is_outer:
            return fields
        return {name: field for name, field in fields.items() if name in only}
