"""Pages of long lists: the keys of a page come from the index of its order, then its rows alone are read."""

import hashlib
from array import array
from collections.abc import Callable
from typing import Any

from django.core.cache import cache
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

FAR_ROWS = 5_000
"""From here on the database would walk, or even sort, more rows than it takes to keep the keys of all."""
KEPT_S = 3_600


class KeyPaginator(Paginator):  # type: ignore[type-arg]
    """A paginator over a query of rows with a total order; one query more, none of them long on a far page.

    With `stamp`, which names the present state of the rows, the keys of a list whose far pages are read are kept in
    the cache until the rows change.
    """

    object_list: QuerySet[Any]

    def __init__(self, rows: QuerySet[Any], per_page: int, stamp: Callable[[], str] | None = None) -> None:
        super().__init__(rows, per_page)
        self.stamp = stamp

    def page(self, number: int | str) -> "Page[Any]":
        number = self.validate_number(number)
        keys = self._keys((number - 1) * self.per_page)
        rows = {row.pk: row for row in self.object_list.filter(pk__in=keys).order_by()}
        return Page([rows[key] for key in keys if key in rows], number, self)

    def _keys(self, start: int) -> list[int]:
        found = self.object_list.values_list("pk", flat=True)
        state = self.stamp() if self.stamp is not None and start >= FAR_ROWS else ""
        if not state:
            return list(found[start : start + self.per_page])
        asked = hashlib.sha256(repr(found.query.sql_with_params()).encode()).hexdigest()
        kept: Any = cache.get_or_set(f"page-keys:{state}:{asked}", lambda: array("q", found).tobytes(), timeout=KEPT_S)
        all_keys = array("q")
        all_keys.frombytes(kept)
        return all_keys[start : start + self.per_page].tolist()
