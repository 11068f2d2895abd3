"""Pages of quotes: list, quote, editing, state changes, downloads, difference."""

from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalog.paging import KeyPaginator
from config.accounts.models import User
from config.accounts.permissions import Action, require
from config.accounts.selectors import allowed_actions, current_organisation
from quotes import downloads, line_cells, line_order, pages, selectors, services, transitions
from quotes.choices import QuoteState
from quotes.errors import NotAllowed, QuoteError
from quotes.exports.registry import FORMATS
from quotes.forms import DecisionForm, DiscountForm, NewLineForm, QuoteForm, ReasonForm
from quotes.models import Quote, QuoteRevision
from quotes.options import content_of_option
from quotes.services import LineEdit
from sizing.messages import render as words
from sizing.people import VISITOR_RUNS
from sizing.selectors import option_for

QUOTES_A_PAGE = 50


@require_safe
@login_required
def quote_list(request: HttpRequest) -> HttpResponse:
    rows = selectors.listed(request.user, current_organisation(request), request.GET.dict())
    page = KeyPaginator(rows, QUOTES_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "quotes/list.html", {"page": page, "states": QuoteState.choices})


@require_POST
def create(request: HttpRequest) -> HttpResponse:
    """A quote from the option named in the form. A visitor signs in first and comes back to the option."""
    option = option_for(_user(request), _uuid(request.POST.get("option", "")), secrets=_secrets(request))
    if not request.user.is_authenticated:
        return redirect_to_login(option.get_absolute_url() if option else reverse("sizing:start"))
    organisation = current_organisation(request)
    require(request.user, organisation, Action.QUOTE)
    if option is None or organisation is None:
        raise Http404
    try:
        quote = services.create_quote(option=option, user=person(request), organisation=organisation)
    except QuoteError as error:
        messages.error(request, words(error.message))
        return redirect(option.get_absolute_url())
    return redirect(quote)


@require_safe
@login_required
def quote(request: HttpRequest, public_id: UUID, number: int | None = None) -> HttpResponse:
    """The current revision, or the one named in the address."""
    revision = found_revision(request, public_id, number)
    actions = allowed_actions(request.user, revision.quote.organisation)
    return render(request, "quotes/quote.html", pages.quote_page(revision, actions=actions))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Parties, reference, terms and document settings."""
    revision = found_revision(request, public_id)
    require(request.user, revision.quote.organisation, Action.QUOTE)
    initial = {"version": revision.version}
    form = QuoteForm(request.POST or None, instance=revision.quote, initial=initial)
    if request.method == "POST" and form.is_valid():
        changes = form.changes()
        fresh = Quote.objects.select_related("organisation").get(pk=revision.quote.pk)
        # other fields, and lines, may have been changed meanwhile without harm
        version = revision.version if form.says_what_was_seen else form.cleaned_data["version"]

        def save() -> None:
            services.edit_quote(quote=fresh, changes=changes, user=person(request), version=version)

        if not changes or (not form.refuse_unseen() and attempted(request, save)):
            return redirect(revision.quote)
    status = 422 if request.method == "POST" else 200
    context = {"form": form, "sections": pages.edit_sections(form), "quote": revision.quote, "revision": revision}
    return render(request, "quotes/edit.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def lines(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """All lines as a table of fields; one button saves every change, all or none."""
    revision = found_revision(request, public_id)
    require(request.user, revision.quote.organisation, Action.QUOTE)
    typed = request.POST if request.method == "POST" else None
    context = lines_context(request, revision, typed=typed)
    rows = context["rows"]
    sent = [row for row in rows if row["form"].is_sent]
    valid = [row["form"].is_valid() for row in sent]  # every row is judged, not only up to the first error
    if request.method == "POST" and all(valid):
        edits = [
            LineEdit(line=row["line"], changes=row["form"].changes(), version=row["form"].cleaned_data["version"])
            for row in sent
        ]
        wanted = [part for part in request.POST.get("order", "").split(",") if part]
        if attempted(request, lambda: _save_lines(revision, edits, wanted, person(request))):
            return redirect(revision.quote)
        context = lines_context(request, revision, typed=typed)
        line_cells.with_present_values(context["rows"])
    status = 422 if request.method == "POST" else 200
    return render(request, "quotes/lines.html", context, status=status)


@transaction.atomic
def _save_lines(revision: QuoteRevision, edits: list[LineEdit], wanted: list[str], user: User) -> None:
    """The cells and the order of the table, both or neither. Without a script no order is sent."""
    services.edit_lines(revision=revision, edits=edits, user=user)
    if wanted:
        line_order.order_lines(revision=revision, wanted=wanted, user=user)


@require_POST
@login_required
def add_line(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """A further line at the end of its section."""
    revision = found_revision(request, public_id)
    form = NewLineForm(request.POST)
    if not form.is_valid():
        return render(request, "quotes/lines.html", lines_context(request, revision, new_line=form), status=422)
    attempted(request, lambda: services.add_line(revision=revision, fields=form.cleaned_data, user=person(request)))
    return redirect("quotes:lines", public_id=public_id)


@require_POST
@login_required
def discount(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """A discount on the whole, as lines of its own."""
    revision = found_revision(request, public_id)
    form = DiscountForm(request.POST)
    if not form.is_valid():
        return render(request, "quotes/lines.html", lines_context(request, revision, discount=form), status=422)
    percent = form.cleaned_data["percent"]
    attempted(request, lambda: line_order.discount_total(revision=revision, discount_pct=percent, user=person(request)))
    return redirect("quotes:lines", public_id=public_id)


@require_POST
@login_required
def line_action(request: HttpRequest, public_id: UUID, action: str) -> HttpResponse:
    """Move or remove one line of the draft."""
    revision = found_revision(request, public_id)
    line = revision.lines.filter(public_id=_uuid(request.POST.get("line", ""))).first()
    if line is None or action not in ("up", "down", "remove"):
        raise Http404
    line.revision = revision
    if action == "remove":
        attempted(request, lambda: services.remove_line(line=line, user=person(request), version=line.version))
    else:
        steps = -1 if action == "up" else 1
        attempted(request, lambda: line_order.move_line(line=line, steps=steps, user=person(request)))
    return redirect("quotes:lines", public_id=public_id)


def lines_context(
    request: HttpRequest,
    revision: QuoteRevision,
    *,
    typed: Any = None,
    new_line: NewLineForm | None = None,
    discount: DiscountForm | None = None,
) -> dict[str, Any]:
    """Context of the editing page: the table and the two small forms under it."""
    actions = allowed_actions(request.user, revision.quote.organisation)
    return {
        "rows": line_cells.edit_table(revision, actions, typed),
        "quote": revision.quote,
        "revision": revision,
        "new_line": new_line or NewLineForm(),
        "discount": discount or DiscountForm(),
    }


@require_POST
@login_required
def act(request: HttpRequest, public_id: UUID, action: str) -> HttpResponse:
    """One change of state; a refusal is shown with what is allowed instead."""
    revision = found_revision(request, public_id)
    quote, user = revision.quote, person(request)
    form = ReasonForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    version = int(request.POST.get("version", "0")) if request.POST.get("version", "0").isdigit() else 0
    base = request.build_absolute_uri(reverse("quotes:verify"))
    acts = {
        "submit": lambda: transitions.submit(quote=quote, user=user, reason=reason),
        "approve": lambda: transitions.approve(quote=quote, user=user, version=version, reason=reason),
        "send-back": lambda: transitions.send_back(quote=quote, user=user, reason=reason),
        "validate": lambda: services.validate_configuration(quote=quote, user=user, how=reason),
        "lock": lambda: transitions.lock(quote=quote, user=user, verify_base=base, reason=reason),
        "revise": lambda: transitions.revise(quote=quote, user=user),
        "accept": lambda: transitions.close(quote=quote, state=QuoteState.ACCEPTED, user=user, reason=reason),
        "decline": lambda: transitions.close(quote=quote, state=QuoteState.DECLINED, user=user, reason=reason),
    }
    if action not in acts:
        raise Http404
    attempted(request, acts[action])
    return redirect(quote)


@require_POST
@login_required
def decide(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Record why an open item may stand."""
    revision = found_revision(request, public_id)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        messages.error(request, words({"code": "quote_reason_missing", "params": {}}))
        return redirect(f"{revision.quote.get_absolute_url()}#todo")
    data = form.cleaned_data
    line = revision.lines.filter(number=data["line"]).first() if data["line"] else None
    attempted(
        request,
        lambda: transitions.decide(
            quote=revision.quote,
            about=data["about"],
            reason=data["reason"],
            user=person(request),
            line=line,
            rule=data["rule"],
        ),
    )
    return redirect(f"{revision.quote.get_absolute_url()}#todo")


@require_safe
@login_required
def export(request: HttpRequest, public_id: UUID, number: int, format_name: str) -> HttpResponse:
    """The revision as a file in the language asked for, else in its own."""
    revision = found_revision(request, public_id, number)
    if format_name not in FORMATS:
        raise Http404
    language = request.GET.get("language", "")
    if language not in ("en", "de"):
        language = revision.quote.language
    made = downloads.download(revision, format_name, language=language, user=person(request))
    response = HttpResponse(made.content, content_type=made.content_type)
    response["Content-Disposition"] = f'attachment; filename="{made.name}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_safe
@login_required
def changes(request: HttpRequest, public_id: UUID, number: int) -> HttpResponse:
    """What this revision changed against the one before it, or against the one that `?from=` names."""
    new = found_revision(request, public_id, number)
    wanted = request.GET.get("from", "")
    earlier = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 5 else number - 1
    old = selectors.revision_of(new.quote, earlier)
    if old is None or old.pk == new.pk:
        raise Http404
    old.quote = new.quote
    return render(request, "quotes/changes.html", pages.changes_page(old, new))


@require_safe
@login_required
def options(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """The other options of the sizing behind the quote; `?option=` shows what one of them would change."""
    revision = found_revision(request, public_id)
    wanted, chosen = request.GET.get("option", ""), None
    if wanted:
        chosen = content_of_option(revision.quote, _uuid(wanted), revision)
        if chosen is None:
            raise Http404
    return render(request, "quotes/options.html", pages.options_page(revision, chosen))


def person(request: HttpRequest) -> User:
    return cast(User, request.user)


def found_revision(request: HttpRequest, public_id: UUID, number: int | None = None) -> QuoteRevision:
    """A revision of a quote that the person may see; 404 for every other one."""
    quote = selectors.quote_for(request.user, public_id)
    revision = selectors.revision_of(quote, number) if quote is not None else None
    if quote is None or revision is None:
        raise Http404
    revision.quote = quote
    return revision


def attempted(request: HttpRequest, change: Any) -> bool:
    """Run a change; a refusal becomes a note on the next page. A missing role is 403."""
    try:
        change()
    except NotAllowed as error:
        if error.code == "quote_role_missing":
            raise PermissionDenied from error
        messages.error(request, words(error.message))
        return False
    except QuoteError as error:
        messages.error(request, words(pages.refusal(error)))
        return False
    except ValidationError as error:
        for text in error.messages:
            messages.error(request, text)
        return False
    return True


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Http404 from None


def _user(request: HttpRequest) -> User | None:
    return person(request) if request.user.is_authenticated else None


def _secrets(request: HttpRequest) -> list[str]:
    """Of the runs that this browser started, and of the one that the form was sent from: its page knows it."""
    return [*request.session.get(VISITOR_RUNS, []), request.POST.get("run", "")]
