"""The search page, which is also what the command palette shows."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.search.find import LETTERS, find


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Findings for `?q=`; a request of the palette gets the list alone."""
    query = request.GET.get("q", "")[:LETTERS]
    part = "#hits" if request.headers.get("HX-Request") else ""
    return render(request, f"search/search.html{part}", {"query": query, "groups": find(request, query)})
