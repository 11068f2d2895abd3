"""The page of what open quotes depend on."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from config.accounts.selectors import current_organisation
from quotes.freshness import OPEN_STATES, open_quotes
from quotes.selectors import quotes_for

PAGE_SIZE = 20


@login_required
@require_safe
def freshness(request: HttpRequest) -> HttpResponse:
    """Open quotes, a page of them, with the prices they copied."""
    rows = quotes_for(request.user, organisation=current_organisation(request))
    rows = rows.filter(current_revision__state__in=OPEN_STATES).select_related("organisation", "current_revision")
    page = Paginator(rows.order_by("-created_at", "-pk"), PAGE_SIZE).get_page(request.GET.get("page"))
    found = open_quotes(list(page.object_list), today=timezone.localdate())
    return render(request, "quotes/freshness.html", {"page": page, "quotes": found})
