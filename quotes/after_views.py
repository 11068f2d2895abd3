"""Comments on a revision, its changes as a file, and its document by e-mail."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from quotes import after, downloads
from quotes.after_forms import CommentForm, SendForm
from quotes.content import content_of
from quotes.views import attempted, found_revision, person


@require_safe
@login_required
def changes_file(request: HttpRequest, public_id: UUID, number: int) -> HttpResponse:
    """The changes against the revision before as a PDF of its own; 404 for a first revision."""
    revision = found_revision(request, public_id, number)
    if not content_of(revision).get("changes"):
        raise Http404
    language = request.GET.get("language", "")
    if language not in ("en", "de"):
        language = revision.quote.language
    made = downloads.download(revision, downloads.CHANGES, language=language, user=person(request))
    response = HttpResponse(made.content, content_type=made.content_type)
    response["Content-Disposition"] = f'attachment; filename="{made.name}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_POST
@login_required
def comment(request: HttpRequest, public_id: UUID, number: int) -> HttpResponse:
    """Note something about a revision."""
    revision = found_revision(request, public_id, number)
    form = CommentForm(request.POST)
    text = form.cleaned_data["text"] if form.is_valid() else ""
    attempted(request, lambda: after.comment(revision=revision, user=person(request), text=text))
    return redirect(f"{revision.get_absolute_url()}#comments")


@require_POST
@login_required
def send(request: HttpRequest, public_id: UUID, number: int) -> HttpResponse:
    """Queue the PDF of a locked revision as an e-mail."""
    revision = found_revision(request, public_id, number)
    form = SendForm(request.POST)
    form.is_valid()
    data = form.cleaned_data
    language = data.get("language") or revision.quote.language

    def queue() -> None:
        after.send_document(
            revision=revision,
            user=person(request),
            recipient=data.get("recipient", ""),
            language=language,
            text=data.get("text", ""),
        )

    if attempted(request, queue):
        messages.success(request, _("The document is on its way to %(address)s.") % {"address": data["recipient"]})
    return redirect(f"{revision.get_absolute_url()}#send")
