"""Template tags of every page: numbers and dates of the reader's language, icons, navigation."""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django import template
from django.template.context import Context
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy

from config.help.glossary import terms_by_key
from config.help.mathml import mathml
from sizing import figures
from sizing.caveats import CAVEATS
from sizing.models import SizingRun
from sizing.models_draft import form_address

register = template.Library()

ICONS = {
    "ok": '<circle cx="8" cy="8" r="6.6"/><path d="m5 8.2 2.1 2.1L11 6.2"/>',
    "caution": '<path d="M8 1.8 15 14H1z" stroke-linejoin="round"/><path d="M8 6.2v3.6m0 1.7v.6"/>',
    "fail": '<path d="M5.2 1.4h5.6l3.8 3.8v5.6l-3.8 3.8H5.2l-3.8-3.8V5.2z"/><path d="m5.7 5.7 4.6 4.6m0-4.6-4.6 4.6"/>',
    "unknown": '<circle cx="8" cy="8" r="6.6" stroke-dasharray="2.4 1.75"/>'
    '<path d="M6.2 6.3c.2-2.3 3.7-2.1 3.6.1-.1 1.3-1.7 1.4-1.8 2.8m0 1.7v.6"/>',
    "info": '<circle cx="8" cy="8" r="6.6"/><path d="M8 7.2v4.2M8 4.3v1.5"/>',
    "waiting": '<circle cx="8" cy="8" r="6.6"/>',
    "running": '<circle cx="8" cy="8" r="6.6"/><path d="m6.5 5.2 4.2 2.8-4.2 2.8z" fill="currentColor"/>',
    "sun": '<circle cx="8" cy="8" r="3"/><path d="M8 .8v2m0 10.4v2M.8 8h2m10.4 0h2"/>'
    '<path d="M2.9 2.9l1.4 1.4m7.4 7.4 1.4 1.4m0-10.2-1.4 1.4m-7.4 7.4-1.4 1.4"/>',
    "moon": '<path d="M13.6 9.8A6 6 0 0 1 6.2 2.4a6 6 0 1 0 7.4 7.4z" stroke-linejoin="round"/>',
    "chat": '<path d="M1.8 2.6h12.4v8.2H7.4l-3.2 2.8v-2.8H1.8z" stroke-linejoin="round"/>'
    '<path d="M4.6 5.6h6.8M4.6 7.9h4.4"/>',
    "image": '<path d="M1.8 2.6h12.4v10.8H1.8z" stroke-linejoin="round"/>'
    '<path d="m3.6 11.4 3-3.6 2.2 2.2 2-2 1.8 3.4"/>',
    "video": '<path d="M1.8 3.6h8.8v8.8H1.8z" stroke-linejoin="round"/><path d="m10.6 7 3.6-2.2v6.4L10.6 9"/>',
    "speech": '<path d="M2 6.4v3.2M5 4.2v7.6M8 2v12m3-9.8v7.6m3-5.4v3.2"/>',
    "vision": '<path d="M1 8s2.6-4.4 7-4.4S15 8 15 8s-2.6 4.4-7 4.4S1 8 1 8z"/><circle cx="8" cy="8" r="2"/>',
    "embedding": '<circle cx="7" cy="7" r="4.8"/><path d="m10.6 10.6 3.8 3.8M4.8 7h4.4"/>',
    "recommendation": '<path d="M2 3.4h12M2 8h8m-8 4.6h5"/><path d="m11 11.4 1.4 1.4 2.2-2.6"/>',
    "rag": '<path d="M3 1.8h7l3 3v9.4H3z" stroke-linejoin="round"/><path d="M5.4 6.4h5.2M5.4 8.8h5.2m-5.2 2.4h2.8"/>',
    "tabular": '<path d="M1.8 2.6h12.4v10.8H1.8z" stroke-linejoin="round"/>'
    '<path d="M1.8 6.2h12.4M1.8 9.8h12.4M6 2.6v10.8"/>',
    "edge": '<path d="M4.4 4.4h7.2v7.2H4.4z" stroke-linejoin="round"/><path d="M6.4 1.6v2.8m3.2-2.8v2.8m-3.2 7.2v2.8'
    'm3.2-2.8v2.8M1.6 6.4h2.8M1.6 9.6h2.8m7.2-3.2h2.8m-2.8 3.2h2.8"/>',
    "search": '<circle cx="7" cy="7" r="4.8"/><path d="m10.6 10.6 3.8 3.8"/>',
    "models": '<path d="M1.8 1.8h5v5h-5zm7.4 0h5v5h-5zm-7.4 7.4h5v5h-5zm7.4 0h5v5h-5z" stroke-linejoin="round"/>',
}
NAVIGATION = (
    ("workloads", gettext_lazy("Workloads"), ("sizing:start",)),
    ("quotes", gettext_lazy("Quotes"), ("quotes:list",)),
    ("catalogue", gettext_lazy("Catalogue"), ("catalog:start",)),
    ("import", gettext_lazy("Import"), ("catalog:imports", "catalog:import_start", "catalog:import")),
    ("help", gettext_lazy("Help"), ("help", "help:start")),
)


@register.simple_tag
def icon(name: str, size: int = 16) -> SafeString:
    """One of the project's own icons. It says nothing to a screen reader: a word stands beside it."""
    return format_html(
        '<svg class="kv-icon" viewBox="0 0 16 16" width="{}" height="{}" fill="none" stroke="currentColor" '
        'stroke-width="1.6" stroke-linecap="round" aria-hidden="true" focusable="false">{}</svg>',
        size,
        size,
        mark_safe(ICONS[name]),  # noqa: S308  the table above is ours
    )


@register.simple_tag(takes_context=True)
def navigation(context: Context) -> list[dict[str, object]]:
    """Entries of the head of the page that lead somewhere, the current one marked."""
    current = current_section(context)
    entries: list[dict[str, object]] = []
    for key, words, names in NAVIGATION:
        url = first_url(*names)
        if url:
            entries.append({"label": words, "url": url, "current": key == current})
    return entries


@register.simple_tag
def first_url(*names: str) -> str:
    """The address of the first of these routes that exists, else empty."""
    for name in names:
        try:
            return reverse(name)
        except NoReverseMatch:
            continue
    return ""


def current_section(context: Context) -> str:
    match = getattr(context.get("request"), "resolver_match", None)
    if match is None:
        return ""
    if match.namespace == "catalog" and "import" in (match.url_name or ""):
        return "import"
    sections = {"sizing": "workloads", "quotes": "quotes", "catalog": "catalogue", "help": "help"}
    return sections.get(match.namespace, match.url_name or "")


@register.simple_tag
def again_address(run: SizingRun) -> str:
    """The filled form of a run, to be changed and run again."""
    return form_address(run.workload.kind, **{"from": run.key})


@register.filter
def num(value: int | float | Decimal | None, decimals: int = 0) -> str:
    """A number with its separators; None is the word for unknown."""
    return gettext("unknown") if value is None else figures.number(value, decimals)


@register.filter
def figure(value: int | float | Decimal | None) -> str:
    return gettext("unknown") if value is None else figures.figure(value)


@register.filter
def percent(share: float | None) -> str:
    return gettext("unknown") if share is None else figures.percent(share)


@register.filter
def gb(value_bytes: int | float | None) -> str:
    return gettext("unknown") if value_bytes is None else figures.gigabytes(value_bytes)


@register.filter
def kb(value_bytes: int | float | None) -> str:
    return gettext("unknown") if value_bytes is None else figures.kilobytes(value_bytes)


@register.filter
def parameters(value: int | float | None) -> str:
    return gettext("unknown") if value is None else figures.count_of_parameters(value)


@register.filter
def ms(value_ms: float | None) -> str:
    return gettext("unknown") if value_ms is None else figures.milliseconds(value_ms)


@register.filter
def watts(value_w: float | None) -> str:
    return gettext("unknown") if value_w is None else figures.watts(value_w)


@register.filter
def weeks(value: float | None) -> str:
    return gettext("unknown") if value is None else figures.weeks(value)


@register.filter
def day(value: date | datetime | str | None) -> str:
    return figures.day(value)


@register.filter
def money(value: Any) -> str:
    """A contract money object, or anything with amount and currency, in whole units; unknown stays a word."""
    return money_text(value, exact=False)


@register.filter
def money_exact(value: Any) -> str:
    """The same to the cent."""
    return money_text(value, exact=True)


def money_text(value: Any, *, exact: bool) -> str:
    if value is None:
        return gettext("price open")
    if isinstance(value, Mapping):
        amount, currency = value.get("amount"), value.get("currency")
    else:
        amount, currency = value.amount, value.currency
    if amount is None or not currency:
        return gettext("price open")
    pieces, scaled = for_pieces(Decimal(str(amount)))
    if pieces == 1:
        return figures.amount(amount, str(currency), exact=exact)
    words = {"money": figures.amount(scaled, str(currency), exact=True), "count": figures.number(pieces)}
    return gettext("%(money)s per %(count)s") % words


LEAST_SHOWN = Decimal("0.01")


def for_pieces(amount: Decimal) -> tuple[int, Decimal]:
    """For how many pieces an amount is shown, and the amount for them: one, a thousand or a million.

    A request or an image costs a fraction of a cent; for one piece it would read as nothing.
    """
    for pieces in (1, 1000):
        if not amount or abs(amount) * pieces >= LEAST_SHOWN:
            return pieces, amount * pieces
    return 1_000_000, amount * 1_000_000


@register.inclusion_tag("partials/estimate.html")
def estimate(value: Mapping[str, Any] | None, why: str = "", label: str = "") -> dict[str, object]:
    """An estimate: value, interval and basis. `why` is the address of its explanation, `label` names it."""
    known = value or {"basis": "unknown"}
    text, interval = figures.estimate_texts(dict(known))
    basis = str(known.get("basis") or "unknown") if text else "unknown"
    return {
        "text": text,
        "interval": interval,
        "basis": basis,
        "basis_word": basis_word(basis),
        "rough": is_rough(known),
        "why": why,
        "label": label,
    }


@register.inclusion_tag("partials/opened.html")
def opened(text: str, why: str, label: str, is_open: bool = False) -> dict[str, object]:
    """A figure that is no estimate (money, weeks, a count), with the address of its explanation."""
    open_words = (gettext("unknown"), gettext("price open"), gettext("above full capacity"))
    return {"text": text, "why": why, "label": label, "is_open": is_open or text in open_words}


@register.inclusion_tag("partials/basis.html")
def basis(value: Mapping[str, Any] | None) -> dict[str, object]:
    """What an estimate rests on: a mark and a word."""
    key = str((value or {}).get("basis") or "unknown")
    return {"basis": key, "basis_word": basis_word(key)}


@register.inclusion_tag("partials/caveat.html", takes_context=True)
def caveat(context: Context, *codes: str) -> dict[str, object]:
    """Caveats beside the figure that they limit, by their codes (`sizing.caveats`)."""
    return {"texts": [CAVEATS[code] for code in codes], "request": context.get("request")}


@register.inclusion_tag("partials/term.html", takes_context=True)
def term(context: Context, key: str, label: str = "") -> dict[str, object]:
    """A word of the glossary with its meaning as a tooltip; `label` replaces the term's own name."""
    found = terms_by_key()[key]
    language = "de" if figures.locale() == "de" else "en"
    place = int(context.render_context.get("terms") or 0) + 1
    context.render_context["terms"] = place
    return {
        "name": label or found.name(language),
        "definition": found.definition(language),
        "url": f"{reverse('help:glossary')}#{key}",
        "place": f"{key}-{place}-{len(label)}",
    }


@register.simple_tag
def guide_picture(name: str) -> str:
    """The address of a picture of the guide in the reader's language; tests of the browser make them."""
    return static(f"img/guide/{name}-{'de' if figures.locale() == 'de' else 'en'}.jpg")


@register.filter
def as_mathml(text: str) -> SafeString:
    """A formula of one line as MathML; its plain text stands beside it."""
    return mathml(text)


@register.filter
def flag_word(flag: str) -> str:
    """The word of a screening flag. There is none that says compliant."""
    words = {
        "pass": gettext("no finding"),
        "review": gettext("review needed"),
        "fail": gettext("conflict"),
        "unknown": gettext("unknown"),
        "not_applicable": gettext("not applicable"),
    }
    return words.get(flag, flag)


def basis_word(basis: str) -> str:
    words = {
        "measured": gettext("measured"),
        "interpolated": gettext("estimated from measurements"),
        "calibrated": gettext("estimated"),
        "formula": gettext("calculated"),
        "unknown": gettext("unknown"),
    }
    return words.get(basis, basis)


def is_rough(estimate: Mapping[str, Any]) -> bool:
    """Whether the interval is wider than 30 % to either side."""
    value, low, high = estimate.get("value"), estimate.get("low"), estimate.get("high")
    if not value or low is None or high is None:
        return False
    return bool(high - value > 0.3 * value or value - low > 0.3 * value)


@register.simple_tag(takes_context=True)
def query_with(context: Context, **changes: object) -> str:
    """The page's query with some parameters changed; an empty value removes one."""
    query = context["request"].GET.copy()
    for key, value in changes.items():
        if value in (None, ""):
            query.pop(key, None)
        else:
            query[key] = str(value)
    return f"?{query.urlencode()}"
