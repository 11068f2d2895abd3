"""Lists of the API: a cursor, so that rows that arrive in between are neither doubled nor lost."""

from rest_framework.pagination import CursorPagination


class Pages(CursorPagination):
    """`?limit=` up to 200, `next` and `previous` as addresses. A view may set its own unique `ordering`."""

    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200
    ordering = "-pk"
