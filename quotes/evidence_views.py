"""Pages of the evidence register, of the screening lists and of tasks after a change of lists."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from config.accounts.models import Organisation, StoredFile
from config.accounts.permissions import Action, require
from config.accounts.selectors import allowed_actions, current_organisation
from config.accounts.services import read_file
from quotes import evidence, evidence_jobs, rescreening, telecom_statements
from quotes.evidence_forms import ClaimForm, FeedForm, SettleForm, StatementForm
from quotes.evidence_pages import claim_row, statement_row, status_row, task_row
from quotes.models import EvidenceFeed
from quotes.proofs import Upload
from quotes.views import attempted, found_revision, person
from sizing.messages import render as words_of

CLAIMS_A_PAGE = 50
FEEDS_SHOWN_MAX = 10
UNKNOWN_PARTS_SHOWN_MAX = 10


@require_safe
@login_required
def register(request: HttpRequest) -> HttpResponse:
    """Every claim that the organisation may see, and the two forms that add some."""
    return _register(request, organisation_of(request))


@require_POST
@login_required
def record(request: HttpRequest) -> HttpResponse:
    """One claim with its letter."""
    organisation = organisation_of(request)
    require(request.user, organisation, Action.EDIT_PRICES)
    form = ClaimForm(request.POST, request.FILES)
    if not form.is_valid():
        return _register(request, organisation, claim=form)
    data = dict(form.cleaned_data)
    file = data.pop("file")
    statement = evidence.Statement(**data)
    upload = uploaded(file) if file else None

    def save() -> None:
        evidence.record_claim(organisation=organisation, statement=statement, user=person(request), upload=upload)

    if not attempted(request, save):
        return _register(request, organisation, claim=form)
    messages.success(request, _("The claim is recorded. It counts when a quote is screened again."))
    return redirect("quotes:evidence")


@require_POST
@login_required
def feed(request: HttpRequest) -> HttpResponse:
    """A distributor's feed with origins."""
    organisation = organisation_of(request)
    require(request.user, organisation, Action.EDIT_PRICES)
    form = FeedForm(request.POST, request.FILES)
    if not form.is_valid():
        return _register(request, organisation, feed=form)
    upload, stated_by = uploaded(form.cleaned_data["file"]), form.cleaned_data["stated_by"]
    results: list[evidence.FeedResult] = []

    def save() -> None:
        user = person(request)
        if evidence_jobs.is_long(upload.content):
            evidence_jobs.queue_feed(organisation=organisation, upload=upload, stated_by=stated_by, user=user)
            return
        results.append(evidence.import_feed(organisation=organisation, upload=upload, stated_by=stated_by, user=user))

    if not attempted(request, save):
        return _register(request, organisation, feed=form)
    if results:
        _report(request, results[0])
    else:
        messages.info(request, _("The feed is long and is read in the background. Its outcome stands below."))
    return redirect("quotes:evidence")


@require_safe
@login_required
def file(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """The letter or feed behind a claim, as a download."""
    claim = evidence.claims_for(organisation_of(request)).filter(public_id=public_id, file__isnull=False).first()
    if claim is None or claim.file is None:
        raise Http404
    return download(claim.file)


def download(stored: StoredFile) -> HttpResponse:
    """A kept file as a download that no browser shows as a page."""
    response = HttpResponse(read_file(stored), content_type=stored.content_type)
    response["Content-Disposition"] = content_disposition_header(True, get_valid_filename(stored.name))
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_safe
@login_required
def statements(request: HttpRequest) -> HttpResponse:
    """Every statement on Section 889, and the form that adds one."""
    return _statements(request, organisation_of(request))


@require_POST
@login_required
def record_statement(request: HttpRequest) -> HttpResponse:
    """One letter on Section 889."""
    organisation = organisation_of(request)
    require(request.user, organisation, Action.EDIT_PRICES)
    form = StatementForm(request.POST, request.FILES)
    if not form.is_valid():
        return _statements(request, organisation, form=form)
    data = dict(form.cleaned_data)
    upload = uploaded(data.pop("file"))

    def save() -> None:
        said = telecom_statements.Said(**data)
        telecom_statements.record_statement(organisation=organisation, said=said, user=person(request), upload=upload)

    if not attempted(request, save):
        return _statements(request, organisation, form=form)
    messages.success(request, _("The statement is recorded. It counts when a quote is screened again."))
    return redirect("quotes:statements")


@require_safe
@login_required
def statement_file(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """The letter or feed behind a statement, as a download."""
    found = telecom_statements.statements_for(organisation_of(request)).filter(public_id=public_id).first()
    if found is None:
        raise Http404
    return download(found.file)


def _statements(request: HttpRequest, organisation: Organisation, *, form: StatementForm | None = None) -> HttpResponse:
    words = request.GET.get("q", "").strip()[:100]
    rows = telecom_statements.statements_for(organisation, words=words)
    page = Paginator(rows, CLAIMS_A_PAGE).get_page(request.GET.get("page"))
    today = timezone.localdate()
    may_add = Action.EDIT_PRICES in allowed_actions(request.user, organisation)
    context: dict[str, Any] = {
        "page": page,
        "rows": [statement_row(row, today) for row in page],
        "form": (form or StatementForm()) if may_add else None,
    }
    return render(request, "quotes/statements.html", context, status=422 if form else 200)


@require_POST
@login_required
def rescreen(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Screen a draft again with the best claims of the register."""
    revision = found_revision(request, public_id)
    changed: list[str] = []
    if attempted(request, lambda: changed.extend(evidence.rescreen(quote=revision.quote, user=person(request)))):
        if changed:
            lines = ", ".join(changed)
            messages.success(request, _("Screened again. New proof of origin on lines %(lines)s.") % {"lines": lines})
        else:
            messages.info(request, _("Screened again. The register has no better proof for any line."))
    return redirect(f"{revision.quote.get_absolute_url()}#screening")


@require_safe
@login_required
def screening_lists(request: HttpRequest) -> HttpResponse:
    """Version, last check and next due check of each list, and the open tasks."""
    tasks = rescreening.open_tasks_for(request.user, current_organisation(request))
    context = {
        "rows": [
            status_row(status)
            for status in rescreening.list_status(timezone.localdate(), current_organisation(request))
        ],
        "tasks": [task_row(task) for task in tasks[:CLAIMS_A_PAGE]],
    }
    return render(request, "quotes/screening_lists.html", context)


@require_POST
@login_required
def settle(request: HttpRequest, public_id: UUID, task_id: UUID) -> HttpResponse:
    """Close the task of a quote whose flags changed."""
    revision = found_revision(request, public_id)
    task = rescreening.open_tasks_for(request.user).filter(revision=revision, public_id=task_id).first()
    if task is None:
        raise Http404
    form = SettleForm(request.POST)
    note = form.cleaned_data["note"] if form.is_valid() else ""
    attempted(request, lambda: rescreening.settle(task=task, user=person(request), note=note))
    return redirect(revision.quote)


def _register(
    request: HttpRequest, organisation: Organisation, *, claim: ClaimForm | None = None, feed: FeedForm | None = None
) -> HttpResponse:
    words = request.GET.get("q", "").strip()[:100]
    page = Paginator(evidence.claims_for(organisation, words=words), CLAIMS_A_PAGE).get_page(request.GET.get("page"))
    today = timezone.localdate()
    may_add = Action.EDIT_PRICES in allowed_actions(request.user, organisation)
    context: dict[str, Any] = {
        "page": page,
        "rows": [claim_row(row, today) for row in page],
        "claim": (claim or ClaimForm()) if may_add else None,
        "feeds": [
            {"feed": row, "fault": words_of(row.fault) if row.fault else ""}
            for row in EvidenceFeed.objects.filter(organisation=organisation).select_related("file")[:FEEDS_SHOWN_MAX]
        ],
        "feed": (feed or FeedForm()) if may_add else None,
    }
    status = 422 if claim or feed else 200
    return render(request, "quotes/evidence.html", context, status=status)


def _report(request: HttpRequest, result: evidence.FeedResult) -> None:
    words = ngettext("%(count)s claim recorded.", "%(count)s claims recorded.", result.recorded)
    messages.success(request, words % {"count": result.recorded})
    if result.statements:
        words = ngettext(
            "%(count)s word on Section 889 recorded.", "%(count)s words on Section 889 recorded.", result.statements
        )
        messages.success(request, words % {"count": result.statements})
    if result.repeated:
        words = ngettext("%(count)s row was known.", "%(count)s rows were known.", result.repeated)
        messages.info(request, words % {"count": result.repeated})
    if result.unknown:
        shown = ", ".join(result.unknown[:UNKNOWN_PARTS_SHOWN_MAX])
        words = ngettext(
            "%(count)s row names no part of the catalogue, or several: %(parts)s",
            "%(count)s rows name no part of the catalogue, or several: %(parts)s",
            len(result.unknown),
        )
        messages.warning(request, words % {"count": len(result.unknown), "parts": shown})


def organisation_of(request: HttpRequest) -> Organisation:
    """The organisation that the person acts for; 403 without one."""
    organisation = current_organisation(request)
    if organisation is None:
        raise PermissionDenied
    require(request.user, organisation, Action.VIEW)
    return organisation


def uploaded(file: "UploadedFile[bytes]") -> Upload:
    """An uploaded file with a name that is fit to be stored."""
    return Upload(name=get_valid_filename(file.name or "file")[:200], content=file.read())
