"""What a buyer sees through a share link, and how the seller makes and revokes one."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from quotes import downloads, pages, sharing
from quotes.errors import QuoteError
from quotes.exports.registry import FORMATS
from quotes.forms import ShareForm
from quotes.models import ShareLink
from quotes.views import attempted, found_revision, person


@require_POST
@login_required
def make(request: HttpRequest, public_id: UUID, number: int) -> HttpResponse:
    """A new link; its address is shown once, in a note."""
    revision = found_revision(request, public_id, number)
    form = ShareForm(request.POST)
    days = form.cleaned_data["days"] if form.is_valid() else 0
    made: list[str] = []

    def do() -> None:
        made.append(sharing.share(revision=revision, user=person(request), days=days)[1])

    if attempted(request, do):
        address = request.build_absolute_uri(reverse("quotes:shared", args=[made[0]]))
        messages.success(request, _("Link for the buyer, shown only now: %(address)s") % {"address": address})
    return redirect(f"{revision.get_absolute_url()}#shares")


@require_POST
@login_required
def revoke(request: HttpRequest, public_id: UUID, number: int) -> HttpResponse:
    revision = found_revision(request, public_id, number)
    link = (
        ShareLink.objects.select_related("revision__quote__organisation")
        .filter(revision=revision, pk=request.POST.get("link", "0") if request.POST.get("link", "").isdigit() else 0)
        .first()
    )
    if link is None:
        raise Http404
    attempted(request, lambda: sharing.revoke(link=link, user=person(request)))
    return redirect(f"{revision.get_absolute_url()}#shares")


@require_safe
@never_cache
def shared(request: HttpRequest, secret: str) -> HttpResponse:
    """The locked revision for whoever holds the link; 410 with the reason once it leads nowhere."""
    opened = _opened(secret)
    if opened.gone:
        return _private(render(request, "quotes/gone.html", {"opened": opened}, status=410))
    context = pages.quote_page(opened.link.revision, actions=frozenset())
    return _private(render(request, "quotes/shared.html", {**context, "secret": secret}))


@require_safe
@never_cache
def shared_file(request: HttpRequest, secret: str, format_name: str) -> HttpResponse:
    """One export of the shared revision in the page's language."""
    opened = _opened(secret)
    if opened.gone:
        return _private(render(request, "quotes/gone.html", {"opened": opened}, status=410))
    if format_name not in FORMATS:
        raise Http404
    try:
        made = downloads.download(opened.link.revision, format_name, language=pages.page_language(), user=None)
    except QuoteError as error:
        raise Http404 from error
    response = HttpResponse(made.content, content_type=made.content_type)
    response["Content-Disposition"] = f'attachment; filename="{made.name}"'
    return _private(response)


def _opened(secret: str) -> sharing.Opened:
    opened = sharing.open_link(secret)
    if opened is None:
        raise Http404
    return opened


def _private(response: HttpResponse) -> HttpResponse:
    """Not for search engines, and the address is not told to other sites."""
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "no-referrer"
    return response
