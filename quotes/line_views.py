"""One line in full, taking the last change back, and files beside a quote."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.accounts.permissions import Action, require
from config.accounts.services import read_file
from quotes import attachments, line_order, services
from quotes.line_forms import FullLineForm, initial_of
from quotes.models import Attachment, QuoteLine
from quotes.views import attempted, found_revision, person


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def line(request: HttpRequest, public_id: UUID, line_id: UUID) -> HttpResponse:
    """Every field of one line of the draft."""
    revision = found_revision(request, public_id)
    require(request.user, revision.quote.organisation, Action.QUOTE)
    stored = revision.lines.filter(public_id=line_id).first()
    if stored is None:
        raise Http404
    stored.revision = revision
    form = FullLineForm(request.POST or None, initial=initial_of(stored))
    if request.method == "POST" and form.is_valid() and attempted(request, lambda: _save(request, stored, form)):
        return redirect("quotes:lines", public_id=public_id)
    status = 422 if request.method == "POST" else 200
    context = {"form": form, "line": stored, "quote": revision.quote, "revision": revision}
    return render(request, "quotes/line.html", context, status=status)


@require_POST
@login_required
def undo(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Take the last change of lines back."""
    revision = found_revision(request, public_id)
    numbers: list[str] = []
    if attempted(request, lambda: numbers.extend(line_order.undo(revision=revision, user=person(request)))):
        messages.success(request, _("Taken back: lines %(lines)s.") % {"lines": ", ".join(sorted(numbers))})
    return redirect("quotes:lines", public_id=public_id)


@require_POST
@login_required
def attach(request: HttpRequest, public_id: UUID, number: int) -> HttpResponse:
    """Add a file to a revision."""
    revision = found_revision(request, public_id, number)
    file = request.FILES.get("file")
    if file is None:
        messages.error(request, _("Choose a file first."))
        return redirect(f"{revision.get_absolute_url()}#attachments")
    name, for_buyer = get_valid_filename(str(file.name or "file")), bool(request.POST.get("for_buyer"))

    def save() -> None:
        attachments.attach(revision=revision, user=person(request), name=name, content=file.read(), for_buyer=for_buyer)

    attempted(request, save)
    return redirect(f"{revision.get_absolute_url()}#attachments")


@require_safe
@login_required
def attachment(request: HttpRequest, public_id: UUID, attachment_id: UUID) -> HttpResponse:
    """The file as a download."""
    row = _attachment(request, public_id, attachment_id)
    response = HttpResponse(read_file(row.file), content_type="application/octet-stream")
    response["Content-Disposition"] = content_disposition_header(True, get_valid_filename(row.name))
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_POST
@login_required
def detach(request: HttpRequest, public_id: UUID, attachment_id: UUID) -> HttpResponse:
    """Take a file away."""
    row = _attachment(request, public_id, attachment_id)
    attempted(request, lambda: attachments.detach(attachment=row, user=person(request)))
    return redirect(f"{row.revision.get_absolute_url()}#attachments")


def _attachment(request: HttpRequest, public_id: UUID, attachment_id: UUID) -> Attachment:
    revision = found_revision(request, public_id)
    rows = Attachment.objects.filter(revision__quote=revision.quote, public_id=attachment_id)
    row = rows.select_related("file", "revision__quote__organisation").first()
    if row is None:
        raise Http404
    return row


@transaction.atomic
def _save(request: HttpRequest, stored: QuoteLine, form: FullLineForm) -> None:
    user, version = person(request), form.cleaned_data["version"]
    changes = form.changes(stored)
    if changes:
        services.edit_line(line=stored, changes=changes, user=user, version=version)
    if form.cleaned_data["section"] != stored.section:
        line_order.move_to_section(line=stored, section=form.cleaned_data["section"], user=user)
