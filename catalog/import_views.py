"""Pages of imports: upload, reading, questions, matches, commit, undo. For people who may edit prices."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages as notes
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalog import import_jobs, import_rows
from catalog.choices import ImportState
from catalog.errors import CatalogError
from catalog.import_errors import error_file
from catalog.import_execute import is_busy, is_draft
from catalog.import_forms import UploadForm, answers_from
from catalog.import_reading import SENT
from catalog.imports.answers import BadAnswers
from catalog.imports.cells import UnreadableFile
from catalog.imports.read import FILE_BYTES_MAX
from catalog.messages_import_pages import render as words
from catalog.messages_import_pages import words_of
from catalog.models import Accelerator, ImportBatch, Supplier
from catalog.visibility import visible
from config.accounts.models import Organisation, User
from config.accounts.permissions import Action, require
from config.accounts.selectors import current_organisation
from sizing.core.values import Message

PAGE_SIZE = 25
NO_PART = "-"  # the choice "none of our parts" of an open match


@login_required
@require_http_methods(["GET", "POST"])
def imports(request: HttpRequest) -> HttpResponse:
    """Upload a price file, and the imports so far."""
    organisation, actor = _allowed(request)
    form = UploadForm(request.POST or None, request.FILES or None, organisation=organisation)
    if request.method == "POST" and form.is_valid():
        batch = _started(form, organisation, actor)
        if batch is not None:
            return redirect("catalog:import", batch.public_id)
    batches = ImportBatch.objects.filter(organisation=organisation).select_related("created_by")
    page = Paginator(batches.defer("reading", "answers"), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "rows": [_list_row(batch) for batch in page.object_list],
        "suppliers": Supplier.objects.filter(visible(organisation)).values_list("name", flat=True)[:500],
        "most_mb": min(FILE_BYTES_MAX // 1_000_000, settings.UPLOAD_MAX_MB),
    }
    return render(request, "catalog/imports/start.html", context, status=422 if form.errors else 200)


@login_required
@require_GET
def batch(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """One import: its reading and rows while it waits for a person, its progress, its outcome."""
    found = _batch(request, batch_id)
    if is_busy(found):
        return render(request, "catalog/imports/progress.html", _progress(found))
    kind = import_rows.first_kind(found, request.GET.get("show", ""))
    page = import_rows.row_page(found, kind, request.GET.get("page"))
    rows = list(page.object_list)
    context = import_rows.reading_view(found) | {
        "batch": found,
        "is_draft": is_draft(found),
        "is_done": found.state == ImportState.DONE,
        "message": words_of(found.message),
        "tabs": import_rows.tabs(found, kind),
        "kind": kind,
        "rows": rows,
        "page": page,
        "kept_rows": page.paginator.count,
        "all_rows": (found.reading.get("totals") or {}).get(kind, 0),
        "write_count": import_rows.write_count(found),
        "counts": (found.result or {}).get("counts") or {},
        "can_confirm": any(row["can_confirm"] for row in rows),
        "candidates": _candidate_names(rows),
        "no_part": NO_PART,
        "currencies": import_rows.COMMON_CURRENCIES,
    }
    return render(request, "catalog/imports/import.html", context)


@login_required
@require_GET
def errors(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """The rows that are not stored, as a file with the reason of each."""
    found = _batch(request, batch_id)
    try:
        content = error_file(found)
    except CatalogError as error:
        raise Http404(words(error.message)) from error
    disposition = {"Content-Disposition": f'attachment; filename="errors-{found.public_id}.csv"'}
    return HttpResponse(content, content_type="text/csv; charset=utf-8", headers=disposition)


@login_required
@require_GET
def progress(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """The progress alone, for polling. The answer of a finished import asks for no further one."""
    return render(request, "catalog/imports/progress.html#progress", _progress(_batch(request, batch_id)))


def _step(act: Callable[[HttpRequest, ImportBatch, User], str]) -> Callable[..., HttpResponse]:
    """A POST that changes a batch and returns to its page; what is refused is said there."""

    @login_required
    @require_POST
    @wraps(act)
    def view(request: HttpRequest, batch_id: UUID) -> HttpResponse:
        organisation, actor = _allowed(request)
        found = _batch_of(organisation, batch_id)
        try:
            said = act(request, found, actor)
        except CatalogError as error:
            notes.error(request, words(error.message))
        except (BadAnswers, UnreadableFile) as error:
            notes.error(request, words(Message(error.code, error.params)))
        else:
            if said:
                notes.success(request, said)
        return redirect("catalog:import", found.public_id)

    return view


@_step
def answer(request: HttpRequest, found: ImportBatch, actor: User) -> str:
    """Answers to questions, settings of the reading, roles of columns, confirmed prices."""
    head = found.reading.get("head") or {}
    on_page = [int(line) for line in request.POST.getlist("confirmable") if line.isdecimal()]
    import_jobs.answer(found, answers_from(request.POST, found.answers, head, on_page))
    return ""


@_step
def supplier(request: HttpRequest, found: ImportBatch, actor: User) -> str:
    import_jobs.name_supplier(found, request.POST.get("supplier", ""))
    return ""


@_step
def match(request: HttpRequest, found: ImportBatch, actor: User) -> str:
    """Decisions on open matches: one field `match:LINE` a row, left empty for later."""
    rows = {str(row["line"]): row for row in (found.reading.get("rows") or {}).get("question", ())}
    decided = 0
    for line, row in rows.items():
        chosen = request.POST.get(f"match:{line}", "")
        if chosen:
            slug = "" if chosen == NO_PART else chosen
            import_jobs.decide_match(found, mpn=row["mpn"] or "", accelerator=slug, actor=actor)
            decided += 1
    if decided:
        import_jobs.reread(found)
    return ngettext("%(count)s decision is kept.", "%(count)s decisions are kept.", decided) % {"count": decided}


@_step
def profile(request: HttpRequest, found: ImportBatch, actor: User) -> str:
    name = request.POST.get("name", "").strip()
    if not name:
        raise CatalogError("import_no_profile_name")
    saved = import_jobs.save_profile(found, name=name, actor=actor)
    return gettext("The profile “%(name)s” is saved. Choose it with the next file of this supplier.") % {
        "name": saved.name
    }


@_step
def commit(request: HttpRequest, found: ImportBatch, actor: User) -> str:
    done = import_jobs.commit(found, actor=actor)
    return "" if is_busy(done) else gettext("The import is stored. It can be undone as one.")


@_step
def undo(request: HttpRequest, found: ImportBatch, actor: User) -> str:
    done = import_jobs.undo(found, actor=actor)
    return "" if is_busy(done) else gettext("The import is undone. Prices and lead times are as before.")


@_step
def discard(request: HttpRequest, found: ImportBatch, actor: User) -> str:
    import_jobs.discard(found)
    return gettext("Nothing was stored.")


@_step
def reopen(request: HttpRequest, found: ImportBatch, actor: User) -> str:
    import_jobs.reopen(found)
    return ""


def _allowed(request: HttpRequest) -> tuple[Organisation, User]:
    organisation = current_organisation(request)
    require(request.user, organisation, Action.EDIT_PRICES)
    assert organisation is not None  # noqa: S101 - `require` has refused a visitor
    assert isinstance(request.user, User)  # noqa: S101
    return organisation, request.user


def _batch(request: HttpRequest, batch_id: UUID) -> ImportBatch:
    organisation, _actor = _allowed(request)
    return _batch_of(organisation, batch_id)


def _batch_of(organisation: Organisation, batch_id: UUID) -> ImportBatch:
    rows = ImportBatch.objects.select_related("created_by", "profile", "organisation")
    found = rows.filter(organisation=organisation, public_id=batch_id).first()
    if found is None:
        raise Http404
    return found


def _started(form: UploadForm, organisation: Organisation, actor: User) -> ImportBatch | None:
    """A batch for the uploaded file; None where the file is refused, the form then says why."""
    upload = form.cleaned_data["file"]
    try:
        if upload.size > FILE_BYTES_MAX:
            raise UnreadableFile("import_file_too_large", limit_mb=FILE_BYTES_MAX // 1_000_000)
        return import_jobs.start_import(
            organisation=organisation,
            actor=actor,
            name=upload.name,
            data=upload.read(),
            supplier=form.cleaned_data["supplier"].strip(),
            profile=form.cleaned_data["profile"],
        )
    except (UnreadableFile, BadAnswers) as error:
        form.add_error("file", words(Message(error.code, error.params)))
    return None


def _list_row(found: ImportBatch) -> dict[str, Any]:
    if found.undone_at:
        state = gettext("undone")
    elif found.state == ImportState.QUEUED:
        state = gettext("waiting for you") if found.lease_expires_at is None else gettext("in work")
    elif found.state == ImportState.DONE:
        state = gettext("stored")
    else:
        state = found.get_state_display()
    return {"batch": found, "state": state, "counts": (found.result or {}).get("counts") or {}}


def _progress(found: ImportBatch) -> dict[str, Any]:
    """The stages of the worker's part, without made-up per cents."""
    busy = is_busy(found)
    storing, undoing = found.reading.get(SENT) == "commit", found.reading.get(SENT) == "undo"
    running = found.state == ImportState.RUNNING
    writing = storing and found.message.get("code") == "import_stage_write"
    steps = [
        {"label": gettext("File uploaded"), "state": "done"},
        {
            "label": gettext("Read and compared with the catalogue"),
            "state": "done" if writing or undoing or not busy else ("current" if running else "waiting"),
        },
    ]
    if storing:
        last = "current" if writing else "waiting"
        steps.append({"label": gettext("Prices and lead times stored, all or none"), "state": last if busy else "done"})
    if undoing:
        last = "current" if running else "waiting"
        steps.append({"label": gettext("Prices and lead times stored, all or none"), "state": "done"})
        steps.append({"label": gettext("Taken back, all or none"), "state": last if busy else "done"})
    return {"batch": found, "steps": steps, "polls": busy, "is_waiting": found.state == ImportState.QUEUED and busy}


def _candidate_names(rows: list[dict[str, Any]]) -> dict[str, str]:
    slugs = {slug for row in rows for slug in row["match"]["candidates"]}
    if not slugs:
        return {}
    found = Accelerator.objects.filter(slug__in=slugs)
    return {row.slug: str(row) for row in found}
