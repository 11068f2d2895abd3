"""Pages of long lists: the keys of a page come from the index of its order, then its rows alone are read."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet


class KeyPaginator(Paginator):  # type: ignore[type-arg]
    """A paginator over a query of rows with a total order; one query more, none of them long on a far page."""

    object_list: QuerySet[Any]

    def page(self, number: int | str) -> "Page[Any]":
        number = self.validate_number(number)
        start = (number - 1) * self.per_page
        keys = list(self.object_list.values_list("pk", flat=True)[start : start + self.per_page])
        rows = {row.pk: row for row in self.object_list.filter(pk__in=keys).order_by()}
        return Page([rows[key] for key in keys if key in rows], number, self)
