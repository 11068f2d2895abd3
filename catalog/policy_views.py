"""The page of an organisation's price policy: its own price list with tiers, agreed prices, margin rules."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages as notes
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from catalog import cells, policy, tables
from catalog.choices import PartKind, PriceKind
from catalog.edits import allowed
from catalog.forms import day_input
from catalog.models import MarginRule, PriceObservation
from catalog.views import today
from config.accounts.models import Organisation
from config.accounts.permissions import Action, may
from config.accounts.selectors import current_organisation

PAGE_SIZE = 50
OWN = (PriceKind.OWN, PriceKind.CONTRACT)


class MarginForm(forms.ModelForm):  # type: ignore[type-arg]
    """A markup on what is paid, for a kind of part, a manufacturer, both, or everything."""

    class Meta:
        model = MarginRule
        fields = ["markup_pct", "kind", "manufacturer", "valid_from", "notes"]
        widgets = {"valid_from": day_input()}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kind"].choices = [("", gettext("any")), *PartKind.choices]  # type: ignore[attr-defined]
        for field in self.fields.values():
            css = "form-select" if isinstance(field.widget, forms.Select) else "form-control"
            field.widget.attrs.setdefault("class", css)


@login_required
@require_http_methods(["GET", "POST"])
def prices(request: HttpRequest) -> HttpResponse:
    """Own and agreed prices, and the rules by which a quote adds to what is paid."""
    organisation = current_organisation(request)
    form = MarginForm(request.POST or None, initial={"valid_from": today()})
    if request.method == "POST":
        organisation, actor = allowed(request, Action.EDIT_PRICES)
        if form.is_valid():
            rule = form.save(commit=False)
            rule.organisation = organisation
            policy.add_margin_rule(rule=rule, actor=actor)
            notes.success(request, gettext("The rule is stored. Quotes made from now on follow it."))
            return redirect("catalog:prices")
    page = Paginator(_own_prices(organisation), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": [_row(price) for price in page.object_list],
        "rules": _rules(organisation),
        "form": form if may(request.user, organisation, Action.EDIT_PRICES) else None,
        "tables": tables.TABLES,
    }
    return render(request, "catalog/prices.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def end_rule(request: HttpRequest, rule_id: UUID) -> HttpResponse:
    organisation, actor = allowed(request, Action.EDIT_PRICES)
    rule = get_object_or_404(MarginRule, organisation=organisation, public_id=rule_id)
    policy.end_margin_rule(rule=rule, actor=actor, today=today())
    notes.success(request, gettext("The rule has ended. Quotes that exist stay as they are."))
    return redirect("catalog:prices")


def _own_prices(organisation: Organisation | None) -> QuerySet[PriceObservation]:
    """Standing prices of the organisation's own list and its agreements, by part and quantity."""
    standing = Q(valid_to__isnull=True) | Q(valid_to__gte=today())
    rows = PriceObservation.objects.filter(standing, organisation=organisation, kind__in=OWN, superseded_by=None)
    if organisation is None:
        rows = rows.none()
    return rows.select_related("part", "supplier").order_by("part__manufacturer", "part__mpn", "min_quantity", "pk")


def _row(price: PriceObservation) -> dict[str, Any]:
    return {
        "part": price.part,
        "kind": price.get_kind_display(),
        "quantity": price.min_quantity,
        "price": cells.money_text(price.unit_price, price.currency),
        "from": price.valid_from,
        "to": price.valid_to,
        "supplier": price.supplier.name if price.supplier else price.source_title,
        "end_customer": price.end_customer,
    }


def _rules(organisation: Organisation | None) -> list[dict[str, Any]]:
    if organisation is None:
        return []
    day = today()
    return [
        {"rule": rule, "holds": rule.valid_from <= day and (rule.valid_to is None or rule.valid_to >= day)}
        for rule in MarginRule.objects.filter(organisation=organisation).select_related("created_by")
    ]
