"""Pages that write: prices and lead times of a part, corrections of figures. Who may follows from the role."""

from typing import Any

from django.contrib import messages as notes
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalog import messages, selectors, services
from catalog.errors import CatalogError, Implausible
from catalog.forms import AcceleratorForm, BomRuleForm, LeadTimeForm, PriceForm, ProcessorForm, RateForm, ServerForm
from catalog.import_jobs import forget_match
from catalog.models import Accelerator, BomRule, EnergyTariff, ExchangeRate, PartAlias, Processor, Server
from catalog.rule_words import rule_groups, rule_label
from catalog.tables import TABLES
from catalog.views import currency_of, today
from config.accounts.models import Organisation, User
from config.accounts.permissions import Action, may, require
from config.accounts.selectors import current_organisation

CORRECTIONS: dict[str, tuple[type[Any], type[Any]]] = {
    "accelerators": (Accelerator, AcceleratorForm),
    "servers": (Server, ServerForm),
    "processors": (Processor, ProcessorForm),
}

KEY_DIGITS_MAX = 18  # what a bigint surely holds


@login_required
@require_http_methods(["GET", "POST"])
def add_price(request: HttpRequest, slug: str) -> HttpResponse:
    organisation, actor = allowed(request, Action.EDIT_PRICES)
    part = get_object_or_404(selectors.parts(organisation), slug=slug)
    start = {"observed_on": today(), "currency": currency_of(organisation), "kind": "offer", "tax_basis": "excl_vat"}
    form = PriceForm(request.POST or None, initial=start, organisation=organisation)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            price = form.save(commit=False)
            price.part, price.organisation, price.supplier = part, organisation, form.supplier()
            price.valid_from = price.observed_on
            price.source_date = price.observed_on.isoformat()
            services.record_price(price=price, actor=actor)
        notes.success(request, gettext("The price is stored. Older prices of this supplier are kept and closed."))
        return redirect(part)
    return _form(request, form, part, gettext("Add a price"))


@login_required
@require_POST
def forget_name(request: HttpRequest, slug: str) -> HttpResponse:
    """Take back what the supplier's text in `name` means; `supplier` is its key, empty for any supplier."""
    organisation, actor = allowed(request, Action.EDIT_PRICES)
    part = get_object_or_404(selectors.parts(organisation), slug=slug)
    names = PartAlias.objects.filter(part=part, organisation=organisation, text=request.POST.get("name", ""))
    supplier = request.POST.get("supplier", "")
    if supplier and not (supplier.isdecimal() and len(supplier) <= KEY_DIGITS_MAX):
        raise Http404
    alias = get_object_or_404(names, supplier=int(supplier) if supplier else None)
    forget_match(alias, actor=actor)
    notes.success(request, gettext("The name is taken back. The next file with it asks again; prices stay."))
    return redirect(part)


@login_required
@require_http_methods(["GET", "POST"])
def add_lead_time(request: HttpRequest, slug: str) -> HttpResponse:
    organisation, actor = allowed(request, Action.EDIT_PRICES)
    part = get_object_or_404(selectors.parts(organisation), slug=slug)
    form = LeadTimeForm(request.POST or None, initial={"observed_on": today()}, organisation=organisation)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            row = form.save(commit=False)
            row.part, row.organisation, row.supplier = part, organisation, form.supplier()
            row.source_date = row.observed_on.isoformat()
            services.record_lead_time(observation=row, actor=actor)
        notes.success(request, gettext("The lead time is stored. The older one of this supplier is kept and closed."))
        return redirect(part)
    return _form(request, form, part, gettext("Add a lead time"))


@login_required
@require_http_methods(["GET", "POST"])
def correct(request: HttpRequest, table: str, slug: str) -> HttpResponse:
    """Correct figures of an accelerator, server or processor; what cannot be true is refused with its reason."""
    organisation, actor = allowed(request, Action.EDIT_CATALOGUE)
    model, form_class = CORRECTIONS[table]
    row = get_object_or_404(model, slug=slug)
    form = form_class(request.POST or None, instance=row)
    if request.method == "POST" and form.is_valid() and _corrected(form, row, organisation, actor):
        notes.success(request, gettext("The change is stored. Who made it and why stands in the audit trail."))
        return redirect(row)
    return _form(request, form, row, gettext("Correct figures"))


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The configurator's rules, each with its source and date; editors of the catalogue may change them."""
    context = {
        "groups": rule_groups(BomRule.objects.all()),
        "may_edit": may(request.user, current_organisation(request), Action.EDIT_CATALOGUE),
        "tables": TABLES,
    }
    return render(request, "catalog/rules.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def edit_rule(request: HttpRequest, slug: str) -> HttpResponse:
    """Change one rule; the next sizing follows it, results that exist stay as they are."""
    organisation, actor = allowed(request, Action.EDIT_CATALOGUE)
    row = get_object_or_404(BomRule, slug=slug)
    form = BomRuleForm(request.POST or None, instance=row)
    if request.method == "POST" and form.is_valid() and _corrected(form, row, organisation, actor):
        notes.success(request, gettext("The rule is stored. Who changed it and why stands in the audit trail."))
        return redirect(row)
    return _form(request, form, BomRule.objects.get(pk=row.pk), rule_label(slug))


@require_http_methods(["GET", "POST"])
def rates(request: HttpRequest) -> HttpResponse:
    """Exchange rates and tariffs on file; a buyer adds a rate of a day, with its source."""
    organisation = current_organisation(request)
    writes = may(request.user, organisation, Action.EDIT_PRICES)
    form = RateForm(request.POST or None, initial={"as_of": today()})
    if request.method == "POST":
        organisation, actor = allowed(request, Action.EDIT_PRICES)
        if form.is_valid():
            rate = form.save(commit=False)
            rate.organisation, rate.confidence, rate.source_date = organisation, "A", rate.as_of.isoformat()
            services.record_exchange_rate(rate=rate, actor=actor)
            notes.success(request, gettext("The exchange rate is stored. Older ones stay for older dates."))
            return redirect("catalog:rates")
    context = {
        "rates": ExchangeRate.objects.filter(selectors.visible(organisation)),
        "tariffs": EnergyTariff.objects.all(),
        "form": form if writes else None,
        "tables": TABLES,
    }
    return render(request, "catalog/rates.html", context, status=422 if form.is_bound else 200)


def _corrected(form: Any, row: Any, organisation: Organisation, actor: User) -> bool:
    try:
        services.edit(
            row=type(row)(pk=row.pk),
            changes=form.changes(),
            actor=actor,
            organisation=organisation,
            reason=form.cleaned_data["reason"],
            confirmed=form.cleaned_data["confirmed"],
        )
    except Implausible as error:
        for doubt in error.doubts:
            form.add_error(doubt.field if doubt.field in form.fields else None, messages.render(doubt.message))
        return False
    except CatalogError as error:
        form.add_error(None, messages.render(error.message))
        return False
    return True


def allowed(request: HttpRequest, action: Action) -> tuple[Organisation, User]:
    organisation = current_organisation(request)
    require(request.user, organisation, action)
    assert organisation is not None  # noqa: S101 - `require` has refused a visitor
    assert isinstance(request.user, User)  # noqa: S101
    return organisation, request.user


def _form(request: HttpRequest, form: Any, row: Any, title: str) -> HttpResponse:
    status = 422 if form.is_bound else 200
    above = gettext("Configuration rules") if isinstance(row, BomRule) else str(row)
    context = {"form": form, "row": row, "title": title, "above": above}
    return render(request, "catalog/form.html", context, status=status)
