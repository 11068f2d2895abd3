"""Pages of the catalogue: lists, details, comparison, search. Everybody may read; prices follow the organisation."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from catalog import cells, details, export, history, layouts, selectors, tables
from catalog.choosing import DEFAULT_MAX_AGE_DAYS, PriceQuestion
from catalog.columns import chosen_columns, column_choice
from catalog.filters import CompatibilityFilter
from catalog.forms import MOST_COMPARED
from catalog.freshness import freshness
from catalog.kept import kept
from catalog.models import Accelerator, AiModel, Component, NonLlmWorkload, Processor, Server, ServingSoftware
from catalog.paging import KeyPaginator
from catalog.search import KIND_WORDS, MOST_HITS, search_by_kind
from catalog.value_words import words_of
from catalog.versions import stamp
from config.accounts.models import Organisation
from config.accounts.permissions import Action, may
from config.accounts.selectors import current_organisation

PAGE_SIZE = 50
DEFAULT_CURRENCY = "USD"
FILE_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
CORRECTABLE = frozenset({"accelerators", "servers", "processors"})


def today() -> date:
    return timezone.now().date()


def currency_of(organisation: Organisation | None) -> str:
    return organisation.currency if organisation else DEFAULT_CURRENCY


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """The way into the catalogue: search, the tables with their counts, and how old everything is."""
    organisation = current_organisation(request)
    rows = kept("rows", organisation, lambda: [table.rows(organisation).count() for table in tables.TABLES])
    context = {
        "counts": list(zip(tables.TABLES, rows, strict=True)),
        "freshness": freshness(organisation, as_of=today()),
        "version": selectors.catalog_version(),
        "query": request.GET.get("q", ""),
        "tables": tables.TABLES,
    }
    return render(request, "catalog/start.html", context)


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Findings over every table for `?q=`, of one kind for `&kind=`."""
    query, kind = request.GET.get("q", ""), request.GET.get("kind", "")
    kind = kind if kind in KIND_WORDS else ""
    found = search_by_kind(query, kind=kind, organisation=current_organisation(request))
    facets = [
        {"kind": name, "word": gettext(KIND_WORDS[name]), "count": count, "is_most": count >= MOST_HITS}
        for name, count in found.counts.items()
    ]
    context = {"query": query, "kind": kind, "hits": found.hits, "facets": facets, "tables": tables.TABLES}
    return render(request, "catalog/search.html", context)


@require_safe
def table(request: HttpRequest, name: str) -> HttpResponse:
    """One list with filter, sort (`?sort=-memory_gb`) and pages (`?page=2`)."""
    shown = next(each for each in tables.TABLES if each.name == name)
    organisation = current_organisation(request)
    rows = shown.rows(organisation)
    filterset = shown.filterset(request.GET, queryset=rows)
    found = filterset.qs if filterset.is_valid() else rows.none()
    sort = request.GET.get("sort", "")
    ordered = found.order_by(*_order(shown, sort))
    if request.GET.get("format") in FILE_TYPES:
        return _as_file(request.GET["format"], shown, ordered, organisation)
    asked = request.GET.getlist("columns")
    kept = chosen_columns((column.key for column in shown.columns[1:]), asked)
    columns = [shown.columns[0], *(column for column in shown.columns[1:] if column.key in kept)]
    page = KeyPaginator(ordered, PAGE_SIZE, stamp).get_page(request.GET.get("page"))
    is_filtered = any(value for key, value in request.GET.items() if key not in {"page", "sort", "format", "columns"})
    context = {
        "table": shown,
        "tables": tables.TABLES,
        "filter": filterset,
        "head": [_head(column, sort) for column in columns],
        "rows": _rows(shown, list(page.object_list), organisation, columns),
        "column_choice": column_choice({column.key: column.label for column in shown.columns[1:]}, asked),
        "page": page,
        "total": rows.count() if is_filtered else page.paginator.count,
        "is_filtered": is_filtered,
        "most_compared": MOST_COMPARED,
    }
    return render(request, "catalog/list.html", context)


def _as_file(form: str, shown: tables.Table, ordered: QuerySet[Any], organisation: Organisation | None) -> HttpResponse:
    """The whole list as a file; a list that is too long is refused with the way out."""
    rows = list(ordered[: export.MOST_ROWS + 1])
    if len(rows) > export.MOST_ROWS:
        text = gettext("More than %(limit)s rows. Narrow the filter and download again.") % {"limit": export.MOST_ROWS}
        return HttpResponse(text, status=422, content_type="text/plain; charset=utf-8")
    currency = currency_of(organisation)
    head = [f"{each.label} ({currency})" if each.key == "price" else str(each.label) for each in shown.columns]
    found = _rows(shown, rows, organisation, shown.columns)
    body = [[cell.text if cell.raw is None else cell.raw for cell in row["cells"]] for row in found]
    content = export.csv_bytes(head, body) if form == "csv" else export.xlsx_bytes(str(shown.title), head, body)
    name = f"kvote-{shown.name}-{today().isoformat()}.{form}"
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=FILE_TYPES[form], headers=disposition)


def _order(shown: tables.Table, sort: str) -> tuple[str, ...]:
    name = sort.removeprefix("-")
    if name not in {column.sort for column in shown.columns if column.sort}:
        return shown.order
    return (sort, *(field for field in shown.order if field != name))


def _head(column: tables.Column, sort: str) -> dict[str, Any]:
    here = bool(column.sort) and sort.removeprefix("-") == column.sort
    descending = here and sort.startswith("-")
    return {
        "label": column.label,
        "is_number": column.is_number,
        "aria_sort": ("descending" if descending else "ascending") if here else "",
        "next_sort": column.sort if descending or not here else f"-{column.sort}",
        "sortable": bool(column.sort),
    }


def _rows(
    shown: tables.Table, rows: list[Any], organisation: Organisation | None, columns: Sequence[tables.Column]
) -> list[dict[str, Any]]:
    offers = tables.Offers()
    if shown.has_offers and any(column in tables.OFFER_COLUMNS for column in columns):
        offers = tables.Offers(
            prices=selectors.current_prices(
                rows, as_of=today(), currency=currency_of(organisation), organisation=organisation
            ),
            lead_times=selectors.current_lead_times(rows, as_of=today(), organisation=organisation),
        )
    return [
        {
            "slug": getattr(row, "slug", ""),
            "name": str(row),
            "cells": [column.cell(row, offers) for column in columns],
        }
        for row in rows
    ]


@require_safe
def accelerator(request: HttpRequest, slug: str) -> HttpResponse:
    row = get_object_or_404(Accelerator.objects.prefetch_related("device_memory", "doubts"), slug=slug)
    organisation = current_organisation(request)
    context = {
        "device_memory": row.device_memory.all(),
        "servers": Server.objects.filter(fits__accelerator=row).distinct(),
        "numbers": selectors.parts(organisation).filter(accelerator=row).exclude(mpn="", oem_part_number=""),
        "cloud_rates": row.cloud_rates.order_by("usd_per_gpu_hour", "pk")[:20],
    }
    return _detail(request, row, layouts.ACCELERATOR_SECTIONS, tables.ACCELERATORS, **context)


@require_safe
def server(request: HttpRequest, slug: str) -> HttpResponse:
    row = get_object_or_404(Server.objects.prefetch_related("doubts", "fits__accelerator"), slug=slug)
    return _detail(request, row, layouts.SERVER_SECTIONS, tables.SERVERS, fits=row.fits.all())


@require_safe
def processor(request: HttpRequest, slug: str) -> HttpResponse:
    row = get_object_or_404(Processor, slug=slug)
    return _detail(request, row, layouts.PROCESSOR_SECTIONS, tables.PROCESSORS)


@require_safe
def component(request: HttpRequest, slug: str) -> HttpResponse:
    row = get_object_or_404(Component, slug=slug)
    return _detail(request, row, layouts.COMPONENT_SECTIONS, tables.COMPONENTS)


@require_safe
def part(request: HttpRequest, slug: str) -> HttpResponse:
    organisation = current_organisation(request)
    rows = selectors.parts(organisation).select_related("accelerator", "processor", "server", "component")
    row = get_object_or_404(rows, slug=slug)
    links = [each for each in (row.accelerator, row.processor, row.server, row.component) if each is not None]
    claims = selectors.origin_claims(row, organisation)
    names = selectors.aliases(row, organisation)
    return _detail(
        request,
        row,
        layouts.PART_SECTIONS,
        tables.PARTS,
        links=links,
        claims=claims,
        aliases=names,
        may_forget=may(request.user, organisation, Action.EDIT_PRICES),
    )


@require_safe
def software(request: HttpRequest, slug: str) -> HttpResponse:
    row = get_object_or_404(ServingSoftware, slug=slug)
    filterset = CompatibilityFilter(request.GET, queryset=row.compatibility.all())
    page = Paginator(filterset.qs, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "row": row,
        "table": tables.SOFTWARE,
        "tables": tables.TABLES,
        "sections": details.sections(row, layouts.SOFTWARE_SECTIONS),
        "filter": filterset,
        "page": page,
    }
    return render(request, "catalog/software.html", context)


@require_safe
def model(request: HttpRequest, model_id: str) -> HttpResponse:
    row = get_object_or_404(AiModel, model_id=model_id)
    context = {
        "row": row,
        "table": tables.MODELS,
        "tables": tables.TABLES,
        "sections": details.sections(row, layouts.MODEL_SECTIONS),
        "config": sorted((key, value) for key, value in row.config.items() if not isinstance(value, dict | list)),
    }
    return render(request, "catalog/model.html", context)


@require_safe
def workloads(request: HttpRequest) -> HttpResponse:
    """Models that are no LLM: work per image, second of audio or document."""
    rows = [
        {
            "row": row,
            "operations": cells.powers_of_ten(row.flops) if row.flops else "",
            "unit": words_of("basis", row.flops_unit),
            "basis": words_of("basis", row.basis),
        }
        for row in NonLlmWorkload.objects.all()
    ]
    context = {"rows": rows, "tables": tables.TABLES}
    return render(request, "catalog/workloads.html", context)


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Up to six accelerators side by side (`?slug=` repeated); `?differences=1` leaves out equal rows."""
    wanted = list(dict.fromkeys(request.GET.getlist("slug")))
    found = Accelerator.objects.in_bulk(wanted, field_name="slug")
    unknown = [slug for slug in wanted if slug not in found]
    if unknown:
        raise Http404(gettext("There is no accelerator %(slug)s.") % {"slug": unknown[0]})
    chosen = [found[slug] for slug in wanted[:MOST_COMPARED]]
    organisation = current_organisation(request)
    prices = selectors.current_prices(
        chosen, as_of=today(), currency=currency_of(organisation), organisation=organisation
    )
    lead_times = selectors.current_lead_times(chosen, as_of=today(), organisation=organisation)
    rows = [("", gettext("Net price"), [cells.price(prices[each]) for each in chosen])]
    rows += [("", gettext("Lead time"), [cells.weeks(lead_times[each]) for each in chosen])]
    for section in zip(*(details.sections(each, layouts.ACCELERATOR_SECTIONS) for each in chosen), strict=True):
        for facts in zip(*(part.facts for part in section), strict=True):
            rows.append((str(section[0].title), facts[0].label, [fact.value for fact in facts]))
    shown = [
        {"section": title, "label": label, "cells": values, "differs": len({value.text for value in values}) > 1}
        for title, label, values in rows
    ]
    only = bool(request.GET.get("differences"))
    context = {
        "chosen": chosen,
        "left_out": wanted[MOST_COMPARED:],
        "rows": [row for row in shown if row["differs"] or not only],
        "only": only,
        "most_compared": MOST_COMPARED,
        "tables": tables.TABLES,
        "table": tables.ACCELERATORS,
    }
    return render(request, "catalog/compare.html", context)


def _detail(request: HttpRequest, row: Any, layout: layouts.Layout, shown: tables.Table, **more: Any) -> HttpResponse:
    organisation = current_organisation(request)
    currency = currency_of(organisation)
    question = PriceQuestion(
        quantity=1,
        as_of=today(),
        currency=currency,
        max_age_days=organisation.price_max_age_days if organisation else DEFAULT_MAX_AGE_DAYS,
    )
    prices = selectors.observations(selectors.prices(organisation), row)
    lead_times = selectors.observations(selectors.lead_times(organisation), row)
    offers = details.offers(
        selectors.current_price(row, as_of=today(), currency=currency, organisation=organisation),
        selectors.current_lead_time(row, as_of=today(), organisation=organisation),
        prices=prices,
        lead_times=lead_times,
        question=question,
        rates=selectors.exchange_rates(to=currency, as_of=today(), organisation=organisation),
    )
    context = {
        "row": row,
        "table": shown,
        "tables": tables.TABLES,
        "sections": details.sections(row, layout),
        "offers": offers,
        "plots": history.plots(prices, lead_times, currency=currency),
        "part_for_offers": selectors.product_part(row, organisation),
        "correct": _correction(request, shown, row),
        "doubts": row.doubts.all() if hasattr(row, "doubts") else (),
        **more,
    }
    return render(request, "catalog/detail.html", context)


def _correction(request: HttpRequest, shown: tables.Table, row: Any) -> str:
    """Address of the form to correct the row, where there is one and the reader may."""
    organisation = current_organisation(request)
    if shown.name not in CORRECTABLE or not may(request.user, organisation, Action.EDIT_CATALOGUE):
        return ""
    return reverse(f"catalog:correct_{shown.name}", args=[row.slug])
